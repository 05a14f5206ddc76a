"""A rule on the gain of moments: the centre of pressure under a rolling sole has a usual course.

A moment with a wrong gain moves the centre of pressure towards the plate's centre or away from it,
in proportion to its distance from there. Its position under the sole at each part of a stance is
similar in everybody. Its deviation from that course, against its distance from the plate's centre,
shows the gain.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.quality.rules.plates.cop_path import CopPath, rolling_steps
from gaitdyn.quality.rules.steps import LoadedStep
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

COURSE = (
    ((0.1, 0.2), 0.386),
    ((0.2, 0.4), 0.543),
    ((0.4, 0.6), 0.850),
    ((0.6, 0.8), 1.004),
    ((0.8, 0.9), 0.972),
)
"""Part of a stance -> centre of pressure from the heel towards the toe marker, as a share of their
horizontal distance (its median over the stance): means of 22 trials of 17 laboratories, SD 0.07 to
0.13."""

SCALE_SD, PART_SD = 0.1, 0.05
"""How far the whole course of a person is longer or shorter than usual, as where the foot markers
stand and how the foot is built differ; and what is left of a part of it, as shares of its length
(standard deviations)."""

SHORTEST_M = 0.02
"""Centres of pressure nearer to the plates' centres (root mean square) cannot show a gain."""


def course_rules(
    result: Processed, paths: Sequence[tuple[LoadedStep, CopPath]], rules: Rules
) -> list[Finding]:
    """Return a finding if the forces under both soles deviate as with a wrong gain of moments.

    Parameters
    ----------
    result : Processed
    paths : sequence of LoadedStep and CopPath
        Of both feet; entire steps on one plate by rolling feet are used.
    rules : Rules
    """
    rule = rules["cop-gain"]
    steps = rolling_steps(result, paths)
    if result.belts or {step.side for step, *_ in steps} != set(SIDES):
        return []
    slope = stray_slope(np.concatenate([_strays(*step) for step in steps]))
    if not rule.beyond(slope):
        return []
    scope = "plates " + ", ".join(str(n) for n in sorted({step.numbers[0] for step, *_ in steps}))
    message = (
        f"{scope}: the force under the soles strays from its usual course by {slope:+.2f} of its"
        " distance from the plate's centre: the gain of the moments is too"
        f" {'large' if slope > 0 else 'small'}"
    )
    return [rule.found(scope, message, slope)]


def stray_slope(strays: Array) -> float:
    """Return the deviation of a force as a share of its distance from the plate's centre.

    A course that is longer or shorter than usual as a whole deviates in every step, wherever on the
    plate. Of the slope without and with such a scale, the nearer to zero is returned, or zero if
    their signs differ.

    Parameters
    ----------
    strays : array, shape (n, 3)
        Distance from the plate's centre, deviation, and usual distance from the heel marker, all
        along the sole, m.

    Returns
    -------
    float
        NaN if all forces are too near to the centre. A gain g of the moments gives 1 - 1 / g.

    Examples
    --------
    >>> at = np.linspace(-0.2, 0.2, 5)  # true distances, and a gain of 0.5
    >>> usual = 0.1 * np.ones(5)
    >>> round(stray_slope(np.stack((0.5 * at, 0.5 * at - at, usual), axis=1)), 3)
    -1.0
    """
    strays = strays[np.isfinite(strays).all(axis=1)]
    distance, stray, usual = strays.T
    size = float(distance @ distance)
    if not size > len(strays) * SHORTEST_M**2:
        return float("nan")
    alone = float(distance @ stray) / size
    shared = float(distance @ usual)
    scale = float(usual @ usual) + (PART_SD / SCALE_SD * float(usual.max())) ** 2
    scaled = float(distance @ stray * scale - shared * (usual @ stray)) / (size * scale - shared**2)
    return min(alone, scaled, key=abs) if alone * scaled > 0.0 else 0.0


def _strays(step: LoadedStep, path: CopPath, centre: Array) -> Array:
    """Return distance from the plate's centre, deviation and usual course by part, shape (5, 3)."""
    away = ((step.cop_G - centre)[:, [0, 2]] * path.axis).sum(axis=1)
    size = known_median(path.length)
    parts = [(step.part(part), usual * size) for part, usual in COURSE]
    return np.array(
        [(known_median(away[p]), known_median(path.along[p]) - usual, usual) for p, usual in parts]
    )
