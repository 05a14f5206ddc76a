"""The upper body with textbook mechanics, for the profile ``default``.

Masses are Dempster's as in Winter 2009 (Table 4.1). Radii of gyration are constant and about the
centre of mass. Angular velocity and acceleration are from quintic splines. The chains begin at the
free ends, hands and head, and end at the waist. Their difference there from the load computed from
feet and plates is the closure.
"""

from __future__ import annotations

from dataclasses import field, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from gaitdyn.calibrate.body.trunk import LONG_RADIUS
from gaitdyn.core.rotations import lengths, rotate
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.dynamics.leg import GRAVITY_G
from gaitdyn.kinematics.derivatives import angular_motions, derivatives, derivatives_of_each
from gaitdyn.types.chain import Chain
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES, Subject
from gaitdyn.types.upper import ArmPose, JointWrench, UpperBody, UpperPose
from gaitdyn.types.words import all_of
from gaitdyn.upper.angles import upper_angles
from gaitdyn.upper.newton import Load, Moving, load_at
from gaitdyn.upper.stability import sole_edges
from gaitdyn.upper.vendor import (
    ARM_MASS,
    MASS,
    SKULL,
    VendorTrunk,
    arm_spans,
    find_trunk,
)
from gaitdyn.upper.vendor_loads import arm_joints, shown_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.motion import LegBody, Pose
    from gaitdyn.upper.markers import UpperPoseFound

ARM_RADII = (0.297, 0.303, 0.322)
"""Hand, forearm and upper arm about their centres of mass, as shares of wrist to knuckles, elbow to
wrist, shoulder to elbow (Winter 2009, Table 4.1)."""

ARM_CENTRES = (0.506, 0.43, 0.436)
"""Centre of mass from the proximal joint, as a share of the same lengths (same table)."""

TRUNK_RADIUS = 0.31
"""Thorax with abdomen about its transverse axes, as a share of neck joint to low back (the
vendor's, not in the table)."""

PELVIS_RADIUS = 0.31
"""As a share of mid-hip to low back, about every axis (the vendor's, not in the table)."""

HEAD_RADIUS = 0.495
"""Head and neck about every axis, as a share of C7 to the ear canal (same table)."""

HEAD_CENTRE = SKULL + np.array([0.52, 0.0, 0.0])
"""Centre of mass of head and neck from the middle of the front markers, in head sizes."""

UPPER_SHARE = sum(MASS[name] for name in ("pelvis", "thorax", "head")) + 2 * sum(
    MASS[name] for name in ("hand", "forearm", "upper_arm")
)
"""Share of body mass above the hips, according to the same table of masses."""

Hips = dict[str, tuple[Load, "Mask"]]
Scaled = TypeVar("Scaled", Moving, Chain)


@frozen(eq=False)
class Given:
    """Inputs from the legs and the options.

    Attributes
    ----------
    pose : Pose
    bodies : dict
        Side -> masses as fractions of the body and centres of mass of the leg.
    hips : dict
        Side -> load of the pelvis on the thigh, and the frames to show; empty without plates.
    feet : dict
        Side -> heel, toe, shape (n, 3), m.
    rate_hz : float
    edge : int
        Frames at each end of a run that are not published.
    isb : bool
        Whether the shoulder angles are in the order Y-X-Y.
    ground : dict
        Side -> velocity of the surface under the foot, shape (n, 3), m/s; empty on the floor.
    """

    pose: Pose
    bodies: dict[str, LegBody]
    hips: Hips
    feet: dict[str, tuple[Array, Array]]
    rate_hz: float
    edge: int
    isb: bool = False
    ground: dict[str, Array] = field(default_factory=dict[str, "Array"])


def whole_body(pose_found: UpperPoseFound, given: Given, subject: Subject) -> UpperBody:
    """Return angles, loads and centre of mass of a trial."""
    upper, rate = pose_found.pose, given.rate_hz
    findings = list(pose_found.findings)
    trunk = find_trunk(upper, given.pose, subject.marker_diameter_m or 0.0, "C")
    share = body_share([float(body.mass.sum()) for body in given.bodies.values()])
    segments = moving_segments(upper, given.pose, trunk, share, rate)
    arms = arm_chains(upper.arms, share, rate)
    centre, missing = _centre_of_mass(segments, arms, given.bodies)
    velocity, edges = None, {}
    if centre is not None:
        shown = shown_frames(complete_rows(centre), given.edge)
        velocity = np.where(shown[:, None], derivatives(centre, rate)[0], np.nan)
        edges = sole_edges(centre, velocity, given.pose, given.feet, given.ground)
    else:
        message = (
            "no centre of mass of the body, nor loads at the waist: no markers of"
            f" {all_of([f'the {part}' for part in missing])}"
        )
        findings.append(Finding("info", "upper-body-partial", "upper body", message))
    angles = upper_angles(upper, given.pose, isb=given.isb)
    body = UpperBody(
        upper, angles, {}, centre, velocity, edges=edges,
        lengths_m={"neck_to_low_back": trunk.length_m}, findings=tuple(findings),
        words=pose_found.words,
    )  # fmt: skip
    if not subject.mass_kg:
        return body
    return _with_loads(body, segments, arms, trunk, given, subject.mass_kg)


