"""Forces, moments and powers of the Plug-in Gait upper body, for the profile ``plug-in-gait``.

As in the vendor's software, radii of gyration about the proximal end are used about the centre of
mass, and waist and neck are computed from the legs up.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import rotate
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.vendor import (
    VENDOR_GRAVITY_G,
    cross_validated_acceleration,
    edge_frames,
    one_sided_omega,
)
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import Pose
from gaitdyn.types.upper import ARM_JOINTS, ArmPose, JointWrench, UpperPose
from gaitdyn.upper.newton import Load, Moving, load_at
from gaitdyn.upper.vendor import ARM_MASS, L5_ABOVE, MASS, VendorTrunk, arm_centres, arm_spans

ARM_RADII = (0.587 * 1.5, 0.526, 0.542)
"""As a share of wrist to hand centre, elbow to wrist, shoulder to elbow: the radii about the
proximal end in Winter 2009, Table 4.1, used about the centre of mass."""

_TRUNK_RADIUS = 0.31
"""Of thorax and pelvis, recovered from the vendor's stored results; no table has it."""


def arm_chain(arm: ArmPose, mass_kg: float, rate_hz: float) -> Chain:
    """Return the chain of an arm with the vendor's inertia and derivatives.

    Parameters
    ----------
    arm : ArmPose
    mass_kg : float
        Body mass.
    rate_hz : float
    """
    mass = mass_kg * ARM_MASS
    lengths = np.linalg.norm(arm_spans(arm), axis=2)
    moment = mass * (np.array(ARM_RADII) * lengths) ** 2
    r_cm = arm_centres(arm)
    omega, alpha = one_sided_omega(arm.R_GS, rate_hz, pelvis=True)
    zero = np.zeros_like(r_cm)
    return Chain(
        mass=mass,
        inertia_S=moment[..., None, None] * np.diag([1.0, 0.0, 1.0]),
        R_GS=arm.R_GS,
        r_cm_G=r_cm,
        r_prox_G=arm.r_prox_G,
        a_cm_G=np.stack(
            [cross_validated_acceleration(r, rate_hz) for r in np.moveaxis(r_cm, 1, 0)], axis=1
        ),
        omega_S=omega,
        alpha_S=alpha,
        external_force_G=zero,
        external_moment_G=zero,
        gravity_G=VENDOR_GRAVITY_G,
    )


def moving(R_GS: Array, r_cm_G: Array, mass: float, inertia_S: Array, rate_hz: float) -> Moving:
    """Return a single segment with the vendor's derivatives."""
    omega, alpha = one_sided_omega(R_GS[:, None], rate_hz, pelvis=True)
    acceleration = cross_validated_acceleration(r_cm_G, rate_hz)
    return Moving(mass, inertia_S, R_GS, r_cm_G, acceleration, omega[:, 0], alpha[:, 0])


def arm_joints(
    chain: Chain, side: str, above: Array, R_above: Array, shown: Mask
) -> dict[str, JointWrench]:
    """Return the loads of wrist, elbow and shoulder.

    Parameters
    ----------
    chain : Chain
        Hand, forearm, upper arm.
    side : {"left", "right"}
    above : array, shape (n, 3)
        Angular velocity of the thorax in G, rad/s.
    R_above : array, shape (n, 3, 3)
        Axes of the thorax.
    shown : array of bool, shape (n,)
    """
    loads = joint_loads(chain)
    omega_G = rotate(chain.R_GS, chain.omega_S)
    proximal = np.concatenate((omega_G[:, 1:], above[:, None]), axis=1)
    R_proximal = np.concatenate((chain.R_GS[:, 1:], R_above[:, None]), axis=1)
    moment_G = rotate(chain.R_GS, loads.moment_S)
    power = np.einsum("nsi,nsi->ns", moment_G, omega_G - proximal)
    return {
        f"{side}_{joint}": JointWrench(
            loads.force_G[:, k],
            moment_G[:, k],
            power[:, k],
            chain.R_GS[:, k],
            R_proximal[:, k],
            shown,
        )
        for k, joint in enumerate(ARM_JOINTS)
    }


