"""The static trial: foot offsets, segment lengths, centre of mass of the foot."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.calibrate.body.anthropometry import segment_dimensions
from gaitdyn.calibrate.body.segment_tables import SegmentTable
from gaitdyn.calibrate.hip_choice import hip_offsets_P, pelvis_depth
from gaitdyn.calibrate.ladder.usual_foot import usual_heel
from gaitdyn.calibrate.plug_in_gait.leg_offsets import (
    axis_offsets,
    functional_rotation,
    static_offsets,
)
from gaitdyn.calibrate.plug_in_gait.markers import inter_asis_distance
from gaitdyn.calibrate.plug_in_gait.segments import corrected_foot
from gaitdyn.calibrate.plug_in_gait.skeleton import (
    Skeleton,
    SkeletonLeg,
    build_static_skeleton,
)
from gaitdyn.core.rotations import rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import Calibration, LegOffsets, LegPose, Pose, unknown_leg
from gaitdyn.types.subject import LETTER, SIDES, Side, Subject
from gaitdyn.types.trial import Trial

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.functional import FunctionalFit

    Placed = tuple[Mapping[str, Array], Mapping[str, FunctionalFit]]
    """Hip centres and knee axes of functional trials."""


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
