"""Numbers and figures of the page of document 002."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from matplotlib.ticker import NullFormatter
from seed_pages.drawing import (
    BLUE,
    COLOURS,
    GREEN,
    GREY,
    RED,
    label,
    legend,
    panels,
    save,
    sticks,
)  # fmt: skip
from seed_pages.simulated import simulated

from gaitdyn.multibody.muscles import moment_arms
from gaitdyn.multibody.symbolic import one_link, two_link
from gaitdyn.multibody.systems import simulate
from gaitdyn.multibody.systems.arm import Arm, seed_arm
from gaitdyn.multibody.systems.arm_muscles import NAMES
from gaitdyn.multibody.systems.two_link import (
    endpoint_kinematics,
    joint_kinematics,
    movement,
    published_kinematics,
)

STILL = np.zeros(2)
MOTIONS = ("slow", "fast", "horizontal")
PARTS = ("inertia", "centripetal, Coriolis", "gravity")


def values() -> dict[str, Any]:
    """Return the numbers of the page; draw its figures."""
    link, pair = one_link().latex("duarte"), two_link().latex("duarte")
    draw_terms()
    draw_arm()
    draw_free_bodies()
    draw_jerk()
    draw_hill()
    return {
        **{f"one_{k}": bare(link[k]) for k in "MGE"},
        **{f"two_{k}": pair[k] for k in "MCGE"},
        **identities(), **force(), **lengths(), **singular(), **muscle(), **peaks(), **stops(),
        "numpy": np.__version__,
    }  # fmt: skip


def arrow(axes: Any, start: Any, way: Any, colour: str, word: str) -> None:
    """Draw a force from a point on, with its letter at the head."""
    start, way = np.asarray(start), np.asarray(way)
    axes.annotate(
        "", start + way, start, arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.4}
    )
    away = start + way * (1 + 0.09 / np.hypot(*way))
    axes.text(*away, word, color=colour, fontsize=8, ha="center", va="center")


def turn(axes: Any, centre: Any, colour: str, word: str, *, back: bool = False) -> None:
    """Draw a moment about a point, counter-clockwise unless ``back``."""
    angles = np.linspace(0.3, 4.6, 40)
    ring = np.asarray(centre) + 0.09 * np.stack((np.cos(angles), np.sin(angles)), axis=-1)
    axes.plot(*ring.T, color=colour, lw=1.2)
    ends = ring[[1, 0]] if back else ring[[-2, -1]]
    axes.annotate(
        "", ends[1], ends[0], arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 1.2}
    )
    axes.text(centre[0] - 0.16, centre[1] + 0.1, word, color=colour, fontsize=8, ha="center")


def link(axes: Any, joint: Any, angle: float, words: tuple[str, str], **load: Any) -> Any:
    """Draw a link with what acts at its joint and its weight; return its far end."""
    along = np.array([np.cos(angle), np.sin(angle)])
    joint = np.asarray(joint)
    end, centre = joint + along, joint + 0.6 * along
    axes.plot(*np.stack((joint, end)).T, color="#222222", lw=4, solid_capstyle="round", alpha=0.35)
    axes.plot(*centre, "o", color="#222222", ms=4)
    arrow(axes, joint, (0.3, 0.0), BLUE, f"${words[0]}x}}$")
    arrow(axes, joint, (0.0, 0.26), BLUE, f"${words[0]}y}}$")
    turn(axes, joint, RED, f"${words[1]}$")
    arrow(axes, centre, (0.0, -0.2), GREY, load.get("weight", "$mg$"))
    return end


def draw_free_bodies() -> None:
    """Draw the free bodies of one link and of two."""
    figure, axes = panels(1, 3, 8.8, 3.2)
    end = link(axes[0], (0, 0), 0.8, ("F_{r", "T"))
    arrow(axes[0], end, (0.22, 0.16), GREEN, "$F_e$")
    label(axes[0], "one link")
    end = link(axes[1], (0, 0), 0.5, ("F_{r1", "T_1"), weight="$m_1 g$")
    arrow(axes[1], end, (-0.24, 0.0), BLUE, "$-F_{r2x}$")
    arrow(axes[1], end, (0.0, -0.24), BLUE, "$-F_{r2y}$")
    turn(axes[1], end, RED, "$-T_2$", back=True)
    label(axes[1], "two links: the upper arm")
    end = link(axes[2], (0, 0), 1.0, ("F_{r2", "T_2"), weight="$m_2 g$")
    arrow(axes[2], end, (0.22, 0.16), GREEN, "$F_e$")
    label(axes[2], "the forearm")
    for one in axes:
        one.set_aspect("equal")
        one.set_xlim(-0.4, 1.35)
        one.set_ylim(-0.45, 1.3)
        one.axis("off")
    save(figure, "002-free-bodies")


def draw_jerk() -> None:
    """Draw angular accelerations and jerk of the fast movement."""
    run = simulated("two-link", "motion=fast")
    path = next(table for table in run.tables if table.name == "path").values
    shown = run.time_s >= 0.05 * run.time_s[-1]
    figure, axes = panels(1, 2, 7.6, 2.6)
    for i, (colour, joint, axis) in enumerate(((BLUE, "shoulder", "x"), (RED, "elbow", "y"))):
        axes[0].plot(run.time_s[shown], path[shown, i], color=colour, lw=1.3, label=joint)
        axes[1].plot(run.time_s, path[:, 2 + i], color=colour, lw=1.3, label=axis)
    label(axes[0], "angular acceleration", "time, s", "rad/s²")
    label(axes[1], "jerk of the finger tip", "time, s", "m/s³")
    for one in axes:
        legend(one)
    save(figure, "002-jerk")


def draw_hill() -> None:
    """Draw a pulse of the elbow flexor and what it does."""
    _, run = simulate("muscle-arm", ["elbow_flexor=0.15"], rate_hz=250.0)
    at = {c.name: run.tables[0].values[:, i] for i, c in enumerate(run.tables[0].columns)}
    figure, axes = panels(1, 3, 8.8, 2.6)
    for colour, name in ((BLUE, "elbow_flexor"), (RED, "elbow_extensor")):
        word = name.replace("_", " ")
        axes[0].plot(run.time_s, at[f"excitation_{name}"], color=colour, lw=0.8, ls="--")
        axes[0].plot(run.time_s, at[f"activation_{name}"], color=colour, lw=1.3, label=word)
        axes[1].plot(run.time_s, at[f"force_{name}"], color=colour, lw=1.3)
    for i, (colour, joint) in enumerate(((BLUE, "shoulder"), (RED, "elbow"))):
        axes[2].plot(run.time_s, np.degrees(run.q[:, i]), color=colour, lw=1.3, label=joint)
    label(axes[0], "excitation (dashed), activation", "time, s")
    label(axes[1], "tension", "time, s", "N")
    label(axes[2], "joint angles", "time, s", "degrees")
    legend(axes[0])
    legend(axes[2])
    save(figure, "002-hill")


def bare(latex: str) -> str:
    """Return the only entry of a matrix, in round brackets."""
    inside = latex.removeprefix(r"\left[\begin{matrix}").removesuffix(r"\end{matrix}\right]")
    return f"({inside})"


def torques(arm: Arm, name: str, t: Any, force: Any = STILL) -> Any:
    """Return the torques of one of the three kinds of movement."""
    kinds = {
        "exact": lambda at: endpoint_kinematics(arm, float(t[-1]), at),
        "printed": lambda at: published_kinematics(arm, float(t[-1]), at),
        "joint": lambda at: joint_kinematics(float(t[-1]), at),
    }
    return movement(arm, kinds[name], t, force).terms


def identities() -> dict[str, str]:
    """Return what sympy says of the printed equations (E9, E10)."""
    m, L, d, I, g, Fx, Fy = sp.symbols("m L d I g F_ex F_ey")  # noqa: E741  the document's letter
    system = one_link()
    a = system.q[0]
    acceleration = sp.Symbol("a2")
    printed = (I + m * d**2) * acceleration + m * g * d * sp.cos(a)
    printed += L * (Fx * sp.sin(a) - Fy * sp.cos(a))
    part = system.parts("duarte")
    true = part["M"][0] * acceleration + part["C"][0] + part["G"][0] + part["E"][0]
    L2, d2, both = sp.symbols("L_2 d_2 alpha_12")
    arm = (L2 - d2) * sp.Matrix([sp.cos(both), sp.sin(both)])  # from the centre of mass to the tip
    wrong = (L2 - d2) * (-Fx * sp.sin(both) - Fy * sp.cos(both))
    left = sp.simplify(wrong - (arm[0] * Fy - arm[1] * Fx))
    angle = sp.latex(sp.factor(left)).replace(r"\alpha_{12}", r"\alpha_1 + \alpha_2")
    return {"e9_signs": str(sp.simplify(printed - true)), "e10_left": angle}


def force() -> dict[str, str]:
    """Return what the shoulder lacks without the external term (E11)."""
    t = np.linspace(0, 0.5, 101)
    E = torques(Arm(**seed_arm()), "joint", t, np.array([5.0, -20.0])).E
    return {"e11_lost": f"{np.abs(E[:, 0]).max():.1f}"}


def lengths() -> dict[str, str]:
    """Return what the end points of the body table do (E12); draw it."""
    t = np.linspace(0, 0.5, 201)
    right, wrong = seed_arm(), seed_arm(printed=True)
    found = {name: torques(Arm(**row), "joint", t).tau for name, row in
             (("right", right), ("wrong", wrong))}  # fmt: skip
    figure, axes = panels(1, 2, 7.2, 2.6)
    for i, (one, word) in enumerate(zip(axes, ("shoulder", "elbow"), strict=True)):
        one.plot(t, found["right"][:, i], color=BLUE, lw=1.4, label="to the styloid")
        one.plot(t, found["wrong"][:, i], color=RED, lw=1.2, ls="--", label="to the finger tip")
        label(one, word, "time, s", "torque, N m" if i == 0 else "")
    legend(axes[0])
    save(figure, "002-lengths")
    peak = {k: " and ".join(f"{x:.1f}" for x in np.abs(v).max(axis=0)) for k, v in found.items()}
    return {
        "e12_d": f"{right['d2']:.3f}", "e12_d_wrong": f"{wrong['d2']:.3f}",
        "e12_i": f"{right['i2']:.4f}", "e12_i_wrong": f"{wrong['i2']:.4f}",
        "e12_right": peak["right"], "e12_wrong": peak["wrong"],
    }  # fmt: skip


def singular() -> dict[str, str]:
    """Return how the start out of full extension behaves (E13); draw it."""
    arm = Arm(**seed_arm(printed=True))
    counts, peaks = (51, 101, 201, 401, 801, 1601), []
    figure, (left, right) = panels(1, 2, 7.6, 2.7)
    for n, colour in zip(counts, COLOURS, strict=True):
        t = np.linspace(0, 0.5, n)
        tau = torques(arm, "printed", t).tau[:, 0]
        early = t <= 0.05 * 0.5
        peaks.append(float(np.abs(tau[early]).max()))
        left.plot(t[early], tau[early], ".-", color=colour, lw=0.8, ms=3, label=f"{n} samples")
    early = np.geomspace(2e-5, 2e-4, 20)
    qdd = endpoint_kinematics(arm, 0.5, early)[2][:, 1]
    t = np.linspace(2e-4, 0.025, 300)
    exact = movement(arm, lambda at: endpoint_kinematics(arm, 0.5, at), t, STILL).terms.tau
    left.plot(t, exact[:, 0], color="k", lw=1.2, label="exact")
    left.set_ylim(-75, 5)
    label(left, "torque of the shoulder, first 5 %", "time, s", "N m")
    legend(left, loc="lower right")
    more = np.geomspace(2e-5, 0.02, 60)
    right.loglog(more, endpoint_kinematics(arm, 0.5, more)[2][:, 1], color=BLUE)
    right.yaxis.set_minor_formatter(NullFormatter())
    label(right, "acceleration of the elbow", "time, s", "rad/s²")
    save(figure, "002-singular-start")
    slow = np.linspace(0, 4, 101)
    power = np.polyfit(np.log(early), np.log(qdd), 1)[0]
    return {
        "e13_power": f"{power:.3f}", "e13_few": f"{peaks[0]:.1f}", "e13_many": f"{peaks[-1]:.1f}",
        "e13_end": f"{torques(arm, 'printed', slow).tau[-1, 0]:.3f}",
        "e13_end_true": f"{torques(arm, 'exact', slow).tau[-1, 0]:.3f}",
    }  # fmt: skip


def peaks() -> dict[str, str]:
    """Return the peaks of the three movements: printed, exact, and of the corrected arm."""
    lines = []
    for kind in MOTIONS:
        cells = []
        for words, published in (([], True), (["segments=seed"], False), ([], False)):
            run = simulated("two-link", f"motion={kind}", *words, as_published=published)
            rows = slice(0 if published else 5, None)
            top = np.nanmax(np.abs(run.tables[0].values[rows, :2]), axis=0)
            cells.append(f"{top[0]:.2f}, {top[1]:.2f}")
        lines.append(f"| {kind} | " + " | ".join(cells) + " |")
    run = simulated("two-link", "motion=joint")
    return {"peaks": "\n".join(lines), "closure": run.notes[0].rsplit(" ", 2)[1]}


def stops() -> dict[str, str]:
    """Return what a plain ``lambdify`` of a matrix with a constant entry does here (E15)."""
    x = sp.Symbol("x")
    plain = sp.lambdify(x, sp.Matrix([[sp.cos(x), 1]]), "numpy")
    try:
        plain(np.zeros(3))
    except ValueError as error:
        return {"e15_says": f"`ValueError: {str(error).split('.')[0]}`"}
    return {"e15_says": "no error"}


def muscle() -> dict[str, str]:
    """Return how far -dL/dq is from the lever of the line of pull; draw the six tensions."""
    arm = seed_arm()
    q = np.array([-1.1, 0.9])
    origin, on_link = np.array([0.0, 0.04]), np.array([0.05, 0.01])

    def ends(q: Any) -> Any:
        turn = np.array([[np.cos(q.sum()), -np.sin(q.sum())], [np.sin(q.sum()), np.cos(q.sum())]])
        elbow = arm["l1"] * np.array([np.cos(q[0]), np.sin(q[0])])
        return elbow, elbow + turn @ on_link

    elbow, end = ends(q)
    arm_of_end = end - np.stack((np.zeros(2), elbow))
    pull = (origin - end) / np.hypot(*(origin - end))
    levers = arm_of_end[:, 0] * pull[1] - arm_of_end[:, 1] * pull[0]
    slope = moment_arms(lambda q: np.array([np.hypot(*(ends(q)[1] - origin))]), q)[:, 0]
    _, run = simulate("two-link", ["motion=fast", "muscles=yes"])
    table = run.tables[-1]
    figure, axes = panels(1, 2, 7.6, 2.7)
    for i, name in enumerate(NAMES):
        side = axes[0] if "flexor" in name else axes[1]
        words, colour = name.replace("_", " "), (BLUE, RED, GREEN)[i // 2]
        side.plot(run.time_s[5:], table.values[5:, i], lw=1.3, label=words, color=colour)
    for one, word in zip(axes, ("flexors", "extensors"), strict=True):
        label(one, word, "time, s", "tension, N" if word == "flexors" else "")
        legend(one)
    save(figure, "002-muscles")
    return {
        "e14_gap": f"{np.abs(levers - slope).max():.0e}",
        "e14_wrong": f"{np.abs(levers + slope).max():.3f}",
        "muscle_left": f"{np.nanmax(np.abs(table.values[:, 6:])):.0e}",
        "muscle_top": f"{np.nanmax(table.values[5:, :6]):.0f}",
    }


def draw_terms() -> None:
    """Draw the torques and their parts of the three movements."""
    figure, axes = panels(3, 2, 7.4, 6.0)
    for row, kind in enumerate(MOTIONS):
        run = simulated("two-link", f"motion={kind}")
        values, t = run.tables[0].values[5:], run.time_s[5:]
        for joint, word in enumerate(("shoulder", "elbow")):
            one = axes[2 * row + joint]
            for k, (part, colour) in enumerate(zip(PARTS, (BLUE, RED, GREEN), strict=True)):
                one.plot(t, values[:, 2 + 2 * k + joint], color=colour, lw=1.2, label=part)
            one.plot(t, values[:, joint], "k:", lw=1.4, label="torque, their sum")
            label(
                one, f"{word}, {kind}", "time, s" if row == 2 else "", "N m" if joint == 0 else ""
            )
    legend(axes[0], loc="upper left")
    save(figure, "002-terms")


def draw_arm() -> None:
    """Draw the arm on its way."""
    figure, axes = panels(1, 2, 6.0, 2.9)
    for one, kind, word in zip(
        axes, ("slow", "joint"), ("finger tip on its smoothest path", "smoothest joint angles"),
        strict=True,
    ):  # fmt: skip
        run = simulated("two-link", f"motion={kind}")
        sticks(one, run.sticks[0][::10], BLUE, alpha=0.5)
        one.plot(*run.sticks[0][:, 2].T, color=RED, lw=1.0, label="finger tip")
        one.set(xlim=(-0.35, 0.8), ylim=(-0.8, 0.5))
        label(one, word, "m", "m")
    axes[0].plot(0, 0, "o", color=GREY, ms=3)
    legend(axes[0], loc="upper left")
    save(figure, "002-arm")
