"""The upper body with the mechanics of the textbooks: profile ``default``.

Masses of Dempster as in Winter 2009 (Table 4.1), radii of gyration about the centre of mass and
constant, angular velocity and acceleration from quintic splines. The chains begin at the free ends,
hands and head, and end at the waist; what the feet and the plates say there is the closure.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import lengths, rotate
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.dynamics.leg import GRAVITY_G
from gaitdyn.kinematics.derivatives import angular_motions, derivatives, derivatives_of_each
from gaitdyn.types.chain import Chain
from gaitdyn.types.findings import Finding
from gaitdyn.types.subject import SIDES
from gaitdyn.types.upper import JointWrench, UpperBody
from gaitdyn.upper.angles import upper_angles
from gaitdyn.upper.newton import Load, Moving, load_at
from gaitdyn.upper.stability import sole_edges
from gaitdyn.upper.vendor import MASS, SKULL, arm_joints, find_trunk, shown_frames

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.motion import LegBody, Pose
    from gaitdyn.types.subject import Subject
    from gaitdyn.types.upper import ArmPose, UpperPose
    from gaitdyn.upper.markers import UpperPoseFound
    from gaitdyn.upper.vendor import VendorTrunk

ARM_RADII = (0.297, 0.303, 0.322)
"""Of hand, forearm, upper arm about their centres of mass, of wrist to knuckles, elbow to wrist,
shoulder to elbow (Winter 2009, Table 4.1)."""

ARM_CENTRES = (0.506, 0.43, 0.436)
"""Centre of mass from the proximal joint, of the same lengths (same table)."""

TRUNK_RADIUS, LONG_RADIUS = 0.31, 0.197
"""Thorax with abdomen: about its transverse axes of neck joint to low back (the vendor's, no row
of the table), about its long axis of mid-shoulder to mid-hip (de Leva 1996, trunk, men)."""

PELVIS_RADIUS = 0.31
"""Of mid-hip to low back, about every axis (the vendor's, no row of the table)."""

HEAD_RADIUS = 0.495
"""Head and neck, of C7 to the ear canal (same table), about every axis."""

HEAD_CENTRE = SKULL + np.array([0.52, 0.0, 0.0])
"""Centre of mass of head and neck from the middle of the front markers, of the head's size."""

UPPER_SHARE = sum(MASS[name] for name in ("pelvis", "thorax", "head")) + 2 * sum(
    MASS[name] for name in ("hand", "forearm", "upper_arm")
)
"""Of the body above the hips in the table of these masses."""

Hips = dict[str, tuple[Load, "Mask"]]


@dataclass(frozen=True, slots=True, eq=False)
class Given:
    """What the legs and the options say.

    Attributes
    ----------
    pose : Pose
    bodies : dict
        Side -> masses as fractions of the body and centres of mass of the leg.
    hips : dict
        Side -> what the pelvis puts on the thigh, and where it may be shown; empty without plates.
    feet : dict
        Side -> heel, toe, shape (n, 3), m, and stance, shape (n,).
    rate_hz : float
    edge : int
        Frames at each end of a run that are not published.
    isb : bool
        The shoulder's angles in the order Y-X-Y.
    ground : dict
        Side -> velocity of what the foot stands on, shape (n, 3), m/s; empty on the floor.
    """

    pose: Pose
    bodies: dict[str, LegBody]
    hips: Hips
    feet: dict[str, tuple[Array, Array, Mask]]
    rate_hz: float
    edge: int
    isb: bool = False
    ground: dict[str, Array] = field(default_factory=dict[str, "Array"])


def whole_body(found: UpperPoseFound, given: Given, subject: Subject) -> UpperBody:
    """Return angles, loads and centre of mass of a trial.

    Parameters
    ----------
    found : UpperPoseFound
    given : Given
    subject : Subject
    """
    upper, rate = found.pose, given.rate_hz
    said = list(found.findings)
    trunk = find_trunk(upper, given.pose, subject.marker_diameter_m or 0.0, "C")
    share = body_share([float(body.mass.sum()) for body in given.bodies.values()])
    segments = moving_segments(upper, given.pose, trunk, share, rate)
    arms = arm_chains(upper.arms, share, rate)
    centre, lacking = _centre_of_mass(segments, arms, given.bodies)
    velocity, edges = None, {}
    if centre is not None:
        shown = shown_frames(complete_rows(centre), given.edge)
        velocity = np.where(shown[:, None], derivatives(centre, rate)[0], np.nan)
        edges = sole_edges(centre, velocity, given.pose, given.feet, given.ground)
    else:
        message = (
            f"no centre of mass of the body, nor loads at the waist: no markers of the"
            f" {' and the '.join(lacking)}"
        )
        said.append(Finding("info", "upper-body-partial", "upper body", message))
    angles = upper_angles(upper, given.pose, isb=given.isb)
    body = UpperBody(
        upper, angles, {}, centre, velocity, edges=edges,
        lengths_m={"neck_to_low_back": trunk.length_m}, findings=tuple(said), words=found.words,
    )  # fmt: skip
    if not subject.mass_kg:
        return body
    return _with_loads(body, segments, arms, trunk, given, subject.mass_kg)


def body_share(legs: Sequence[float]) -> float:
    """Return by what the masses above the hips are multiplied so that the body adds up to one.

    Parameters
    ----------
    legs : sequence of float
        Mass of each leg that is known, of the body's.

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
        Times the masses of the table.
    rate_hz : float
    """
    R, origin = upper.R_GT, upper.thorax_G
    length = trunk.length_m
    above = upper.thorax_G + rotate(R, trunk.neck_in_thorax)
    if len(upper.arms) == len(SIDES):
        above = 0.5 * sum(arm.r_prox_G[:, 2] for arm in upper.arms.values())
    tall = float(known_mean(lengths(above - trunk.mid_hip_G)))
    across, along = (TRUNK_RADIUS * length) ** 2, (LONG_RADIUS * tall) ** 2
    low = float(known_mean(lengths(trunk.low_back_G - trunk.mid_hip_G)))
    found = {
        "pelvis": (pose.R_GP, trunk.pelvis_cm_G(), (PELVIS_RADIUS * low) ** 2 * np.eye(3)),
        "thorax": (
            R, origin + rotate(R, trunk.cm_in_thorax), np.diag([across, along, across]),
        ),
    }  # fmt: skip
    if upper.head is not None:
        head = upper.head
        centre = head.front_G + head.size_m * rotate(head.R_GS, HEAD_CENTRE)
        neck = origin + rotate(R, trunk.neck_in_thorax)
        far = float(known_mean(lengths(centre - neck)))
        found["head"] = head.R_GS, centre, (HEAD_RADIUS * far) ** 2 * np.eye(3)
    axes, centres = (np.stack([one[i] for one in found.values()], axis=1) for i in (0, 1))
    motions = _each(derivatives_of_each(centres, rate_hz)[1], *angular_motions(axes, rate_hz))
    return {
        name: Moving(share * MASS[name], share * MASS[name] * radii2, R, centre, *own)
        for (name, (R, centre, radii2)), own in zip(found.items(), motions, strict=True)
    }


def _each(*motions: Array) -> Iterator[tuple[Array, ...]]:
    """Give what belongs to each of the things along axis 1."""
    alone = (map(np.ascontiguousarray, np.moveaxis(values, 1, 0)) for values in motions)
    return zip(*alone, strict=True)


def arm_chains(arms: Mapping[str, ArmPose], share: float, rate_hz: float) -> dict[str, Chain]:
    """Return the chains of arms, masses as fractions of the body.

    A hand whose axes no marker shows turns with the forearm.

    Parameters
    ----------
    arms : mapping
        Side -> ArmPose.
    share : float
        Times the masses of the table.
    rate_hz : float
    """
    if not arms:
        return {}
    axes = [_axes_of_arm(arm) for arm in arms.values()]
    bodies = [_arm_body(arm, share) for arm in arms.values()]
    a_cm_G = derivatives_of_each(np.stack([r_cm for _, _, r_cm in bodies], axis=1), rate_hz)[1]
    turning = angular_motions(np.concatenate(axes, axis=1), rate_hz)
    parts = (np.stack(np.split(values, len(axes), axis=1), axis=1) for values in turning)
    motions = _each(a_cm_G, *parts)
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
    distal = np.stack((arm.hand_G, arm.r_prox_G[:, 0], arm.r_prox_G[:, 1]), axis=1)
    span = distal - arm.r_prox_G
    long = np.array([known_mean(part) for part in lengths(span).T])
    r_cm = arm.r_prox_G + np.array(ARM_CENTRES)[:, None] * span
    mass = share * np.array([MASS["hand"], MASS["forearm"], MASS["upper_arm"]])
    across = mass * (np.array(ARM_RADII) * long) ** 2
    return mass, across[:, None, None] * np.diag([1.0, 0.0, 1.0]), r_cm


def _centre_of_mass(
    segments: dict[str, Moving], arms: dict[str, Chain], bodies: dict[str, LegBody]
) -> tuple[Array | None, list[str]]:
    """Return the centre of mass, shape (n, 3), or None and what has no markers."""
    lacking = [] if "head" in segments else ["head"]
    lacking += [f"{side} arm" for side in SIDES if side not in arms]
    lacking += [f"{side} leg" for side in SIDES if side not in bodies]
    if lacking:
        return None, lacking
    parts = [(one.mass, one.r_cm_G) for one in segments.values()]
    for chain in (*arms.values(), *bodies.values()):
        parts += list(zip(chain.mass, np.moveaxis(chain.r_cm_G, 1, 0), strict=True))
    whole = sum(float(mass) for mass, _ in parts)
    total = sum((mass * place for mass, place in parts), np.zeros(3))
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
    upper, edge = body.pose, given.edge
    heavy = {name: _times(one, mass_kg) for name, one in segments.items()}
    thorax = heavy["thorax"]
    arms = {side: _heavy(chain, mass_kg) for side, chain in arms.items()}
    joints = _arm_loads(upper, arms, thorax, edge)
    body = replace(body, chains=arms)
    if "head" not in heavy or len(arms) < len(SIDES):
        return replace(body, joints=joints)
    neck_G = upper.thorax_G + rotate(upper.R_GT, trunk.neck_in_thorax)
    neck = load_at(heavy["head"], neck_G, [], GRAVITY_G)
    at_shoulders = [
        Load(
            joints[f"{side}_shoulder"].force_G,
            joints[f"{side}_shoulder"].moment_G,
            c.r_prox_G[:, 2],
        )
        for side, c in arms.items()
    ]
    waist = load_at(thorax, trunk.low_back_G, [neck, *at_shoulders], GRAVITY_G)
    known = complete_rows(waist.force) & complete_rows(neck_G) & complete_rows(given.pose.R_GP)
    shown = shown_frames(known, edge)
    bending = thorax.omega_G - heavy["pelvis"].omega_G
    nodding = heavy["head"].omega_G - thorax.omega_G
    joints["waist"] = JointWrench(
        waist.force, waist.moment, _power(waist, bending), upper.R_GT, given.pose.R_GP, shown
    )
    joints["neck"] = JointWrench(
        neck.force, neck.moment, _power(neck, nodding), heavy["head"].R_GS, upper.R_GT, shown
    )
    if len(given.hips) < len(SIDES):
        return replace(body, joints=joints)
    below = load_at(
        heavy["pelvis"], trunk.low_back_G, [load for load, _ in given.hips.values()], GRAVITY_G
    )
    both = np.logical_and.reduce([shown, *(mask for _, mask in given.hips.values())])
    hidden = np.where(both, 1.0, np.nan)[:, None]
    return replace(
        body,
        joints=joints,
        closure_force_G=(-below.force - waist.force) * hidden,
        closure_moment_G=(-below.moment - waist.moment) * hidden,
    )


def _arm_loads(
    upper: UpperPose, arms: dict[str, Chain], thorax: Moving, edge: int
) -> dict[str, JointWrench]:
    """Return the loads of wrist, elbow and shoulder; no wrist where the hand shows no axes."""
    joints: dict[str, JointWrench] = {}
    for side, chain in arms.items():
        shown = shown_frames(complete_rows(chain.r_cm_G) & complete_rows(chain.R_GS), edge)
        joints |= arm_joints(chain, side, thorax.omega_G, upper.R_GT, shown)
        if not np.isfinite(upper.arms[side].R_GS[:, 0]).any():
            del joints[f"{side}_wrist"]
    return joints


def _heavy(chain: Chain, mass_kg: float) -> Chain:
    """Return the chain of an arm of a body of this mass."""
    return replace(chain, mass=mass_kg * chain.mass, inertia_S=mass_kg * chain.inertia_S)


def _times(one: Moving, mass_kg: float) -> Moving:
    """Return a segment of a body of this mass."""
    return Moving(
        one.mass * mass_kg, one.inertia_S * mass_kg, one.R_GS, one.r_cm_G, one.a_cm_G,
        one.omega_S, one.alpha_S,
    )  # fmt: skip


def _power(load: Load, turning_G: Array) -> Array:
    """Return the power of a moment on what turns against its proximal neighbour, W."""
    return np.einsum("ni,ni->n", load.moment, turning_G)
