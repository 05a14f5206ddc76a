"""The baseline of an unloaded force plate and the polarity of its force."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.places import plate_axes
from gaitdyn.core.runs import runs
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed
from gaitdyn.types.wrench import PlateWrench

STEP_N = 100.0
"""A plate whose force rises by less than this above its lowest level was not stepped on."""

LARGEST_BASELINE_N = 150.0
"""A lowest level above this is a person standing, not a plate that was not zeroed."""

_BAND_N = 15.0
"""A plate within this of its lowest level counts as empty."""

_STEADY = 90.0
"""Part of the frames, in percent, that lie within the band around one level."""

_FEWEST_UNLOADED = 5
"""Fewest frames of an unloaded run that give a level."""


@frozen(eq=False)
class CleanPlate:
    """A plate without its baseline and with its force pointing up.

    Attributes
    ----------
    wrench : PlateWrench
    baseline_N : float
        Size of the force that was removed.
    noise_N : float
        Standard deviation of the vertical force while unloaded; 0 if the plate never was.
    inverted : bool
        The plate recorded the force that acts on it, and its sign was changed.
    """

    wrench: PlateWrench
    baseline_N: float
    noise_N: float
    inverted: bool


def clean_plate(wrench: PlateWrench, *, remove: bool = True) -> CleanPlate:
    """Return the plate with the unloaded median removed and the polarity checked.

    The force on the subject points against the plate's downward normal. A plate that seems to pull
    a person down records the force on the plate, so all six components change sign. A plate that
    was not zeroed pulls down from the level that it has while the feet are elsewhere.

    Parameters
    ----------
    wrench : PlateWrench
    remove : bool
        False: measure the baseline but do not subtract it.
    """
    up = wrench.force_G @ wrench.normal_G
    above = up - _level_away(up, wrench.standing, wrench.seen)
    inverted = abs(np.fmin.reduce(above)) > max(np.fmax.reduce(above), STEP_N)
    if inverted:
        wrench = _shifted(wrench, -1.0, np.zeros(3), np.zeros(3))
        up = -up
    unloaded = unloaded_frames(up, wrench.standing, wrench.seen)
    if unloaded.sum() == 0:
        return CleanPlate(wrench, 0.0, 0.0, bool(inverted))
    force, moment = _levels(wrench.force_G[unloaded], wrench.moment_G[unloaded], wrench)
    noise = float(1.4826 * median(np.abs(up[unloaded] - median(up[unloaded]))))
    if wrench.virtual:  # already the wrench on the subject
        return CleanPlate(wrench, 0.0, noise, bool(inverted))
    if remove:
        wrench = _shifted(wrench, 1.0, force, moment)
    return CleanPlate(wrench, float(np.linalg.norm(force)), noise, bool(inverted))


def _level_away(up: Array, standing: Mask | None, seen: Mask | None) -> float:
    """Return the force while all feet are seen beside the plate, N; 0 if it is not one level."""
    away = feet_beside(standing, seen, len(up))
    if not away.any():
        return 0.0
    level = float(median(up[away]))
    return level if percentile(np.abs(up[away] - level), _STEADY) < _BAND_N else 0.0


def feet_beside(standing: Mask | None, seen: Mask | None, n_frames: int) -> Mask:
    """Return in which frames all feet are seen beside a plate, shape (n,); none if not known.

    Parameters
    ----------
    standing, seen : arrays of bool, shape (n,), or None
        As in :class:`~gaitdyn.types.wrench.PlateWrench`.
    n_frames : int
    """
    if standing is None or seen is None:
        return np.zeros(n_frames, bool)
    return seen & ~standing


def plates_of(result: Processed) -> tuple[PlateWrench, ...]:
    """Return the plates of a trial as :func:`clean_plate` leaves them, computed once."""
    return result.once(
        "plates without baseline", lambda: tuple(clean_plate(p).wrench for p in result.trial.plates)
    )


def without_drift(wrench: PlateWrench, samples: Array, unloaded: Mask) -> tuple[PlateWrench, float]:
    """Return a plate without its baseline drift, interpolated linearly between unloaded runs.

    The level of a run is the median of its samples at the analog rate. If the force was clipped at
    zero, only the noise above zero remains, and a mean over the samples would be too high. A level
    above 150 N is a person's weight.

    Parameters
    ----------
    wrench : PlateWrench
        At the marker rate.
    samples : array, shape (n * ratio, 6)
        Force and moment of ``wrench`` at the analog rate.
    unloaded : array of bool, shape (n,)

    Returns
    -------
    wrench : PlateWrench
    level_N : float
        Median magnitude of the levels of force.
    """
    ratio = len(samples) // len(unloaded)
    middles: list[float] = []
    levels: list[Array] = []
    for start, stop in runs(unloaded):
        rows = samples[start * ratio : stop * ratio]
        level = np.concatenate(_levels(rows[:, :3], rows[:, 3:], wrench))
        if stop - start >= _FEWEST_UNLOADED and np.linalg.norm(level[:3]) < LARGEST_BASELINE_N:
            middles.append(0.5 * (start + stop - 1))
            levels.append(level)
    if not levels:
        return wrench, 0.0
    columns, rows = np.transpose(levels), np.arange(len(unloaded))
    level = np.stack([np.interp(rows, middles, column) for column in columns], axis=1)
    size = float(median(np.linalg.norm(columns[:3], axis=0)))
    return _shifted(wrench, 1.0, level[:, :3], level[:, 3:]), size


def _levels(force_G: Array, moment_G: Array, wrench: PlateWrench) -> tuple[Array, Array]:
    """Return the medians of force and moment by the axes of their plate, in G, each of shape (3,).

    Medians of components depend on the axes: by those of the laboratory, the level would change
    with the way in which the plate lies in it.
    """
    R = plate_axes(wrench.corners_G)
    return R @ median(force_G @ R, axis=0), R @ median(moment_G @ R, axis=0)


def _shifted(wrench: PlateWrench, sign: float, force: Array, moment: Array) -> PlateWrench:
    """Return a wrench multiplied by a sign, minus the reading of an unloaded plate."""
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

    Without a step all frames, otherwise those within 15 N of the 5th percentile; never those in
    which a foot stands over the plate. A level above 150 N is a person's weight, unless steps rise
    above it while the feet are elsewhere.

    Parameters
    ----------
    up : array, shape (n,)
        Upward force, N.
    standing, seen : arrays of bool, shape (n,), optional
        As in :class:`~gaitdyn.types.wrench.PlateWrench`.
    """
    low, high = percentile(up, 5), up.max()
    steps = high - low >= STEP_N
    empty = np.abs(up - low) < _BAND_N if steps else np.ones(len(up), bool)
    away = feet_beside(standing, seen, len(up))
    if standing is not None and seen is not None:
        empty = empty & ~standing
    if abs(low) > LARGEST_BASELINE_N and not (steps and away[empty].any()):
        return np.zeros(len(up), bool)
    return empty
