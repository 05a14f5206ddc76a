"""Equations of motion of closed loops in independent coordinates, as expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.errors import TreeRefused
from gaitdyn.multibody.symbolic.extra import sympy
from gaitdyn.multibody.symbolic.printed import Functions, short
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.multibody.symbolic.bodies import SymbolicTree


@frozen(eq=False)
class SymbolicLoop:
    """A loop in minimal coordinates: ``M_red dud/dt + h_red = [1 B^T] tau + f_red``.

    Attributes
    ----------
    tree : SymbolicTree
        The open tree; ``q`` with the ``u`` independent coordinates first.
    values : mapping of symbol to float
        Parameters of the tree and of the loop.
    u : int
    Phi : sympy matrix, shape (m, 1)
        Zero if the loop is closed.
    W : sympy matrix, shape (nv, m)
        Transposed Jacobian of Phi: the multipliers act as ``W lambda``.
    B, b : sympy matrices, shapes (m, u), (m, 1)
        ``dv/dt = B du/dt``; ``dvd/dt = B dud/dt + b``.
    M_red, h_red, f_red : sympy matrices
    """

    tree: SymbolicTree
    values: Mapping[Any, float]
    u: int
    Phi: Any
    W: Any
    B: Any
    b: Any
    M_red: Any
    h_red: Any
    f_red: Any

    def functions(self) -> Functions:
        """Return the parts, to be printed as Python, C or LaTeX, or called with numpy."""
        parts = {
            name: getattr(self, name) for name in ("Phi", "W", "B", "b", "M_red", "h_red", "f_red")
        }
        return Functions(parts, self.tree.q, self.tree.qd, self.values)


def reduced(
    tree: SymbolicTree,
    Phi: Any,  # noqa: N803  the document's letter
    u: int,
    values: Mapping[Any, float] | None = None,
) -> SymbolicLoop:
    """Return the equations of the independent coordinates of a tree closed by ``Phi = 0``.

    ``B = -Phi_v^-1 Phi_u``, ``b = -Phi_v^-1 (dPhi_q/dt) qd`` and with ``J = [1; B]``
    ``M_red = J^T M J``, ``h_red = J^T (M [0; b] + h)``, ``f_red = J^T f`` (document 003).

    Parameters
    ----------
    tree : SymbolicTree
        Of joints whose velocities are the rates of their coordinates.
    Phi : sympy matrix, shape (m, 1)
    u : int
        Number of independent coordinates, which come first.
    values : mapping of symbol to float, optional
        Parameters of Phi that the tree does not have.

    Raises
    ------
    TreeRefused
        If the tree has quaternions.
    """
    sp = sympy()
    if len(tree.q) != len(tree.qd):
        raise TreeRefused("a symbolic loop needs joints without quaternions: use cardan joints")
    q, qd = sp.Matrix(tree.q), sp.Matrix(tree.qd)
    rows = Phi.jacobian(q).applyfunc(short)
    drift = (rows * qd).jacobian(q) * qd
    dependent = rows[:, u:]
    scale = short(dependent.det())
    inverse = dependent.adjugate() / scale
    B = (-inverse * rows[:, :u]).applyfunc(short)
    b = -inverse * drift
    J = sp.Matrix.vstack(sp.eye(u), B)
    padded = sp.Matrix.vstack(sp.zeros(u, 1), b)
    return SymbolicLoop(
        tree, {**tree.values, **(values or {})}, u, Phi, rows.T, B, b,
        J.T * tree.M * J, J.T * (tree.M * padded + tree.h), J.T * tree.f,
    )  # fmt: skip
