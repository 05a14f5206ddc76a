"""Rules on the path of the centre of pressure: along the foot, from the heel to the toes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.quality.rules.markers.gaps import walks_backward
from gaitdyn.quality.rules.steps import LoadedStep
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed

EARLY, LATE, MIDDLE = (0.05, 0.2), (0.7, 0.95), (0.2, 0.8)
"""Parts of a stance."""

LANDING, STANDING, LEAVING = (0.02, 0.06), (0.3, 0.45), (0.9, 0.97)
ON_THE_HEEL_DEG, OFF_THE_HEEL_DEG = 5.0, -25.0
"""A foot lands on its heel and leaves from its toes if, relative to mid-stance, its line from heel
to toe marker is turned up by more than 5 deg at landing and down by more than 25 deg at leaving."""


HEEL_UP_M = 0.03
"""The heel is off the ground if its marker is this far above the toe marker in mid-stance."""


@frozen(eq=False)
class CopPath:
    """Path of the centre of pressure under a foot during a step, seen from above.

    Attributes
    ----------
    along, across : arrays, shape (n,)
        From the heel marker along the line to the toe marker, and to the right of it, m.
    axis : array, shape (n, 2)
        The direction from heel to toe marker on the floor: X and Z of the laboratory.
    length : array, shape (n,)
        From heel to toe marker, m.
    heel_first, rolls, tiptoe : bool
        Whether the foot lands on its heel; also leaves from its toes; never has its heel down.
    """

    along: Array
    across: Array
    axis: Array
    length: Array
    heel_first: bool
    rolls: bool
    tiptoe: bool = False

    @property
    def forward(self) -> Array:
        """How far forward the force acts, m, shape (n,): from the end of the foot that lands first.

        As the heel rises its marker moves forward over the floor, as far as a force that begins
        under the forefoot.
        """
        return self.along if self.heel_first else self.along - self.length


def cop_path(result: Processed, step: LoadedStep) -> CopPath:
    """Return the path of the centre of pressure under the foot of a step."""
    heel, toe = (point[step.start : step.stop] for point in result.feet[step.side])
    line, arm = toe - heel, (step.cop_G - heel)[:, [0, 2]]
    axis = line[:, [0, 2]]
    length = np.linalg.norm(axis, axis=1)
    pitch = np.degrees(np.arctan2(line[:, 1], length))
    with np.errstate(invalid="ignore", divide="ignore"):
        axis = axis / length[:, None]
    along = (arm * axis).sum(axis=1)
    across = axis[:, 0] * arm[:, 1] - axis[:, 1] * arm[:, 0]
    landing, standing, leaving = (
        known_median(pitch[step.part(part)]) for part in (LANDING, STANDING, LEAVING)
    )
    heel_first = landing - standing > ON_THE_HEEL_DEG
    rolls = heel_first and leaving - standing < OFF_THE_HEEL_DEG
    tiptoe = not heel_first and -known_median(line[step.part(STANDING), 1]) > HEEL_UP_M
    return CopPath(along, across, axis, length, heel_first, rolls, tiptoe)


def rolling_steps(
    result: Processed, paths: Sequence[tuple[LoadedStep, CopPath]]
) -> list[tuple[LoadedStep, CopPath, Array]]:
    """Return the entire steps of rolling feet on one plate, each with the plate's centre (G, m)."""
    centres = {p.number: p.centre_G for p in result.trial.plates if not p.virtual}
    return [
        (step, path, centres[step.numbers[0]])
        for step, path in paths
        if step.entire and path.rolls and len(step.numbers) == 1 and step.numbers[0] in centres
    ]


def path_rules(
    result: Processed, paths: Sequence[tuple[LoadedStep, CopPath]], rules: Rules
) -> list[Finding]:
    """Return the findings on the paths from early to late stance.

    Parameters
    ----------
    result : Processed
    paths : sequence of LoadedStep and CopPath
        Of both feet; steps that are not entire are ignored.
    rules : Rules
    """
    findings: list[Finding] = []
    rolled: list[tuple[LoadedStep, float]] = []
    way, facing = ("backward", -1.0) if walks_backward(result) else ("forward", 1.0)
    for step, path in ((step, path) for step, path in paths if step.entire):
        travel, across = (
            facing
            * (known_median(course[step.part(LATE)]) - known_median(course[step.part(EARLY)]))
            for course in (path.forward, path.across)
        )
        size = known_median(path.length)
        findings += [] if path.tiptoe else _standing_still(result, step, (travel, way), rules)
        findings += _going_across(result, step, (travel, across, size), rules)
        if path.rolls:
            rolled.append((step, travel / size))
    return [*findings, *_short(result, rolled, rules)]


def _standing_still(
    result: Processed, step: LoadedStep, course: tuple[float, str], rules: Rules
) -> list[Finding]:
    """Return a finding if the centre of pressure does not move with the walk under a foot."""
    rule, (travel, way) = rules["cop-still"], course
    if not travel < rule.bound:
        return []
    message = (
        f"{step.plates}: the force under the {step.side} foot moves {1000 * abs(travel):.0f} mm"
        f" {way_of(travel, way)} from early to late stance (at least {1000 * rule.bound:.0f} mm"
        f" {way} wanted): a moment of the plate is missing or has the wrong sign"
    )
    return [rule.found(step.plates, message, travel, **step.when(result))]


def way_of(travel: float, way: str) -> str:
    """Return the word for the direction of a distance that is positive in a way.

    Examples
    --------
    >>> way_of(-0.1, "forward"), way_of(0.1, "forward"), way_of(-0.1, "backward")
    ('backward', 'forward', 'forward')
    """
    return way if travel >= 0.0 else {"forward": "backward", "backward": "forward"}[way]


def _going_across(
    result: Processed, step: LoadedStep, course: tuple[float, float, float], rules: Rules
) -> list[Finding]:
    """Return a finding if the centre of pressure moves across a foot more than along it."""
    rule, (travel, across, size) = rules["cop-across"], course
    if not abs(across) > max(travel, rule.bound * size):
        return []
    message = (
        f"{step.plates}: the force under the {step.side} foot moves {1000 * travel:+.0f} mm along"
        f" the sole and {1000 * abs(across):.0f} mm across it from early to late stance: moments or"
        " axes of the plate are exchanged"
    )
    return [rule.found(step.plates, message, abs(across) / size, **step.when(result))]


def _short(
    result: Processed, rolled: Sequence[tuple[LoadedStep, float]], rules: Rules
) -> list[Finding]:
    """Return a finding for each short path of a rolling foot, if those of both feet are short."""
    rule, parts = rules["cop-short"], [part for _, part in rolled]
    if {step.side for step, _ in rolled} != set(result.feet) or not np.mean(parts) < rule.bound:
        return []
    return [
        rule.found(
            step.plates,
            f"{step.plates}: the force moves forward by {100 * part:.0f} % of the {step.side} foot"
            f" (heel to toe marker; at least {100 * rule.bound:.0f} % wanted), although the foot"
            " rolls from the heel to the toes: the gain of a moment of the plate is wrong",
            part,
            **step.when(result),
        )
        for step, part in rolled
        if part < rule.bound
    ]
