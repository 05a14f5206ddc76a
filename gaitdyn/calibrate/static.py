"""The static trial: foot offsets, segment lengths, centre of mass of the foot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.anthropometry import segment_dimensions
from gaitdyn.calibrate.hip_choice import hip_offsets_P, pelvis_depth
from gaitdyn.calibrate.joint_centres import chord, wand_angle
from gaitdyn.calibrate.markers import inter_asis_distance
from gaitdyn.calibrate.segment_tables import SegmentTable
from gaitdyn.calibrate.segments import corrected_foot, foot_frame, foot_offsets
from gaitdyn.calibrate.skeleton import (
    Skeleton,
    SkeletonLeg,
    build_static_skeleton,
    half_widths,
    has_alignment_device,
    lateral_knee,
    medial_knee,
    pelvis_and_hips,
)
from gaitdyn.calibrate.usual_foot import usual_heel
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import rotate_back, unit
from gaitdyn.core.runs import complete_rows, known_mean
from gaitdyn.errors import StaticRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Calibration, LegOffsets, LegPose, Pose, unknown_leg
from gaitdyn.types.subject import LETTER, SIDES, SIGN, Side, Subject
from gaitdyn.types.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.functional import FunctionalFit

    Placed = tuple[Mapping[str, Array], Mapping[str, FunctionalFit]]
    """Hip centres and knee axes of functional trials."""


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


def calibrate(
    static: Trial,
    subject: Subject,
    stored: dict[str, LegOffsets],
    table: SegmentTable,
    *,
    flat: bool | None,
    hip: str,
    placed: Placed,
) -> Calibration:
    """Return the calibration of the model of this person from the static.

    Without heel markers in the static the feet keep the offsets of ``stored``.

    Whether the sole was level in the static is an option of the laboratory's software that files do
    not record. The variant nearest to the stored plantar flexion is used. Without stored offsets
    the heel marker is used where it is. Thigh and shank rotation, ankle abduction and tibial
    torsion are recomputed if an alignment device or medial markers show them. Otherwise the stored
    ones were entered by hand and are kept.

    Parameters
    ----------
    static : Trial
        Markers as recorded; frames with a gap are left out.
    subject : Subject
    stored : dict
        Side -> offsets stored in a file (zeros if it has none), for the sides to calibrate.
    table : SegmentTable
    flat : bool or None
        Whether the soles were level; derived from ``stored`` if None.
    hip : str
        Rule of the hip centres, see :func:`gaitdyn.calibrate.hip_choice.hip_offsets_P`.
    placed : tuple of 2 mappings
        From functional trials: side -> hip centre in pelvis axes, m; side -> knee axis.
    """
    inter_asis = subject.inter_asis_m or inter_asis_distance(static)
    hips_P = hip_offsets_P(hip, subject, inter_asis, pelvis_depth(static), stored)
    hips_P |= {side: hip_P for side, hip_P in placed[0].items() if side in stored}
    knee_fits = {side: fit for side, fit in placed[1].items() if side in stored}
    stored = stored | {
        side: replace(
            stored[side],
            thigh_rotation=functional_rotation(static, subject, side, hips_P[side], fit),
        )
        for side, fit in knee_fits.items()
    }
    skeleton = build_static_skeleton(static, subject, hips_P, stored, knee_fits)
    offsets, level, lengths, cm = {}, {}, {}, {}
    heels: dict[str, Array] = {}
    heel_toe: dict[str, float] = {}
    for side, before in stored.items():
        leg = skeleton.legs[side]
        offset = axis_offsets(static, leg, side, before, known=side in knee_fits)
        level[side] = False
        if LETTER[side] + "HEE" in static.labels:
            variants = {f: static_offsets(static, skeleton, side, flat=f) for f in (False, True)}
            level[side] = flat if flat is not None else _nearer_when_flat(variants, before)
            plantar, rotation = variants[level[side]]
            offset = replace(offset, static_plantar_flexion=plantar, static_rotation=rotation)
            heels[side], heel_toe[side] = _heel(static, leg, side, offset)
        offsets[side] = offset
        lengths[side], cm[side] = leg_dimensions(
            static, skeleton, side, offsets[side], table, subject.sex or ""
        )
    return Calibration(
        offsets=offsets,
        inter_asis_m=inter_asis,
        diameter_m=subject.marker_diameter_m or 0.0,
        lengths_m=lengths,
        foot_cm_F=cm,
        flat_foot=level,
        hips_P=hips_P,
        heel_F=heels,
        heel_toe_m=heel_toe,
    )


def _heel(static: Trial, leg: SkeletonLeg, side: str, offsets: LegOffsets) -> tuple[Array, float]:
    """Return the heel from the ankle centre in foot axes and its distance from the toe, m."""
    heel, toe = (static.marker(LETTER[side] + name) for name in ("HEE", "TOE"))
    R_GF = corrected_foot(leg.R_foot, offsets, side)
    length = float(known_mean(np.linalg.norm(heel - toe, axis=1)))
    return known_mean(rotate_back(R_GF, heel - leg.ankle)), length


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


def _nearer_when_flat(variants: dict[bool, tuple[float, float]], stored: LegOffsets) -> bool:
    """Return whether the stored plantar flexion is nearer to that of a level sole."""
    if stored.static_plantar_flexion == 0.0:
        return False
    off = {f: abs(pair[0] - stored.static_plantar_flexion) for f, pair in variants.items()}
    return off[True] < off[False]


def leg_dimensions(
    trial: Trial, skeleton: Skeleton, side: str, offsets: LegOffsets, table: SegmentTable, sex: str
) -> tuple[tuple[float, float, float], Array]:
    """Return (foot, shank, thigh) lengths and the centre of mass of the foot in foot axes, m.

    Lengths are those between the end points of the table, means over the trial.
    """
    leg = skeleton.legs[side]
    points = {name: trial.marker(LETTER[side] + name) for name in ("ANK", "TOE")}
    if LETTER[side] + "HEE" in trial.labels:
        points["HEE"] = trial.marker(LETTER[side] + "HEE")
    else:
        points["HEE"] = usual_heel(leg.ankle, points["TOE"], leg.R_shank[..., 2])
    points |= {"ankle centre": leg.ankle, "knee centre": leg.knee, "hip centre": leg.hip}
    return segment_dimensions(table, sex, points, corrected_foot(leg.R_foot, offsets, side), side)


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
        limb = skeleton.legs.get(side)
        if limb is None:
            return unknown_leg(side, n)
        offsets = calibration.offsets[side]
        foot = corrected_foot(limb.R_foot, offsets, side)
        turned = offsets.tibial_torsion != 0.0
        return LegPose(
            side,
            np.stack((foot, limb.R_shank, limb.R_thigh), axis=1),
            np.stack((limb.ankle, limb.knee, limb.hip), axis=1),
            limb.R_shank_distal if turned else None,
            "knee" if turned else "wand",
        )

    left, right = (leg(side) for side in SIDES)
    return Pose(skeleton.R_GP, skeleton.origin_G, left, right, walking_G)
