"""Drawings put on a sheet of paper: moved and scaled, type and lines with them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.plots.marks import Area, Line, TextLine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.plots.marks import Mark


LEAST_PT = 6.0
"""Words of a drawing on a sheet of paper are no smaller."""


def placed(
    marks: Iterable[Mark], left: float, bottom: float, scale: float, *, least_pt: float = 0.0
) -> list[Mark]:
    """Return marks at another place and size, without the words that only a narrow page shows.

    Parameters
    ----------
    marks : iterable of Mark
        In units.
    left, bottom : float
        Where their lower left corner comes to lie, mm.
    scale : float
        mm a unit.
    least_pt : float
        Words are no smaller than this, but for the bold letters of sides, which stand close.
    """
    origin = np.array([left, bottom])
    found: list[Mark] = []
    for mark in marks:
        if isinstance(mark, TextLine):
            if mark.name.endswith("narrow"):
                continue
            x, y = left + scale * mark.x, bottom + scale * mark.y
            size_pt = max(scale * mark.size_pt, 0.0 if mark.bold else least_pt)
            found.append(replace(mark, x=x, y=y, size_pt=size_pt))
        elif isinstance(mark, Area):
            found.append(replace(mark, points=origin + scale * mark.points))
        else:
            stroke = replace(mark.stroke, width_pt=scale * mark.stroke.width_pt)
            found.append(Line(origin + scale * mark.points, stroke, mark.name))
    return found
