"""Propagate errors exactly: moments are linear in the ground's wrench and the body's inertia.

With the motion given, the stacked system ``A f = M qdd - C - G - E`` has a right-hand side that is
linear in the ground's force and moment, in mass and in moments of inertia. Half the difference
between the solutions at plus and minus one standard deviation is therefore exactly the derivative
times the standard deviation. The dependence on the position of a centre of mass is quadratic, and
the same difference gives its exact first derivative.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import cross, rotate
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.power import joint_power
from gaitdyn.kinematics.derivatives import angular_motion
from gaitdyn.kinematics.plane import ABOUT_Z, only
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.uncertainty.leg_curves import Stages, leg_curves
from gaitdyn.uncertainty.products import Spread, covariance

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.chain import Chain
    from gaitdyn.types.wrench import FootWrench
    from gaitdyn.uncertainty.inputs import InputErrors

_PERCENT, _MM = 0.01, 0.001


def linear_variances(run: Stages, side: str, errors: InputErrors) -> Spread:
    """Return the variance of every curve of one leg by source.

    Parameters
    ----------
    run : Stages
    side : {"left", "right"}
    errors : InputErrors

    Returns
    -------
    Spread
        The effect of ``plate_force``, ``centre_of_pressure`` and ``segment_table``; they have none
        on angular velocities.
    """
    chain = run.kinetics(side).loads.chain
    pelvis = run.motion.pose.R_GP
    above = rotate(pelvis, angular_motion(pelvis, run.motion.trial.rate_hz)[0])
    variances: dict[str, Array] = {}
    moments = []
    for source, change in changes(chain, errors, ground_height(run.sides[side].wrench)):
        plus, minus = (_solved(run, side, change(sign), above) for sign in (1.0, -1.0))
        half, moment = (a - b for a, b in zip(plus, minus, strict=True))
        variances[source] = variances.get(source, 0.0) + (half / 2.0) ** 2
        moments.append(moment / 2.0)
    moment = len(moments) * covariance(np.stack(moments, axis=1))
    return Spread(variances, moment, np.zeros_like(moment))


def _solved(run: Stages, side: str, chain: Chain, above: Array) -> tuple[Array, Array]:
    """Return the curves of one leg, shape (n, 21), and its moments, shape (n, 3, 3)."""
    loads = joint_loads(chain)
    power = joint_power(chain, loads.moment_S, above)
    if run.motion.pose.planar:
        loads = replace(loads, moment_S=only(loads.moment_S, ABOUT_Z))
    return leg_curves(loads, power, run.motion.pose, side, run.options), loads.moment_S


def ground_height(wrench: FootWrench | None) -> Array | float:
    """Return the height of the ground under a foot, shape (n,), m; 0 if it is not known.

    It is that of the centre of pressure and, where this is not known, that of the frames around.
    """
    heights = np.empty(0) if wrench is None else wrench.cop_G[:, 1]
    rows = np.flatnonzero(np.isfinite(heights))
    return np.interp(np.arange(len(heights)), rows, heights[rows]) if len(rows) else 0.0


def changes(
    chain: Chain, errors: InputErrors, height: Array | float = 0.0
) -> Iterator[tuple[str, Callable[[float], Chain]]]:
    """Yield each independent error: its source, and a function that applies it to the chain.

    The function takes the size of the error as a number of standard deviations.

    Parameters
    ----------
    chain : Chain
    errors : InputErrors
    height : array, shape (n,), or float
        Of the ground under the foot, m.
    """
    arm = arm_to_ground(chain, height)
    for axis in range(3):
        yield "plate_force", _gain(chain, arm, axis, errors.plate_force_percent * _PERCENT)
    for axis in (0, 2):
        yield "centre_of_pressure", _shift(chain, axis, errors.cop_mm * _MM)
    for i in range(len(SEGMENTS)):
        yield "segment_table", _mass(chain, i, errors.segment_mass_percent * _PERCENT)
        yield "segment_table", _radius(chain, i, errors.segment_radius_percent * _PERCENT)
        yield "segment_table", _centre(chain, i, errors.segment_cm_percent * _PERCENT)


def _gain(chain: Chain, arm: Array, axis: int, sd: float) -> Callable[[float], Chain]:
    """Return the change of one component of the ground force at a constant centre of pressure.

    With F' = F + dF the moment about the foot's centre of mass gains (r - cm) x dF, where r - cm
    is the arm, shape (n, 3), m.
    """
    force = np.zeros_like(chain.external_force_G)
    force[..., axis] = sd * chain.external_force_G[..., axis]
    moment = np.zeros_like(force)
    moment[:, 0] = cross(arm, force[:, 0])
    return lambda k: replace(
        chain,
        external_force_G=chain.external_force_G + k * force,
        external_moment_G=chain.external_moment_G + k * moment,
    )


def arm_to_ground(chain: Chain, height: Array | float) -> Array:
    """Return the vector from the foot's centre of mass to the centre of pressure, shape (n, 3), m.

    The centre of pressure is the point at the height of the ground, m, about which the ground's
    moment has no horizontal part; where there is no vertical force the vector is vertical.
    """
    F, M = chain.external_force_G[:, 0], chain.external_moment_G[:, 0]
    down = height - chain.r_cm_G[:, 0, 1]
    up = np.where(np.abs(F[:, 1]) > _SMALLEST_N, F[:, 1], np.inf)
    x = (M[:, 2] + down * F[:, 0]) / up
    z = (down * F[:, 2] - M[:, 0]) / up
    return np.stack((x, down, z), axis=1)


_SMALLEST_N = 1.0


def _shift(chain: Chain, axis: int, sd: float) -> Callable[[float], Chain]:
    """Return the change of the ground's moment when the line of its force is shifted."""
    arm = np.zeros(3)
    arm[axis] = sd
    moment = np.zeros_like(chain.external_force_G)
    moment[:, 0] = cross(arm, chain.external_force_G[:, 0])
    return lambda k: replace(chain, external_moment_G=chain.external_moment_G + k * moment)


