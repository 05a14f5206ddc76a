"""The walker's body: measurements, segment lengths, masses, and points fixed in each segment."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from gaitdyn.synthetic.arrays import Array
from gaitdyn.synthetic.jets import fixed_turn

Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")
GRAVITY = 9.80665


def sign(side: Side) -> float:
    """Return sg: +1 for left, -1 for right.

    Examples
    --------
    >>> sign("left"), sign("right")
    (1.0, -1.0)
    """
    return 1.0 if side == "left" else -1.0


@dataclass(frozen=True, slots=True)
class BodySide:
    """One leg: what the laboratory measures (mm) and what it cannot measure (m, rad).

    Parameters
    ----------
    leg_length_mm, knee_width_mm, ankle_width_mm : float
        Measurements of the subject form.
    thigh_m, shank_m : float
        Distance between joint centres.
    ankle_to_toe_m, heel_to_toe_m : float
        AJC to TOE marker, HEE marker to TOE marker.
    toe_height_m : float
        Height of the HEE and TOE markers above the sole.
    plantar_flexion_offset, rotation_offset : float
        StaticPlantFlex and StaticRotOff, rad: F = U Rz(plant) Ry(-sg rot).
    thigh_wand, shank_wand : tuple
        THI and TIB: fraction of the segment from its proximal end, distance lateral of the long
        axis, m.
    """

    leg_length_mm: float = 920.0
    knee_width_mm: float = 104.0
    ankle_width_mm: float = 72.0
    thigh_m: float = 0.425
    shank_m: float = 0.425
    ankle_to_toe_m: float = 0.132
    heel_to_toe_m: float = 0.192
    toe_height_m: float = 0.050
    plantar_flexion_offset: float = 0.160
    rotation_offset: float = 0.050
    thigh_wand: tuple[float, float] = (0.48, 0.090)
    shank_wand: tuple[float, float] = (0.58, 0.064)


@dataclass(frozen=True, slots=True)
class SegmentInertia:
    """Inertia of a rigid segment, in segment axes.

    Parameters
    ----------
    mass : float
        kg.
    r_cm_S : array, shape (3,)
        Centre of mass from the frame's origin, m.
    inertia_S : array, shape (3, 3)
        About the centre of mass, kg m^2.
    """

    mass: float
    r_cm_S: Array
    inertia_S: Array


@dataclass(frozen=True, slots=True)
class WalkerBody:
    """A subject whose geometry and inertia are known exactly.

    Parameters
    ----------
    mass_kg, height_m : float
        Body mass and stature.
    marker_diameter_mm : float
        Diameter of the markers.
    inter_asis_m, pelvis_depth_m, inter_psis_m : float
        |LASI - RASI|, mid-ASIS to mid-PSIS, |LPSI - RPSI|.
    left, right : BodySide
        The two legs.
    """

    mass_kg: float = 70.0
    height_m: float = 1.75
    marker_diameter_mm: float = 14.0
    inter_asis_m: float = 0.240
    pelvis_depth_m: float = 0.150
    inter_psis_m: float = 0.090
    left: BodySide = field(
        default_factory=lambda: BodySide(
            plantar_flexion_offset=0.165,
            rotation_offset=0.040,
            thigh_wand=(0.55, 0.092),
            shank_wand=(0.50, 0.066),
        )
    )
    right: BodySide = field(default_factory=BodySide)

    def side(self, side: Side) -> BodySide:
        """Return one leg."""
        return self.left if side == "left" else self.right

    def mirrored(self) -> WalkerBody:
        """Return the body with left and right exchanged."""
        return replace(self, left=self.right, right=self.left)

    @property
    def leg_m(self) -> float:
        """Thigh plus shank, mean of both sides, m: the length unit of the gait's paths."""
        return float(np.mean([self.side(s).thigh_m + self.side(s).shank_m for s in SIDES]))

    @property
    def ankle_height_m(self) -> float:
        """Height of the ankle centres above the sole of a flat foot, mean of both sides, m."""
        legs = [self.side(s) for s in SIDES]
        lift = [leg.ankle_to_toe_m * np.sin(leg.plantar_flexion_offset) for leg in legs]
        return float(np.mean([leg.toe_height_m for leg in legs]) + np.mean(lift))

    def joint_to_marker_m(self, side: Side, joint: Literal["knee", "ankle"]) -> float:
        """Return the distance of the joint centre from its lateral marker: (width + MD) / 2, m."""
        leg = self.side(side)
        width = leg.knee_width_mm if joint == "knee" else leg.ankle_width_mm
        return (width + self.marker_diameter_mm) / 2000.0


