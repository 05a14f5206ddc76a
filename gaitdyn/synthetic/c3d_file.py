"""A small C3D writer on ezc3d: points, analog channels and parameters, as floats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.synthetic.arrays import Array


Value = float | int | str | list[str] | list[int] | list[float] | np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class StoredPoses:
    """Segment poses in the units and axes of a file.

    Parameters
    ----------
    labels : tuple of str
    matrices : array, shape (n_frames * ratio, n_segments, 4, 4)
        From segment to laboratory axes, the origin in the last column.
    ratio : int
        Poses per frame of the points.
    parameters : tuple of (group, name, value)
        Parameters of the maker, such as landmarks of a segment.
    """

    labels: tuple[str, ...]
    matrices: Array
    ratio: int = 1
    parameters: tuple[tuple[str, str, Value], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class C3dContent:
    """The content of a file, in its units and axes.

    Parameters
    ----------
    rate_hz, first_frame
        Marker rate; number of the first frame (from 1) in the header.
    units : str
        Unit of the points.
    labels : tuple of str
        Labels of the points.
    points : array, shape (n_frames, n_points, 3)
        NaN is a gap: residual -1.
    analog_labels, analog_units : tuple of str
        One per channel.
    analog : array, shape (n_frames * ratio, n_channels)
        Samples.
    parameters : tuple of (group, name, value)
        Whole numbers are stored as integers; an array of shape (3, 4, n) keeps these dimensions.
    descriptions : tuple of str, optional
        Descriptions of the points; may be empty.
    rotations : StoredPoses, optional
        Segment poses.
    """

    rate_hz: float
    first_frame: int
    units: str
    labels: tuple[str, ...]
    points: Array
    analog_labels: tuple[str, ...]
    analog_units: tuple[str, ...]
    analog: Array
    parameters: tuple[tuple[str, str, Value], ...]
    descriptions: tuple[str, ...] = ()
    rotations: StoredPoses | None = None


def write_c3d(path: Path, content: C3dContent) -> None:
    """Write one C3D file.

    Parameters
    ----------
    path : Path
        Ends in ``.c3d``; replaced if it exists.
    content : C3dContent
        What to write.
    """
    import ezc3d

    file = ezc3d.c3d()
    n_frames = len(content.points)
    file["header"]["points"]["first_frame"] = content.first_frame - 1
    point, analog = file["parameters"]["POINT"], file["parameters"]["ANALOG"]
    point["RATE"]["value"] = np.array([content.rate_hz])
    point["LABELS"]["value"] = list(content.labels)
    point["DESCRIPTIONS"]["value"] = list(content.descriptions) or [""] * len(content.labels)
    point["UNITS"]["value"] = [content.units]
    ratio = len(content.analog) // n_frames
    analog["RATE"]["value"] = np.array([content.rate_hz * ratio])
    analog["LABELS"]["value"] = list(content.analog_labels)
    analog["DESCRIPTIONS"]["value"] = [""] * len(content.analog_labels)
    analog["UNITS"]["value"] = list(content.analog_units)
    analog["SCALE"]["value"] = np.ones(len(content.analog_labels))
    missing = np.isnan(content.points).any(axis=-1).T
    homogeneous = np.ones((4, len(content.labels), n_frames))
    homogeneous[:3] = content.points.transpose(2, 1, 0)
    homogeneous[:, missing] = np.nan
    file["data"]["points"] = homogeneous
    file["data"]["meta_points"]["residuals"] = np.where(missing, -1.0, 0.0)[None]
    file["data"]["analogs"] = np.ascontiguousarray(content.analog.T[None])
    if content.rotations is not None:
        poses = content.rotations
        _add_parameter(file, "ROTATION", "RATE", float(poses.ratio * content.rate_hz))
        _add_parameter(file, "ROTATION", "LABELS", list(poses.labels))
        file["data"]["rotations"] = np.ascontiguousarray(poses.matrices.transpose(2, 3, 1, 0))
    pose_parameters = () if content.rotations is None else content.rotations.parameters
    for group, name, value in (*content.parameters, *pose_parameters):
        _add_parameter(file, group, name, value)
    file.write(str(path))


def _add_parameter(file: object, group: str, name: str, value: Value) -> None:
    """Add a parameter; ezc3d's Python method would store lists of whole numbers as floats."""
    from ezc3d import ezc3d

    array = np.asarray(value)
    flat = array.ravel(order="F").tolist()
    shape = array.shape or (1,)
    parameter = ezc3d.Parameter(name, "")
    if array.dtype.kind == "U":
        parameter.set(ezc3d.VecString(flat), shape)
    elif array.dtype.kind == "i":
        parameter.set(ezc3d.VecInt(flat), shape)
    else:
        parameter.set(ezc3d.VecDouble(flat), shape)
    file["parameters"].add_parameter(group, parameter)  # pyright: ignore[reportIndexIssue]
