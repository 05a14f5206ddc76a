"""Place drawings on a sheet of paper: move and scale them with their type and lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from gaitdyn.plots.marks import Area, Line, Mark, TextLine

LEAST_PT = 6.0
"""Smallest type of a drawing on a sheet of paper."""


def placed(
    marks: Iterable[Mark], left: float, bottom: float, scale: float, *, least_pt: float = 0.0
) -> list[Mark]:
    """Return marks moved and scaled, without the words that only a narrow page shows.

    Parameters
    ----------
    marks : iterable of Mark
        Marks in units.
    left, bottom : float
        Position of their lower left corner, mm.
    scale : float
        mm per unit.
    least_pt : float
        Smallest size of words, except for the bold letters of the sides, which have little room.
    """
    origin = np.array([left, bottom])
    moved: list[Mark] = []
    for mark in marks:
        if isinstance(mark, TextLine):
            if mark.name.endswith("narrow"):
                continue
            x, y = left + scale * mark.x, bottom + scale * mark.y
            size_pt = max(scale * mark.size_pt, 0.0 if mark.bold else least_pt)
            moved.append(replace(mark, x=x, y=y, size_pt=size_pt))
        elif isinstance(mark, Area):
            moved.append(replace(mark, points=origin + scale * mark.points))
        else:
            stroke = replace(mark.stroke, width_pt=scale * mark.stroke.width_pt)
            moved.append(Line(origin + scale * mark.points, stroke, mark.name))
    return moved
