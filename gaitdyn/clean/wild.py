"""Samples that cannot be a marker on a walking person: far away, jumping, frozen.

:mod:`gaitdyn.clean.leaps` describes how a jump is found and which frames belong to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Literal

import numpy as np

from gaitdyn.clean.held import frozen_frames, straight_frames
from gaitdyn.clean.leaps import (
    SWAY_M_S2,
    largest_bend,
    leaps,
    off_path,
    shoulders,
    split_rows,
)
from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.runs import known_points, runs
from gaitdyn.errors import FileRefused
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.marker_model import PELVIS_MARKERS
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import SIDE_OF

REACH_M = 100.0
"""No laboratory extends further from its origin."""

NOISY, FEWEST_STEPS = 0.1, 6
"""A marker that jumps in more than this share of its frames shows no path at all."""

TOGETHER, JOINED_M, JOINED_S = 0.8, 0.25, 0.25
"""If this share of the markers jumps this far at once, the recording jumps; if both sides of the
jump last this long, they are two recordings."""

RARE, STANDS_S = 0.1, 0.3
"""A marker visible in less than this share of a static of at least this length is a ghost."""

Kind = Literal["far", "jumps", "noise", "frozen", "straight", "rare", "astray"]
_CODE_AND_TEXT: dict[Kind, tuple[str, str]] = {
    "far": ("marker-far", "lies further than 100 m from the origin"),
    "jumps": ("marker-jumps", "jumps faster than a limb can move"),
    "noise": ("marker-jumps", "jumps all the time and shows no path"),
    "frozen": ("marker-frozen", "stays in one place while the others walk on"),
    "straight": ("marker-frozen", "follows an exactly straight line, as drawn across a gap,"),
    "rare": ("marker-rare", "is seen only for a moment"),
    "astray": ("marker-astray", "leaves the other markers of its segment"),
}


@frozen()
class Wild:
    """Frames of one marker that are left out.

    Attributes
    ----------
    label : str
    kind : {"far", "jumps", "noise", "frozen", "straight", "rare", "astray"}
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
        Index of a marker -> name to report; other markers are left as they are.
    walking : bool
        The person walks: a marker that stays in place is frozen, and the shorter part of a
        recording that jumps as a whole is left out.

    Raises
    ------
    FileRefused
        If two recordings were joined.
    """
    if not names:
        return recording, []
    columns = sorted(names)
    points = recording.markers_L[:, columns]
    known = known_points(points)
    far = known & _beyond(points)
    points[far | ~known] = np.nan
    labels = [names[i] for i in columns]
    wild = [Wild(x, "far", tuple(runs(far[:, j]))) for j, x in enumerate(labels) if far[:, j].any()]
    steps = leaps(points, recording.rate_hz)
    findings: list[Finding] = []
    if walking:
        steps, findings = _without_common_jumps(recording, points, steps)
        for j, held in frozen_frames(points, recording.rate_hz).items():
            points[held, j] = np.nan
            steps[:, j] = False
            wild.append(Wild(labels[j], "frozen", tuple(runs(held))))
        for j, drawn in straight_frames(points, recording.rate_hz).items():
            points[drawn, j] = np.nan
            wild.append(Wild(labels[j], "straight", tuple(runs(drawn))))
    else:
        wild += [Wild(labels[j], "rare", tuple(runs(seen))) for j, seen in _rare(recording, points)]
    for j in np.flatnonzero(steps.any(axis=0)):
        seen = ~np.isnan(points[:, j, 0])
        noisy = steps[:, j].sum() > max(NOISY * seen.sum(), FEWEST_STEPS)
        lost = seen if noisy else off_path(points[:, j], steps[:, j], recording.rate_hz)
        if lost.any():
            if walking:  # a standing person's marker is averaged: a shoulder hardly matters
                lost |= shoulders(points[:, j], lost, recording.rate_hz)
            points[lost, j] = np.nan
            wild.append(Wild(labels[j], "noise" if noisy else "jumps", tuple(runs(lost))))
    if not wild and not findings:
        return recording, []
    markers = recording.markers_L.copy()
    markers[:, columns] = points
    wild.sort(key=lambda marker: labels.index(marker.label))
    findings += [left_out(recording, marker) for marker in wild]
    return replace(recording, markers_L=markers), findings


def _beyond(points: Array) -> Mask:
    """Return which points have a coordinate beyond the extent of any laboratory."""
    with np.errstate(invalid="ignore"):
        far = np.abs(points) > REACH_M
    return far[..., 0] | far[..., 1] | far[..., 2]


def _rare(recording: Recording, points: Array) -> list[tuple[int, Mask]]:
    """Empty the rarely visible markers of a static; return each with the frames that showed it."""
    known = known_points(points)
    if len(points) < STANDS_S * recording.rate_hz:
        return []
    share = known.mean(axis=0)
    rare = [(int(j), known[:, j]) for j in np.flatnonzero((share > 0) & (share < RARE))]
    for j, seen in rare:
        points[seen, j] = np.nan
    return rare


def _without_common_jumps(
    recording: Recording, points: Array, steps: Mask
) -> tuple[Mask, list[Finding]]:
    """Return the steps without those of all markers together, and the findings about these.

    The shorter pieces of the recording are emptied. A few frames aside are one of them: what
    follows them goes on where the recording was before.

    Raises
    ------
    FileRefused
        If two pieces are long enough to be recordings, and the later one does not go on.
    """
    known = known_points(points)
    both = known[:-1] & known[1:]
    many = both.sum(axis=1)
    together = (steps[:-1] & both).sum(axis=1) >= np.maximum(TOGETHER * many, 4)
    if together.any():
        jumps = np.linalg.norm(np.diff(points, axis=0)[together], axis=2)
        together[together] = known_medians(jumps.T) > JOINED_M
    if not together.any() or together.sum() > FEWEST_STEPS:
        return steps, []
    cuts = np.flatnonzero(together) + 1
    pieces = split_rows(0, len(points), cuts)
    lasting = JOINED_S * recording.rate_hz
    kept = [piece for piece in pieces if piece[1] - piece[0] > lasting]
    kept = kept or [max(pieces, key=lambda piece: piece[1] - piece[0])]
    rate = recording.rate_hz
    if not all(_goes_on(points, before[1], after[0], rate) for before, after in pairwise(kept)):
        frames = " and ".join(str(int(i) + recording.first_frame) for i in cuts)
        raise FileRefused(
            f"{recording.name}: all markers jump at frame {frames}; wanted one recording; two were"
            " joined, or frames were cut out: export each part separately"
        )
    findings: list[Finding] = []
    for start, stop in (piece for piece in pieces if piece not in kept):
        points[start:stop] = np.nan
        first, last = recording.frames_of(start, stop)
        ends = ["the start"] * (start > 0) + ["the end"] * (stop < len(points))
        message = (
            f"all markers jump at {' and '.join(ends)} of frames {first}-{last}:"
            " these frames are left out"
        )
        times = recording.times_of(start, stop)
        findings.append(
            Finding("warning", "recording-jumps", "markers", message, float(stop - start), **times)
        )
    steps = steps.copy()
    steps[cuts - 1] = False
    return steps, findings


def _goes_on(points: Array, stop: int, start: int, rate_hz: float) -> bool:
    """Return whether markers, from row ``start``, go on as they moved up to row ``stop``."""
    speed, count = points[stop - 1] - points[stop - 2], start - stop + 1
    away = known_median(np.linalg.norm(points[start] - points[stop - 1] - count * speed, axis=1))
    limit = largest_bend(rate_hz) + 0.5 * SWAY_M_S2 * (count / rate_hz) ** 2
    return away <= min(limit, JOINED_M)


def left_out(recording: Recording, wild: Wild) -> Finding:
    """Return the finding about one marker; its times are those of the first and last frame."""
    code, text = _CODE_AND_TEXT[wild.kind]
    start, stop = wild.rows[0][0], wild.rows[-1][1]
    count = sum(b - a for a, b in wild.rows)
    first, last = recording.frames_of(start, stop)
    where = f"in frames {first}-{last}" if count > 1 else f"in frame {first}"
    left, n = "they are left" if count > 1 else "it is left", recording.n_frames
    message = f"{wild.label} {text} {where} ({count} of {n} frames): {left} out as a gap"
    side = SIDE_OF.get(wild.label[:1])
    if wild.label in PELVIS_MARKERS:
        side = None  # the pelvis belongs to both
    times = recording.times_of(start, stop)
    return Finding("warning", code, wild.label, message, float(count), side=side, **times)
