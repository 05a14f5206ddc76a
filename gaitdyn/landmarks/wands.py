"""Find lone markers of thigh and shank that are not wands: they track, but show no joint axis.

Models that find the knee's axis from a wand take a plane through hip, lateral condyle and wand. In
the standing trials of 12 laboratories that use such wands they are within 29 degrees of the side of
the thigh, and 36 behind to 9 ahead of the side of the shank. Markers in front of the thigh, as in
Helen Hayes sets, are at 67 to 89 degrees, those of the shank at 46 to 60.
"""

from __future__ import annotations

import math
from collections import defaultdict

from gaitdyn.core.runs import known_points
from gaitdyn.landmarks.assign import MarkerClaim
from gaitdyn.landmarks.body.case import Case
from gaitdyn.landmarks.body.evidence import MarkerPosition
from gaitdyn.landmarks.roles import lone_marker
from gaitdyn.types.findings import Finding
from gaitdyn.types.landmarks import BodySide

_SIDES: tuple[BodySide, BodySide] = ("left", "right")
_MOST_DEG, _SEEN = 37.0, 0.1
_HIP = (0.917, 0.082, -0.08)
"""Hip centre: height, outward position and position ahead of the ASIS, ASIS heights."""
_HALF_KNEE = 0.062
_LONE = {"THX": ("ASIS", "KLE", "thigh", "knee"), "SHX": ("KLE", "ANL", "shank", "ankle")}


def tracking_only(case: Case, won: dict[int, MarkerClaim]) -> dict[int, Finding]:
    """Return the lone markers of a thigh or shank that are not wands, with findings.

    If both legs have one, both must be off to the same direction.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim.
    """
    items_of: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, claim in won.items():
        items_of[claim.code, claim.side].append(i)
    findings: dict[int, Finding] = {}
    for code in _LONE:
        angles: dict[BodySide, float] = {}
        lone: dict[BodySide, int] = {}
        for side in _SIDES:
            items = items_of.get((code, side), [])
            if (alone := lone_marker([case.items[i].text for i in items])) is not None:
                lone[side] = items[alone]
                angles[side] = _angle(case, items_of, lone[side], code, side)
        both_off = all(x > _MOST_DEG for x in angles.values())
        both_off = both_off or all(x < -_MOST_DEG for x in angles.values())
        for side, angle in angles.items() if both_off else ():
            i = lone[side]
            findings[i] = _no_wand(case.label(i), angle, code, side)
    return findings


def _angle(
    case: Case, items_of: dict[tuple[str, str], list[int]], lone: int, code: str, side: BodySide
) -> float:
    """Return the angle of a lone marker about its segment, deg; NaN if not visible."""
    ends = [items_of.get((end, side), []) for end in _LONE[code][:2]]
    if not all(len(end) == 1 for end in ends):
        return math.nan
    items = [lone, *(end[0] for end in ends)]
    marker, upper, lower = (case.position(i) for i in items)
    if marker is None or upper is None or lower is None or not _visible_together(case, items):
        return math.nan
    return _ahead_of_side(code, upper, lower, marker)


def _visible_together(case: Case, items: list[int]) -> bool:
    """Return whether markers are visible together in a tenth of a file, the static if possible."""
    for number, recording in enumerate(case.files):
        if all(number in case.items[i].index for i in items):
            points = recording.markers_L[:, [case.items[i].index[number] for i in items]]
            return bool(known_points(points).all(axis=1).mean() >= _SEEN)
    return False


def _no_wand(label: str, angle: float, code: str, side: BodySide) -> Finding:
    segment, joint = _LONE[code][2:]
    direction = "ahead of" if angle > 0 else "behind"
    message = (
        f"{label} is {abs(angle):.0f} degrees {direction} the side of the {segment}: it tracks the"
        f" {segment} but shows no axis of the {joint}"
    )
    return Finding(
        "info", "landmark-no-wand", label, message, round(angle, 1), _MOST_DEG, side=side or None
    )


def _ahead_of_side(
    code: str, upper: MarkerPosition, lower: MarkerPosition, marker: MarkerPosition
) -> float:
    """Return the angle about the segment from its side to a marker, forward positive, deg.

    NaN if both ends of the segment are at one height, as where a label names a copy of another.
    """
    if code == "THX":
        height, outward, behind = _HIP
        top = (height, outward, upper.ahead + behind)
    else:
        top = (upper.height, upper.outward - _HALF_KNEE, upper.ahead)
    length = top[0] - lower.height
    if not length:
        return math.nan
    share = (marker.height - lower.height) / length
    ahead = marker.ahead - (lower.ahead + share * (top[2] - lower.ahead))
    out = marker.outward - (lower.outward + share * (top[1] - lower.outward))
    return math.degrees(math.atan2(ahead, out))
