"""Poses of pelvis and legs, and the body that they belong to."""

from __future__ import annotations

from dataclasses import field

import numpy as np

from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.rungs import ShankAxis
from gaitdyn.types.subject import Side

SEGMENTS = ("foot", "shank", "thigh")
"""Order of the segments of a leg, from distal to proximal."""

JOINTS = ("ankle", "knee", "hip")
"""The proximal joint of each segment, in the same order."""


@frozen()
class LegOffsets:
    """Offsets of one leg from the static, rad.

    Attributes
    ----------
    static_plantar_flexion, static_rotation : float
        Of the foot against the line from ankle centre to toe marker.
    thigh_rotation, shank_rotation : float
        How far the wand markers are rotated behind the lateral markers.
    ankle_abduction : float
        Of the ankle axis against the malleolus marker.
    tibial_torsion : float
        Of the ankle axis against the knee axis, outward negative.
    """

    static_plantar_flexion: float = 0.0
    static_rotation: float = 0.0
    thigh_rotation: float = 0.0
    shank_rotation: float = 0.0
    ankle_abduction: float = 0.0
    tibial_torsion: float = 0.0


@frozen(arrays=True)
class LegPose:
    """Joint centres and segment axes of one leg in G, segments foot, shank, thigh.

    Attributes
    ----------
    side : {"left", "right"}
    R_GS : array, shape (n, 3, 3, 3)
        Axes x forward (foot: towards the toes), y up (foot: dorsal), z to the right.
    r_prox_G : array, shape (n, 3, 3)
        Ankle, knee and hip centre, m.
    R_shank_distal : array, shape (n, 3, 3), optional
        Shank axes with z along the ankle axis, for the ankle angle; those of ``R_GS`` if there is
        no tibial torsion.
    shank_axis : {"knee", "malleoli", "wand", "pelvis", "plane", "maker"}
        Direction of z of the shank: the knee axis, the line through the malleoli, the ankle axis
        that a wand shows (Plug-in Gait without tibial torsion) or, if no marker shows any, the axis
        of the pelvis; for segment poses the choice of their maker. Moments about these axes differ.
    own_prox_G : array, shape (n, 3, 3), optional
        Proximal centre as carried by the markers of each segment itself, m. ``r_prox_G`` is carried
        by the segment above; the two differ by joint translation and skin movement. None if
        segments share their centres.
    fixed : tuple of (joint, int)
        Angles that were not measured because the model behind segment poses does not let them
        change: joint and index of the angle, 0 to 2.
    """

    side: Side
    R_GS: Array
    r_prox_G: Array
    R_shank_distal: Array | None = None
    shank_axis: ShankAxis = "knee"
    own_prox_G: Array | None = None
    fixed: tuple[tuple[str, int], ...] = ()


NO_MODEL = "none"
"""The model of a result that has electromyography alone."""


def unknown_leg(side: Side, n: int) -> LegPose:
    """Return the pose of a leg that is not known in any of n frames."""
    return LegPose(side, np.full((n, 3, 3, 3), np.nan), np.full((n, 3, 3), np.nan))


@frozen(arrays=True)
class Pose:
    """Pelvis and both legs.

    Attributes
    ----------
    R_GP : array, shape (n, 3, 3)
        Pelvis axes x forward, y up, z to the right.
    origin_G : array, shape (n, 3)
        Middle of the ASIS markers, m.
    left, right : LegPose
    walking_G : array, shape (3,)
        Unit horizontal walking direction.
    planar : bool
        Whether the markers show only the sagittal plane. Then all z axes are its normal, ``R_GP``
        is the trunk, and everything outside the plane is unknown.
    against : array of bool, shape (n,), optional
        Frames in which the person walks against ``walking_G``, on the way back; None without any.
    """

    R_GP: Array
    origin_G: Array
    left: LegPose
    right: LegPose
    walking_G: Array
    planar: bool = False
    against: Mask | None = None

    def leg(self, side: str) -> LegPose:
        """Return the pose of one leg."""
        return self.left if side == "left" else self.right


@frozen(arrays=True)
class LegBody:
    """Masses, inertia and centres of mass of foot, shank and thigh.

    Attributes
    ----------
    mass : array, shape (3,)
        kg.
    inertia_S : array, shape (3, 3, 3) or (n, 3, 3, 3)
        kg m2 about the centre of mass, segment axes.
    r_cm_G : array, shape (n, 3, 3)
        Centres of mass, m.
    """

    mass: Array
    inertia_S: Array
    r_cm_G: Array


@frozen(arrays=True)
class Calibration:
    """Calibration of the model of this person from the static trial.

    Attributes
    ----------
    offsets : dict
        Side -> LegOffsets.
    inter_asis_m : float
    diameter_m : float
        Marker diameter.
    lengths_m : dict
        Side -> (foot, shank, thigh) between the end points of the body-segment table, m.
    foot_cm_F : dict
        Side -> centre of mass of the foot from the ankle centre in foot axes, shape (3,), m.
    flat_foot : dict
        Side -> True if the sole was taken as flat in the static.
    hips_P : dict
        Side -> hip centre from the middle of the ASIS markers in pelvis axes, shape (3,), m;
        empty for a model that finds it by other means.
    heel_F : dict
        Side -> heel from the ankle centre in foot axes, shape (3,), m, if a static shows it.
    heel_toe_m : dict
        Side -> distance of heel and toe marker in the static, m.
    """

    offsets: dict[str, LegOffsets]
    inter_asis_m: float
    diameter_m: float
    lengths_m: dict[str, tuple[float, float, float]]
    foot_cm_F: dict[str, Array]
    flat_foot: dict[str, bool]
    hips_P: dict[str, Array] = field(default_factory=dict[str, Array])
    heel_F: dict[str, Array] = field(default_factory=dict[str, Array])
    heel_toe_m: dict[str, float] = field(default_factory=dict[str, float])
