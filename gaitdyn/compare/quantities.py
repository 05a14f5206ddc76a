"""Outputs that can be compared, their components, and the units and axes they may have."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from gaitdyn.dynamics.clinical import MOMENTS
from gaitdyn.dynamics.vendor import VENDOR_GRAVITY
from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen

LEGS = ("Pelvis", "Hip", "Knee", "Ankle", "FootProgress", "GroundReaction")
UPPER = ("Head", "Neck", "Thorax", "Spine", "Waist", "Shoulder", "Elbow", "Wrist")
"""Body parts in the vendor's labels, in the order of the report."""

LEFT_OVER = ("Waist", "Neck")
"""Joints whose loads the vendor computes from the force plates upwards."""

_TURNED, _LOADED = (
    "Pelvis|Hip|Knee|Ankle|FootProgress|Head|Neck|Thorax|Spine|Shoulder|Elbow|Wrist",
    "Hip|Knee|Ankle|Waist|Neck|Shoulder|Elbow|Wrist",
)
LABEL = re.compile(
    rf"([LR])(?:({_TURNED})(Angles)|({_LOADED})(Moment|Force|Power)|(GroundReaction)(Force))(.*)"
)
"""Side, body part, quantity and suffix of a label such as ``LHipAnglesV``."""


@frozen()
class OutputKind:
    """A quantity that the vendor stores.

    Attributes
    ----------
    name : str
    ending : str
        Ending of the vendor's labels.
    unit : str
        Unit of the comparison.
    units_key : str
        Key of ``Recording.units`` for the unit stated in the file.
    axes : tuple of str
        Axes in which its components may be given, the usual ones first.
    """

    name: str
    ending: str
    unit: str
    units_key: str
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
"""The same for trunk, head and arms, in the vendor's axes only."""


def quantity_of(part: str, ending: str) -> OutputKind:
    """Return the quantity for the body part and ending of a label."""
    word = "GroundReactionForce" if part == "GroundReaction" else ending
    return next(q for q in (ABOVE if part in UPPER else QUANTITIES) if q.ending == word)


def unit_factors(quantity: OutputKind, mass_kg: float) -> dict[str, float]:
    """Return each unit -> the number in that unit that equals 1 in the quantity's unit.

    Parameters
    ----------
    quantity : OutputKind
    mass_kg : float
        Body mass.

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
    return {"N/kg": 1.0, "N": mass_kg, "% body weight": 100 / VENDOR_GRAVITY}


def component_words(quantity: str, part: str) -> tuple[str, ...]:
    """Return the positive directions of the vendor's three components of a body part.

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
