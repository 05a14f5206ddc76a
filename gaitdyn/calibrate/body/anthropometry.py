"""Masses, centres of mass and inertia of one person's leg from a body-segment table."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.calibrate.body.segment_tables import SegmentRow, SegmentTable, segment_inertia
from gaitdyn.calibrate.body.table_files import MEASURABLE
from gaitdyn.core.rotations import lengths, rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.errors import UsageError
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import SEGMENTS, Calibration, LegBody, LegPose
from gaitdyn.types.subject import SIGN


def _measured(table: SegmentTable, segment: str, sex: str) -> SegmentRow:
    """Return the row of a segment; refuse it if the markers do not show its length."""
    row = table.row(segment, sex)
    if row.ends not in MEASURABLE[segment]:
        raise UsageError(
            f"the table {table.name} measures the {segment} from {row.proximal} to {row.distal},"
            " which the markers do not show; wanted"
            f" {' or '.join(map('-'.join, MEASURABLE[segment]))}; choose another table"
        )
    return row


def centre_from_joint(row: SegmentRow, length_m: float, side: str) -> Array:
    """Return the centre of mass of a row with ``cm_axes``, shape (3,), segment axes, m.

    It is measured from the proximal joint centre; z of the table points outward on both sides.
    """
    x, y, z = row.cm_axes or (math.nan, math.nan, math.nan)
    return length_m * np.array([x, y, -SIGN[side] * z])


def leg_body(
    pose: LegPose, calibration: Calibration, table: SegmentTable, body_mass_kg: float, sex: str = ""
) -> LegBody:
    """Return the rigid segments of one leg, with constant lengths and inertia from the static.

    A centre of mass given in segment axes is a point of the rigid segment, carried by its markers.
    One given along the segment lies between the joint centres of each frame.

    Parameters
    ----------
    pose : LegPose
    calibration : Calibration
        Lengths between the end points of the table and, for a table with ``cm_along``, the place
        of the foot's centre of mass.
    table : SegmentTable
    body_mass_kg : float
    sex : {"", "f", "m"}

    Raises
    ------
    SexMissing
        If the table has rows by sex and the sex is not known.
    UsageError
        If the markers do not show a length of the table.
    """
    rows = [_measured(table, name, sex) for name in SEGMENTS]
    lengths_m = calibration.lengths_m[pose.side]
    mass = np.array([row.mass_fraction for row in rows]) * body_mass_kg
    centres, inertia = [], []
    for i, row in enumerate(rows):
        joint = pose.r_prox_G[:, i]
        if row.cm_axes is not None:
            joint = _joint_of_segment(pose, i)
            offset = pose.R_GS[:, i] @ centre_from_joint(row, lengths_m[i], pose.side)
        elif i == 0:
            offset = pose.R_GS[:, 0] @ calibration.foot_cm_F[pose.side]
        else:
            offset = row.cm_along * (pose.r_prox_G[:, i - 1] - joint)
        centres.append(joint + offset)
        inertia.append(segment_inertia(row, mass[i], lengths_m[i], pose.side))
    return LegBody(mass, np.stack(inertia), np.stack(centres, axis=1))


def _joint_of_segment(pose: LegPose, i: int) -> Array:
    """Return the proximal centre of a segment, carried by its markers if known, shape (n, 3), m."""
    joint = pose.r_prox_G[:, i]
    if pose.own_prox_G is None:
        return joint
    carried = pose.own_prox_G[:, i]
    return np.where(np.isfinite(carried), carried, joint)


def segment_dimensions(
    table: SegmentTable, sex: str, points: dict[str, Array], R_GF: Array, side: str
) -> tuple[tuple[float, float, float], Array]:
    """Return (foot, shank, thigh) lengths and the centre of mass of the foot in foot axes, m.

    Lengths are those between the end points of the table, means over the trial. If the model lacks
    them (the vendor's foot), its own end points are used, and :func:`leg_body` refuses the row.

    Parameters
    ----------
    table : SegmentTable
    sex : {"", "f", "m"}
    points : dict
        ANK, HEE, TOE, ankle centre, knee centre, hip centre -> array, shape (n, 3), in G, m.
    R_GF : array, shape (n, 3, 3)
        Axes of the foot.
    side : {"left", "right"}
    """
    rows = [table.row(name, sex) for name in SEGMENTS]
    ends = [
        row.ends if row.ends in MEASURABLE[s] else MEASURABLE[s][0]
        for row, s in zip(rows, SEGMENTS, strict=True)
    ]
    foot, shank, thigh = (float(known_mean(lengths(points[a] - points[b]))) for a, b in ends)
    if rows[0].cm_axes is not None:
        return (foot, shank, thigh), centre_from_joint(rows[0], foot, side)
    heel, toe = (points[name] for name in ends[0])
    cm = foot_centre_of_mass(R_GF, points["ankle centre"], heel, toe, rows[0].cm_along)
    return (foot, shank, thigh), cm


def foot_centre_of_mass(
    R_GF: Array, ankle_G: Array, proximal_G: Array, distal_G: Array, cm_along: float
) -> Array:
    """Return the centre of mass of the foot from the ankle centre in foot axes, shape (3,), m.

    The point ``cm_along`` between the end points of the table in the static trial, fixed in the
    foot from then on.
    """
    cm = proximal_G + cm_along * (distal_G - proximal_G)
    return known_mean(rotate_back(R_GF, cm - ankle_G))
