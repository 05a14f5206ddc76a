"""Find and empty angles of trunk, head and arms that no walking body has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import widened
from gaitdyn.quality.impossible_upper import without_centre
from gaitdyn.quality.upper_loads import ANYWAY, SPREAD_S
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed
    from gaitdyn.types.upper import UpperBody

RULE = "upper-angle-implausible"

LARGEST_DEG: dict[str, tuple[float, float, float]] = {
    "trunk": (100.0, 60.0, np.inf),
    "head": (110.0, 70.0, np.inf),
    "spine": (90.0, 60.0, 75.0),
    "neck": (100.0, 70.0, 110.0),
    "elbow": (165.0, np.inf, np.inf),
    "wrist": (110.0, 75.0, np.inf),
}
"""Part -> limits of the sizes of its angles, forward or back first. Trunk and head may face any way
in the laboratory, and a forearm turns by half a circle. Untouched walks have at most: trunk 32 and
12, head 34 and 16, spine 25, 29 and 17, neck 39, 16 and 30, elbow 79, wrist 57 and 51."""

_OF_THORAX = ("trunk", "spine", "neck", "shoulder")
_REACHED: dict[str, tuple[str, ...]] = {
    "trunk": _OF_THORAX,
    "spine": _OF_THORAX,
    "head": ("head", "neck"),
    "neck": ("neck",),
    "elbow": ("shoulder", "elbow", "wrist"),
    "wrist": ("wrist",),
}
"""Part -> angles and loads that are computed from its pose."""

_LIGHT = ("neck", "wrist")
"""Parts that leave the centre of mass and the waist as they are: the head itself and the trunk are
in their range, and a hand has 0.006 of the body mass."""

FEW = 0.1
"""Beyond this share of the known frames an angle is wrong in all of them."""


def impossible_angles(upper: UpperBody, rules: Rules) -> Iterator[tuple[str, str, float, Mask]]:
    """Yield each part with an angle beyond its limit.

    Yields
    ------
    part : str
        A key of :data:`LARGEST_DEG`.
    side : str
        Empty for a part of both sides.
    share : float
        The largest angle as a share of its limit.
    frames : array of bool, shape (n,)
        Those in which an angle is beyond the limit of the rule.
    """
    for side, angles in upper.angles.items():
        for part, largest in LARGEST_DEG.items():
            paired = part in ("elbow", "wrist")
            if part not in angles or not (paired or side == SIDES[0]):
                continue
            with np.errstate(invalid="ignore"):
                shares = np.abs(angles[part]) / np.asarray(largest)
                frames: Mask = np.any(shares > rules[RULE].bound, axis=1)
            if frames.any():
                yield part, side if paired else "", float(np.nanmax(shares)), frames


def upper_angle_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each part above the pelvis that turns further than any body does."""
    upper, rule = result.upper, rules[RULE]
    done = ANYWAY if result.options.publish_anyway else "; left empty"
    return [
        rule.found(
            scope,
            f"{scope}: an angle up to {share:.1f} times the largest of a walking body, in"
            f" {frames.sum()} of {len(frames)} frames{done}",
            share,
            **({"side": side} if side else {}),
        )
        for part, side, share, frames in (impossible_angles(upper, rules) if upper else ())
        for scope in [f"{side} {part}".strip()]
    ]


def without_impossible_angles(upper: UpperBody, result: Processed, rules: Rules) -> UpperBody:
    """Return the upper body without impossible angles and what is computed from such a pose.

    Frames within 0.3 s of them are emptied as well; if they are more than a tenth, all are.
    """
    off = rules[RULE].level == "off" or result.options.publish_anyway
    if off or result.task != WALKING:
        return upper
    reach = round(SPREAD_S * result.recording.rate_hz)
    for part, side, _, frames in tuple(impossible_angles(upper, rules)):
        known = np.isfinite(upper.angles[side or SIDES[0]][part][:, 0])
        throughout = frames.sum() > FEW * known.sum()
        gone = np.ones_like(frames) if throughout else widened(frames, reach)
        upper = _without(upper, part, side, gone)
    return upper


def _without(upper: UpperBody, part: str, side: str, gone: Mask) -> UpperBody:
    """Return the upper body without what is computed from a part, in some frames."""
    keep, reached = np.where(gone, np.nan, 1.0)[:, None], _REACHED[part]
    angles = {
        of: {
            name: values * keep if name in reached and side in ("", of) else values
            for name, values in parts.items()
        }
        for of, parts in upper.angles.items()
    }
    whole = part not in _LIGHT
    joints = {
        name: replace(joint, published=joint.published & ~gone)
        if (name == "waist" and whole) or _at(name, side, reached)
        else joint
        for name, joint in upper.joints.items()
    }
    upper = replace(upper, angles=angles, joints=joints)
    return without_centre(upper, gone) if whole else upper


def _at(name: str, side: str, reached: tuple[str, ...]) -> bool:
    """Return whether the load of a joint is computed from a part, by its name."""
    *of, joint = name.split("_")
    return joint in reached and (not side or of == [side])
