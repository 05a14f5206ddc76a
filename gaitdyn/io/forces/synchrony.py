"""Synchronise a recording and its force file when only the walk itself links their clocks."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.core.percentiles import percentile
from gaitdyn.core.places import HIGHEST_M, plate_edges
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.io.forces.reading import OVERLAP, Forces
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import PlateRecord, Recording
from gaitdyn.types.words import signed

DOWN_M = 0.03
"""A foot is down while its lowest landmark is within this height of its lowest positions."""

MARGIN_M = 0.05
"""A foot is over a plate if its middle is inside, or at most this far outside."""

LOADED_N = 40.0

SAME_S = 0.04
"""An offset below this is not applied: it is within the error of the method."""

LATE_S = 0.017
"""Delay of plate loading after the foot's height indicates it, measured on a common clock: 18 ms on
an exact model and 15 to 24 ms on the synthetic walker."""

_NEARLY, _SMALLEST = 0.01, 1e-12

LEAST = 0.5
"""Correlation below which feet and plates do not match."""

_FEET = {"left": ("LTOE", "LHEE", "LAJC"), "right": ("RTOE", "RHEE", "RAJC")}


@frozen()
class Offset:
    """Offset added to the clock of the forces, s, and correlation after and before, -1 to 1."""

    seconds: float
    agreement: float
    before: float


def synchronised(recording: Recording, forces: Forces) -> tuple[Forces, tuple[str, ...]]:
    """Return forces on the clock of a recording, and notes.

    Parameters
    ----------
    recording : Recording
        With landmarks of the feet under gaitdyn's names.
    forces : Forces

    Raises
    ------
    FileRefused
        When the feet are never over a plate while it is loaded.
    """
    offset = clock_offset(recording, forces)
    name = shown(forces.file.name)
    if offset is None or offset.agreement < LEAST:
        best = "" if offset is None else f" (correlation {offset.agreement:.2f} at best)"
        raise refused(
            name,
            f"plates that are not loaded while the feet of {shown(recording.name)} are down over"
            f" them, whatever the offset of both clocks{best}",
            "forces of the same walk in the same laboratory axes",
            "name another file with --forces",
        )
    if abs(offset.seconds) <= SAME_S:
        note = f"the clocks of both files agree within {1000 * SAME_S:.0f} ms"
        return forces, (f"{note} (found {signed(1000 * offset.seconds, 0)} ms, not applied)",)
    moved = replace(forces, start_s=forces.start_s + offset.seconds)
    file = replace(forces.file, offset_s=offset.seconds)
    before = f", {offset.before:.2f} as stored" if np.isfinite(offset.before) else ""
    note = (
        f"the forces of {name} are moved by {offset.seconds:+.3f} s: correlation of foot height and"
        f" vertical force {offset.agreement:.2f}{before}"
    )
    return replace(moved, file=file), (note,)


def clock_offset(recording: Recording, forces: Forces) -> Offset | None:
    """Return the offset at which plates are loaded while feet are down over them.

    Two signals per plate are cross-correlated: how near to the floor a foot over it is, and whether
    the plate is loaded. All plates are summed. The offset is limited so that the forces still cover
    the recording. None if no foot is ever over a plate, or no plate is loaded.
    """
    rate = recording.rate_hz
    start = recording.start_s - forces.start_s
    margin = int((1.0 - OVERLAP) * recording.n_frames)
    plates = [plate for plate in forces.plates if not plate.problem]
    feet = [_foot_over(recording, plate) for plate in plates]
    loads = [_load(plate, forces.rate_hz / rate) for plate in plates]
    if not any(foot.any() for foot in feet) or not any(load.any() for load in loads):
        return None
    n, padded = recording.n_frames, [np.pad(load, (margin, margin)) for load in loads]
    if min(map(len, padded)) < n:
        return None
    centred = [foot - foot.mean() for foot in feet]
    total = np.sum(
        [sliding_window_view(w, n) @ f for w, f in zip(padded, centred, strict=True)], axis=0
    )
    loaded = [sliding_window_view(w, n).mean(axis=1) for w in padded]  # shares of the time
    power = np.sum([n * share * (1.0 - share) for share in loaded], axis=0)
    scale = np.sum(np.square(centred))
    score = total / np.sqrt(np.maximum(power * scale, _SMALLEST))
    zero = round(start * rate) + margin
    before = float(score[zero]) if 0 <= zero < len(score) else float("nan")
    return Offset(start + LATE_S - (_best_shift(score) - margin) / rate, float(score.max()), before)


def _best_shift(score: Array) -> float:
    """Return the middle of the run of offsets around the best that are nearly as good, samples."""
    good = score >= score.max() - _NEARLY
    start, stop = next(run for run in runs(good) if run[0] <= int(np.argmax(score)) < run[1])
    return 0.5 * (start + stop - 1)


def _foot_over(recording: Recording, plate: PlateRecord) -> Array:
    """Return how near to the floor a foot over a plate is, 0 to 1, for the nearer foot, (n,)."""
    nearness = np.zeros(recording.n_frames)
    for labels in _FEET.values():
        present = [label for label in labels if recording.has(label)]
        if not present:
            continue
        points = np.stack([recording.marker(label) for label in present], axis=1)
        height, over = _above(points, plate)
        low = height - np.array([_lowest(h) for h in height.T])
        with np.errstate(invalid="ignore"):
            down = np.clip(1.0 - np.fmin.reduce(low, axis=1) / DOWN_M, 0.0, 1.0)
        nearness = np.fmax(nearness, np.where(over, np.nan_to_num(down), 0.0))
    return nearness


def _lowest(height: Array) -> float:
    known = height[np.isfinite(height)]
    return percentile(known, 5) if known.size else float("nan")


def _above(points: Array, plate: PlateRecord) -> tuple[Array, Mask]:
    """Return heights of points above a plate, m, and whether their middle is over it."""
    corners = plate.corners_L
    x, y = plate_edges(corners)
    half = 0.5 * np.array([np.linalg.norm(x), np.linalg.norm(y)])
    down = np.cross(x, y) / np.linalg.norm(np.cross(x, y))
    arm = points - corners.mean(axis=0)
    height = -(arm @ down)
    middle = arm.mean(axis=1)
    along = np.abs(middle @ np.stack((x / (2 * half[0]), y / (2 * half[1])), axis=1))
    with np.errstate(invalid="ignore"):
        inside = (along <= half + MARGIN_M).all(axis=1) & (np.fmin.reduce(height, 1) < HIGHEST_M)
    return height, inside & complete_rows(middle)


def _load(plate: PlateRecord, samples_per_frame: float) -> Array:
    """Return whether a plate is loaded, 0 or 1, per frame."""
    samples = np.arange(0.0, len(plate.channels), samples_per_frame).astype(int)
    up = np.abs(plate.channels[samples, 2])
    return (up - percentile(up, 5) > LOADED_N).astype(float)
