"""The columns of ``--names pig`` above the legs: the vendor's names, units and signs."""

from __future__ import annotations

import numpy as np

from gaitdyn.catalogue.methods import methods_of
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.tables.vendor_names import vendor_vector
from gaitdyn.types.arrays import Array
from gaitdyn.types.curves import Curve
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER, SIDES, SIGN
from gaitdyn.types.upper import JointWrench, UpperBody
from gaitdyn.upper.angles import ARM_AXES, LIMB_AXES, THORAX_AXES, vendor_angles
from gaitdyn.upper.vendor import SKULL

_MM = 1000.0
_FLOOR = np.array([1.0, 1.0, 0.0])

_ARMS = {"wrist": "Wrist", "elbow": "Elbow", "shoulder": "Shoulder"}


def upper_vendor_curves(result: Processed, upper: UpperBody) -> list[Curve]:
    """Return the curves of trunk, head and arms under the vendor's names.

    Angles are in degrees, forces in N/kg, moments in N mm/kg, powers in W/kg and positions in mm in
    laboratory axes.
    """
    methods = methods_of(result)
    angles, curves = vendor_angles(upper.pose, result.pose), []
    for side in SIDES:
        for name, values in angles[side].items():
            label, how = f"{LETTER[side]}{name}Angles", f"Cardan angles, {methods.markers}"
            curves += vendor_vector(label, values, "deg", "Cardan angles", how)
    for label, position in _places(upper).items():
        position_mm = position @ result.trial.R_GL * _MM
        curves += vendor_vector(label, position_mm, "mm", "laboratory", methods.markers)
    if upper.com_G is not None:
        position_mm = upper.com_G @ result.trial.R_GL * _MM
        how = f"centre of mass of the whole body, {methods.markers}"
        curves += vendor_vector("CentreOfMass", position_mm, "mm", "laboratory", how)
        curves += vendor_vector("CentreOfMassFloor", position_mm * _FLOOR, "mm", "laboratory", how)
    mass, axes, how = result.subject.mass_kg or np.nan, "as in Plug-in Gait", methods.loads
    for side in SIDES:
        for name, (force, moment, power) in _loads(upper, side).items():
            label = LETTER[side] + name
            curves += vendor_vector(f"{label}Force", force / mass, "N/kg", axes, how)
            curves += vendor_vector(f"{label}Moment", moment / mass * _MM, "N mm/kg", axes, how)
            curves += vendor_vector(f"{label}Power", power / mass, "W/kg", "scalar", methods.powers)
    return curves


def _places(upper: UpperBody) -> dict[str, Array]:
    """Return joint centres and origins, shape (n, 3), G, m."""
    places = {"THX": upper.pose.thorax_G}
    head = upper.pose.head
    if head is not None:
        places["HED"] = head.front_G + head.size_m * rotate(head.R_GS, SKULL)
    for side, arm in upper.pose.arms.items():
        for k, joint in enumerate(("WJC", "EJC", "SJC")):
            places[LETTER[side] + joint] = arm.r_prox_G[:, k]
        places[f"{LETTER[side]}HND"] = arm.hand_G
    return places


def _loads(upper: UpperBody, side: str) -> dict[str, tuple[Array, Array, Array]]:
    """Return force, moment and power of each joint of a side in the vendor's components.

    The vendor's waist is the thorax on the pelvis, its neck the head on the thorax.
    """
    sign, loads = SIGN[side], {}
    for joint, name in _ARMS.items():
        wrench = upper.joints.get(f"{side}_{joint}")
        if wrench is not None:
            force, (x, y, z) = _components(wrench, wrench.R_GS @ ARM_AXES)
            loads[name] = force, np.stack((-y, -sign * x, -sign * z), axis=1), _power(wrench)
    waist, neck = upper.joints.get("waist"), upper.joints.get("neck")
    if waist is not None:
        force, (x, y, z) = _components(waist, waist.R_proximal @ LIMB_AXES)
        loads["Waist"] = -force, np.stack((-y, -sign * x, sign * z), axis=1), _power(waist)
    if neck is not None:
        force, (x, y, z) = _components(neck, neck.R_proximal @ THORAX_AXES)
        moment = np.stack((y, -sign * x, -sign * z), axis=1)
        loads["Neck"] = force * (-1.0, 1.0, 1.0), moment, _power(neck)
    return loads


def _components(wrench: JointWrench, R: Array) -> tuple[Array, tuple[Array, Array, Array]]:
    """Return force, shape (n, 3), and the three moments in the vendor's axes of a segment."""
    hidden = np.where(wrench.published, 1.0, np.nan)[:, None]
    force = rotate_back(R, wrench.force_G * hidden)
    moment = rotate_back(R, wrench.moment_G * hidden)
    return force, (moment[:, 0], moment[:, 1], moment[:, 2])


def _power(wrench: JointWrench) -> Array:
    """Return the power as the vendor stores it: third component, with zeros in the others."""
    hidden = np.where(wrench.published, 1.0, np.nan)
    return np.stack((0.0 * hidden, 0.0 * hidden, wrench.power * hidden), axis=1)
