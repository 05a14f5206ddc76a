"""TRC, MOT and .forces files as text, with the oddities of those who write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.core.places import plate_axes
from gaitdyn.errors import FileRefused
from gaitdyn.io.plates.wrenches import sensor_offset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gaitdyn.types.recording import Recording

Array = np.ndarray[Any, np.dtype[Any]]
NAMES = (
    "DataRate", "CameraRate", "NumFrames", "NumMarkers", "Units", "OrigDataRate",
    "OrigDataStartFrame", "OrigNumFrames",
)  # fmt: skip
LABELS = ("LASI", "RASI", "LANK", "RANK", "LTOE", "C7")


def body(frames: int = 40) -> Array:
    """Return six markers of a person of 1.6 m who moves a little, shape (n, 6, 3), m, y up."""
    at = np.array(
        [
            [0.1, 1.0, -0.13], [0.1, 1.0, 0.13], [0.0, 0.08, -0.1],
            [0.0, 0.08, 0.1], [0.2, 0.05, -0.1], [-0.05, 1.6, 0.01],
        ]
    )  # fmt: skip
    way = np.linspace(0.0, 0.5, frames)
    return at + way[:, None, None] * np.array([1.0, 0.0, 0.0])


def trc_text(
    points: Array,
    labels: Sequence[str] = LABELS,
    *,
    rate: float = 100.0,
    start_s: float = 0.0,
    unit: str = "mm",
    scale: float = 1000.0,
    first: int = 1,
    said_rate: str = "",
    step: int = 3,
    digits: int = 6,
    gap: str = "",
) -> str:
    """Return a TRC file; ``step`` are the columns from a label to the next in the row of labels."""
    told = said_rate or f"{rate:g}"
    counts = f"{told}\t{told}\t{len(points)}\t3\t{unit}\t{told}\t1\t128"
    between = "\t" * step
    lines = [
        "PathFileType\t4\t(X/Y/Z)\tC:\\Users\\Jane Doe\\walk.trc\t\t\t",
        "\t".join(NAMES),
        counts,
        "Frame#\tTime\t" + ("\t" if step == 2 else "") + between.join(labels) + "\t",
        "\t\tX1\tY1\tZ1",
        "",
    ]
    for k, row in enumerate(points):
        cells = [
            gap if np.isnan(v) else f"{scale * v:.{digits}f}" for marker in row for v in marker
        ]
        time = f"{start_s + k / rate:.6f}"
        lines.append("\t".join([str(first + k), time, *cells]) + "\t")
    return "\r\n".join(lines) + "\r\n"


def refusal_of(read: Callable[[], object]) -> str:
    """Return the message of a refusal, empty where a file was read; anything else goes on."""
    try:
        read()
    except FileRefused as error:
        return str(error)
    return ""


FORMS = {
    "simm": ("{a}ground_force_v{x}", "{a}ground_force_p{x}", "{a}ground_torque_{x}", ("", "1_")),
    "test": ("{a}ground_force_v{x}", "{a}ground_force_p{x}", "{a}ground_torque_{x}", ("l_", "r_")),
    "side": ("ground_force_{a}_v{x}", "ground_force_{a}_p{x}", "ground_torque_{a}_{x}", ("r", "l")),
    "run": ("{a}_ground_force_v{x}", "{a}_ground_force_p{x}", "{a}_ground_torque_{x}", ("R", "L")),
    "number": (
        "ground_force_{a}_v{x}",
        "ground_force_{a}_p{x}",
        "ground_force_{a}_m{x}",
        ("1", "2"),
    ),
    "moment": (
        "ground_force_{a}_v{x}",
        "ground_force_{a}_p{x}",
        "ground_moment_{a}_{x}",
        ("1", "2"),
    ),
    "foot": (
        "{a}_foot_force_v{x}",
        "{a}_foot_force_p{x}",
        "{a}_foot_torque_{x}",
        ("right", "left"),
    ),
    "glued": ("ground_force{a}_v{x}", "ground_force{a}_p{x}", "ground_torque{a}_{x}", ("1", "2")),
    "bare": ("force{a}_v{x}", "force{a}_p{x}", "torque{a}_{x}", ("1", "2")),
    "body": (
        "ground_force_calcn_{a}_v{x}",
        "ground_force_calcn_{a}_p{x}",
        "ground_torque_calcn_{a}_{x}",
        ("r", "l"),
    ),
    "numbered": (
        "External_Force_{a}_v{x}",
        "External_Force_{a}_p{x}",
        "External_Torque_{a}_{x}",
        ("1", "2"),
    ),
    "belt": ("Treadmill_{a}_v{x}", "Treadmill_{a}_p{x}", "Treadmill_{a}_moment_{x}", ("R", "L")),
    "reaction": ("grf_{a}_v{x}", "grf_{a}_p{x}", "grf_{a}_m{x}", ("l", "r")),
    "adapter": ("f{a}_{x}", "p{a}_{x}", "m{a}_{x}", ("1", "2")),
    "flattened": ("f{a}_{x}", "p{a}_{x}", "m{a}_{x}", ("1", "2")),
    "torque with a p": (
        "{a}ground_force_v{x}",
        "{a}ground_force_p{x}",
        "{a}ground_torque_p{x}",
        ("", "l_"),
    ),
    "torque with a t": ("grf_{a}_v{x}", "grf_{a}_p{x}", "grf_{a}_t{x}", ("l", "r")),
    "plate": ("FP{a}_v{x}", "FP{a}_p{x}", "FP{a}_moment_{x}", ("1", "2")),
    "point of a plate": ("FP{a}_v{x}", "FP{a}_{x}", "FP{a}_moment_{x}", ("1", "2")),
    "axis last": ("F{a}{x}", "COP{a}{x}", "M{a}{x}", ("1", "2")),
    "electrical centre": ("F{a}{x}", "EC{a}{x}", "M{a}{x}", ("1", "2")),
    "number last": ("F{x}{a}", "COP{x}{a}", "M{x}{a}", ("1", "2")),
    "side last": (
        "ground_force_v{x}_{a}",
        "ground_force_p{x}_{a}",
        "ground_torque_{x}_{a}",
        ("r", "l"),
    ),
    "dots": ("leg0_{a}.grf_{x}", "leg0_{a}.cop_{x}", "leg0_{a}.grm_{x}", ("l", "r")),
    "reporter": ("calcn_{a}_GRF_F{x}", "calcn_{a}_GRF_p{x}", "calcn_{a}_GRF_T{x}", ("l", "r")),
    "glued foot": ("{a}Foot_F{x}", "{a}Foot_P{x}", "{a}Foot_M{x}", ("Left", "Right")),
    "words": ("{a}_grf_{x}", "{a}_cop_{x}", "{a}_free_moment_{x}", ("left", "right")),
    "one name for both": ("ground_force_v{x}", "ground_force_p{x}", "ground_torque_{x}", ("", "")),
}
"""Way to name a force, a point and a torque, and the two that are told apart."""


def step_forces(frames: int, rate: float) -> tuple[Array, Array, Array]:
    """Return force, point and free moment of two steps, (n, 2, 3) each; y up."""
    t = np.arange(frames) / rate
    force, point, torque = np.zeros((3, frames, 2, 3))
    for k, middle in enumerate((0.12, 0.28)):
        load = np.clip(np.sin(np.pi * (t - middle + 0.08) / 0.16), 0.0, None)
        load[np.abs(t - middle) > 0.08] = 0.0
        force[:, k] = load[:, None] * np.array([20.0, 700.0, -30.0])
        point[:, k] = np.array([0.1 + 0.3 * k, 0.0, 0.1 - 0.2 * k]) + 0.2 * t[:, None] * np.array(
            [1, 0, 1]
        )
        torque[:, k, 1] = 5.0 * load
        point[load <= 0.0, k] = (346.0, 0.0, -502.0)
    return force, point, torque


def mot_text(
    times: Array,
    parts: tuple[Array, Array, Array],
    form: str = "side",
    *,
    header: Sequence[str] = ("forces", "version=1", "nRows=121120", "inDegrees=yes"),
) -> str:
    """Return a MOT file of forces, points and torques of shape (n, plates, 3)."""
    *names, sides = FORMS[form]
    if parts[0].shape[1] != len(sides):
        sides = tuple(str(k + 1) for k in range(parts[0].shape[1]))
    axes = "123" if form == "adapter" else "xyz"
    labels, columns = ["time"], [times]
    for k, side in enumerate(sides):
        for name, values in zip(names, parts, strict=True):
            for i, x in enumerate(axes):
                labels.append(name.format(a=side, x=x))
                columns.append(values[:, k, i])
    rows = ["\t".join(f"{v:.8g}" for v in row) for row in np.stack(columns, axis=1)]
    return "\n".join([*header, "endheader\t\t", "\t".join(labels), *rows]) + "\n"


def forces_text(rate: float, parts: tuple[Array, Array, Array]) -> str:
    """Return a ``.forces`` file; mm and N mm."""
    force, point, torque = parts
    plates = range(force.shape[1])
    names = [f"{x}{k + 1}" for k in plates for x in ("FX", "FY", "FZ", "X", "Y", "Z", "MZ")]
    lines = [
        "[Force Data]",
        f"NumberOfForcePlates={force.shape[1]}",
        f"SampleRate={rate:f}",
        f"NumberOfSamples={len(force)}",
        "#Sample\t" + "\t".join(names),
    ]
    for n in range(len(force)):
        cells = [str(n + 1)]
        for k in plates:
            numbers = (*force[n, k], *(1000 * point[n, k]), 1000 * torque[n, k, 1])
            cells += [f"{v:.6f}" for v in numbers]
        lines.append("\t".join(cells))
    return "\n".join(lines) + "\n"


def as_trc(recording: Recording) -> str:
    """Return the markers of a recording as a TRC file, to a nanometre, on the same clock."""
    return trc_text(
        recording.markers_L,
        recording.labels,
        rate=recording.rate_hz,
        start_s=recording.start_s,
        first=recording.first_frame,
    )


def as_mot(recording: Recording, low_n: float = 1.0) -> str:
    """Return the plates of a recording as force, centre of pressure and free moment.

    The z of the plates is down; below ``low_n`` the point is noise divided by noise, as in files.
    """
    parts: list[list[Array]] = [[], [], []]
    for plate in recording.plates:
        R = plate_axes(plate.corners_L)
        F, M = plate.channels[:, :3], plate.channels[:, 3:]
        M = M + np.cross(sensor_offset(plate.origin), F)
        down = np.where(np.abs(F[:, 2]) < low_n, 1e-3, F[:, 2])
        arm = np.stack((-M[:, 1] / down, M[:, 0] / down, 0 * down), axis=1)
        for part, values in zip(parts, (F, arm, M - np.cross(arm, F)), strict=True):
            part.append(values @ R.T)
        parts[1][-1] = parts[1][-1] + plate.corners_L.mean(axis=0)
    force, point, torque = (np.stack(part, axis=1) for part in parts)
    rate = recording.rate_hz * recording.samples_per_frame
    times = recording.start_s + np.arange(len(force)) / rate
    return mot_text(times, (force, point, torque), "number")
