"""The unit of coordinates by the size of the body that they show."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

UNITS = {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "in": 0.0254}
"""Name of a unit of length -> metres."""
BODY_M = (0.25, 2.5)
"""Extent of most markers of a person in one frame, from a foot and a shank to raised arms."""
NO_BODY_M = 0.05
"""Markers that lie nearer together in the unit that is said are in another unit."""
_FEWEST, _LOOKED_AT = 4, 50


def body_extent(points: Array) -> float:
    """Return how far apart most markers of a frame are, the median over frames; NaN of too few.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        NaN where not seen; any unit.
    """
    some = points[:: max(1, len(points) // _LOOKED_AT)]
    some = some[np.isfinite(some).all(axis=2).sum(axis=1) >= _FEWEST]
    if not len(some):
        return float("nan")
    low, high = np.nanpercentile(some, (10, 90), axis=1)
    return float(median((high - low).max(axis=1)))


def fits(extent: float, unit: str) -> bool:
    """Return whether markers so far apart are a body in a unit."""
    return BODY_M[0] <= extent * UNITS[unit] < BODY_M[1]


def unit_of_a_body(points: Array, said: str) -> tuple[str, float]:
    """Return the unit that is said where a body fits it, else the one it fits, and its metres.

    Of fewer than four markers a frame what is said is believed. Empty where no unit fits.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    said : str
    """
    told = said.strip().lower()
    told = "m" if told.startswith("met") else told
    extent = body_extent(points)
    known = told if told in UNITS else ""
    if np.isnan(extent):
        return (known, UNITS[known]) if known else ("", 1.0)
    if known and fits(extent, known):
        return known, UNITS[known]
    unit = next((u for u in ("m", "cm", "mm") if fits(extent, u)), "")
    return unit, UNITS.get(unit, 1.0)
