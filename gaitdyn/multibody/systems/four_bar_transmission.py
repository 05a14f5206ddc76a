"""The four-bar transmission of seed 003."""

from gaitdyn.multibody.loops import four_bar_transmission
from gaitdyn.multibody.systems.closed_loop import loop_system, size_parameters
from gaitdyn.multibody.systems.model import Parameter

SYSTEM = loop_system(
    "four-bar-transmission",
    "a four-bar loop with a telescope: two freedoms",
    four_bar_transmission,
    size_parameters(
        {
            "l1": (0.05, "ground, from A to D"),
            "l2": (0.06, "first bar, from A to B"),
            "l3": (0.065, "second bar, from B to C"),
            "m2": (0.6, "mass of the first bar"),
            "m3": (0.65, "mass of the second bar"),
            "m4a": (0.6, "mass of the telescope's tube"),
            "l4a": (0.02, "length of the tube, from D on"),
            "m4b": (0.6, "mass of the telescope's rod"),
            "l4b": (0.02, "length of the rod, from C on"),
        }
    ),
    (
        [
            Parameter("q1", 1.2, "rad", "angle of the first bar at the start"),
            Parameter("q2", -0.9, "rad", "angle of the second bar in the first at the start"),
        ],
        [
            Parameter("qd1", 0.0, "rad/s", "velocity at the start"),
            Parameter("qd2", 0.0, "rad/s", "velocity at the start"),
        ],
    ),
    [Parameter("tau", 0.0, "N m", "constant torque on the first bar")],
    ("rad", "rad", "rad", "m"),
    duration_s=0.15,
)
