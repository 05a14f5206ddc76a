"""The transmission of seed 003."""

from gaitdyn.multibody.loops import transmission
from gaitdyn.multibody.systems.closed_loop import loop_system
from gaitdyn.multibody.systems.model import Parameter

SYSTEM = loop_system(
    "transmission",
    "two wheels with a fixed ratio",
    transmission,
    [
        Parameter("J1", 0.02, "kg m2", "moment of inertia of the first wheel", positive=True),
        Parameter("J2", 0.35, "kg m2", "moment of inertia of the second wheel", positive=True),
        Parameter("ratio", -0.25, "1", "turns of the second wheel for one of the first"),
    ],
    (
        [Parameter("q1", 0.0, "rad", "angle of the first wheel at the start")],
        [Parameter("qd1", 0.0, "rad/s", "its velocity at the start")],
    ),
    [
        Parameter("tau1", 1.5, "N m", "constant torque on the first wheel"),
        Parameter("tau2", 0.3, "N m", "constant torque on the second wheel"),
    ],
    ("rad", "rad"),
    further=(),
)
