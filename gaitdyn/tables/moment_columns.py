"""The columns of joint moments, and of their parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.catalogue.keys import XYZ, Key
from gaitdyn.catalogue.methods import methods_of
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE, clinical_moments, moments_in
from gaitdyn.tables.frame_words import moment_frame
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import LegKinetics, Processed


def moment_curves(result: Processed, axes: str | None = None) -> list[Curve]:
    """Return the joint moments of both sides, in the axes and the convention of the options.

    Parameters
    ----------
    result : Processed
    axes : str, optional
        Return internal moments in these axes, regardless of the options.
    """
    return [
        curve
        for side, leg in result.sides.items()
        if leg.kinetics is not None
        for curves in leg_moments(result, leg.kinetics, side, axes)
        for curve in curves
    ]


def part_curves(
    result: Processed, kinetics: LegKinetics, side: str, parts: dict[str, Array],
    how: dict[str, str],
) -> list[Curve]:  # fmt: skip
    """Return the parts of the moments of one leg, those of one moment after the other.

    Parameters
    ----------
    result : Processed
    kinetics : LegKinetics
    side : str
    parts : mapping
        End of the name -> part, shape (n, 3 joints, 3), N m, distal segment axes.
    how : mapping
        End of the name -> how the part was computed; ``{}`` stands for how the moment was.
    """
    by_part = []
    for word, moment_S in parts.items():
        part = replace(kinetics, loads=replace(kinetics.loads, moment_S=moment_S))
        moments = [curve for joint in leg_moments(result, part, side) for curve in joint]
        by_part.append(
            [replace(c, name=f"{c.name}_{word}", how=how[word].format(c.how)) for c in moments]
        )
    return [curve for curves in zip(*by_part, strict=True) for curve in curves]


def leg_moments(
    result: Processed, kinetics: LegKinetics, side: str, axes: str | None = None
) -> list[list[Curve]]:
    """Return the moments of one leg, a list for each joint.

    Parameters
    ----------
    result : Processed
    kinetics : LegKinetics
    side : {"left", "right"}
    axes : str, optional
        Return internal moments in these axes, regardless of the options.
    """
    convention = "internal" if axes else result.options.convention
    axes = axes or result.options.moments_in
    published = np.where(kinetics.published, 1.0, np.nan)
    external = convention == "external"
    moments = moments_in(kinetics.loads, result.pose, side, axes)
    curves_of_joints = []
    for i, joint in enumerate(JOINTS):
        how = f"{convention} net moment at the {joint} centre, {methods_of(result).loads}"
        if axes == "lab":
            words, values = XYZ, moments[:, i] * (-1.0 if external else 1.0)
        else:  # the opposite word implies the other sign: numbers stay the same
            words, values = MOMENTS[joint], clinical_moments(moments[:, i], joint, side)
            words = tuple(OPPOSITE[word] for word in words) if external else words
        curves_of_joints.append(
            [
                Curve(
                    Key(side, joint, "moment", word).name,
                    value,
                    "N m",
                    moment_frame(result, side, joint, axes),
                    word.replace("_", " ") if len(word) > 1 else f"+{word}",
                    how,
                )
                for word, value in zip(words, (values * published[:, i : i + 1]).T, strict=True)
            ]
        )
    return curves_of_joints
