"""Translate segment poses of a C3D file: the labels, axes and units of each vendor."""

from __future__ import annotations

import math
import tomllib
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.io.c3d.records import refused, shown
from gaitdyn.types.frozen import frozen
from gaitdyn.types.poses import SegmentPoses
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.io.c3d.parameters import Parameters
    from gaitdyn.io.c3d.rotations import Rotations
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.recording import Recording

_SIDES = ({"s": "l", "S": "L", "side": "left"}, {"s": "r", "S": "R", "side": "right"})
_UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}
_THIGH_M = (0.15, 0.65)
"""Length of a thigh, from a small child to a very tall person."""
_SQUARE = 1e-3
"""Largest entry of R'R - 1 of a matrix that is a rotation but for its rounding."""
_FEW = 0.05
"""Share of a segment's poses that may be invalid."""

_LISTED = 4
_METRES = 1.0
"""A heel is always nearer to its ankle than this number in metres, and farther in millimetres."""


@frozen()
class PoseTable:
    """The meaning of a vendor's labels and axes, from one file of ``resources/poses``.

    Attributes
    ----------
    name, title, source : str
    suffix : str
        The end of every label.
    axes : array, shape (3, 3)
        Columns are gaitdyn's axes forward, up, right in the axes of the vendor's segments.
    labels : dict
        Label without suffix, lower case -> gaitdyn segment.
    origins : dict
        gaitdyn landmark -> segment.
    landmarks : dict
        gaitdyn landmark -> segment, group and parameter.
    """

    name: str
    title: str
    source: str
    suffix: str
    axes: Array
    labels: dict[str, str]
    origins: dict[str, str]
    landmarks: dict[str, tuple[str, str, str]]


@cache
def pose_tables() -> tuple[PoseTable, ...]:
    """Return the tables that ship with gaitdyn."""
    folder = files("gaitdyn") / "resources" / "poses"
    names = sorted(p.name for p in folder.iterdir() if p.name.endswith(".toml"))
    return tuple(_table(tomllib.loads((folder / x).read_text("utf-8"))) for x in names)


def _table(entry: dict[str, Any]) -> PoseTable:
    forward, up = _axis(entry["forward"]), _axis(entry["up"])
    labels = {label: segment for names, segment in _by_side(entry["segments"]) for label in names}
    return PoseTable(
        name=entry["name"],
        title=entry["title"],
        source=entry["source"],
        suffix=entry["suffix"].lower(),
        axes=np.stack((forward, up, np.cross(forward, up)), axis=1),
        labels=labels,
        origins={point: segment for segment, point in _by_side(entry["origins"])},
        landmarks={
            point: (segment, group, parameter)
            for (segment, where), point in _by_side(entry["landmarks"])
            for group, parameter in [where.split(":")]
        },
    )


