"""Many curves: Holm within a family, the word for a p value, stretches, ranks of a person."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from gaitdyn.errors import ArrayShapeError
from gaitdyn.statistics.threshold import ALPHA
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen

Word = Literal["clear", "possible", "not shown", "not judged"]
WORDS: tuple[Word, ...] = ("clear", "possible", "not shown", "not judged")


def holm(p: Sequence[float]) -> Array:
    """Return p values adjusted for their number (Holm 1979, Scand J Stat 6:65-70).

    Sorted, the i-th of m is multiplied by m - i + 1, and is at least as large as the one before.

    Parameters
    ----------
    p : sequence of float
        NaN for untested curves, which do not count and stay NaN.

    Returns
    -------
    array, shape (n,)

    Examples
    --------
    >>> [round(float(x), 6) for x in holm([0.04, 0.01, float("nan"), 0.03])]
    [0.06, 0.03, nan, 0.06]
    """
    values = np.asarray(p, dtype=float)
    adjusted = np.full(values.shape, np.nan)
    known = np.flatnonzero(np.isfinite(values))
    order = known[np.argsort(values[known], kind="stable")]
    factors = np.arange(len(order), 0, -1)
    adjusted[order] = np.minimum(np.maximum.accumulate(values[order] * factors), 1.0)
    return adjusted


def holm_within(families: Sequence[str], p: Sequence[float]) -> list[float]:
    """Return p values adjusted for the number in their own family.

    Parameters
    ----------
    families : sequence of str
        The family of each curve.
    p : sequence of float

    Examples
    --------
    >>> holm_within(["angles", "moments", "angles", "powers"], [0.02, 0.02, 0.03, 0.04])
    [0.04, 0.02, 0.04, 0.04]
    """
    adjusted = np.full(len(p), np.nan)
    for family in set(families):
        members = [i for i, one in enumerate(families) if one == family]
        adjusted[members] = holm([p[i] for i in members])
    return adjusted.tolist()


def word_of(p: float, p_holm: float, *, at_most_possible: bool = False) -> Word:
    """Return the verdict on a curve.

    Parameters
    ----------
    p : float
        Of the curve alone; NaN if it was not judged.
    p_holm : float
        Within its family; for a planned curve, p itself.
    at_most_possible : bool
        Whether there is a reason that weakens the evidence.

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


@frozen()
class PointRun:
    """A stretch of neighbouring points, both ends included.

    Attributes
    ----------
    start, stop, peak : int
        Indices of points; at ``peak`` the curve is farthest out.
    """

    start: int
    stop: int
    peak: int


def runs_of(beyond: Mask, far: Array) -> tuple[PointRun, ...]:
    """Return the stretches where a mask is true, the farthest out first.

    A single point beyond a simultaneous band is a finding, so no stretch is too short.

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
    runs = [
        PointRun(int(a), int(b), int(a + np.argmax(far[a : b + 1])))
        for a, b in zip(starts, stops, strict=True)
    ]
    return tuple(sorted(runs, key=lambda run: -far[run.peak]))


FEWEST = 19
"""Controls needed for a rank of 5 %."""


def rank_chance(person: Array, controls: Array) -> tuple[Array, float]:
    """Return the share of people as far out as a person, for each curve and for all together.

    Each of the n + 1 is compared with the others: ``d = max_t |x - mean| / SD`` with mean and SD of
    the others; p is the share of d that is at least the person's. It is exact if people are
    exchangeable. For the family, d is also the largest over the curves.

    Parameters
    ----------
    person : array, shape (c, k)
        Mean curves of one side.
    controls : array, shape (n, c, k)
        The same curves of each control, one row per person and leg.

    Returns
    -------
    array, shape (c,)
        p of each curve; never below 1 / (n + 1).
    float
        p of the family.

    Raises
    ------
    ArrayShapeError
        For fewer than three controls, or other curves.
    """
    if controls.ndim != 3 or len(controls) < 3 or controls.shape[1:] != person.shape:  # noqa: PLR2004
        message = f"controls have shape {controls.shape}, wanted (3 or more, *{person.shape})"
        raise ArrayShapeError(message)
    everyone = np.concatenate((controls, person[None]))
    n = len(controls)
    total, squares = everyone.sum(axis=0), np.sum(everyone**2, axis=0)
    mean = (total - everyone) / n
    size = np.sqrt(np.maximum((squares - everyone**2) / n - mean**2, 0.0))
    far = np.divide(np.abs(everyone - mean), size, out=np.zeros_like(everyone), where=size > 0)
    curves = far.max(axis=2)
    family = curves.max(axis=1)
    return (curves >= curves[-1]).mean(axis=0), float(np.mean(family >= family[-1]))