def hip_in_pelvis(body: WalkerBody, side: Side) -> Array:
    """Return the hip centre in pelvis axes from mid-ASIS, m (Davis' regression as in Plug-in Gait).

    C = 0.115 mean leg length - 15.3 mm; d = 0.1288 leg length - 48.56 mm;
    theta = 0.5, beta = 0.314 rad.
    """
    c = 0.115 * (body.left.leg_length_mm + body.right.leg_length_mm) / 2.0 - 15.3
    d = 0.1288 * body.side(side).leg_length_mm - 48.56 + body.marker_diameter_mm / 2.0
    theta, beta = 0.5, 0.314
    forward = c * np.cos(theta) * np.sin(beta) - d * np.cos(beta)
    up = -c * np.cos(theta) * np.cos(beta) - d * np.sin(beta)
    to_right = sign(side) * (c * np.sin(theta) - 500.0 * body.inter_asis_m)
    return np.array([forward, up, to_right]) / 1000.0


def anatomical_in_uncorrected(body: WalkerBody, side: Side) -> Array:
    """Return R_UF, the anatomical foot F in the uncorrected foot U: Rz(plant) Ry(-sg rot)."""
    leg = body.side(side)
    return fixed_turn("z", leg.plantar_flexion_offset) @ fixed_turn(
        "y", -sign(side) * leg.rotation_offset
    )


def foot_points(body: WalkerBody, side: Side) -> dict[str, Array]:
    """Return points fixed in the foot, in F from the ankle centre, m.

    ``toe`` and ``heel`` are the markers, ``ball`` and ``heel_sole`` the points of the sole below
    them. ``ankle_marker`` is the position of ANK in the static pose; in motion ANK follows the
    shank.
    """
    leg = body.side(side)
    R_FU = anatomical_in_uncorrected(body, side).T
    toe = R_FU @ np.array([leg.ankle_to_toe_m, 0.0, 0.0])
    heel = toe - np.array([leg.heel_to_toe_m, 0.0, 0.0])
    down = np.array([0.0, -leg.toe_height_m, 0.0])
    lateral = np.array([0.0, 0.0, -sign(side) * body.joint_to_marker_m(side, "ankle")])
    return {
        "toe": toe,
        "heel": heel,
        "ball": toe + down,
        "heel_sole": heel + down,
        "ankle_marker": R_FU @ lateral,
    }


def foot_inertia(body: WalkerBody, side: Side) -> SegmentInertia:
    """Return the foot's inertia: Dempster, between ANK and TOE of the static pose, fixed in F."""
    points = foot_points(body, side)
    toe, ankle = points["toe"], points["ankle_marker"]
    mass = 0.0145 * body.mass_kg
    gyration = 0.475 * float(np.linalg.norm(toe - ankle))
    inertia = mass * gyration**2 * np.diag([0.0, 1.0, 1.0])
    return SegmentInertia(mass, (toe + ankle) / 2.0, inertia)


def shank_inertia(body: WalkerBody, side: Side) -> SegmentInertia:
    """Return the shank's inertia: Dempster, between KJC and AJC; the origin is AJC."""
    return _rod(0.0465 * body.mass_kg, body.side(side).shank_m, 0.302)


def thigh_inertia(body: WalkerBody, side: Side) -> SegmentInertia:
    """Return the thigh's inertia: Dempster, between HJC and KJC; the origin is KJC."""
    return _rod(0.100 * body.mass_kg, body.side(side).thigh_m, 0.323)


def _rod(mass: float, length: float, gyration: float) -> SegmentInertia:
    """Return a segment along y with its centre of mass at 0.433 from the proximal end."""
    inertia = mass * (gyration * length) ** 2 * np.diag([1.0, 0.0, 1.0])
    return SegmentInertia(mass, np.array([0.0, (1.0 - 0.433) * length, 0.0]), inertia)
