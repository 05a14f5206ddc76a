"""The stacked matrices of problem 2 of seed 001, written out for one instant."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.rotations import skew
from gaitdyn.multibody.state import centres

if TYPE_CHECKING:
    from gaitdyn.multibody.state import State
    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array


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
