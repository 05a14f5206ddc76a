"""From a body-segment table to the masses, centres of mass and inertia of one person's leg."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.calibrate.segment_tables import (
    MEASURABLE,
    SegmentRow,
    SegmentTable,
    segment_inertia,
)
from gaitdyn.core.rotations import lengths, rotate_back
from gaitdyn.core.runs import known_mean
from gaitdyn.errors import UsageError
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import SEGMENTS, Calibration, LegBody, LegPose
from gaitdyn.types.subject import SIGN


def _measured(table: SegmentTable, segment: str, sex: str) -> SegmentRow:
    """Return the row of a segment; refuse one whose length the markers do not show."""
    row = table.row(segment, sex)
    if row.ends not in MEASURABLE[segment]:
        raise UsageError(
            f"the table {table.name} takes the {segment} from {row.proximal} to {row.distal}, which"
            f" the markers do not show; wanted {' or '.join(map('-'.join, MEASURABLE[segment]))}"
        )
    return row


def centre_from_joint(row: SegmentRow, length_m: float, side: str) -> Array:
    """Return the centre of mass of a row with ``cm_axes``, shape (3,), segment axes, m.

    From the segment's proximal joint centre; z points outward on the right as on the left.
    """
    x, y, z = row.cm_axes or (math.nan, math.nan, math.nan)
    return length_m * np.array([x, y, -SIGN[side] * z])


def leg_body(
    pose: LegPose, calibration: Calibration, table: SegmentTable, body_mass_kg: float, sex: str = ""
) -> LegBody:
    """Return the rigid segments of one leg: lengths and inertia from the static, constant.

    A centre of mass given in segment axes is a point of that rigid body: the segment's own markers
    carry it. One given along the segment lies between the joint centres of every frame.

    Parameters
    ----------
    pose : LegPose
    calibration : Calibration
        Lengths between the end points of the table and, for a table with ``cm_along``, the place
        of the foot's centre of mass.
    table : SegmentTable
    body_mass_kg : float
    sex : {"", "f", "m"}

    Returns
    -------
    LegBody

    Raises
    ------
    SexMissing
        When the table has rows by sex and this one is not known.
    UsageError
        When the markers do not show a length of the table.
    """
    rows = [_measured(table, name, sex) for name in SEGMENTS]
    long = calibration.lengths_m[pose.side]
    mass = np.array([row.mass_fraction for row in rows]) * body_mass_kg
    centres, inertia = [], []
    for i, row in enumerate(rows):
        joint = pose.r_prox_G[:, i]
        if row.cm_axes is not None:
            joint = _own_joint(pose, i)
            at = pose.R_GS[:, i] @ centre_from_joint(row, long[i], pose.side)
        elif i == 0:
            at = pose.R_GS[:, 0] @ calibration.foot_cm_F[pose.side]
        else:
            at = row.cm_along * (pose.r_prox_G[:, i - 1] - joint)
        centres.append(joint + at)
        inertia.append(segment_inertia(row, mass[i], long[i], pose.side))
    return LegBody(mass, np.stack(inertia), np.stack(centres, axis=1))


def _own_joint(pose: LegPose, i: int) -> Array:
    """Return the proximal centre of a segment as its own markers carry it, shape (n, 3), m."""
    joint = pose.r_prox_G[:, i]
    if pose.own_prox_G is None:
        return joint
    own = pose.own_prox_G[:, i]
    return np.where(np.isfinite(own), own, joint)


def segment_dimensions(
    table: SegmentTable, sex: str, points: dict[str, Array], R_GF: Array, side: str
) -> tuple[tuple[float, float, float], Array]:
    """Return (foot, shank, thigh) lengths and the foot's centre of mass in its own axes, m.

    Lengths between the end points of the table, means over the trial; where the model lacks them
    (the vendor's foot) between its own, and :func:`leg_body` refuses the row.

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

    The point ``cm_along`` between the table's end points in the static trial, held fixed in the
    foot from then on.
    """
    cm = proximal_G + cm_along * (distal_G - proximal_G)
    return known_mean(rotate_back(R_GF, cm - ankle_G))
