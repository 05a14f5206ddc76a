"""The four-bar of seed 003."""

from gaitdyn.multibody.loops import four_bar
from gaitdyn.multibody.systems.closed_loop import loop_system, size_parameters
from gaitdyn.multibody.systems.model import Parameter

SYSTEM = loop_system(
    "four-bar",
    "a closed loop of four bars",
    four_bar,
    size_parameters(
        {
            "l1": (1.0, "ground, from A to D"),
            "l2": (4.0, "crank, from A to B"),
            "l3": (4.0, "coupler, from B to C"),
            "l4": (5.0, "rocker, from D to C"),
            "m2": (1.0, "mass of the crank"),
            "m3": (1.0, "mass of the coupler"),
            "m4": (1.0, "mass of the rocker"),
        }
    ),
    (
        [Parameter("q1", 1.0471975511965976, "rad", "angle of the crank at the start")],
        [Parameter("qd1", 0.0, "rad/s", "its velocity at the start")],
    ),
    [Parameter("tau", 0.0, "N m", "constant torque on the crank")],
    ("rad", "rad", "rad"),
)
