"""The four-bar transmission of seed 003."""

from gaitdyn.multibody.loops import four_bar_transmission
from gaitdyn.multibody.systems.closed_loop import loop_system

SYSTEM = loop_system(
    "four-bar-transmission",
    "a four-bar loop with a telescope: two degrees of freedom",
    four_bar_transmission,
    ("rad", "rad", "rad", "m"),
)
