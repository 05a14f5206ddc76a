"""Where on the cycle a curve leaves its band."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.types.arrays import Array, Mask


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of neighbouring points, both ends in it.

    Attributes
    ----------
    start, stop, peak : int
        Points; at ``peak`` the curve is farthest out, of all its points.
    """

    start: int
    stop: int
    peak: int


def runs_of(beyond: Mask, far: Array) -> tuple[Run, ...]:
    """Return the stretches where a mask holds, the farthest first.

    Any point beyond a simultaneous band is a finding by itself, so that no stretch is too short.

    Parameters
    ----------
    beyond : array of bool, shape (k,)
    far : array, shape (k,)
        How far out each point is, such as |t|.

    Examples
    --------
    >>> runs_of(np.array([0, 1, 1, 0, 1], dtype=bool), np.array([0.0, 3.0, 4.0, 0.0, 5.0]))
    (Run(start=4, stop=4, peak=4), Run(start=1, stop=2, peak=2))
    """
    edges = np.diff(np.concatenate(([False], beyond, [False])).astype(int))
    starts, stops = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0) - 1
    found = [
        Run(int(a), int(b), int(a + np.argmax(far[a : b + 1])))
        for a, b in zip(starts, stops, strict=True)
    ]
    return tuple(sorted(found, key=lambda run: -far[run.peak]))
