"""Numbers and figures of the page of document 003."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation
from seed_pages.drawing import BLUE, COLOURS, GREEN, GREY, RED, label, legend, panels, save

from gaitdyn.errors import SingularPosture
from gaitdyn.multibody import Body, Tree, crank_slider, four_bar, four_bar_transmission, recursive
from gaitdyn.multibody.systems import simulate

if TYPE_CHECKING:
    from gaitdyn.multibody import Loop
    from gaitdyn.multibody.joints import Joint
    from gaitdyn.types.arrays import Array

STUCK: dict[str, Any] = {"l1": 4.0, "l2": 3.0, "l3": 2.5, "l4": 3.0}
"""A four-bar that cannot turn round."""


def values() -> dict[str, Any]:
    """Return the numbers of the page; draw its figures."""
    draw_loops()
    return {**symbolic_cost(), **recursions(), **cardan(), **dead_centre(), **moving(), **shapes()}


def made_up_tree() -> Tree:
    """Return five joints, one of them prismatic, with a branch; round numbers."""
    rng = np.random.default_rng(3)
    x, y, z = np.eye(3)
    rows: tuple[tuple[str, str | None, Joint, Array], ...] = (
        ("base", None, "revolute", z), ("slide", "base", "prismatic", x),
        ("arm", "slide", "revolute", y), ("hand", "arm", "revolute", x),
        ("branch", "base", "revolute", y),
    )  # fmt: skip
    bodies = []
    for name, parent, joint, axis in rows:
        turn = Rotation.from_rotvec(rng.uniform(-1, 1, 3)).as_matrix()
        inertia = turn @ np.diag(rng.uniform(0.05, 0.08, 3)) @ turn.T
        place = np.zeros(3) if parent is None else rng.uniform(-0.4, 0.4, 3)
        com = rng.uniform(-0.3, 0.3, 3)
        bodies.append(Body(name, parent, joint, rng.uniform(1, 4), com, inertia, place, axis))
    return Tree(bodies, (0.0, 0.0, -9.81))


def chain(joints: int) -> Tree:
    """Return a planar chain of hinges."""
    rod, x = np.diag([0.0, 0.1, 0.1]), np.array([1.0, 0.0, 0.0])
    return Tree(
        [
            Body(f"b{i}", f"b{i - 1}" if i else None, "revolute", 1.0 + i, 0.3 * x, rod,
                 0.5 * x * (i > 0))
            for i in range(joints)
        ],
        (0.0, -9.81, 0.0),
    )  # fmt: skip


def symbolic_cost() -> dict[str, str]:
    """Return the rows of what derivations of 2 to 7 joints cost."""
    import time

    import sympy as sp

    lines = []
    for joints in range(2, 8):
        begun = time.process_time()
        found = chain(joints).symbolic()
        spent = time.process_time() - begun
        operations = int(sp.count_ops(found.M)) + int(sp.count_ops(found.h))
        lines.append(f"| {joints} | {spent:.1f} | {operations} |")
    return {"symbolic_cost": "\n".join(lines)}


def recursions() -> dict[str, str]:
    """Return how far the printed and the corrected recursion are from the Jacobian form."""
    tree, rng = made_up_tree(), np.random.default_rng(4)
    off = {"e18_M": 0.0, "e18_ok": 0.0, "e19_C": 0.0, "e19_ok": 0.0, "e20_wrong": 0.0}
    for _ in range(5):
        q, qd = rng.uniform(-1, 1, (2, tree.nv))
        M, c, g = (part[0] for part in tree.dynamics(tree.state(q, qd)))
        wrong, right = (
            [part[0] for part in recursive(tree, q, qd, printed=p)] for p in (True, False)
        )
        found = (wrong[0] - M, right[0] - M, wrong[1] - c + g, right[1] - c + g, right[1] - g + c)
        for key, part in zip(off, found, strict=True):
            off[key] = max(off[key], float(np.abs(part).max()))
    words = {k: f"{v:.0e}" if k.endswith("ok") else f"{v:.1f}" for k, v in off.items()}
    return {**words, "e20_ok": words["e19_ok"]}


def cardan() -> dict[str, str]:
    """Return the moment of a force on a point of a body by three formulas (E17)."""
    angles = np.array([0.4, 0.7, -0.3])
    point, force = np.array([0.5, -0.2, 0.3]), np.array([1.0, 2.0, -1.5])

    def turn(a: Any) -> Any:
        return Rotation.from_euler("XYZ", a).as_matrix()

    h = 1e-6
    slope = np.stack(
        [(turn(angles + h * e) - turn(angles - h * e)) @ point / (2 * h) for e in np.eye(3)], axis=1
    )
    y, z = turn([0, angles[1], angles[2]]), turn([0, 0, angles[2]])
    H = np.stack((y.T @ [1, 0, 0], z.T @ [0, 1, 0], np.array([0, 0, 1.0])), axis=1)
    printed = slope.T @ force
    corrected = np.linalg.solve(H.T, printed)
    true = np.cross(point, turn(angles).T @ force)
    found = {"printed": printed, "corrected": corrected, "true": true}
    return {f"e17_{k}": "(" + ", ".join(f"{x:.3f}" for x in v) + ")" for k, v in found.items()}


def ends(loop: Any, q: Any, chain: tuple[tuple[str, tuple[float, float, float]], ...]) -> Any:
    """Return places of points of bodies, shape (n, points, 2)."""
    state = loop.tree.state(q, np.zeros_like(q))
    return np.stack([loop.tree.point(state, b, r).x[:, :2] for b, r in chain], axis=1)


def draw_loops() -> None:
    """Draw three loops in many positions."""
    figure, axes = panels(1, 3, 8.6, 3.0)
    turn = np.linspace(0, 2 * np.pi, 13)[:-1, None]
    bars = four_bar()
    q = bars.close(turn, branch=1)
    o = (0.0, 0.0, 0.0)
    lines = ends(
        bars, q, (("crank", o), ("crank", (4, 0, 0)), ("coupler", (4, 0, 0)), ("rocker", o))
    )
    slider = crank_slider()
    qs = slider.close(turn, branch=1)
    rods = ends(slider, qs, (("crank", o), ("crank", (0.5, 0, 0)), ("slider", o)))
    tele = four_bar_transmission()
    u = np.stack((np.linspace(0.9, 1.5, 7), np.linspace(-0.6, -1.2, 7)), axis=1)
    qt = tele.close(u, branch=1)
    bars2 = ends(
        tele, qt,
        (("first", o), ("first", (0.06, 0, 0)), ("second", (0.065, 0, 0)), ("tube", o)),
    )  # fmt: skip
    for one, found, word in zip(
        axes, (lines, rods, bars2), ("four-bar", "crank-slider", "four-bar transmission"),
        strict=True,
    ):  # fmt: skip
        for i, line in enumerate(found):
            colour = COLOURS[i % len(COLOURS)]
            one.plot(*line.T, "-", color=colour, lw=0.9, alpha=0.75)
            one.plot(*line.T, ".", color=colour, ms=3)
        one.set_aspect("equal", adjustable="datalim")
        label(one, word, "m", "m" if one is axes[0] else "")
    for one, ground in zip(
        axes, (((0, 1), (0, 0)), ((0,), (0,)), ((0, 0.05), (0, 0))), strict=True
    ):
        one.plot(*ground, "ks", ms=4)
    save(figure, "003-loops")


def dead_centre() -> dict[str, str]:
    """Return where a four-bar that cannot turn round gets stuck; draw velocities up to there."""
    loop = four_bar(**STUCK)
    span = STUCK["l3"] + STUCK["l4"]
    cosine = (STUCK["l1"] ** 2 + STUCK["l2"] ** 2 - span**2) / (2 * STUCK["l1"] * STUCK["l2"])
    limit = float(np.arccos(cosine))
    angles = np.concatenate(
        (np.linspace(0.6, limit - 0.02, 60), limit - np.geomspace(0.02, 1e-5, 30))
    )
    v, q = np.array([-1.2, 1.2]), []
    for angle in angles:
        q.append(loop.close([angle], v, 1)[0])
        v = q[-1][1:]
    q = np.array(q)
    J = loop.equations(q, np.zeros_like(q)).J
    values = np.linalg.svd(J[:, :, 1:], compute_uv=False)
    B = loop.velocities(q, np.ones((len(q), 1)))[:, 1:]
    figure, axes = panels(1, 3, 8.8, 2.7)
    bars = four_bar()
    turn = np.linspace(0, 2 * np.pi, 121)[:, None]
    whole = bars.close(turn, branch=1)
    rates = bars.velocities(whole, np.ones((len(turn), 1)))[:, 1:]
    for k, (word, colour) in enumerate((("coupler", BLUE), ("rocker", RED))):
        axes[0].plot(turn[:, 0], rates[:, k], color=colour, lw=1.3, label=word)
        axes[1].plot(angles, B[:, k], color=colour, lw=1.3, label=word)
    axes[1].axvline(limit, color=GREY, ls="--", lw=0.9)
    axes[1].set_ylim(-8, 8)
    axes[2].semilogy(limit - angles, values[:, 1] / values[:, 0], color=GREEN)
    axes[2].set_xscale("log")
    label(
        axes[0],
        "the document's four-bar: B",
        "angle of the crank, rad",
        "rate per rate of the crank",
    )
    label(axes[1], "one with a dead centre: B", "angle of the crank, rad")
    label(axes[2], "singular values of $h_v$, ratio", "distance from the dead centre, rad")
    legend(axes[0])
    save(figure, "003-dead-centre")
    return {"limit": f"{limit:.4f}", "says": _refusal(loop, limit, q[-1, 1:])}


def _refusal(loop: Loop, angle: float, v: Array) -> str:
    """Return what a loop says that cannot be closed at an angle of its crank."""
    try:
        loop.close([angle], v, 1)
    except SingularPosture as error:
        return str(error)
    raise AssertionError("the loop is closed at its dead centre")


def moving() -> dict[str, str]:
    """Let the loops go; draw motion, pin force and energy of the four-bar."""
    notes: dict[str, str] = {}
    figure, axes = panels(1, 3, 8.8, 2.6)
    for k, name in enumerate(("four-bar", "crank-slider", "four-bar-transmission")):
        _, run = simulate(name)
        loop = (four_bar, crank_slider, four_bar_transmission)[k]()
        both = loop.multipliers(run.q, run.qd, np.zeros(loop.tree.nv))
        other = loop.forward(run.q, run.qd, np.zeros(loop.tree.nv))
        key = name.replace("-", "_")
        notes[f"{key}_gap"] = run.notes[0].rsplit(" ", 2)[1]
        notes[f"{key}_energy"] = f"{np.abs(run.imbalance_j()).max():.0e}"
        notes[f"{key}_same"] = f"{np.abs(both.qdd - other).max() / np.abs(other).max():.0e}"
        if name == "crank-slider":
            axes[0].plot(run.time_s, run.q[:, 0], color=BLUE, lw=1.3)
            label(axes[0], "crank-slider: angle of the crank", "time, s", "rad")
            for i, colour in enumerate((BLUE, RED)):
                axes[1].plot(run.time_s, both.w[:, i], color=colour, lw=1.2, label="xy"[i])
            label(axes[1], "force on the crank in the pin", "time, s", "N")
            legend(axes[1])
            axes[2].plot(run.time_s, 1e12 * run.imbalance_j(), color=GREEN, lw=1.0)
            label(axes[2], "energy less that at the start", "time, s", "pJ")
    save(figure, "003-motion")
    return notes


def shapes() -> dict[str, str]:
    """Return the shape of J^T of the four-bar (E16)."""
    loop = four_bar()
    q = loop.close([1.0], [-1.5, 0.4], 1)
    B = loop.reduced(q, np.zeros_like(q)).B[0]
    return {"e16_shape": str(np.vstack((np.eye(1), B)).T.shape)}
