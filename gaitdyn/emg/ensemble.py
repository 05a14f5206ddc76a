"""Envelopes and on-times over the gait cycle."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask

POINTS, BINS = 101, 400


def over_cycle(signal: Array, start: Array | float, stop: Array | float) -> Array:
    """Return signals at 0, 1, ... 100 % of cycles, interpolated linearly, shape (..., n, 101).

    Parameters
    ----------
    signal : array, shape (..., m)
    start, stop : array, shape (n,), or float
        Both ends of the cycles in samples, fractions included; within the samples.
    """
    position = np.linspace(start, stop, POINTS, axis=-1).copy()  # row by row in memory
    low = np.minimum(position.astype(int), signal.shape[-1] - 2)
    part = position - low
    return signal.take(low, axis=-1) * (1.0 - part) + signal.take(low + 1, axis=-1) * part


def largest_over_cycle(rectified: Array, start: float, stop: float) -> Array:
    """Return the largest value in each quarter per cent of a cycle, shape (400,).

    Parameters
    ----------
    rectified : array, shape (m,)
    start, stop : float
        In samples, within them.
    """
    edges = np.linspace(start, stop, BINS + 1).astype(int)
    return np.maximum.reduceat(rectified[: edges[-1] + 1], edges[:-1])


def on_over_cycle(on: Mask, start: Array | float, stop: Array | float) -> Array:
    """Return 1 where a muscle is on for most of the time about each per cent, else 0, (n, 101).

    ``start`` and ``stop`` are as in :func:`over_cycle`.
    """
    centres = np.linspace(start, stop, POINTS, axis=-1).copy()
    half = 0.005 * np.subtract(stop, start)[..., None]
    low, high = np.clip(centres - half, 0, len(on)), np.clip(centres + half, 0, len(on))
    total = np.concatenate(([0], np.cumsum(on)))
    share = total[np.rint(high).astype(int)] - total[np.rint(low).astype(int)]
    return (share > 0.5 * (high - low)).astype(float)


def straight_ones(strides: Array, turns: Sequence[bool]) -> Array:
    """Return the strides that do not turn, or all of them if all turn.

    Parameters
    ----------
    strides : array, shape (n, ...)
    turns : sequence of bool
    """
    return strides if all(turns) else strides[~np.array(turns)]


def in_samples(row: float, samples_per_frame: int) -> float:
    """Return the sample of a marker row: sample 0 belongs to the first frame.

    A time t on the clock of the file is in row ``t rate + 1 - first_frame``; ignoring the first
    frame would shift every cycle.
    """
    return row * samples_per_frame


def recorded_part(signal: Array) -> tuple[int, int]:
    """Return the half-open interval in which a channel was recorded; constant ends are padding.

    Examples
    --------
    >>> recorded_part(np.array([0.0, 0.0, 0.0, 1.0, 2.0, 1.0, 1.0]))
    (2, 6)
    """
    steps = np.flatnonzero(signal[1:] != signal[:-1])
    return (int(steps[0]), int(steps[-1]) + 2) if steps.size else (0, 0)


def inside(cycles: Sequence[tuple[float, float]], part: tuple[int, int]) -> list[bool]:
    """Return which cycles lie in the recorded part, within 1 % of their duration at each end."""
    return [part[0] - 0.01 * (b - a) <= a and b <= part[1] - 1 + 0.01 * (b - a) for a, b in cycles]
