"""Left-right symmetry of one number."""

from __future__ import annotations

import math


def symmetry_angle(left: float, right: float) -> float:
    """Return the symmetry angle, % (Zifchock et al. 2008, Gait Posture 27:622-627).

    100 (45 deg - atan2(XL, XR)) / 90 deg, within -100 and 100; positive if the right side is
    larger. An angle outside -90 and 90 deg is shifted by 180 deg, so that changing both signs does
    not change the angle. NaN for two zeros, or if a side is not known.

    Examples
    --------
    >>> round(symmetry_angle(1.0, 2.0), 2), round(symmetry_angle(-1.0, -2.0), 2)
    (20.48, 20.48)
    >>> round(symmetry_angle(2.0, 1.0), 2), round(symmetry_angle(0.0, 1.0), 2)
    (-20.48, 50.0)
    >>> symmetry_angle(0.0, 0.0)
    nan
    """
    if left == 0 and right == 0:
        return math.nan
    angle = 45.0 - math.degrees(math.atan2(left, right))
    if abs(angle) > 90.0:  # noqa: PLR2004  deg
        angle -= math.copysign(180.0, angle)
    return 100 * angle / 90.0
