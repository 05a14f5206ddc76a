"""Figures of one trial.

Only :mod:`gaitdyn.plots.png` and :mod:`gaitdyn.plots.render` use a drawing library; they are
imported when something is drawn. The panels are defined in :mod:`gaitdyn.plots.panels`.
"""

from gaitdyn.plots.figures import draw_figures, draw_mechanism, figure_sheets
from gaitdyn.plots.panels import KINEMATICS, KINETICS, fitting_panel

__all__ = [
    "KINEMATICS",
    "KINETICS",
    "draw_figures",
    "draw_mechanism",
    "figure_sheets",
    "fitting_panel",
]
