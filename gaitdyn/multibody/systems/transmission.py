"""The transmission of seed 003."""

from gaitdyn.multibody.loops import transmission
from gaitdyn.multibody.systems.closed_loop import loop_system

SYSTEM = loop_system("transmission", "two wheels with a fixed ratio", transmission, ("rad", "rad"))
