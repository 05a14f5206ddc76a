"""Format markers, ground reaction and external loads as the texts that OpenSim reads."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

FEET = {"right": ("", "calcn_r"), "left": ("1_", "calcn_l")}
"""Side -> prefix of its columns and body of OpenSim's gait models."""

_XYZ = ("x", "y", "z")
_TRC_FIELDS = (
    "DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate",
    "OrigDataStartFrame", "OrigNumFrames",
)  # fmt: skip


def trc_text(
    name: str, rate_hz: float, frame: Array, time_s: Array, points: dict[str, Array]
) -> str:
    """Return markers as a TRC file.

    Parameters
    ----------
    name : str
        Of the file.
    rate_hz : float
    frame, time_s : arrays, shape (n,)
    points : dict
        Name -> array, shape (n, 3), G, mm; NaN is an empty field. Every row ends in a tab,
        because OpenSim does not recognise an empty field at the end of a line.
    """
    n = len(frame)
    first = int(frame[0])
    head = [
        f"PathFileType\t4\t(X/Y/Z)\tgaitdyn/{name}",
        "\t".join(_TRC_FIELDS),
        f"{rate_hz:g}\t{rate_hz:g}\t{n}\t{len(points)}\tmm\t{rate_hz:g}\t{first}\t{n}",
        "Frame#\tTime\t" + "\t".join(f"{label}\t\t" for label in points),
        "\t\t" + "\t".join(f"X{i}\tY{i}\tZ{i}" for i in range(1, len(points) + 1)),
        "",
    ]
    table = np.concatenate(list(points.values()), axis=1)
    form = "%d\t%.6f" + "\t%.5f" * table.shape[1] + "\t"
    rows = np.column_stack((frame, time_s, table)).tolist()
    lines = [(form % tuple(row)).replace("nan", "") for row in rows]
    return "\n".join([*head, *lines, ""])


def mot_text(name: str, time_s: Array, feet: dict[str, Array]) -> str:
    """Return the ground reaction as a MOT file.

    Parameters
    ----------
    name : str
        Of the file.
    time_s : array, shape (n,)
    feet : dict
        Side -> array, shape (n, 9): force, point, free moment in G; N, m, N m.
    """
    columns = ["time"]
    for side in feet:
        stem = FEET[side][0]
        columns += [f"{stem}ground_force_{kind}{axis}" for kind in "vp" for axis in _XYZ]
        columns += [f"{stem}ground_torque_{axis}" for axis in _XYZ]
    table = np.column_stack((time_s, *feet.values()))
    head = [
        f"{name} (gaitdyn)",
        "version=1",
        f"nRows={len(table)}",
        f"nColumns={len(columns)}",
        "inDegrees=no",
        "endheader",
        "\t".join(columns),
    ]
    form = "\t".join(["%.6f"] + ["%.9g"] * (len(columns) - 1))
    return "\n".join([*head, *(form % tuple(row) for row in table.tolist()), ""])


def loads_text(datafile: str, sides: Sequence[str]) -> str:
    """Return OpenSim's external loads, which assign columns to bodies."""
    folder = files("gaitdyn") / "exchange"
    whole, force = (
        (folder / f"external_{name}.xml").read_text("utf-8") for name in ("loads", "force")
    )
    datafile = escape(datafile)
    forces = ""
    for side in sides:
        stem, body = FEET[side]
        text = force.rstrip().format(stem=stem, body=body, side=side, datafile=datafile)
        forces += f"\n{text}"
    return whole.format(forces=forces, datafile=datafile)
