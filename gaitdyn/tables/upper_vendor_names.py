"""The columns of ``--names pig`` above the legs: the vendor's names, units and signs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.methods import methods_of
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.tables.vendor_names import vendor_vector
from gaitdyn.types.curves import Curve
from gaitdyn.types.subject import LETTER, SIDES, SIGN
from gaitdyn.upper.angles import ARM_AXES, LIMB_AXES, THORAX_AXES, vendor_angles
from gaitdyn.upper.vendor import SKULL

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import Processed
    from gaitdyn.types.upper import JointWrench, UpperBody

_MM = 1000.0
_FLOOR = np.array([1.0, 1.0, 0.0])

_ARMS = {"wrist": "Wrist", "elbow": "Elbow", "shoulder": "Shoulder"}


def upper_vendor_curves(result: Processed, upper: UpperBody) -> list[Curve]:
    """Return the curves of trunk, head and arms under the vendor's names.

    Angles in degrees, forces in N/kg, moments in N mm/kg, powers in W/kg, places in mm in
    laboratory axes.

    Parameters
    ----------
    result : Processed
    upper : UpperBody
    """
    how = methods_of(result)
    angles, curves = vendor_angles(upper.pose, result.pose), []
    for side in SIDES:
        for name, values in angles[side].items():
            label, told = f"{LETTER[side]}{name}Angles", f"Cardan angles, {how.markers}"
            curves += vendor_vector(label, values, "deg", "Cardan angles", told)
    for label, place in _places(upper).items():
        at = place @ result.trial.R_GL * _MM
        curves += vendor_vector(label, at, "mm", "laboratory", how.markers)
    if upper.com_G is not None:
        at = upper.com_G @ result.trial.R_GL * _MM
        told = f"centre of mass of the whole body, {how.markers}"
        curves += vendor_vector("CentreOfMass", at, "mm", "laboratory", told)
        curves += vendor_vector("CentreOfMassFloor", at * _FLOOR, "mm", "laboratory", told)
    mass = result.subject.mass_kg or np.nan
    for side in SIDES:
        for name, (force, moment, power) in _loads(upper, side).items():
            label = LETTER[side] + name
            curves += vendor_vector(
                f"{label}Force", force / mass, "N/kg", "as in Plug-in Gait", how.loads
            )
            curves += vendor_vector(
                f"{label}Moment", moment / mass * _MM, "N mm/kg", "as in Plug-in Gait", how.loads
            )
            curves += vendor_vector(f"{label}Power", power / mass, "W/kg", "scalar", how.powers)
    return curves


def _places(upper: UpperBody) -> dict[str, Array]:
    """Return joint centres and origins, shape (n, 3), G, m."""
    found = {"THX": upper.pose.thorax_G}
    head = upper.pose.head
    if head is not None:
        found["HED"] = head.front_G + head.size_m * rotate(head.R_GS, SKULL)
    for side, arm in upper.pose.arms.items():
        for k, joint in enumerate(("WJC", "EJC", "SJC")):
            found[LETTER[side] + joint] = arm.r_prox_G[:, k]
        found[f"{LETTER[side]}HND"] = arm.hand_G
    return found


def _loads(upper: UpperBody, side: str) -> dict[str, tuple[Array, Array, Array]]:
    """Return force, moment and power of each joint of a side in the vendor's components.

    The vendor's waist is the thorax on the pelvis, its neck the head on the thorax.
    """
    sg, found = SIGN[side], {}
    for joint, name in _ARMS.items():
        one = upper.joints.get(f"{side}_{joint}")
        if one is not None:
            force, (x, y, z) = _components(one, one.R_GS @ ARM_AXES)
            found[name] = force, np.stack((-y, -sg * x, -sg * z), axis=1), _power(one)
    waist, neck = upper.joints.get("waist"), upper.joints.get("neck")
    if waist is not None:
        force, (x, y, z) = _components(waist, waist.R_proximal @ LIMB_AXES)
        found["Waist"] = -force, np.stack((-y, -sg * x, sg * z), axis=1), _power(waist)
    if neck is not None:
        force, (x, y, z) = _components(neck, neck.R_proximal @ THORAX_AXES)
        moment = np.stack((y, -sg * x, -sg * z), axis=1)
        found["Neck"] = force * (-1.0, 1.0, 1.0), moment, _power(neck)
    return found


def _components(one: JointWrench, R: Array) -> tuple[Array, tuple[Array, Array, Array]]:
    """Return force, shape (n, 3), and the three moments in the vendor's axes of a segment."""
    hidden = np.where(one.published, 1.0, np.nan)[:, None]
    force, moment = rotate_back(R, one.force_G * hidden), rotate_back(R, one.moment_G * hidden)
    return force, (moment[:, 0], moment[:, 1], moment[:, 2])


def _power(one: JointWrench) -> Array:
    """Return the vendor's power: the third component holds it, the others are zero."""
    hidden = np.where(one.published, 1.0, np.nan)
    return np.stack((0.0 * hidden, 0.0 * hidden, one.power * hidden), axis=1)
