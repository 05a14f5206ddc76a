"""Why the change of a GPS is not judged, although it is known in both sessions."""

from __future__ import annotations

import numpy as np

from gaitdyn.judge.changes.pair import Pair, doubts_of_pair
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.repeats.scores import OVERALL
from gaitdyn.judge.session import FEWEST_STRIDES, SessionWalk
from gaitdyn.metrics.scores import LEGS, VARIABLES
from gaitdyn.types.subject import SIDES

_STRIDE = "whole stride with a GPS"


def gps_refusals(pair: Pair) -> dict[str, str]:
    """Return why the change of the GPS of a side, or of both (``overall``), is not judged.

    What refuses a verdict on an angle does, but for a speed that differs: the reference of a GPS is
    free speed, so that a change of the speed is a part of it. If no marker was touched, only its
    size is told, which one stride has, too.

    Parameters
    ----------
    pair : Pair

    Returns
    -------
    dict
        Empty if all are judged.
    """
    rule = next(rule for rule in curve_rules() if rule.name == LEGS[0])
    reasons: dict[str, str] = {}
    for side in SIDES:
        counts = _strides(pair.before, side), _strides(pair.after, side)
        counts = (FEWEST_STRIDES, FEWEST_STRIDES) if pair.markers_on else counts
        doubts = doubts_of_pair(pair, side, rule, counts, _STRIDE)
        refusing = [doubt.reason.partition("; ")[0] for doubt in doubts if doubt.refuses]
        if refusing:
            reasons[side] = refusing[0]
    return reasons and reasons | {OVERALL: next(iter(reasons.values()))}


def _strides(walk: SessionWalk, side: str) -> int:
    """Return the number of strides of a side with all variables of a GPS."""
    return sum(
        curves.cycle.side == side
        and {*VARIABLES} <= {*curves.names}
        and all(np.isfinite(curves.curve(name)).all() for name in VARIABLES)
        for curves in walk.angle_cycles()
    )