def _mass(chain: Chain, i: int, sd: float) -> Callable[[float], Chain]:
    """Return the change of the mass of segment i and of its inertia, at constant radii."""
    relative = np.zeros(chain.n_segments)
    relative[i] = sd
    return lambda k: replace(
        chain,
        mass=chain.mass * (1.0 + k * relative),
        inertia_S=chain.inertia_S * (1.0 + k * relative)[:, None, None],
    )


def _radius(chain: Chain, i: int, sd: float) -> Callable[[float], Chain]:
    """Return the change of the inertia of segment i with its radii: dI = 2 I dr / r."""
    relative = np.zeros(chain.n_segments)
    relative[i] = 2.0 * sd
    return lambda k: replace(chain, inertia_S=chain.inertia_S * (1.0 + k * relative)[:, None, None])


def _centre(chain: Chain, i: int, sd: float) -> Callable[[float], Chain]:
    """Return the change of the position of the centre of mass of segment i along the segment.

    A point displaced by d in segment axes has the acceleration a + alpha x d + omega x
    (omega x d). The ground's moment is about the centre of mass and changes with it.
    """
    d_S = sd * _along(chain, i)
    omega, alpha, R = chain.omega_S[:, i], chain.alpha_S[:, i], chain.R_GS[:, i]
    dr = np.zeros_like(chain.r_cm_G)
    da, dm = np.zeros_like(dr), np.zeros_like(dr)
    dr[:, i] = rotate(R, d_S)
    da[:, i] = rotate(R, cross(alpha, d_S) + cross(omega, cross(omega, d_S)))
    dm[:, i] = -cross(dr[:, i], chain.external_force_G[:, i])
    return lambda k: replace(
        chain,
        r_cm_G=chain.r_cm_G + k * dr,
        a_cm_G=chain.a_cm_G + k * da,
        external_moment_G=chain.external_moment_G + k * dm,
    )


def _along(chain: Chain, i: int) -> Array:
    """Return the long axis of segment i times its length, shape (n, 3), segment axes, m.

    For shank and thigh it is the vector from the proximal to the distal joint; for the foot, which
    has no distal joint, twice the vector from the ankle to its centre of mass.
    """
    end = chain.r_prox_G[:, i - 1] if i else 2.0 * chain.r_cm_G[:, 0] - chain.r_prox_G[:, 0]
    return np.einsum("nji,nj->ni", chain.R_GS[:, i], end - chain.r_prox_G[:, i])
