"""A run of a tree in time; its joints may have quaternions among their coordinates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gaitdyn.multibody.systems.model import Settings
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array

_TOLERANCE = 1e-12
_RUNAWAY = 1e6
"""Speed above which a trial step of the solver is refused, m/s or rad/s."""


def tree_motion(
    settings: Settings,
    tree: Tree,
    start: tuple[Array, Array],
    t: Array,
    accelerate: Callable[[float, Array, Array], tuple[Array, float]],
    *,
    tolerance: float = _TOLERANCE,
) -> tuple[Array, Array, Array]:
    """Return coordinates, velocities and work at the given times.

    Parameters
    ----------
    settings : Settings
    tree : Tree
    start : (q, v)
        Arrays of shapes (nq,) and (nv,).
    t : array, shape (n,)
        s.
    accelerate : callable
        Returns the accelerations (nv,) and the power of everything but gravity, W, for time,
        q (1, nq) and v (1, nv).
    tolerance : float
        Of the solver.

    Returns
    -------
    q, v, work : arrays, shapes (n, nq), (n, nv), (n,)
    """
    nq = tree.nq

    def rate(t: float, y: Array) -> Array:
        if not np.abs(y).max() < _RUNAWAY:
            return np.full_like(y, np.nan)  # the solver takes a shorter step
        q, v = tree.normalised(y[None, :nq]), y[None, nq:-1]
        qdd, power = accelerate(t, q, v)
        return np.concatenate((tree.qdot(q, v)[0], qdd, [power]))

    y = settings.solve(rate, np.concatenate((*start, [0.0])), t, tolerance=tolerance).y
    return tree.normalised(y[:, :nq]), y[:, nq:-1], y[:, -1]


def cardan(angles: Array) -> Array:
    """Return the quaternion x y z w of turns about x, then the new y, then the new z.

    Parameters
    ----------
    angles : array, shape (3,)
        rad.

    Examples
    --------
    >>> cardan(np.array([0.0, 0.0, np.pi])).round(9).tolist()
    [0.0, 0.0, 1.0, 0.0]
    """
    half = np.asarray(angles, dtype=float) / 2
    (a, b, c), (x, y, z) = np.cos(half), np.sin(half)
    return np.array(
        [x * b * c + a * y * z, a * y * c - x * b * z, a * b * z + x * y * c, a * b * c - x * y * z]
    )


def numbered(settings: Settings, letter: str, count: int) -> Array:
    """Return the parameters ``letter1`` to ``letter<count>``, shape (count,)."""
    return np.array([settings.number(f"{letter}{i}") for i in range(1, count + 1)])
