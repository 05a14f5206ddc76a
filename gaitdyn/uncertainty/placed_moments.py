"""The moments of one leg over the gait cycle, per body mass, for markers that are placed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name, key_of
from gaitdyn.cycles.normalise import resample
from gaitdyn.uncertainty.leg_curves import curve_names, leg_curves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask
    from gaitdyn.types.cycles import Cycle
    from gaitdyn.uncertainty.leg_curves import Stages


def moment_means(
    run: Stages, first: Stages, side: str, cycles: Sequence[Cycle]
) -> dict[str, Array]:
    """Return the mean curve of every moment of a leg over the cycles in which it is whole.

    Parameters
    ----------
    run : Stages
        With markers as recorded, or moved.
    first : Stages
        As recorded: its moments decide in which cycles each is whole.
    side : {"left", "right"}
    cycles : sequence of Cycle

    Returns
    -------
    dict
        Internal name -> array, shape (101,), N m/kg. Empty for a leg without loads or a person
        without a body mass; a moment that is whole in no cycle is left out.
    """
    mass = run.body.subject.mass_kg
    if not mass or side not in first.loaded or side not in run.loaded or not cycles:
        return {}
    names = [internal_name(name) for name in curve_names(run.options)]
    recorded, moved = (_stack(one, side, cycles) for one in (first, run))
    whole: Mask = np.all(np.isfinite(recorded), axis=1)
    return {
        name: moved[whole[:, i], :, i].mean(axis=0) / mass
        for i, name in enumerate(names)
        if key_of(name).is_moment and whole[:, i].any()
    }


def _stack(run: Stages, side: str, cycles: Sequence[Cycle]) -> Array:
    """Return moments and powers of a leg in each cycle where published, shape (cycles, 101, 21)."""
    kinetics = run.kinetics(side)
    curves = leg_curves(kinetics.loads, kinetics.power, run.motion.pose, side, run.options)
    per_joint = curves.shape[1] // kinetics.published.shape[1]
    shown = np.where(np.repeat(kinetics.published, per_joint, axis=1), curves, np.nan)
    return np.stack([resample(shown, c.start_row, c.stop_row) for c in cycles])
