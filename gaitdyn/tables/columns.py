"""The columns of ``timeseries.csv`` under gaitdyn's own names."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import rotate_back
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE, clinical_moments, moments_in
from gaitdyn.kinematics.angles import ANGLES, progression_frame
from gaitdyn.kinematics.plane import ALONG_XY, only
from gaitdyn.types.curves import Curve
from gaitdyn.types.motion import JOINTS

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import LegKinetics, Result

_MM = 1000.0
_XYZ = ("x", "y", "z")
_SEGMENT_OF = {"ankle": "foot", "knee": "shank", "hip": "thigh"}
_ABOVE = {"ankle": "shank", "knee": "thigh", "hip": "pelvis"}
_PLANES = ("sagittal", "frontal", "transverse")
_FRAMES = {
    "pelvis": "walking axes (x along the walking direction, y up) to pelvis, Cardan z-x-y",
    "hip": "pelvis to thigh, Cardan z-x-y",
    "knee": "thigh to shank, Cardan z-x-y",
    "ankle": "shank to foot, Cardan z-y-x",
    "foot": "walking axes to foot, Cardan z-y-x",
}
_PLANAR_FRAMES = {
    "pelvis": "not known, no pelvis markers",
    "hip": "trunk line (shoulder to trochanter), in place of the pelvis, to thigh line",
    "knee": "thigh line to shank line",
    "ankle": "shank line to the line from heel to toe, zero where they are square",
    "foot": "not known, one plane",
}
_POSITIVE = {
    "pelvis_tilt": "anterior tilt (top forward)",
    "pelvis_obliquity": "this side up",
    "pelvis_rotation": "this side forward",
    "foot_progression": "toe-in",
}


def own_curves(result: Result) -> list[Curve]:
    """Return the curves of a trial with units, frames and positive directions.

    Parameters
    ----------
    result : Result

    Returns
    -------
    list of Curve
        Angles and centres of both sides first, then forces, moments and powers.
    """
    curves: list[Curve] = []
    for side in result.sides:
        curves += _angles(result, side) + _centres(result, side)
    for side in result.sides:
        curves += _ground(result, side)
        kinetics = result.sides[side].kinetics
        if kinetics is not None:
            curves += _loads(result, kinetics, side)
            curves += _powers(kinetics, side)
    return marked(curves, result)


def marked(curves: list[Curve], result: Result) -> list[Curve]:
    """Return the curves; with ``publish_anyway`` and an error, each says that it may be impossible.

    Parameters
    ----------
    curves : list of Curve
    result : Result
    """
    wrong = [finding for finding in result.findings if finding.level == "error"]
    if not result.options.publish_anyway or not wrong:
        return curves
    codes = ", ".join(sorted({finding.code for finding in wrong}))
    said = f"; PUBLISHED ALL THE SAME, IMPOSSIBLE BY: {codes}"
    return [replace(curve, how=curve.how + said) for curve in curves]


def _angles(result: Result, side: str) -> list[Curve]:
    curves = []
    planar = result.pose.planar
    frames = _FRAMES | _PLANAR_FRAMES if planar else _FRAMES
    how = "Cardan angle of joint-centre based segment axes, filtered markers"
    if planar:
        how = "angle of two lines of markers in the sagittal plane, filtered markers"
    for segment, words in ANGLES.items():
        angles = result.sides[side].angles[segment]
        for i, word in enumerate(words):
            if segment == "foot" and word != "progression":
                continue
            name = f"{side}_{segment}_angle_{word}"
            positive = _POSITIVE.get(f"{segment}_{word}", word.replace("_", " "))
            curves.append(Curve(name, angles[:, i], "deg", frames[segment], positive, how))
    return curves


def _centres(result: Result, side: str) -> list[Curve]:
    how = {
        "hip": "Davis regression from the pelvis markers",
        "knee": "chord function from hip centre, KNE and THI",
        "ankle": "chord function from knee centre, ANK and TIB",
    }
    if result.pose.planar:
        how = dict.fromkeys(JOINTS, "the lateral marker stands for the joint centre")
    curves = []
    for joint in reversed(JOINTS):
        centre = result.pose.leg(side).r_prox_G[:, JOINTS.index(joint)] * _MM
        for i, axis in enumerate(_XYZ):
            name = f"{side}_{joint}_center_{axis}"
            curves.append(Curve(name, centre[:, i], "mm", "G", f"+{axis}", how[joint]))
    return curves


def _ground(result: Result, side: str) -> list[Curve]:
    wrench = result.sides[side].wrench
    if wrench is None:
        return []
    walking = progression_frame(result.pose.walking_G)
    force = wrench.force_G @ walking
    frame = "walking axes: x along the walking direction, y up, z to the right"
    ways = ("forward", "up", "to the right")
    curves = [
        Curve(
            f"{side}_grf_{axis}", force[:, i], "N", frame, ways[i],
            "force of the ground on the foot, sum of its plates",
        )
        for i, axis in enumerate(_XYZ)
    ]  # fmt: skip
    how = "centre of pressure on the plate's surface, above max(50 N, 5 % of body weight)"
    curves += [
        Curve(f"{side}_cop_{axis}", wrench.cop_G[:, i] * _MM, "mm", "G", f"+{axis}", how)
        for i, axis in enumerate(_XYZ)
    ]
    how = "moment about the vertical through the centre of pressure, on the foot"
    free = Curve(f"{side}_free_moment", wrench.free_moment, "N m", "G, about +y", "about up", how)
    return [*curves, free]


def moment_curves(result: Result) -> list[Curve]:
    """Return the joint moments of both sides, in the axes and the convention of the options."""
    return [
        curve
        for side, found in result.sides.items()
        if found.kinetics is not None
        for curves in leg_moments(result, found.kinetics, side)
        for curve in curves
    ]


def _loads(result: Result, kinetics: LegKinetics, side: str) -> list[Curve]:
    force_S = rotate_back(kinetics.loads.chain.R_GS, kinetics.loads.force_G)
    if result.pose.planar:
        force_S = only(force_S, ALONG_XY)
    curves = []
    moments = leg_moments(result, kinetics, side)
    for i, joint in enumerate(JOINTS):
        curves += moments[i]
        hidden = np.where(kinetics.published[:, i], 1.0, np.nan)
        for j, axis in enumerate(_XYZ):
            curves.append(
                Curve(
                    f"{side}_{joint}_force_{axis}",
                    force_S[:, i, j] * hidden,
                    "N",
                    f"{_SEGMENT_OF[joint]} axes",
                    f"+{axis}",
                    "net force of the proximal on the distal segment",
                )
            )
    return curves


def leg_moments(result: Result, kinetics: LegKinetics, side: str) -> list[list[Curve]]:
    """Return the moments of one leg, a list for each joint.

    Parameters
    ----------
    result : Result
    kinetics : LegKinetics
    side : {"left", "right"}
    """
    options = result.options
    published = np.where(kinetics.published, 1.0, np.nan)
    external = options.convention == "external"
    moments = moments_in(kinetics.loads, result.pose, side, options.moments_in)
    found = []
    for i, joint in enumerate(JOINTS):
        how = (
            f"{options.convention} net moment at the {joint} centre, stacked Newton-Euler equations"
        )
        if options.moments_in == "lab":
            words, values = _XYZ, moments[:, i] * (-1.0 if external else 1.0)
        else:  # the opposite word takes the other sign: the numbers stay
            words, values = MOMENTS[joint], clinical_moments(moments[:, i], joint, side)
            words = tuple(OPPOSITE[word] for word in words) if external else words
        found.append(
            [
                Curve(
                    f"{side}_{joint}_moment_{word}",
                    value,
                    "N m",
                    _moment_frame(joint, options.moments_in),
                    word.replace("_", " ") if len(word) > 1 else f"+{word}",
                    how,
                )
                for word, value in zip(words, (values * published[:, i : i + 1]).T, strict=True)
            ]
        )
    return found


def _moment_frame(joint: str, axes: str) -> str:
    if axes == "lab":
        return "G"
    if axes.startswith("jcs"):
        kind = "projections on" if axes == "jcs" else "components along"
        around = f"{_ABOVE[joint]} flexion axis, {_SEGMENT_OF[joint]} long axis, floating axis"
        return f"{kind} the axes of the joint coordinate system ({around})"
    return f"{(_SEGMENT_OF if axes == 'distal' else _ABOVE)[joint]} axes"


def _powers(kinetics: LegKinetics, side: str) -> list[Curve]:
    published = np.where(kinetics.published, 1.0, np.nan)
    curves = []
    for i, joint in enumerate(JOINTS):
        power, hidden = kinetics.power[:, i], published[:, i]
        how = "moment times angular velocity of the distal against the proximal segment"
        frame = f"{_SEGMENT_OF[joint]} axes"
        total: Array = power.sum(axis=1) * hidden
        curves.append(Curve(f"{side}_{joint}_power", total, "W", "scalar", "generation", how))
        for j, plane in zip((2, 0, 1), _PLANES, strict=True):
            name = f"{side}_{joint}_power_{plane}"
            curves.append(Curve(name, power[:, j] * hidden, "W", frame, "generation", how))
    return curves
