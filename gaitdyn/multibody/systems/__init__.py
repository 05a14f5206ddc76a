"""The systems of the seed documents as runnable examples, one file per system."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import SimulationRefused, UsageError
from gaitdyn.multibody.systems.model import ExtraTable, SeedSystem, Settings, SystemRun
from gaitdyn.multibody.systems.settings import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

NAMES = (
    "double-pendulum", "one-link", "two-link", "muscle-arm", "pendulum-3d", "crank-slider",
    "four-bar", "four-bar-transmission", "transmission", "manipulator", "biped", "sliding-block",
)  # fmt: skip
"""Names of the systems; each file has that name, with ``_`` for ``-``."""


def find(name: str) -> SeedSystem:
    """Return the system with this name.

    Parameters
    ----------
    name : str
        One of :data:`NAMES`.

    Raises
    ------
    UsageError
        If there is no such system.
    """
    if name not in NAMES:
        problem = f"no system is called {name!r}" if name else "no system was named"
        raise UsageError(f"{problem}; wanted one of {', '.join(NAMES)}")
    system: SeedSystem = import_module(f"{__name__}.{name.replace('-', '_')}").SYSTEM
    return system


def simulate(
    name: str,
    words: Sequence[str] = (),
    *,
    duration_s: float | None = None,
    rate_hz: float | None = None,
    as_published: bool = False,
    integrator: str | None = None,
    step_s: float | None = None,
) -> tuple[Settings, SystemRun]:
    """Run a system; return its resolved settings and its motion.

    Parameters
    ----------
    name : str
        One of :data:`NAMES`.
    words : sequence of str
        ``KEY=VALUE``.
    duration_s, rate_hz : float, optional
        The system's defaults if not given.
    as_published : bool
        Reproduce the printed run with its errors.
    integrator : str, optional
        One of :data:`gaitdyn.multibody.simulate.Method`; the system's default if not given.
    step_s : float, optional
        Step of Euler's method; 0.1 ms if not given.

    Raises
    ------
    UsageError
        As :func:`find` and :func:`settings`.
    SimulationRefused
        If the motion cannot be computed.

    Examples
    --------
    >>> resolved, motion = simulate("sliding-block", ["u=20"], duration_s=1.0, rate_hz=2.0)
    >>> motion.qd[:, 0].round(3).tolist()
    [1.0, 1.038, 1.076]
    """
    system = find(name)
    resolved = settings(
        system, words, duration_s=duration_s, rate_hz=rate_hz, as_published=as_published,
        integrator=integrator, step_s=step_s,
    )  # fmt: skip
    with np.errstate(over="ignore", invalid="ignore"):  # refused, not warned of
        run = system.run(resolved)
    if not np.isfinite(run.energy_j).all():
        raise SimulationRefused("the energy of the motion is beyond all numbers")
    return resolved, run


__all__ = [
    "NAMES", "ExtraTable", "SeedSystem", "Settings", "SystemRun", "find", "settings", "simulate",
]  # fmt: skip
