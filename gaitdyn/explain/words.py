"""The free body as lines of text: words first, then every number with its unit and basis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.explain.free_body import FreeBody
    from gaitdyn.types.arrays import Array

_WIDTH = 46


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
        *_forces(body),
        "",
        *_moments(body),
        "",
        *block_lines(body),
    ]


def _sentences(body: FreeBody) -> list[str]:
    """Return what acts on the segment, in words."""
    force = float(np.linalg.norm(body.proximal_G))
    moment = body.proximal_moment_S
    above = body.neighbours[1]
    parts = ["its weight"]
    if np.any(body.ground_G):
        parts.append("the ground")
    if body.distal:
        parts.append(f"the {body.neighbours[0]} at the {body.distal}")
    parts.append(f"the {above} at the {body.proximal}")
    acting = ", ".join(parts[:-1]) + f" and {parts[-1]}"
    turning = "forward" if moment[2] > 0 else "backward"
    return [
        f"{body.side} {body.segment}, frame {body.frame}",
        f"On the {body.segment} act {acting}.",
        f"The {above} must push with {force:.1f} N and turn with {np.linalg.norm(moment):.2f} N m",
        f"(about the axis to the right {abs(moment[2]):.2f} N m, turning the distal end {turning})",
        "so that together they give m a and I alpha + omega x I omega.",
        "G: x forward, y up, z to the right; S: the segment's axes, named alike.",
    ]


def _motion(body: FreeBody) -> list[str]:
    lines = [_heading("body and motion"), _scalar("mass m", body.mass, "kg")]
    named = ("inertia I about the centre of mass", "", "")
    rows = zip(named, body.inertia_S, strict=True)
    lines += [_vector(words, row, "kg m2 S") for words, row in rows]
    lines.append(_vector("centre of mass", body.r_cm_G, "m G"))
    lines.append(_vector(f"arm from it to the {body.proximal}", body.arm_proximal_G, "m G"))
    if body.distal:
        lines.append(_vector(f"arm from it to the {body.distal}", body.arm_distal_G, "m G"))
    lines += [
        _vector("acceleration a of the centre of mass", body.a_cm_G, "m/s2 G"),
        _vector("angular velocity omega", body.omega_S, "rad/s S"),
        _vector("angular acceleration alpha", body.alpha_S, "rad/s2 S"),
    ]
    return lines


def _forces(body: FreeBody) -> list[str]:
    lines = [_heading("forces on the segment"), _vector("weight m g", body.weight_G, "N G")]
    lines.append(_vector("ground", body.ground_G, "N G"))
    if body.distal:
        words = f"{body.neighbours[0]} at the {body.distal}, - F_{body.distal}"
        lines.append(_vector(words, body.distal_G, "N G"))
    words = f"{body.neighbours[1]} at the {body.proximal}, F_{body.proximal}"
    return [
        *lines,
        _vector(words, body.proximal_G, "N G"),
        _vector("sum", body.force_sum_G, "N G"),
        _vector("m a", body.mass_times_acceleration_G, "N G"),
        _vector("residual", body.force_residual_G, "N G"),
    ]


def _moments(body: FreeBody) -> list[str]:
    lines = [
        _heading("moments about the centre of mass"),
        _vector("ground, free moment included", body.ground_moment_S, "N m S"),
    ]
    if body.distal:
        lines += [
            _vector(
                f"force at the {body.distal}, arm x force", body.distal_force_moment_S, "N m S"
            ),
            _vector(
                f"moment at the {body.distal}, - M_{body.distal}", body.distal_moment_S, "N m S"
            ),
        ]
    return [
        *lines,
        _vector(
            f"force at the {body.proximal}, arm x force", body.proximal_force_moment_S, "N m S"
        ),
        _vector(
            f"moment at the {body.proximal}, M_{body.proximal}", body.proximal_moment_S, "N m S"
        ),
        _vector("sum", body.moment_sum_S, "N m S"),
        _vector("I alpha", body.inertial_moment_S, "N m S"),
        _vector("omega x I omega", body.velocity_moment_S, "N m S"),
        _vector("residual", body.moment_residual_S, "N m S"),
    ]


def unknowns(body: FreeBody) -> list[str]:
    """Return the names of the unknowns that the rows hold, from the free end up."""
    return [f"{kind}_{joint}" for joint in body.joints for kind in ("F", "M")]


def block_lines(body: FreeBody) -> list[str]:
    """Return the six rows of the stacked system with their numbers."""
    A, inertial, velocity, gravity, external, f = body.system
    names = unknowns(body)
    first = max(len(names) - 4, 0)  # the foot's rows have one joint, the others two
    lines = [
        "its rows of the stacked system A f = M qdd - C - G - E, rows 1-3 N, 4-6 N m",
        f"A, columns {', '.join(names[first:])}; forces in G, moments in the segment's own axes",
    ]
    for row in A[:, 3 * first :]:
        blocks = row.reshape(-1, 3)
        text = " | ".join(" ".join(_fixed(x, 9, 5) for x in block) for block in blocks)
        lines.append(f"  [{text}]")
    right = inertial - velocity - gravity - external
    named = ("M qdd", "C", "G", "E", "right side", "A f")
    columns = (inertial, velocity, gravity, external, right, A @ f)
    lines.append("  " + " ".join(f"{name:>11s}" for name in named))
    across = zip(*columns, strict=True)
    lines += ["  " + " ".join(_fixed(x, 11, 4) for x in values) for values in across]
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
    """Return a number without a minus sign before zeros."""
    return f"{round(value, digits) + 0.0:{width}.{digits}f}"


def _number(value: float) -> str:
    small = value != 0 and abs(value) < 1e-4  # noqa: PLR2004
    return f"{value:12.3g}" if small else _fixed(value, 12, 5)
