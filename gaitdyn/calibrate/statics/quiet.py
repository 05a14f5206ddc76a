"""The part of a static in which the person stands still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import known_medians, median
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.runs import box_diagonal, known_points, runs
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.marker_model import PELVIS_MARKERS
from gaitdyn.types.recording import Recording

_FEET = ("TOE", "HEE", "ANK", "MT1", "MT5", "MED", "AJC")
AROUND_PELVIS = (*PELVIS_MARKERS, "LGTR", "RGTR", "LHJC", "RHJC")
_KNEES = ("KNE", "KJC")
_ABOVE, _BELOW = ("GTR", "HJC", "ASI"), ("ANK", "AJC")

STILL_FEET_M, STILL_PELVIS_M = 0.03, 0.06
"""A static is used whole if feet and pelvis stay in boxes of these diagonals. They are 3 and 14 mm,
median of the markers, in 15 of 17 statics of the corpus; the other two contain steps."""

_WINDOW_S = 0.2
_FOOT_STEP_M, _PELVIS_STEP_M = 0.008, 0.015
"""Distance in the window: 40 and 75 mm/s; no walk of the corpus has a part as quiet as that."""
_EXTENDED_DEG = 10.0
SHORTEST_S, _SHORTEST_FRAMES = 0.15, 5
_SEEN_SHARE = 0.1


@frozen()
class QuietPart:
    """Rows of a recording, half-open, in which the person stands.

    ``whole`` is true if nothing had to be cut off.
    """

    start: int
    stop: int
    whole: bool


def quiet_part(recording: Recording) -> QuietPart | None:
    """Return the longest part in which feet and pelvis are still and the knees extended.

    A recording without movement is used whole. Knees count as extended within 10 degrees of the
    most extended quiet posture, so that a person who stands in crouch has a quiet part too.

    Parameters
    ----------
    recording : Recording
        Markers under our names.

    Returns
    -------
    QuietPart or None
        ``None`` if nobody stands still for 0.15 s, or no foot or no pelvis is visible.
    """
    n = recording.n_frames
    feet = [_visible(recording, [letter + x for x in _FEET]) for letter in "LR"]
    feet = [markers for markers in feet if markers]
    pelvis = _visible(recording, AROUND_PELVIS)
    if not feet or not pelvis:
        return None
    boxes = [_box(recording, markers) for markers in feet]
    if max(boxes) <= STILL_FEET_M and _box(recording, pelvis) <= STILL_PELVIS_M:
        return QuietPart(0, n, whole=True)
    half = max(1, round(0.5 * _WINDOW_S * recording.rate_hz))
    still = _step(recording, pelvis, half) <= _PELVIS_STEP_M
    for markers in feet:
        still &= _step(recording, markers, half) <= _FOOT_STEP_M
    still &= _extended(recording, still)
    shortest = max(_SHORTEST_FRAMES, round(SHORTEST_S * recording.rate_hz))
    parts = [(b - a, -a) for a, b in runs(still) if b - a >= shortest]
    if not parts:
        return None
    length, start = max(parts)
    return QuietPart(-start, length - start, whole=length == n)


def without_ghosts(recording: Recording) -> tuple[Recording, list[str]]:
    """Return a static without the markers visible in less than a tenth of its frames, and these.

    Each of these is listed as ``label (frames)``; a point that appears for a moment is a
    reflection.
    """
    seen = known_points(recording.markers_L).sum(axis=0)
    ghost = (seen > 0) & (seen < _SEEN_SHARE * recording.n_frames)
    if not ghost.any():
        return recording, []
    markers = recording.markers_L.copy()
    markers[:, ghost] = np.nan
    names = [f"{recording.labels[i]} ({seen[i]})" for i in np.flatnonzero(ghost)]
    return replace(recording, markers_L=markers), names


def _visible(recording: Recording, labels: Sequence[str]) -> list[int]:
    """Return the indices of the markers that are visible in at least a tenth of the frames."""
    share = known_points(recording.markers_L).mean(axis=0)
    return [i for i, x in enumerate(recording.labels) if x in labels and share[i] >= _SEEN_SHARE]


def _box(recording: Recording, markers: list[int]) -> float:
    """Return the diagonal of the box in which a marker moves, median of the markers, m."""
    return float(median([box_diagonal(recording.markers_L[:, i]) for i in markers]))


def _step(recording: Recording, markers: list[int], half: int) -> Array:
    """Return how far markers move from half a window before to half after each frame, median, m.

    NaN if no marker is visible at both times. Windows cut off at the ends are scaled to full
    length.
    """
    rows = np.arange(recording.n_frames)
    before, after = np.maximum(rows - half, 0), np.minimum(rows + half, len(rows) - 1)
    points = recording.markers_L[:, markers]
    distance = np.linalg.norm(points[after] - points[before], axis=2)
    distance = distance * (2 * half / np.maximum(after - before, 1))[:, None]
    known = np.isfinite(distance).any(axis=1)
    step = np.full(len(rows), np.nan)
    step[known] = known_medians(distance[known].T)
    return step


def _extended(recording: Recording, still: Mask) -> Mask:
    """Return the frames in which no knee is much more flexed than when most extended and quiet."""
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
