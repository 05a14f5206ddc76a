"""Lone markers of thigh and shank that stand in no plane of a joint: they track, and show no axis.

Models that find the knee's axis from a wand take a plane through hip, lateral condyle and wand. In
the standing trials of 12 laboratories that use such wands they stand within 29 degrees of the side
of the thigh, and 36 behind to 9 ahead of the side of the shank; markers in front of the thigh, as
in Helen Hayes sets, at 67 to 89, of the shank at 46 to 60.
"""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from gaitdyn.core.runs import known_points
from gaitdyn.types.findings import Finding
from gaitdyn.types.landmarks import BodySide

if TYPE_CHECKING:
    from gaitdyn.landmarks.assign import MarkerClaim
    from gaitdyn.landmarks.case import Case
    from gaitdyn.landmarks.evidence import MarkerPosition

_SIDES: tuple[BodySide, BodySide] = ("left", "right")
_MOST_DEG, _SEEN = 37.0, 0.1
_HIP = (0.917, 0.082, -0.08)
"""Height, outward place, and place behind the ASIS of the hip centre, ASIS heights."""
_HALF_KNEE = 0.062
_LONE = {"THX": ("ASIS", "KLE", "thigh", "knee"), "SHX": ("KLE", "ANL", "shank", "ankle")}


def tracking_only(case: Case, won: dict[int, MarkerClaim]) -> dict[int, Finding]:
    """Return the lone markers of a thigh or shank that are no wands, with what to say of them.

    Where both legs have one, both must stand there.

    Parameters
    ----------
    case : Case
    won : dict
        Item -> its claim.
    """
    at: dict[tuple[str, str], list[int]] = defaultdict(list)
    for i, claim in won.items():
        at[claim.code, claim.side].append(i)
    out: dict[int, Finding] = {}
    for code in _LONE:
        angles: dict[BodySide, float] = {}
        for side in _SIDES:
            if len(at.get((code, side), [])) == 1:
                angles[side] = _angle(case, at, code, side)
        same = all(x > _MOST_DEG for x in angles.values())
        same = same or all(x < -_MOST_DEG for x in angles.values())
        for side, angle in angles.items() if same else ():
            (i,) = at[code, side]
            out[i] = _no_wand(case.items[i].text, angle, code, side)
    return out


def _angle(case: Case, at: dict[tuple[str, str], list[int]], code: str, side: BodySide) -> float:
    """Return where a lone marker stands about its segment, deg; NaN where that is not seen."""
    ends = [at.get((end, side), []) for end in _LONE[code][:2]]
    if not all(len(end) == 1 for end in ends):
        return math.nan
    items = [at[code, side][0], *(end[0] for end in ends)]
    marker, upper, lower = (case.seen(i) for i in items)
    if marker is None or upper is None or lower is None or not _together(case, items):
        return math.nan
    return _ahead_of_side(code, upper, lower, marker)


def _together(case: Case, items: list[int]) -> bool:
    """Return whether some markers are seen in the same tenth of a file, the static's if any."""
    for number, recording in enumerate(case.files):
        if all(number in case.items[i].at for i in items):
            points = recording.markers_L[:, [case.items[i].at[number] for i in items]]
            return bool(known_points(points).all(axis=1).mean() >= _SEEN)
    return False


def _no_wand(label: str, angle: float, code: str, side: BodySide) -> Finding:
    segment, joint = _LONE[code][2:]
    where = "ahead of" if angle > 0 else "behind"
    message = (
        f"{label} stands {abs(angle):.0f} degrees {where} the side of the {segment}: it tracks the"
        f" {segment} and shows no axis of the {joint}"
    )
    return Finding(
        "info", "landmark-no-wand", label, message, round(angle, 1), _MOST_DEG, side=side or None
    )


def _ahead_of_side(
    code: str, upper: MarkerPosition, lower: MarkerPosition, marker: MarkerPosition
) -> float:
    """Return the angle about the segment from its side to a marker, forward positive, deg."""
    if code == "THX":
        height, outward, behind = _HIP
        top = (height, outward, upper.ahead + behind)
    else:
        top = (upper.height, upper.outward - _HALF_KNEE, upper.ahead)
    share = (marker.height - lower.height) / (top[0] - lower.height)
    ahead = marker.ahead - (lower.ahead + share * (top[2] - lower.ahead))
    out = marker.outward - (lower.outward + share * (top[1] - lower.outward))
    return math.degrees(math.atan2(ahead, out))
