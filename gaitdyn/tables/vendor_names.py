"""The columns of ``--names pig``: the vendor's names, units and signs."""

from __future__ import annotations

import numpy as np

from gaitdyn.catalogue.methods import methods_of
from gaitdyn.core.rotations import rotate_back
from gaitdyn.dynamics.clinical import clinical_moments
from gaitdyn.kinematics.plane import ALONG_XY, only
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

ANGLES = {
    "Pelvis": ("pelvis", (1.0, 1.0, 1.0)),
    "Hip": ("hip", (1.0, 1.0, 1.0)),
    "Knee": ("knee", (1.0, 1.0, 1.0)),
    "Ankle": ("ankle", (1.0, -1.0, 1.0)),
}
"""Vendor's word -> our word, and the factors from our components to the vendor's."""

_MM = 1000.0


def vendor_curves(result: Processed) -> list[Curve]:
    """Return the curves of a trial under the vendor's names.

    Angles are in degrees, forces in N/kg, moments in N mm/kg and powers in W/kg. Joint centres, in
    mm, and ground reaction forces are in laboratory axes.
    """
    curves: list[Curve] = []
    for side in result.sides:
        curves += _angles(result, side) + _centres(result, side)
    for side in result.sides:
        curves += _kinetics(result, side)
    if result.upper is not None:
        from gaitdyn.tables.upper_vendor_names import upper_vendor_curves

        curves += upper_vendor_curves(result, result.upper)
    return curves


def vendor_vector(name: str, values: Array, unit: str, frame: str, how: str) -> list[Curve]:
    """Return an output of three components, shape (n, 3), under the vendor's name."""
    return [
        Curve(f"{name}_{i + 1}", values[:, i], unit, frame, "as in Plug-in Gait", how)
        for i in range(3)
    ]


def _angles(result: Processed, side: str) -> list[Curve]:
    letter, angles = LETTER[side], result.sides[side].angles
    curves = []
    for name, (key, signs) in ANGLES.items():
        values = angles[key] * signs
        how = f"Cardan YXZ, {methods_of(result).angles}"
        curves += vendor_vector(f"{letter}{name}Angles", values, "deg", "Cardan angles", how)
    foot = angles["foot"].copy()
    foot[:, 0] = -90.0 - foot[:, 0]
    name = f"{letter}FootProgressAngles"
    how = f"Cardan YXZ in walking axes, {methods_of(result).angles}"
    return curves + vendor_vector(name, foot, "deg", "Cardan angles", how)


def _centres(result: Processed, side: str) -> list[Curve]:
    letter, R_GL, methods = LETTER[side], result.trial.R_GL, methods_of(result)
    curves = []
    for i, joint in enumerate(("AJC", "KJC", "HJC")):
        centre = result.pose.leg(side).r_prox_G[:, i] @ R_GL * _MM
        how = f"{methods.centre(side, JOINTS[i])}, {methods.markers}"
        curves += vendor_vector(letter + joint, centre, "mm", "laboratory", how)
    return curves


def _kinetics(result: Processed, side: str) -> list[Curve]:
    letter, leg, mass = LETTER[side], result.sides[side], result.subject.mass_kg or np.nan
    methods = methods_of(result)
    curves = []
    if leg.wrench is not None:
        force = leg.wrench.force_G @ result.trial.R_GL / mass
        name = f"{letter}GroundReactionForce"
        curves += vendor_vector(name, force, "N/kg", "laboratory", methods.ground)
    if leg.kinetics is None:
        return curves
    published = np.where(leg.kinetics.published, 1.0, np.nan)
    loads = leg.kinetics.loads
    force_S = rotate_back(loads.chain.R_GS, loads.force_G)
    planar = result.pose.planar
    if planar:
        force_S = only(force_S, ALONG_XY)
    for i, joint in enumerate(JOINTS):
        frame, name = "distal segment", letter + joint.title()
        hidden = published[:, i : i + 1]
        force = vendor_force(force_S[:, i], joint) / mass * hidden
        moment = clinical_moments(loads.moment_S[:, i], joint, side) / mass * _MM * hidden
        power = np.full_like(moment, np.nan if planar else 0.0) * hidden
        power[:, 2] = (leg.kinetics.power[:, i].sum(axis=1) / mass) * hidden[:, 0]
        curves += vendor_vector(
            f"{name}Force", force, "N/kg", frame, f"proximal on distal, {methods.loads}"
        )
        curves += vendor_vector(
            f"{name}Moment", moment, "N mm/kg", frame, f"internal moment, {methods.loads}"
        )
        curves += vendor_vector(f"{name}Power", power, "W/kg", "scalar", methods.powers)
    return curves


def vendor_force(force_S: Array, joint: str) -> Array:
    """Return the vendor's components of a joint force given in our distal axes, shape (n, 3).

    The vendor's limb axes are x forward, y left, z up. Those of the foot are x up, y left, z back,
    with the signs of the first and third component of the ankle force reversed.
    """
    x, y, z = force_S.T
    if joint == "ankle":
        return np.stack((-y, -z, x), axis=1)
    return np.stack((x, -z, y), axis=1)
