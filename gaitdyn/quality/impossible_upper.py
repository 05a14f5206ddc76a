"""Empty the columns of the upper body that depend on impossible legs or pelvis."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.result import Processed, Side
    from gaitdyn.types.upper import UpperBody

_OF_PELVIS = ("trunk", "head", "spine")
"""Angles relative to the pelvis, or to the direction in which it moves."""


def upper_without(upper: UpperBody, before: Processed, sides: dict[str, Side]) -> UpperBody:
    """Return the upper body without values that depend on impossible legs or pelvis.

    Parameters
    ----------
    upper : UpperBody
    before : Processed
        Before anything was emptied.
    sides : dict
        The legs after emptying.
    """
    if sides is before.sides:
        return upper
    if (hidden := _hidden_hips(before, sides)) is not None:
        upper = _without_closure(upper, hidden, vendor=before.options.profile != "default")
    if lost := _lost(before, sides):
        upper = _without_frames(upper, lost)
    gone = {
        name
        for side, leg in sides.items()
        for name, values in leg.angles.items()
        if name in lost and not np.isfinite(values).any()
    }
    if not gone:
        return upper
    joints = {name: leg for name, leg in upper.joints.items() if name not in ("waist", "neck")}
    angles = upper.angles
    if "pelvis" in gone:
        angles = {
            side: {
                name: np.full_like(values, np.nan) if name in _OF_PELVIS else values
                for name, values in values_of.items()
            }
            for side, values_of in angles.items()
        }
    return replace(
        upper, angles=angles, joints=joints, com_G=None, com_velocity_G=None, edges={},
        closure_force_G=None, closure_moment_G=None,
    )  # fmt: skip


def _lost(before: Processed, sides: dict[str, Side]) -> dict[str, Mask]:
    """Return the frames in which an angle of a leg or of the pelvis was emptied, if in any."""
    lost: dict[str, Mask] = {}
    for side, leg in sides.items():
        for name, old in before.sides[side].angles.items():
            new = leg.angles[name]
            if new is old:
                continue
            frames: Mask = np.any(np.isfinite(old) & ~np.isfinite(new), axis=1)
            if frames.any():
                lost[name] = frames | lost.get(name, False)
    return lost


def _without_frames(upper: UpperBody, lost: dict[str, Mask]) -> UpperBody:
    """Return the body without values in the frames in which they depend on an emptied pose.

    The centre of mass and its distance from the soles are those of the whole body, legs included.
    The thorax is turned against the pelvis, and its load at the waist acts on it there.
    """
    upper = _without_centre(upper, np.logical_or.reduce(list(lost.values())))
    changes: dict[str, Any] = {}
    if (pelvis := lost.get("pelvis")) is not None:
        turned = np.where(pelvis, np.nan, 1.0)[:, None]
        changes["angles"] = {
            side: {
                name: values * turned if name == "spine" else values
                for name, values in angles.items()
            }
            for side, angles in upper.angles.items()
        }
        changes["joints"] = {
            name: replace(joint, published=joint.published & ~pelvis) if name == "waist" else joint
            for name, joint in upper.joints.items()
        }
    return replace(upper, **changes)


def without_centre(upper: UpperBody, frames: Mask) -> UpperBody:
    """Return the body without its centre of mass and the closure at the waist in some frames."""
    return _without_closure(_without_centre(upper, frames), frames, vendor=False)


def _without_centre(upper: UpperBody, frames: Mask) -> UpperBody:
    """Return the body without its centre of mass and the margins of stability in some frames."""
    keep = np.where(frames, np.nan, 1.0)[:, None]
    return replace(
        upper,
        com_G=None if upper.com_G is None else upper.com_G * keep,
        com_velocity_G=None if upper.com_velocity_G is None else upper.com_velocity_G * keep,
        edges={
            side: replace(edge, tip_G=edge.tip_G * keep, toe_G=edge.toe_G * keep)
            for side, edge in upper.edges.items()
        },
    )


def _hidden_hips(before: Processed, sides: dict[str, Side]) -> Mask | None:
    """Return the frames in which the loads of a hip are no longer shown; None if there are none."""
    hidden = None
    for side, leg in sides.items():
        old = before.sides[side].kinetics
        if leg.kinetics is None or old is None:
            continue
        lost = old.published[:, 2] & ~leg.kinetics.published[:, 2]
        hidden = lost if hidden is None else hidden | lost
    return hidden if hidden is not None and hidden.any() else None


def _without_closure(upper: UpperBody, hidden: Mask, *, vendor: bool) -> UpperBody:
    """Return the body with the values that depend on the hips unknown in some frames."""
    keep = np.where(hidden, np.nan, 1.0)[:, None]

    def kept_values(values: Array | None) -> Array | None:
        return None if values is None else values * keep

    joints = upper.joints
    if vendor:
        joints = {
            name: replace(joint, published=joint.published & ~hidden)
            if name in ("waist", "neck")
            else joint
            for name, joint in joints.items()
        }
    return replace(
        upper,
        joints=joints,
        closure_force_G=kept_values(upper.closure_force_G),
        closure_moment_G=kept_values(upper.closure_moment_G),
    )
