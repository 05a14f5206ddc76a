"""The axes of segments and joints that a column is in, in words."""

from __future__ import annotations

from gaitdyn.tables.column_words import column_words
from gaitdyn.types.result import Processed

SEGMENT_OF = {"ankle": "foot", "knee": "shank", "hip": "thigh"}
_ABOVE = {"ankle": "shank", "knee": "thigh", "hip": "pelvis"}
_SHANK_Z = column_words("shank")


def axes_of(result: Processed, side: str, segment: str) -> str:
    """Return the axes of a segment in words; for a shank, with the direction of its z."""
    if segment != "shank":
        return f"{segment} axes"
    kind = "plane" if result.pose.planar else result.pose.leg(side).shank_axis
    return f"shank axes, {_SHANK_Z[kind]}"


def has_torsion(result: Processed, side: str) -> bool:
    """Return whether the angles of the ankle are in a shank with the axis of the ankle."""
    return result.pose.leg(side).R_shank_distal is not None


def moment_frame(result: Processed, side: str, joint: str, axes: str) -> str:
    """Return the axes of the moments of a joint in words.

    Parameters
    ----------
    result : Processed
    side : {"left", "right"}
    joint : {"ankle", "knee", "hip"}
    axes : str
        As the option ``moments_in``.
    """
    if axes == "lab":
        return "G"
    if axes.startswith("jcs"):
        kind = "projections on" if axes == "jcs" else "components along"
        turned = joint == "ankle" and has_torsion(result, side)
        flexion = "ankle axis" if turned else f"{_ABOVE[joint]} flexion axis"
        around = f"{flexion}, {SEGMENT_OF[joint]} long axis, floating axis"
        return f"{kind} the axes of the joint coordinate system ({around})"
    return axes_of(result, side, (SEGMENT_OF if axes == "distal" else _ABOVE)[joint])
