"""The static trial: offsets of the feet, lengths of the segments, place of the foot's mass."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.calibrate.anthropometry import SegmentTable, foot_centre_of_mass
from gaitdyn.calibrate.joint_centres import chord, hip_centre, hip_offset_P, pelvis_frame
from gaitdyn.calibrate.markers import LETTER, sacrum
from gaitdyn.calibrate.segments import corrected_foot, foot_frame, foot_offsets, limb_frame
from gaitdyn.core.runs import complete_rows
from gaitdyn.errors import StaticRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Calibration, LegPose, Pose
from gaitdyn.types.subject import SIDES, Side, Subject
from gaitdyn.types.trial import Trial


@dataclass(frozen=True, slots=True, eq=False)
class Skeleton:
    """Joint centres and axes before the foot is corrected."""

    R_GP: Array
    origin_G: Array
    legs: dict[str, tuple[Array, Array, Array, Array, Array, Array]]
    """Side -> (hip, knee, ankle, R thigh, R shank, R uncorrected foot)."""


def build_skeleton(
    trial: Trial, subject: Subject, inter_asis_m: float, sides: list[str]
) -> Skeleton:
    """Return joint centres and segment axes of the sides that have their markers.

    Parameters
    ----------
    trial : Trial
    subject : Subject
        With leg lengths, joint widths and marker diameter.
    inter_asis_m : float
    sides : list of {"left", "right"}
    """
    R_GP, origin = pelvis_frame(trial.marker("LASI"), trial.marker("RASI"), sacrum(trial))
    diameter = subject.marker_diameter_m or 0.0
    legs = {}
    for side in sides:
        letter, leg = LETTER[side], subject.leg(side)

        def marker(name: str, letter: str = letter) -> Array:
            return trial.marker(letter + name)

        reach = [((w or np.nan) + diameter) / 2 for w in (leg.knee_width_m, leg.ankle_width_m)]
        hip = hip_centre(R_GP, origin, hip_offset_P(subject, side, inter_asis_m, diameter))
        knee = chord(hip, marker("KNE"), marker("THI"), reach[0])
        ankle = chord(knee, marker("ANK"), marker("TIB"), reach[1])
        thigh = limb_frame(hip, knee, marker("KNE"), side)
        shank = limb_frame(knee, ankle, marker("ANK"), side)
        legs[side] = (hip, knee, ankle, thigh, shank, foot_frame(ankle, marker("TOE"), shank))
    return Skeleton(R_GP, origin, legs)


def inter_asis_distance(trial: Trial) -> float:
    """Return the mean distance of the ASIS markers, m."""
    return float(np.nanmean(np.linalg.norm(trial.marker("LASI") - trial.marker("RASI"), axis=1)))


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
        The sole is level: the heel marker is brought to the height of the toe marker.
    """
    heel, toe = static.marker(LETTER[side] + "HEE"), static.marker(LETTER[side] + "TOE")
    if flat:
        heel = np.stack((heel[:, 0], toe[:, 1], heel[:, 2]), axis=1)
    shank, foot = skeleton.legs[side][4:6]
    offsets = foot_offsets(foot, foot_frame(heel, toe, shank), side)
    offsets = offsets[complete_rows(offsets)]
    if not len(offsets):
        message = (
            f"{static.recording.name} is no static of the {side} leg: in no frame are all its"
            " markers seen; name another with --static"
        )
        raise StaticRefused(message)
    return float(offsets[:, 0].mean()), float(offsets[:, 1].mean())


def calibrate(
    static: Trial,
    subject: Subject,
    sides: list[str],
    stored: dict[str, tuple[float, float]],
    table: SegmentTable,
    *,
    flat: bool | None = None,
) -> Calibration:
    """Return what the static says about the model of this person.

    Whether the sole was level in the static is an option of the laboratory's software that files
    do not keep; the offsets stored in them tell: the variant nearest to the stored plantar
    flexion is taken. Without stored offsets the heel marker is used where it is.

    Parameters
    ----------
    static : Trial
        Markers as recorded; frames with a gap are left out.
    subject : Subject
    sides : list of {"left", "right"}
    stored : dict
        Side -> offsets that a file stores, rad; only used to tell a level sole.
    table : SegmentTable
    flat : bool, optional
        Whether the soles were level; asks ``stored`` when not given.

    Returns
    -------
    Calibration
    """
    inter_asis = subject.inter_asis_m or inter_asis_distance(static)
    skeleton = build_skeleton(static, subject, inter_asis, sides)
    offsets, level, lengths, cm = {}, {}, {}, {}
    for side in sides:
        variants = {f: static_offsets(static, skeleton, side, flat=f) for f in (False, True)}
        level[side] = flat if flat is not None else _nearer_when_flat(variants, stored.get(side))
        offsets[side] = variants[level[side]]
        lengths[side], cm[side] = leg_dimensions(static, skeleton, side, offsets[side], table)
    return Calibration(
        foot_offsets=offsets,
        inter_asis_m=inter_asis,
        diameter_m=subject.marker_diameter_m or 0.0,
        lengths_m=lengths,
        foot_cm_F=cm,
        flat_foot=level,
    )


def _nearer_when_flat(
    variants: dict[bool, tuple[float, float]], stored: tuple[float, float] | None
) -> bool:
    """Return whether the stored plantar flexion is nearer to that of a level sole."""
    if stored is None:
        return False
    return abs(variants[True][0] - stored[0]) < abs(variants[False][0] - stored[0])


def leg_dimensions(
    trial: Trial, skeleton: Skeleton, side: str, offsets: tuple[float, float], table: SegmentTable
) -> tuple[tuple[float, float, float], Array]:
    """Return (foot, shank, thigh) lengths and the foot's centre of mass in its own axes, m.

    The foot from the lateral malleolus (ANK) to the toe marker, shank and thigh between joint
    centres; means over the trial.
    """
    hip, knee, ankle, _, _, uncorrected = skeleton.legs[side]
    malleolus, toe = trial.marker(LETTER[side] + "ANK"), trial.marker(LETTER[side] + "TOE")
    R_GF = corrected_foot(uncorrected, offsets, side)
    along = table.row("foot").cm_along

    def mean_length(a: Array, b: Array) -> float:
        return float(np.nanmean(np.linalg.norm(a - b, axis=1)))

    lengths = (mean_length(malleolus, toe), mean_length(ankle, knee), mean_length(knee, hip))
    return lengths, foot_centre_of_mass(R_GF, ankle, malleolus, toe, along)


def pose_of(trial: Trial, skeleton: Skeleton, calibration: Calibration, walking_G: Array) -> Pose:
    """Return the pose of pelvis and legs; a leg without markers is NaN.

    Parameters
    ----------
    trial : Trial
    skeleton : Skeleton
        Of the same trial.
    calibration : Calibration
    walking_G : array, shape (3,)
    """
    n = len(trial.markers_G)

    def leg(side: Side) -> LegPose:
        if side not in skeleton.legs:
            return LegPose(side, np.full((n, 3, 3, 3), np.nan), np.full((n, 3, 3), np.nan))
        hip, knee, ankle, thigh, shank, uncorrected = skeleton.legs[side]
        foot = corrected_foot(uncorrected, calibration.foot_offsets[side], side)
        return LegPose(
            side, np.stack((foot, shank, thigh), axis=1), np.stack((ankle, knee, hip), axis=1)
        )

    left, right = (leg(side) for side in SIDES)
    return Pose(skeleton.R_GP, skeleton.origin_G, left, right, walking_G)
