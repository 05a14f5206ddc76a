"""The complete Coriolis tensor and the complete Hessian of a contact point.

Document 004 (Caron, after Wieber 2006) writes ``qd^T C(q) qd`` and ``qd^T H_C(q) qd`` with tensors
of third order. Both are quadratic in the velocities, so polarisation gives every entry from values:
``T(a, b) = (f(a + b) - f(a) - f(b)) / 2``. This needs one state per pair of velocities, that is
nv (nv + 1) / 2 states per frame; c and the bias of a contact need only one.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np

from gaitdyn.multibody.dynamics import matrices
from gaitdyn.multibody.state import State, point, state
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array


def coriolis_tensor(tree: Tree, q: object) -> Array:
    """Return C of ``c_i = sum_jk C_ijk v_j v_k``, shape (n, nv, nv, nv), symmetric in j and k.

    For joints whose velocities are rates these are the Christoffel symbols of the mass matrix, and
    ``dM/dt - 2 C v`` is skew-symmetric. The matrix of the document, ``J^T m dJ/dt + ...``, differs
    from ``C v`` but has the same product with v.

    Parameters
    ----------
    tree : Tree
    q : array_like, shape (n, nq)

    Examples
    --------
    >>> from gaitdyn.multibody import Body, Tree
    >>> x = np.array([1.0, 0.0, 0.0])
    >>> bar = np.diag([0.0, 0.1, 0.1])
    >>> upper = Body("upper", None, "revolute", 1.0, 0.5 * x, bar)
    >>> tree = Tree([upper, Body("lower", "upper", "revolute", 1.0, 0.5 * x, bar, x)], (0, 0, 0))
    >>> coriolis_tensor(tree, [0.0, np.pi / 2])[0, 1].round(6).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    return _polarised(tree, q, lambda state: matrices(tree, state).c)


def contact_hessian(tree: Tree, q: object, body: str, r: object) -> Array:
    """Return H of ``dJ/dt v = sum_jk H_ijk v_j v_k`` of a point, shape (n, 6, nv, nv).

    Rows are linear, then angular, as in :func:`gaitdyn.multibody.state.point`. The linear rows are
    the second derivatives of the position if all velocities are rates of coordinates. A rotation
    is not a position: the angular rows are only the symmetric part.

    Parameters
    ----------
    tree : Tree
    q : array_like, shape (n, nq)
    body : str
    r : array_like, shape (3,)
        The point from the body's origin, in the body's axes, m.
    """
    return _polarised(tree, q, lambda state: point(tree, state, body, r).bias)


def _polarised(tree: Tree, q: object, quadratic: Callable[[State], Array]) -> Array:
    """Return the symmetric tensor of a form that is quadratic in the velocities."""
    q = tree.frames("q", q, tree.nq)
    nv, unit = tree.nv, np.eye(tree.nv)

    def value(v: Array) -> Array:
        return quadratic(state(tree, q, np.broadcast_to(v, (len(q), nv))))

    squares = [value(unit[j]) for j in range(nv)]
    out = np.empty((*squares[0].shape, nv, nv)) if squares else np.zeros((len(q), 0, 0, 0))
    for j in range(nv):
        out[..., j, j] = squares[j]
    for j, k in combinations(range(nv), 2):
        mixed = (value(unit[j] + unit[k]) - squares[j] - squares[k]) / 2
        out[..., j, k] = out[..., k, j] = mixed
    return out
