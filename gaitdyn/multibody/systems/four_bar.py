"""The four-bar of seed 003."""

from gaitdyn.multibody.loops import four_bar
from gaitdyn.multibody.systems.closed_loop import loop_system

SYSTEM = loop_system("four-bar", "a closed loop of four bars", four_bar, ("rad", "rad", "rad"))
