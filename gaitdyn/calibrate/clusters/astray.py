"""Frames in which a marker has left the others of its segment: another marker, or a reflection.

Markers of a segment keep their distances within the motion of the skin. A marker that is off its
usual distance from more than half of the others of its segment in a few frames is not on the body
there. Jumps in its path show the same (:mod:`gaitdyn.clean.leaps`), but not at low rates, at which
a limb moves further from frame to frame, nor where a path drifts away and back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from gaitdyn.calibrate.ladder.model import segment_of
from gaitdyn.clean.wild import Wild, left_out
from gaitdyn.core.medians import known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import ever_known, mask_of, runs
from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording

LIMITS: tuple[tuple[float, float], ...] = ((0.04, 3.0), (0.02, 5.0))
USUAL = 90.0
"""A distance is off if it differs from its median by more than one of these, m, and by as many
times what nine tenths of the frames do. In 49 untouched recordings the few markers astray are
others there."""

BESIDE = 3.0
"""Beside such frames a third of this is off as well: the way there and back."""

FEW = 0.1
"""A marker that is astray in a larger share of its frames may be misnamed: the rules tell."""

_BELOW = {"thigh": "shank", "shank": "foot"}
_AT_THE_END = ("KNE", "KNM", "ANK", "MED")
"""Markers of a joint also move with the segment below it."""


def without_astray(recording: Recording) -> tuple[Recording, list[Finding]]:
    """Return a walk without the samples that are not on the segment of their marker.

    Parameters
    ----------
    recording : Recording
        Its labels are roles.
    """
    astray = astray_frames(recording.markers_L, recording.labels)
    if not astray:
        return recording, []
    markers = recording.markers_L.copy()
    for j, lost in astray.items():
        markers[lost, j] = np.nan
    wild = [Wild(recording.labels[j], "astray", tuple(runs(lost))) for j, lost in astray.items()]
    return replace(recording, markers_L=markers), [left_out(recording, each) for each in wild]


def astray_frames(points: Array, roles: Sequence[str]) -> dict[int, Mask]:
    """Return the frames in which markers are astray: index -> shape (n,).

    Parameters
    ----------
    points : array, shape (n, m, 3)
        m; NaN in gaps.
    roles : sequence of str
        Such as ``LKNE``, for each marker.
    """
    pairs = pairs_of_segments(points, roles)
    if not pairs:
        return {}
    first, second = np.transpose(pairs)
    off = _shares_of_limits(lengths(points[:, first] - points[:, second]))
    with np.errstate(invalid="ignore"):
        rows = np.flatnonzero((off > 1.0).any(axis=1))
    lost = np.zeros(points.shape[:2], bool)
    lost[rows] = astray(off[rows], np.array(pairs), points.shape[1])
    found: dict[int, Mask] = {}
    for j in map(int, np.argsort(-lost.sum(axis=0), kind="stable")[: lost.any(axis=0).sum()]):
        own = [(k, sum(pair) - j) for k, pair in enumerate(pairs) if j in pair]
        beside = np.stack([np.where(lost[:, i], np.nan, off[:, k]) for k, i in own], axis=1)
        lost[:, j] = _with_ways(lost[:, j], beside)
        if lost[:, j].sum() <= FEW * (~np.isnan(points[:, j, 0])).sum():
            found[j] = lost[:, j]
    return dict(sorted(found.items()))


def pairs_of_segments(points: Array, roles: Sequence[str]) -> list[tuple[int, int]]:
    """Return the pairs of visible markers that move with one segment.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        m; NaN in gaps.
    roles : sequence of str
    """
    moves_with: dict[str, list[int]] = {}
    for j in map(int, np.flatnonzero(ever_known(points))):
        name = segment_of(roles[j])
        side, _, segment = name.partition(" ")
        below = _BELOW.get(segment, "") if roles[j][1:] in _AT_THE_END else ""
        for each in {name, f"{side} {below}" if below else name} - {""}:
            moves_with.setdefault(each, []).append(j)
    return sorted({pair for group in moves_with.values() for pair in combinations(group, 2)})


def _shares_of_limits(apart: Array) -> Array:
    """Return how far distances are off their median, as a share of what they may, shape (n, k)."""
    away = np.abs(apart - known_medians(apart))
    last = np.maximum((~np.isnan(away)).sum(axis=0) - 1, 0)
    rank = last * (USUAL / 100.0)
    below, column = rank.astype(int), np.arange(away.shape[1])
    ordered = np.sort(away, axis=0)  # NaN comes last
    low, high = ordered[below, column], ordered[np.minimum(below + 1, last), column]
    usual = low + (high - low) * (rank - below)
    limits = [np.maximum(least, times * usual) for least, times in LIMITS]
    return away / np.minimum.reduce(limits)


def astray(off: Array, pairs: Places, m: int) -> Mask:
    """Return which markers are astray in each frame, shape (n, m).

    One after the other, the marker with the most distances that are off, if these are more than
    half of its own, and more than one, or one to a marker that agrees with another if this explains
    all distances that are off. A marker that agrees with such ones alone went with them: both were
    exchanged.

    Parameters
    ----------
    off : array, shape (n, k)
        How far the distance of each pair is off, as a share of its limit; NaN if unknown.
    pairs : array of int, shape (k, 2)
    m : int
        Number of markers.

    Examples
    --------
    >>> pairs = np.array([[0, 1], [1, 2], [1, 3], [2, 3]])
    >>> astray(np.array([[2.0, 2, 2, 0], [0, 2, 2, 0], [2, 0, 0, 0]]), pairs, 4).astype(int)
    array([[0, 1, 0, 0],
           [1, 1, 0, 0],
           [1, 0, 0, 0]])
    """
    ends = np.array([np.arange(m) == end for end in pairs.T.ravel()], dtype=np.int64)
    first, second = ends[: len(pairs)], ends[len(pairs) :]
    whose = first + second
    with np.errstate(invalid="ignore"):
        apart = off > 1.0
        near = off <= 1.0
    lost, sure = np.zeros((len(off), m), bool), np.zeros((len(off), m), bool)
    for _ in range(m):
        held = near @ whose > 0
        own, agreed = apart @ whose, near @ whose
        by_held = (apart & held[:, pairs[:, 1]]) @ first + (apart & held[:, pairs[:, 0]]) @ second
        may = (own > agreed) & ((own > 1) | (by_held > 0))
        if not may.any():
            break
        worst = np.where(may, own * (m + 1) - agreed, -1).argmax(axis=1)
        out = (np.arange(m) == worst[:, None]) & np.any(may, axis=1, keepdims=True)
        lost, sure = lost | out, sure | (out & (own > 1))
        gone = out @ whose.T > 0
        apart, near = apart & ~gone, near & ~gone
    lost = np.where(np.any(apart, axis=1, keepdims=True), sure, lost)
    with np.errstate(invalid="ignore"):
        near = off <= 1.0
    beside = lost @ whose.T > 0
    followed = ((near & beside) @ whose > 0) & ((near & ~beside) @ whose == 0)
    return lost | followed


def _with_ways(lost: Mask, off: Array) -> Mask:
    """Return the frames with those next to them in which a distance is a third as far off.

    Frames without a known distance belong to those around them.
    """
    known = np.flatnonzero(~np.isnan(off).all(axis=1))
    with np.errstate(invalid="ignore"):
        way = lost[known] | (off[known] > 1.0 / BESIDE).any(axis=1)
    spans = [(known[a], known[b - 1] + 1) for a, b in runs(way) if lost[known[a:b]].any()]
    return lost | mask_of(spans, len(lost))
