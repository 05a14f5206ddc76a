"""A rule on the height of foot markers: under a standing foot it is that of the static.

A marker of the foot that moves up or down keeps its distances along the foot. In early stance heel
and forefoot stand on the floor, or in toe walkers the forefoot alone. If the floor of the static is
another one, all markers of the feet change alike.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.static_lines import stance_of
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

STANDING, SHORTEST_S = (0.2, 0.5), 0.3
"""Part of a stance in which the foot is flat; shortest stance that is used."""

FOREFOOT, HEEL = ("TOE", "MT1", "MT5"), "HEE"


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
        for start, stop in runs(leg.stance):
            n = stop - start
            if start > 0 and stop < len(flat) and n >= SHORTEST_S * trial.rate_hz:
                flat[start + int(STANDING[0] * n) : start + int(STANDING[1] * n) + 1] = True
        for label in (LETTER[side] + role for role in (*FOREFOOT, HEEL)):
            if label in shared and flat.any():
                was = known_median(stance.static.marker(label) @ stance.up)
                raised[label] = known_median(trial.marker(label)[flat, 1]) - was
    return {label: rise for label, rise in raised.items() if np.isfinite(rise)}
