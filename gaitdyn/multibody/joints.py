"""The coordinates and velocities of each type of joint, in the axes of the joint.

===========  ====================  =====================================================
joint        coordinates q         velocities v
===========  ====================  =====================================================
fixed        none                  none
revolute     angle                 its rate
prismatic    displacement          its rate
ball         quaternion x y z w    angular velocity against the parent, in the body's axes
cardan       turns about x, the    their rates; singular if the second turn is +-90 degrees
             new y, the new z
free         position x y z, then  velocity of the body's origin in the world's axes, then
             quaternion x y z w    angular velocity in the body's axes
===========  ====================  =====================================================

The accelerations of a free joint are therefore the second derivative of the position and, in the
body's axes, the derivative of the angular velocity: the convention of MuJoCo. Pinocchio expresses
the linear velocity in the body's axes, and its accelerations differ by ``omega x v``.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, NamedTuple

import numpy as np

from gaitdyn.core.rotations import cross, skew
from gaitdyn.errors import TreeRefused
from gaitdyn.types.arrays import Array

Joint = Literal["free", "ball", "cardan", "revolute", "prismatic", "fixed"]
SIZES: dict[str, tuple[int, int]] = {
    "free": (7, 6),
    "ball": (4, 3),
    "cardan": (3, 3),
    "revolute": (1, 1),
    "prismatic": (1, 1),
    "fixed": (0, 0),
}
UNIT_TOLERANCE = 1e-6
_UNIT = np.eye(3)
_UNIT.setflags(write=False)


class JointMotion(NamedTuple):
    """Pose and possible velocities of a body, in the axes of its joint; ``None`` if zero.

    ``turn`` (n, 3, 3) and ``shift`` (n, 3) give the pose; the columns of ``spin`` (n, 3, k) and
    ``slide`` (n, 3, k) are the angular and linear velocities for unit rates; of an axis that is
    fixed they are (1, 3, 1).
    """

    turn: Array | None
    shift: Array | None
    spin: Array | None
    slide: Array | None


def about_axis(axis: Array, angle: Array) -> Array:
    """Return the rotation matrices about a unit axis (Rodrigues).

    Parameters
    ----------
    axis : array, shape (3,)
    angle : array, shape (n,), rad

    Returns
    -------
    array, shape (n, 3, 3)

    Examples
    --------
    >>> about_axis(np.array([0.0, 0.0, 1.0]), np.array([np.pi / 2]))[0].round(6) + 0.0
    array([[ 0., -1.,  0.],
           [ 1.,  0.,  0.],
           [ 0.,  0.,  1.]])
    """
    S, square = _generator(np.asarray(axis, dtype=np.float64).tobytes())
    sine, versine = np.sin(angle)[:, None, None], 2.0 * np.sin(0.5 * angle)[:, None, None] ** 2
    return _UNIT + sine * S + versine * square


@lru_cache(256)
def _generator(axis: bytes) -> tuple[Array, Array]:
    """Return S and S S of an axis: a run turns about the same few axes in every step."""
    S = skew(np.frombuffer(axis))
    return S, S @ S


def from_quaternion(quaternion: Array) -> Array:
    """Return the rotation matrices of quaternions in the order x, y, z, w (scipy and pinocchio).

    MuJoCo puts w first. The quaternions must have unit length within 1e-6; the remaining error is
    removed by division.

    Parameters
    ----------
    quaternion : array, shape (n, 4)

    Returns
    -------
    array, shape (n, 3, 3)

    Raises
    ------
    TreeRefused
        If a quaternion is not of unit length.
    """
    square = np.einsum("ni,ni->n", quaternion, quaternion)
    bad = np.abs(np.sqrt(square) - 1.0) > UNIT_TOLERANCE
    if bad.any():
        frame = int(np.flatnonzero(bad)[0])
        raise TreeRefused(
            f"the quaternion of frame {frame} has length {np.sqrt(square[frame]):.6g}, wanted 1;"
            " the order is x, y, z, w"
        )
    v, w = quaternion[:, :3], quaternion[:, 3]
    S = skew(v)
    return np.eye(3) + (2.0 / square)[:, None, None] * (w[:, None, None] * S + S @ S)


def cardan_axes(angles: Array) -> tuple[Array, Array]:
    """Return the rotation of Cardan angles and the axes of the three turns, in parent axes.

    ``R = Rx(a) Ry(b) Rz(c)``; the columns of the second array, (n, 3, 3), are x, the new y and
    the new z. In the body's axes they are the H of ``omega = H d(angles)/dt`` (document 003,
    equation 2): :func:`cardan_rates`.

    Parameters
    ----------
    angles : array, shape (n, 3)
        rad.
    """
    x, y, z = np.eye(3)
    first = about_axis(x, angles[:, 0])
    second = first @ about_axis(y, angles[:, 1])
    axes = np.stack((np.broadcast_to(x, (len(angles), 3)), first @ y, second @ z), axis=-1)
    return second @ about_axis(z, angles[:, 2]), axes


def cardan_rates(angles: Array) -> Array:
    """Return H of ``omega = H d(angles)/dt`` with omega in the body's axes, shape (n, 3, 3).

    Its determinant is the cosine of the second angle.

    Parameters
    ----------
    angles : array, shape (n, 3)
        Turns about x, the new y, the new z, rad.

    Examples
    --------
    >>> cardan_rates(np.array([[0.3, 0.0, 0.0]]))[0].round(6).tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    turn, axes = cardan_axes(angles)
    return np.asarray(np.swapaxes(turn, 1, 2) @ axes, dtype=np.float64)


