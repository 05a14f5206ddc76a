"""The four-bar of seed 003."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.multibody.loops import four_bar
from gaitdyn.multibody.systems.closed_loop import BRANCH, loop_run, size_parameters
from gaitdyn.multibody.systems.equations import of_loop
from gaitdyn.multibody.systems.model import Parameter, Run, SeedSystem

if TYPE_CHECKING:
    from gaitdyn.multibody.loop import Loop
    from gaitdyn.multibody.systems.model import Settings

_SIZES = {
    "l1": (1.0, "ground, from A to D"),
    "l2": (4.0, "crank, from A to B"),
    "l3": (4.0, "coupler, from B to C"),
    "l4": (5.0, "rocker, from D to C"),
    "m2": (1.0, "mass of the crank"),
    "m3": (1.0, "mass of the coupler"),
    "m4": (1.0, "mass of the rocker"),
}


def _loop(asked: Settings) -> Loop:
    sizes = {name: asked.number(name) for name in _SIZES}
    return four_bar(**sizes, gravity=(0.0, -asked.number("g"), 0.0))


def run(asked: Settings) -> Run:
    """Return the motion of the loop."""
    loop = _loop(asked)
    u, ud = np.array([asked.number("q1")]), np.array([asked.number("qd1")])
    tau = np.array([asked.number("tau"), 0.0, 0.0])
    return loop_run(loop, asked, (u, ud), tau, ("rad", "rad", "rad"), 2.0)


SYSTEM = SeedSystem(
    "four-bar",
    "a closed loop of four bars",
    "003",
    (
        *size_parameters(_SIZES),
        Parameter("q1", 1.0471975511965976, "rad", "angle of the crank at the start"),
        Parameter("qd1", 0.0, "rad/s", "its velocity at the start"),
        Parameter("tau", 0.0, "N m", "constant torque on the crank"),
        BRANCH,
        Parameter("g", 9.81, "m/s2", "gravity, along -y"),
    ),
    run,
    equations=lambda asked: of_loop(_loop(asked)),
)
