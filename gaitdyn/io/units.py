"""The unit of coordinates: as stated, or by the size of the body."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.core.medians import known_median, median
from gaitdyn.core.percentiles import known_percentiles
from gaitdyn.io.c3d.parameters import Parameters
from gaitdyn.types.arrays import Array

UNITS = {"mm": 1e-3, "cm": 1e-2, "dm": 0.1, "m": 1.0, "in": 0.0254, "ft": 0.3048}
"""Unit of length -> metres."""
_SPELLED = {"mil": "mm", "cen": "cm", "met": "m", "inc": "in", "foo": "ft", "fee": "ft"}
"""First letters of a unit in words -> unit."""
BODY_M = (0.25, 2.5)
"""Extent of most markers of a person in one frame, m, from a foot and a shank to raised arms."""
NO_BODY_M = 0.05
"""Markers that lie closer together than this, m, in the stated unit are in another unit."""
LARGEST_BODY_M = 8.0
"""Markers that lie farther apart than this, m, in the stated unit are in another unit."""
_SMALL_M, _SURE_M, _LARGEST_COORDINATE_M = 0.5, 10.0, 50.0
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
    low, high = known_percentiles(np.moveaxis(sample, 1, 0), 10, 90)
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


def unit_of_points(
    params: Parameters, points: Array, labels: tuple[str, ...] = ()
) -> tuple[float, str, tuple[str, ...]]:
    """Return metres per unit, the unit's name, and a note if the data had to decide.

    Parameters
    ----------
    params : Parameters
    points : array, shape (n, m, 3)
    labels : tuple of str, optional
        One per point; those with a star belong to other people or to nobody, and are not part of
        the body.
    """
    stated = text_of(params, "UNITS").strip().lower()
    unit = stated_unit(stated)
    sample = np.abs(points[:: max(1, len(points) // _SAMPLED_FRAMES)])
    largest = np.fmax.reduce(sample, axis=None) if sample.size else np.nan
    if unit and _SMALL_M < largest * UNITS[unit] < _SURE_M:
        return UNITS[unit], unit, ()  # the median is not larger
    size = known_median(sample)
    size = known_median(np.abs(points)) if math.isnan(size) else size
    size = 0.0 if math.isnan(size) else size
    is_named = [not label.startswith("*") for label in labels]
    extent = body_extent(points[:, is_named] if is_named else points)
    extent = body_extent(points) if math.isnan(extent) else extent
    by_body = next((u for u in ("m", "cm", "mm") if fits(extent, u)), "")
    if (
        unit
        and size * UNITS[unit] < _LARGEST_COORDINATE_M
        and not (by_body and not NO_BODY_M <= extent * UNITS[unit] < LARGEST_BODY_M)
    ):
        return UNITS[unit], unit, ()
    decided = by_body or ("mm" if size > _LARGEST_COORDINATE_M else "m")
    return UNITS[decided], decided, (by_size(decided, stated),)


def by_size(decided: str, stated: str) -> str:
    """Return the note on a unit of the points that the file does not state, or states wrongly.

    Examples
    --------
    >>> by_size("mm", "")
    'the points are in mm, as their size shows; the file states no unit'
    """
    file = f"the file says {stated!r}" if stated.strip() else "the file states no unit"
    return f"the points are in {decided}, as their size shows; {file}"


def text_of(params: Parameters, name: str) -> str:
    """Return the first text of a parameter of the group POINT; empty without one."""
    texts = params.strings("POINT", name)
    return texts[0] if texts else ""
