"""Cycles made of straight lines, whose peaks and areas are seen without calculating."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.cycles import Cycle, CycleCurves

UNITS = {"_angle_": "deg", "_moment_": "N m/kg", "_power": "W/kg", "grf_": "N/kg"}


def triangle(start: float, top: float, stop: float, height: float) -> np.ndarray:
    """Rise from 0 at ``start`` % to ``height`` at ``top`` % and fall to 0 at ``stop`` %."""
    return np.interp(np.arange(101), [start, top, stop], [0.0, height, 0.0])


def cycle_of(
    curves: dict[str, np.ndarray], side: str = "left", number: int = 1, off: float | None = 60.0
) -> CycleCurves:
    """Return a cycle of 200 frames: 2 s at 100 Hz, so that 1 % is 0.02 s."""
    units = tuple(next(u for part, u in UNITS.items() if part in name) for name in curves)
    values = np.stack([np.asarray(c, float) for c in curves.values()], axis=1)
    return CycleCurves(Cycle(side, number, 50.0, 250.0, off), tuple(curves), units, values)
