"""A C3D file as a :class:`~gaitdyn.types.recording.Recording`: SI units, laboratory axes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import known_median
from gaitdyn.io._records import recovered
from gaitdyn.io.analog import emg_candidates, read_analog
from gaitdyn.io.events import read_events
from gaitdyn.io.labels import (
    one_subject,
    output_labels,
    point_labels,
    strip_prefix,
    subject_note,
)
from gaitdyn.io.names import called_in
from gaitdyn.io.plates import plate_channels, read_plates
from gaitdyn.io.reader import ReaderName, read_c3d
from gaitdyn.io.subject import head_offset, persons_of, read_offsets, read_subject, software_of
from gaitdyn.types.recording import Recording

if TYPE_CHECKING:
    from gaitdyn.io._data import Progress
    from gaitdyn.io.parameters import Parameters
    from gaitdyn.types.arrays import Array

_UNITS = {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "in": 0.0254}
_LARGEST_COORDINATE_M = 50.0
_BODY_M = (0.25, 2.5)
"""Extent of most markers of a person in one frame, from a foot and a shank to raised arms."""
_FEWEST, _LOOKED_AT = 4, 50
_SAID = {
    "angles": "ANGLE_UNITS",
    "forces": "FORCE_UNITS",
    "moments": "MOMENT_UNITS",
    "powers": "POWER_UNITS",
}
"""Group of model outputs -> the parameter of POINT that says their unit."""


def read_recording(
    path: str | Path,
    subject_prefix: str | None = None,
    reader: ReaderName = "gaitdyn",
    progress: Progress | None = None,
) -> Recording:
    """Read a C3D file; of its analog channels those of plates and what may be electromyography.

    Parameters
    ----------
    path : str or Path
    subject_prefix : str, optional
        Which subject is meant in a file that holds several.
    reader : {"gaitdyn", "ezc3d"}
        Who reads the data section.
    progress : callable, optional
        Is told how many frames of how many were read.

    Returns
    -------
    Recording

    Raises
    ------
    FileRefused
        When it is not a readable C3D file, is damaged, or holds several subjects.
    """
    raw = read_c3d(path, _channels, progress, reader)
    params = raw.parameters
    labels = point_labels(params, raw.points.shape[1])
    outputs = output_labels(params)
    names = one_subject(labels, outputs, subject_prefix, recovered(Path(path).name))
    is_output = np.array([x in outputs or strip_prefix(x) in outputs for x in labels], bool)
    metres, unit, notes = unit_of_points(params, raw.points[:, ~is_output])
    rate = float(params.number("POINT", "RATE") or raw.header.rate_hz)
    samples = max(1, round(len(raw.samples) / max(1, len(raw.points))))
    markers_L = raw.points[:, ~is_output] * metres
    analog, left_out = read_analog(params, raw.samples)
    return Recording(
        name=recovered(Path(path).name),
        sha256=raw.sha256,
        rate_hz=rate,
        samples_per_frame=samples,
        first_frame=raw.header.first_frame,
        labels=tuple(name for name, out in zip(names, is_output, strict=True) if not out),
        markers_L=markers_L,
        outputs={n: raw.points[:, i] for i, n in enumerate(names) if is_output[i]},
        events=read_events(params),
        plates=read_plates(params, raw.samples, samples, metres, (markers_L, rate)),
        subject=read_subject(params),
        vendor=read_offsets(params),
        units={"points": unit, **{group: _text(params, key) for group, key in _SAID.items()}},
        notes=(
            *raw.notes,
            *notes,
            *subject_note(labels, outputs, subject_prefix),
            *left_out,
        ),
        descriptions=marker_descriptions(params, is_output),
        persons=persons_of(params),
        head_offset_rad=head_offset(params),
        camera_rate_hz=_camera_rate_hz(params),
        software=software_of(params),
        called=called_in(params),
        path=Path(path),
        analog=analog,
    )


def _camera_rate_hz(params: Parameters) -> float:
    """Return TRIAL:CAMERA_RATE over TRIAL:VIDEO_RATE_DIVIDER; 0 where it is not stated."""
    divider = params.number("TRIAL", "VIDEO_RATE_DIVIDER") or 1.0
    return (params.number("TRIAL", "CAMERA_RATE") or 0.0) / max(1.0, divider)


def _channels(params: Parameters) -> list[int]:
    return [*plate_channels(params), *emg_candidates(params)]


def marker_descriptions(params: Parameters, is_output: np.ndarray) -> tuple[str, ...]:
    """Return one description a marker, empty where the file has none."""
    texts = params.strings("POINT", "DESCRIPTIONS")
    texts += [""] * (len(is_output) - len(texts))
    return tuple(text.strip() for text, out in zip(texts, is_output, strict=False) if not out)


def _text(params: Parameters, name: str) -> str:
    texts = params.strings("POINT", name)
    return texts[0] if texts else ""


def unit_of_points(params: Parameters, points: Array) -> tuple[float, str, tuple[str, ...]]:
    """Return metres a unit, the unit's name, and a note when the data had to decide."""
    said = _text(params, "UNITS").strip().lower()
    unit = said if said in _UNITS else "m" if said.startswith("met") else ""
    size = known_median(np.abs(points[:: max(1, len(points) // _LOOKED_AT)]))
    size = known_median(np.abs(points)) if math.isnan(size) else size
    size = 0.0 if math.isnan(size) else size
    if unit and size * _UNITS[unit] < _LARGEST_COORDINATE_M:
        return _UNITS[unit], unit, ()
    decided = _unit_of_a_body(points) or ("mm" if size > _LARGEST_COORDINATE_M else "m")
    note = f"units of the points are {decided!r} by their size; the file says {said!r}"
    return _UNITS[decided], decided, (note,)


def _unit_of_a_body(points: Array) -> str:
    """Return the unit in which the markers of a frame are as far apart as on a body, or nothing.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        NaN where not seen.
    """
    some = points[:: max(1, len(points) // _LOOKED_AT)]
    some = some[np.isfinite(some).all(axis=2).sum(axis=1) >= _FEWEST]
    if not len(some):
        return ""
    low, high = np.nanpercentile(some, (10, 90), axis=1)
    extent = float(np.median((high - low).max(axis=1)))
    small, large = _BODY_M
    return next((u for u in ("m", "cm", "mm") if small <= extent * _UNITS[u] < large), "")
