"""Which outputs are compared, their components, and the units and axes that they may be in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache

from gaitdyn.dynamics.clinical import MOMENTS
from gaitdyn.io.shipped import shipped_cells

LEGS = ("Pelvis", "Hip", "Knee", "Ankle", "FootProgress", "GroundReaction")
UPPER = ("Head", "Neck", "Thorax", "Spine", "Waist", "Shoulder", "Elbow", "Wrist")
"""Body parts of the vendor's labels, in the order in which they are told."""

LEFT_OVER = ("Waist", "Neck")
"""Joints whose loads the vendor computes from the plates up."""

_TURNED, _LOADED = (
    "Pelvis|Hip|Knee|Ankle|FootProgress|Head|Neck|Thorax|Spine|Shoulder|Elbow|Wrist",
    "Hip|Knee|Ankle|Waist|Neck|Shoulder|Elbow|Wrist",
)
LABEL = re.compile(
    rf"([LR])(?:({_TURNED})(Angles)|({_LOADED})(Moment|Force|Power)|(GroundReaction)(Force))(.*)"
)
"""Side, body part, quantity and suffix of a label such as ``LHipAnglesV``."""

STANDARD_GRAVITY = 9.81
"""Of forces in per cent of body weight, m/s2: the vendor's."""


@dataclass(frozen=True, slots=True)
class OutputKind:
    """A kind of output.

    Attributes
    ----------
    name : str
    ending : str
        Of the vendor's labels.
    unit : str
        In which it is compared.
    said : str
        Key of ``Recording.units`` under which the file says its unit.
    axes : tuple of str
        That its components may be in, the usual ones first.
    """

    name: str
    ending: str
    unit: str
    said: str
    axes: tuple[str, ...]


QUANTITIES = (
    OutputKind("angle", "Angles", "deg", "angles", ("Cardan",)),
    OutputKind("moment", "Moment", "N mm/kg", "moments", ("distal", "proximal", "lab", "jcs")),
    OutputKind("power", "Power", "W/kg", "powers", ("scalar",)),
    OutputKind("force", "Force", "N/kg", "forces", ("distal", "proximal", "lab")),
    OutputKind("ground force", "GroundReactionForce", "N/kg", "forces", ("lab", "walking")),
)


ABOVE = tuple(
    replace(q, name=f"upper {q.name}", axes=q.axes[:1])
    for q in QUANTITIES
    if q.name != "ground force"
)
"""The same of trunk, head and arms, in the vendor's own axes alone."""


def quantity_of(part: str, ending: str) -> OutputKind:
    """Return the quantity of a label's parts."""
    word = "GroundReactionForce" if part == "GroundReaction" else ending
    return next(q for q in (ABOVE if part in UPPER else QUANTITIES) if q.ending == word)


def unit_factors(quantity: OutputKind, mass_kg: float) -> dict[str, float]:
    """Return unit -> number of that unit in one of the quantity's unit.

    Parameters
    ----------
    quantity : OutputKind
    mass_kg : float
        Of the body.

    Examples
    --------
    >>> unit_factors(QUANTITIES[1], 50.0)["N m"]
    0.05
    """
    if quantity.unit == "deg":
        return {"deg": 1.0, "rad": 0.017453292519943295}
    if quantity.unit == "N mm/kg":
        return {"N mm/kg": 1.0, "N m/kg": 1e-3, "N mm": mass_kg, "N m": mass_kg / 1000}
    if quantity.unit == "W/kg":
        return {"W/kg": 1.0, "W": mass_kg, "mW/kg": 1000.0}
    return {"N/kg": 1.0, "N": mass_kg, "% body weight": 100 / STANDARD_GRAVITY}


def component_words(quantity: str, part: str) -> tuple[str, ...]:
    """Return what the vendor's three components of a body part are called, positive direction.

    Examples
    --------
    >>> component_words("angle", "Ankle")
    ('dorsiflexion', 'eversion', 'internal rotation')
    """
    kind = quantity.removeprefix("upper ")
    if quantity == "moment":
        return tuple(word.replace("_", " ") for word in MOMENTS[part.lower()])
    if kind == "power":
        return ("", "", "total")
    if kind != "angle":
        return ("1", "2", "3")
    return _angle_words()[quantity, part]


@cache
def _angle_words() -> dict[tuple[str, str], tuple[str, ...]]:
    rows = shipped_cells("compare/angles.csv")[1:]
    return {(quantity, part): tuple(words) for quantity, part, *words in rows}
