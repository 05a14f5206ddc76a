"""``--to trc-mot``: write markers, static, ground reaction and external loads for OpenSim.

OpenSim's ground frame has Y up. The exported frame is G: x along the laboratory axis nearest to
the walking direction, y up, z to the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from gaitdyn.catalogue.keys import XYZ, Key
from gaitdyn.core.rotations import cross
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.errors import ResultsRefused
from gaitdyn.exchange.curves import StoredCurves
from gaitdyn.exchange.source import recording_of
from gaitdyn.exchange.targets import Written
from gaitdyn.exchange.vendor_vectors import vendor_vectors
from gaitdyn.io.cut import cut
from gaitdyn.io.trc_lines import added_words
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.landmarks.labels.items import computed_points
from gaitdyn.store import StoredTrial
from gaitdyn.store.single_file import put_in_place
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.recording import Recording

_MM = 1000.0
_NOTHING_N = 1e-3
"""Force below which nothing is written: what the filter leaves in swing."""

FEET = {"right": ("", "calcn_r"), "left": ("1_", "calcn_l")}
"""Side -> prefix of its columns and body of OpenSim's gait models."""

_TRC_FIELDS = (
    "DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate",
    "OrigDataStartFrame", "OrigNumFrames",
)  # fmt: skip


def write_opensim(
    stored: StoredTrial,
    curves: StoredCurves,
    trial: Path,
    static: Path | None,
    paths: Sequence[Path],
) -> Written:
    """Write markers (.trc), ground reaction (.mot), external loads (.xml), static (.static.trc).

    Parameters
    ----------
    stored : StoredTrial
    curves : StoredCurves
        Of the same trial.
    trial : Path
        The recording that was processed: its markers are written unfiltered.
    static : Path or None
        Its static, for scaling.
    paths : sequence of 4 Path

    Raises
    ------
    ResultsRefused
        When the results have a ground force without centre of pressure, or no laboratory axes.
    """
    if stored.document["file"]["R_GL"] is None:
        raise ResultsRefused(
            f"{stored.path}: found results without laboratory axes, so the upward direction is"
            " unknown; give --up and --forward and process the trial again"
        )
    recording = recording_of(stored, trial)
    curves.check_frames(recording.n_frames, recording.first_frame)
    R_GL = np.array(stored.document["file"]["R_GL"], float)
    points = _markers(stored, recording)
    count = len(points)
    for vector in vendor_vectors(stored.document, curves):
        if not vector.group:
            points.setdefault(vector.label, vector.values @ R_GL.T)
    feet, notes = _feet(stored, curves)
    markers, ground, loads, standing = paths
    added, rate_hz = len(points) - count, recording.rate_hz
    text = trc_text(markers.name, rate_hz, curves.frame, curves.time_s, points, added)
    put_in_place(markers, text.encode())
    written = [markers]
    if feet:
        put_in_place(ground, mot_text(ground.name, curves.time_s, feet).encode())
        put_in_place(loads, loads_text(ground.name, tuple(feet)).encode())
        written += [ground, loads]
    else:
        notes.append("the results have no ground reaction: only markers were written")
    if static is None:
        notes.append(_no_static(stored, standing))
    else:
        put_in_place(standing, _static_text(stored, static, standing.name).encode())
        written.append(standing)
    return Written(tuple(written), tuple(notes))


def _markers(stored: StoredTrial, recording: Recording) -> dict[str, Array]:
    """Return name -> marker of a recording, G, mm, without points that are not markers."""
    R_GL = np.array(stored.document["file"]["R_GL"], float)
    computed = computed_points(recording, dict(stored.document["options"].get("rename") or ()))
    names = {i: name for i, name in marker_names(recording.labels).items() if i not in computed}
    return {name: _MM * recording.markers_L[:, i] @ R_GL.T for i, name in names.items()}


def _static_text(stored: StoredTrial, path: Path, name: str) -> str:
    """Return the frames of the static that were used as TRC."""
    recording = recording_of(stored, path)
    first, last = stored.document["options"]["static_frames"]
    start = first - recording.first_frame
    used = cut(recording, start, start + last - first + 1)
    frame = used.first_frame + np.arange(float(used.n_frames))
    time_s = (frame - 1.0) / used.rate_hz
    return trc_text(name, used.rate_hz, frame, time_s, _markers(stored, used))


