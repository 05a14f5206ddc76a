"""Rules on the height of foot markers: under a standing foot it is that of the static, everywhere.

A marker of the foot that moves up or down keeps its distances along the foot. In early stance heel
and forefoot stand on the floor, or in toe walkers the forefoot alone. If the floor of the static is
another one, all markers of the feet change alike. From step to step they change along the walk if
the vertical of the laboratory is not that of the floor.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rotations import unit
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.markers.static_lines import stance_of
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

STANDING, SHORTEST_S = (0.2, 0.5), 0.3
"""Part of a stance in which the foot is flat; shortest stance that is used."""

FOREFOOT, HEEL, ANKLE = ("TOE", "MT1", "MT5"), "HEE", "ANK"

SHORTEST_STEP_M, FEWEST = 0.4, 3
"""Least distance along the walk between two stances of a foot, m, and fewest differences in height
between them that show a slope."""


def height_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each foot marker that stands higher or lower than in the static."""
    rule, raised = rules["foot-height"], rises(result)
    if not raised or result.static is None:
        return []
    floor = min(raised.values(), key=abs)
    findings: list[Finding] = []
    for label, rise in raised.items():
        off = rise - floor
        if not rule.beyond(off) or (label.endswith(HEEL) and off > 0.0):  # a heel may be raised
            continue
        message = (
            f"{label} of the standing foot is {1000 * abs(off):.0f} mm"
            f" {'higher' if off > 0 else 'lower'} over the floor than in the static"
            f" {result.static.name} (limit {1000 * rule.bound:.0f} mm): it was moved,"
            " this part of the foot is off the floor, or the floor is not level"
        )
        side = next(side for side, letter in LETTER.items() if label.startswith(letter))
        findings.append(rule.found(label, message, off, side=side))
    return findings


def slope_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the floor under the feet rises or falls along the walk.

    Parameters
    ----------
    result : Processed
        Over ground; on a belt every stance is in one place.
    rules : Rules
    """
    rule, slope = rules["floor-slope"], np.nan if result.belts else floor_slope(result)
    if not rule.beyond(slope):
        return []
    message = (
        f"the floor {'rises' if slope > 0 else 'falls'} by {abs(slope):.1f} deg along the walk,"
        " judging by the markers of the standing feet: the axes of the laboratory are tilted, or"
        " this is a ramp"
    )
    return [rule.found("laboratory", message, slope)]


def floor_slope(result: Processed) -> float:
    """Return by how much the floor rises along the walk, deg; NaN if too few stances show it.

    The median over all foot markers of their rise from one stance of the foot to its next, in terms
    of the distance between both.
    """
    steps = [np.diff(path, axis=0) for side in result.sides for path in _places(result, side)]
    moved = np.concatenate(steps) if steps else np.zeros((0, 3))
    level = moved[:, [0, 2]]
    if len(moved) < FEWEST:
        return float("nan")
    longest = level[np.argmax((level**2).sum(axis=1))]
    ahead = level @ unit(longest * np.sign(longest @ level.sum(axis=0) or 1.0))
    far = np.abs(ahead) > SHORTEST_STEP_M
    if np.count_nonzero(far) < FEWEST:
        return float("nan")
    return float(np.degrees(np.arctan(known_median(moved[far, 1] / ahead[far]))))


def _places(result: Processed, side: str) -> Iterator[Array]:
    """Yield the places of each foot marker in the stances of a foot, shape (stances, 3), m."""
    parts = _flat_parts(result, side)
    for label in (LETTER[side] + role for role in (*FOREFOOT, HEEL, ANKLE)):
        if label in result.trial.labels and parts:
            marker = result.trial.marker(label)
            places = np.array([known_medians(marker[part]) for part in parts])
            yield places[np.isfinite(places).all(axis=1)]


def _flat_parts(result: Processed, side: str) -> list[slice]:
    """Return the frames in which the foot is flat, of each whole stance that is long enough."""
    stance, rate_hz = result.sides[side].stance, result.trial.rate_hz
    return [
        slice(start + int(STANDING[0] * n), start + int(STANDING[1] * n) + 1)
        for start, stop in runs(stance)
        if start > 0 and stop < len(stance) and (n := stop - start) >= SHORTEST_S * rate_hz
    ]


def rises(result: Processed) -> dict[str, float]:
    """Return by how much each foot marker is higher in early stance than in the static, m.

    Returns
    -------
    dict
        Label -> change in height; empty without a static that shows which way is up.
    """
    stance, trial = stance_of(result), result.trial
    if stance is None:
        return {}
    shared = set(trial.labels) & set(stance.static.labels)
    raised: dict[str, float] = {}
    for side, leg in result.sides.items():
        flat = np.zeros(len(leg.stance), dtype=bool)
        for part in _flat_parts(result, side):
            flat[part] = True
        for label in (LETTER[side] + role for role in (*FOREFOOT, HEEL)):
            if label in shared and flat.any():
                was = known_median(stance.static.marker(label) @ stance.up)
                raised[label] = known_median(trial.marker(label)[flat, 1]) - was
    return {label: rise for label, rise in raised.items() if np.isfinite(rise)}
