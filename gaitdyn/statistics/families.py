"""Many curves: Holm within a family, and the words that a p value earns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from gaitdyn.statistics.threshold import ALPHA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

Word = Literal["clear", "possible", "not shown", "not judged"]
WORDS: tuple[Word, ...] = ("clear", "possible", "not shown", "not judged")


def holm(p: Sequence[float]) -> Array:
    """Return p values adjusted for their number (Holm 1979, Scand J Stat 6:65-70).

    Sorted, the i-th of m is multiplied by m - i + 1; none is smaller than the one before it.

    Parameters
    ----------
    p : sequence of float
        NaN for what was not tested: it does not count and stays NaN.

    Returns
    -------
    array, shape (n,)

    Examples
    --------
    >>> [round(float(x), 6) for x in holm([0.04, 0.01, float("nan"), 0.03])]
    [0.06, 0.03, nan, 0.06]
    """
    values = np.asarray(p, dtype=float)
    found = np.full(values.shape, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    found[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return found


def word_of(p: float, p_holm: float, *, at_most_possible: bool = False) -> Word:
    """Return what may be said of a curve.

    Parameters
    ----------
    p : float
        Of the curve alone; NaN where it was not judged.
    p_holm : float
        Within its family; for a planned curve, p itself.
    at_most_possible : bool
        For a reason that weakens the evidence.

    Examples
    --------
    >>> word_of(0.001, 0.015), word_of(0.001, 0.015, at_most_possible=True), word_of(0.01, 0.15)
    ('clear', 'possible', 'possible')
    """
    if not np.isfinite(p):
        return "not judged"
    if p_holm <= ALPHA:
        return "possible" if at_most_possible else "clear"
    return "possible" if p <= ALPHA else "not shown"
