"""Numbers and figures of the page of document 001, on a chain made up here."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from seed_pages.drawing import BLUE, GREEN, GREY, RED, label, legend, panels, save

from gaitdyn.dynamics.stacked import stacked_system
from gaitdyn.dynamics.substitution import solve_by_substitution
from gaitdyn.multibody import AppliedWrench, Body, Tree
from gaitdyn.types.chain import Chain

GRAVITY = (0.0, -9.81, 0.0)
SEGMENTS = ("foot", "shank", "thigh")


def made_up_leg() -> Tree:
    """Return thigh, shank and foot with ball joints as three hinges; round numbers, no person."""
    x, y, z = np.eye(3)
    bodies = [Body("pelvis", None, "free", 1.0, np.zeros(3), 0.01 * np.eye(3))]
    parts = (
        ("thigh", 7.0, (0.0, -0.18, 0.0), (0.12, 0.025, 0.12), (0.0, 0.0, 0.09)),
        ("shank", 3.2, (0.0, -0.18, 0.0), (0.05, 0.006, 0.05), (0.0, -0.42, 0.0)),
        ("foot", 1.0, (0.05, -0.04, 0.0), (0.001, 0.004, 0.004), (0.0, -0.42, 0.0)),
    )
    above = "pelvis"
    for name, mass, com, inertia, p in parts:
        bodies += [
            Body(f"{name}_flexion", above, "revolute", p=np.array(p), axis=z),
            Body(f"{name}_abduction", f"{name}_flexion", "revolute", axis=x),
            Body(
                name, f"{name}_abduction", "revolute", mass, np.array(com), np.diag(inertia),
                axis=y,
            ),
        ]  # fmt: skip
        above = name
    return Tree(bodies, GRAVITY)


def motion(tree: Tree, t: Any) -> tuple[Any, Any, Any]:
    """Return q, v, a: sines of several frequencies at every hinge, the pelvis gliding forward."""
    rng = np.random.default_rng(1)
    n = tree.nv - 6
    size = np.tile([0.35, 0.1, 0.12], 3)
    w, phase = 2 * np.pi * rng.uniform(0.6, 1.6, n), rng.uniform(0, 2 * np.pi, n)
    turn = w * t[:, None] + phase
    glide = np.zeros((len(t), 3))
    glide[:, :2] = np.stack((1.2 * t, np.full_like(t, 0.9)), axis=1)
    q = np.hstack((glide, np.tile([0, 0, 0, 1.0], (len(t), 1)), size * np.sin(turn)))
    v = np.hstack((np.tile([1.2, 0, 0, 0, 0, 0], (len(t), 1)), size * w * np.cos(turn)))
    a = np.hstack((np.zeros((len(t), 6)), -size * w**2 * np.sin(turn)))
    return q, v, a


def arguments(tree: Tree, t: Any) -> tuple[dict[str, Any], Any]:
    """Return the arguments of ``inverse_dynamics`` and the free moment of the ground, upright."""
    q, v, a = motion(tree, t)
    state = tree.state(q, v)
    of = [tree.index[name] for name in SEGMENTS]
    at = [tree.point(state, name, tree.coms[b]) for name, b in zip(SEGMENTS, of, strict=True)]
    seen = [np.einsum("nij,nj->ni", one.J, a) + one.bias for one in at]
    back = [np.swapaxes(state.R[:, b], 1, 2) for b in of]
    s = np.clip(t / t[-1], 0, 1)
    force = np.stack((120 * np.sin(2 * np.pi * s), 750 * np.sin(np.pi * s), 40 * s * (1 - s)), 1)
    free = np.zeros_like(force)
    free[:, 1] = 6 * np.sin(2 * np.pi * s)
    place = at[0].x + [0.08, 0, 0] * (s[:, None] - 0.3)
    place[:, 1] = 0.0
    outside, moment = np.zeros((2, len(t), 3, 3))
    outside[:, 0], moment[:, 0] = force, np.cross(place - at[0].x, force) + free
    turned = [np.einsum("nij,nj->ni", R, one[:, 3:]) for R, one in zip(back, seen, strict=True)]
    spin = [np.einsum("nij,nj->ni", R, state.w[:, b]) for R, b in zip(back, of, strict=True)]
    return {
        "mass": tree.masses[of], "inertia_S": tree.inertias[of], "R_GS": state.R[:, of],
        "r_cm_G": np.stack([one.x for one in at], 1), "r_prox_G": state.p[:, of],
        "a_cm_G": np.stack([one[:, :3] for one in seen], 1), "omega_S": np.stack(spin, 1),
        "alpha_S": np.stack(turned, 1), "external_force_G": outside, "external_moment_G": moment,
        "gravity_G": np.array(GRAVITY),
    }, free  # fmt: skip


def values() -> dict[str, Any]:
    """Return the numbers of the page; draw its figures."""
    t = np.linspace(0.0, 0.6, 121)
    tree = made_up_leg()
    given, free = arguments(tree, t)
    chain = Chain(**given)
    system = stacked_system(chain)
    force, moment = solve_by_substitution(chain)
    solved = np.linalg.solve(system.A, system.right_hand_side[..., None])[..., 0]
    solved = solved.reshape(-1, 3, 2, 3)
    bare = given["external_moment_G"].copy()
    bare[:, 0] -= free
    wrong = solve_by_substitution(replace(chain, external_moment_G=bare))[1]
    missed = np.linalg.norm(wrong - moment, axis=-1)
    flipped = replace(chain, R_GS=np.swapaxes(chain.R_GS, -1, -2))
    R = chain.R_GS
    draw_moments(t, np.einsum("nsij,nsj->nsi", R, moment), np.einsum("nsij,nsj->nsi", R, wrong))
    draw_matrix(system.A)
    third = generalised(tree, t, given)
    leg = system.A[:, :12, :12]
    return {
        "e6_missed": f"{missed.max():.3f}",
        "e6_free": f"{np.abs(free).max():.3f}",
        "e7_wrong": f"{np.abs(solve_by_substitution(flipped)[1] - moment).max():.0f}",
        "e8_det": f"{np.abs(np.linalg.det(leg) - 1).max():.0e}",
        "e8_cond": f"{np.linalg.cond(leg).max():.1f}",
        "e8_gap": f"{np.abs(solved[:, :, 1] - moment).max():.0e}",
        "gap_force": f"{np.abs(solved[:, :, 0] - force).max():.0e}",
        "gap_third": f"{np.abs(third - moment).max():.0e}",
        "frames": len(t),
        "peak_knee": f"{np.abs(moment[:, 1]).max():.0f}",
        **cylinders(),
    }


def generalised(tree: Tree, t: Any, given: dict[str, Any]) -> Any:
    """Return the moments, shape (n, 3, 3), from the generalised forces of the hinges.

    Every hinge's force is the joint's moment along its axis, so three of them are the moment.
    """
    q, v, a = motion(tree, t)
    state = tree.state(q, v)
    r, F = given["r_cm_G"][:, 0], given["external_force_G"][:, 0]
    ground = AppliedWrench("foot", r, F, given["external_moment_G"][:, 0])
    tau = tree.inverse(q, v, a, [ground]).tau
    out = []
    for name in SEGMENTS:
        b = tree.index[name]
        hinges = (b - 2, b - 1, b)
        axes = np.stack([state.R[:, k] @ tree.bodies[k].axis for k in hinges], axis=1)
        forces = np.stack([tau[:, tree.v_at[k]][:, 0] for k in hinges], axis=1)
        moment_G = np.linalg.solve(axes, forces[..., None])
        out.append((np.swapaxes(state.R[:, b], 1, 2) @ moment_G)[..., 0])
    return np.stack(out, axis=1)


def draw_moments(t: Any, right: Any, wrong: Any) -> None:
    """Draw the upright component of the joint moments with and without the free moment."""
    figure, axes = panels(1, 3, 8.4, 2.6)
    for i, (one, word) in enumerate(zip(axes, ("ankle", "knee", "hip"), strict=True)):
        one.plot(t, right[:, i, 1], color=BLUE, lw=1.4, label="with the free moment")
        one.plot(t, wrong[:, i, 1], color=RED, lw=1.2, ls="--", label="without, as printed")
        one.plot(t, wrong[:, i, 1] - right[:, i, 1], color=GREY, lw=1.0, label="difference")
        label(one, word, "time, s", "upright component, N m" if i == 0 else "")
        one.set_ylim(-11, 18)
    legend(axes[0], loc="upper left")
    save(figure, "001-free-moment")


def draw_matrix(A: Any) -> None:
    """Draw where the matrix of foot and shank has entries."""
    figure, (one,) = panels(1, 1, 3.9, 3.7)
    seen = np.abs(A[:, :12, :12]).max(axis=0)
    diagonal = np.eye(12, dtype=bool)
    for mask, colour, word in (
        (diagonal, GREY, "1"),
        ((seen > 1e-12) & ~diagonal, BLUE, "arm or rotation"),
        (np.eye(12, k=-6, dtype=bool) & (np.arange(12) < 9)[:, None], GREEN, "-1"),
    ):
        rows, columns = np.nonzero(mask)
        one.scatter(columns, rows, s=70, marker="s", color=colour, label=word)
    for edge in (2.5, 5.5, 8.5):
        one.axhline(edge, color=GREY, lw=0.6)
        one.axvline(edge, color=GREY, lw=0.6)
    one.grid(visible=False)
    one.set(xlim=(-0.6, 11.6), ylim=(11.6, -0.6), aspect="equal")
    one.set_xticks([1, 4, 7, 10], ["$F_A^G$", "$M_A^F$", "$F_K^G$", "$M_K^S$"])
    one.set_yticks(
        [1, 4, 7, 10], ["foot,\nforce", "foot,\nmoment", "shank,\nforce", "shank,\nmoment"]
    )
    legend(one, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)
    save(figure, "001-matrix")


def two_cylinders() -> Tree:
    """Return two solid cylinders on ball joints: problem 2 of the document."""

    def cylinder(mass: float, length: float, radius: float) -> Any:
        across = mass * (3 * radius**2 + length**2) / 12
        return np.diag([across, mass * radius**2 / 2, across])

    upper = Body("upper", None, "ball", 1.0, np.array([0, -0.25, 0]), cylinder(1.0, 0.5, 0.03))
    lower = Body(
        "lower", "upper", "ball", 0.7, np.array([0, -0.2, 0]), cylinder(0.7, 0.4, 0.025),
        np.array([0, -0.5, 0]),
    )  # fmt: skip
    return Tree([upper, lower], GRAVITY)


def cylinders() -> dict[str, Any]:
    """Let two cylinders go, draw the path of their ends, hold their equations to each other."""
    from gaitdyn.multibody.simulate import integrate

    tree = two_cylinders()

    def rate(_: float, y: Any) -> Any:
        q = tree.normalised(y[:8])
        return np.r_[tree.qdot(q, y[8:])[0], tree.forward(q, y[8:], np.zeros((1, 6)))[0]]

    start = np.r_[
        tree.normalised(np.array([0.5, 0, 0.3, 1, -0.2, 0, 0.4, 1.0])), 1, 2, -1.5, 0.5, -3, 2
    ]
    t = np.linspace(0, 3, 301)
    y = integrate(rate, start, t, tolerance=1e-12)
    q, v = tree.normalised(y[:, :8]), y[:, 8:]
    state = tree.state(q, v)
    energy = tree.energy(state).total
    a = tree.forward(q, v, np.zeros_like(v))
    tip = tree.point(state, "lower", [0, -0.4, 0]).x
    joint = state.p[:, 1]
    figure, axes = panels(1, 2, 6.4, 2.9)
    for one, across, up, words in zip(
        axes, (0, 0), (1, 2), (("side view", "x, m", "y, m"), ("from above", "x, m", "z, m")),
        strict=True,
    ):  # fmt: skip
        one.plot(joint[:, across], joint[:, up], color=GREY, lw=0.9, label="joint")
        one.plot(tip[:, across], tip[:, up], color=BLUE, lw=0.9, label="free end")
        one.plot(0, 0, "ko", ms=3)
        one.set_aspect("equal")
        label(one, *words)
    axes[1].invert_yaxis()
    legend(axes[0], loc="upper right")
    save(figure, "001-cylinders")
    return {
        "cylinder_energy": f"{np.abs(energy - energy[0]).max():.0e}",
        "cylinder_back": f"{np.abs(tree.inverse(q, v, a).tau).max():.0e}",
    }
