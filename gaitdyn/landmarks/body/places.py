"""Read the typical positions of landmarks on a standing person, in ASIS heights."""

from __future__ import annotations

from functools import cache

from gaitdyn.io.shipped import shipped_cells
from gaitdyn.types.frozen import frozen


@frozen()
class LandmarkPlace:
    """Median and standard deviation of a landmark's position, as fractions of ASIS height.

    Attributes
    ----------
    code : str
    level : str
        ``pelvis``, ``knee`` or ``foot``: markers of one level are compared with each other.
    height, outward, forward : float
        Above the floor; from the mid-plane of the pelvis; ahead of the iliac spines, of the knee or
        of the heel. ``forward`` is NaN if uninformative.
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
    """Return the landmark positions shipped with gaitdyn, by landmark code.

    Legs and pelvis are from 35 standing trials of 24 laboratories. Trunk and arms are from drawings
    of healthy adults, and their spreads are therefore wide.
    """
    table: dict[str, LandmarkPlace] = {}
    for code, level, *numbers in shipped_cells("landmarks/places.csv")[1:]:
        table[code] = LandmarkPlace(
            code, level, *(float(x) if x else float("nan") for x in numbers)
        )
    return table
