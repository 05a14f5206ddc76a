"""Where the path of a marker leaps, and which of its pieces belong to the marker.

A marker on a limb moves smoothly. Its second difference over one frame is its acceleration times
the square of the frame's length: untouched trials of 17 laboratories measure 4 to 14 mm at 100 Hz,
6 to 30 mm at 50 to 60 Hz, foot strike included. A step beyond :func:`largest_bend` parts the path
into pieces; the longest piece stays, and a piece that it cannot have reached goes.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import percentile, runs

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.types.arrays import Array, Mask, Places

BEND_M, BEND_M_S2 = 0.025, 100.0
"""Largest second difference: noise and quantisation, and the acceleration of a foot at strike."""

SWAY_M_S2, FASTEST_M_S = 60.0, 5.0
"""How a limb speeds up while its marker is away, and its speed."""

SMALL_M, LASTING_S, MARGIN_S = 0.06, 0.08, 0.03
"""A piece that lasts and is off by less than 60 mm may be the marker itself, seen by other cameras:
only the frames beside the step are left out."""

SPIKE_S, BACK, FRAME_M = 0.07, 0.25, 0.005
"""A spike that rises over several frames ends in a step back: where the path goes on once at most
so many seconds beside the step are left out, at a quarter of the step or nearer, they are the
spike; one frame more must bring it 5 mm nearer."""

SHOULDER_S, OFF_M, OWN_BENDS, USUAL = 0.05, 0.01, 3.0, 90.0
"""Within so many seconds of what is left out, a sample beside which the path bends by 10 mm, and
three times as far as in nine tenths of the marker's frames, is a shoulder of the spike."""


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
    found = np.zeros((n, m), bool)
    if n < 4:  # noqa: PLR2004  a step needs its neighbours
        return found
    went = np.diff(points, axis=0)
    bend = lengths(np.diff(went, axis=0))
    limit = largest_bend(rate_hz)
    with np.errstate(invalid="ignore"):
        sharp = bend > limit
        size = lengths(went)
        # of the two differences in a bend the longer one is the leap
        first = sharp & ~(size[1:] > size[:-1])
        second = sharp & (size[1:] > size[:-1])
    found[:-2] |= first
    found[1:-1] |= second
    return found


def largest_bend(rate_hz: float) -> float:
    """Return the largest second difference of a marker on a limb, m."""
    return BEND_M + BEND_M_S2 / rate_hz**2


def off_path(points: Array, steps: Mask, rate_hz: float) -> Mask:
    """Return which frames of one marker its longest piece cannot have reached, shape (n,).

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
        for a, b in cut(start, stop, np.flatnonzero(steps[start : stop - 1]) + start + 1)
    ]
    lost = np.zeros(len(points), bool)
    best = max(range(len(pieces)), key=lambda i: pieces[i][1] - pieces[i][0])
    for way in (range(best + 1, len(pieces)), range(best - 1, -1, -1)):
        kept, on = pieces[best], way.step > 0
        for i in way:
            piece = pieces[i]
            away, limit = _away(points, kept, piece, rate_hz, forward=on)
            if away <= limit:
                kept = piece
            elif (spike := _spike(points, kept, piece, rate_hz, away, forward=on)) is not None:
                lost[slice(*spike)] = True
                kept = piece
            elif away < SMALL_M and piece[1] - piece[0] > LASTING_S * rate_hz:
                edge, reach = (piece[0] if on else piece[1]), round(MARGIN_S * rate_hz)
                lost[max(0, edge - reach) : edge + reach] = seen[
                    max(0, edge - reach) : edge + reach
                ]
                kept = piece
            else:
                lost[slice(*piece)] = True
    return lost


def cut(start: int, stop: int, at: Iterable[int]) -> list[tuple[int, int]]:
    """Return the pieces of half-open rows that are cut before some of them."""
    edges = [start, *map(int, at), stop]
    return [(a, b) for a, b in pairwise(edges) if b > a]


def _away(
    points: Array, kept: tuple[int, int], piece: tuple[int, int], rate_hz: float, *, forward: bool
) -> tuple[float, float]:
    """Return how far one piece begins from where another leads, and how far a limb gets, m."""
    last, first = (kept[1] - 1, piece[0]) if forward else (kept[0], piece[1] - 1)
    inner = max(kept[0], last - 2) if forward else min(kept[1] - 1, last + 2)
    lasted = abs(first - last) / rate_hz
    if inner == last:  # one frame tells no speed
        return float(np.linalg.norm(points[first] - points[last])), FASTEST_M_S * lasted
    speed = (points[last] - points[inner]) / (last - inner)
    away = np.linalg.norm(points[first] - points[last] - speed * (first - last))
    limit = largest_bend(rate_hz) + 0.5 * SWAY_M_S2 * lasted**2
    return float(away), min(limit, 0.5 + FASTEST_M_S * lasted)


def _spike(
    points: Array,
    kept: tuple[int, int],
    piece: tuple[int, int],
    rate_hz: float,
    step: float,
    *,
    forward: bool,
) -> tuple[int, int] | None:
    """Return the frames beside a step without which the path goes on, half-open, or None.

    They end at most ``SPIKE_S`` on either side of the step; both pieces keep two frames.
    """
    before, after = (kept, piece) if forward else (piece, kept)
    most = round(SPIKE_S * rate_hz)
    found: list[tuple[float, int, int]] = []
    for d in range(min(most, before[1] - before[0] - 2) + 1):
        for e in range(min(most - d, after[1] - after[0] - 2) + 1):
            short = (before[0], before[1] - d), (after[0] + e, after[1])
            own, other = short if forward else short[::-1]
            away, _ = _away(points, own, other, rate_hz, forward=forward)
            if away < BACK * step:
                found.append((away + (d + e) * FRAME_M, d, e))
    if not found:
        return None
    _, d, e = min(found)
    return before[1] - d, after[0] + e


def shoulders(points: Array, lost: Mask, rate_hz: float) -> Mask:
    """Return the frames of one marker beside left-out ones that lie off the course further out.

    One or two frames between left-out ones and a gap show no course, and go.

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
    limit = max(OFF_M, OWN_BENDS * percentile(bends[~np.isnan(bends)], USUAL))
    for start, stop in runs(lost):
        for edge, way in ((start - 1, -1), (stop, 1)):
            rows = _beside(path, edge, way, most + 2)
            sharp = np.flatnonzero(bends[rows[1:-1]] > limit)
            last = sharp[-1] + 1 if sharp.size else 0
            off[rows if len(rows) < 3 else rows[:last]] = True  # noqa: PLR2004  a bend takes three
    return off


def _beside(path: Array, edge: int, way: int, most: int) -> Places:
    """Return the known rows from an edge on, outwards, at most so many."""
    rows = edge + way * np.arange(most)
    rows = rows[(rows >= 0) & (rows < len(path))]
    unknown = np.isnan(path[rows, 0])
    return rows[: int(unknown.argmax())] if unknown.any() else rows
