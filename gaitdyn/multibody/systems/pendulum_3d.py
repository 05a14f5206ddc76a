"""The double pendulum of two cylinders on ball joints: problem 2 of seed 001."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gaitdyn.core.rotations import rotate, skew
from gaitdyn.multibody.body import Body
from gaitdyn.multibody.state import State, centres
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
    coordinate_columns,
)
from gaitdyn.multibody.systems.tree_run import cardan, numbered, tree_motion
from gaitdyn.multibody.tree import Tree
from gaitdyn.multibody.wrenches import joint_wrenches
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


class Stacked(NamedTuple):
    """``A x = Mqdd - C - G`` of two cylinders, the lower one first; E is zero without contacts.

    Unknowns x: force on the lower cylinder at the joint between the two, world axes, and its moment
    in the lower cylinder's axes; then force and moment of the support on the upper one. A (12, 12),
    the others (12,).
    """

    A: Array
    Mqdd: Array
    C: Array
    G: Array

    @property
    def x(self) -> Array:
        """Forces and moments, N and N m."""
        return np.asarray(np.linalg.solve(self.A, self.Mqdd - self.C - self.G), dtype=np.float64)


def stacked(tree: Tree, state: State, qdd: Array) -> Stacked:
    """Return the matrices of the first frame of a motion.

    R_1 and R_2 transform world components to those of the cylinder (E7); arms run from the centre
    of mass to the joint, in the world.

    Parameters
    ----------
    tree : Tree
        Of :func:`gaitdyn.multibody.systems.pendulum_3d.two_cylinders`.
    state : State
    qdd : array, shape (n, 6)
    """
    centre = centres(tree, state)
    a = (np.einsum("nbik,nk->nbi", centre.J, qdd) + centre.bias)[0]
    alpha = (np.einsum("nbik,nk->nbi", state.Jw, qdd) + state.aw)[0]
    R1, R2 = (state.R[0, b].T for b in (0, 1))  # noqa: N806
    w1, w2 = R1 @ state.w[0, 0], R2 @ state.w[0, 1]
    support, joint = state.p[0, 0], state.p[0, 1]
    upper, lower = centre.x[0]
    unit, zero = np.eye(3), np.zeros((3, 3))
    A = np.block([
        [unit, zero, zero, zero],
        [R2 @ skew(joint - lower), unit, zero, zero],
        [-unit, zero, unit, zero],
        [-R1 @ skew(joint - upper), -R1 @ R2.T, R1 @ skew(support - upper), unit],
    ])  # fmt: skip
    (m1, m2), (I1, I2) = tree.masses, tree.inertias  # noqa: N806
    still = np.zeros(3)
    moved = np.concatenate((m2 * a[1], I2 @ R2 @ alpha[1], m1 * a[0], I1 @ R1 @ alpha[0]))
    turned = -np.concatenate((still, np.cross(w2, I2 @ w2), still, np.cross(w1, I1 @ w1)))
    weight = np.concatenate((m2 * tree.gravity, still, m1 * tree.gravity, still))
    return Stacked(A, moved, turned, weight)


_TEXT = r"""# pendulum-3d: the stacked matrices of problem 2

Two cylinders, 1 the upper, 2 the lower; the joint J between them, the support O. $R_1, R_2$ take
world components into a cylinder's axes, $S(r) v = r \times v$, arms are from the centre of mass.

$$
\underbrace{\begin{bmatrix} m_2 1 & & & \\ & I_2 & & \\ & & m_1 1 & \\ & & & I_1 \end{bmatrix}
\begin{bmatrix} a_2 \\ \dot\omega_2 \\ a_1 \\ \dot\omega_1 \end{bmatrix}}_{M \ddot q}
= \underbrace{-\begin{bmatrix}
0 \\ \omega_2 \times I_2 \omega_2 \\ 0 \\ \omega_1 \times I_1 \omega_1
\end{bmatrix}}_{C}
+ \underbrace{\begin{bmatrix} m_2 g \\ 0 \\ m_1 g \\ 0 \end{bmatrix}}_{G}
+ \underbrace{\begin{bmatrix}
1 & 0 & 0 & 0 \\ R_2 S(r_{J/2}) & 1 & 0 & 0 \\ -1 & 0 & 1 & 0 \\
-R_1 S(r_{J/1}) & -R_1 R_2^{-1} & R_1 S(r_{O/1}) & 1
\end{bmatrix}}_{A}
\begin{bmatrix} F_J \\ M_J^{(2)} \\ F_O \\ M_O^{(1)} \end{bmatrix}
$$

Nothing touches the cylinders: E = 0. At the start of the run, in SI units:
"""


def written(matrices: Stacked) -> str:
    """Return the matrices as a text: formulas, then numbers."""
    lines = [_TEXT, "```text", "A ="]
    rows = matrices.A.round(4) + 0.0
    lines += ["  " + " ".join(f"{value:8.4f}" for value in row) for row in rows]
    names = [f"{word}_{axis}" for word in ("F_J", "M_J", "F_O", "M_O") for axis in "xyz"]
    lines += ["", f"{'':8}{'M qdd':>12}{'C':>12}{'G':>12}{'solution':>12}"]
    columns = zip(names, matrices.Mqdd, matrices.C, matrices.G, matrices.x, strict=True)
    lines += [
        f"{name:8}" + "".join(f"{value + 0.0:12.5f}" for value in np.round(values, 5))
        for name, *values in columns
    ]
    return "\n".join([*lines, "```", ""])


def matrices(settings: Settings) -> dict[str, str]:
    """Return the stacked matrices at the start, written out (problem 2 of seed 001)."""
    tree, q0, tau = _start(settings)
    v0 = numbered(settings, "v", 6)
    at_start = stacked(tree, tree.state(q0, v0), tree.forward(q0, v0, tau))
    return {"equations.md": written(at_start)}


def run(settings: Settings) -> SystemRun:
    """Return the motion of the two cylinders, free or under constant joint torques."""
    tree, q0, tau = _start(settings)
    t = settings.times()

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
