"""Forces that a contact can carry: friction cones, the wrench cone of a foot, a sliding block.

The normal is z; forces and moments act on the body, at the centre of the surface.
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import ArrayLike

from gaitdyn.errors import ArrayShapeError, ConstraintRefused
from gaitdyn.types.arrays import Array


def friction_margin(force: ArrayLike, mu: float) -> Array:
    """Return ``mu fz - |(fx, fy)|``, the unused friction of a contact point, N.

    Negative if the point slips or pulls. The shape is that of ``force`` (..., 3) without its last
    axis.

    Examples
    --------
    >>> float(friction_margin(np.array([3.0, 4.0, 10.0]), 0.7).round(9))
    2.0
    """
    f = np.asarray(force, dtype=float)
    return np.asarray(mu * f[..., 2] - np.hypot(f[..., 0], f[..., 1]))


def wrench_cone(half_x: float, half_y: float, mu: float, *, inner: bool = True) -> Array:
    """Return the 16 rows A of the cone ``A w <= 0`` of a rectangular surface.

    Caron, Pham and Nakamura (2015, ICRA, "Stability of surface contacts for humanoid robots"):
    friction pyramids at the four corners give |fx|, |fy| <= mu fz, |mx| <= Y fz,
    |my| <= X fz, and for the free moment
    |mu mx - Y fx| + |mu my - X fy| - mu (X + Y) fz <= mz
    <= mu (X + Y) fz - |mu mx + Y fx| - |mu my + X fy|.

    Parameters
    ----------
    half_x, half_y : float
        Half length X and half width Y, m.
    mu : float
        Coefficient of friction.
    inner : bool
        Use pyramids inside the friction cones (mu / sqrt 2); otherwise mu as given.

    Returns
    -------
    array, shape (16, 6)
        For wrenches (fx, fy, fz, mx, my, mz) at the centre.
    """
    if min(half_x, half_y, mu) <= 0.0:
        raise ConstraintRefused(f"a surface of {half_x} m x {half_y} m with friction {mu}")
    m, X, Y = mu / np.sqrt(2.0) if inner else mu, half_x, half_y
    rows: list[list[float]] = []
    for sign in (-1.0, 1.0):
        rows += [[sign, 0, -m, 0, 0, 0], [0, sign, -m, 0, 0, 0]]
        rows += [[0, 0, -Y, sign, 0, 0], [0, 0, -X, 0, sign, 0]]
    turn = -m * (X + Y)
    for a, b in itertools.product((-1.0, 1.0), repeat=2):
        rows.append([a * -Y, b * -X, turn, a * m, b * m, -1.0])
        rows.append([a * Y, b * X, turn, a * m, b * m, 1.0])
    return np.array(rows)


def wrench_margin(
    wrench: ArrayLike, half_x: float, half_y: float, mu: float, *, inner: bool = True
) -> Array:
    """Return the smallest slack of the 16 inequalities of :func:`wrench_cone`.

    Negative if the surface slips, tips or lifts. The rows have mixed units (N and N m): the sign
    is meaningful, the size only compares wrenches on the same surface.

    Parameters
    ----------
    wrench : array, shape (..., 6)
        Force and moment at the centre of the surface, z its normal, N and N m.
    half_x, half_y, mu, inner
        As in :func:`wrench_cone`.

    Returns
    -------
    array, shape (...)
    """
    load = np.asarray(wrench, dtype=float)
    if load.shape[-1] != 6:  # noqa: PLR2004
        raise ArrayShapeError(f"a wrench has shape {load.shape}, wanted (..., 6)")
    return np.min(-(load @ wrench_cone(half_x, half_y, mu, inner=inner).T), axis=-1)


def sliding_block(
    push: ArrayLike,
    speed: ArrayLike,
    mass: float,
    mu: float,
    mu_static: float | None = None,
    g: float = 9.81,
) -> Array:
    """Return the acceleration of a block on a level floor, m/s2.

    Sliding: ``m a = push - sign(speed) mu m g``. A block at rest stays at rest as long as
    ``|push| <= mu_static m g``; beyond that it starts to slide.

    Parameters
    ----------
    push, speed : array_like, shape (n,)
        N and m/s.
    mass, mu : float
        kg, coefficient of sliding friction.
    mu_static : float, optional
        Coefficient of static friction; ``mu`` if not given.
    g : float
        m/s2.

    Examples
    --------
    >>> sliding_block([10.0, 30.0], 0.0, mass=5.0, mu=0.4).round(6)
    array([0.   , 2.076])
    """  # fmt: skip
    push, speed = np.broadcast_arrays(np.asarray(push, dtype=float), np.asarray(speed, dtype=float))
    held = mu if mu_static is None else mu_static
    if mass <= 0.0 or mu < 0.0 or held < mu or g < 0.0:
        raise ConstraintRefused(
            f"a block of {mass:g} kg with friction {mu:g}, {held:g} at rest, and gravity {g:g}:"
            " wanted a mass above 0, no negative number, and no less friction at rest"
        )
    direction = np.where(speed == 0.0, np.sign(push), np.sign(speed))
    stuck = (speed == 0.0) & (np.abs(push) <= held * mass * g)
    return np.where(stuck, 0.0, push / mass - direction * mu * g)
