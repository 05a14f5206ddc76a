"""Convert the curves of results to the vendor's three-component outputs: labels, units, signs.

Results with the vendor's names already contain these outputs. From gaitdyn's names they are built
with the rules of :mod:`gaitdyn.tables.vendor_names`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import XYZ, Key
from gaitdyn.dynamics.clinical import MOMENTS, OPPOSITE
from gaitdyn.kinematics.angles import ANGLES as WORDS
from gaitdyn.kinematics.angles import progression_frame
from gaitdyn.tables.vendor_names import ANGLES, vendor_force
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import LETTER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gaitdyn.exchange.curves import StoredCurves
    from gaitdyn.types.arrays import Array

_GROUPS = {"Angles": "ANGLES", "Force": "FORCES", "Moment": "MOMENTS", "Power": "POWERS"}
_UNITS = {"ANGLES": "deg", "FORCES": "N/kg", "MOMENTS": "N mm/kg", "POWERS": "W/kg", "": "mm"}
_CENTRES = {"ankle": "AJC", "knee": "KJC", "hip": "HJC"}
_MM = 1000.0


@frozen(eq=False)
class VendorVector:
    """One output in the vendor's form.

    Attributes
    ----------
    label : str
        Such as ``LKneeMoment``.
    group : str
        ``ANGLES``, ``FORCES``, ``MOMENTS`` or ``POWERS``; empty for a joint centre.
    values : array, shape (n, 3)
        deg, N/kg, N mm/kg, W/kg, or mm in laboratory axes; NaN in unknown frames, zero in a
        component that is unknown in all frames.
    about : str
        Unit, and differences from the vendor's output.
    """

    label: str
    group: str
    values: Array
    about: str


def vendor_vectors(document: dict[str, Any], curves: StoredCurves) -> list[VendorVector]:
    """Return the outputs in results; an output that is unknown in all frames is left out.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.
    curves : StoredCurves
    """
    vendor = document["options"].get("names") == "pig"
    pairs = _vendor_columns(curves) if vendor else _converted(document, curves)
    return [v for label, values in pairs if (v := _vector(label, values, document)) is not None]


def _vector(label: str, values: Array, document: dict[str, Any]) -> VendorVector | None:
    known = np.isfinite(values).any(axis=0)
    if not known.any():
        return None
    group = next((g for word, g in _GROUPS.items() if label.endswith(word)), "")
    about = _UNITS[group]
    if group == "MOMENTS":
        about += f" internal, axes: {document['options'].get('moments_in', 'distal')}"
    if not known.all():
        values = np.where(known, values, 0.0)
        about += "; unknown, 0: " + " ".join(str(i + 1) for i in np.flatnonzero(~known))
    return VendorVector(label, group, values, about)


def _vendor_columns(curves: StoredCurves) -> Iterator[tuple[str, Array]]:
    """Yield the columns ``NAME_1``, ``NAME_2``, ``NAME_3`` of results with the vendor's names."""
    for name in curves.names:
        match = re.fullmatch(r"([A-Za-z]+)_1", name)
        values = curves.vector(*(f"{match[1]}_{i}" for i in (1, 2, 3))) if match else None
        if match and values is not None:
            yield match[1], values


def _converted(document: dict[str, Any], curves: StoredCurves) -> Iterator[tuple[str, Array]]:
    R_GL = np.array(document["file"]["R_GL"], float)
    for side, letter in LETTER.items():
        for label, values in _angles(curves, side):
            yield letter + label, values
        for joint, label in _CENTRES.items():
            centre = curves.vector(*(Key(side, joint, "center", axis).name for axis in XYZ))
            if centre is not None:
                yield letter + label, centre @ R_GL
    mass = document["subject"].get("mass_kg")
    if not mass:
        return
    for side, letter in LETTER.items():
        for label, values in _loads(document, curves, side):
            yield letter + label, values / mass


def _angles(curves: StoredCurves, side: str) -> Iterator[tuple[str, Array]]:
    for name, (segment, signs) in ANGLES.items():
        angles = curves.vector(*(Key(side, segment, "angle", word).name for word in WORDS[segment]))
        if angles is not None:
            yield f"{name}Angles", angles * signs
    if (foot := curves.vector(Key(side, "foot", "angle", "progression").name)) is not None:
        yield "FootProgressAngles", np.concatenate((np.full((len(foot), 2), np.nan), foot), axis=1)


def _loads(
    document: dict[str, Any], curves: StoredCurves, side: str
) -> Iterator[tuple[str, Array]]:
    """Yield ground reaction force, joint forces, moments and powers: N, N mm, W."""
    R_GL = np.array(document["file"]["R_GL"], float)
    ground = curves.vector(*(Key(side, "", "grf", axis).name for axis in XYZ))
    if ground is not None:
        walking = progression_frame(np.array(document["file"]["walking_direction_G"], float))
        yield "GroundReactionForce", ground @ walking.T @ R_GL
    for joint in _CENTRES:
        force = curves.vector(*(Key(side, joint, "force", axis).name for axis in XYZ))
        if force is not None:
            yield f"{joint.title()}Force", vendor_force(force, joint)
        if (moment := _moment(curves, side, joint, R_GL, document["options"])) is not None:
            yield f"{joint.title()}Moment", moment * _MM
        if (power := curves.vector(Key(side, joint, "power").name)) is not None:
            yield f"{joint.title()}Power", power * (0.0, 0.0, 1.0)


def _moment(
    curves: StoredCurves, side: str, joint: str, R_GL: Array, options: dict[str, Any]
) -> Array | None:
    """Return internal moments, N m.

    An external moment under the opposite word (extension for flexion) has the same value.
    """
    if options.get("moments_in") == "lab":
        moment = curves.vector(*(Key(side, joint, "moment", axis).name for axis in XYZ))
        sign = -1.0 if options.get("convention") == "external" else 1.0
        return None if moment is None else sign * moment @ R_GL
    words = MOMENTS[joint]
    for chosen in (words, tuple(OPPOSITE[word] for word in words)):
        moment = curves.vector(*(Key(side, joint, "moment", word).name for word in chosen))
        if moment is not None:
            return moment
    return None
