"""The crank-slider of seed 003."""

from gaitdyn.multibody.loops import crank_slider
from gaitdyn.multibody.systems.closed_loop import loop_system

SYSTEM = loop_system(
    "crank-slider", "a crank, a rod and a slider", crank_slider, ("rad", "m", "rad")
)
