"""What the markers of a laboratory allow, and how far from the truth each way to it may be.

A rung is the way in which a centre and its axes are found. Its tolerance is that of a body of
70 kg that walks at 1.25 m/s, whose ground reaction is at most 800 N: a joint centre that is 1 mm
off costs up to 0.8 N m.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gaitdyn.synthetic.body import SIDES, Side
from walkers.laboratory import CHILD
from walkers.laboratory_markers import GHOST, in_static, in_walk

if TYPE_CHECKING:
    from walkers.laboratory import Laboratory

Plane = Literal["sagittal", "frontal", "transverse"]
PLANES: tuple[Plane, ...] = ("sagittal", "frontal", "transverse")
STANDS_ON = {
    "pelvis": ("pelvis",),
    "hip": ("hip", "knee"),
    "knee": ("hip", "knee", "ankle"),
    "ankle": ("ankle", "foot"),
}
"""Joint -> places whose rungs its angles and moments stand on."""

_ASSUMED_DIAMETER_MM, _NM_PER_MM = 14.0, 0.85


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far from the truth a rung may be.

    Attributes
    ----------
    angle_deg, moment_nm : tuple of float
        Sagittal, frontal, transverse.
    why : str
        Where the numbers come from.
    """

    angle_deg: tuple[float, float, float]
    moment_nm: tuple[float, float, float]
    why: str


TOLERANCES: dict[str, Tolerance] = {
    "two condyles": Tolerance(
        (1.0, 1.0, 1.0),
        (1.0, 1.0, 1.0),
        "centre and axes are exact; the foot's centre of mass may be counted from another end",
    ),
    "stored centres": Tolerance(
        (2.0, 2.0, 3.0), (2.5, 2.5, 1.0), "exact, or by wand and width where the markers are taken"
    ),
    "wand and width": Tolerance(
        (2.0, 2.0, 3.0),
        (2.5, 2.5, 1.0),
        "exact for wands in the frontal plane, from a hip centre 5 mm off",
    ),
    "width": Tolerance(
        (5.0, 10.0, 14.0),
        (14.0, 14.0, 5.0),
        "the offset of 59 mm points along the pelvis or the walk, up to 14 degrees off the axis",
    ),
    "condyle alone": Tolerance(
        (6.0, 12.0, 15.0),
        (16.0, 28.0, 8.0),
        "the offset is a usual one, up to 17 mm off, and points along the pelvis; must be said",
    ),
    "hip regression": Tolerance(
        (2.0, 2.0, 3.0),
        (5.0, 8.0, 2.0),
        "two regressions are 9 mm apart, the truth is between them",
    ),
    "heel and forefoot": Tolerance(
        (1.5, 1.5, 1.5), (1.5, 1.5, 1.5), "exact for a level foot that is marked along its length"
    ),
    "no static": Tolerance(
        (4.0, 4.0, 4.0), (4.0, 8.0, 4.0), "axes of one frame or of the mean over stance"
    ),
    "toe and static offsets": Tolerance(
        (6.0, 10.0, 10.0),
        (10.0, 15.0, 6.0),
        "a foot of ankle and toe cannot turn about its own length",
    ),
    "coarse foot": Tolerance(
        (25.0, 15.0, 15.0),
        (14.0, 15.0, 6.0),
        "one side of the forefoot, or no heel: the foot has no true zero; must be said",
    ),
    "pelvis": Tolerance(
        (1.0, 1.0, 6.0),
        (0.0, 0.0, 0.0),
        "exact, but for the walking direction, found over the frames in which the pelvis is seen",
    ),
}
"""Rung -> tolerance."""

