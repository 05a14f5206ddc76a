"""The double pendulum of two cylinders on ball joints: problem 2 of seed 001."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import rotate
from gaitdyn.multibody.body import Body
from gaitdyn.multibody.state import centres
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    SystemRun,
    coordinate_columns,
)
from gaitdyn.multibody.systems.pendulum_3d_matrices import stacked, written
from gaitdyn.multibody.systems.tree_run import cardan, numbered, tree_motion
from gaitdyn.multibody.tree import Tree
from gaitdyn.multibody.wrenches import joint_wrenches

if TYPE_CHECKING:
    from gaitdyn.multibody.state import State
    from gaitdyn.multibody.systems.model import Settings
    from gaitdyn.types.arrays import Array

_SIZES = ("m1", "m2", "l1", "l2", "r1", "r2")


def two_cylinders(
    m1: float = 1.2,
    m2: float = 0.8,
    l1: float = 0.6,
    l2: float = 0.45,
    r1: float = 0.03,
    r2: float = 0.025,
    g: float = 9.81,
) -> Tree:
    """Return the tree: bodies ``upper`` and ``lower``, y up, long axes along -y at rest.

    Parameters
    ----------
    m1, m2 : float
        kg.
    l1, l2, r1, r2 : float
        Lengths and radii of the solid cylinders, m.
    g : float
        m/s2, downwards.
    """  # fmt: skip
    upper = Body("upper", None, "ball", m1, np.array([0.0, -l1 / 2, 0.0]), _solid(m1, l1, r1))
    joint = np.array([0.0, -l1, 0.0])
    com = np.array([0.0, -l2 / 2, 0.0])
    lower = Body("lower", "upper", "ball", m2, com, _solid(m2, l2, r2), joint)
    return Tree([upper, lower], [0.0, -g, 0.0])


def _solid(mass: float, length: float, radius: float) -> Array:
    """Return the inertia of a solid cylinder along y about its centre, kg m2."""
    across = mass * (3 * radius**2 + length**2) / 12
    return np.diag([across, mass * radius**2 / 2, across])


def spin_about_support(tree: Tree, state: State) -> Array:
    """Return the angular momentum about the world's origin, shape (n, 3), kg m2/s."""
    centre = centres(tree, state)
    inertia = state.R @ tree.inertias @ np.swapaxes(state.R, -1, -2)
    spin = rotate(inertia, state.w)
    return (spin + np.cross(centre.x, tree.masses[:, None] * centre.v)).sum(axis=1)


def _start(settings: Settings) -> tuple[Tree, Array, Array]:
    """Return the tree, its coordinates at the start, and the torques."""
    sizes = {name: settings.number(name) for name in _SIZES}
    tree = two_cylinders(**sizes, g=settings.number("g"))
    turns = [np.array([settings.number(f"{a}{i}") for a in ("a", "b", "c")]) for i in (1, 2)]
    return tree, np.concatenate([cardan(turn) for turn in turns]), numbered(settings, "tau", 6)


def matrices(settings: Settings) -> dict[str, str]:
    """Return the stacked matrices at the start, written out (problem 2 of seed 001)."""
    tree, q0, tau = _start(settings)
    v0 = numbered(settings, "v", 6)
    at_start = stacked(tree, tree.state(q0, v0), tree.forward(q0, v0, tau))
    return {"equations.md": written(at_start)}


def run(settings: Settings) -> SystemRun:
    """Return the motion of the two cylinders, free or under constant joint torques."""
    tree, q0, tau = _start(settings)
    t = settings.times(3.0, 100.0)

    def accelerate(_t: float, q: Array, v: Array) -> tuple[Array, float]:
        return tree.forward(q, v, tau)[0], float(tau @ v[0])

    q, v, work = tree_motion(settings, tree, (q0, numbered(settings, "v", 6)), t, accelerate)
    state, qdd = tree.state(q, v), tree.forward(q, v, tau)
    force = joint_wrenches(tree, state, qdd).force
    spin = spin_about_support(tree, state)
    ends = state.p + rotate(state.R, 2 * tree.coms)
    sticks = np.stack((state.p[:, 0], ends[:, 0], ends[:, 1]), axis=1)
    loads = np.hstack((v, qdd, force[:, 0], force[:, 1], spin))
    return SystemRun(
        t,
        q,
        tree.qdot(q, v),
        tree.energy(state).total,
        coordinate_columns(_COORDINATES),
        work,
        (sticks,),
        (ExtraTable("loads", _LOADS, loads),),
        _notes(spin, tau),
    )


def _notes(spin: Array, tau: Array) -> tuple[str, ...]:
    words = "q1 to q8 are two quaternions x y z w and qd their derivatives; loads.csv has the rest"
    if tau.any():
        return (words,)
    off = float(np.abs(spin[:, 1] - spin[0, 1]).max())
    return (words, f"the angular momentum about the vertical is constant to {off:.1e} kg m2/s")


_COORDINATES = tuple(
    ("1", f"quaternion of the {body} in {where}, {part}")
    for body, where in (("upper cylinder", "the world"), ("lower cylinder", "the upper one"))
    for part in "xyzw"
)
_LOADS = tuple(
    SeriesColumn(f"{name}{axis}", unit, text)
    for name, unit, text in (
        ("w1", "rad/s", "angular velocity of the upper cylinder, in its axes"),
        ("w2", "rad/s", "angular velocity of the lower against the upper, lower cylinder's axes"),
        ("alpha1", "rad/s2", "derivative of w1"),
        ("alpha2", "rad/s2", "derivative of w2"),
        ("F1", "N", "force of the support on the upper cylinder, world axes"),
        ("F2", "N", "force of the upper on the lower cylinder, world axes"),
        ("H", "kg m2/s", "angular momentum about the support, world axes"),
    )
    for axis in ("_x", "_y", "_z")
)
SYSTEM = SeedSystem(
    "pendulum-3d", "two cylinders on ball joints, swinging in space", "001", run, equations=matrices
)
