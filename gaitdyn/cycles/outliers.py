"""Strides that are left out because their duration is an outlier, or because the person stops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.events.alternation import STOPPED, both_stand_s
from gaitdyn.types.cycles import Cycle
from gaitdyn.types.recording import Event

MANY = 10
"""With more strides of a side than this, outliers can be recognised."""

FAR, TO_SD = 3.0, 1.4826
"""A stride further from the median than three median absolute deviations, scaled to the standard
deviation of a normal distribution, is an outlier (Leys et al. 2013, J Exp Soc Psychol
49:764-766)."""

FEWEST_ROWS = 2.0
"""Differences of up to two frames come from the events, not from the strides."""


def outlying(cycles: Sequence[Cycle], rate_hz: float) -> dict[int, str]:
    """Return the cycles of one side whose duration is an outlier, with the reason.

    Returns
    -------
    dict
        Number of the cycle -> reason; empty for ten strides or fewer.
    """
    if len(cycles) <= MANY:
        return {}
    lasted = np.array([cycle.stop_row - cycle.start_row for cycle in cycles])
    middle = float(median(lasted))
    scale = TO_SD * float(median(np.abs(lasted - middle)))
    limit = max(FAR * scale, FEWEST_ROWS)
    return {
        cycle.number: (
            f"stride time {rows / rate_hz:.2f} s, the others' median is {middle / rate_hz:.2f} s:"
            f" further than {FAR:g} scaled median absolute deviations of {scale / rate_hz:.3f} s"
        )
        for cycle, rows in zip(cycles, lasted, strict=True)
        if abs(rows - middle) > limit
    }


def stopping(
    cycles: Sequence[Cycle], events: Sequence[Event], time_of: Callable[[float], float]
) -> dict[int, str]:
    """Return the cycles of one side in which the person stops, with the reason.

    Parameters
    ----------
    cycles : sequence of Cycle
    events : sequence of Event
        Of both feet, in order of time.
    time_of : function
        From row to time, s.

    Returns
    -------
    dict
        Number of the cycle -> reason.
    """
    reasons: dict[int, str] = {}
    for cycle in cycles:
        start_s, stop_s = time_of(cycle.start_row), time_of(cycle.stop_row)
        stood = both_stand_s(events, cycle.side, start_s, stop_s)
        if stood > STOPPED * (stop_s - start_s):
            reasons[cycle.number] = (
                f"both feet stand for {stood:.1f} of its {stop_s - start_s:.1f} s: the person stops"
            )
    return reasons
