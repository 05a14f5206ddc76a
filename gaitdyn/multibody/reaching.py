"""Reaching with a planar two-link arm: minimum-jerk paths and inverse kinematics."""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import ConstraintRefused, SingularPosture
from gaitdyn.types.arrays import Array

_SINGULAR = 1e-7
"""Sine of the elbow's angle below which the arm counts as stretched or folded."""
_OVER_REACH = 1e-9
"""Share of the arm's length by which rounding may put a target out of reach."""


def minjerk(start: Array, end: Array, duration_s: float, t: Array) -> tuple[Array, Array, Array]:
    """Return position, velocity and acceleration of the smoothest movement between two points.

    x = x0 + (x1 - x0)(10 s^3 - 15 s^4 + 6 s^5), s = t / duration (Flash and Hogan 1985, J Neurosci
    5:1688-1703).

    Parameters
    ----------
    start, end : array, shape (k,)
        Any unit.
    duration_s : float
    t : array, shape (n,)
        s; the point is at rest before and after the movement.

    Returns
    -------
    x, v, a : arrays, shape (n, k)
        Unit, unit/s, unit/s2.

    Examples
    --------
    >>> x, v, a = minjerk(np.zeros(1), np.ones(1), 1.0, np.array([0.0, 0.5, 1.0]))
    >>> x[:, 0].tolist(), v[:, 0].tolist(), a[:, 0].tolist()
    ([0.0, 0.5, 1.0], [0.0, 1.875, 0.0], [0.0, 0.0, 0.0])
    """
    start, distance = np.asarray(start, dtype=float), np.subtract(end, start)
    s = np.clip(np.asarray(t, dtype=float) / duration_s, 0.0, 1.0)[:, None]
    x = start + distance * (10 * s**3 - 15 * s**4 + 6 * s**5)
    v = distance * (30 * s**2 - 60 * s**3 + 30 * s**4) / duration_s
    a = distance * (60 * s - 180 * s**2 + 120 * s**3) / duration_s**2
    return x, v, a


def minjerk_jerk(start: Array, end: Array, duration_s: float, t: Array) -> Array:
    """Return the third derivative of the same movement, shape (n, k), unit/s3.

    ``(x1 - x0)(60 - 360 s + 360 s^2) / duration^3``; :func:`minjerk` minimises the integral of
    its square.

    Parameters
    ----------
    start, end, duration_s, t
        As for :func:`minjerk`.
    """
    s = np.clip(np.asarray(t, dtype=float) / duration_s, 0.0, 1.0)[:, None]
    distance = np.subtract(end, start)
    return np.asarray(distance * (60 - 360 * s + 360 * s**2) / duration_s**3, dtype=np.float64)


def reach(l1: float, l2: float, q: Array) -> Array:
    """Return the tip of the arm, shape (n, 2), from the joint angles (n, 2), rad."""
    first, second = q[..., 0], q[..., 0] + q[..., 1]
    x = l1 * np.cos(first) + l2 * np.cos(second)
    return np.stack((x, l1 * np.sin(first) + l2 * np.sin(second)), axis=-1)


def jacobian(l1: float, l2: float, q: Array) -> Array:
    """Return d(tip)/dq, shape (n, 2, 2); its determinant is l1 l2 sin(q2)."""
    first, second = q[..., 0], q[..., 0] + q[..., 1]
    lower = np.stack((-l2 * np.sin(second), l2 * np.cos(second)), axis=-1)
    upper = np.stack((-l1 * np.sin(first), l1 * np.cos(first)), axis=-1)
    return np.stack((upper + lower, lower), axis=-1)


def ik2(l1: float, l2: float, tip: Array, *, elbow: int = 1) -> Array:
    """Return the joint angles that put the tip of a planar arm at a given position.

    Parameters
    ----------
    l1, l2 : float
        m.
    tip : array, shape (n, 2)
        m, from the shoulder.
    elbow : {1, -1}
        Sign of the elbow angle, which selects the branch.

    Returns
    -------
    array, shape (n, 2)
        Angle of the shoulder to the horizontal, in (-pi, pi], and of the elbow, rad.

    Raises
    ------
    ConstraintRefused
        If a target is out of reach.
    SingularPosture
        If it is at the shoulder of an arm with two equal lengths.
    """
    tip = np.asarray(tip, dtype=float)
    x, y = tip[..., 0], tip[..., 1]
    cosine = (x**2 + y**2 - l1**2 - l2**2) / (2 * l1 * l2)
    distance = np.hypot(x, y)
    slack = _OVER_REACH * (l1 + l2)
    bad = (distance > l1 + l2 + slack) | (distance < abs(l1 - l2) - slack)
    if np.any(bad):
        sample = int(np.flatnonzero(bad)[0])
        raise ConstraintRefused(
            f"the target of sample {sample} is {np.ravel(distance)[sample]:g} m from the shoulder;"
            f" an arm of {l1:g} and {l2:g} m reaches {abs(l1 - l2):g} to {l1 + l2:g} m"
        )
    if np.any(distance < _SINGULAR * (l1 + l2)):
        message = "the target is the shoulder itself: the shoulder's angle is not defined there"
        raise SingularPosture(message)
    second = elbow * np.arccos(np.clip(cosine, -1.0, 1.0))
    first = np.arctan2(y, x) - np.arctan2(l2 * np.sin(second), l1 + l2 * np.cos(second))
    return np.stack((np.pi - np.mod(np.pi - first, 2 * np.pi), second), axis=-1)


def ik2_rates(l1: float, l2: float, q: Array, v: Array, a: Array) -> tuple[Array, Array]:
    """Return joint rates and accelerations from velocity and acceleration of the tip.

    qd = J^-1 v; qdd = J^-1 (a - dJ/dt qd).

    Parameters
    ----------
    l1, l2 : float
        m.
    q, v, a : arrays, shape (n, 2)
        rad, m/s, m/s2.

    Raises
    ------
    SingularPosture
        If the arm is stretched or folded: J is singular, and a path that starts from such a
        posture with the tip at rest would need infinite joint accelerations.
    """
    bent = np.abs(np.sin(q[..., 1]))
    if np.any(bent < _SINGULAR):
        sample = int(np.flatnonzero(bent < _SINGULAR)[0])
        raise SingularPosture(
            f"the arm is stretched or folded in sample {sample} (elbow"
            f" {np.ravel(q[..., 1])[sample]:g} rad): joint rates are not defined there"
        )
    J = jacobian(l1, l2, q)
    qd = np.linalg.solve(J, v[..., None])[..., 0]
    first, second = qd[..., 0], qd[..., 0] + qd[..., 1]
    upper = -(first**2)[..., None] * reach(l1, 0.0, q)
    lower = -(second**2)[..., None] * (reach(l1, l2, q) - reach(l1, 0.0, q))
    qdd = np.linalg.solve(J, (a - upper - lower)[..., None])[..., 0]
    return np.asarray(qd, dtype=np.float64), np.asarray(qdd, dtype=np.float64)
