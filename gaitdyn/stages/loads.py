"""Compute the joint loads and powers of both legs."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.body.anthropometry import leg_body
from gaitdyn.core.rotations import rotate
from gaitdyn.core.runs import complete_rows, known_mean, runs
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.leg import leg_chains
from gaitdyn.dynamics.power import joint_power
from gaitdyn.dynamics.vendor import edge_frames, one_sided_omega, vendor_body, vendor_chain
from gaitdyn.kinematics.derivatives import angular_motion
from gaitdyn.kinematics.plane import ABOUT_Z, only
from gaitdyn.stages.motion import Motion, marker_filter
from gaitdyn.types.result import LegKinetics, Side
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.ground import Ground
    from gaitdyn.stages.session import Session
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.chain import Chain
    from gaitdyn.types.motion import LegBody, LegPose
    from gaitdyn.types.options import Options


def find_loads(
    session: Session, body: SubjectBody, motion: Motion, ground: Ground, options: Options
) -> dict[str, Side]:
    """Return angles, wrench, loads and powers of each leg."""
    sides: dict[str, Side] = {}
    loaded = [] if ground.no_kinetics else session.sides
    above = _pelvis_omega(motion, options) if loaded else np.zeros(0)
    chains = _chains(loaded, body, motion, ground, options)
    for side in session.sides:
        kinetics = None
        if side in chains:
            chain = chains[side]
            loads = joint_loads(chain)
            power = joint_power(chain, loads.moment_S, above)
            if motion.pose.planar:
                loads = replace(loads, moment_S=only(loads.moment_S, ABOUT_Z))
                power = only(power, ABOUT_Z)
            shown = _published(chain, options, motion.trial.rate_hz)
            shown[:, 0] &= np.isfinite(motion.pose.leg(side).R_GS[:, 0]).all(axis=(1, 2))
            kinetics = LegKinetics(loads, power, shown)
        sides[side] = Side(
            motion.angles[side], ground.wrench.get(side), kinetics, ground.stance[side]
        )
    return sides


def _pelvis_omega(motion: Motion, options: Options) -> Array:
    """Return the angular velocity of the pelvis in G, shape (n, 3), rad/s."""
    R = motion.pose.R_GP
    if options.profile == "plug-in-gait":
        omega = one_sided_omega(R[:, None], motion.trial.rate_hz, pelvis=True)[0][:, 0]
    else:
        omega = angular_motion(R, motion.trial.rate_hz)[0]
    return rotate(R, omega)


def _chains(
    sides: Sequence[str], body: SubjectBody, motion: Motion, ground: Ground, options: Options
) -> dict[str, Chain]:
    """Return the segment chain of each of the given legs."""
    rate, mass = motion.trial.rate_hz, body.subject.mass_kg or np.nan
    legs = [
        (
            whole_leg(motion.pose.leg(side)),
            body_of_leg(side, body, motion, options, mass),
            ground.wrench[side],
        )
        for side in sides
    ]
    if options.profile == "plug-in-gait":
        return dict(zip(sides, [vendor_chain(*leg, rate) for leg in legs], strict=True))
    return dict(zip(sides, leg_chains(legs, rate) if legs else (), strict=True))


def body_of_leg(
    side: str, body: SubjectBody, motion: Motion, options: Options, mass_kg: float
) -> LegBody:
    """Return masses, inertia and centres of mass of a leg, for the given body mass.

    Parameters
    ----------
    side : {"left", "right"}
    body : SubjectBody
    motion : Motion
    options : Options
    mass_kg : float
    """
    pose = whole_leg(motion.pose.leg(side))
    if options.profile == "plug-in-gait":
        length = _heel_to_toe(side, body, motion) - body.calibration.diameter_m / 2
        return vendor_body(pose, length, mass_kg, body.table)
    return leg_body(pose, body.calibration, body.table, mass_kg, body.subject.sex or "")


def whole_leg(pose: LegPose) -> LegPose:
    """Return a leg whose foot rotates with the shank if no landmark ever shows the foot's axes.

    The mass of the foot then still counts at the knee and the hip. Results expressed in the axes of
    the foot are not published.
    """
    foot, shank = np.isfinite(pose.R_GS[:, 0]), np.isfinite(pose.R_GS[:, 1])
    if foot.any() or not shank.any():
        return pose
    R_GS = pose.R_GS.copy()
    R_GS[:, 0] = R_GS[:, 1]
    return replace(pose, R_GS=R_GS)


def _heel_to_toe(side: str, body: SubjectBody, motion: Motion) -> float:
    """Return the mean distance of heel and toe marker in the trial, otherwise in the static, m."""
    trial, label = motion.trial, LETTER[side] + "HEE"
    if label in trial.labels:
        gap = np.linalg.norm(trial.marker(label) - trial.marker(LETTER[side] + "TOE"), axis=1)
        return float(known_mean(gap))
    heel, toe = motion.feet[side]
    usual = float(known_mean(np.linalg.norm(heel - toe, axis=1)))
    return body.calibration.heel_toe_m.get(side, usual)


def _published(chain: Chain, options: Options, rate_hz: float) -> Mask:
    """Return, for each joint, the frames that are far enough from the ends of a run of known poses.

    A joint needs all segments below it. A gap in the thigh does not affect the ankle.

    Returns
    -------
    array of bool, shape (n, 3)
    """
    edge = edge_at_bridged = edge_frames(rate_hz)
    bridged = 0.0
    if options.profile == "default":
        filter_ = marker_filter(options, rate_hz)
        edge, edge_at_bridged = filter_.reach, filter_.reach_beside_bridged
        bridged = filter_.bridged_s * rate_hz
    inside = np.zeros(chain.r_cm_G.shape[:2], bool)
    for joint in range(chain.n_segments):
        below = slice(0, joint + 1)
        known = runs(
            complete_rows(chain.r_prox_G[:, below]) & complete_rows(chain.r_cm_G[:, below])
        )
        gaps = [b[0] - a[1] for a, b in pairwise(known)]
        bounded_runs = zip(known, [np.inf, *gaps], [*gaps, np.inf], strict=False)
        for (start, stop), before, after in bounded_runs:
            first = start + (edge_at_bridged if before <= bridged else edge)
            last = stop - (edge_at_bridged if after <= bridged else edge)
            inside[first : max(first, last), joint] = True
    return inside
