"""The crank-slider of seed 003."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.multibody.loops import crank_slider
from gaitdyn.multibody.systems.closed_loop import BRANCH, loop_run, size_parameters
from gaitdyn.multibody.systems.equations import of_loop
from gaitdyn.multibody.systems.model import Parameter, Run, SeedSystem

if TYPE_CHECKING:
    from gaitdyn.multibody.loop import Loop
    from gaitdyn.multibody.systems.model import Settings

_SIZES = {
    "l1": (0.5, "crank"),
    "l2": (2.0, "rod"),
    "m1": (5.0, "mass of the crank"),
    "m2": (5.0, "mass of the rod"),
    "m3": (10.0, "mass of the slider"),
}


def _loop(asked: Settings) -> Loop:
    sizes = {name: asked.number(name) for name in _SIZES}
    return crank_slider(**sizes, gravity=(0.0, -asked.number("g"), 0.0))


def run(asked: Settings) -> Run:
    """Return the motion of the loop."""
    loop = _loop(asked)
    u, ud = np.array([asked.number("q1")]), np.array([asked.number("qd1")])
    tau = np.array([asked.number("tau"), 0.0, 0.0])
    return loop_run(loop, asked, (u, ud), tau, ("rad", "m", "rad"), 2.0)


SYSTEM = SeedSystem(
    "crank-slider",
    "a crank, a rod and a slider",
    "003",
    (
        *size_parameters(_SIZES),
        Parameter("q1", 0.7, "rad", "angle of the crank at the start"),
        Parameter("qd1", 0.0, "rad/s", "its velocity at the start"),
        Parameter("tau", 0.0, "N m", "constant torque on the crank"),
        BRANCH,
        Parameter("g", 9.81, "m/s2", "gravity, along -y"),
    ),
    run,
    equations=lambda asked: of_loop(_loop(asked)),
)
