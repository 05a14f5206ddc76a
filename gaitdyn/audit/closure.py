"""Forward dynamics with the computed loads, which must reproduce the measured motion.

Every segment is a free rigid body under the load of its proximal joint, the opposite load of its
distal joint, its weight and the ground::

    m dv/dt = F_prox - F_dist + F_ext + m g
    I domega/dt + omega x I omega = M_prox + r_prox/cm x R'F_prox - r_dist/cm x R'F_dist
                                    + R'(M_ext - M_dist)
    dr/dt = v,   dR/dt = R S(omega)

in the axes in which the loads are computed: forces and the moment of the distal joint in G, the
moment of the proximal joint and the lever arms in segment axes. If a body-segment table has no
inertia about the long axis, the measured angular acceleration about it is used, and a moment left
over acts on the largest moment of inertia of the segment.

Whatever the loads, a free chain leaves the measured motion within a tenth of a second. The motion
is therefore restarted every 50 ms.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from gaitdyn.core.rotations import relative, rotate, rotate_back, vee
from gaitdyn.core.runs import blocks_of, known_points, known_within
from gaitdyn.dynamics.stacked import (
    AT_ONCE,
    StackedSystem,
    stacked_system,
    times_inertia,
)
from gaitdyn.kinematics.derivatives import derivatives
from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.frozen import frozen
from gaitdyn.types.loads import JointLoads

WINDOW_S = 0.05
"""Length of a window, s."""

_NO_INERTIA = 1e-6
"""Share of the largest principal moment of inertia that counts as none, as for a thin rod."""

LONGEST_STEP_S = 0.005
"""Longest integration step, s: longer frame intervals are divided into equal steps."""

BESIDE = 6
"""Frames on each side of an instant from which it is interpolated. For the exact walker at 50 Hz
the largest error at the end of a window of foot and shank is 0.10 deg with 3, 0.03 deg with 6."""

Driven = tuple[Array, Array, Array]
"""Inputs, inertia and its inverse: of a leg at its frames, or of the windows at one instant."""

_PLACE, _VELOCITY, _AXES, _TURNING = slice(0, 3), slice(3, 6), slice(6, 15), slice(15, 18)
"""Rows of a state: position, velocity, axes column by column, angular velocity. Windows are the
last axis, along which numpy is fast."""

_YZX, _ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])


def accelerations_back(
    loads: JointLoads, system: StackedSystem | None = None
) -> tuple[float, float]:
    """Return the largest errors of the accelerations recomputed from the loads.

    ``qdd = M^-1 (C + G + A f + E)`` of every frame, f the loads, against the measured qdd.

    Parameters
    ----------
    loads : JointLoads
    system : StackedSystem, optional
        Of their chain, if already computed.

    Returns
    -------
    linear, angular : float
        m/s2 and rad/s2; NaN when no load is known.
    """
    chain = loads.chain
    if system is None and chain.n_frames > AT_ONCE:
        parts = [
            accelerations_back(loads.part(rows)) for rows in blocks_of(chain.n_frames, AT_ONCE)
        ]
        linear, angular = np.fmax.reduce(parts).tolist()
        return linear, angular
    n, s = chain.n_frames, chain.n_segments
    system = system or stacked_system(chain)
    f = np.stack((loads.force_G, loads.moment_S), axis=2).reshape(n, 6 * s)
    blocks = np.zeros((n, s, 6))
    for i in range(s):  # a segment's rows use no joint above it, so gaps there do not spread
        rows, size = slice(6 * i, 6 * i + 6), 6 * i + 6
        blocks[:, i] = rotate(system.A[:, rows, :size], f[:, :size])
    blocks += (system.velocity + system.gravity + system.external).reshape(n, s, 6)
    linear = blocks[..., :3] / chain.mass[:, None] - chain.a_cm_G
    inverse, _ = inverse_inertia(chain.inertia_S)
    angular = rotate(inverse, blocks[..., 3:] - times_inertia(chain, chain.alpha_S))
    return _largest(linear), _largest(angular)


def inverse_inertia(inertia_S: Array) -> tuple[Array, Array]:
    """Return the inverse of inertia tensors and the projection onto their axes without inertia.

    Parameters
    ----------
    inertia_S : array, shape (..., 3, 3)
        kg m2.

    Returns
    -------
    inverse, empty : arrays, shape (..., 3, 3)
        In the inverse, an axis without inertia gets the largest principal moment; NaN if a tensor
        is not known.
    """
    known = np.isfinite(inertia_S).all(axis=(-1, -2), keepdims=True)
    principal, axes = np.linalg.eigh(np.where(known, inertia_S, np.eye(3)))
    axes = np.where(known, axes, np.nan)
    largest = principal[..., -1:]
    without = principal < _NO_INERTIA * largest
    filled = np.where(without, largest, principal)
    across = np.swapaxes(axes, -1, -2)
    return (axes / filled[..., None, :]) @ across, (axes * without[..., None, :]) @ across


def _largest(values: Array) -> float:
    known = np.abs(values[np.isfinite(values)])
    return float(known.max()) if known.size else float("nan")


def window_drifts(
    legs: Sequence[tuple[JointLoads, Mask]], rate_hz: float
) -> list[list[tuple[Array, Array]]]:
    """Return how far the end of every window is from the measured motion, by leg and segment.

    The windows follow each other without overlap. The integration is fourth-order Runge-Kutta in
    steps of at most 5 ms. Between two frames an input is the polynomial through its twelve
    neighbours.

    Parameters
    ----------
    legs : sequence of (JointLoads, array of bool, shape (n, s))
        Of one trial, with the frames in which the load of each joint may be shown; windows lie
        within these.
    rate_hz : float

    Returns
    -------
    list of list of (angle_deg, distance_mm), arrays of shape (windows,) each
        Angle between the axes and distance of the centres of mass at the end of each window.
    """
    if not legs:
        return []
    frames = max(round(WINDOW_S * rate_hz), 1)
    motion = _motion(legs, rate_hz)
    starts = np.arange(0, len(motion.usable) - frames, frames)
    at_once = max(AT_ONCE // frames, 1)
    parts = [
        _drifts(legs, motion, starts[block], (frames, rate_hz))
        for block in blocks_of(max(len(starts), 1), at_once)
    ]
    segments, angle, distance = (np.concatenate(each) for each in zip(*parts, strict=True))
    ends = iter([(angle[mine], distance[mine]) for mine in
                (segments == i for i in range(motion.centre.shape[1]))])  # fmt: skip
    return [[next(ends) for _ in range(loads.chain.n_segments)] for loads, _ in legs]


@frozen(eq=False)
class _Motion:
    """The measured motion of the segments of all legs, and the frames that windows may use."""

    centre: Array
    velocity: Array
    R_GS: Array
    omega: Array
    usable: Mask


def _motion(legs: Sequence[tuple[JointLoads, Mask]], rate_hz: float) -> _Motion:
    centre, R_GS, omega = (
        np.concatenate([getattr(loads.chain, name) for loads, _ in legs], axis=1)
        for name in ("r_cm_G", "R_GS", "omega_S")
    )
    velocity = derivatives(centre, rate_hz)[0]
    published = np.concatenate([shown for _, shown in legs], axis=1)
    return _Motion(centre, velocity, R_GS, omega, published & known_points(velocity))


def _drifts(
    legs: Sequence[tuple[JointLoads, Mask]],
    motion: _Motion,
    starts: Places,
    window: tuple[int, float],
) -> tuple[Places, Array, Array]:
    """Return segment, angle (deg) and distance (mm) of the windows that start in some frames."""
    frames, rate_hz = window
    parts = max(math.ceil(1.0 / (LONGEST_STEP_S * rate_hz) - 1e-9), 1)
    all_loads, low = [loads for loads, _ in legs], 0
    if len(starts) * frames < len(motion.usable) - 2 * frames:  # a block of a long recording
        low = max(int(starts[0]) - BESIDE, 0)
        rows = slice(low, int(starts[-1]) + frames + BESIDE + 1)
        all_loads = [loads.part(rows) for loads in all_loads]
    bodies = _side_by_side([_at_frames(loads) for loads in all_loads], 2 * parts)
    starts, segments = _windows(bodies, motion.usable, (starts, low), frames)
    first, end = (starts, segments), (starts + frames, segments)
    axes = motion.R_GS[first].T.reshape(9, -1)
    moving = motion.velocity[first].T, axes, motion.omega[first].T
    state = np.concatenate((motion.centre[first].T, *moving))
    with np.errstate(over="ignore", invalid="ignore"):  # wrong loads diverge
        row = 2 * parts * (starts - low)
        before = bodies.driven(row, segments)
        for _ in range(parts * frames):
            middle, ahead = bodies.driven(row + 1, segments), bodies.driven(row + 2, segments)
            state = _runge_kutta(state, (before, middle, ahead), 1.0 / (parts * rate_hz))
            row, before = row + 2, ahead
        angle = _angle_deg(relative(motion.R_GS[end], _axes(state).T))
    distance = np.linalg.norm(state[_PLACE].T - motion.centre[end], axis=-1) * 1e3
    return segments, angle, distance


def _angle_deg(R: Array) -> Array:
    """Return the angles of rotations, deg; 180 for one that diverged."""
    sine = np.linalg.norm(vee(R), axis=-1)
    cosine = 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1.0)
    return np.nan_to_num(np.degrees(np.arctan2(sine, cosine)), nan=180.0)


@frozen(eq=False)
class _FreeBodies:
    """Inputs of every segment at and between the frames, shape (parts (n - 1) + 1, s, 8, 3).

    In order: acceleration of the centre of mass, proximal force, distal force and moment in G;
    then in segment axes the proximal moment, proximal and distal lever arm, and the angular
    acceleration about axes without inertia.
    """

    inputs: Array
    inertia_S: Array
    inverse: Array
    parts: int

    def driven(self, row: Places, segment: Places) -> Driven:
        """Return the inputs, inertia and inverse inertia of segments in rows, axes reversed."""
        index = (row, segment) if self.inertia_S.ndim > 3 else segment  # noqa: PLR2004
        inertia, inverse = self.inertia_S[index], self.inverse[index]
        return self.inputs[row, segment].T.copy(), inertia.T.copy(), inverse.T.copy()


def _axes(state: Array) -> Array:
    return state[_AXES].reshape(3, 3, -1)


def _cross(a: Array, b: Array) -> Array:
    """Return ``a x b`` over the first axis."""
    return a.take(_YZX, 0) * b.take(_ZXY, 0) - a.take(_ZXY, 0) * b.take(_YZX, 0)


def _rates(state: Array, driven: Driven) -> Array:
    """Return the derivatives of position, velocity, axes and angular velocity, shape (18, k)."""
    inputs, inertia, inverse = driven
    axes, omega = _axes(state), state[_TURNING]
    a, M_S, alpha, arms = inputs[:, 0], inputs[:, 4], inputs[:, 7], inputs[:, 5:7]
    in_axes = (axes[:, :, None] * inputs[:, 1:4]).sum(axis=1)  # R'v of both forces and M_G
    moments = _cross(arms, in_axes[:, :2])
    torque = M_S + in_axes[:, 2]
    torque += moments[:, 0] - moments[:, 1]
    torque -= _cross(omega, np.einsum("jik,jk->ik", inertia, omega))
    rates = np.empty(state.shape)
    rates[_PLACE], rates[_VELOCITY] = state[_VELOCITY], a
    _axes(rates)[:] = _cross(axes, omega[:, None])  # R S(omega), row by row of R
    rates[_TURNING] = np.einsum("jik,jk->ik", inverse, torque) + alpha
    return rates


def _at_frames(loads: JointLoads) -> Driven:
    """Return the inputs, inertia and inverse inertia of the segments of a leg at its frames."""
    chain = loads.chain
    zero = np.zeros_like(chain.r_cm_G)
    F_dist, M_dist, arm_dist = zero.copy(), zero.copy(), zero.copy()
    F_dist[:, 1:] = loads.force_G[:, :-1]
    M_dist[:, 1:] = rotate(chain.R_GS, loads.moment_S)[:, :-1]
    above = chain.R_GS[:, 1:].copy()  # einsum is slow on slices
    arm_dist[:, 1:] = rotate_back(above, chain.r_prox_G[:, :-1] - chain.r_cm_G[:, 1:])
    arm_prox = rotate_back(chain.R_GS, chain.r_prox_G - chain.r_cm_G)
    net = loads.force_G - F_dist + chain.external_force_G
    a = net / chain.mass[:, None] + chain.gravity_G
    M_G = chain.external_moment_G - M_dist
    inverse, empty = inverse_inertia(chain.inertia_S)
    alpha = rotate(empty, chain.alpha_S)
    inputs = (a, loads.force_G, F_dist, M_G, loads.moment_S, arm_prox, arm_dist, alpha)
    return np.stack(inputs, axis=2), chain.inertia_S, inverse


def _side_by_side(legs: list[Driven], parts: int) -> _FreeBodies:
    """Return the segments of all legs together, at the frames and between them."""
    each = zip(*legs, strict=True)
    inputs, inertia, inverse = (np.concatenate(arrays, axis=-3) for arrays in each)
    if inertia.ndim > 3:  # noqa: PLR2004
        inertia, inverse = between(inertia, parts), between(inverse, parts)
    return _FreeBodies(between(inputs, parts), inertia, inverse, parts)


def between(values: Array, parts: int) -> Array:
    """Return values at the frames and at equal steps between them.

    Parameters
    ----------
    values : array, shape (n, ...)
    parts : int
        Steps from one frame to the next.

    Returns
    -------
    array, shape (parts (n - 1) + 1, ...)
        Between frames, the polynomial through the twelve nearest (Lagrange); NaN if one of them is
        not known.
    """
    n, beside = len(values), (BESIDE - 1, BESIDE - 1)
    padded = np.pad(values, (beside, *((0, 0),) * (values.ndim - 1)), constant_values=np.nan)
    finer = np.full((parts * (n - 1) + 1, *values.shape[1:]), np.nan)
    finer[::parts] = values
    for part in range(1, parts):
        weights = _lagrange(part / parts)
        finer[part::parts] = sum(weight * padded[k : k + n - 1] for k, weight in weights)
    return finer


@lru_cache(maxsize=64)
def _lagrange(t: float) -> tuple[tuple[int, float], ...]:
    """Return the weights of the frames -5 to 6 at 0 < t < 1."""
    nodes = np.arange(1.0 - BESIDE, 1.0 + BESIDE)
    return tuple(
        (k, float(np.prod((t - np.delete(nodes, k)) / (node - np.delete(nodes, k)))))
        for k, node in enumerate(nodes)
    )


def _windows(
    bodies: _FreeBodies, usable: Mask, begins: tuple[Places, int], frames: int
) -> tuple[Places, Places]:
    """Return start frame and segment of the windows in which all inputs are known.

    Of the windows are given the first frames, and that of the bodies.
    """
    known, (first, low) = known_within(bodies.inputs), begins
    rows = first[:, None] + np.arange(frames + 1)
    finer = bodies.parts * (first - low)[:, None] + np.arange(bodies.parts * frames + 1)
    whole = usable[rows].all(axis=1) & known[finer].all(axis=1)
    index, segments = np.nonzero(whole)
    return first[index], segments


def _runge_kutta(state: Array, driven: tuple[Driven, Driven, Driven], step_s: float) -> Array:
    """Return the state one step later, given the inputs at its start, middle and end."""
    before, middle, ahead = driven
    k1 = _rates(state, before)
    k2 = _rates(state + 0.5 * step_s * k1, middle)
    k3 = _rates(state + 0.5 * step_s * k2, middle)
    k4 = _rates(state + step_s * k3, ahead)
    return state + step_s * ((k1 + 2 * k2 + 2 * k3 + k4) / 6)
