"""The crank-slider of seed 003."""

from gaitdyn.multibody.loops import crank_slider
from gaitdyn.multibody.systems.closed_loop import loop_system, size_parameters
from gaitdyn.multibody.systems.model import Parameter

SYSTEM = loop_system(
    "crank-slider",
    "a crank, a rod and a slider",
    crank_slider,
    size_parameters(
        {
            "l1": (0.5, "crank"),
            "l2": (2.0, "rod"),
            "m1": (5.0, "mass of the crank"),
            "m2": (5.0, "mass of the rod"),
            "m3": (10.0, "mass of the slider"),
        }
    ),
    (
        [Parameter("q1", 0.7, "rad", "angle of the crank at the start")],
        [Parameter("qd1", 0.0, "rad/s", "its velocity at the start")],
    ),
    [Parameter("tau", 0.0, "N m", "constant torque on the crank")],
    ("rad", "m", "rad"),
)
