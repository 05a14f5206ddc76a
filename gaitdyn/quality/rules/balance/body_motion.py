"""Runs of frames in which the ground reaction force and the motion of the body can be compared."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.runs import known_points, mask_of, runs
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed

SHORTEST_S, CARRIED = 0.25, 0.3
"""Shortest run of support; least share of the body weight on the plates."""

LONG_S = 0.6
"""A run of this length gives the body weight; in a shorter one the motion does not average out."""


@frozen(eq=False)
class PlateSupport:
    """A run of frames in which every standing foot is entirely on plates.

    Attributes
    ----------
    start, stop : int
        Half-open rows.
    force : array, shape (n,)
        Vertical force on both feet, N.
    acceleration : array, shape (n,)
        Of the midpoint of the ASIS markers, upward, m/s2.
    """

    start: int
    stop: int
    force: Array
    acceleration: Array


def supported(result: Processed, *, partial: bool = False) -> list[PlateSupport]:
    """Return the runs in which the force of the ground on the whole body is known; computed once.

    Parameters
    ----------
    result : Processed
    partial : bool
        Also during contacts that the file cuts, or that carry less than the body weight, as with a
        wrong mass; not those with a part of the foot beside the plates.
    """
    return result.once(f"supported, partial {partial}", lambda: _supported(result, partial=partial))


def _supported(result: Processed, *, partial: bool) -> list[PlateSupport]:
    wrenches = [side.wrench for side in result.sides.values()]
    if len(wrenches) < 2 or any(w is None for w in wrenches):  # noqa: PLR2004  both feet
        return []
    rate = result.recording.rate_hz
    force = np.sum([w.force_G[:, 1] for w in wrenches if w is not None], axis=0)
    acceleration = np.gradient(np.gradient(result.pose.origin_G[:, 1], 1 / rate), 1 / rate)
    least = CARRIED * STANDARD_GRAVITY * (result.subject.mass_kg or 0.0)
    with np.errstate(invalid="ignore"):
        known = (force > max(least, 1.0)) & np.isfinite(acceleration)
    known &= ~partly_loaded(result, len(known), beside=partial) & both_seen(result)
    return [
        PlateSupport(start, stop, force[start:stop], acceleration[start:stop])
        for start, stop in runs(known)
        if stop - start >= SHORTEST_S * rate
    ]


def both_seen(result: Processed) -> Mask:
    """Return where each foot is on a plate or its heel or toe is visible, shape (n,).

    A foot that nobody sees may stand beside the plates.
    """
    seen = np.ones(result.recording.n_frames, bool)
    for name, side in result.sides.items():
        visible = np.any([known_points(point) for point in result.feet[name]], axis=0)
        seen &= visible if side.wrench is None else visible | side.wrench.in_contact
    return seen


def partly_loaded(result: Processed, n: int, *, beside: bool = False) -> Mask:
    """Return which of the ``n`` frames have a step that is not whole on its plates, shape (n,).

    With ``beside``, only steps whose markers or time show that a part of the load is not
    measured: any other may carry too little because the mass is wrong.
    """
    partial = (c for c in result.contacts if c.verdict == "partial")
    return mask_of(((c.start, c.stop) for c in partial if not beside or c.code == "late"), n)


def long_runs(result: Processed, *, partial: bool = False) -> list[PlateSupport]:
    """Return the runs of :func:`supported` that last 0.6 s or more."""
    least = LONG_S * result.recording.rate_hz
    return [run for run in supported(result, partial=partial) if len(run.force) >= least]
