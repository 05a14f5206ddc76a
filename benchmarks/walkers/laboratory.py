"""A laboratory that nobody has seen: every choice about markers, labels, files, from one seed.

``laboratory(seed)`` draws how a laboratory writes its labels, which landmarks carry markers and
when they are seen, how its axes, units, rates and plates are, what its files say about the
subject. ``write_laboratory`` (:mod:`walkers.laboratory_files`) writes a trial and its
static in that way, with the exact truth of the walker beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from walkers.dialects import DIALECTS, dialect_of
from walkers.marker_sets import MARKER_SETS, marker_set_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

CHOICES: dict[str, tuple[Any, ...]] = {
    "dialect": tuple(dialect.name for dialect in DIALECTS),
    "style": (
        "plain",
        "subject prefix",
        "cut to four letters",
        "cut and described",
        "descriptions only",
        "copies",
    ),
    "extras": ("none", "unlabelled", "upper body", "model output"),
    "order": ("anatomical", "shuffled"),
    "rung": ("condyles", "width", "wand", "coarse", "clusters", "centres"),
    "tracking": ("wands", "clusters", "bones"),
    "foot": ("heel and toe", "all", "no toe", "heel in static"),
    "pelvis": ("psis", "sacrum"),
    "medial": ("in both", "in static"),
    "legs": ("both", "right"),
    "static": ("quiet", "none", "with crouching", "with walking", "of another person"),
    "static_plates": (True, False),
    "static_heading_deg": (0.0, 90.0, 180.0),
    "finding": ("named", "beside"),
    "seen": ("all", "edges", "pelvis first, feet later", "ghost in static"),
    "gaps": ("none", "short", "long"),
    "up": ("+z", "+y", "-z", "+x", "-y", "-x"),
    "heading_deg": (0.0, 12.0, -20.0, 35.0),
    "units": ("mm", "m", "cm"),
    "units_stated": (True, False),
    "rate_hz": (100.0, 60.0, 120.0, 200.0),
    "plates": (2, 3, 1),
    "plate_type": (2, 4, 3, 1),
    "plate_order": ("walked", "shuffled"),
    "origin_sign": (1, -1),
    "parameters": ("all", "without diameter", "mass", "none"),
    "marker_diameter_mm": (14.0, 9.5, 12.5, 16.0, 25.0),
    "toe_out_deg": (3.0, 6.0, 9.0),
    "events": (True, False),
}
"""Every choice and what it may be; the first of each is the commonest."""

CHILD = 0.65
"""Size of a child against the walker."""

HARDER: dict[str, tuple[Any, ...]] = {
    "marker_set": tuple(found.name for found in MARKER_SETS),
    "writing": ("as written", "lower", "upper", "joined", "dots"),
    "person": ("", "P01_", "Subj 3 ", "JD-", "ab12"),
    "extras": ("second person", "walking aid", "everything"),
    "heading_deg": (90.0, 180.0, -90.0, 60.0),
    "rate_hz": (50.0, 250.0, 500.0),
    "static_heading_deg": (45.0,),
    "child": (False, True),
    "spare_plates": (0, 1, 2),
}
"""What :func:`harder_laboratory` draws besides, or more often."""

_FIRST: dict[str, float] = {
    "style": 0.5,
    "rung": 0.25,
    "legs": 0.88,
    "static": 0.6,
    "finding": 0.7,
    "seen": 0.6,
    "gaps": 0.6,
    "up": 0.45,
    "units": 0.7,
    "units_stated": 0.85,
    "parameters": 0.5,
    "plate_type": 0.4,
}
"""How often the first of a choice is drawn; where nothing stands here all are equally common."""


@dataclass(frozen=True, slots=True)
class Laboratory:
    """Every choice of one laboratory; what each may be stands in ``CHOICES``.

    Attributes
    ----------
    seed : int
    dialect, side_words, place, separator, case : str or pair of str
        Names of the landmarks; words for left and right, where they stand, what joins the words.
    style : str
        What is done to the labels besides.
    extras, order : str
        What else is in the file; order of its points.
    rung : str
        What knees and ankles are found from: two condyles; lateral marker with width; with width
        and wand; lateral marker alone; landmarks of the static carried by clusters; stored centres.
    tracking : str
        What else moves with thigh and shank.
    foot, pelvis, medial, legs : str
        Which markers there are, and in which file.
    static, static_plates, static_heading_deg, finding
        What the calibration holds; whether a quiet one stands on plates, where its person faces
        (plates lie along X of G alone); whether the run is told its name.
    seen, gaps : str
        When markers are seen.
    up, forward : str
        Laboratory axes: the one that points up, the one along X of G.
    heading_deg : float
        Of the walk, from ``forward`` to the left.
    units, units_stated, rate_hz, analog_ratio, first_frame
        Of the file. With units that are not stated neither points nor channels have any.
    plates, plate_type, plate_order, plate_turns, origin_sign
        Plates under consecutive stances, C3D type, order in the file, quarter turns, sign of z of
        ORIGIN.
    parameters : str
        What PROCESSING says of the subject.
    marker_diameter_mm, toe_out_deg : float
        Of the markers; of the feet in the static.
    events : bool
        Foot strikes and offs in the file.
    marker_set : str
        One of ``marker_sets.toml``, in the place of dialect, rung, tracking, foot, pelvis, medial.
    writing, person : str
        Of a marker set: how its labels are written; what stands before all of them.
    child : bool
        A body of 0.65 of the size and 24 kg.
    spare_plates : int
        Plates that nobody steps on, before the others.
    """

    seed: int
    dialect: str
    side_words: tuple[str, str]
    place: str
    separator: str
    case: str
    style: str
    extras: str
    order: str
    rung: str
    tracking: str
    foot: str
    pelvis: str
    medial: str
    legs: str
    static: str
    static_plates: bool
    static_heading_deg: float
    finding: str
    seen: str
    gaps: str
    up: str
    forward: str
    heading_deg: float
    units: str
    units_stated: bool
    rate_hz: float
    analog_ratio: int
    first_frame: int
    plates: int
    plate_type: int
    plate_order: str
    plate_turns: int
    origin_sign: int
    parameters: str
    marker_diameter_mm: float
    toe_out_deg: float
    events: bool
    marker_set: str = ""
    writing: str = "as written"
    person: str = ""
    child: bool = False
    spare_plates: int = 0

    def __post_init__(self) -> None:
        """Refuse choices that no laboratory can make."""
        for name, common in CHOICES.items():
            allowed = (*common, *HARDER.get(name, ()))
            if getattr(self, name) not in allowed:
                raise ValueError(f"{name} is {getattr(self, name)!r}, wanted one of {allowed}")

    @property
    def R_LG(self) -> Array:
        """Laboratory axes from G: v_L = R_LG @ v_G, one of the 24 right-handed permutations."""
        forward, up = _unit(self.forward), _unit(self.up)
        return np.stack([forward, up, np.cross(forward, up)], axis=1)

    @property
    def per_m(self) -> float:
        """Length unit of the file in a metre."""
        return {"mm": 1000.0, "cm": 100.0, "m": 1.0}[self.units]

    def rng(self, stream: int) -> np.random.Generator:
        """Return a generator of random numbers for one purpose of this laboratory."""
        return np.random.default_rng([_ROOT, self.seed, stream])

    def said(self) -> str:
        """Return the choices that are not the commonest, in one line."""
        usual = HARDER | {"marker_set": ("",)} | CHOICES
        own = (
            f"{field.name} {getattr(self, field.name)}"
            for field in fields(self)
            if field.name in usual and getattr(self, field.name) != usual[field.name][0]
        )
        return "; ".join(own)


_ROOT, _RARE = 14_2026, 0.5


def laboratory(seed: int) -> Laboratory:
    """Return the laboratory of a seed.

    Parameters
    ----------
    seed : int
        From 0; the same seed is the same laboratory.

    Examples
    --------
    >>> laboratory(3) == laboratory(3)
    True
    """
    rng = np.random.default_rng([_ROOT, seed])
    drawn = {name: _draw(rng, name) for name in CHOICES}
    dialect = dialect_of(drawn["dialect"])
    drawn |= {
        "side_words": _any(rng, dialect.sides),
        "place": _any(rng, dialect.places),
        "separator": _any(rng, dialect.separators),
        "case": _any(rng, dialect.cases),
        "forward": _any(
            rng, [sign + axis for sign in "+-" for axis in "xyz" if axis != drawn["up"][1]]
        ),
        "analog_ratio": _any(rng, (2, 5)),
        "first_frame": _any(rng, (1, 101, 830)),
        "plate_turns": _any(rng, (0, 1, 2, 3)),
    }
    return Laboratory(seed=seed, **_possible(drawn))


def harder_laboratory(seed: int) -> Laboratory:
    """Return the laboratory of a seed with a marker set, and with what is rarer.

    Parameters
    ----------
    seed : int
        From 0; all that this function does not draw is that of ``laboratory(seed)``.
    """
    rng = np.random.default_rng([_ROOT, seed, 1])
    drawn: dict[str, Any] = {
        name: _any(rng, options if name in ("marker_set", "writing") else (options[0], *options))
        for name, options in HARDER.items()
        if name not in CHOICES
    }
    drawn |= {n: _any(rng, HARDER[n]) for n in CHOICES if n in HARDER and rng.random() < _RARE}
    drawn["side_words"] = _any(rng, marker_set_of(drawn["marker_set"]).sides)
    lab = laboratory(seed)
    if lab.static == "quiet" and lab.static_plates:
        drawn["static_heading_deg"] = 0.0
    if lab.seen == "ghost in static":
        drawn["seen"] = "edges"
    own: dict[str, Any] = {"style": "plain", "rung": "condyles", "foot": "all", "tracking": "bones"}
    return replace(lab, **(drawn | own))


def spoken_as(lab: Laboratory, dialect: str) -> Laboratory:
    """Return a laboratory with whole, plain labels in another dialect, all else as it was.

    Parameters
    ----------
    lab : Laboratory
    dialect : str
        One of ``CHOICES["dialect"]``; the first of its side words, places, separators, cases.
    """
    own = dialect_of(dialect)
    return replace(
        lab,
        dialect=dialect,
        side_words=own.sides[0],
        place=own.places[0],
        separator=own.separators[0],
        case=own.cases[0],
        style="plain",
    )


def _possible(drawn: dict[str, Any]) -> dict[str, Any]:
    """Return choices that go together: a wand needs wands, clusters clusters, a ghost a static."""
    changed = dict(drawn)
    changed["tracking"] = {"wand": "wands", "clusters": "clusters"}.get(
        drawn["rung"], drawn["tracking"]
    )
    if drawn["rung"] == "coarse" and drawn["parameters"] != "none":
        changed["parameters"] = "mass"
    if drawn["rung"] in ("width", "wand") and drawn["parameters"] in ("mass", "none"):
        changed["parameters"] = "all"
    if drawn["rung"] == "width" and drawn["tracking"] == "wands":
        changed["tracking"] = "clusters"
    if drawn["static"] == "quiet" and drawn["static_plates"]:
        changed["static_heading_deg"] = 0.0
    if drawn["static"] == "none" and drawn["seen"] == "ghost in static":
        changed["seen"] = "all"
    if drawn["seen"] == "ghost in static" and drawn["rung"] not in ("condyles", "clusters"):
        changed["seen"] = "edges"
    return changed


def _draw(rng: np.random.Generator, name: str) -> Any:
    """Return one of what a choice may be."""
    allowed = CHOICES[name]
    first = _FIRST.get(name)
    if first is None:
        return _any(rng, allowed)
    return allowed[0] if rng.random() < first else _any(rng, allowed[1:])


def _any(rng: np.random.Generator, allowed: Any) -> Any:
    """Return one of several, all equally common."""
    return allowed[int(rng.integers(len(allowed)))]


def _unit(direction: str) -> Array:
    """Return the unit vector of "+x" and the like."""
    return (1.0 if direction[0] == "+" else -1.0) * np.eye(3)["xyz".index(direction[1])]
