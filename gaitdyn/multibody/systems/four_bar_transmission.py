"""The four-bar transmission of seed 003."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.multibody.loops import four_bar_transmission
from gaitdyn.multibody.systems.closed_loop import BRANCH, loop_run, size_parameters
from gaitdyn.multibody.systems.equations import of_loop
from gaitdyn.multibody.systems.model import Parameter, Run, SeedSystem

if TYPE_CHECKING:
    from gaitdyn.multibody.loop import Loop
    from gaitdyn.multibody.systems.model import Settings

_SIZES = {
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


def _loop(asked: Settings) -> Loop:
    sizes = {name: asked.number(name) for name in _SIZES}
    return four_bar_transmission(**sizes, gravity=(0.0, -asked.number("g"), 0.0))


def run(asked: Settings) -> Run:
    """Return the motion of the loop."""
    loop = _loop(asked)
    u = np.array([asked.number("q1"), asked.number("q2")])
    ud = np.array([asked.number("qd1"), asked.number("qd2")])
    tau = np.array([asked.number("tau"), 0.0, 0.0, 0.0])
    return loop_run(loop, asked, (u, ud), tau, ("rad", "rad", "rad", "m"), 0.15)


SYSTEM = SeedSystem(
    "four-bar-transmission",
    "a four-bar loop with a telescope: two freedoms",
    "003",
    (
        *size_parameters(_SIZES),
        Parameter("q1", 1.2, "rad", "angle of the first bar at the start"),
        Parameter("q2", -0.9, "rad", "angle of the second bar in the first at the start"),
        Parameter("qd1", 0.0, "rad/s", "velocity at the start"),
        Parameter("qd2", 0.0, "rad/s", "velocity at the start"),
        Parameter("tau", 0.0, "N m", "constant torque on the first bar"),
        BRANCH,
        Parameter("g", 9.81, "m/s2", "gravity, along -y"),
    ),
    run,
    equations=lambda asked: of_loop(_loop(asked)),
)
