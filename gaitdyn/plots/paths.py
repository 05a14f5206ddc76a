"""Paths as SVG has them: all paths of many drawings thinned and written at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.types.arrays import Array, Mask, Places

if TYPE_CHECKING:
    from collections.abc import Sequence

K = 10
"""Tenths: whole numbers are short."""

_FARTHEST = 4095
"""A number, in tenths, up to which numbers are written by a table."""

_FORMS = ("{: d}", "M{}", "l{}")
"""Of a number: behind another one, the first of a path, the first of its steps."""


@dataclass(frozen=True, slots=True, eq=False)
class Paths:
    """Paths one behind the other.

    Attributes
    ----------
    points : array, shape (n, 2)
    counts : array of int, shape (paths,)
        How many of the points each has.
    """

    points: Array
    counts: Places

    @classmethod
    def of(cls, paths: Sequence[Array]) -> Paths:
        """Return paths, shape (k, 2) each, put together."""
        points = np.concatenate(paths) if paths else np.empty((0, 2))
        return cls(points, np.array([len(path) for path in paths], dtype=np.int64))

    def _middles(self, which: Mask) -> tuple[Places, Places]:
        """Return every second point of some paths, the last ones kept, and of which path it is."""
        many = np.where(which & (self.counts > 1), (self.counts - 1) // 2, 0)
        whose = np.repeat(np.arange(len(many)), many)
        first = np.cumsum(self.counts) - self.counts - 2 * (np.cumsum(many) - many) + 1
        return first[whose] + 2 * np.arange(len(whose)), whose

    def _without(self, out: Places, whose: Places) -> Paths:
        keep = np.ones(len(self.points), dtype=np.bool_)
        keep[out] = False
        gone = np.bincount(whose, minlength=len(self.counts))
        return Paths(self.points[keep], self.counts - gone)

    def halved(self, which: Mask) -> Paths:
        """Return paths of which some have every second point alone, and their last one."""
        return self._without(*self._middles(which))

    def straighter(self, within: Array) -> Paths:
        """Return paths without points that lie on the line of their neighbours.

        Every second point may go, and of those that are left every second one again.

        Parameters
        ----------
        within : array, shape (paths,)
            Of each path, the distance from the line at which a point is left out; below zero where
            all stay.

        Examples
        --------
        >>> x = np.arange(5.0)
        >>> path = np.stack((x, np.array([0.0, 1.0, 2.0, 5.0, 4.0])), axis=1)
        >>> Paths.of([path]).straighter(np.array([0.1])).points[:, 0]
        array([0., 2., 3., 4.])
        """
        found = self
        for _ in range(2):
            middle, whose = found._middles(within >= 0)
            before = found.points[middle - 1]
            along, aside = found.points[middle + 1] - before, found.points[middle] - before
            cross = np.abs(along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0])
            bent = cross > within[whose] * np.hypot(along[:, 0], along[:, 1])
            found = found._without(middle[~bent], whose[~bent])
        return found

    def data(self, heights: Sequence[float]) -> list[str]:
        """Return the data of each path: its first place, then steps, in tenths of a unit.

        Parameters
        ----------
        heights : sequence of float
            Of the drawing of each path, whose y runs upwards from its lower edge.

        Examples
        --------
        >>> Paths.of([np.array([[0.0, 1.0], [1.0, 1.5], [2.0, 1.0]])]).data([2.0])
        ['M0 10l10-5 10 5']
        """
        if not len(self.points):
            return []
        at = np.empty(self.points.shape, dtype=np.int64)
        at[:, 0] = np.rint(K * self.points[:, 0])
        at[:, 1] = np.rint(K * (np.repeat(heights, self.counts) - self.points[:, 1]))
        stops = np.cumsum(self.counts)
        first = stops - self.counts
        numbers, forms = at.copy(), np.zeros(at.shape, dtype=np.int64)
        numbers[1:] -= at[:-1]
        numbers[first] = at[first]
        forms[first, 0] = 1
        forms[first[self.counts > 1] + 1, 0] = 2
        text, ends = _written(numbers.ravel(), forms.ravel())
        return [
            text[start:stop]
            for start, stop in zip(
                ends[2 * first].tolist(), ends[2 * stops].tolist(), strict=True
            )
        ]  # fmt: skip


def _written(numbers: Places, forms: Places) -> tuple[str, Places]:
    """Return numbers one behind the other, each in its form, and where each begins."""
    if np.abs(numbers).max() > _FARTHEST:
        texts = [_FORMS[form].format(n) for n, form in zip(numbers.tolist(), forms, strict=True)]
        lengths = np.array([len(one) for one in texts])
        text = "".join(texts)
    else:
        words, sizes = _words()
        at = numbers + (_FARTHEST + (2 * _FARTHEST + 1) * forms)
        text, lengths = words[at].tobytes().translate(None, b"\0").decode("ascii"), sizes[at]
    return text, np.concatenate(([0], np.cumsum(lengths)))


@cache
def _words() -> tuple[np.ndarray[Any, Any], Places]:
    """Return numbers as texts in each form, and how long these are."""
    every = range(-_FARTHEST, _FARTHEST + 1)
    texts = [form.format(number).encode() for form in _FORMS for number in every]
    return np.array(texts), np.array([len(text) for text in texts])