def body_share(legs: Sequence[float]) -> float:
    """Return the factor of the masses above the hips that makes the body add up to one.

    Parameters
    ----------
    legs : sequence of float
        Mass of each known leg as a share of body mass.

    Examples
    --------
    >>> round(body_share([0.161, 0.161]), 12), round(body_share([0.2]), 4)
    (1.0, 0.885)
    """
    return (1.0 - 2.0 * float(np.mean(legs))) / UPPER_SHARE if len(legs) else 1.0


def moving_segments(
    upper: UpperPose, pose: Pose, trunk: VendorTrunk, share: float, rate_hz: float
) -> dict[str, Moving]:
    """Return pelvis, thorax and head with masses as fractions of the body.

    Parameters
    ----------
    upper : UpperPose
    pose : Pose
    trunk : VendorTrunk
    share : float
        Factor of the masses in the table.
    rate_hz : float
    """
    R, origin = upper.R_GT, upper.thorax_G
    length = trunk.length_m
    mid_shoulder = upper.thorax_G + rotate(R, trunk.neck_in_thorax)
    if len(upper.arms) == len(SIDES):
        mid_shoulder = 0.5 * sum(arm.r_prox_G[:, 2] for arm in upper.arms.values())
    trunk_m = float(known_mean(lengths(mid_shoulder - trunk.mid_hip_G)))
    across, along = (TRUNK_RADIUS * length) ** 2, (LONG_RADIUS * trunk_m) ** 2
    pelvis_m = float(known_mean(lengths(trunk.low_back_G - trunk.mid_hip_G)))
    segments = {
        "pelvis": (pose.R_GP, trunk.pelvis_cm_G(), (PELVIS_RADIUS * pelvis_m) ** 2 * np.eye(3)),
        "thorax": (
            R, origin + rotate(R, trunk.cm_in_thorax), np.diag([across, along, across]),
        ),
    }  # fmt: skip
    if upper.head is not None:
        head = upper.head
        centre = head.front_G + head.size_m * rotate(head.R_GS, HEAD_CENTRE)
        neck = origin + rotate(R, trunk.neck_in_thorax)
        head_m = float(known_mean(lengths(centre - neck)))
        segments["head"] = head.R_GS, centre, (HEAD_RADIUS * head_m) ** 2 * np.eye(3)
    axes, centres = (np.stack([part[i] for part in segments.values()], axis=1) for i in (0, 1))
    motions = _per_item(derivatives_of_each(centres, rate_hz)[1], *angular_motions(axes, rate_hz))
    return {
        name: Moving(share * MASS[name], share * MASS[name] * radii2, R, centre, *motion)
        for (name, (R, centre, radii2)), motion in zip(segments.items(), motions, strict=True)
    }


def _per_item(*motions: Array) -> Iterator[tuple[Array, ...]]:
    """Yield the values of each item along axis 1, contiguous in memory."""
    items = (map(np.ascontiguousarray, np.moveaxis(values, 1, 0)) for values in motions)
    return zip(*items, strict=True)


def arm_chains(arms: Mapping[str, ArmPose], share: float, rate_hz: float) -> dict[str, Chain]:
    """Return the chains of the arms, with masses as fractions of the body.

    A hand whose axes no marker defines rotates with the forearm.

    Parameters
    ----------
    arms : mapping
        Side -> ArmPose.
    share : float
        Factor of the masses in the table.
    rate_hz : float
    """
    if not arms:
        return {}
    axes = [_axes_of_arm(arm) for arm in arms.values()]
    bodies = [_arm_body(arm, share) for arm in arms.values()]
    a_cm_G = derivatives_of_each(np.stack([r_cm for _, _, r_cm in bodies], axis=1), rate_hz)[1]
    angular = angular_motions(np.concatenate(axes, axis=1), rate_hz)
    parts = (np.stack(np.split(values, len(axes), axis=1), axis=1) for values in angular)
    motions = _per_item(a_cm_G, *parts)
    return {
        side: Chain(
            mass=mass,
            inertia_S=inertia_S,
            R_GS=R,
            r_cm_G=r_cm,
            r_prox_G=arm.r_prox_G,
            a_cm_G=a_cm,
            omega_S=omega_S,
            alpha_S=alpha_S,
            external_force_G=np.zeros_like(r_cm),
            external_moment_G=np.zeros_like(r_cm),
            gravity_G=GRAVITY_G,
        )
        for (side, arm), R, (mass, inertia_S, r_cm), (a_cm, omega_S, alpha_S) in zip(
            arms.items(), axes, bodies, motions, strict=True
        )
    }


def _axes_of_arm(arm: ArmPose) -> Array:
    R = arm.R_GS.copy()
    if not np.isfinite(R[:, 0]).any():
        R[:, 0] = R[:, 1]
    return R


