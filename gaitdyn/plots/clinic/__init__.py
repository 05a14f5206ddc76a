"""The clinician's drawings: panels, strips, profile, floor plan, moving figure.

They are lists of marks, as all drawings here. Their unit is 1/240 of the width of a panel, about a
pixel of the page; :mod:`gaitdyn.plots.clinic.writing` turns them into SVG and
:mod:`gaitdyn.plots.clinic.placing` puts them on a sheet of paper.
"""

from gaitdyn.plots.clinic.grids import Cell, cells_of, kinematic_grid, kinetic_grid
from gaitdyn.plots.clinic.panel import Panelled, panel_drawing
from gaitdyn.plots.clinic.shown import Shown, shown_curves
from gaitdyn.plots.clinic.writing import drawing_svg

__all__ = [
    "Cell",
    "Panelled",
    "Shown",
    "cells_of",
    "drawing_svg",
    "kinematic_grid",
    "kinetic_grid",
    "panel_drawing",
    "shown_curves",
]
