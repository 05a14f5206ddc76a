"""Numbers of one stride: events, times, shares of the cycle and lengths."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from operator import attrgetter

import numpy as np

from gaitdyn.cycles.heading import SHORTEST_M
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Event
from gaitdyn.types.subject import SIGN


@frozen()
class StrideEvents:
    """The events of one cycle, s on one clock; NaN if an event is missing.

    Attributes
    ----------
    strike, next_strike : float
        Of this foot, the ends of the cycle.
    off : float
        Of this foot.
    opposite_off, opposite_strike : float
        Of the other foot; the off ends its stance before that strike.
    """

    strike: float
    opposite_off: float
    opposite_strike: float
    off: float
    next_strike: float

    @property
    def duration(self) -> float:
        """Stride time, s."""
        return self.next_strike - self.strike


def stride_events(events: Sequence[Event], side: str, strike: float, stop: float) -> StrideEvents:
    """Return the events of a cycle.

    If there are several strikes or offs instead of one, the event is not known. An off of the other
    foot counts only before its strike and before the off of this foot: in running there is none.

    Parameters
    ----------
    events : sequence of Event
        Of both sides, in order of time.
    side : {"left", "right"}
        Of the cycle.
    strike, stop : float
        Both ends, s.
    """
    first, after = (bisect_left(events, time, key=attrgetter("time_s")) for time in (strike, stop))
    inside = events[first:after]

    def single(kind: str, *, same_side: bool, end: float = stop) -> float:
        alike = (e.time_s for e in inside if e.kind == kind and (e.side == side) == same_side)
        times = [time for time in alike if time < end]
        return times[0] if len(times) == 1 else math.nan

    off = single("foot_off", same_side=True)
    opposite_strike = single("foot_strike", same_side=False)
    end = min(time for time in (opposite_strike, off, stop) if not math.isnan(time))
    opposite_off = single("foot_off", same_side=False, end=end)
    return StrideEvents(strike, opposite_off, opposite_strike, off, stop)


def temporal(stride: StrideEvents) -> dict[str, float]:
    """Return times (s), cadence (steps/min) and shares of the cycle (%) of a stride.

    Examples
    --------
    >>> found = temporal(StrideEvents(0.0, 0.125, 0.625, 0.75, 1.25))
    >>> [round(found[name], 6) for name in ("cadence", "stance", "double_support", "step_time")]
    [96.0, 60.0, 20.0, 0.625]
    """

    def percent(seconds: float) -> float:
        return 100.0 * seconds / stride.duration

    initial = stride.opposite_off - stride.strike
    single = stride.opposite_strike - stride.opposite_off
    terminal = stride.off - stride.opposite_strike
    if terminal < 0:
        initial = single = terminal = math.nan
    return {
        "cadence": 120.0 / stride.duration,
        "stride_time": stride.duration,
        "step_time": stride.next_strike - stride.opposite_strike,
        "foot_off": percent(stride.off - stride.strike),
        "opposite_foot_off": percent(stride.opposite_off - stride.strike),
        "opposite_foot_strike": percent(stride.opposite_strike - stride.strike),
        "stance": percent(stride.off - stride.strike),
        "swing": percent(stride.next_strike - stride.off),
        "stance_time": stride.off - stride.strike,
        "swing_time": stride.next_strike - stride.off,
        "initial_double_support": percent(initial),
        "single_support": percent(single),
        "terminal_double_support": percent(terminal),
        "double_support": percent(initial + terminal),
        "single_support_time": single,
        "double_support_time": initial + terminal,
    }


ASIDE = 0.5
"""Feet that point further than 60 deg away from the line of the stride have no step width."""


def spatial(
    side: str, first: Array, other: Array, last: Array, pelvis: Array, feet: Array | None = None
) -> dict[str, float]:
    """Return the lengths of a stride, m, all horizontal.

    Parameters
    ----------
    side : {"left", "right"}
    first : array, shape (3,)
        Heel of this side at the strike that begins the cycle, G, m.
    other : array, shape (3,)
        Heel of the other side at its strike in the cycle, G, m; NaN if not known.
    last : array, shape (3,)
        Heel of this side at the strike that ends the cycle, G, m.
    pelvis : array, shape (3,)
        Displacement of the pelvis over the stride, G, m.
    feet : array, shape (3,), optional
        Unit direction in which the feet point, G; by default that of the stride. In backward
        walking it is the opposite one, and left and right of the line of the stride change.

    Returns
    -------
    dict
        ``stride_length``, ``step_length``, ``step_width``; all NaN on a belt.

    Examples
    --------
    The right heel lands 0.7 m ahead and 0.1 m to the right of the left one:

    >>> right = np.array([0.0, 0.0, 0.1]), np.array([1.3, 0.0, 0.1])
    >>> left, forward = np.array([0.6, 0.0, 0.0]), np.array([1.3, 0.0, 0.0])
    >>> found = spatial("right", right[0], left, right[1], forward)
    >>> {name: round(value, 6) for name, value in found.items()}
    {'stride_length': 1.3, 'step_length': 0.7, 'step_width': 0.1}
    """
    flat = np.array([1.0, 0.0, 1.0])
    stride, pelvis = (last - first) * flat, pelvis * flat
    walked, length = float(np.linalg.norm(pelvis)), float(np.linalg.norm(stride))
    if walked < SHORTEST_M or length < SHORTEST_M:
        return dict.fromkeys(("stride_length", "step_length", "step_width"), math.nan)
    to_right = np.array([-stride[2], 0.0, stride[0]]) / length
    along = 1.0 if feet is None or not np.isfinite(feet).all() else float(feet @ stride) / length
    facing = np.sign(along) if abs(along) >= ASIDE else math.nan
    return {
        "stride_length": length,
        "step_length": float((last - other) @ pelvis) / walked,
        "step_width": SIGN[side] * float((other - first) @ to_right) * float(facing),
    }
