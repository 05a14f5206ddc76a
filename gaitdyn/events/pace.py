"""Strikes and offs from markers, moved to where plates see them, for the pace of the walk.

Each event is looked for near the one of :func:`gaitdyn.events.kinematic.foot_events`, by the marks
below. A mark has a steady distance to the event that depends on the pace: in slow walking the foot
leaves the ground more slowly. Distances are least absolute deviations on the file's and the plates'
events of 16 laboratories, each counted by the root of its events (``python benchmarks/events.py``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.events.alternation import CYCLE_S
from gaitdyn.events.kinematic import direction, foot_events

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.events.feet import Foot
    from gaitdyn.events.kinematic import Rows
    from gaitdyn.types.arrays import Array

USUAL_STRIDE_S, SLOWEST_S, FASTEST_S = 1.05, 1.4, 0.8
"""Distances change linearly with the time of a stride, within these limits."""

FIRST_MS = {"foot_strike": -45.0, "foot_off": 25.0}
"""How late the events that are refined are at the usual pace."""

SLOW_M_S = 0.5
"""A heel is put down when its forward speed falls below this."""

NEAR_S, LATEST_S = 0.12, 0.14


FIRST = "heel furthest before the pelvis"
"""The mark at which a strike is first found."""


class Mark(NamedTuple):
    """How late a mark of an event is: ``late_ms`` and by how much more a second of stride time."""

    late_ms: float
    by_stride: float

    def seconds(self, stride_s: float | None) -> float:
        """Return how late the mark is at a pace, s; at the usual one where none is known."""
        stride = USUAL_STRIDE_S if stride_s is None else stride_s
        slower = min(max(stride, FASTEST_S), SLOWEST_S) - USUAL_STRIDE_S
        return (self.late_ms + self.by_stride * slower) / 1000.0


MARKS = {
    "foot_strike": {
        FIRST: Mark(-42.0, 0.0),
        "toe falls fastest": Mark(5.0, 0.0),
        "heel below 0.5 m/s": Mark(-13.0, 0.0),
        "heel falls fastest": Mark(-28.0, 0.0),
    },
    "foot_off": {"toe accelerates upward most": Mark(-17.4, 70.0)},
}

EXPECTED_MS = {"foot_strike": (19.0, 14.0), "foot_off": (16.0, 16.0)}
"""Expected error, 1 SD, of an event at strides up to 1.15 s and above: laboratories left out."""

SLOW_STRIDE_S = 1.15


def stride_time(events: Sequence[Rows], rate_hz: float) -> float | None:
    """Return the median time between events of one kind of one foot, s, or None.

    Parameters
    ----------
    events : sequence of Rows
        Strikes and offs of each foot.
    rate_hz : float
    """
    apart = np.concatenate([np.diff(np.sort(rows)) for both in events for rows in both] or [[]])
    apart = apart[(apart >= CYCLE_S[0] * rate_hz) & (apart <= CYCLE_S[1] * rate_hz)]
    return float(np.median(apart)) / rate_hz if apart.size else None


def expected_ms(kind: str, stride_s: float | None) -> float:
    """Return the expected error of an event that no plate corrects at a pace, 1 SD, ms."""
    return EXPECTED_MS[kind][int(stride_s is not None and stride_s > SLOW_STRIDE_S)]


def paced_events(
    feet: Sequence[Foot], walker: tuple[Array, Array], rate_hz: float
) -> tuple[dict[str, Rows], float | None]:
    """Return strikes and offs of each foot where plates would see them, and the time of a stride.

    Of several marks the median is taken; an event without any keeps its first place.

    Parameters
    ----------
    feet : sequence of Foot
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
    found: dict[str, Rows] = {}
    for foot in feet:
        curves = mark_curves(foot, walker, rate_hz)
        strikes, offs = (
            _refined(rows, kind, curves, stride_s, rate_hz)
            for kind, rows in zip(FIRST_MS, first[foot.side], strict=True)
        )
        found[foot.side] = strikes, offs
    return found, stride_s


def mark_curves(foot: Foot, walker: tuple[Array, Array], rate_hz: float) -> dict[str, Array]:
    """Return for each mark the curve that peaks, or falls through zero, there.

    Parameters
    ----------
    foot : Foot
    walker : tuple
        As of :func:`paced_events`.
    rate_hz : float
    """
    ahead = direction(*walker, rate_hz)
    heel, toe = (np.gradient(m, axis=0) * rate_hz for m in (foot.heel_G, foot.toe_G))
    return {
        "toe falls fastest": -toe[:, 1],
        "heel below 0.5 m/s": np.einsum("ni,ni->n", heel, ahead) - SLOW_M_S,
        "heel falls fastest": -heel[:, 1],
        "toe accelerates upward most": np.gradient(toe[:, 1]) * rate_hz,
    }


def _refined(
    rows: Array, kind: str, curves: dict[str, Array], stride_s: float | None, rate_hz: float
) -> Array:
    """Return the events of one kind by their marks."""
    found: list[float] = []
    for row in rows:
        about = row - FIRST_MS[kind] / 1000.0 * rate_hz
        seen: list[float] = []
        for name, mark in MARKS[kind].items():
            at = mark_row(curves, name, about, rate_hz)
            late = mark.seconds(stride_s) * rate_hz
            if abs(at - about) <= LATEST_S * rate_hz:
                seen.append(at - late)
        found.append(float(np.median(seen)) if seen else about)
    return np.array(found)


def mark_row(curves: dict[str, Array], name: str, about: float, rate_hz: float) -> float:
    """Return the row of a mark near a row, with its fraction; NaN where there is none.

    Parameters
    ----------
    curves : dict
        Of :func:`mark_curves`.
    name : str
        Of :data:`MARKS`.
    about : float
        Where the event is at the usual pace.
    rate_hz : float
    """
    if name == FIRST:
        return about + FIRST_MS["foot_strike"] / 1000.0 * rate_hz
    find = _crossing if "below" in name else _peak
    return find(curves[name], about, rate_hz)


def _peak(y: Array, about: float, rate_hz: float) -> float:
    """Return the row of the highest peak near a row, by a parabola; NaN where there is none."""
    first = max(1, int(about - NEAR_S * rate_hz))
    rows = np.arange(first, min(len(y) - 1, int(about + NEAR_S * rate_hz) + 1))
    rows = rows[np.isfinite(y[rows - 1]) & np.isfinite(y[rows + 1])]
    rows = rows[(y[rows] >= y[rows - 1]) & (y[rows] > y[rows + 1])]
    if not rows.size:
        return np.nan
    top = int(rows[np.argmax(y[rows])])
    before, at, after = y[top - 1 : top + 2]
    return top + float(0.5 * (before - after) / (before - 2 * at + after))


def _crossing(y: Array, about: float, rate_hz: float) -> float:
    """Return the row nearest to a row at which a curve falls through zero; NaN without one."""
    first = max(1, int(about - LATEST_S * rate_hz))
    rows = np.arange(first, min(len(y), int(about + LATEST_S * rate_hz) + 2))
    rows = rows[(y[rows - 1] >= 0) & (y[rows] < 0)]
    if not rows.size:
        return np.nan
    at = rows - 1 + y[rows - 1] / (y[rows - 1] - y[rows])
    return float(at[np.argmin(np.abs(at - about))])
