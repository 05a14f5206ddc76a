"""Segment poses of a C3D file under our names: what labels, axes and units of a maker mean."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.io._records import refused, shown
from gaitdyn.types.poses import SegmentPoses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.io.parameters import Parameters
    from gaitdyn.io.rotations import Rotations
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.recording import Recording

_SIDES = ({"s": "l", "S": "L", "side": "left"}, {"s": "r", "S": "R", "side": "right"})
_UNITS = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}
_THIGH_M = (0.15, 0.65)
"""Length of a thigh, from a small child to a very tall person."""
_SQUARE = 1e-3
"""Largest entry of R'R - 1 of a matrix that is a rotation but for its rounding."""
_FEW = 0.05
"""Share of a segment's poses that may be none."""

_LISTED = 4
_METRES = 1.0
"""A heel is never so far from its ankle in metres, and always farther in millimetres."""


@dataclass(frozen=True, slots=True)
class PoseTable:
    """What a maker's labels and axes mean, one file of ``resources/poses``.

    Attributes
    ----------
    name, title, source : str
    software : tuple of str
        How MANUFACTURER:SOFTWARE or COMPANY begins.
    suffix : str
        At the end of every label.
    axes : array, shape (3, 3)
        Columns are our axes forward, up, right in those of the maker's segments.
    labels : dict
        Label without suffix, lower case -> our segment.
    origins : dict
        Our landmark -> segment.
    landmarks : dict
        Our landmark -> segment, group and parameter.
    """

    name: str
    title: str
    source: str
    software: tuple[str, ...]
    suffix: str
    axes: Array
    labels: dict[str, str]
    origins: dict[str, str]
    landmarks: dict[str, tuple[str, str, str]]


@cache
def pose_tables() -> tuple[PoseTable, ...]:
    """Return the tables that ship with gaitdyn."""
    folder = files("gaitdyn") / "resources" / "poses"
    texts = sorted(p.name for p in folder.iterdir() if p.name.endswith(".toml"))
    return tuple(_table(tomllib.loads((folder / x).read_text("utf-8"))) for x in texts)


def _table(told: dict[str, Any]) -> PoseTable:
    forward, up = _axis(told["forward"]), _axis(told["up"])
    labels = {label: segment for names, segment in _both(told["segments"]) for label in names}
    return PoseTable(
        name=told["name"],
        title=told["title"],
        source=told["source"],
        software=tuple(told["software"]),
        suffix=told["suffix"].lower(),
        axes=np.stack((forward, up, np.cross(forward, up)), axis=1),
        labels=labels,
        origins={point: segment for segment, point in _both(told["origins"])},
        landmarks={
            point: (segment, *where.split(":"))  # pyright: ignore[reportArgumentType]
            for (segment, where), point in _both(told["landmarks"])
        },
    )


def _both(entries: dict[str, Any]) -> Iterator[tuple[Any, str]]:
    """Return values and keys of a table for each side, or once where no side is named."""
    for key, value in entries.items():
        for words in _SIDES if "{" in key else _SIDES[:1]:
            texts = [value] if isinstance(value, str) else value
            told = [text.format(**words) for text in texts]
            yield told[0] if isinstance(value, str) else told, key.format(**words)


def _axis(name: str) -> Array:
    return np.eye(3)["xyz".index(name[1])] * (1.0 if name[0] == "+" else -1.0)


def pose_recording(recording: Recording, poses: SegmentPoses) -> Recording:
    """Return a recording whose markers are the landmarks of its poses, at the poses' rate.

    Parameters
    ----------
    recording : Recording
    poses : SegmentPoses
    """
    ratio = max(1, round(poses.n_frames / max(1, recording.n_frames)))
    notes = recording.notes
    if recording.samples_per_frame % ratio and (recording.plates or recording.analog):
        notes += (f"every {ratio}. pose is used: the analog samples do not lie on the others",)
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
    """Return the poses of a file in our axes and metres.

    A maker's matrix takes components in its segment axes to laboratory components,
    ``v_L = M v_M`` (wiki of Visual3D, "ROTATION DATA TYPE"); with A, whose columns are our axes in
    the maker's, ``R_LS = M A``.

    Parameters
    ----------
    stored : Rotations
    params : Parameters
        Of the file: distal landmarks stand in a group of the maker.
    unit : str
        POINT:UNITS, in which origins are stored; the length of a thigh has the last word.
    file : str
        For messages.

    Raises
    ------
    FileRefused
        No label is known, they are of several persons, or a matrix is a mirror or no rotation.
    """
    labels = tuple(label.rpartition(":")[2].strip() for label in stored.labels)  # without a name
    table = max(pose_tables(), key=lambda one: len(_named(one, labels)))
    named = _named(table, labels)
    if not named:
        found = f"segment poses called {', '.join(map(shown, labels[:_LISTED]))}"
        wanted = f"labels of {' or '.join(one.name for one in pose_tables())}, such as pelvis_4X4"
        raise refused(file, found, wanted, "name the segments so in the software that made them")
    if len(set(named.values())) < len(named):
        found = "segment poses of several persons"
        raise refused(file, found, "those of one", "export each person by themself")
    places = list(named)
    M = stored.matrices[:, places, :3, :]
    reliability = stored.reliability[:, places]
    M = np.where((np.isfinite(M).all(axis=(2, 3)) & ~(reliability < 0))[..., None, None], M, np.nan)
    segments = tuple(named.values())
    M, wrong = _rotations_alone(M, [labels[i] for i in places], file)
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
        origins={point: at for point, at in table.origins.items() if at in segments},
        landmarks=_landmarks(table, params, segments),
        unknown=unknown,
        notes=wrong + notes,
    )


