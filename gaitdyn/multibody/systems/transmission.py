"""The transmission of seed 003."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.multibody.loops import transmission
from gaitdyn.multibody.systems.closed_loop import loop_run
from gaitdyn.multibody.systems.equations import of_loop
from gaitdyn.multibody.systems.model import Parameter, Run, SeedSystem

if TYPE_CHECKING:
    from gaitdyn.multibody.loop import Loop
    from gaitdyn.multibody.systems.model import Settings

_SIZES = {
    "J1": (0.02, "moment of inertia of the first wheel"),
    "J2": (0.35, "moment of inertia of the second wheel"),
    "ratio": (-0.25, "turns of the second wheel for one of the first"),
}


def _loop(asked: Settings) -> Loop:
    return transmission(**{name: asked.number(name) for name in _SIZES})


def run(asked: Settings) -> Run:
    """Return the motion of the loop."""
    u, ud = np.array([asked.number("q1")]), np.array([asked.number("qd1")])
    tau = np.array([asked.number("tau1"), asked.number("tau2")])
    return loop_run(_loop(asked), asked, (u, ud), tau, ("rad", "rad"), 2.0)


SYSTEM = SeedSystem(
    "transmission",
    "two wheels with a fixed ratio",
    "003",
    (
        *(
            Parameter(
                name,
                value,
                "kg m2" if name.startswith("J") else "1",
                text,
                positive=name.startswith("J"),
            )
            for name, (value, text) in _SIZES.items()
        ),
        Parameter("q1", 0.0, "rad", "angle of the first wheel at the start"),
        Parameter("qd1", 0.0, "rad/s", "its velocity at the start"),
        Parameter("tau1", 1.5, "N m", "constant torque on the first wheel"),
        Parameter("tau2", 0.3, "N m", "constant torque on the second wheel"),
    ),
    run,
    equations=lambda asked: of_loop(_loop(asked)),
)
