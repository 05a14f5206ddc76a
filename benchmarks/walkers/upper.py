"""Trunk, head and swinging arms on the walker, with exact motion, loads and centre of mass.

The thorax stands on the low back and turns against the pelvis, the head against the thorax; arms
hang from shoulders fixed in the thorax. Every angle is a Fourier series of the phase, every place a
jet. Loads follow from the momentum of everything beyond a joint, without recursion.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.synthetic.body import GRAVITY, SIDES, Side, hip_in_pelvis, sign
from gaitdyn.synthetic.jets import Jet, angular_motion, fourier_rows, turn
from gaitdyn.synthetic.kinematics import pose
from walkers.arm_markers import LENGTHS_M, arm_markers

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gaitdyn.synthetic.kinematics import Walker, WalkerPose
    from gaitdyn.synthetic.walk import Walk

    Array = NDArray[np.float64]

# Rows of Fourier coefficients, rad, as in ``coefficients.py``.
TRUNK = {
    "spine_flexion": (-0.10, 0.010, 0.005, 0.020, 0.010),
    "spine_lateral": (0.0, 0.020, 0.050),
    "spine_rotation": (0.0, -0.100, -0.010),
    "neck_flexion": (0.02, 0.0, 0.0, -0.015, 0.010),
    "neck_lateral": (0.0, -0.010, -0.030),
    "neck_rotation": (0.0, 0.050, 0.010),
}
"""In the phase of the leading side, towards and forward of that side."""

ARM = {
    "shoulder_flexion": (-0.10, -0.350, 0.050),
    "shoulder_abduction": (0.15, 0.020, 0.010),
    "shoulder_internal_rotation": (0.35, 0.030, 0.020),
    "elbow_flexion": (0.95, -0.150, 0.020, 0.030, 0.010),
    "wrist_flexion": (0.10, 0.050, 0.020),
    "wrist_abduction": (0.05, 0.020, 0.0),
    "wrist_internal_rotation": (0.50, 0.050, 0.030),
}
"""In the phase of each side."""

STANDING = {"spine_flexion": (-0.14,), "shoulder_abduction": (0.12,), "elbow_flexion": (0.80,)}
"""Upright on a pelvis that is tilted by 0.14 rad; everything else is zero."""

LOW_BACK = np.array([0.06, 0.36, 0.0])
"""Origin of the thorax from the low back, thorax axes, m."""

IN_THORAX = {
    "CLAV": (0.007, 0.0, 0.0),
    "C7": (-0.100, 0.060, 0.0),
    "STRN": (0.030, -0.160, 0.0),
    "T10": (-0.123, -0.200, 0.0),
}
IN_HEAD = {
    "LFHD": (0.0, 0.0, -0.070), "RFHD": (0.0, 0.0, 0.070),
    "LBHD": (-0.170, -0.030, -0.065), "RBHD": (-0.170, -0.030, 0.065),
}  # fmt: skip
FRONT_OF_HEAD = np.array([0.10, 0.16, 0.0])
"""Middle of the front markers from the neck joint, head axes, m."""

SHOULDER = np.array([-0.03, -0.01, 0.175])
"""Of a right shoulder from the origin of the thorax, thorax axes, m."""

SEGMENTS = {
    "hand": (0.006, 0.506, 0.297),
    "forearm": (0.016, 0.43, 0.303),
    "upper_arm": (0.028, 0.436, 0.322),
}
"""Dempster, in Winter 2009, Table 4.1: mass, centre of mass from the proximal end, radius."""

_THORAX, _HEAD, _PELVIS = 0.355, 0.081, 0.142
_GRAVITY_G = np.array([0.0, -GRAVITY, 0.0])


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """A rigid segment: mass, inertia about the centre of mass, centre of mass and axes as jets."""

    mass: float
    inertia_S: Array
    centre: Jet
    R_GS: Jet


@dataclass(frozen=True, slots=True, eq=False)
class Upper:
    """The upper body of a walk.

    Attributes
    ----------
    labels : tuple of str
    markers_G : array, shape (n, m, 3)
        m.
    segments : dict
        ``pelvis``, ``thorax``, ``head``, ``left_hand`` and so on -> Segment.
    joints : dict
        ``waist``, ``neck``, ``left_wrist`` and so on -> Jet of the place, m.
    angles : dict
        Column of ``timeseries.csv`` -> deg.
    """

    labels: tuple[str, ...]
    markers_G: Array
    segments: dict[str, Segment]
    joints: dict[str, Jet]
    angles: dict[str, Array]

    def beyond(self, joint: str) -> list[Segment]:
        """Return the segments on the far side of a joint, seen from the pelvis."""
        if joint == "waist":
            return [one for name, one in self.segments.items() if name != "pelvis"]
        if joint == "neck":
            return [self.segments["head"]]
        side, _, name = joint.partition("_")
        names = ("hand", "forearm", "upper_arm")[: ("wrist", "elbow", "shoulder").index(name) + 1]
        return [self.segments[f"{side}_{one}"] for one in names]

    def load(self, joint: str) -> tuple[Array, Array]:
        """Return force and moment of the proximal on the distal segment at a joint, G, N, N m."""
        at = self.joints[joint].value
        force, moment = np.zeros_like(at), np.zeros_like(at)
        for one in self.beyond(joint):
            thrust, spin = momentum_rates(one)
            force += thrust
            moment += spin + np.cross(one.centre.value - at, thrust)
        return force, moment


def momentum_rates(one: Segment) -> tuple[Array, Array]:
    """Return ``m (a - g)`` and the rate of the angular momentum about the centre of mass, G."""
    omega, alpha = angular_motion(one.R_GS)
    turning = alpha @ one.inertia_S.T + np.cross(omega, omega @ one.inertia_S.T)
    return one.mass * (one.centre.accel - _GRAVITY_G), _turned(one.R_GS.value, turning)


def upper_body(
    walker: Walker, where: WalkerPose, time_s: Array, *, standing: bool = False
) -> Upper:
    """Return trunk, head and arms of the walker.

    Parameters
    ----------
    walker : Walker
    where : WalkerPose
        Of pelvis and legs, at the same times.
    time_s : array, shape (n,)
        s.
    standing : bool
        The angles of the quiet stance.
    """
    body = walker.body
    ball = body.marker_diameter_mm / 1000.0
    hips = {side: hip_in_pelvis(body, side) for side in SIDES}
    apart = float(np.linalg.norm(hips["left"] - hips["right"]))
    mid_hip = where.mid_asis_G + where.R_GP.apply((hips["left"] + hips["right"]) / 2.0)
    low_back = mid_hip + where.R_GP.apply(np.array([0.0, 0.925 * apart, 0.0]))
    q = _angles(walker, time_s, standing=standing)
    R_GT = where.R_GP @ _bent(q, "spine")
    origin = low_back + R_GT.apply(LOW_BACK)
    neck = np.array(IN_THORAX["C7"]) - np.array([1.05 * ball / 2.0, 0.0, 0.0])
    neck_G = origin + R_GT.apply(neck)
    R_GH = R_GT @ _bent(q, "neck")
    front = neck_G + R_GH.apply(FRONT_OF_HEAD)
    size = 2.0 * (0.14 - ball)
    points = {name: origin + R_GT.apply(np.array(at)) for name, at in IN_THORAX.items()}
    points |= {name: front + R_GH.apply(np.array(at)) for name, at in IN_HEAD.items()}
    places = {name: jet.value for name, jet in points.items()}
    joints, segments = {"waist": low_back, "neck": neck_G}, {}
    shoulders = []
    for side in SIDES:
        arm = _arm(side, q, R_GT, origin, body.mass_kg)
        joints |= arm[0]
        segments |= arm[1]
        shoulders.append(arm[0][f"{side}_shoulder"].value)
        places |= arm_markers(side, arm[0], arm[1], (origin.value, R_GT.value), ball)
    heights = (shoulders[0] + shoulders[1]) / 2.0 - mid_hip.value
    tall = float(np.linalg.norm(heights, axis=1).mean())
    segments |= _trunk(body.mass_kg, neck, origin, R_GT, tall)
    low = low_back - mid_hip
    ball_m2 = (0.31 * 0.925 * apart) ** 2 * np.eye(3)
    pelvis, kg = _PELVIS * body.mass_kg, _HEAD * body.mass_kg
    segments["pelvis"] = Segment(pelvis, pelvis * ball_m2, mid_hip + low * 0.895, where.R_GP)
    skull = np.array([-0.32, -0.30, 0.0]) * size
    radius = 0.495 * float(np.linalg.norm(FRONT_OF_HEAD + skull))
    segments["head"] = Segment(kg, kg * radius**2 * np.eye(3), front + R_GH.apply(skull), R_GH)
    labels = tuple(places)
    markers = np.stack([places[name] for name in labels], axis=1)
    return Upper(labels, markers, segments, joints, _columns(q))


def _trunk(
    mass_kg: float, neck: Array, origin: Jet, R_GT: Jet, tall_m: float
) -> dict[str, Segment]:
    """Return the thorax with abdomen, its length from the neck joint to the low back."""
    d = -LOW_BACK - neck
    across, along = (0.31 * float(np.linalg.norm(d))) ** 2, (0.197 * tall_m) ** 2
    mass = _THORAX * mass_kg
    centre = origin + R_GT.apply(neck + 0.63 * d)
    return {"thorax": Segment(mass, mass * np.diag([across, along, across]), centre, R_GT)}


def _angles(walker: Walker, time_s: Array, *, standing: bool) -> dict[str, Jet]:
    """Return every angle with its sign in the axes of the left side, ``left_`` and ``right_``."""
    rate, found = walker.gait.phase_rate, {}
    lead = sign(walker.gait.lead)

    def series(name: str, row: tuple[float, ...], side: Side) -> Jet:
        row = STANDING.get(name, (0.0,)) if standing else row
        phase = 2.0 * np.pi * walker.cycles(side, time_s)
        return fourier_rows(np.array([row]), phase, rate)[0]

    for name, row in TRUNK.items():
        mirrored = 1.0 if name.endswith("flexion") else lead
        found[name] = series(name, row, walker.gait.lead) * mirrored
    for side in SIDES:
        found |= {f"{side}_{name}": series(name, row, side) for name, row in ARM.items()}
    return found


def _bent(q: dict[str, Jet], part: str) -> Jet:
    """Return the turn of spine or neck: flexion, to the left, left side forward."""
    flexion, lateral, rotation = (
        q[f"{part}_{word}"] for word in ("flexion", "lateral", "rotation")
    )
    return turn("z", flexion * -1.0) @ turn("x", lateral * -1.0) @ turn("y", rotation * -1.0)


def _arm(
    side: Side, q: dict[str, Jet], R_GT: Jet, origin: Jet, mass_kg: float
) -> tuple[dict[str, Jet], dict[str, Segment]]:
    """Return joints and segments of one arm; ``hand_end`` is the centre of the hand."""
    sg = sign(side)
    at = {name.removeprefix(f"{side}_"): jet for name, jet in q.items() if name.startswith(side)}
    R_upper = R_GT @ turn("x", at["shoulder_abduction"] * sg) @ turn("z", at["shoulder_flexion"])
    R_upper = R_upper @ turn("y", at["shoulder_internal_rotation"] * -sg)
    R_fore = R_upper @ turn("z", at["elbow_flexion"])
    R_hand = R_fore @ turn("z", at["wrist_flexion"]) @ turn("x", at["wrist_abduction"] * sg)
    R_hand = R_hand @ turn("y", at["wrist_internal_rotation"] * -sg)
    place = origin + R_GT.apply(SHOULDER * (1.0, 1.0, -sg))
    joints, segments = {}, {}
    for joint, name, R in (
        ("shoulder", "upper_arm", R_upper), ("elbow", "forearm", R_fore), ("wrist", "hand", R_hand),
    ):  # fmt: skip
        share, along, radius = SEGMENTS[name]
        length = LENGTHS_M[name]
        joints[f"{side}_{joint}"] = place
        across = share * mass_kg * (radius * length) ** 2
        centre = place - R.apply(np.array([0.0, along * length, 0.0]))
        segments[f"{side}_{name}"] = Segment(
            share * mass_kg, across * np.diag([1.0, 0.0, 1.0]), centre, R
        )
        place = place - R.apply(np.array([0.0, length, 0.0]))
    joints[f"{side}_hand_end"] = place
    return joints, segments


def _columns(q: dict[str, Jet]) -> dict[str, Array]:
    """Return the true angles under the names of ``timeseries.csv``, deg."""
    found = {}
    for side in SIDES:
        sg = sign(side)
        for part in ("spine", "neck"):
            for word in ("flexion", "lateral", "rotation"):
                turned = 1.0 if word == "flexion" else sg
                found[f"{side}_{part}_angle_{word}"] = q[f"{part}_{word}"].value * turned
        for name in ARM:
            joint, _, word = name.partition("_")
            found[f"{side}_{joint}_angle_{word}"] = q[f"{side}_{name}"].value
    return {name: np.degrees(values) for name, values in found.items()}


def _turned(R: Array, v: Array) -> Array:
    return (R @ v[..., None])[..., 0]


def with_upper(trial: Walk) -> tuple[Walk, Upper]:
    """Return a walk or a stance with the markers of trunk, head and arms, and their truth.

    Parameters
    ----------
    trial : Walk
        From :func:`gaitdyn.synthetic.walk` or :func:`gaitdyn.synthetic.stand`.
    """
    time_s = trial.time_s - trial.recording.clock_s
    standing = trial.walker.gait.stride_length == 0.0
    upper = upper_body(trial.walker, pose(trial.walker, time_s), time_s, standing=standing)
    markers = np.concatenate((trial.markers_G, upper.markers_G), axis=1)
    return replace(trial, labels=(*trial.labels, *upper.labels), markers_G=markers), upper
