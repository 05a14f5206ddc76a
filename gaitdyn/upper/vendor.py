"""The exact numerics of the Plug-in Gait upper body, for the profile ``plug-in-gait``.

Masses, centres of mass in the three generations of the vendor's software, forces, moments and
powers. As in the vendor's software, radii of gyration about the proximal end are used about the
centre of mass, the hand is taken as 1.5 times its length, and waist and neck are computed from the
legs up.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import complete_rows, known_mean, runs
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.vendor import (
    VENDOR_GRAVITY_G,
    cross_validated_acceleration,
    edge_frames,
    one_sided_omega,
)
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import LegBody, LegPose, Pose
from gaitdyn.types.upper import ARM_JOINTS, ArmPose, JointWrench, UpperPose
from gaitdyn.upper.newton import Load, Moving, load_at

MASS = {
    "hand": 0.006, "forearm": 0.016, "upper_arm": 0.028,
    "pelvis": 0.142, "thorax": 0.355, "head": 0.081,
}  # fmt: skip
"""Fractions of the body mass."""

ARM_MASS = np.array([MASS["hand"], MASS["forearm"], MASS["upper_arm"]])
ARM_RADII = (0.587 * 1.5, 0.526, 0.542)
"""As a share of wrist to hand centre, elbow to wrist, shoulder to elbow."""

ARM_CENTRES = (0.506 * 1.5, 0.43, 0.436)
"""Centre of mass from the proximal joint, as a share of the same lengths."""

_L5_ABOVE, _PELVIS_CENTRE, _TRUNK_RADIUS, _THORAX_CENTRE = 0.925, 0.895, 0.31, 0.63
_C7_DEPTH = 1.05
_HEAD_FORWARD = 0.52
SKULL = np.array([-0.84, -0.3, 0.0])
"""Origin of the drawn head from the middle of the front markers, as a share of the head's size."""

_MM = 1e-3


def generation(software: str) -> str:
    """Return the generation of the vendor's trunk: A up to 2.2.3, B from 2.5, C from 2.12.

    The exact versions of the changes are not known. Software that does not state its version gets
    the last generation, which is the correct one.

    Examples
    --------
    >>> [generation(v) for v in ("Nexus 1.4.116.45512", "2.2.3.84509h", "2.6.1", "2.12.1", "")]
    ['A', 'A', 'B', 'C', 'C']
    >>> generation("Vicon Workstation 5.2.9")
    'A'
    """
    match = re.search(r"(\d+)\.(\d+)", software)
    if "workstation" in software.lower():
        return "A"
    if match is None:
        return "C"
    version = int(match[1]), int(match[2])
    return "A" if version < (2, 3) else "B" if version < (2, 7) else "C"


@dataclass(frozen=True, slots=True, eq=False)
class VendorTrunk:
    """Points of pelvis and thorax, and the constants of the thorax.

    Attributes
    ----------
    mid_hip_G, low_back_G : array, shape (n, 3)
        m.
    pelvis_m : Array
        Distance of the hips in each frame, shape (n,).
    neck_in_thorax, cm_in_thorax : array, shape (3,)
        Neck joint and centre of mass relative to the thorax's origin, m.
    length_m : float
        Distance from the neck joint to L5.
    vertebra_G : array, shape (3,)
        The mean laboratory position of C7, which generations A and B use, m.
    """

    mid_hip_G: Array
    low_back_G: Array
    pelvis_m: Array
    neck_in_thorax: Array
    cm_in_thorax: Array
    length_m: float
    vertebra_G: Array

    def pelvis_cm_G(self) -> Array:
        """Return the centre of mass of the pelvis, shape (n, 3), m."""
        return self.mid_hip_G + _PELVIS_CENTRE * (self.low_back_G - self.mid_hip_G)


def find_trunk(upper: UpperPose, legs: Pose, diameter_m: float, kind: str) -> VendorTrunk:
    """Return the points of pelvis and thorax.

    Parameters
    ----------
    upper : UpperPose
    legs : Pose
    diameter_m : float
        Marker diameter.
    kind : {"A", "B", "C"}
        See :func:`generation`.
    """
    hips = [_hip(leg, len(upper.thorax_G)) for leg in (legs.left, legs.right)]
    middle, apart = 0.5 * (hips[0] + hips[1]), np.linalg.norm(hips[0] - hips[1], axis=1)
    low_back = middle + _L5_ABOVE * apart[:, None] * legs.R_GP[..., 1]
    R, origin, depth = upper.R_GT, upper.thorax_G, _C7_DEPTH * diameter_m / 2
    vertebra = known_mean(upper.c7_G - depth * R[..., 0])
    c7 = known_mean(rotate_back(R, vertebra - origin))
    if kind == "C":
        c7 = known_mean(rotate_back(R, upper.c7_G - origin)) - np.array([depth, 0, 0])
    d = known_mean(rotate_back(R, low_back - origin)) - c7
    cm = _THORAX_CENTRE * d + (0.0 if kind == "A" else c7)
    return VendorTrunk(middle, low_back, apart, c7, cm, float(np.linalg.norm(d)), vertebra)