COARSE = ("condyle alone", "coarse foot")
"""Rungs whose result must be said to be coarse."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What can be known of one joint of one side.

    Attributes
    ----------
    side, joint : str
    places, rungs : tuple of str
        Of the joints and segments that the joint's angles and moments stand on.
    kinetics : bool
        Whether moments can be known: a body mass and a plate under this foot.
    extra_mm : float
        What a marker diameter that nobody states may shift the centre by.
    size : float
        Of the body: on a shorter limb the same distance is a larger angle, from a shorter wand more
        than that.
    """

    side: Side
    joint: str
    places: tuple[str, ...]
    rungs: tuple[str, ...]
    kinetics: bool
    extra_mm: float = 0.0
    size: float = 1.0

    def limit(self, quantity: Literal["angle", "moment"], plane: Plane) -> float:
        """Return how far a value may be from the truth, deg or N m.

        A wrong centre above and a wrong axis below err independently: the tolerances of the
        joint's places add as squares. The rungs of one place are not counted twice.
        """
        i = PLANES.index(plane)
        name = "angle_deg" if quantity == "angle" else "moment_nm"
        own = math.hypot(*(getattr(TOLERANCES[rung], name)[i] for rung in set(self.rungs)))
        share = 0.2 if quantity == "angle" else _NM_PER_MM
        return (own + share * self.extra_mm) / (self.size**2.25 if quantity == "angle" else 1.0)

    @property
    def coarse(self) -> bool:
        """Whether a result must be said to be coarse."""
        return any(rung in COARSE for rung in self.rungs)


def allowed(lab: Laboratory, feet_on_plates: set[Side]) -> tuple[Allowed, ...]:
    """Return what the markers of a laboratory allow, joint by joint.

    Parameters
    ----------
    lab : Laboratory
    feet_on_plates : set of {"left", "right"}
        Sides with a stance on a plate.
    """
    weighed = lab.static == "quiet" and lab.static_plates
    mass = lab.parameters != "none" or weighed
    extra = abs(lab.marker_diameter_mm - _ASSUMED_DIAMETER_MM) / 2.0
    extra = 0.0 if lab.parameters == "all" else extra
    found: list[Allowed] = []
    for side in SIDES if lab.legs == "both" else ("right",):
        knee, ankle = (_hinge(lab, side, joint) for joint in ("knee", "ankle"))
        foot = _foot(lab)
        kinetics = mass and side in feet_on_plates
        base = () if own_static(lab) else ("no static",)
        has = {"pelvis": "pelvis", "hip": "hip regression", "knee": knee, "ankle": ankle,
               "foot": foot}  # fmt: skip
        for joint, places in STANDS_ON.items():
            rungs = tuple(has[place] for place in places)
            if all(rungs):
                below = joint != "pelvis"
                rungs += base if below else ()
                found.append(Allowed(
                    side, joint, places, rungs, kinetics and below, extra if below else 0.0,
                    CHILD if lab.child else 1.0,
                ))  # fmt: skip
    return tuple(found)


def own_static(lab: Laboratory) -> bool:
    """Return whether there is a static of the person who walks."""
    return lab.static not in ("none", "of another person")


def _hinge(lab: Laboratory, side: Side, joint: Literal["knee", "ankle"]) -> str:
    """Return the best rung of a knee or an ankle; empty where there is none."""
    lateral, medial = ("KLE", "KME") if joint == "knee" else ("ANL", "ANM")
    wand = "THW" if joint == "knee" else "SHW"
    letter = side[0].upper()
    known = set(in_walk(lab))
    if own_static(lab):
        still = set(in_static(lab))
        known |= still - {GHOST} if lab.seen == "ghost in static" else still
    if lab.rung == "centres":
        return "stored centres"
    if letter + lateral not in known:
        return ""
    if letter + medial in known:
        return "two condyles"
    if lab.parameters not in ("all", "without diameter"):
        return "condyle alone"
    return "wand and width" if letter + wand in known else "width"


def _foot(lab: Laboratory) -> str:
    """Return the rung of the foot; empty where there is none."""
    if lab.marker_set:
        return _foot_of_set(lab)
    if lab.foot != "heel in static":
        return "heel and forefoot"
    return "toe and static offsets" if own_static(lab) else ""


def _foot_of_set(lab: Laboratory) -> str:
    """Return the rung of a foot by the markers of a set, those of an own static too."""
    keys = {*in_walk(lab), *(in_static(lab) if own_static(lab) else ())}
    have = {key[1:] for key in keys}
    ahead = bool({"TOE", "HLX", "M2B"} & have) or {"M1", "M5"} <= have
    if "CAL" in have and ahead:
        return "heel and forefoot"
    return "coarse foot" if ahead or {"CAL", "M5"} <= have else ""
