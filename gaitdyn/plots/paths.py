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

    def _kept(self, keep: Mask) -> Paths:
        own = np.repeat(np.arange(len(self.counts)), self.counts)
        return Paths(self.points[keep], np.bincount(own[keep], minlength=len(self.counts)))

    def _places(self) -> Places:
        """Return of each point its place in its path."""
        return np.arange(len(self.points)) - np.repeat(
            np.cumsum(self.counts) - self.counts, self.counts
        )

    def halved(self, which: Mask) -> Paths:
        """Return paths of which some have every second point alone, and their last one."""
        at = self._places()
        left_out = (at % 2 == 1) & (at + 1 < np.repeat(self.counts, self.counts))
        return self._kept(~(left_out & np.repeat(which, self.counts)))

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
        once = self._without_straight(within)
        return once._without_straight(within)  # noqa: SLF001  its own kind

    def _without_straight(self, within: Array) -> Paths:
        at, far = self._places(), np.repeat(within, self.counts)
        middle = np.flatnonzero(
            (at % 2 == 1) & (at + 1 < np.repeat(self.counts, self.counts)) & (far >= 0)
        )
        before = self.points[middle - 1]
        along, aside = self.points[middle + 1] - before, self.points[middle] - before
        cross = np.abs(along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0])
        keep = np.ones(len(self.points), dtype=np.bool_)
        keep[middle] = cross > far[middle] * np.hypot(along[:, 0], along[:, 1])
        return self._kept(keep)

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
