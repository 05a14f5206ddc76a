"""Jumps in the path of a marker, and which of its pieces belong to the marker.

A marker on a limb moves smoothly. Its second difference is its acceleration times the square of the
frame interval: in unedited trials of 17 laboratories it is 4 to 14 mm at 100 Hz and 6 to 30 mm at
50 to 60 Hz, foot strike included. A step beyond :func:`largest_bend` splits the path into pieces.
The longest piece is kept, and a piece that the marker cannot have reached from it is left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from gaitdyn.core.percentiles import percentile
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array, Mask, Places

BEND_M, BEND_M_S2 = 0.025, 100.0
"""Largest second difference: noise and quantisation, and the acceleration at foot strike."""

SWAY_M_S2, FASTEST_M_S = 60.0, 5.0
"""Largest acceleration and speed of a limb while its marker is not visible."""

SMALL_M, LASTING_S, MARGIN_S = 0.06, 0.08, 0.03
"""A lasting piece that is off by less than 60 mm may be the marker itself, measured by other
cameras: only the frames next to the step are left out."""

SPIKE_S, BACK, FRAME_M = 0.07, 0.25, 0.005
"""A spike that rises over several frames ends in a step back. If the path continues within a
quarter of the step once at most 0.07 s next to the step are left out, those frames are the spike;
each further frame must bring it 5 mm nearer."""

SHOULDER_S, OFF_M, BEND_RATIO, USUAL = 0.05, 0.01, 3.0, 90.0
"""A sample within 0.05 s of left-out frames is a shoulder of the spike if the path next to it bends
by 10 mm, and by three times the 90th percentile of the marker."""


def leaps(points: Array, rate_hz: float) -> Mask:
    """Return where markers jump between a frame and the next, shape (n, m).

    Parameters
    ----------
    points : array, shape (n, m, 3)
        m; NaN in gaps.
    rate_hz : float

    Examples
    --------
    >>> path = np.zeros((9, 1, 3))
    >>> path[5:] += 0.3
    >>> np.flatnonzero(leaps(path, 100.0))
    array([4])
    """
    n, m, _ = points.shape
    jumps = np.zeros((n, m), bool)
    if n < 4:  # noqa: PLR2004  a step needs its neighbours
        return jumps
    steps = np.diff(points, axis=0)
    bend = lengths(np.diff(steps, axis=0))
    with np.errstate(invalid="ignore"):
        sharp = bend > largest_bend(rate_hz)
        size = lengths(steps)
        # the longer of the two steps that meet in a bend is the jump
        later = size[1:] > size[:-1]
    jumps[:-2] |= sharp & ~later
    jumps[1:-1] |= sharp & later
    return jumps


def largest_bend(rate_hz: float) -> float:
    """Return the largest second difference of a marker on a limb, m."""
    return BEND_M + BEND_M_S2 / rate_hz**2


def off_path(points: Array, steps: Mask, rate_hz: float) -> Mask:
    """Return which frames of one marker cannot be reached from its longest piece, shape (n,).

    Of a marker that is never seen, as all its path was left out before, there is none.

    Parameters
    ----------
    points : array, shape (n, 3)
    steps : array of bool, shape (n,)
        Of :func:`leaps`.
    rate_hz : float
    """
    seen = ~np.isnan(points[:, 0])
    pieces = [
        (a, b)
        for start, stop in runs(seen)
        for a, b in split_rows(start, stop, np.flatnonzero(steps[start : stop - 1]) + start + 1)
    ]
    lost = np.zeros(len(points), bool)
    if not pieces:
        return lost
    longest = max(range(len(pieces)), key=lambda i: pieces[i][1] - pieces[i][0])
    for order in (range(longest + 1, len(pieces)), range(longest - 1, -1, -1)):
        last_kept, forward = pieces[longest], order.step > 0
        for i in order:
            piece = pieces[i]
            away, limit = _distance(points, last_kept, piece, rate_hz, forward=forward)
            if not away <= limit:
                spike = _spike(points, last_kept, piece, rate_hz, away, forward=forward)
                if spike is not None:
                    lost[slice(*spike)] = True
                elif away < SMALL_M and piece[1] - piece[0] > LASTING_S * rate_hz:
                    edge, reach = piece[0] if forward else piece[1], round(MARGIN_S * rate_hz)
                    rows = slice(max(0, edge - reach), edge + reach)
                    lost[rows] = seen[rows]
                else:
                    lost[slice(*piece)] = True
                    continue
            last_kept = piece
    return lost


def split_rows(start: int, stop: int, cuts: Iterable[int]) -> list[tuple[int, int]]:
    """Return the half-open pieces of rows that are cut before some of them."""
    edges = [start, *map(int, cuts), stop]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _distance(
    points: Array,
    from_piece: tuple[int, int],
    piece: tuple[int, int],
    rate_hz: float,
    *,
    forward: bool,
) -> tuple[float, float]:
    """Return how far a piece is from the extrapolated other one, and how far a limb can move, m."""
    start, stop = from_piece
    last, first = (stop - 1, piece[0]) if forward else (start, piece[1] - 1)
    inner = max(start, last - 2) if forward else min(stop - 1, last + 2)
    lasted = abs(first - last) / rate_hz
    if inner == last:  # a single frame has no speed
        return float(np.linalg.norm(points[first] - points[last])), FASTEST_M_S * lasted
    speed = (points[last] - points[inner]) / (last - inner)
    away = np.linalg.norm(points[first] - points[last] - speed * (first - last))
    limit = largest_bend(rate_hz) + 0.5 * SWAY_M_S2 * lasted**2
    return float(away), min(limit, 0.5 + FASTEST_M_S * lasted)


def _spike(
    points: Array,
    from_piece: tuple[int, int],
    piece: tuple[int, int],
    rate_hz: float,
    step: float,
    *,
    forward: bool,
) -> tuple[int, int] | None:
    """Return the frames next to a step without which the path continues, half-open, or None.

    They last at most ``SPIKE_S``; at least two frames of each piece remain.
    """
    before, after = (from_piece, piece) if forward else (piece, from_piece)
    most = round(SPIKE_S * rate_hz)
    spikes: list[tuple[float, int, int]] = []
    for d in range(min(most, before[1] - before[0] - 2) + 1):
        for e in range(min(most - d, after[1] - after[0] - 2) + 1):
            short = (before[0], before[1] - d), (after[0] + e, after[1])
            near, far = short if forward else short[::-1]
            away, _ = _distance(points, near, far, rate_hz, forward=forward)
            if away < BACK * step:
                spikes.append((away + (d + e) * FRAME_M, d, e))
    if not spikes:
        return None
    _, d, e = min(spikes)
    return before[1] - d, after[0] + e


def shoulders(points: Array, lost: Mask, rate_hz: float) -> Mask:
    """Return the frames of one marker next to left-out ones that are off the path further away.

    One or two frames between left-out ones and a gap do not show a path and are left out as well.

    Parameters
    ----------
    points : array, shape (n, 3)
        m; NaN in gaps.
    lost : array of bool, shape (n,)
        Of :func:`off_path`.
    rate_hz : float

    Returns
    -------
    array of bool, shape (n,)
    """
    off, most = np.zeros(len(points), bool), max(1, round(SHOULDER_S * rate_hz))
    path, bends = np.where(lost[:, None], np.nan, points), np.full(len(points), np.nan)
    bends[1:-1] = lengths(np.diff(path, n=2, axis=0))
    if np.isnan(bends).all():
        return off
    limit = max(OFF_M, BEND_RATIO * percentile(bends[~np.isnan(bends)], USUAL))
    for start, stop in runs(lost):
        for edge, step in ((start - 1, -1), (stop, 1)):
            rows = _known_rows(path, edge, step, most + 2)
            sharp = np.flatnonzero(bends[rows[1:-1]] > limit)
            last = sharp[-1] + 1 if sharp.size else 0
            off[rows if len(rows) < 3 else rows[:last]] = True  # noqa: PLR2004  a bend needs three
    return off


def _known_rows(path: Array, edge: int, step: int, most: int) -> Places:
    """Return up to ``most`` rows from an edge outwards, until the first that is not known."""
    rows = edge + step * np.arange(most)
    rows = rows[(rows >= 0) & (rows < len(path))]
    unknown = np.isnan(path[rows, 0])
    return rows[: int(unknown.argmax())] if unknown.any() else rows
