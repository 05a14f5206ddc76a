"""Samples that no marker on a walking person has: far away, jumping, frozen.

A marker on a limb moves smoothly. Its second difference over one frame is its acceleration times
the square of the frame's length: untouched trials of 17 laboratories measure 4 to 14 mm at 100 Hz,
6 to 30 mm at 50 to 60 Hz, foot strike included. A step beyond :func:`largest_bend` parts the path
into pieces; the longest piece stays, and a piece that it cannot have reached goes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from gaitdyn.clean.held import frozen, straight
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, percentile, runs
from gaitdyn.errors import FileRefused
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.recording import Recording

Rows = NDArray[np.intp]

REACH_M = 100.0
"""No laboratory reaches further from its origin."""

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

NOISY, FEWEST_STEPS = 0.1, 6
"""A marker that jumps in more than this part of its frames shows no path at all."""

TOGETHER, JOINED_M, JOINED_S = 0.8, 0.25, 0.25
"""When this part of the markers jumps so far at once, the recording does; where both sides of it
last this long, they are two recordings."""

RARE, STANDS_S = 0.1, 0.3
"""A marker seen in less than this part of a static that lasts this long is a ghost."""

Kind = Literal["far", "jumps", "noise", "frozen", "straight", "rare"]
_SAID: dict[Kind, tuple[str, str]] = {
    "far": ("marker-far", "lies further than 100 m from the origin"),
    "jumps": ("marker-jumps", "jumps faster than a limb can move"),
    "noise": ("marker-jumps", "jumps all the time and shows no path"),
    "frozen": ("marker-frozen", "stays in one place while the others walk on"),
    "straight": ("marker-frozen", "follows a straight line to the bit, as drawn across a gap,"),
    "rare": ("marker-rare", "is seen for a moment only"),
}


@dataclass(frozen=True, slots=True)
class Wild:
    """Frames of one marker that are left out.

    Attributes
    ----------
    label : str
    kind : {"far", "jumps", "noise", "frozen", "straight", "rare"}
    rows : tuple of (int, int)
        Half-open.
    """

    label: str
    kind: Kind
    rows: tuple[tuple[int, int], ...]


def without_wild(
    recording: Recording, names: Mapping[int, str], *, walking: bool
) -> tuple[Recording, list[Finding]]:
    """Return the recording with wild samples of the model's markers turned into gaps.

    Parameters
    ----------
    recording : Recording
    names : mapping
        Index of a marker -> name it is told under; the others are left as they are.
    walking : bool
        The person goes somewhere: a marker that stays is frozen, and one piece of a recording that
        jumps as a whole is left out.

    Raises
    ------
    FileRefused
        When two recordings were joined.
    """
    if not names:
        return recording, []
    at = sorted(names)
    own, known = recording.markers_L[:, at], known_points(recording.markers_L[:, at])
    far = known & _beyond(own)
    own[far | ~known] = np.nan
    labels = [names[i] for i in at]
    found = [
        Wild(x, "far", tuple(runs(far[:, j]))) for j, x in enumerate(labels) if far[:, j].any()
    ]
    steps = leaps(own, recording.rate_hz)
    findings: list[Finding] = []
    if walking:
        steps, findings = _joined(recording, own, steps)
        for j, held in frozen(own, recording.rate_hz).items():
            own[held, j] = np.nan
            steps[:, j] = False
            found.append(Wild(labels[j], "frozen", tuple(runs(held))))
        for j, drawn in straight(own, recording.rate_hz).items():
            own[drawn, j] = np.nan
            found.append(Wild(labels[j], "straight", tuple(runs(drawn))))
    else:
        found += [Wild(labels[j], "rare", tuple(runs(seen))) for j, seen in _rare(recording, own)]
    for j in np.flatnonzero(steps.any(axis=0)):
        seen = ~np.isnan(own[:, j, 0])
        noisy = steps[:, j].sum() > max(NOISY * seen.sum(), FEWEST_STEPS)
        lost = seen if noisy else off_path(own[:, j], steps[:, j], recording.rate_hz)
        if lost.any():
            if walking:  # who stands has the place of all frames, not of those beside a spike
                lost |= shoulders(own[:, j], lost, recording.rate_hz)
            own[lost, j] = np.nan
            found.append(Wild(labels[j], "noise" if noisy else "jumps", tuple(runs(lost))))
    if not found and not findings:
        return recording, []
    markers = recording.markers_L.copy()
    markers[:, at] = own
    found.sort(key=lambda wild: labels.index(wild.label))
    findings += [_finding(recording, wild) for wild in found]
    return replace(recording, markers_L=markers), findings


def _beyond(points: Array) -> Mask:
    """Return where any coordinate lies further from the origin than any laboratory reaches."""
    with np.errstate(invalid="ignore"):
        far = np.abs(points) > REACH_M
    return far[..., 0] | far[..., 1] | far[..., 2]


def largest_bend(rate_hz: float) -> float:
    """Return the largest second difference of a marker on a limb, m."""
    return BEND_M + BEND_M_S2 / rate_hz**2


def _rare(recording: Recording, own: Array) -> list[tuple[int, Mask]]:
    """Empty the markers of a static that are hardly seen; return which and where they were."""
    known = known_points(own)
    if len(own) < STANDS_S * recording.rate_hz:
        return []
    share = known.mean(axis=0)
    found = [(int(j), known[:, j]) for j in np.flatnonzero((share > 0) & (share < RARE))]
    for j, seen in found:
        own[seen, j] = np.nan
    return found


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
        for a, b in _cut(start, stop, np.flatnonzero(steps[start : stop - 1]) + start + 1)
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


def _cut(start: int, stop: int, at: Iterable[int]) -> list[tuple[int, int]]:
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


def _beside(path: Array, edge: int, way: int, most: int) -> Rows:
    """Return the known rows from an edge on, outwards, at most so many."""
    rows = edge + way * np.arange(most)
    rows = rows[(rows >= 0) & (rows < len(path))]
    unknown = np.isnan(path[rows, 0])
    return rows[: int(unknown.argmax())] if unknown.any() else rows


def _joined(recording: Recording, own: Array, steps: Mask) -> tuple[Mask, list[Finding]]:
    """Return the steps without those that all markers share, and what is told of those.

    Raises
    ------
    FileRefused
    """
    known = known_points(own)
    both = known[:-1] & known[1:]
    many = both.sum(axis=1)
    together = (steps[:-1] & both).sum(axis=1) >= np.maximum(TOGETHER * many, 4)
    if together.any():
        went = np.linalg.norm(np.diff(own, axis=0)[together], axis=2)
        together[together] = np.nanmedian(went, axis=1) > JOINED_M
    if not together.any() or together.sum() > FEWEST_STEPS:
        return steps, []
    cuts = np.flatnonzero(together) + 1
    pieces = _cut(0, len(own), cuts)
    pieces.sort(key=lambda piece: piece[0] - piece[1])
    first, rate = recording.first_frame, recording.rate_hz
    if pieces[1][1] - pieces[1][0] > JOINED_S * rate:
        frames = " and ".join(str(int(i) + first) for i in cuts)
        message = (
            f"{recording.name}: all markers jump at frame {frames}; wanted one recording; two were"
            " joined, or frames were cut out: export each part separately"
        )
        raise FileRefused(message)
    findings: list[Finding] = []
    for start, stop in pieces[1:]:
        own[start:stop] = np.nan
        message = (
            f"all markers jump at the {'start' if start == 0 else 'end'} of frames"
            f" {start + first}-{stop + first - 1}: these frames are left out"
        )
        at = _when(recording, start, stop)
        findings.append(
            Finding("warning", "recording-jumps", "markers", message, float(stop - start), **at)
        )
    steps = steps.copy()
    steps[cuts - 1] = False
    return steps, findings


def _when(recording: Recording, start: int, stop: int) -> dict[str, Any]:
    first, rate = recording.first_frame, recording.rate_hz
    return {"start_s": (start + first - 1) / rate, "stop_s": (stop + first - 2) / rate}


def _finding(recording: Recording, wild: Wild) -> Finding:
    """Return the finding about one marker; its time is from the first to the last frame."""
    code, said = _SAID[wild.kind]
    start, stop = wild.rows[0][0], wild.rows[-1][1]
    count = sum(b - a for a, b in wild.rows)
    first, n = recording.first_frame, recording.n_frames
    where = (
        f"in frames {start + first}-{stop + first - 1}"
        if count > 1
        else f"in frame {start + first}"
    )
    message = f"{wild.label} {said} {where} ({count} of {n} frames): they are left out as a gap"
    side = {"L": "left", "R": "right"}.get(wild.label[:1])
    if wild.label in ("LASI", "RASI", "LPSI", "RPSI", "SACR"):
        side = None  # the pelvis belongs to both
    at = _when(recording, start, stop)
    return Finding("warning", code, wild.label, message, float(count), side=side, **at)
