"""Strikes and offs from markers, shifted to those of the plates according to the pace.

Each event is searched near the one of :func:`gaitdyn.events.kinematic.foot_events`, by the marks
below. The delay of a mark after the event is constant for a given pace: in slow walking the foot
leaves the ground more slowly. Delays are least-absolute-deviation fits to the file's and the
plates' events of 16 laboratories, each weighted by the square root of its number of events
(``python benchmarks/events_by_laboratory.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.medians import known_median, median
from gaitdyn.events.alternation import CYCLE_S, LONGEST_S
from gaitdyn.events.kinematic import Rows, foot_events
from gaitdyn.events.leaving import left_as_toe_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.types.arrays import Array

USUAL_STRIDE_S, SLOWEST_S, FASTEST_S = 1.05, 1.4, 0.8
"""Delays change linearly with stride time, within these limits."""

FIRST_MS = {"foot_strike": -45.0, "foot_off": 25.0}
"""Delay of the unrefined events at the usual pace."""

NEAR_S, LATEST_S = 0.12, 0.14
"""Half the span in which a mark is searched, and its largest distance from the expected event."""


class Mark(NamedTuple):
    """Delay of a mark after its event at the usual pace, and its change per second of stride time.

    ``late_ms`` is in ms, ``by_stride`` in ms/s.
    """

    late_ms: float
    by_stride: float

    def seconds(self, stride_s: float | None) -> float:
        """Return the delay of the mark at a stride time, s; at the usual pace if it is None."""
        stride = USUAL_STRIDE_S if stride_s is None else stride_s
        slower = min(max(stride, FASTEST_S), SLOWEST_S) - USUAL_STRIDE_S
        return (self.late_ms + self.by_stride * slower) / 1000.0


MARKS = {
    "foot_strike": {
        "foot turns down fastest": Mark(16.4, 0.0),
        "foot's turning down is braked most": Mark(52.7, 0.0),
        "heel accelerates upward most": Mark(3.2, 0.0),
    },
    "foot_off": {
        "toe accelerates upward most": Mark(-16.9, 56.0),
        "toe rises fastest": Mark(26.0, 113.0),
        "foot turns down fastest": Mark(-32.4, 54.0),
    },
}

LEVEL_DEG, BEFORE_S, FLAT_S = 6.0, (0.08, 0.03), (0.10, 0.25)
"""A foot lands on its heel if it is turned up by more than 6 deg from 0.08 s before to 0.03 s after
the expected strike, relative to its median from 0.10 to 0.25 s after it; by 10 deg or more in all
strikes of the corpus. One that lands level or toes first, as in equinus, does not turn down."""

LEVEL_MARKS = {"toe accelerates upward most": MARKS["foot_strike"]["heel accelerates upward most"]}
"""Marks of such a strike: the end that lands is braked, as the heel is in other strikes."""

EXPECTED_MS = {"foot_strike": (17.0, 17.0), "foot_off": (15.0, 14.0)}
"""Expected error, 1 SD, of an event at strides up to 1.15 s and above, from leaving out one
laboratory in turn. Strikes of slow strides have that of the others: nine have an SD of 10 ms, and
in a slow walk on a treadmill, which is none of these laboratories, they are 24 and 32 ms late."""

SLOW_STRIDE_S = 1.15


def stride_time(events: Sequence[Rows], rate_hz: float) -> float | None:
    """Return the median time between successive events of one kind and foot, s, or None.

    Parameters
    ----------
    events : sequence of Rows
        Strikes and offs of each foot.
    rate_hz : float
    """
    apart = np.concatenate([np.diff(np.sort(rows)) for both in events for rows in both] or [[]])
    apart = apart[(apart >= CYCLE_S[0] * rate_hz) & (apart <= LONGEST_S * rate_hz)]
    return float(median(apart)) / rate_hz if apart.size else None


def expected_ms(kind: str, stride_s: float | None) -> float:
    """Return the expected error of an event not corrected by a plate, 1 SD, ms.

    Beyond the slowest strides of the laboratories it is taken to grow with the stride time.
    """
    stride = USUAL_STRIDE_S if stride_s is None else stride_s
    return EXPECTED_MS[kind][int(stride > SLOW_STRIDE_S)] * max(1.0, stride / SLOWEST_S)


def paced_events(
    feet: Sequence[TrialFoot], walker: tuple[Array, Array], rate_hz: float
) -> tuple[dict[str, Rows], float | None]:
    """Return strikes and offs of each foot as plates would show them, and the stride time.

    Each event is the median of its marks; an event without any is shifted by its typical delay.
    Foot-offs agree with the motion of the toe (:mod:`gaitdyn.events.leaving`).

    Parameters
    ----------
    feet : sequence of TrialFoot
    walker : tuple
        Pelvis centre, shape (n, 3), m, and the unit horizontal walking direction in G.
    rate_hz : float

    Returns
    -------
    dict
        Side -> Rows.
    stride_s : float or None
    """
    first = {foot.side: foot_events(foot.heel_G, foot.toe_G, *walker, rate_hz) for foot in feet}
    stride_s = stride_time(list(first.values()), rate_hz)
    paced: dict[str, Rows] = {}
    for foot in feet:
        curves, down = mark_curves(foot, rate_hz), turned_down(foot)
        strikes, offs = (
            _refined(rows, kind, (curves, down), stride_s, rate_hz)
            for kind, rows in zip(FIRST_MS, first[foot.side], strict=True)
        )
        paced[foot.side] = strikes, left_as_toe_moves(foot, (strikes, offs), rate_hz)
    return paced, stride_s


def turned_down(foot: TrialFoot) -> Array:
    """Return how far the line from heel to toe marker is turned down, rad, shape (n,)."""
    axis = foot.toe_G - foot.heel_G
    with np.errstate(divide="ignore", invalid="ignore"):  # heel and toe in one place: not known
        return -np.arcsin(axis[:, 1] / np.linalg.norm(axis, axis=1))


def lands_level(down: Array, about: float, rate_hz: float) -> bool:
    """Return whether a foot lands level or toes first; False where it is not seen.

    Parameters
    ----------
    down : array, shape (n,)
        Of :func:`turned_down`.
    about : float
        Row of the expected strike.
    rate_hz : float
    """
    spans = (-BEFORE_S[0], BEFORE_S[1]), FLAT_S
    landing, flat = (
        down[max(0, round(about + first * rate_hz)) : round(about + last * rate_hz) + 1]
        for first, last in spans
    )
    if not (landing.size and flat.size and np.isfinite(landing).all() and np.isfinite(flat).all()):
        return False
    return bool(np.degrees(median(flat) - landing.min()) <= LEVEL_DEG)


def mark_curves(foot: TrialFoot, rate_hz: float) -> dict[str, Array]:
    """Return for each mark the curve whose peak it is."""
    courses = np.stack((turned_down(foot), foot.heel_G[:, 1], foot.toe_G[:, 1]))
    speeds = np.gradient(courses, axis=1) * rate_hz
    speeding = np.gradient(speeds, axis=1)
    return {
        "foot turns down fastest": speeds[0],
        "foot's turning down is braked most": -speeding[0],
        "heel accelerates upward most": speeding[1],
        "toe accelerates upward most": speeding[2],
        "toe rises fastest": speeds[2],
    }


def _refined(
    rows: Array,
    kind: str,
    seen: tuple[dict[str, Array], Array],
    stride_s: float | None,
    rate_hz: float,
) -> Array:
    """Return the events of one kind refined by their marks; seen are their curves and the angle."""
    curves, down = seen
    refined: list[float] = []
    for row in rows:
        about = row - FIRST_MS[kind] / 1000.0 * rate_hz
        estimates: list[float] = []
        level = kind == "foot_strike" and lands_level(down, about, rate_hz)
        for name, mark in (LEVEL_MARKS if level else MARKS[kind]).items():
            peak = peak_row(curves[name], about, rate_hz)
            late = mark.seconds(stride_s) * rate_hz
            if abs(peak - about) <= LATEST_S * rate_hz:
                estimates.append(peak - late)
        refined.append(known_median(np.array(estimates)) if estimates else about)
    return np.array(refined)


def peak_row(y: Array, about: float, rate_hz: float) -> float:
    """Return the row of the highest peak near a row, from a parabola; NaN if there is none."""
    first = max(1, int(about - NEAR_S * rate_hz))
    rows = np.arange(first, min(len(y) - 1, int(about + NEAR_S * rate_hz) + 1))
    rows = rows[np.isfinite(y[rows - 1]) & np.isfinite(y[rows + 1])]
    rows = rows[(y[rows] >= y[rows - 1]) & (y[rows] > y[rows + 1])]
    if not rows.size:
        return np.nan
    top = int(rows[np.argmax(y[rows])])
    before, middle, after = y[top - 1 : top + 2]
    return top + float(0.5 * (before - after) / (before - 2 * middle + after))
