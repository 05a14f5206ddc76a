"""The rank of a person among controls whose curves are known: no assumption of normality."""

from __future__ import annotations

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.types.arrays import Array

FEWEST = 19
"""Controls without which no rank is below 5 %."""


def rank_chance(person: Array, controls: Array) -> tuple[Array, float]:
    """Return how many of all lie as far out as a person, for each curve and for all together.

    Each of the n + 1 is held against the others: ``d = max_t |x - mean| / (SD sqrt(1 + 1/n))`` with
    itself left out; p is the share of d that is at least the person's. Exact where people are
    exchangeable. For the family d is the largest over the curves too.

    Parameters
    ----------
    person : array, shape (c, k)
        Mean curves of one side.
    controls : array, shape (n, c, k)
        The same curves of each control, one row a person and leg.

    Returns
    -------
    array, shape (c,)
        p of each curve; never below 1 / (n + 1).
    float
        p of the family.

    Raises
    ------
    ArrayShapeError
        Of fewer than three controls, or other curves.
    """
    if controls.ndim != 3 or len(controls) < 3 or controls.shape[1:] != person.shape:  # noqa: PLR2004
        message = f"controls have shape {controls.shape}, wanted (3 or more, *{person.shape})"
        raise ArrayShapeError(message)
    every = np.concatenate((controls, person[None]))
    n = len(controls)
    total, squares = every.sum(axis=0), np.sum(every**2, axis=0)
    mean = (total - every) / n
    variance = np.maximum((squares - every**2) / n - mean**2, 0.0) * n / (n - 1)
    size = np.sqrt(variance * (1 + 1 / n))
    far = np.divide(np.abs(every - mean), size, out=np.zeros_like(every), where=size > 0)
    curves = far.max(axis=2)
    family = curves.max(axis=1)
    return (curves >= curves[-1]).mean(axis=0), float(np.mean(family >= family[-1]))
