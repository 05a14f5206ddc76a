"""Contents of a file as read: markers, poses, plates, measures and muscles."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.runs import known_points
from gaitdyn.events.contacts import load_runs
from gaitdyn.io.trial import to_trial
from gaitdyn.landmarks.labels.virtual import AXES, COMPUTED, TIPS
from gaitdyn.types.options import Options
from gaitdyn.types.recording import PlateRecord, Recording
from gaitdyn.types.subject import SIDES


def describe_file(recording: Recording) -> dict[str, Any]:
    """Return name, frames, rate and unit of a file."""
    return {
        "name": recording.name,
        "frames": recording.n_frames,
        "first_frame": recording.first_frame,
        "rate_hz": recording.rate_hz,
        "seconds": round(recording.n_frames / recording.rate_hz, 3),
        "analog_per_frame": recording.samples_per_frame,
        "units": recording.units.get("points", ""),
    }


def describe_markers(recording: Recording, unresolved: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Describe the markers of a file: how many, and where they are missing.

    Parameters
    ----------
    recording : Recording
    unresolved : sequence of dict
        Labels without a landmark, and why; computed points do not count as markers.
    """
    missing = (~known_points(recording.markers_L)).sum(axis=0).tolist()
    computed = {row["label"]: row["why"] for row in unresolved if row["why"] in COMPUTED}
    drawn = sum(computed.get(label) in (AXES, TIPS) for label in recording.labels)
    pairs = zip(recording.labels, missing, strict=True)
    markers = [(label, n) for label, n in pairs if label not in computed]
    outputs = len(recording.outputs) + len(missing) - len(markers) - drawn
    return {
        "count": len(markers),
        "labels": [label for label, _ in markers],
        "drawn_points": drawn,
        "model_outputs": outputs,
        "never_seen": [label for label, n in markers if n == recording.n_frames],
        "frames_missing": {label: n for label, n in markers if 0 < n < recording.n_frames},
    }


def describe_poses(recording: Recording) -> dict[str, Any] | None:
    """Describe the segment poses of a file; return None without poses."""
    poses = recording.poses
    if poses is None:
        return None
    missing = (~known_points(poses.origin_L)).sum(axis=0).tolist()
    return {
        "system": poses.system,
        "title": poses.title,
        "rate_hz": poses.rate_hz,
        "frames_missing": dict(zip(poses.segments, missing, strict=True)),
        "not_used": list(poses.unknown),
    }


def describe_plates(recording: Recording) -> list[dict[str, Any]]:
    """Describe the force plates of a file: their baseline, and when they are loaded."""
    wrenches = {w.number: w for w in to_trial(recording, np.eye(3)).plates}
    return [_plate(p, recording, wrenches.get(p.number)) for p in recording.plates]


def _plate(record: PlateRecord, recording: Recording, wrench: Any) -> dict[str, Any]:
    description: dict[str, Any] = {
        "number": record.number,
        "type": record.kind,
        "problem": record.problem or None,
        "notes": list(record.notes),
    }
    if wrench is not None:
        plate = clean_plate(wrench)
        up = plate.wrench.up
        first = recording.first_frame
        description |= {
            "baseline_n": round(plate.baseline_N, 2),
            "inverted": plate.inverted,
            "loaded_frames": [
                [a + first, b + first - 1] for a, b in load_runs(up, recording.rate_hz)
            ],
            "peak_n": round(float(up.max()), 1),
        }
    return description


def describe_subject(recording: Recording) -> dict[str, Any]:
    """Return the measures of the subject that the file has."""
    subject = recording.subject
    description: dict[str, Any] = {
        "mass_kg": subject.mass_kg,
        "height_m": subject.height_m,
        "marker_diameter_mm": _mm(subject.marker_diameter_m),
        "inter_asis_mm": _mm(subject.inter_asis_m),
    }
    for side in SIDES:
        leg = subject.leg(side)
        description[side] = {
            "leg_length_mm": _mm(leg.leg_length_m),
            "knee_width_mm": _mm(leg.knee_width_m),
            "ankle_width_mm": _mm(leg.ankle_width_m),
        }
    return description


def _mm(value: float | None) -> float | None:
    return None if value is None else round(1000 * value, 2)


def describe_emg(recording: Recording, options: Options) -> list[dict[str, Any]]:
    """Return the EMG channels with their names and quality."""
    if recording.analog is None:
        return []
    from gaitdyn.emg.channels import channel_rows

    return channel_rows(recording, options)


def channels_without_muscle(recording: Recording, options: Options) -> list[str]:
    """Return the labels of channels that might be electromyography, but do not say so."""
    if recording.analog is None:
        return []
    from gaitdyn.emg.naming import without_muscle

    rate_hz = recording.rate_hz * recording.samples_per_frame
    return without_muscle(recording.analog, rate_hz, options.emg_channels)
