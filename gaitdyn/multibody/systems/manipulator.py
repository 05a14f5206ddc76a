"""A manipulator of five joints in space: a tree with a sliding joint and a branch (003, 004)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.multibody.body import Body
from gaitdyn.multibody.contact import AppliedWrench
from gaitdyn.multibody.joints import Joint
from gaitdyn.multibody.state import State
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
    coordinate_columns,
)
from gaitdyn.multibody.systems.tree_run import numbered, tree_motion
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array

MASSES = (2.063, 1.613, 1.666, 1.169, 1.469)
"""Of the five bodies, kg."""
_X, _Y, _Z = np.eye(3)
_HAND = 3
# parent, joint, axis, position of the joint in the parent (m), centre of mass (m),
# inertia about the centre of mass xx yy zz xy xz yz (kg m2)
_BODIES: tuple[tuple[int, Joint, Array, tuple[float, ...], tuple[float, ...], str], ...] = (
    (-1, "revolute", _Z, (0, 0, 0.1), (0.03, -0.027, -0.089),
     "0.01304 0.01608 0.01092 -0.00038 -0.00144 0.001"),
    (0, "revolute", _Y, (0, 0, 0.3), (-0.003, 0.07, -0.134),
     "0.02365 0.02258 0.01034 0.00729 -0.00051 -0.00082"),
    (1, "prismatic", _X, (0.2, 0, 0), (-0.054, -0.005, 0.011),
     "0.01891 0.01601 0.01278 0.00377 0.00052 0.00357"),
    (2, "revolute", _X, (0.25, 0.05, 0), (0.011, 0.006, -0.123),
     "0.02057 0.01291 0.02504 0.00304 0.0076 0.00645"),
    (1, "revolute", _Z, (0, 0.15, -0.1), (0.058, -0.019, 0.068),
     "0.01628 0.01178 0.01436 -0.00122 -0.00405 -0.00013"),
)  # fmt: skip


def manipulator(masses: Sequence[float] = MASSES, g: float = 9.81) -> Tree:
    """Return the tree, z up: bodies ``b1`` to ``b5``; the external wrench acts on b4.

    Joints: b1 turns about z, b2 about y, b3 slides along x, b4 turns about x; the branch b5 is
    attached to b2 and turns about z. Inertias scale with the masses.

    Parameters
    ----------
    masses : sequence of float
        kg.
    g : float
        m/s2, along -z.
    """
    bodies = []
    for i, (parent, joint, axis, p, com, moments) in enumerate(_BODIES):
        xx, yy, zz, xy, xz, yz = (float(word) for word in moments.split())
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) * (masses[i] / MASSES[i])
        above = None if parent < 0 else f"b{parent + 1}"
        body = Body(f"b{i + 1}", above, joint, masses[i], np.array(com), inertia, np.array(p), axis)
        bodies.append(body)
    return Tree(bodies, [0.0, 0.0, -g])


def run(settings: Settings) -> SystemRun:
    """Return the motion under constant joint loads and a constant wrench on the fourth body."""
    tree = manipulator([settings.number(f"m{i}") for i in range(1, 6)], settings.number("g"))
    tau = numbered(settings, "tau", 5)
    force = np.array([settings.number(f"f{axis}") for axis in "xyz"])
    moment = np.array([settings.number(f"m{axis}") for axis in "xyz"])
    outside = [AppliedWrench(f"b{_HAND + 1}", tree.coms[_HAND], force, moment, frame="body")]
    q0, v0 = numbered(settings, "q", 5), numbered(settings, "v", 5)
    if settings.word("control") == "hold":
        tau = tau + tree.inverse(q0, np.zeros(5), np.zeros(5), outside).tau[0]
    t = settings.times()

    def accelerate(_t: float, q: Array, v: Array) -> tuple[Array, float]:
        external = -tree.inverse(q, v, np.zeros((1, 5)), outside).E[0]
        return tree.forward(q, v, tau, outside)[0], float((tau + external) @ v[0])

    q, v, work = tree_motion(settings, tree, (q0, v0), t, accelerate)
    state, qdd = tree.state(q, v), tree.forward(q, v, tau, outside)
    terms = tree.inverse(q, v, qdd, outside)
    M = tree.dynamics(state).M
    parts = (qdd, terms.tau, terms.M, terms.C, terms.G, terms.E, M[:, _UPPER[0], _UPPER[1]])
    return SystemRun(
        t,
        q,
        v,
        tree.energy(state).total,
        coordinate_columns(_COORDINATES),
        work,
        _sticks(tree, state),
        (ExtraTable("terms", _TERMS, np.hstack(parts)),),
        ("the joints have no stops: the slide may leave its rail",),
        up=2,
    )


def _sticks(tree: Tree, state: State) -> tuple[Array, ...]:
    """Return base, shoulder, slide, wrist and hand, and the branch, shape (n, points, 3) each."""
    hand, branch = (tree.point(state, f"b{i + 1}", tree.coms[i]).x for i in (_HAND, 4))
    p = state.p
    base = np.zeros_like(p[:, 0])
    arm = np.stack((base, p[:, 0], p[:, 1], p[:, 2], p[:, 3], hand), axis=1)
    return arm, np.stack((p[:, 1], p[:, 4], branch), axis=1)


_UPPER = np.triu_indices(5)
_UNITS = ("rad", "rad", "m", "rad", "rad")
_WORDS = (
    "turn of the base about z",
    "turn of the shoulder about y",
    "slide along x",
    "turn of the hand about x",
    "turn of the branch about z",
)
_COORDINATES = tuple(zip(_UNITS, _WORDS, strict=True))
_LOAD = tuple("N" if unit == "m" else "N m" for unit in _UNITS)
_TERMS = (
    *(SeriesColumn(f"qdd{i}", f"{unit}/s2", "acceleration") for i, unit in enumerate(_UNITS, 1)),
    *(
        SeriesColumn(f"{letter}{i}", unit, f"{word}, {text}")
        for letter, word in (
            ("tau", "load of the joint"),
            ("M", "inertial part"),
            ("C", "velocity part"),
            ("G", "gravity part"),
            ("E", "part of the external wrench"),
        )
        for i, (unit, text) in enumerate(zip(_LOAD, _WORDS, strict=True), 1)
    ),
    *(
        SeriesColumn(
            f"M{i + 1}{k + 1}",
            {0: "kg m2", 1: "kg m", 2: "kg"}[(i == 2) + (k == 2)],  # noqa: PLR2004  the slide
            "entry of the mass matrix",
        )
        for i, k in zip(*_UPPER, strict=True)
    ),
)
SYSTEM = SeedSystem(
    "manipulator", "five joints in space, one of them a slide, and a branch", "003 and 004", run
)