def _arm_body(arm: ArmPose, share: float) -> tuple[Array, Array, Array]:
    """Return masses, inertia and centres of mass of hand, forearm and upper arm."""
    span = arm_spans(arm)
    lengths_m = np.array([known_mean(part) for part in lengths(span).T])
    r_cm = arm.r_prox_G + np.array(ARM_CENTRES)[:, None] * span
    mass = share * ARM_MASS
    across = mass * (np.array(ARM_RADII) * lengths_m) ** 2
    return mass, across[:, None, None] * np.diag([1.0, 0.0, 1.0]), r_cm


def _centre_of_mass(
    segments: dict[str, Moving], arms: dict[str, Chain], bodies: dict[str, LegBody]
) -> tuple[Array | None, list[str]]:
    """Return the centre of mass, shape (n, 3), or None, and the parts without markers."""
    missing = [] if "head" in segments else ["head"]
    missing += [f"{side} arm" for side in SIDES if side not in arms]
    missing += [f"{side} leg" for side in SIDES if side not in bodies]
    if missing:
        return None, missing
    parts = [(segment.mass, segment.r_cm_G) for segment in segments.values()]
    for chain in (*arms.values(), *bodies.values()):
        parts += list(zip(chain.mass, np.moveaxis(chain.r_cm_G, 1, 0), strict=True))
    whole = sum(float(mass) for mass, _ in parts)
    total = sum((mass * r_cm for mass, r_cm in parts), np.zeros(3))
    return np.asarray(total) / whole, []


def _with_loads(
    body: UpperBody,
    segments: dict[str, Moving],
    arms: dict[str, Chain],
    trunk: VendorTrunk,
    given: Given,
    mass_kg: float,
) -> UpperBody:
    """Return the body with the loads of arms and waist, and the closure."""
    upper = body.pose
    segments_kg = {name: _in_kg(segment, mass_kg) for name, segment in segments.items()}
    thorax, head = segments_kg["thorax"], segments_kg.get("head")
    arms = {side: _in_kg(chain, mass_kg) for side, chain in arms.items()}
    joints = _arm_loads(upper, arms, thorax, given.edge)
    body = replace(body, chains=arms)
    if head is None or len(arms) < len(SIDES):
        return replace(body, joints=joints)
    R_GP, neck_G = given.pose.R_GP, upper.thorax_G + rotate(upper.R_GT, trunk.neck_in_thorax)
    neck = load_at(head, neck_G, [], GRAVITY_G)
    shoulders = [(joints[f"{side}_shoulder"], chain.r_prox_G[:, 2]) for side, chain in arms.items()]
    at_shoulders = [Load(joint.force_G, joint.moment_G, at_G) for joint, at_G in shoulders]
    waist = load_at(thorax, trunk.low_back_G, [neck, *at_shoulders], GRAVITY_G)
    known = complete_rows(waist.force) & complete_rows(neck_G) & complete_rows(R_GP)
    shown = shown_frames(known, given.edge)
    omega_waist = thorax.omega_G - segments_kg["pelvis"].omega_G
    omega_neck = head.omega_G - thorax.omega_G
    joints["waist"] = _wrench(waist, omega_waist, upper.R_GT, R_GP, shown)
    joints["neck"] = _wrench(neck, omega_neck, head.R_GS, upper.R_GT, shown)
    if len(given.hips) < len(SIDES):
        return replace(body, joints=joints)
    at_hips = [load for load, _ in given.hips.values()]
    below = load_at(segments_kg["pelvis"], trunk.low_back_G, at_hips, GRAVITY_G)
    shown_both = np.logical_and.reduce([shown, *(frames for _, frames in given.hips.values())])
    mask = np.where(shown_both, 1.0, np.nan)[:, None]
    return replace(
        body,
        joints=joints,
        closure_force_G=(-below.force - waist.force) * mask,
        closure_moment_G=(-below.moment - waist.moment) * mask,
    )


def _wrench(
    load: Load, omega_G: Array, R_distal: Array, R_proximal: Array, shown: Mask
) -> JointWrench:
    """Return a load as that of a joint, with its power at a relative angular velocity."""
    power = np.einsum("ni,ni->n", load.moment, omega_G)
    return JointWrench(load.force, load.moment, power, R_distal, R_proximal, shown)


def _arm_loads(
    upper: UpperPose, arms: dict[str, Chain], thorax: Moving, edge: int
) -> dict[str, JointWrench]:
    """Return the loads of wrist, elbow and shoulder; no wrist if the hand has no axes."""
    joints: dict[str, JointWrench] = {}
    for side, chain in arms.items():
        shown = shown_frames(complete_rows(chain.r_cm_G) & complete_rows(chain.R_GS), edge)
        joints |= arm_joints(chain, side, thorax.omega_G, upper.R_GT, shown)
        if not np.isfinite(upper.arms[side].R_GS[:, 0]).any():
            del joints[f"{side}_wrist"]
    return joints


def _in_kg(body: Scaled, mass_kg: float) -> Scaled:
    """Return an arm or a segment with masses in kg instead of fractions of the body."""
    return replace(body, mass=mass_kg * body.mass, inertia_S=mass_kg * body.inertia_S)
