"""Propagate errors of poses by Monte Carlo: marker noise, skin, joint centres and the knee axis.

The loads depend on the poses in no simple way (joint centres, axes, two derivatives), so the poses
are drawn; the knee axis, one number, is rotated by one deviation each way. The draws form a second
axis after the frames. Stages that work frame by frame treat them as additional frames, and only the
derivatives take account of which frames belong to one draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.body.anthropometry import leg_body
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.rotations import cross, dot, rotate, skew, unit
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.leg import make_chain
from gaitdyn.dynamics.power import joint_power
from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.kinematics.plane import ABOUT_Z, only
from gaitdyn.stages.loads import whole_leg
from gaitdyn.stages.motion import find_pose, marker_filter
from gaitdyn.types.arrays import Array
from gaitdyn.types.loads import JointLoads
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.uncertainty.inputs import InputErrors, Progress, no_progress
from gaitdyn.uncertainty.leg_curves import Stages, leg_curves
from gaitdyn.uncertainty.products import Spread, covariance
from gaitdyn.uncertainty.tissue import swayed_pose, turned_pose

_MM = 0.001
_ROWS = 6000
"""Frames times draws of one batch, chosen to fit into the caches."""


def pose_variances(
    run: Stages, errors: InputErrors, progress: Progress = no_progress
) -> dict[str, Spread]:
    """Return the variance of every curve by side and source, about the computed curve.

    Parameters
    ----------
    run : Stages
    errors : InputErrors
    progress : callable, optional
        See :data:`gaitdyn.uncertainty.inputs.Progress`.

    Returns
    -------
    dict
        Side -> effect of ``marker_noise``, ``joint_centres``, ``soft_tissue`` and ``knee_axis``.
    """
    rng = np.random.default_rng(errors.seed)
    spreads: dict[str, Spread] = {}
    sources = (
        ("marker_noise", noisy_pose),
        ("joint_centres", shifted_pose),
        ("soft_tissue", swayed_pose),
    )
    for i, (source, draw) in enumerate(sources):
        done = i * errors.draws
        for count in _batches(errors.draws, len(run.motion.trial.markers_G)):
            progress("input errors", done, len(sources) * errors.draws)
            done += count
            for side, drawn in _errors(run, draw(run, errors, count, rng), count).items():
                part = _spread(source, drawn, count / errors.draws)
                spreads[side] = spreads[side].plus(part) if side in spreads else part
    turned = _errors(run, turned_pose(run, errors), 2)
    return {
        side: spread.plus(_spread("knee_axis", turned[side], 1.0))
        for side, spread in spreads.items()
    }


def _spread(source: str, drawn: tuple[Array, Array, Array], share: float) -> Spread:
    """Return the contribution of a batch to the variances, a given share of all draws.

    ``drawn`` has the errors of curves, of moments and of angular velocities.
    """
    curves, moment, turning = drawn
    variance = share * (curves**2).mean(axis=1)
    return Spread({source: variance}, share * covariance(moment), share * covariance(turning))


def _batches(draws: int, n: int) -> Iterator[int]:
    each = max(1, min(draws, _ROWS // n))
    for start in range(0, draws, each):
        yield min(each, draws - start)


def noisy_pose(run: Stages, errors: InputErrors, count: int, rng: np.random.Generator) -> Pose:
    """Return the pose from the markers with drawn noise, frames times draws in the order of time.

    The white noise is filtered like the markers and added to the filtered markers, which is
    equivalent because the filter is linear.
    """
    trial = run.motion.trial
    n, m, _ = trial.markers_G.shape
    noise = rng.normal(0.0, errors.marker_noise_mm * _MM, (n, count * m, 3))
    how = marker_filter(run.options, trial.rate_hz)
    noise = smooth(noise, Filter(how.rate_hz, how.cutoff_hz, how.kind))[0]
    drawn = trial.markers_G[:, None] + noise.reshape(n, count, m, 3)
    batch = replace(trial, markers_G=drawn.reshape(n * count, m, 3))
    return find_pose(batch, run.session, run.body, run.options)


def shifted_pose(run: Stages, errors: InputErrors, count: int, rng: np.random.Generator) -> Pose:
    """Return the pose with drawn joint centres, frames times draws in the order of time.

    A centre moves by a constant vector in the axes of the segment above it. Shank and thigh make
    the shortest rotation that takes their long axes through the moved centres.
    """
    pose, legs = run.motion.pose, {}
    sd = np.array([errors.ankle_mm, errors.knee_mm, errors.hip_mm])[:, None] * _MM
    for side in ("left", "right"):
        leg = pose.leg(side)
        shifts = rng.normal(size=(count, 3, 3)) * sd
        above = np.concatenate((leg.R_GS[:, 1:], pose.R_GP[:, None]), axis=1)
        if pose.planar:
            above[:, 2] = leg.R_GS[:, 2]
        legs[side] = shifted_leg(leg, above, shifts)
    return replace(
        pose,
        R_GP=np.repeat(pose.R_GP, count, axis=0),
        origin_G=np.repeat(pose.origin_G, count, axis=0),
        left=legs["left"],
        right=legs["right"],
    )


def shifted_leg(leg: LegPose, above: Array, shifts: Array) -> LegPose:
    """Return a leg with its joint centres moved.

    Parameters
    ----------
    leg : LegPose
    above : array, shape (n, 3, 3, 3)
        Axes of the segment above ankle, knee and hip.
    shifts : array, shape (k, 3, 3)
        Of ankle, knee and hip centre in those axes, m.

    Returns
    -------
    LegPose
        n k frames.
    """
    n, k = len(leg.R_GS), len(shifts)
    centres = leg.r_prox_G[:, None] + np.einsum("nsij,ksj->nksi", above, shifts)
    before = unit(leg.r_prox_G[:, 1:] - leg.r_prox_G[:, :-1])[:, None]
    turn = shortest_turn(before, unit(centres[:, :, 1:] - centres[:, :, :-1]))
    R = np.repeat(leg.R_GS[:, None], k, axis=1)
    R[:, :, 1:] = turn @ R[:, :, 1:]
    distal = leg.R_shank_distal
    if distal is not None:
        distal = (turn[:, :, 0] @ distal[:, None]).reshape(n * k, 3, 3)
    return replace(
        leg,
        R_GS=R.reshape(n * k, 3, 3, 3),
        r_prox_G=centres.reshape(n * k, 3, 3),
        own_prox_G=None
        if leg.own_prox_G is None
        else (centres + (leg.own_prox_G - leg.r_prox_G)[:, None]).reshape(n * k, 3, 3),
        R_shank_distal=distal,
    )


def shortest_turn(a: Array, b: Array) -> Array:
    """Return the shortest rotation that takes unit vector a to b, shape (..., 3, 3).

    ``I + S(v) + S(v)^2 / (1 + a . b)`` with v = a x b (Rodrigues).
    """
    S = skew(cross(*np.broadcast_arrays(a, b)))
    return np.eye(3) + S + S @ S / (1.0 + dot(a, b))[..., None]


def _errors(run: Stages, pose: Pose, count: int) -> dict[str, tuple[Array, Array, Array]]:
    """Return side -> the errors of the curves of its leg in every draw, shape (n, count, 21).

    Those of power are ``dM . w + M . dw`` by component. The second and third value are ``dM`` and
    ``dw``, shape (n, count, 3, 3); :mod:`gaitdyn.uncertainty.products` needs them for the product
    of two errors.
    """
    own, rate = run.motion.pose.R_GP, run.motion.trial.rate_hz
    measured = rotate(own, angular_motion(own, rate)[0])
    drawn = rotate(pose.R_GP, turns_of(pose.R_GP, own, rate)[0])
    return {side: _leg_errors(run, pose, side, count, (measured, drawn)) for side in run.loaded}


def _leg_errors(
    run: Stages, pose: Pose, side: str, count: int, pelvis_omega_G: tuple[Array, Array]
) -> tuple[Array, Array, Array]:
    """Return the errors of one leg; the pelvis turns as measured, and as drawn."""
    kinetics, n = run.kinetics(side), len(run.motion.pose.R_GP)
    above, drawn_above = pelvis_omega_G
    turning = joint_power(kinetics.loads.chain, np.ones_like(kinetics.loads.moment_S), above)
    M, w = kinetics.loads.moment_S[:, None], turning[:, None]
    loads, drawn_turning = _drawn_loads(run, pose, side, drawn_above)
    d_moment = loads.moment_S.reshape(n, count, 3, 3) - M
    d_turning = drawn_turning.reshape(n, count, 3, 3) - w
    power = (d_moment * w + M * d_turning).reshape(loads.moment_S.shape)
    if pose.planar:
        loads = replace(loads, moment_S=only(loads.moment_S, ABOUT_Z))
        d_moment = only(d_moment, ABOUT_Z)
    curves = leg_curves(loads, power, pose, side, run.options).reshape(n, count, -1)
    zero = np.zeros_like(turning)
    measured = leg_curves(kinetics.loads, zero, run.motion.pose, side, run.options)
    return curves - measured[:, None], d_moment, d_turning


def turns_of(R_GS: Array, R_own: Array, rate_hz: float) -> tuple[Array, Array]:
    """Return angular velocity and acceleration of a segment in every draw, shape (n count, 3).

    Axes that were not drawn have those of the trial.
    """
    drawn = R_GS.reshape(len(R_own), -1, 3, 3)
    if np.array_equal(drawn, np.broadcast_to(R_own[:, None], drawn.shape), equal_nan=True):
        omega, alpha = (
            np.repeat(w, drawn.shape[1], axis=0) for w in angular_motion(R_own, rate_hz)
        )
    else:
        omega, alpha = (w.reshape(-1, 3) for w in angular_motion(drawn, rate_hz))
    return omega, alpha


def _drawn_loads(
    run: Stages, pose: Pose, side: str, pelvis_omega_G: Array
) -> tuple[JointLoads, Array]:
    """Return the loads of one leg in every draw, and the angular velocities of its joints.

    The latter have shape (n count, 3, 3), by component of the distal axes, rad/s.
    """
    rate = run.motion.trial.rate_hz
    leg, own = (whole_leg(drawn.leg(side)) for drawn in (pose, run.motion.pose))
    subject = run.body.subject
    body = leg_body(
        leg, run.body.calibration, run.body.table, subject.mass_kg or np.nan, subject.sex or ""
    )
    segments = zip(np.moveaxis(leg.R_GS, 1, 0), np.moveaxis(own.R_GS, 1, 0), strict=True)
    turns = [turns_of(drawn, measured, rate) for drawn, measured in segments]
    omega, alpha = (np.stack([turn[i] for turn in turns], axis=1) for i in (0, 1))
    by_time = [r.reshape(len(own.R_GS), -1, 3) for r in np.moveaxis(body.r_cm_G, 1, 0)]
    a_cm = np.stack([derivatives(r, rate)[1].reshape(-1, 3) for r in by_time], axis=1)
    wrench, count = run.ground.wrench[side], by_time[0].shape[1]
    force, moment = (np.repeat(v, count, axis=0) for v in (wrench.force_G, wrench.moment_G))
    wrench = replace(wrench, force_G=force, moment_G=moment)
    chain = make_chain(leg, body, wrench, a_cm, omega, alpha)
    loads = joint_loads(chain)
    return loads, joint_power(chain, np.ones_like(loads.moment_S), pelvis_omega_G)
