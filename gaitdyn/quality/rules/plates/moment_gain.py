"""Rules on gain and place of plates, from the soles on them and the hips above them.

A moment with a wrong gain moves the centre of pressure towards the plate's centre or away from it,
in proportion to its distance from there. In everybody whose foot rolls, the force is at a similar
place under the sole in each part of a stance, and its line passes the hips at a similar distance.
The deviations from both, each weighed by how much people vary in it, show the gain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.quality.rules.balance.force_lines import middle_of_hips
from gaitdyn.quality.rules.plates.cop_path import CopPath, rolling_steps
from gaitdyn.quality.rules.steps import LoadedStep, to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES


class Usual(NamedTuple):
    """Where the force of a rolling foot acts, as a share of the length from heel to toe marker.

    Attributes
    ----------
    way : {"along", "across", "ahead", "outside"}
        From the heel marker along the sole or outward across it; ahead of the middle of the hips
        or outside it, where the line of force passes their height.
    part : tuple of float
        Of the stance.
    mean, spread : float
        Over 62 steps of 24 laboratories, each laboratory counted once.
    """

    way: str
    part: tuple[float, float]
    mean: float
    spread: float


USUAL = (
    Usual("along", (0.05, 0.25), 0.400, 0.081),
    Usual("along", (0.45, 0.55), 0.846, 0.143),
    Usual("along", (0.75, 0.95), 0.965, 0.118),
    Usual("across", (0.25, 0.75), -0.001, 0.100),
    Usual("outside", (0.25, 0.75), 0.061, 0.071),
    Usual("ahead", (0.05, 0.25), 0.213, 0.188),
    Usual("ahead", (0.75, 0.95), -0.281, 0.174),
)

ACROSS = next(usual for usual in USUAL if usual.way == "across")

DIRECTIONS: dict[str, tuple[str, ...]] = {
    "": ("along", "across", "ahead", "outside"),
    " along the walk": ("along", "ahead"),
    " across the walk": ("across", "outside"),
}
"""Words -> the measures that show the gain of both moments, or of the one that moves the force
along or across the walk."""


def moment_gain_rules(
    result: Processed, paths: Sequence[tuple[LoadedStep, CopPath]], rules: Rules
) -> list[Finding]:
    """Return a finding for each plate whose forces deviate as with a wrong gain of its moments.

    Parameters
    ----------
    result : Processed
    paths : sequence of LoadedStep and CopPath
        Entire steps on one plate by rolling feet are used.
    rules : Rules
    """
    rule, findings = rules["plate-gain"], []
    if result.belts:
        return []
    rolled = rolling_steps(result, paths)
    for plate in result.trial.plates:
        steps = [step for step in rolled if step[0].numbers == (plate.number,)]
        if not steps:
            continue
        strays = np.stack([strays_of(result, *step) for step in steps])
        slopes = [
            (*weighed_slope(strays[:, [u.way in ways for u in USUAL]].reshape(-1, 2)), words)
            for words, ways in DIRECTIONS.items()
        ]
        beyond = [x for x in slopes if abs(x[0]) >= (rule.least or 0.0) and rule.beyond(x[1])]
        if not beyond:
            continue
        slope, clear, direction = max(beyond, key=lambda x: abs(x[1]))
        scope = f"plate {plate.number}"
        moments = "the moments" if not direction else "one moment"
        message = (
            f"{scope}: its force strays{direction} from its usual place under the sole and the hips"
            f" by {slope:+.2f} of its distance from the plate's centre: the gain of {moments} is"
            f" about {1 / (1 - slope):.2f} of the true one"
        )
        findings.append(rule.found(scope, message, clear, **steps[0][0].when(result)))
    return findings


def shift_rules(
    result: Processed, paths: Sequence[tuple[LoadedStep, CopPath]], rules: Rules
) -> list[Finding]:
    """Return a finding if the forces under both feet act too far to the same side, or too far on.

    Plates that are shifted across the walk move the forces inward under one foot and outward under
    the other, which no gait does. One foot alone may bear its load on one edge, so each foot has to
    show half the limit.

    Parameters
    ----------
    result : Processed
    paths : sequence of LoadedStep and CopPath
        Of both feet; entire steps are used, along the walk those of rolling feet on one plate.
    rules : Rules
    """
    entire = [(step, path) for step, path in paths if step.entire]
    rightward = [(s.side, known_median(p.across[s.part(ACROSS.part)])) for s, p in entire]
    forward = [
        (step.side, forward_stray(result, step, path, centre))
        for step, path, centre in rolling_steps(result, paths)
    ]
    rule = rules["cop-shifted"]
    ways = (
        (rightward, rule.bound, ("right of", "left of"), "the middle of the soles"),
        (forward, rule.least or np.inf, ("ahead of", "behind"), "their usual course"),
    )
    return [
        rule.found(
            "plates",
            f"plates: the forces under both feet act on average {1000 * abs(off):.0f} mm"
            f" {words[0] if off > 0 else words[1]} {place} (limit {1000 * limit:.0f} mm): corners"
            " or origin of a plate, or of all, are shifted relative to the markers",
            abs(off),
            limit=limit,
        )
        for values, limit, words, place in ways
        if abs(off := mean_of_feet(values, limit / 2.0)) > limit
    ]


def mean_of_feet(values: Sequence[tuple[str, float]], least: float) -> float:
    """Return the mean of the means of both feet; NaN unless both are beyond ``least`` alike.

    Examples
    --------
    >>> mean_of_feet([("left", 1.0), ("left", 3.0), ("right", 4.0)], 1.5)
    3.0
    >>> mean_of_feet([("left", 1.0), ("right", 5.0)], 1.5), mean_of_feet([("left", 2.0)], 1.5)
    (nan, nan)
    """
    feet = [[value for foot, value in values if foot == side] for side in SIDES]
    means = np.array([np.mean(own) for own in feet]) if all(feet) else np.zeros(len(SIDES))
    alike = (means > least).all() or (means < -least).all()
    return float(means.mean()) if alike else float("nan")


def forward_stray(result: Processed, step: LoadedStep, path: CopPath, centre: Array) -> float:
    """Return how far ahead of its usual course the force of a step acts, m.

    Each measure of :data:`USUAL` along the foot or the walk counts by how little people vary in it.
    """
    size = known_median(path.length)
    ways = np.array([u.way in ("along", "ahead") for u in USUAL])
    usual = np.array([u.mean for u in USUAL])
    weights = np.array([u.spread for u in USUAL])[ways] ** -2.0
    strays = (shares_of(result, step, path, centre)[:, 1] - usual * size)[ways]
    return float(weights @ strays / weights.sum())


def weighed_slope(strays: Array) -> tuple[float, float]:
    """Return the deviation as a share of the distance from the plate's centre, and its clearness.

    Parameters
    ----------
    strays : array, shape (n, 2)
        Distance from the plate's centre, and deviation, both as multiples of the usual spread.

    Returns
    -------
    slope, clear : float
        A gain g of the moments gives the slope 1 - 1 / g; its own spread is slope / clear.

    Examples
    --------
    >>> slope, clear = weighed_slope(np.array(((1.0, -0.5), (2.0, -1.0))))
    >>> round(slope, 3), round(clear, 3)
    (-0.5, -1.118)
    """
    distance, stray = strays[np.isfinite(strays).all(axis=1)].T
    size = float(np.sqrt(distance @ distance))
    return (float(distance @ stray) / size**2, float(distance @ stray) / size) if size else (0, 0)


def strays_of(result: Processed, step: LoadedStep, path: CopPath, centre: Array) -> Array:
    """Return distance from the plate's centre and deviation of a step, shape (7, 2).

    Both are multiples of the usual spread of :data:`USUAL`.

    Parameters
    ----------
    result : Processed
    step : LoadedStep
    path : CopPath
    centre : array, shape (3,)
    """
    shares = shares_of(result, step, path, centre) / known_median(path.length)
    usual, spread = (
        np.array(row) for row in zip(*((u.mean, u.spread) for u in USUAL), strict=True)
    )
    return np.column_stack((shares[:, 0] / spread, (shares[:, 1] - usual) / spread))


def shares_of(result: Processed, step: LoadedStep, path: CopPath, centre: Array) -> Array:
    """Return distance from the plate's centre and place of the force of a step, shape (7, 2), m."""
    outward = 1.0 if step.side == "right" else -1.0
    axis, ahead = np.zeros((len(path.axis), 3)), step.ahead(result)
    axis[:, [0, 2]] = path.axis
    outside = outward * to_right(ahead)
    arm, away = step.cop_G - middle_of_hips(result, step), step.cop_G - centre
    with np.errstate(invalid="ignore", divide="ignore"):
        past = arm - step.force_G * (arm[:, 1] / step.force_G[:, 1])[:, None]
    ways = {
        "along": ((away * axis).sum(axis=1), path.along),
        "across": (outward * (away * to_right(axis)).sum(axis=1), outward * path.across),
        "ahead": (away @ ahead, past @ ahead),
        "outside": (away @ outside, past @ outside),
    }
    return np.array(
        [[known_median(values[step.part(u.part)]) for values in ways[u.way]] for u in USUAL]
    )