def _hip(leg: LegPose, frames: int) -> Array:
    """Return the hip joint, shape (frames, 3), m; NaN for a leg without data."""
    return leg.r_prox_G[:, 2] if leg.r_prox_G.ndim > 2 else np.full((frames, 3), np.nan)  # noqa: PLR2004


def arm_centres(arm: ArmPose) -> Array:
    """Return the centres of mass of hand, forearm, upper arm, shape (n, 3, 3), m."""
    return arm.r_prox_G + np.array(ARM_CENTRES)[:, None] * arm_spans(arm)


def arm_spans(arm: ArmPose) -> Array:
    """Return hand, forearm and upper arm from joint to joint, shape (n, 3, 3), m."""
    distal = np.stack((arm.hand_G, arm.r_prox_G[:, 0], arm.r_prox_G[:, 1]), axis=1)
    return distal - arm.r_prox_G


def centre_of_mass(
    upper: UpperPose, legs: Pose, bodies: dict[str, LegBody], trunk: VendorTrunk, kind: str
) -> Array | None:
    """Return the vendor's centre of mass, shape (n, 3), m; None if a segment is missing.

    Parameters
    ----------
    upper : UpperPose
    legs : Pose
    bodies : dict
        Side -> masses as fractions of the body and centres of mass of the leg.
    trunk : VendorTrunk
    kind : {"A", "B", "C"}
    """
    if upper.head is None or len(upper.arms) + len(bodies) < 4:  # noqa: PLR2004  limbs
        return None
    if kind == "A":
        return _centre_of_origins(upper, legs, bodies, trunk)
    head = upper.head
    head_cm = head.front_G + head.size_m * rotate(
        head.R_GS, SKULL + np.array([_HEAD_FORWARD, 0.0, 0.0])
    )
    total = MASS["pelvis"] * trunk.pelvis_cm_G() + MASS["head"] * head_cm
    total = total + MASS["thorax"] * (upper.thorax_G + rotate(upper.R_GT, trunk.cm_in_thorax))
    for arm in upper.arms.values():
        total = total + np.einsum("s,nsi->ni", ARM_MASS, arm_centres(arm))
    for body in bodies.values():
        total = total + np.einsum("s,nsi->ni", body.mass, body.r_cm_G)
    return total


def _centre_of_origins(
    upper: UpperPose, legs: Pose, bodies: dict[str, LegBody], trunk: VendorTrunk
) -> Array:
    """Return the centre of mass of generation A: length fractions as millimetres from origins."""
    head = upper.head
    assert head is not None  # noqa: S101  checked by the caller
    share = (trunk.pelvis_cm_G() - legs.origin_G) / (_L5_ABOVE * trunk.pelvis_m)[:, None]
    total = MASS["pelvis"] * (legs.origin_G + _MM * share)
    along = _THORAX_CENTRE * (trunk.cm_in_thorax / np.linalg.norm(trunk.cm_in_thorax))
    total = total + MASS["thorax"] * (upper.thorax_G + _MM * rotate(upper.R_GT, along))
    forward = np.array([_HEAD_FORWARD * head.size_m, 0.0, 0.0])
    vertebra = rotate_back(head.R_GS, trunk.vertebra_G - head.front_G)
    length = float(np.linalg.norm(known_mean(vertebra) - forward))
    total = total + MASS["head"] * (head.front_G + _MM * rotate(head.R_GS, forward / length))
    for arm in upper.arms.values():
        wrist, elbow = arm.r_prox_G[:, 0], arm.r_prox_G[:, 1]
        rows = (
            ("hand", 2 * arm.hand_G - wrist, 0.6205),
            ("forearm", wrist, 0.57),
            ("upper_arm", elbow, 0.564),
        )
        for k, (name, origin, share) in enumerate(rows):
            total = total + MASS[name] * (origin + _MM * share * arm.R_GS[:, k, :, 1])
    for side, body in bodies.items():
        leg = legs.leg(side)
        origins = (leg.r_prox_G[:, 0], leg.r_prox_G[:, 0], leg.r_prox_G[:, 1])
        axes = leg.R_GS[:, 0, :, 0], leg.R_GS[:, 1, :, 1], leg.R_GS[:, 2, :, 1]
        for k, share in enumerate((0.5, 0.567, 0.567)):
            total = total + body.mass[k] * (origins[k] + _MM * share * axes[k])
    return total


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
    size = (_TRUNK_RADIUS * _L5_ABOVE * trunk.pelvis_m) ** 2
    alpha_G = rotate(pelvis.R_GS, pelvis.alpha_S)
    moment = force.moment + (mass * size)[:, None] * alpha_G
    return Load(force.force, moment, trunk.low_back_G), pelvis.omega_G
