"""What an unloaded plate reads, and which way its force points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import percentile, runs
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.wrench import PlateWrench

STEP_N = 100.0
"""A plate whose force rises by less than this above its lowest level carried no step."""

LARGEST_BASELINE_N = 150.0
"""A lowest level above this is a person standing, not an un-tared plate."""

_BAND_N = 15.0

_FEWEST_UNLOADED = 5
"""Frames of an unloaded run whose median is its level."""


@frozen(eq=False)
class CleanPlate:
    """A plate without its baseline and with its force pointing up.

    Attributes
    ----------
    wrench : PlateWrench
    baseline_N : float
        Size of the force that was removed.
    noise_N : float
        Standard deviation of the vertical force while unloaded; 0 where it never was.
    inverted : bool
        The plate recorded the force on itself and was turned round.
    """

    wrench: PlateWrench
    baseline_N: float
    noise_N: float
    inverted: bool


def clean_plate(wrench: PlateWrench, *, remove: bool = True) -> CleanPlate:
    """Return the plate with the unloaded median removed and the polarity checked.

    The force on the subject points against the plate's downward normal; a plate that pulls a
    person down records the action, and all six components change sign.

    Parameters
    ----------
    wrench : PlateWrench
    remove : bool
        False: find the baseline and leave it in.

    Returns
    -------
    CleanPlate
    """
    up = wrench.force_G @ wrench.normal_G
    inverted = abs(np.nanmin(up)) > max(np.nanmax(up), STEP_N)
    if inverted:
        wrench = _shifted(wrench, -1.0, np.zeros(3), np.zeros(3))
        up = -up
    unloaded = unloaded_frames(up, wrench.standing, wrench.seen)
    if unloaded.sum() == 0:
        return CleanPlate(wrench, 0.0, 0.0, bool(inverted))
    force = median(wrench.force_G[unloaded], axis=0)
    moment = median(wrench.moment_G[unloaded], axis=0)
    noise = float(1.4826 * median(np.abs(up[unloaded] - median(up[unloaded]))))
    if wrench.virtual:  # given as it acts on the subject
        return CleanPlate(wrench, 0.0, noise, bool(inverted))
    if remove:
        wrench = _shifted(wrench, 1.0, force, moment)
    return CleanPlate(wrench, float(np.linalg.norm(force)), noise, bool(inverted))


def without_drift(wrench: PlateWrench, samples: Array, unloaded: Mask) -> tuple[PlateWrench, float]:
    """Return a plate less what it reads in each unloaded run, on straight lines between them.

    The level of a run is the median of its samples at the analog rate: a plate whose force was
    clipped at zero reads its noise above zero alone, and means over samples would be too high. A
    level above 150 N is a person's weight.

    Parameters
    ----------
    wrench : PlateWrench
        At the marker rate.
    samples : array, shape (n * ratio, 6)
        Force and moment as of ``wrench`` at the analog rate.
    unloaded : array of bool, shape (n,)

    Returns
    -------
    wrench : PlateWrench
    level_N : float
        Median size of the levels of force.
    """
    ratio = len(samples) // len(unloaded)
    at: list[float] = []
    levels: list[Array] = []
    for start, stop in runs(unloaded):
        level = median(samples[start * ratio : stop * ratio], axis=0)
        if stop - start >= _FEWEST_UNLOADED and np.linalg.norm(level[:3]) < LARGEST_BASELINE_N:
            at.append(0.5 * (start + stop - 1))
            levels.append(level)
    if not levels:
        return wrench, 0.0
    columns, rows = np.transpose(levels), np.arange(len(unloaded))
    level = np.stack([np.interp(rows, at, column) for column in columns], axis=1)
    size = float(median(np.linalg.norm(columns[:3], axis=0)))
    return _shifted(wrench, 1.0, level[:, :3], level[:, 3:]), size


def _shifted(wrench: PlateWrench, sign: float, force: Array, moment: Array) -> PlateWrench:
    """Return a wrench times a sign and less what an empty plate reads."""
    edges = wrench.edge_force_G
    return replace(
        wrench,
        force_G=sign * wrench.force_G - force,
        moment_G=sign * wrench.moment_G - moment,
        edge_force_G=None if edges is None else sign * edges - force,
    )


def unloaded_frames(
    up: Array, standing: Mask | None = None, seen: Mask | None = None
) -> np.ndarray:
    """Return in which frames nobody stands on a plate, shape (n,).

    All frames when no step is seen, otherwise the frames within 15 N of the lowest tenth; never
    those in which a foot stands over the plate. A level above 150 N is a person's weight unless
    feet are seen elsewhere and steps rise above it.

    Parameters
    ----------
    up : array, shape (n,)
        Upward force, N.
    standing, seen : arrays of bool, shape (n,), optional
        As of :class:`~gaitdyn.types.wrench.PlateWrench`.
    """
    low, high = percentile(up, 5), up.max()
    steps = high - low >= STEP_N
    empty = np.abs(up - low) < _BAND_N if steps else np.ones(len(up), bool)
    away = np.zeros(len(up), bool)
    if standing is not None and seen is not None:
        empty, away = empty & ~standing, seen & ~standing
    if abs(low) > LARGEST_BASELINE_N and not (steps and away[empty].any()):
        return np.zeros(len(up), bool)
    return empty
