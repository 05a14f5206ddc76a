"""Joint centres and segment axes of the Plug-in Gait lower limb, frame by frame."""

from __future__ import annotations

from collections.abc import Container

import numpy as np

from gaitdyn.calibrate.plug_in_gait.joint_centres import (
    abducted_ankle,
    chord,
    condyle_of_device,
    hip_centre,
    pelvis_frame,
    turned_chord,
)
from gaitdyn.calibrate.plug_in_gait.markers import sacrum
from gaitdyn.calibrate.plug_in_gait.segments import foot_frame, limb_frame, shank_frames
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import LegOffsets
from gaitdyn.types.subject import LETTER, Subject
from gaitdyn.types.trial import Trial


@frozen(eq=False)
class SkeletonLeg:
    """Joint centres (n, 3) and axes (n, 3, 3) of one leg before the foot is corrected.

    ``R_shank`` has the knee axis, ``R_shank_distal`` the ankle axis; they differ by the tibial
    torsion. ``lateral_knee`` is the KNE marker, or its position from a knee alignment device.
    """

    hip: Array
    knee: Array
    ankle: Array
    R_thigh: Array
    R_shank: Array
    R_shank_distal: Array
    R_foot: Array
    lateral_knee: Array


@frozen(eq=False)
class Skeleton:
    """Pelvis axes and origin, and the legs that have their markers."""

    R_GP: Array
    origin_G: Array
    legs: dict[str, SkeletonLeg]


def half_widths(subject: Subject, side: str) -> tuple[float, float]:
    """Return the distances from marker to joint centre of knee and ankle, m."""
    leg = subject.leg(side)
    diameter = leg.marker_diameter_m or subject.marker_diameter_m or 0.0
    knee, ankle = ((w or np.nan) + diameter for w in (leg.knee_width_m, leg.ankle_width_m))
    return knee / 2, ankle / 2


def pelvis_and_hips(
    trial: Trial, hips_P: dict[str, Array]
) -> tuple[Array, Array, dict[str, Array]]:
    """Return pelvis axes, origin and the hip centre of each side."""
    R_GP, origin = pelvis_frame(trial.marker("LASI"), trial.marker("RASI"), sacrum(trial))
    hips = {side: hip_centre(R_GP, origin, offset) for side, offset in hips_P.items()}
    return R_GP, origin, hips


def build_skeleton(
    trial: Trial, subject: Subject, hips_P: dict[str, Array], offsets: dict[str, LegOffsets]
) -> Skeleton:
    """Return joint centres and segment axes of a moving trial.

    Parameters
    ----------
    trial : Trial
    subject : Subject
        With joint widths and marker diameter.
    hips_P : dict
        Side -> hip centre from the midpoint of the ASIS markers in pelvis axes, m.
    offsets : dict
        Side -> offsets from the static, for the sides that have their markers.
    """
    R_GP, origin, hips = pelvis_and_hips(trial, hips_P)
    legs = {side: _leg(trial, subject, side, hips[side], offsets[side]) for side in offsets}
    return Skeleton(R_GP, origin, legs)


def _leg(trial: Trial, subject: Subject, side: str, hip: Array, offsets: LegOffsets) -> SkeletonLeg:
    """Return one leg from THI, KNE, TIB, ANK and TOE."""
    thi, kne, tib, ank, toe = (
        trial.marker(LETTER[side] + name) for name in ("THI", "KNE", "TIB", "ANK", "TOE")
    )
    at_knee, at_ankle = half_widths(subject, side)
    knee = turned_chord((hip, kne, thi), at_knee, offsets.thigh_rotation, side)
    ankle = turned_chord((knee, ank, tib), at_ankle, offsets.shank_rotation, side)
    ankle = abducted_ankle(knee, ank, ankle, offsets.ankle_abduction)
    thigh = limb_frame(hip, knee, kne, side)
    distal, shank = shank_frames(knee, ankle, ank, side, offsets.tibial_torsion)
    return SkeletonLeg(
        hip, knee, ankle, thigh, shank, distal, foot_frame(ankle, toe, shank[..., 2]), kne
    )


