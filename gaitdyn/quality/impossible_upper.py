"""What cannot be below the waist takes what is computed from it above: columns emptied."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.result import Processed, Side
    from gaitdyn.types.upper import UpperBody

_OF_PELVIS = ("trunk", "head", "spine")
"""Angles that need the pelvis: against it, or against the direction in which it goes."""


def upper_without(upper: UpperBody, before: Processed, sides: dict[str, Side]) -> UpperBody:
    """Return the upper body without what stands on legs or a pelvis that cannot be.

    Parameters
    ----------
    upper : UpperBody
    before : Processed
        Before anything was emptied.
    sides : dict
        The legs after that.
    """
    if sides is before.sides:
        return upper
    hidden = _hidden_hips(before, sides)
    if hidden is not None:
        upper = _without_closure(upper, hidden, vendor=before.options.profile != "default")
    gone = {
        name
        for side, one in sides.items()
        for name, values in one.angles.items()
        if not np.isfinite(values).any() and np.isfinite(before.sides[side].angles[name]).any()
    }
    if not gone:
        return upper
    joints = {name: one for name, one in upper.joints.items() if name not in ("waist", "neck")}
    angles = upper.angles
    if "pelvis" in gone:
        angles = {
            side: {
                name: np.full_like(values, np.nan) if name in _OF_PELVIS else values
                for name, values in own.items()
            }
            for side, own in angles.items()
        }
    return replace(
        upper, angles=angles, joints=joints, com_G=None, com_velocity_G=None, edges={},
        closure_force_G=None, closure_moment_G=None,
    )  # fmt: skip


def _hidden_hips(before: Processed, sides: dict[str, Side]) -> Mask | None:
    """Return the frames in which the loads of a hip are no longer shown; None where all are."""
    hidden = None
    for side, one in sides.items():
        old = before.sides[side].kinetics
        if one.kinetics is None or old is None:
            continue
        lost = old.published[:, 2] & ~one.kinetics.published[:, 2]
        hidden = lost if hidden is None else hidden | lost
    return hidden if hidden is not None and hidden.any() else None


def _without_closure(upper: UpperBody, hidden: Mask, *, vendor: bool) -> UpperBody:
    """Return the body with what comes from the hips unknown in some frames."""
    keep = np.where(hidden, np.nan, 1.0)[:, None]

    def left(values: Array | None) -> Array | None:
        return None if values is None else values * keep

    joints = upper.joints
    if vendor:
        joints = {
            name: replace(one, published=one.published & ~hidden)
            if name in ("waist", "neck")
            else one
            for name, one in joints.items()
        }
    return replace(
        upper,
        joints=joints,
        closure_force_G=left(upper.closure_force_G),
        closure_moment_G=left(upper.closure_moment_G),
    )
