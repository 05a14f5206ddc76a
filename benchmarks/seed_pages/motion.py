"""Numbers and figures of the page of document 004."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from scipy.optimize import linprog
from seed_pages.drawing import BLUE, COLOURS, GREEN, GREY, INK, RED, label, legend, panels, save

from gaitdyn.multibody import (
    Support,
    com_coordinates,
    coriolis_tensor,
    driven,
    induced,
    supported,
    wrench_margin,
)
from gaitdyn.multibody.systems import simulate
from gaitdyn.multibody.systems.biped_body import CORNERS, HALF, SOLE, biped, foot, holding, soles
from gaitdyn.multibody.systems.manipulator import manipulator
from gaitdyn.multibody.systems.sliding_block import FrictionBlock

MU = 0.7


def values() -> dict[str, Any]:
    """Return the numbers of the page; draw its figures."""
    draw_block()
    return {**arm(), **standing(), **pushed(), **cone(), **block(), **tensors()}


def tensors() -> dict[str, str]:
    """Return what the whole Coriolis tensor of the biped costs."""
    import time

    tree, q, v = posture()
    times = []
    for call in (lambda: tree.dynamics(tree.state(q, v)), lambda: coriolis_tensor(tree, q)):
        call()
        begun = time.process_time()
        call()
        times.append(time.process_time() - begun)
    pairs = tree.nv * (tree.nv + 1) // 2
    return {"tensor_pairs": str(pairs), "tensor_cost": f"{times[1] / times[0]:.0f}"}


def arm() -> dict[str, str]:
    """Return the errors that the manipulator shows (E21, E25)."""
    tree, rng = manipulator(), np.random.default_rng(5)
    q, v = rng.uniform(-1, 1, (2, 8, tree.nv))
    state = tree.state(q, v)
    M, _, g = tree.dynamics(state)
    J = tree.com(state).J
    condensed = np.einsum("nij,i->nj", J, tree.masses.sum() * tree.gravity)
    constant = np.zeros_like(M)
    for b, body in enumerate(tree.bodies):
        one = tree.point(state, body.name, body.com).J
        constant += body.mass * np.swapaxes(one[:, :3], 1, 2) @ one[:, :3]
        constant += np.swapaxes(state.Jw[:, b], 1, 2) @ body.inertia @ state.Jw[:, b]
    return {
        "e21_gap": f"{np.abs(condensed - g).max():.0e}",
        "e25_gap": f"{np.abs(constant - M).max():.2f}",
    }


@cache
def posture() -> tuple[Any, Any, Any]:
    """Return the biped on its right foot, bent, moving; q and v of one frame."""
    _, run = simulate("biped", ["feet=right"], duration_s=0.1)
    tree = biped()
    q = run.q[0]
    rng = np.random.default_rng(6)
    J = tree.point(tree.state(q, np.zeros(18)), foot("R"), SOLE).J[0]
    v = rng.normal(size=18)
    return tree, q, 3 * (v - np.linalg.pinv(J) @ (J @ v))  # a motion that keeps the sole still


def standing() -> dict[str, Any]:
    """Return what a biped on one foot shows; draw who accelerates it."""
    tree, q, v = posture()
    state = tree.state(q, v)
    tau = holding(tree, state, "R")
    sole = soles("R")
    qdd, w = supported(tree, state, tau, sole)
    centre = tree.com(state)
    a_com = np.einsum("nij,nj->ni", centre.J, qdd) + centre.bias
    mass = tree.masses.sum()
    corners = [Support(foot("R"), corner, "point") for corner in CORNERS]
    again, forces = supported(tree, state, tau, corners, redundant="allow")
    shares = induced(tree, state, tau, sole)
    total = sum(part.a_com for part in shares.values())
    turned = com_coordinates(tree, state)
    g = tree.dynamics(state).g[0]
    draw_sources(shares, a_com[0])
    h = 1e-6
    one, two = (tree.state(moved(tree, q, v, s * h), v) for s in (1, -1))
    rate = (tree.point(one, foot("R"), SOLE).J - tree.point(two, foot("R"), SOLE).J) @ v / (2 * h)
    bias = tree.point(state, foot("R"), SOLE).bias
    return {
        "e22_shape": str(driven(tree).shape),
        "e23_gap": f"{np.abs(rate - bias).max():.0e}",
        "newton": f"{np.abs(mass * (a_com - tree.gravity) - w[:, :3]).max():.0e}",
        "corner_gap": f"{np.abs(again - qdd).max() / np.abs(qdd).max():.0e}",
        "corner_sum": f"{np.abs(forces.reshape(-1, 4, 3).sum(axis=1) - w[:, :3]).max():.0e}",
        "share_gap": f"{np.abs(total - a_com).max():.0e}",
        "g_before": numbers(g), "g_after": numbers(turned.g[0]),
        "coupling": f"{np.abs(turned.M[0, :3, 3:]).max():.0e}",
    }  # fmt: skip


def moved(tree: Any, q: Any, v: Any, h: float) -> Any:
    """Return coordinates a short time later, by two halves of the midpoint rule."""
    middle = tree.normalised(q + 0.5 * h * tree.qdot(q, v)[0])
    return tree.normalised(q + h * tree.qdot(middle, v)[0])


def numbers(values: Any) -> str:
    """Return a vector in few digits."""
    clean = np.where(np.abs(values) < 0.05, 0.0, values)
    return "(" + ", ".join(f"{x:.1f}".removesuffix(".0") if x else "0" for x in clean) + ")"


def draw_sources(shares: dict[str, Any], a_com: Any) -> None:
    """Draw the upward and forward acceleration of the centre of mass by source."""
    names = [name for name, part in shares.items() if np.abs(part.a_com[0, :2]).max() > 0.02]
    figure, axes = panels(1, 2, 7.6, 3.4)
    for one, k, word in zip(axes, (1, 0), ("upward", "forward"), strict=True):
        sizes = [shares[name].a_com[0, k] for name in names]
        colours = [RED if name in ("gravity", "velocity") else BLUE for name in names]
        one.barh([name.replace("_", " ") for name in names], sizes, color=colours, height=0.7)
        one.axvline(a_com[k], color=INK, lw=1.0, ls="--")
        one.invert_yaxis()
        label(one, f"{word}, m/s²; dashed: all sources together")
    axes[1].set_yticklabels([])
    save(figure, "004-induced")


def pushed() -> dict[str, str]:
    """Push the biped on one foot, gently and hard; draw posture, wrench and margin."""
    runs = {
        f: simulate("biped", ["feet=right", f"push_x={f}"], duration_s=0.6)[1] for f in (50, 250)
    }
    figure, axes = panels(1, 3, 8.8, 3.0)
    strong = runs[250]
    for line in strong.sticks:
        axes[0].plot(*side_view(line[0]).T, color=BLUE, lw=1.8)
        axes[0].plot(*side_view(line[-1]).T, color=GREY, lw=1.0)
    table = {t.name: t for t in strong.tables}["contact"]
    force = table.values[0, :3]
    foot_at = side_view(strong.sticks[2][0]).mean(axis=0)
    axes[0].annotate(
        "", xy=(foot_at[0] + force[0] / 1500, force[1] / 1500), xytext=(foot_at[0], 0.0),
        arrowprops={"arrowstyle": "-|>", "color": RED, "lw": 1.6},
    )  # fmt: skip
    axes[0].set_aspect("equal", adjustable="datalim")
    label(axes[0], "start (blue), after 0.6 s (grey)", "forward, m", "up, m")
    for i, (word, colour) in enumerate((("forward", RED), ("up", BLUE), ("right", GREEN))):
        axes[1].plot(strong.time_s, table.values[:, i], color=colour, lw=1.2, label=word)
    axes[1].set_ylim(top=1050)
    label(axes[1], "force of the floor, push of 250 N", "time, s", "N")
    legend(axes[1], ncols=3, loc="upper left")
    least = {}
    for (f, run), colour in zip(runs.items(), (BLUE, RED), strict=True):
        margin = {t.name: t for t in run.tables}["contact"].values[:, 8]
        least[f] = float(np.nanmin(margin))
        axes[2].plot(run.time_s, margin, color=colour, lw=1.3, label=f"push of {f} N")
    axes[2].axhline(0, color=INK, lw=0.8)
    label(axes[2], "margin of the cone / normal force", "time, s", "m")
    legend(axes[2])
    save(figure, "004-pushed")
    leaves = [note for note in strong.notes if "leaves" in note]
    return {
        "gentle": f"{least[50]:.3f}",
        "leaves": leaves[0].split(":")[0] if leaves else "stays inside",
    }


def side_view(line: Any) -> Any:
    """Return forward and up of points."""
    return line[:, :2]


def cone() -> dict[str, str]:
    """Hold the 16 inequalities to a linear programme over the corners; draw a slice of the cone."""
    rng = np.random.default_rng(7)
    X, Y = HALF
    inner = MU / np.sqrt(2)
    corners = [(x, y) for x in (X, -X) for y in (Y, -Y)]
    columns = []
    for x, y in corners:
        columns.append(np.vstack((np.eye(3), [[0, 0, y], [0, 0, -x], [-y, x, 0]])))
    A_eq = np.hstack(columns)
    rows = []
    for i in range(4):
        for axis, sign in ((0, 1), (0, -1), (1, 1), (1, -1)):
            row = np.zeros(12)
            row[3 * i + axis], row[3 * i + 2] = sign, -inner
            rows.append(row)
    apart = inside = 0
    samples = 300
    for _ in range(samples):
        fz = rng.uniform(200, 900)
        w = fz * np.r_[rng.uniform(-0.6, 0.6, 2), 1, rng.uniform(-1.2, 1.2, 2) * [Y, X], 0]
        w[5] = fz * rng.uniform(-0.08, 0.08)
        found = linprog(
            np.zeros(12), A_ub=np.array(rows), b_ub=np.zeros(16), A_eq=A_eq, b_eq=w,
            bounds=(None, None),
        )  # fmt: skip
        holds = bool(wrench_margin(w, X, Y, MU) >= 0)
        apart += holds != found.success
        inside += holds
    draw_cone()
    return {"samples": str(samples), "apart": str(apart), "inside": str(inside)}


def draw_cone() -> None:
    """Draw slices of the wrench cone."""
    X, Y = HALF
    figure, axes = panels(1, 2, 8.6, 2.6)
    fx, place = np.meshgrid(np.linspace(-0.55, 0.55, 221), np.linspace(-0.14, 0.14, 221))
    zero = np.zeros_like(fx)
    for turn, colour in ((0.0, BLUE), (0.03, GREEN), (0.06, RED)):
        w = np.stack((fx, zero, zero + 1, zero, -place, zero + turn), axis=-1)
        axes[0].contour(fx, place, wrench_margin(w, X, Y, MU), [0], colors=[colour], linewidths=1.4)
        axes[0].plot([], [], color=colour, label=f"free moment {turn:g} m per N")
    label(axes[0], "pressure and friction", "forward force / normal", "centre of pressure, m")
    fy, turn = np.meshgrid(np.linspace(-0.55, 0.55, 221), np.linspace(-0.1, 0.1, 221))
    for at, colour in ((0.0, BLUE), (0.06, GREEN), (0.1, RED)):
        w = np.stack((zero, fy, zero + 1, zero, zero - at, turn), axis=-1)
        axes[1].contour(fy, turn, wrench_margin(w, X, Y, MU), [0], colors=[colour], linewidths=1.4)
        axes[1].plot([], [], color=colour, label=f"pressure {at:g} m forward")
    label(axes[1], "turning and friction", "sideward force / normal", "free moment / normal, m")
    for one in axes:
        legend(one, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=1.2)
    save(figure, "004-cone")


def block() -> dict[str, str]:
    """Return the acceleration of a block that slides backwards, true and printed."""
    one = FrictionBlock()
    return {
        "e24_true": f"{one.acceleration(20.0, -1.0):.3f}",
        "e24_printed": f"{20.0 / one.m - one.mu_k * one.g:.3f}",
        "stick": f"{one.mu_s * one.m * one.g:.1f}",
    }


def draw_block() -> None:
    """Draw how a block comes to rest, and how the printed equation has it turn round."""
    one = FrictionBlock()
    t = np.linspace(0, 1.2, 241)
    figure, (axes,) = panels(1, 1, 4.6, 2.5)
    for push, colour in zip((0.0, 10.0, 25.0), COLOURS, strict=False):
        axes.plot(t, one.motion(push, 0.0, 1.0, t)[1], color=colour, lw=1.4, label=f"{push:g} N")
        axes.plot(t, 1 + (push / one.m - one.mu_k * one.g) * t, color=colour, lw=0.9, ls="--")
    axes.set_ylim(-1.5, 2.6)
    label(axes, "velocity of the block; dashed: as printed", "time, s", "m/s")
    legend(axes, loc="upper left", ncols=3)
    save(figure, "004-block")
