"""Segment axes of the Plug-in Gait lower limb, x forward, y up (proximal), z to the right."""

from __future__ import annotations

from gaitdyn.core.rotations import about, cardan_zyx, columns, cross, relative, unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.subject import SIGN


def limb_frame(proximal: Array, distal: Array, lateral: Array, side: str) -> Array:
    """Return the axes of a thigh or a shank.

    Parameters
    ----------
    proximal, distal : arrays, shape (n, 3)
        Joint centres at both ends.
    lateral : array, shape (n, 3)
        Lateral marker of the distal joint.
    side : {"left", "right"}

    Returns
    -------
    array, shape (n, 3, 3)
        R_GS: y along the bone, z towards the right.
    """
    y = unit(proximal - distal)
    z = unit(-SIGN[side] * (lateral - distal))
    return columns(cross(y, z), y, z)


def shank_frames(
    knee: Array, ankle: Array, malleolus: Array, side: str, torsion: float
) -> tuple[Array, Array]:
    """Return the axes of the shank at the ankle (distal) and at the knee (proximal).

    Parameters
    ----------
    knee, ankle, malleolus : arrays, shape (n, 3)
        Joint centres and lateral malleolus marker.
    side : {"left", "right"}
    torsion : float
        Tibial torsion, rad; outward is negative.

    Returns
    -------
    R_distal, R_proximal : arrays, shape (n, 3, 3)
        z of the first along the ankle axis, of the second along the knee axis.
    """
    y = unit(knee - ankle)
    x = unit(cross(SIGN[side] * (malleolus - ankle), y))
    distal = columns(x, y, cross(x, y))
    return distal, distal if torsion == 0.0 else distal @ about("y", SIGN[side] * torsion)


def foot_frame(ankle: Array, toe: Array, right: Array) -> Array:
    """Return the uncorrected axes U of the foot: x to the toe marker, z nearest to the right.

    Parameters
    ----------
    ankle, toe : arrays, shape (n, 3)
        In the reference foot of the static trial the heel marker replaces the ankle.
    right : array, shape (n, 3)
        z of the shank.

    Returns
    -------
    array, shape (n, 3, 3)
    """
    x = unit(toe - ankle)
    y = unit(cross(right, x))
    return columns(x, y, cross(x, y))


def foot_offsets(R_uncorrected: Array, R_reference: Array, side: str) -> Array:
    """Return (static plantar flexion, static rotation) of each frame of the static, shape (n, 2).

    The rotation from the uncorrected to the reference foot about the medio-lateral and the dorsal
    axis, rad. The third Cardan angle is dropped, as in the vendor's model.
    """
    turn = cardan_zyx(relative(R_uncorrected, R_reference))
    turn[..., 1] *= -SIGN[side]
    return turn[..., :2]


def corrected_foot(R_uncorrected: Array, offsets: LegOffsets, side: str) -> Array:
    """Return the anatomical axes F of the foot, R_GF = U Rz(plantar flexion) Ry(-+ rotation)."""
    turn = about("z", offsets.static_plantar_flexion)
    return R_uncorrected @ turn @ about("y", -SIGN[side] * offsets.static_rotation)