def build_static_skeleton(
    static: Trial,
    subject: Subject,
    hips_P: dict[str, Array],
    offsets: dict[str, LegOffsets],
    turned: Container[str],
) -> Skeleton:
    """Return joint centres and axes of a static, from alignment device or medial markers if any.

    The knee axis comes from a knee alignment device (KAX, KD1, KD2) or a medial knee marker, the
    ankle axis from a medial malleolus marker. Without them the leg is built as in a moving trial.
    The foot follows the ankle axis.

    Parameters
    ----------
    static : Trial
    subject : Subject
    hips_P : dict
        Side -> hip centre from the midpoint of the ASIS markers in pelvis axes, m.
    offsets : dict
        Side -> offsets entered by hand, used without such markers.
    turned : container of str
        Sides whose thigh rotation is used for the knee even with such markers.
    """
    R_GP, origin, hips = pelvis_and_hips(static, hips_P)
    legs = {
        side: _static_leg(static, subject, (side, side in turned), hips[side], offsets[side])
        for side in offsets
    }
    return Skeleton(R_GP, origin, legs)


def _static_leg(
    static: Trial, subject: Subject, which: tuple[str, bool], hip: Array, offsets: LegOffsets
) -> SkeletonLeg:
    side, turned = which
    letter = LETTER[side]
    ank, toe = static.marker(letter + "ANK"), static.marker(letter + "TOE")
    at_knee, at_ankle = half_widths(subject, side)
    lateral = lateral_knee(static, side)
    if has_alignment_device(static.labels, side) and not turned:
        knee = chord(hip, lateral, static.marker(letter + "KAX"), at_knee)
    elif not turned and (medial := medial_knee(static.labels, side)):
        knee = chord(hip, lateral, 2 * lateral - static.marker(medial), at_knee)
    else:
        thi = static.marker(letter + "THI")
        knee = turned_chord((hip, lateral, thi), at_knee, offsets.thigh_rotation, side)
    torsion = 0.0
    if letter + "MED" in static.labels:
        inward = static.marker(letter + "MED") - ank
        ankle = ank + at_ankle * inward / np.linalg.norm(inward, axis=1, keepdims=True)
    else:
        tib = static.marker(letter + "TIB")
        ankle = turned_chord((knee, ank, tib), at_ankle, offsets.shank_rotation, side)
        ankle = abducted_ankle(knee, ank, ankle, offsets.ankle_abduction)
        torsion = offsets.tibial_torsion
    thigh = limb_frame(hip, knee, lateral, side)
    distal, shank = shank_frames(knee, ankle, ank, side, torsion)
    return SkeletonLeg(
        hip, knee, ankle, thigh, shank, distal, foot_frame(ankle, toe, distal[..., 2]), lateral
    )


def has_alignment_device(labels: tuple[str, ...], side: str) -> bool:
    """Return whether KAX, KD1 and KD2 are present; KAX alone belongs to another model."""
    letter = LETTER[side]
    return {letter + name for name in ("KAX", "KD1", "KD2")} <= set(labels)


def medial_knee(labels: tuple[str, ...], side: str) -> str | None:
    """Return the label of the medial knee marker, or None."""
    names = (LETTER[side] + name for name in ("KNEMED", "KNM"))
    return next((name for name in names if name in labels), None)


def lateral_knee(static: Trial, side: str) -> Array:
    """Return KNE, or its position from a knee alignment device, shape (n, 3)."""
    letter = LETTER[side]
    if not has_alignment_device(static.labels, side):
        return static.marker(letter + "KNE")
    kax, kd1, kd2 = (static.marker(letter + name) for name in ("KAX", "KD1", "KD2"))
    return condyle_of_device(kax, kd1, kd2, side)
