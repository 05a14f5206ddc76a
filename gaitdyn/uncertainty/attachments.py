"""Where markers are attached: their segment, and the line through the skin there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.ladder.model import segment_of
from gaitdyn.core.rotations import rotate_back, unit
from gaitdyn.core.runs import complete_rows
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from gaitdyn.types.motion import Pose
    from gaitdyn.types.trial import Trial

_FEW_FRAMES = 5

SEGMENT_NUMBERS = {
    name: i
    for i, name in enumerate(
        ("pelvis", *(f"{side} {part}" for side in SIDES for part in ("foot", "shank", "thigh")))
    )
}
"""Segment -> its column in :func:`segments_of`."""

FEET = [SEGMENT_NUMBERS[f"{side} foot"] for side in SIDES]

_BENEATH_M = 0.005
"""A marker that lies less than this off the long axis is no point on the skin: a joint centre."""


@frozen(eq=False)
class Attachment:
    """Attachment of a marker.

    Attributes
    ----------
    segment : int
        One of :data:`SEGMENT_NUMBERS`.
    out_S : array, shape (3,)
        The line through the skin there: unit, in the axes of the segment; 0 at a joint centre.
    """

    segment: int
    out_S: Array


def segments_of(pose: Pose) -> tuple[Array, Array]:
    """Return axes (n, 7, 3, 3) and origins (n, 7, 3) of the pelvis, then each side's leg segments.

    A leg's segments are in the order foot, shank, thigh.
    """
    R = [pose.R_GP[:, None], *(pose.leg(side).R_GS for side in SIDES)]
    r = [pose.origin_G[:, None], *(pose.leg(side).r_prox_G for side in SIDES)]
    return np.concatenate(R, axis=1), np.concatenate(r, axis=1)


def attachments(trial: Trial, pose: Pose) -> dict[str, Attachment]:
    """Return the segment in whose axes each marker moves least, with its outward direction."""
    R_GS, r_G = segments_of(pose)
    positions: dict[str, tuple[int, Array]] = {}
    for i, label in enumerate(trial.labels):
        local = rotate_back(R_GS, trial.markers_G[:, i, None] - r_G)
        spread = [
            np.nanstd(local[:, s], axis=0).sum()
            if complete_rows(local[:, s]).sum() >= _FEW_FRAMES
            else np.inf
            for s in range(local.shape[1])
        ]
        segment = int(np.argmin(spread))
        if np.isfinite(spread[segment]):
            positions[label] = (segment, np.nanmean(local[:, segment], axis=0))
    return {
        label: Attachment(segment, _outward(segment, position))
        for label, (segment, position) in positions.items()
    }


def static_attachments(trial: Trial, static: Trial, pose: Pose) -> dict[str, Attachment]:
    """Return the attachment of the markers that only the static has, such as those on condyles.

    Their segment follows from their label: nobody moves in a static, so motion cannot show it.
    """
    R_GS, r_G = segments_of(pose)
    attached: dict[str, Attachment] = {}
    for i, label in enumerate(static.labels):
        segment = SEGMENT_NUMBERS.get(segment_of(label))
        if label in trial.labels or segment is None:
            continue
        local = rotate_back(R_GS[:, segment], static.markers_G[:, i] - r_G[:, segment])
        if complete_rows(local).any():
            attached[label] = Attachment(segment, _outward(segment, np.nanmean(local, axis=0)))
    return attached


def _outward(segment: int, position: Array) -> Array:
    """Return the line through the skin at a marker: unit, in segment axes; 0 at a joint centre.

    Fore and aft on the pelvis and at the heel, elsewhere off the long axis of the segment, which in
    a foot is x.
    """
    foot = segment in FEET
    if segment == 0 or (foot and position[0] < -abs(position[2])):
        return np.array([1.0, 0.0, 0.0])
    off = position * (np.array([0.0, 1.0, 1.0]) if foot else np.array([1.0, 0.0, 1.0]))
    return unit(off) if np.linalg.norm(off) > _BENEATH_M else np.zeros(3)
