"""Segments of the Plug-in Gait upper body, for the profile ``plug-in-gait``.

Masses, points of the trunk in the three generations of the vendor's software, centres of mass of
the arms. As in the vendor's software, the hand is taken as 1.5 times its length.
"""

from __future__ import annotations

import re

import numpy as np

from gaitdyn.core.rotations import rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import LegPose, Pose
from gaitdyn.types.upper import ArmPose, UpperPose

MASS = {
    "hand": 0.006, "forearm": 0.016, "upper_arm": 0.028,
    "pelvis": 0.142, "thorax": 0.355, "head": 0.081,
}  # fmt: skip
"""Fractions of the body mass: Dempster's as in Winter 2009, Table 4.1."""

ARM_MASS = np.array([MASS["hand"], MASS["forearm"], MASS["upper_arm"]])
ARM_CENTRES = (0.506 * 1.5, 0.43, 0.436)
"""Centre of mass from the proximal joint, as a share of the same lengths."""

L5_ABOVE, THORAX_CENTRE, _PELVIS_CENTRE = 0.925, 0.63, 0.895
_C7_DEPTH = 1.05
"""Recovered from the vendor's stored results: L5 above the hips, as a share of their distance;
centre of mass of the thorax from the neck joint and of the pelvis from the hips, as shares of the
way to L5 (both as in Winter 2009, Table 4.1); neck joint behind C7, in marker radii."""

SKULL = np.array([-0.84, -0.3, 0.0])
"""Origin of the drawn head from the middle of the front markers, as a share of the head's size."""


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


@frozen(eq=False)
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
    low_back = middle + L5_ABOVE * apart[:, None] * legs.R_GP[..., 1]
    R, origin, depth = upper.R_GT, upper.thorax_G, _C7_DEPTH * diameter_m / 2
    vertebra = known_mean(upper.c7_G - depth * R[..., 0])
    c7 = known_mean(rotate_back(R, vertebra - origin))
    if kind == "C":
        c7 = known_mean(rotate_back(R, upper.c7_G - origin)) - np.array([depth, 0, 0])
    d = known_mean(rotate_back(R, low_back - origin)) - c7
    cm = THORAX_CENTRE * d + (0.0 if kind == "A" else c7)
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
