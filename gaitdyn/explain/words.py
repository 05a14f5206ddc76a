"""The free body as the lines of ``gaitdyn explain``, and as plain values for ``--json``."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.explain.free_body import FreeBody
from gaitdyn.types.arrays import Array

_WIDTH = 46

_MOTION = (
    ("centre of mass", "r_cm_G"),
    ("arm from it to the {proximal}", "arm_proximal_G"),
    ("arm from it to the {distal}", "arm_distal_G"),
    ("acceleration a of the centre of mass", "a_cm_G"),
    ("angular velocity omega", "omega_S"),
    ("angular acceleration alpha", "alpha_S"),
)
_FORCES = (
    ("weight m g", "weight_G"),
    ("ground", "ground_G"),
    ("{below} at the {distal}, - F_{distal}", "distal_G"),
    ("{above} at the {proximal}, F_{proximal}", "proximal_G"),
    ("sum", "force_sum_G"),
    ("m a", "mass_times_acceleration_G"),
    ("residual", "force_residual_G"),
)
_MOMENTS = (
    ("ground, free moment included", "ground_moment_S"),
    ("force at the {distal}, arm x force", "distal_force_moment_S"),
    ("moment at the {distal}, - M_{distal}", "distal_moment_S"),
    ("force at the {proximal}, arm x force", "proximal_force_moment_S"),
    ("moment at the {proximal}, M_{proximal}", "proximal_moment_S"),
    ("sum", "moment_sum_S"),
    ("I alpha", "inertial_moment_S"),
    ("omega x I omega", "velocity_moment_S"),
    ("residual", "moment_residual_S"),
)
"""Rows of label and quantity; a foot or hand has no rows for a distal joint."""

_TURNINGS = {
    "shank": ("the distal end forward", "the distal end backward"),
    "foot": ("the toes up (dorsiflexor)", "the toes down (plantarflexor)"),
}
"""What a moment about the axis to the right does, positive and negative: to segments that hang, and
to the foot, which points forward."""

_TOLD_N = 0.05
"""N; the ground acts from here on: filters leave less of it to the swing, which is told as 0.0."""

UNITS = {
    **dict.fromkeys(("r_cm_G", "r_prox_G", "r_dist_G", "arm_proximal_G", "arm_distal_G"), "m"),
    "a_cm_G": "m/s2",
    "omega_S": "rad/s",
    "alpha_S": "rad/s2",
    "inertia_S": "kg m2",
    "R_GS": "1",
    **{name: "N" for _, name in _FORCES},
    **{name: "N m" for _, name in _MOMENTS},
}
"""Vectors and matrices of a free body -> their unit; the last letter is the basis."""


def free_body_lines(body: FreeBody) -> list[str]:
    """Return the lines that ``gaitdyn explain`` prints.

    Parameters
    ----------
    body : FreeBody
    """
    return [
        *_sentences(body),
        "",
        *_motion(body),
        "",
        *_rows(body, "forces on the segment", _FORCES),
        "",
        *_rows(body, "moments about the centre of mass", _MOMENTS),
        "",
        *block_lines(body),
    ]


def _sentences(body: FreeBody) -> list[str]:
    """Return sentences on the forces and moments that act on the segment."""
    force = float(np.linalg.norm(body.proximal_G))
    moment = body.proximal_moment_S
    size = float(np.linalg.norm(moment))
    above = body.neighbours[1]
    parts = ["its weight"]
    if float(np.linalg.norm(body.ground_G)) >= _TOLD_N:
        parts.append("the ground")
    if body.distal:
        parts.append(f"the {body.neighbours[0]} at the {body.distal}")
    parts.append(f"the {above} at the {body.proximal}")
    acting = ", ".join(parts[:-1]) + f" and {parts[-1]}"
    ahead, behind = _TURNINGS.get(body.segment, _TURNINGS["shank"])
    turning = ahead if moment[2] > 0 else behind
    return [
        f"{body.side} {body.segment}, frame {body.frame}",
        f"The {body.segment} is acted on by {acting}.",
        f"The {above} must exert a force of {force:.1f} N and a moment of {size:.2f} N m",
        f"(about the axis to the right {abs(moment[2]):.2f} N m, turning {turning})",
        "so that the sums equal m a and I alpha + omega x I omega.",
        "G: x forward, y up, z to the right; S: axes of the segment, with the same names.",
    ]


def _motion(body: FreeBody) -> list[str]:
    labels = ("inertia I about the centre of mass", "", "")
    rows = zip(labels, body.inertia_S, strict=True)
    head, *lines = _rows(body, "body and motion", _MOTION)
    inertia = (_vector(words, row, "kg m2 S") for words, row in rows)
    return [head, _scalar("mass m", body.mass, "kg"), *inertia, *lines]


def _rows(body: FreeBody, title: str, rows: tuple[tuple[str, str], ...]) -> list[str]:
    """Return a heading and one line for each row that applies to this segment."""
    below, above = body.neighbours
    names = {"below": below, "above": above, "proximal": body.proximal, "distal": body.distal}
    return [
        _heading(title),
        *(
            _vector(words.format(**names), getattr(body, name), f"{UNITS[name]} {name[-1]}")
            for words, name in rows
            if body.distal or "{distal}" not in words
        ),
    ]


def unknowns(body: FreeBody) -> list[str]:
    """Return the names of the unknowns in the rows, from the free end up."""
    return [f"{kind}_{joint}" for joint in body.joints for kind in ("F", "M")]


def block_lines(body: FreeBody) -> list[str]:
    """Return lines with the numbers of the six rows of the stacked system."""
    A, inertial, velocity, gravity, external, f = body.system
    names = unknowns(body)
    first = max(len(names) - 4, 0)  # a foot's rows contain one joint, all others two
    lines = [
        "rows of the stacked system A f = M qdd - C - G - E, rows 1-3 N, 4-6 N m",
        f"A, columns {', '.join(names[first:])}; forces in G, moments in segment axes",
    ]
    for row in A[:, 3 * first :]:
        blocks = row.reshape(-1, 3)
        text = " | ".join(" ".join(_fixed(x, 9, 5) for x in block) for block in blocks)
        lines.append(f"  [{text}]")
    right_side = inertial - velocity - gravity - external
    labels = ("M qdd", "C", "G", "E", "right side", "A f")
    columns = (inertial, velocity, gravity, external, right_side, A @ f)
    lines.append("  " + " ".join(f"{name:>11s}" for name in labels))
    rows_of_numbers = zip(*columns, strict=True)
    lines += ["  " + " ".join(_fixed(x, 11, 4) for x in values) for values in rows_of_numbers]
    for name, values in zip(names[first:], f.reshape(-1, 3)[first:], strict=True):
        lines.append(_vector(f"f: {name}", values, "N G" if name[0] == "F" else "N m S"))
    lines.append(_scalar("largest residual of the rows", body.row_residual, ""))
    return lines


def _heading(words: str) -> str:
    return f"{words:{_WIDTH}s} {'x':>12s} {'y':>12s} {'z':>12s}"


def _vector(words: str, values: Array, unit: str) -> str:
    numbers = " ".join(_number(x) for x in values)
    return f"  {words:{_WIDTH - 2}s} {numbers}  {unit}"


def _scalar(words: str, value: float, unit: str) -> str:
    return f"  {words:{_WIDTH - 2}s} {_number(value)}  {unit}".rstrip()


def _fixed(value: float, width: int, digits: int) -> str:
    """Format a number; a rounded zero has no minus sign."""
    return f"{round(value, digits) + 0.0:{width}.{digits}f}"


def _number(value: float) -> str:
    small = value != 0 and abs(value) < 1e-4  # noqa: PLR2004
    return f"{value:12.3g}" if small else _fixed(value, 12, 5)


_SYSTEM = ("A", "M_qdd", "C", "G", "E", "f")


def free_body_document(body: FreeBody) -> dict[str, Any]:
    """Return a free body as plain values; unknown values are null.

    Parameters
    ----------
    body : FreeBody
    """
    values = {
        name: {"unit": unit, "basis": name.rpartition("_")[2], "value": _plain(getattr(body, name))}
        for name, unit in UNITS.items()
    }
    values["R_GS"]["basis"] = "S to G"
    system = {n: _plain(v) for n, v in zip(_SYSTEM, body.system, strict=True)}
    return {
        "side": body.side,
        "segment": body.segment,
        "frame": body.frame,
        "proximal_joint": body.proximal,
        "distal_joint": body.distal or None,
        "mass": {"unit": "kg", "value": body.mass},
        **values,
        "system": {"unknowns": unknowns(body), **system, "largest_residual": body.row_residual},
    }


def _plain(values: np.ndarray) -> Any:
    return None if np.isnan(values).any() else values.tolist()
