"""Marker sets of laboratories, label by label, and where their further markers are."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from walkers.dialects import MIDLINE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Points = dict[str, Array]

_THIGH_M = 0.425
"""Of the body that the lengths of ``FURTHER`` are of."""

SIDE = "{s}"
"""Where the side word stands in a label."""

_FRAMES = {
    "foot": ("CAL", "TOE", "M5"),
    "thigh": ("KJC", "HJC", "KLE"),
    "pelvis": (MIDLINE, "mid", "ASI"),
}
"""Segment -> origin; the point that the first axis runs to; the one on the second axis' side."""

_UPWARD = {"foot": 1.0, "pelvis": 1.0, "thigh": -1.0}
"""Sign of (first x second axis) of a left limb along the third direction of ``FURTHER``."""

FURTHER: dict[str, tuple[str, float, float, float]] = {
    "HLX": ("foot", 0.235, 0.0, 0.0),
    "M1B": ("foot", 0.150, -0.030, 0.025),
    "M2B": ("foot", 0.135, 0.0, 0.030),
    "M5B": ("foot", 0.115, 0.045, -0.005),
    "CALL": ("foot", 0.020, 0.035, 0.005),
    "CALM": ("foot", 0.030, -0.035, -0.010),
    "CALU": ("foot", 0.0, 0.0, 0.035),
    "FT1": ("foot", 0.100, 0.020, 0.035),
    "FT2": ("foot", 0.150, 0.030, 0.025),
    "FT3": ("foot", 0.140, -0.020, 0.035),
    "PAT": ("thigh", 0.020, 0.0, 0.055),
    "ILC": ("pelvis", 0.080, 0.145, 0.075),
    "PEX1": ("pelvis", -0.030, -0.040, 0.020),
    "PEX2": ("pelvis", -0.030, 0.040, 0.020),
    "PEX3": ("pelvis", -0.035, 0.0, 0.080),
    "C7": ("pelvis", 0.05, 0.0, 0.46),
    "T10": ("pelvis", 0.02, 0.0, 0.22),
    "JN": ("pelvis", 0.17, 0.0, 0.40),
    "XIP": ("pelvis", 0.20, 0.0, 0.25),
    "NAVEL": ("pelvis", 0.19, 0.0, 0.08),
    "BACK": ("pelvis", 0.02, 0.1, 0.36),
    "ACR": ("pelvis", 0.10, 0.19, 0.46),
    "SCP": ("pelvis", 0.02, 0.10, 0.38),
    "DEL": ("pelvis", 0.10, 0.22, 0.38),
    "UPA": ("pelvis", 0.10, 0.25, 0.30),
    "ELL": ("pelvis", 0.10, 0.29, 0.17),
    "ELM": ("pelvis", 0.13, 0.22, 0.17),
    "FRA": ("pelvis", 0.18, 0.28, 0.07),
    "WRA": ("pelvis", 0.27, 0.27, -0.02),
    "WRB": ("pelvis", 0.25, 0.32, -0.04),
    "FIN": ("pelvis", 0.32, 0.28, -0.08),
    "HDF": ("pelvis", 0.20, 0.07, 0.68),
    "HDB": ("pelvis", 0.02, 0.07, 0.68),
    "HDT": ("pelvis", 0.10, 0.0, 0.78),
}
"""Marker -> segment and place in it, m: forward, outward, up from the heel or the sacrum; up,
outward, forward from the knee centre."""


@dataclass(frozen=True, slots=True, eq=False)
class MarkerSet:
    """A row of ``marker_sets.toml``.

    Attributes
    ----------
    name : str
    sides : tuple of pairs of str
        Words for left and right.
    labels : mapping of str to str
        Landmark without side -> label, ``{s}`` where the side stands; without it on the midline.
    static : tuple of str
        Landmarks that are marked in the static alone.
    """

    name: str
    sides: tuple[tuple[str, str], ...]
    labels: Mapping[str, str]
    static: tuple[str, ...] = field(default=())

    def keys(self, *, static: bool, sides: str = "LR") -> tuple[str, ...]:
        """Return the landmarks of one file, the sided ones with L or R in front."""
        own = [key for key in self.labels if static or key not in self.static]
        found: list[str] = []
        for key in own:
            sided = SIDE in self.labels[key]
            both = "LR" if key in ("ASI", "PSI") else sides
            found += [letter + key for letter in both] if sided else [key]
        return tuple(found)

    def label(self, key: str, words: tuple[str, str]) -> str:
        """Return the label of a landmark."""
        if key in self.labels and SIDE not in self.labels[key]:
            return self.labels[key]
        return self.labels[key[1:]].replace(SIDE, words["LR".index(key[0])])


def _read() -> tuple[MarkerSet, ...]:
    text = Path(__file__).with_name("marker_sets.toml").read_text("utf-8")
    return tuple(
        MarkerSet(
            name=row["name"],
            sides=tuple((left, right) for left, right in row["sides"]),
            labels=row["labels"],
            static=tuple(row.get("static", ())),
        )
        for row in tomllib.loads(text)["set"]
    )


MARKER_SETS = _read()


def marker_set_of(name: str) -> MarkerSet:
    """Return the marker set of a name."""
    return next(found for found in MARKER_SETS if found.name == name)


def further_place(key: str, places: Points) -> Array:
    """Return where a marker of ``FURTHER`` is, rigid in its segment.

    Parameters
    ----------
    key : str
        ``LHLX``, ``RACR``; ``C7`` on the midline.
    places : dict
        Landmark -> array, shape (n_frames, 3), G, m.

    Returns
    -------
    array, shape (n_frames, 3)
        G, m.
    """
    letter, name = ("R", key) if key in FURTHER else (key[0], key[1:])
    segment, *lengths = FURTHER[name]
    size = np.linalg.norm(places["LHJC"][0] - places["LKJC"][0]) / _THIGH_M
    along, second, third = (float(size * length) for length in lengths)
    middle = (places["LASI"] + places["RASI"]) / 2.0

    def place(own: str) -> Array:
        return middle if own == "mid" else places[own if own == MIDLINE else letter + own]

    origin, ahead, beside = (place(own) for own in _FRAMES[segment])
    e1 = _unit(ahead - origin)
    e3 = _unit(np.cross(e1, beside - origin))
    e2 = np.cross(e3, e1)
    sign = _UPWARD[segment] * (1.0 if letter == "L" else -1.0)
    return origin + along * e1 + second * e2 + sign * third * e3


def with_further(own: MarkerSet, places: Points) -> Points:
    """Return places with those of the further markers of a set."""
    keys = [key for key in own.keys(static=True) if key not in places]
    return places | {key: further_place(key, places) for key in keys}


def written(label: str, how: str) -> str:
    """Return a label in another writing.

    Examples
    --------
    >>> written("R_Knee lat", "joined"), written("R_Knee lat", "dots")
    ('RKneelat', 'R.Knee.lat')
    """
    change = {
        "lower": str.lower,
        "upper": str.upper,
        "joined": lambda text: re.sub(r"[ ._-]", "", text),
        "dots": lambda text: re.sub(r"[ _-]", ".", text),
    }
    return change.get(how, str)(label)


def _unit(v: Array) -> Array:
    return v / np.linalg.norm(v, axis=-1, keepdims=True)
