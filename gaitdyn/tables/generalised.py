"""The columns of ``generalised.csv`` and ``induced.csv``."""

from __future__ import annotations

import numpy as np

from gaitdyn.catalogue.keys import XYZ
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.stages.mechanism import PARTS, Mechanism, shown_rows
from gaitdyn.tables.column_words import column_words
from gaitdyn.tables.columns import along_axes
from gaitdyn.tables.moment_columns import part_curves
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.generalised import INDUCED_WORDS, OTHER_SOURCES, PART_WORDS, InducedAcceleration
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import OTHER

_EQUATIONS = column_words("part of equations")
_HOW = {word: f"generalised coordinates: {how}" for word, how in _EQUATIONS.items()}
_SOURCES = column_words("source of acceleration")
_WALKING = "walking axes: x along the walking direction, y up, z to the right"


def generalised_curves(result: Processed, mechanism: Mechanism) -> list[Curve]:
    """Return M, C, G and E of every joint moment, and the residual wrench at the pelvis.

    Names, axes and convention are those of the moments in ``timeseries.csv``, followed by the part:
    ``left_knee_moment_extension_m``.
    """
    curves: list[Curve] = []
    for side, parts in mechanism.joints.items():
        kinetics = result.sides[side].kinetics
        assert kinetics is not None  # noqa: S101  the mechanism was built from it
        by_word = {word: parts[part] for word, part in zip(PART_WORDS, PARTS, strict=True)}
        curves += part_curves(result, kinetics, side, by_word, _HOW)
    return curves + _residual_curves(result, mechanism)


def _residual_curves(result: Processed, mechanism: Mechanism) -> list[Curve]:
    if mechanism.residual is None:
        return []
    hidden = np.where(shown_rows(result), 1.0, np.nan)[:, None]
    force = (mechanism.residual[:, :3] @ progression_frame(result.pose.walking_G)) * hidden
    moment = mechanism.residual[:, 3:] * hidden
    kinds = (
        ("force", force, "N", _WALKING, "in no joint: mass times acceleration less all forces"),
        ("moment", moment, "N m", "pelvis axes", "the same, about the middle of the hip centres"),
    )
    return [
        curve
        for kind, values, unit, frame, how in kinds
        for curve in along_axes(f"pelvis_residual_{kind}", values, unit, frame, how)
    ]


def induced_curves(result: Processed, induced: InducedAcceleration) -> list[Curve]:
    """Return the acceleration of the body's centre of mass by source, relative to each side."""
    walking = progression_frame(result.pose.walking_G)
    hidden = np.where(shown_rows(result), 1.0, np.nan)[:, None]
    curves: list[Curve] = []
    for side in result.sides:
        parts = _of_side(induced.a_com_G, side)
        for i, axis in enumerate(XYZ):
            for word in INDUCED_WORDS:
                values = (parts[word] @ walking) * hidden
                name = f"{side}_com_acceleration_{axis}_{word}"
                how = f"acceleration of the body's centre of mass that comes from {_SOURCES[word]}"
                curves.append(Curve(name, values[:, i], "m/s2", _WALKING, f"+{axis}", how))
    return curves


def _of_side(sources: dict[str, Array], side: str) -> dict[str, Array]:
    this_leg = {joint: sources[f"{side}_{joint}"] for joint in JOINTS}
    first, *others = (sources[f"{OTHER[side]}_{joint}"] for joint in JOINTS)
    other_leg = sum(others, first)
    other_sources = {word: sources[word] for word in OTHER_SOURCES}
    return {**this_leg, "other_leg": other_leg, **other_sources}