def shown_frames(known: Mask, edge: int) -> Mask:
    """Return the frames at least ``edge`` from both ends of a run of known frames, shape (n,)."""
    inside = np.zeros(len(known), bool)
    for start, stop in runs(known):
        inside[start + edge : max(start + edge, stop - edge)] = True
    return inside


def vendor_joints(
    upper: UpperPose,
    legs: Pose,
    trunk: VendorTrunk,
    hips: dict[str, tuple[Load, Mask]],
    mass_kg: float,
    rate_hz: float,
) -> dict[str, JointWrench]:
    """Return the loads of arms, waist and neck as the vendor computes them.

    Each acts from the proximal on the distal segment. Waist and neck are computed upwards from legs
    and plates.

    Parameters
    ----------
    upper : UpperPose
    legs : Pose
    trunk : VendorTrunk
    hips : dict
        Side -> load of the pelvis on the thigh, and the frames in which it may be shown.
    mass_kg : float
    rate_hz : float
    """
    edge = edge_frames(rate_hz)
    thorax_cm = upper.thorax_G + rotate(upper.R_GT, trunk.cm_in_thorax)
    inertia = mass_kg * MASS["thorax"] * (_TRUNK_RADIUS * trunk.length_m) ** 2
    thorax = moving(
        upper.R_GT, thorax_cm, mass_kg * MASS["thorax"], np.diag([inertia, 0.0, inertia]), rate_hz
    )
    joints: dict[str, JointWrench] = {}
    for side, arm in upper.arms.items():
        chain = arm_chain(arm, mass_kg, rate_hz)
        known = complete_rows(chain.r_prox_G) & complete_rows(arm.R_GS) & complete_rows(arm.hand_G)
        joints |= arm_joints(chain, side, thorax.omega_G, upper.R_GT, shown_frames(known, edge))
    if len(hips) < 2:  # noqa: PLR2004  both
        return joints
    shown = np.logical_and.reduce([mask for _, mask in hips.values()])
    load, omega = _waist(legs, trunk, hips, mass_kg, rate_hz)
    power = np.einsum("ni,ni->n", load.moment, omega - thorax.omega_G)
    joints["waist"] = JointWrench(-load.force, -load.moment, power, upper.R_GT, legs.R_GP, shown)
    shoulders = [joints[f"{side}_shoulder"] for side in upper.arms]
    if upper.head is None or len(shoulders) < 2:  # noqa: PLR2004
        return joints
    given = [load]
    given += [
        Load(shoulder.force_G, shoulder.moment_G, arm.r_prox_G[:, 2])
        for shoulder, arm in zip(shoulders, upper.arms.values(), strict=True)
    ]
    joint = upper.thorax_G + rotate(upper.R_GT, trunk.neck_in_thorax)
    neck = load_at(thorax, joint, given, VENDOR_GRAVITY_G)
    R_head = upper.head.R_GS
    omega_head = rotate(R_head, one_sided_omega(R_head[:, None], rate_hz, pelvis=True)[0][:, 0])
    power = np.einsum("ni,ni->n", neck.moment, thorax.omega_G - omega_head)
    shown = shown & shoulders[0].published & shoulders[1].published
    joints["neck"] = JointWrench(-neck.force, -neck.moment, power, R_head, upper.R_GT, shown)
    return joints


def _waist(
    legs: Pose,
    trunk: VendorTrunk,
    hips: dict[str, tuple[Load, Mask]],
    mass_kg: float,
    rate_hz: float,
) -> tuple[Load, Array]:
    """Return the load of the thorax on the pelvis and the angular velocity of the pelvis in G."""
    mass = mass_kg * MASS["pelvis"]
    pelvis = moving(legs.R_GP, trunk.pelvis_cm_G(), mass, np.zeros((3, 3)), rate_hz)
    force = load_at(pelvis, trunk.low_back_G, [load for load, _ in hips.values()], VENDOR_GRAVITY_G)
    size = (_TRUNK_RADIUS * L5_ABOVE * trunk.pelvis_m) ** 2
    alpha_G = rotate(pelvis.R_GS, pelvis.alpha_S)
    moment = force.moment + (mass * size)[:, None] * alpha_G
    return Load(force.force, moment, trunk.low_back_G), pelvis.omega_G