def swing(joint: Joint, q: Array, v: Array) -> Array | None:
    """Return the angular acceleration due to the motion of the joint axes, in these, (n, 3).

    Only the axes of a Cardan joint move relative to both parent and body: ``dH/dt v``.
    """
    if joint != "cardan":
        return None
    parts = np.swapaxes(cardan_axes(q)[1] * v[:, None, :], 1, 2)
    first, second, third = parts[:, 0], parts[:, 1], parts[:, 2]
    return cross(first, second) + cross(first + second, third)


def motion(joint: Joint, axis: Array, q: Array) -> JointMotion:
    """Return the pose of a body at its joint, and the velocities that the joint allows.

    Parameters
    ----------
    joint : str
    axis : array, shape (3,)
        Unit vector of a revolute or prismatic joint, in the axes of the joint.
    q : array, shape (n, k)
        Coordinates of this joint.
    """
    n = len(q)
    along = axis[None, :, None]
    if joint == "revolute":
        return JointMotion(about_axis(axis, q[:, 0]), None, along, None)
    if joint == "prismatic":
        return JointMotion(None, q * axis, None, along)
    if joint == "ball":
        turn = from_quaternion(q)
        return JointMotion(turn, None, turn, None)
    if joint == "cardan":
        turn, axes = cardan_axes(q)
        return JointMotion(turn, None, axes, None)
    if joint == "free":
        turn, zero = from_quaternion(q[:, 3:]), np.zeros((n, 3, 3))
        slide = np.concatenate((np.broadcast_to(np.eye(3), (n, 3, 3)), zero), axis=2)
        return JointMotion(turn, q[:, :3], np.concatenate((zero, turn), axis=2), slide)
    return JointMotion(None, None, None, None)


def rates(joint: Joint, q: Array, v: Array) -> Array:
    """Return dq/dt of one joint, shape (n, k); a quaternion changes by ``q (omega, 0) / 2``.

    Parameters
    ----------
    joint : str
    q : array, shape (n, k)
    v : array, shape (n, m)
        Velocities of this joint, as in the table of this module.
    """
    if joint == "free":
        return np.concatenate((v[:, :3], rates("ball", q[:, 3:], v[:, 3:])), axis=1)
    if joint != "ball":
        return v
    vector, scalar = q[:, :3], q[:, 3:]
    turned = scalar * v + np.einsum("nij,nj->ni", skew(vector), v)
    return 0.5 * np.concatenate((turned, -np.einsum("ni,ni->n", vector, v)[:, None]), axis=1)