def _named(table: PoseTable, labels: tuple[str, ...]) -> dict[int, str]:
    """Return place in the labels -> our segment, of the labels that a table knows."""
    plain = (label.lower().removesuffix(table.suffix) for label in labels)
    return {i: table.labels[x] for i, x in enumerate(plain) if x in table.labels}


def _rotations_alone(M: Array, labels: list[str], file: str) -> tuple[Array, tuple[str, ...]]:
    """Return poses whose axes are those of a rotation, the few others as gaps, and notes.

    Raises
    ------
    FileRefused
        Where they are not few: matrices that mirror, or whose axes are not square and of length 1.
    """
    R = M[..., :3]
    with np.errstate(over="ignore", invalid="ignore"):
        off = np.abs(np.swapaxes(R, -1, -2) @ R - np.eye(3)).max(axis=(2, 3))
        mirror: Mask = np.asarray(np.linalg.det(R) < 0)
    known: Mask = np.asarray(np.isfinite(R).all(axis=(2, 3)))
    wrong: Mask = np.asarray(known & (mirror | ~(off <= _SQUARE)))
    notes: tuple[str, ...] = ()
    for i in np.flatnonzero(wrong.any(axis=0)):
        count, label = int(wrong[:, i].sum()), shown(labels[i])
        if count > _FEW * known[:, i].sum():
            worst = float(np.nanmax(off[:, i]))
            found = f"axes of {label} that are off square and unit length by {worst:.2g}"
            if mirror[:, i].any():
                found = f"{label} as a mirror (determinant -1)"
            raise refused(file, found, "rotation matrices, column by column")
        notes += (f"{label}: {count} poses are not rotations and were made gaps",)
    return np.where(wrong[..., None, None], np.nan, M), notes


def _in_metres(
    origin: Array, segments: tuple[str, ...], unit: str
) -> tuple[Array, tuple[str, ...]]:
    """Return origins in m; the unit is the one that is told, unless a thigh has no length in it."""
    thighs = [
        known_median(
            np.linalg.norm(origin[:, segments.index(a)] - origin[:, segments.index(b)], axis=1)
        )
        for a, b in (("left thigh", "left shank"), ("right thigh", "right shank"))
        if a in segments and b in segments
    ]
    low, high = _THIGH_M
    fits = [u for u, m in _UNITS.items() if thighs and low < m * max(thighs) < high]
    if unit in fits or not fits:
        return origin * _UNITS.get(unit, 1e-3), ()
    note = f"units of the poses are {fits[0]!r} by the length of a thigh; the file says {unit!r}"
    return origin * _UNITS[fits[0]], (note,)


def _landmarks(
    table: PoseTable, params: Parameters, segments: tuple[str, ...]
) -> dict[str, tuple[str, Array]]:
    """Return the landmarks that the maker's group places in a segment, m, in our axes."""
    found: dict[str, tuple[str, Array]] = {}
    for point, (segment, group, name) in table.landmarks.items():
        at = _numbers(params.get(group, name))
        if segment in segments and at.size == 3 and np.isfinite(at).all():  # noqa: PLR2004
            at = at if np.abs(at).max() < _METRES else at * 1e-3
            found[point] = (segment, table.axes.T @ at)
    return found


def _numbers(value: object) -> Array:
    """Return a parameter as numbers, also where they are stored as texts; empty without any."""
    try:
        return np.ravel(np.asarray(value if value is not None else [], dtype=float), order="F")
    except ValueError:
        return np.zeros(0)
