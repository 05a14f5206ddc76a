"""Knee and ankle centres by every rule for which a file has the markers, side by side.

"Width and wand" is the chord function of Plug-in Gait (Davis et al. 1991). "Width and medial
marker" is its variant if a medial marker shows the axis. The middle is that of both markers.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.calibrate.hip_regressions import PelvisMeasures, harrington
from gaitdyn.calibrate.plug_in_gait.joint_centres import (
    chord,
    hip_centre,
    hip_offset_P,
    pelvis_frame,
)
from gaitdyn.calibrate.plug_in_gait.markers import inter_asis_distance
from gaitdyn.calibrate.plug_in_gait.skeleton import half_widths, medial_knee
from gaitdyn.core.rotations import columns, cross, rotate_back, unit
from gaitdyn.core.runs import known_mean, known_points
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LETTER, Side, Subject

WAND, MEDIAL, MIDDLE = "width and wand", "width and medial marker", "middle of both markers"
_STORED = {"knee": ("KJC", "FEO"), "ankle": ("AJC", "TIO")}
"""Labels of stored centres: the joint's own, and the origin of the segment above it."""


@frozen()
class LimbCentre:
    """A joint centre by one rule.

    Attributes
    ----------
    joint : {"knee", "ankle"}
    rule : str
    place_mm : tuple of 3 floats
        From the lateral marker, forward, up, right, mm; NaN where a measurement is missing.
    """

    joint: str
    rule: str
    place_mm: tuple[float, float, float]


def compare_limb_centres(recording: Recording, side: Side, diameter_m: float) -> list[LimbCentre]:
    """Return the knee and ankle centres of a leg by every rule, means over the frames.

    The axes are those of the leg: up from the lateral marker of the ankle to that of the knee,
    right as close as possible to that of the pelvis. They move with the shank, so the mean exists
    in a walk too; in a static they are nearly those of the pelvis.

    Parameters
    ----------
    recording : Recording
        Markers under our names.
    side : {"left", "right"}
    diameter_m : float
        Marker diameter.

    Returns
    -------
    list of LimbCentre
        Empty if pelvis or lateral markers are not visible.
    """
    known = known_points(recording.markers_L)
    have = {label for i, label in enumerate(recording.labels) if known[:, i].any()}
    letter = LETTER[side]
    back = ["LPSI", "RPSI"] if {"LPSI", "RPSI"} <= have else ["SACR"]
    knee_marker, ankle_marker = letter + "KNE", letter + "ANK"
    if not {"LASI", "RASI", *back, knee_marker, ankle_marker} <= have:
        return []
    behind = np.mean([recording.marker(label) for label in back], axis=0)
    R_LP, origin = pelvis_frame(recording.marker("LASI"), recording.marker("RASI"), behind)
    lateral = {"knee": recording.marker(knee_marker), "ankle": recording.marker(ankle_marker)}
    y = unit(lateral["knee"] - lateral["ankle"])
    x = unit(cross(y, R_LP[..., 2]))
    R_LS = columns(x, y, cross(x, y))
    subject = replace(recording.subject, marker_diameter_m=diameter_m)
    hip = _hip(recording, subject, side, (R_LP, origin, behind), have)
    centres: list[LimbCentre] = []
    for joint, points in _centres(recording, subject, side, (hip, lateral), have):
        for rule, centre in points.items():
            offset = 1000.0 * known_mean(rotate_back(R_LS, centre - lateral[joint]))
            forward, up, right = (float(value) for value in offset)
            centres.append(LimbCentre(joint, rule, (forward, up, right)))
    return centres


def _hip(
    recording: Recording,
    subject: Subject,
    side: Side,
    pelvis: tuple[Array, Array, Array],
    have: set[str],
) -> Array:
    """Return the hip centre: the stored one, else Davis, or Harrington without leg lengths."""
    R_LP, origin, behind = pelvis
    if LETTER[side] + "HJC" in have:
        return recording.marker(LETTER[side] + "HJC")
    width = inter_asis_distance(recording)
    diameter = subject.marker_diameter_m or 0.0
    offset = hip_offset_P(subject, side, width, diameter)
    if not np.isfinite(offset).all():
        depth = float(known_mean(np.linalg.norm(origin - behind, axis=1)))
        offset = harrington(PelvisMeasures(width, depth, np.nan, diameter), side)
    return hip_centre(R_LP, origin, offset)


def _centres(
    recording: Recording,
    subject: Subject,
    side: Side,
    known: tuple[Array, dict[str, Array]],
    have: set[str],
) -> list[tuple[str, dict[str, Array]]]:
    """Return the centres of knee and ankle by each rule, in the axes of the file."""
    above, lateral = known
    letter, centres = LETTER[side], []
    wands = {"knee": letter + "THI", "ankle": letter + "TIB"}
    medials = {"knee": medial_knee(tuple(have), side), "ankle": letter + "MED"}
    for joint, distance in zip(("knee", "ankle"), half_widths(subject, side), strict=True):
        outside, medial = lateral[joint], medials[joint]
        points: dict[str, Array] = {}
        if wands[joint] in have:
            points[WAND] = chord(above, outside, recording.marker(wands[joint]), distance)
        if medial in have:
            inside = recording.marker(medial)
            points[MEDIAL] = (
                chord(above, outside, 2 * outside - inside, distance)
                if joint == "knee"
                else outside + distance * unit(inside - outside)
            )
            points[MIDDLE] = 0.5 * (outside + inside)
        for name in _STORED[joint]:
            if letter + name in have:
                points[f"stored as {letter}{name}"] = recording.marker(letter + name)
        centres.append((joint, points))
        above = next(
            (point for point in points.values() if np.isfinite(point).any()), np.nan * outside
        )
    return centres
