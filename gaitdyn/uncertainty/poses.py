"""Monte Carlo of the poses: noise and skin through the marker model, joint centres, the knee axis.

The loads depend on the poses in no simple way (joint centres, axes, two derivatives), so that they
are drawn; the knee axis, one number, is turned either way. Draws stand beside each other as a
second axis behind the frames; every stage that works frame by frame sees them as more frames, and
only the derivatives know which belong together.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.anthropometry import leg_body
from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.rotations import cross, dot, rotate, skew, unit
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.leg import make_chain
from gaitdyn.dynamics.power import joint_power
from gaitdyn.kinematics.derivatives import angular_motion, derivatives
from gaitdyn.kinematics.plane import ABOUT_Z, only
from gaitdyn.stages.motion import find_pose, marker_filter
from gaitdyn.types.wrench import FootWrench
from gaitdyn.uncertainty.inputs import untold
from gaitdyn.uncertainty.leg_curves import leg_curves
from gaitdyn.uncertainty.products import Spread, covariance
from gaitdyn.uncertainty.tissue import swayed_pose, turned_pose

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.loads import JointLoads
    from gaitdyn.types.motion import LegPose, Pose
    from gaitdyn.uncertainty.inputs import InputErrors, Told
    from gaitdyn.uncertainty.leg_curves import Stages

_MM = 0.001
_ROWS = 6000
"""Frames times draws of one batch: what the caches hold."""


def pose_variances(run: Stages, errors: InputErrors, told: Told = untold) -> dict[str, Spread]:
    """Return the variance of every curve by side and source, about the curve as computed.

    Parameters
    ----------
    run : Stages
    errors : InputErrors
    told : callable, optional
        Is told how far it is.

    Returns
    -------
    dict
        Side -> what ``marker_noise``, ``joint_centres``, ``soft_tissue``, ``knee_axis`` do.
    """
    rng = np.random.default_rng(errors.seed)
    found: dict[str, Spread] = {}
    drawn = (
        ("marker_noise", noisy_pose),
        ("joint_centres", shifted_pose),
        ("soft_tissue", swayed_pose),
    )
    for i, (source, draw) in enumerate(drawn):
        done = i * errors.draws
        for count in _batches(errors.draws, len(run.motion.trial.markers_G)):
            told("input errors", done, len(drawn) * errors.draws)
            done += count
            pose = draw(run, errors, count, rng)
            for side in run.loaded:
                part = _spread(source, _errors(run, pose, side, count), count / errors.draws)
                found[side] = found[side].plus(part) if side in found else part
    turned = turned_pose(run, errors)
    return {
        side: spread.plus(_spread("knee_axis", _errors(run, turned, side, 2), 1.0))
        for side, spread in found.items()
    }


def _spread(source: str, drawn: tuple[Array, Array, Array], part: float) -> Spread:
    """Return what a batch adds, which is a part of the draws: of curves, moments and turning."""
    curves, moment, turning = drawn
    variance = part * (curves**2).mean(axis=1)
    return Spread({source: variance}, part * covariance(moment), part * covariance(turning))


def _batches(draws: int, n: int) -> Iterator[int]:
    each = max(1, min(draws, _ROWS // n))
    for start in range(0, draws, each):
        yield min(each, draws - start)


def noisy_pose(run: Stages, errors: InputErrors, count: int, rng: np.random.Generator) -> Pose:
    """Return the pose from the markers with drawn noise, frames times draws in the order of time.

    White noise passes the filter of the markers and is added to the filtered ones, as the filter
    is linear.
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

    A centre moves by a constant vector in the axes of the segment above it; shank and thigh turn
    on the shortest way so that their long axes meet the centres again.
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
    """Return a leg with its centres moved.

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
    """Return the rotation that takes unit vector a to b on the shortest way, shape (..., 3, 3).

    ``I + S(v) + S(v)^2 / (1 + a . b)`` with v = a x b (Rodrigues).
    """
    S = skew(cross(*np.broadcast_arrays(a, b)))
    return np.eye(3) + S + S @ S / (1.0 + dot(a, b))[..., None]


def _errors(run: Stages, pose: Pose, side: str, count: int) -> tuple[Array, Array, Array]:
    """Return the errors of the curves of one leg in every draw, shape (n, count, 21).

    Those of power are ``dM . w + M . dw`` by component; for the product of two errors see
    :mod:`gaitdyn.uncertainty.products`, which needs the other two: ``dM`` and ``dw``, shape
    (n, count, 3, 3).
    """
    kinetics, pelvis = run.kinetics(side), run.motion.pose.R_GP
    rate, n = run.motion.trial.rate_hz, len(pelvis)
    above = rotate(pelvis, angular_motion(pelvis, rate)[0])
    turning = joint_power(kinetics.loads.chain, np.ones_like(kinetics.loads.moment_S), above)
    own = kinetics.loads.moment_S[:, None], turning[:, None]
    loads, moved, drawn = _drawn_loads(run, pose, side, count)
    d_moment, d_turning = (
        values.reshape(n, count, *values.shape[1:]) - as_measured
        for values, as_measured in zip((loads.moment_S, moved), own, strict=True)
    )
    power = (d_moment * own[1] + own[0] * d_turning).reshape(loads.moment_S.shape)
    if drawn.planar:
        loads = replace(loads, moment_S=only(loads.moment_S, ABOUT_Z))
        d_moment = only(d_moment, ABOUT_Z)
    curves = leg_curves(loads, power, drawn, side, run.options).reshape(n, count, -1)
    zero = np.zeros_like(turning)
    measured = leg_curves(kinetics.loads, zero, run.motion.pose, side, run.options)
    return curves - measured[:, None], d_moment, d_turning


def _drawn_loads(run: Stages, pose: Pose, side: str, count: int) -> tuple[JointLoads, Array, Pose]:
    """Return the loads of one leg in every draw, and how its joints turn, shape (n count, 3, 3).

    The latter by component of the distal axes, rad/s.
    """
    rate, leg = run.motion.trial.rate_hz, pose.leg(side)
    subject = run.body.subject
    body = leg_body(
        leg, run.body.calibration, run.body.table, subject.mass_kg or np.nan, subject.sex or ""
    )

    def by_time(values: Array) -> Array:
        return values.reshape(-1, count, *values.shape[1:])

    def flat(parts: list[Array]) -> Array:
        both = np.stack(parts, axis=2)
        return both.reshape(-1, *both.shape[2:])

    turns = [angular_motion(by_time(R), rate) for R in np.moveaxis(leg.R_GS, 1, 0)]
    a_cm = [derivatives(by_time(r), rate)[1] for r in np.moveaxis(body.r_cm_G, 1, 0)]
    omega, alpha = (flat([turn[i] for turn in turns]) for i in (0, 1))
    wrench = _repeated(run.ground.wrench[side], count)
    chain = make_chain(leg, body, wrench, flat(a_cm), omega, alpha)
    pelvis = angular_motion(by_time(pose.R_GP), rate)[0].reshape(-1, 3)
    loads = joint_loads(chain)
    turning = joint_power(chain, np.ones_like(loads.moment_S), rotate(pose.R_GP, pelvis))
    return loads, turning, pose


def _repeated(wrench: FootWrench, count: int) -> FootWrench:
    return replace(
        wrench,
        force_G=np.repeat(wrench.force_G, count, axis=0),
        moment_G=np.repeat(wrench.moment_G, count, axis=0),
    )
