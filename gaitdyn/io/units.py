"""Find the unit of coordinates from the size of the body."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

UNITS = {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "in": 0.0254, "ft": 0.3048}
"""Unit of length -> metres."""
_SPELLED = {"mil": "mm", "cen": "cm", "met": "m", "inc": "in", "foo": "ft", "fee": "ft"}
"""First letters of a unit in words -> unit."""
BODY_M = (0.25, 2.5)
"""Extent of most markers of a person in one frame, m, from a foot and a shank to raised arms."""
NO_BODY_M = 0.05
"""Markers that lie closer together than this, m, in the stated unit are in another unit."""
_FEWEST, _SAMPLED_FRAMES = 4, 50


def body_extent(points: Array) -> float:
    """Return the extent of most markers in a frame, median over frames; NaN if too few.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        NaN where not visible; any unit.
    """
    sample = points[:: max(1, len(points) // _SAMPLED_FRAMES)]
    sample = sample[np.isfinite(sample).all(axis=2).sum(axis=1) >= _FEWEST]
    if not len(sample):
        return float("nan")
    low, high = np.nanpercentile(sample, (10, 90), axis=1)
    return float(median((high - low).max(axis=1)))


def fits(extent: float, unit: str) -> bool:
    """Return whether markers of this extent can be a body in a unit."""
    return BODY_M[0] <= extent * UNITS[unit] < BODY_M[1]


def stated_unit(said: str) -> str:
    """Return the unit of :data:`UNITS` that a file states, in letters or words; empty if none.

    Examples
    --------
    >>> stated_unit(" MM"), stated_unit("Inches"), stated_unit("mete"), stated_unit("px")
    ('mm', 'in', 'm', '')
    """
    unit = said.strip().lower()
    return unit if unit in UNITS else _SPELLED.get(unit[:3], "")


def unit_of_a_body(points: Array, said: str) -> tuple[str, float]:
    """Return the stated unit if a body fits it, else the unit that fits, and its metres.

    With fewer than four markers per frame the stated unit is trusted. Empty if no unit fits.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    said : str
    """
    known, extent = stated_unit(said), body_extent(points)
    if np.isnan(extent):
        return (known, UNITS[known]) if known else ("", 1.0)
    if known and fits(extent, known):
        return known, UNITS[known]
    unit = next((u for u in ("m", "cm", "mm") if fits(extent, u)), "")
    return unit, UNITS.get(unit, 1.0)