def _by_side(entries: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """Yield values and keys of a table for each side, or once if the key has no side."""
    for key, value in entries.items():
        for words in _SIDES if "{" in key else _SIDES[:1]:
            texts = [value] if isinstance(value, str) else value
            formatted = [text.format(**words) for text in texts]
            yield formatted[0] if isinstance(value, str) else formatted, key.format(**words)


def _axis(name: str) -> Array:
    return np.eye(3)["xyz".index(name[1])] * (1.0 if name[0] == "+" else -1.0)


def pose_recording(recording: Recording, poses: SegmentPoses) -> Recording:
    """Return a recording whose markers are the landmarks of its poses, at the poses' rate."""
    ratio = max(1, round(poses.n_frames / max(1, recording.n_frames)))
    notes = recording.notes
    if recording.samples_per_frame % ratio and (recording.plates or recording.analog):
        notes += (f"one pose in {ratio} is used: the analog samples do not lie on the others",)
        poses, ratio = poses.every(ratio), 1
    points = poses.points()
    return replace(
        recording,
        rate_hz=poses.rate_hz,
        samples_per_frame=max(1, recording.samples_per_frame // ratio),
        notes=notes,
        first_frame=ratio * (recording.first_frame - 1) + 1,
        labels=tuple(points),
        markers_L=np.stack(list(points.values()), axis=1),
        descriptions=("",) * len(points),
        poses=poses,
    )


def segment_poses(stored: Rotations, params: Parameters, unit: str, file: str) -> SegmentPoses:
    """Return the poses of a file in gaitdyn's axes and metres.

    A vendor's matrix transforms components in its segment axes to laboratory components:
    ``v_L = M v_M`` (wiki of Visual3D, "ROTATION DATA TYPE"). With A, whose columns are gaitdyn's
    axes in the vendor's, ``R_LS = M A``.

    Parameters
    ----------
    stored : Rotations
    params : Parameters
        Of the file: distal landmarks are stored in a group of the vendor.
    unit : str
        POINT:UNITS, the unit of the origins unless the length of a thigh contradicts it.
    file : str
        For messages.

    Raises
    ------
    FileRefused
        No label is known, they belong to several persons, or a matrix is a reflection or not a
        rotation.
    """
    labels = tuple(label.rpartition(":")[2].strip() for label in stored.labels)  # without a name
    table = max(pose_tables(), key=lambda candidate: len(_known_segments(candidate, labels)))
    named = _known_segments(table, labels)
    if not named:
        found = f"segment poses called {', '.join(map(shown, labels[:_LISTED]))}"
        names = " or ".join(candidate.name for candidate in pose_tables())
        wanted = f"labels of {names}, such as pelvis_4X4"
        raise refused(file, found, wanted, "name the segments so in the software that made them")
    if len(set(named.values())) < len(named):
        found = "segment poses of several people"
        raise refused(file, found, "those of one", "export each person by themself")
    columns = list(named)
    M = stored.matrices[:, columns, :3, :]
    reliability = stored.reliability[:, columns]
    M = np.where((np.isfinite(M).all(axis=(2, 3)) & ~(reliability < 0))[..., None, None], M, np.nan)
    segments = tuple(named.values())
    M, gap_notes = _rotations_alone(M, [labels[i] for i in columns], file)
    origin, notes = _in_metres(M[..., 3], segments, unit)
    unknown = tuple(x for i, x in enumerate(labels) if i not in named)
    return SegmentPoses(
        system=table.name,
        title=table.title,
        segments=segments,
        R_LS=M[..., :3] @ table.axes,
        origin_L=origin,
        reliability=reliability,
        rate_hz=stored.rate_hz,
        origins={point: segment for point, segment in table.origins.items() if segment in segments},
        landmarks=_landmarks(table, params, segments),
        unknown=unknown,
        notes=gap_notes + notes,
    )


def _known_segments(table: PoseTable, labels: tuple[str, ...]) -> dict[int, str]:
    """Return index of a label -> gaitdyn segment, for the labels in a table."""
    plain = (label.lower().removesuffix(table.suffix) for label in labels)
    return {i: table.labels[x] for i, x in enumerate(plain) if x in table.labels}


def _rotations_alone(M: Array, labels: list[str], file: str) -> tuple[Array, tuple[str, ...]]:
    """Return poses with the few that are not rotations made gaps, and notes.

    Raises
    ------
    FileRefused
        When more than a few matrices are reflections, or have axes that are not orthonormal.
    """
    R = M[..., :3]
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(2, 3))
        mirror: Mask = np.asarray(np.linalg.det(R) < 0)
    known: Mask = np.asarray(np.isfinite(R).all(axis=(2, 3)))
    wrong: Mask = np.asarray(known & (mirror | ~(off <= _SQUARE)))
    notes: list[str] = []
    for i in np.flatnonzero(wrong.any(axis=0)):
        count, label = int(wrong[:, i].sum()), shown(labels[i])
        if count > _FEW * known[:, i].sum():
            worst = float(np.nanmax(off[:, i]))
            found = f"axes of {label} that are off square and unit length by {worst:.2g}"
            if mirror[:, i].any():
                found = f"{label} as a mirror (determinant -1)"
            raise refused(file, found, "rotation matrices, column by column")
        are = "is not a rotation and was made a gap"
        are = are if count == 1 else "are not rotations and were made gaps"
        notes.append(f"{label}: {counted(count, 'pose')} {are}")
    return np.where(wrong[..., None, None], np.nan, M), tuple(notes)


def _in_metres(
    origin: Array, segments: tuple[str, ...], unit: str
) -> tuple[Array, tuple[str, ...]]:
    """Return origins in m and notes; the stated unit is used unless it makes a thigh impossible."""
    thighs = [
        known_median(
            np.linalg.norm(origin[:, segments.index(a)] - origin[:, segments.index(b)], axis=1)
        )
        for a, b in (("left thigh", "left shank"), ("right thigh", "right shank"))
        if a in segments and b in segments
    ]
    low, high = _THIGH_M
    longest = max(filter(math.isfinite, thighs), default=math.nan)
    fits = [u for u, m in _UNITS.items() if low < m * longest < high]
    if unit in fits or not fits:
        return origin * _UNITS.get(unit, 1e-3), ()
    note = f"units of the poses are {fits[0]!r} by the length of a thigh; the file says {unit!r}"
    return origin * _UNITS[fits[0]], (note,)


def _landmarks(
    table: PoseTable, params: Parameters, segments: tuple[str, ...]
) -> dict[str, tuple[str, Array]]:
    """Return the landmarks that the vendor stores in a segment, m, in gaitdyn's axes."""
    found: dict[str, tuple[str, Array]] = {}
    for point, (segment, group, name) in table.landmarks.items():
        position = _numbers(params.get(group, name))
        if segment in segments and position.size == 3 and np.isfinite(position).all():  # noqa: PLR2004
            position = position if np.abs(position).max() < _METRES else position * 1e-3
            found[point] = (segment, table.axes.T @ position)
    return found


def _numbers(value: object) -> Array:
    """Return a parameter as numbers, even if stored as texts; empty if there are none."""
    try:
        return np.ravel(np.asarray(value if value is not None else [], dtype=float), order="F")
    except ValueError:
        return np.zeros(0)
