"""Many curves: Holm within a family, words that a p value earns, stretches, ranks of a person."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.statistics.threshold import ALPHA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array, Mask


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


@dataclass(frozen=True, slots=True)
class PointRun:
    """A stretch of neighbouring points, both ends in it.

    Attributes
    ----------
    start, stop, peak : int
        Points; at ``peak`` the curve is farthest out, of all its points.
    """

    start: int
    stop: int
    peak: int


def runs_of(beyond: Mask, far: Array) -> tuple[PointRun, ...]:
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
    (PointRun(start=4, stop=4, peak=4), PointRun(start=1, stop=2, peak=2))
    """
    edges = np.diff(np.concatenate(([False], beyond, [False])).astype(int))
    starts, stops = np.flatnonzero(edges > 0), np.flatnonzero(edges < 0) - 1
    found = [
        PointRun(int(a), int(b), int(a + np.argmax(far[a : b + 1])))
        for a, b in zip(starts, stops, strict=True)
    ]
    return tuple(sorted(found, key=lambda run: -far[run.peak]))


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
