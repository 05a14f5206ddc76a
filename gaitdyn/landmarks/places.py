"""Where each landmark is on a person who stands, in heights of the iliac spines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from gaitdyn.io.shipped import shipped_cells


@dataclass(frozen=True, slots=True)
class LandmarkPlace:
    """Median and spread (standard deviation) of a landmark's place, fractions of ASIS height.

    Attributes
    ----------
    code : str
    level : str
        ``pelvis``, ``knee``, ``foot``: the markers that are compared with each other.
    height, outward, forward : float
        Above the floor; from the mid-plane of the pelvis; ahead of the iliac spines, of the knee or
        of the heel. ``forward`` is NaN where it says nothing.
    height_sd, outward_sd, forward_sd : float
    """

    code: str
    level: str
    height: float
    height_sd: float
    outward: float
    outward_sd: float
    forward: float
    forward_sd: float


@cache
def places() -> dict[str, LandmarkPlace]:
    """Return the places that ship with gaitdyn, by landmark code.

    Legs and pelvis from 35 standing trials of 24 laboratories, trunk and arms from drawings of
    healthy adults and therefore wide.
    """
    found: dict[str, LandmarkPlace] = {}
    for code, level, *numbers in shipped_cells("landmarks/places.csv")[1:]:
        found[code] = LandmarkPlace(
            code, level, *(float(x) if x else float("nan") for x in numbers)
        )
    return found
