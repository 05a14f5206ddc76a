"""Roughly how far wands are from the side of their segment, from the pelvis' width direction.

It is a hundredth of the work of :mod:`gaitdyn.landmarks.wands`, which decides.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.rotations import cross, dot, lengths, unit
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LETTER

_MOST_DEG, _FRAMES = 25.0, 50
_HIP = (0.36, 0.19, 0.30)
"""Hip centre, widths of the pelvis outwards, back and down from between the ASIS: ``bell`` of
:mod:`gaitdyn.calibrate.hip_regressions`."""
_HALF_KNEE_M = 0.06
_PELVIS = ("RASI", "LASI", "RPSI", "LPSI", "SACR")


def may_be_astray(recording: Recording, places: Mapping[int, str]) -> bool:
    """Return whether a wand may be further than 37 degrees from the side of its segment.

    Parameters
    ----------
    recording : Recording
    places : mapping
        Index in the labels -> marker of the Plug-in Gait model.
    """
    step = max(1, recording.n_frames // _FRAMES)
    markers = {role: recording.markers_L[::step, i] for i, role in places.items()}
    right, left, *back = (markers.get(role) for role in _PELVIS)
    behind = [marker for marker in back if marker is not None]
    if right is None or left is None or not behind:
        return True
    middle, width = (right + left) / 2, lengths(right - left)[:, None]
    sideways = unit(right - left)
    up = unit(cross(sideways, middle - sum(behind) / len(behind)))
    hip = middle - width * (_HIP[1] * cross(up, sideways) + _HIP[2] * up)
    for letter in LETTER.values():
        outward = sideways if letter == "R" else -sideways
        knee = markers.get(letter + "KNE")
        if knee is None:
            continue
        ends = ("THI", hip + _HIP[0] * width * outward, knee), (
            "TIB", knee - _HALF_KNEE_M * outward, markers.get(letter + "ANK")
        )  # fmt: skip
        for wand, upper, lower in ends:
            marker = markers.get(letter + wand)
            if marker is not None and lower is not None:
                angles = _from_side(marker - lower, upper - lower, outward)
                known = angles[np.isfinite(angles)]
                if not len(known) or abs(median(known)) > _MOST_DEG:
                    return True
    return False


def _from_side(wand: Array, along: Array, outward: Array) -> Array:
    """Return the angle about a segment from its side to a wand, deg; arrays of shape (n, 3)."""
    axis = unit(along)
    side = unit(outward - dot(outward, axis) * axis)
    return np.degrees(np.arctan2(dot(wand, cross(axis, side)), dot(wand, side)))[:, 0]
