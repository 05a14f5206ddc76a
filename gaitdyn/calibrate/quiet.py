"""The part of a calibration in which the person stands still, and a recording cut to it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows, known_points, percentile, runs
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.recording import Recording

_FEET = ("TOE", "HEE", "ANK", "MT1", "MT5", "MED", "AJC")
_PELVIS = ("LASI", "RASI", "LPSI", "RPSI", "SACR", "LGTR", "RGTR", "LHJC", "RHJC")
_KNEES = ("KNE", "KJC")
_ABOVE, _BELOW = ("GTR", "HJC", "ASI"), ("ANK", "AJC")

STILL_FEET_M, STILL_PELVIS_M = 0.03, 0.06
"""Feet and pelvis of a whole static stay in boxes of these diagonals: 3 and 14 mm, median of the
markers, in 15 of 17 calibrations of the corpus; the other two have steps in them."""

_WINDOW_S = 0.2
_FOOT_STEP_M, _PELVIS_STEP_M = 0.008, 0.015
"""Way in the window: 40 and 75 mm/s; no walk of the corpus has a part as quiet as that."""
_EXTENDED_DEG = 10.0
SHORTEST_S, _SHORTEST_FRAMES = 0.15, 5
_SEEN_SHARE = 0.1


@frozen()
class QuietPart:
    """Rows of a recording, half-open, in which the person stands.

    ``whole`` says that nothing had to be cut away.
    """

    start: int
    stop: int
    whole: bool


def quiet_part(recording: Recording) -> QuietPart | None:
    """Return the longest part in which feet and pelvis are still and the knees extended.

    A recording in which nobody moves is taken whole. Knees count as extended within 10 degrees of
    the most extended quiet posture, so that a person who stands in crouch has a quiet part too.

    Parameters
    ----------
    recording : Recording
        Markers under our names.

    Returns
    -------
    QuietPart or None
        ``None`` where nobody ever stands still for 0.15 s, or no foot or pelvis is seen.
    """
    n = recording.n_frames
    feet = [_found(recording, [letter + x for x in _FEET]) for letter in "LR"]
    feet = [at for at in feet if at]
    pelvis = _found(recording, _PELVIS)
    if not feet or not pelvis:
        return None
    boxes = [_box(recording, at) for at in feet]
    if max(boxes) <= STILL_FEET_M and _box(recording, pelvis) <= STILL_PELVIS_M:
        return QuietPart(0, n, whole=True)
    half = max(1, round(0.5 * _WINDOW_S * recording.rate_hz))
    still = _step(recording, pelvis, half) <= _PELVIS_STEP_M
    for at in feet:
        still &= _step(recording, at, half) <= _FOOT_STEP_M
    still &= _extended(recording, still)
    shortest = max(_SHORTEST_FRAMES, round(SHORTEST_S * recording.rate_hz))
    parts = [(b - a, -a) for a, b in runs(still) if b - a >= shortest]
    if not parts:
        return None
    length, start = max(parts)
    return QuietPart(-start, length - start, whole=length == n)


def without_ghosts(recording: Recording) -> tuple[Recording, list[str]]:
    """Return a static without the markers seen in less than a tenth of its frames, and these.

    Each of these as ``label (frames seen)``; a point that shows for a moment is a reflection.
    """
    seen = known_points(recording.markers_L).sum(axis=0)
    ghost = (seen > 0) & (seen < _SEEN_SHARE * recording.n_frames)
    if not ghost.any():
        return recording, []
    markers = recording.markers_L.copy()
    markers[:, ghost] = np.nan
    names = [f"{recording.labels[i]} ({seen[i]})" for i in np.flatnonzero(ghost)]
    return replace(recording, markers_L=markers), names


def _found(recording: Recording, labels: Sequence[str]) -> list[int]:
    """Return the places of the markers that are seen in a tenth of the frames."""
    share = known_points(recording.markers_L).mean(axis=0)
    return [i for i, x in enumerate(recording.labels) if x in labels and share[i] >= _SEEN_SHARE]


def _box(recording: Recording, at: list[int]) -> float:
    """Return the diagonal of the box that markers move in, their median, m."""
    sizes = []
    for i in at:
        points = recording.markers_L[:, i]
        sizes.append(float(np.linalg.norm(np.ptp(points[complete_rows(points)], axis=0))))
    return float(median(sizes))


def _step(recording: Recording, at: list[int], half: int) -> Array:
    """Return how far markers go between half a window before and after each frame, median, m.

    NaN where none is seen at both times; at the ends the window is cut.
    """
    rows = np.arange(recording.n_frames)
    before, after = np.maximum(rows - half, 0), np.minimum(rows + half, len(rows) - 1)
    points = recording.markers_L[:, at]
    way = np.linalg.norm(points[after] - points[before], axis=2)
    way = way * (2 * half / np.maximum(after - before, 1))[:, None]
    known = np.isfinite(way).any(axis=1)
    found = np.full(len(rows), np.nan)
    found[known] = np.nanmedian(way[known], axis=1)
    return found


def _extended(recording: Recording, still: Mask) -> Mask:
    """Return the frames in which no knee is bent much more than in the straightest quiet one."""
    mask = np.ones(recording.n_frames, dtype=bool)
    for letter in "LR":
        above, knee, below = (
            next((letter + x for x in names if recording.has(letter + x)), None)
            for names in (_ABOVE, _KNEES, _BELOW)
        )
        if above is None or knee is None or below is None:
            continue
        centre = recording.marker(knee)
        up, down = recording.marker(above) - centre, recording.marker(below) - centre
        size = np.linalg.norm(up, axis=1) * np.linalg.norm(down, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            angle = np.degrees(np.arccos(np.clip((up * down).sum(axis=1) / size, -1.0, 1.0)))
        known = np.isfinite(angle) & still
        if known.any():
            mask &= ~(angle < percentile(angle[known], 95) - _EXTENDED_DEG)
    return mask