def _no_static(stored: StoredTrial, path: Path) -> str:
    """Return why there is no static to write."""
    names = [entry["name"] for entry in stored.document["inputs"] if entry["role"] == "static"]
    if not names:
        return f"the results have no static: {path.name} was not written"
    return f"the static {names[0]} was not found: {path.name} was not written; give --near FOLDER"


def marker_names(labels: Sequence[str]) -> dict[int, str]:
    """Return column -> unique name without blanks; unnamed markers are left out."""
    names: dict[int, str] = {}
    for i, label in enumerate(labels):
        name = "_".join(label.split())
        if not name or name.startswith("*"):
            continue
        repeats = sum(taken == name or taken.startswith(f"{name}__") for taken in names.values())
        names[i] = f"{name}__{repeats + 1}" if repeats else name
    return names


def _feet(stored: StoredTrial, curves: StoredCurves) -> tuple[dict[str, Array], list[str]]:
    """Return side -> force, point and torque (n, 9) in G, N, m, N m; and notes.

    Where the force is unknown all values are zero, as OpenSim needs numbers.
    """
    feet, notes = {}, []
    walking = progression_frame(np.array(stored.document["file"]["walking_direction_G"], float))
    for side, (_, body) in FEET.items():
        force = curves.vector(*(Key(side, "", "grf", axis).name for axis in XYZ))
        if force is None and f"{side[0].upper()}GroundReactionForce_1" in curves.names:
            raise ResultsRefused(
                f"{stored.path}: found columns of --names pig, which have no centre of pressure;"
                " process the trial again with --names gaitdyn"
            )
        point = curves.vector(*(Key(side, "", "cop", axis).name for axis in XYZ))
        vertical = curves.vector(f"{side}_free_moment")
        if force is None or point is None or vertical is None:
            continue
        force = force @ walking.T
        torque = np.pad(vertical, ((0, 0), (1, 1)))
        point, torque = _wherever(force, point / _MM, torque, curves.ground_moment_G[side])
        table = np.concatenate((force, point, torque), axis=1)
        table[~(complete_rows(table) & (np.abs(force) > _NOTHING_N).any(axis=1))] = 0.0
        feet[side] = table
        unknown = ~complete_rows(force)
        if unknown.any():
            spans = _spans(curves.time_s, unknown)
            notes.append(f"the force on {body} is unknown at {spans} and written as 0")
    return feet, notes


def _wherever(force: Array, point: Array, torque: Array, moment_G: Array) -> tuple[Array, Array]:
    """Return point and torque also where the force is too small for a centre of pressure.

    There the point is the nearest known one in time, or the origin of G if none is known, and the
    torque is the whole moment about it: ``M - r x F``.
    """
    known = np.flatnonzero(complete_rows(point))
    if not known.size:
        return np.zeros_like(point), moment_G
    rows = np.arange(len(point))
    after = np.searchsorted(known, rows).clip(max=known.size - 1)
    before = (after - 1).clip(min=0)
    nearer = rows - known[before] <= np.abs(known[after] - rows)
    held = point[np.where(nearer, known[before], known[after])]
    without = ~complete_rows(point)[:, None]
    return held, np.where(without, moment_G - cross(held, force), torque)


def _spans(time_s: Array, where: Mask) -> str:
    return ", ".join(f"{time_s[a]:.2f}-{time_s[b - 1]:.2f} s" for a, b in runs(where))


def trc_text(
    name: str,
    rate_hz: float,
    frame: Array,
    time_s: Array,
    points: dict[str, Array],
    added: int = 0,
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
    added : int
        How many of the last points are joint centres of gaitdyn: told in the first line, so that
        they are not read as markers.
    """
    n = len(frame)
    first = int(frame[0])
    head = [
        f"PathFileType\t4\t(X/Y/Z)\tgaitdyn/{name}{added_words(added, len(points))}",
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
        columns += [f"{stem}ground_force_{kind}{axis}" for kind in "vp" for axis in XYZ]
        columns += [f"{stem}ground_torque_{axis}" for axis in XYZ]
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
