"""Offsets of a leg of the vendor's model: of the foot, and of the axes of knee and ankle."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import chord, wand_angle
from gaitdyn.calibrate.plug_in_gait.segments import foot_frame, foot_offsets
from gaitdyn.calibrate.plug_in_gait.skeleton import (
    Skeleton,
    SkeletonLeg,
    half_widths,
    has_alignment_device,
    lateral_knee,
    medial_knee,
    pelvis_and_hips,
)
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.errors import StaticRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.subject import LETTER, SIGN, Subject
from gaitdyn.types.trial import Trial

if TYPE_CHECKING:
    from gaitdyn.types.functional import FunctionalFit


def static_offsets(
    static: Trial, skeleton: Skeleton, side: str, *, flat: bool
) -> tuple[float, float]:
    """Return the foot offsets of one side, means over the frames without a gap, rad.

    Parameters
    ----------
    static : Trial
    skeleton : Skeleton
        Of the static.
    side : {"left", "right"}
    flat : bool
        The sole is level: the heel marker is moved to the height of the toe marker.
    """
    heel, toe = static.marker(LETTER[side] + "HEE"), static.marker(LETTER[side] + "TOE")
    if flat:
        heel = np.stack((heel[:, 0], toe[:, 1], heel[:, 2]), axis=1)
    leg = skeleton.legs[side]
    reference = foot_frame(heel, toe, leg.R_shank_distal[..., 2])
    offsets = foot_offsets(leg.R_foot, reference, side)
    offsets = offsets[complete_rows(offsets)]
    if not len(offsets):
        raise StaticRefused(
            f"{static.recording.name} is not a static of the {side} leg: in no frame are all its"
            " markers seen; name another with --static"
        )
    return float(offsets[:, 0].mean()), float(offsets[:, 1].mean())


def walking_offsets(
    trial: Trial, skeleton: Skeleton, side: str, before: LegOffsets
) -> tuple[LegOffsets, float]:
    """Return the foot offsets of a walk without a static, means over stance, and their spread.

    The reference foot is the line from heel to toe with the axis of the shank, as in a static.

    Parameters
    ----------
    trial : Trial
    skeleton : Skeleton
        Of the trial.
    side : {"left", "right"}
    before : LegOffsets
        Those of thigh, shank and ankle are kept.

    Returns
    -------
    offsets : LegOffsets
        rad.
    spread : float
        Largest standard deviation over the stance, deg.
    """
    heel, toe = trial.marker(LETTER[side] + "HEE"), trial.marker(LETTER[side] + "TOE")
    leg = skeleton.legs[side]
    offsets = foot_offsets(leg.R_foot, foot_frame(heel, toe, leg.R_shank[..., 2]), side)
    with np.errstate(invalid="ignore"):
        low = complete_rows(offsets) & (heel[:, 1] <= known_median(heel[:, 1]))
    rows = offsets[low] if low.any() else offsets[complete_rows(offsets)]
    if not len(rows):
        return before, 0.0
    plantar, rotation = (float(value) for value in rows.mean(axis=0))
    spread = float(np.degrees(rows.std(axis=0).max()))
    return replace(before, static_plantar_flexion=plantar, static_rotation=rotation), spread


def functional_rotation(
    trial: Trial, subject: Subject, side: str, hip_P: Array, fit: FunctionalFit
) -> float:
    """Return the thigh rotation that turns the knee onto a functional axis, mean, rad.

    Like an alignment device, the axis through the lateral marker gives the knee centre
    (:func:`chord`), and the thigh rotation is the angle of the wand in that leg.

    Parameters
    ----------
    trial : Trial
        The static, or the walk.
    subject : Subject
    side : {"left", "right"}
    hip_P : array, shape (3,)
        Hip centre in pelvis axes, m.
    fit : FunctionalFit
    """
    from gaitdyn.calibrate.functional_carried import axis_in

    R_GP, _, hips = pelvis_and_hips(trial, {side: hip_P})
    outward = -SIGN[side] * R_GP[..., 2]
    places = {label: trial.marker(label) for label in trial.labels}
    _, axis = axis_in(fit, places, outward, trial.recording.name)
    lateral, wand = lateral_knee(trial, side), trial.marker(LETTER[side] + "THI")
    knee = chord(hips[side], lateral, lateral + axis, half_widths(subject, side)[0])
    return float(known_mean(wand_angle(hips[side], knee, lateral, wand, side)))


def axis_offsets(
    static: Trial, leg: SkeletonLeg, side: str, before: LegOffsets, *, known: bool
) -> LegOffsets:
    """Return the offsets of the knee and ankle axes, means over the static.

    Parameters
    ----------
    static : Trial
    leg : SkeletonLeg
        Of the static.
    side : {"left", "right"}
    before : LegOffsets
        Kept if the static, or the walk without one, shows neither alignment device nor medial
        markers.
    known : bool
        Whether its thigh rotation comes from a functional axis.

    Returns
    -------
    LegOffsets
        rad; the foot offsets are those of ``before``.
    """
    letter, labels = LETTER[side], static.labels
    offsets = before
    at_knee = has_alignment_device(labels, side) or medial_knee(labels, side) is not None
    if at_knee and not known:
        wand = static.marker(letter + "THI")
        angle = wand_angle(leg.hip, leg.knee, leg.lateral_knee, wand, side)
        offsets = _as_seen(offsets, thigh_rotation=angle)
    if letter + "MED" in labels:
        malleolus, tib = static.marker(letter + "ANK"), static.marker(letter + "TIB")
        wand = rotate_back(leg.R_shank_distal, tib - leg.ankle)
        shank = np.arctan2(-wand[:, 0], -SIGN[side] * wand[:, 2])
        outward = rotate_back(leg.R_shank_distal, unit(malleolus - leg.ankle))
        knee_axis = rotate_back(leg.R_shank_distal, -leg.R_thigh[..., 2])
        torsion = SIGN[side] * np.arctan2(-knee_axis[:, 0], -knee_axis[:, 2])
        abduction = np.arcsin(-outward[:, 1])
        offsets = _as_seen(
            offsets, shank_rotation=shank, ankle_abduction=abduction, tibial_torsion=torsion
        )
    return offsets


def _as_seen(offsets: LegOffsets, **seen: Array) -> LegOffsets:
    """Return offsets with the means of some courses, or as they are if no frame shows these."""
    means = {name: float(known_mean(course)) for name, course in seen.items()}
    return offsets if np.isnan(list(means.values())).any() else replace(offsets, **means)
