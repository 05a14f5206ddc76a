"""The columns of ``timeseries.csv`` under gaitdyn's names."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from gaitdyn.catalogue.keys import XYZ, Key
from gaitdyn.catalogue.methods import methods_of
from gaitdyn.core.rotations import rotate_back
from gaitdyn.kinematics.angles import ANGLES, progression_frame
from gaitdyn.kinematics.plane import ALONG_XY, only
from gaitdyn.quality.rules import findings_of
from gaitdyn.tables.column_words import column_words
from gaitdyn.tables.frame_words import SEGMENT_OF, axes_of, has_torsion
from gaitdyn.tables.moment_columns import leg_moments
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import LegKinetics, Processed

_MM = 1000.0
PLANES = ("sagittal", "frontal", "transverse")
_FRAMES = column_words("frame")
_PLANAR_FRAMES = column_words("planar frame")
_TURNED_FRAMES = column_words("turned frame")
_POSITIVE = column_words("positive")

_DEPENDS_ON = {
    "pelvis_angle": ("pelvis",),
    "hip_angle": ("pelvis", "hip", "knee"),
    "knee_angle": ("hip", "knee", "ankle"),
    "ankle_angle": ("knee", "ankle", "foot"),
    "foot_angle": ("ankle", "foot"),
    "hip_center": ("pelvis", "hip"),
    "knee_center": ("hip", "knee"),
    "ankle_center": ("knee", "ankle"),
    "ankle": ("ankle", "foot"),
    "knee": ("knee", "ankle"),
    "hip": ("hip", "knee"),
}
"""First words of a column -> joints and segments on whose rungs it depends."""


def run_curves(result: Processed) -> list[Curve]:
    """Return the curves of a trial with units, frames and positive directions.

    Returns
    -------
    list of Curve
        Those of :func:`leg_curves`, then those above the legs.
    """
    curves = leg_curves(result)
    if result.upper is not None:
        from gaitdyn.tables.upper_columns import upper_curves

        curves += upper_curves(result, result.upper)
    return marked(curves, result)


def leg_curves(result: Processed) -> list[Curve]:
    """Return the curves of both legs: angles and centres, then forces, moments and powers."""
    curves: list[Curve] = []
    for side in result.sides:
        curves += _angles(result, side) + _centres(result, side)
    for side in result.sides:
        curves += _ground(result, side)
        kinetics = result.sides[side].kinetics
        if kinetics is not None:
            curves += _loads(result, kinetics, side)
            curves += _powers(result, kinetics, side)
    return [
        Curve(c.name, c.values, c.unit, c.frame, c.positive, c.how, rung_text(result, c.name))
        for c in curves
    ]


def marked(curves: list[Curve], result: Processed) -> list[Curve]:
    """Return the curves; with ``publish_anyway`` and an error, each warns of impossible values."""
    if not result.options.publish_anyway:
        return curves
    errors = [finding for finding in findings_of(result) if finding.level == "error"]
    if not errors:
        return curves
    codes = ", ".join(sorted({finding.code for finding in errors}))
    warning = f"; PUBLISHED ANYWAY, IMPOSSIBLE BY: {codes}"
    return [replace(curve, how=curve.how + warning) for curve in curves]


def rung_text(result: Processed, name: str) -> str:
    """Return the rungs on which a column depends, as text; empty for a column without joints."""
    side, words = _dependencies(name)
    return result.once(f"rungs {side} {words}", lambda: _rungs(result, side, words))


@lru_cache(maxsize=1024)
def _dependencies(name: str) -> tuple[str, tuple[str, ...]]:
    """Return the side of a column, and the joints and segments on which it depends."""
    side, _, rest = name.partition("_")
    return side, next((parts for stem, parts in _DEPENDS_ON.items() if rest.startswith(stem)), ())


def _rungs(result: Processed, side: str, places: tuple[str, ...]) -> str:
    rungs = ((place, result.rung(side, place)) for place in places)
    return "; ".join(f"{place} {step.text}" for place, step in rungs if step is not None)


def _angles(result: Processed, side: str) -> list[Curve]:
    curves = []
    frames = _FRAMES | (_PLANAR_FRAMES if result.pose.planar else {})
    if has_torsion(result, side):
        frames |= _TURNED_FRAMES
    how = methods_of(result).angles
    unmeasured = f"not measured: {result.model} keeps it the same in all poses"
    for segment, words in ANGLES.items():
        angles = result.sides[side].angles[segment]
        for i, word in enumerate(words):
            if segment == "foot" and word != "progression":
                continue
            name = Key(side, segment, "angle", word).name
            positive = _POSITIVE.get(f"{segment}_{word}", word.replace("_", " "))
            fixed = (segment, i) in result.pose.leg(side).fixed
            source = unmeasured if fixed else how
            curves.append(Curve(name, angles[:, i], "deg", frames[segment], positive, source))
    return curves


def _centres(result: Processed, side: str) -> list[Curve]:
    curves, methods = [], methods_of(result)
    for joint in reversed(JOINTS):
        centre = result.pose.leg(side).r_prox_G[:, JOINTS.index(joint)] * _MM
        how = f"{methods.centre(side, joint)}, {methods.markers}"
        curves += along_axes(Key(side, joint, "center").name, centre, "mm", "G", how)
    return curves


def along_axes(
    stem: str, values: Array, unit: str, frame: str, how: str, rung: str = ""
) -> list[Curve]:
    """Return a vector as three curves, from ``stem_x`` to ``stem_z``.

    Parameters
    ----------
    stem : str
    values : array, shape (n, 3)
        Vector in ``unit`` and ``frame``.
    unit, frame, how, rung : str
        As in :class:`gaitdyn.types.curves.Curve`.
    """
    return [
        Curve(f"{stem}_{axis}", values[:, i], unit, frame, f"+{axis}", how, rung)
        for i, axis in enumerate(XYZ)
    ]


def _ground(result: Processed, side: str) -> list[Curve]:
    wrench = result.sides[side].wrench
    if wrench is None:
        return []
    methods = methods_of(result)
    walking = progression_frame(result.pose.walking_G)
    force = wrench.force_G @ walking
    frame = "walking axes: x along the walking direction, y up, z to the right"
    directions = ("forward", "up", "to the right")
    curves = [
        Curve(
            Key(side, "", "grf", axis).name, force[:, i], "N", frame, directions[i],
            methods.ground,
        )
        for i, axis in enumerate(XYZ)
    ]  # fmt: skip
    cop = wrench.cop_G * _MM
    curves += along_axes(Key(side, "", "cop").name, cop, "mm", "G", methods.pressure)
    how = f"moment about the vertical through the centre of pressure, on the foot, {methods.forces}"
    name, frame = f"{side}_free_moment", "G, about +y"
    return [*curves, Curve(name, wrench.free_moment, "N m", frame, "about up", how)]


def _loads(result: Processed, kinetics: LegKinetics, side: str) -> list[Curve]:
    force_S = rotate_back(kinetics.loads.chain.R_GS, kinetics.loads.force_G)
    if result.pose.planar:
        force_S = only(force_S, ALONG_XY)
    curves = []
    moments = leg_moments(result, kinetics, side)
    for i, joint in enumerate(JOINTS):
        curves += moments[i]
        hidden = np.where(kinetics.published[:, i], 1.0, np.nan)[:, None]
        frame = axes_of(result, side, SEGMENT_OF[joint])
        how = f"net force of the proximal on the distal segment, {methods_of(result).loads}"
        curves += along_axes(
            Key(side, joint, "force").name, force_S[:, i] * hidden, "N", frame, how
        )
    return curves


def _powers(result: Processed, kinetics: LegKinetics, side: str) -> list[Curve]:
    published = np.where(kinetics.published, 1.0, np.nan)
    curves = []
    for i, joint in enumerate(JOINTS):
        power, hidden = kinetics.power[:, i], published[:, i]
        how = methods_of(result).powers
        frame = axes_of(result, side, SEGMENT_OF[joint])
        total: Array = power.sum(axis=1) * hidden
        curves.append(
            Curve(Key(side, joint, "power").name, total, "W", "scalar", "generation", how)
        )
        for j, plane in zip((2, 0, 1), PLANES, strict=True):
            name = Key(side, joint, "power", plane).name
            curves.append(Curve(name, power[:, j] * hidden, "W", frame, "generation", how))
    return curves
