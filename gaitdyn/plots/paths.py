"""Drawings as SVG: similar marks of one layer become one element.

The paths of many drawings are thinned and written together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np

from gaitdyn.plots.marks import Area, Fixed, Line, Mark, Part, TextLine
from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.frozen import frozen

K = 10
"""Coordinates are written in tenths of a unit, as whole numbers are short."""

_FARTHEST = 4095
"""Largest number, in tenths, in the table of written numbers."""

_FORMS = ("{: d}", "M{}", "l{}")
"""Formats of a number: after another one, first of a path, first of its steps."""
_TOP = 50
_FIXED = 512
"""Number of fixed parts whose written form is cached."""


@frozen(eq=False)
class Paths:
    """Paths, concatenated.

    Attributes
    ----------
    points : array, shape (n, 2)
    counts : array of int, shape (paths,)
        Number of points of each path.
    """

    points: Array
    counts: Places

    @classmethod
    def of(cls, paths: Sequence[Array]) -> Paths:
        """Concatenate paths, shape (k, 2) each."""
        points = np.concatenate(paths) if paths else np.empty((0, 2))
        return cls(points, np.array([len(path) for path in paths], dtype=np.int64))

    def _middles(self, which: Mask) -> tuple[Places, Places]:
        """Return the rows of every second inner point of some paths, and the path of each."""
        n_middles = np.where(which & (self.counts > 1), (self.counts - 1) // 2, 0)
        owner = np.repeat(np.arange(len(n_middles)), n_middles)
        first = np.cumsum(self.counts) - self.counts - 2 * (np.cumsum(n_middles) - n_middles) + 1
        return first[owner] + 2 * np.arange(len(owner)), owner

    def _without(self, rows: Places, owner: Places) -> Paths:
        keep = np.ones(len(self.points), dtype=np.bool_)
        keep[rows] = False
        n_removed = np.bincount(owner, minlength=len(self.counts))
        return Paths(self.points[keep], self.counts - n_removed)

    def halved(self, which: Mask) -> Paths:
        """Return the paths; some with only every second point and their last point."""
        return self._without(*self._middles(which))

    def straighter(self, within: Array) -> Paths:
        """Return the paths without points that lie on the line between their neighbours.

        Every second point may be left out, and then every second of the remaining points.

        Parameters
        ----------
        within : array, shape (paths,)
            Distance from the line within which a point of each path is left out; negative to
            keep all points.

        Examples
        --------
        >>> x = np.arange(5.0)
        >>> path = np.stack((x, np.array([0.0, 1.0, 2.0, 5.0, 4.0])), axis=1)
        >>> Paths.of([path]).straighter(np.array([0.1])).points[:, 0]
        array([0., 2., 3., 4.])
        """
        paths = self
        for _ in range(2):
            middle, owner = paths._middles(within >= 0)
            before = paths.points[middle - 1]
            along, offset = paths.points[middle + 1] - before, paths.points[middle] - before
            cross = np.abs(along[:, 0] * offset[:, 1] - along[:, 1] * offset[:, 0])
            bent = cross > within[owner] * np.hypot(along[:, 0], along[:, 1])
            paths = paths._without(middle[~bent], owner[~bent])
        return paths

    def data(self, heights: Sequence[float]) -> list[str]:
        """Return the data of each path: first point, then steps, in tenths of a unit.

        Parameters
        ----------
        heights : sequence of float
            Height of the drawing of each path; y points upwards from its lower edge.

        Examples
        --------
        >>> Paths.of([np.array([[0.0, 1.0], [1.0, 1.5], [2.0, 1.0]])]).data([2.0])
        ['M0 10l10-5 10 5']
        """
        if not len(self.points):
            return []
        coordinates = np.empty(self.points.shape, dtype=np.int64)
        coordinates[:, 0] = np.rint(K * self.points[:, 0])
        coordinates[:, 1] = np.rint(K * (np.repeat(heights, self.counts) - self.points[:, 1]))
        stops = np.cumsum(self.counts)
        first = stops - self.counts
        numbers, forms = coordinates.copy(), np.zeros(coordinates.shape, dtype=np.int64)
        numbers[1:] -= coordinates[:-1]
        numbers[first] = coordinates[first]
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
    """Return the concatenated text of numbers in their formats, and where each begins."""
    if np.abs(numbers).max() > _FARTHEST:
        texts = [_FORMS[form].format(n) for n, form in zip(numbers.tolist(), forms, strict=True)]
        lengths = np.array([len(text) for text in texts])
        text = "".join(texts)
    else:
        words, sizes = _words()
        at = numbers + (_FARTHEST + (2 * _FARTHEST + 1) * forms)
        text, lengths = words[at].tobytes().translate(None, b"\0").decode("ascii"), sizes[at]
    return text, np.concatenate(([0], np.cumsum(lengths)))


@cache
def _words() -> tuple[np.ndarray[Any, Any], Places]:
    """Return the texts of numbers in each format, and their lengths."""
    every = range(-_FARTHEST, _FARTHEST + 1)
    texts = [form.format(number).encode() for form in _FORMS for number in every]
    return np.array(texts), np.array([len(text) for text in texts])


class Svg(str):
    """A trusted SVG element: its texts are escaped, so templates insert it unchanged."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the element for a template."""
        return self


Kind: TypeAlias = tuple[object, ...]
Piece: TypeAlias = tuple[tuple[int, str], Kind, Mark, str]
"""Sort key (layer, and words of one kind together), kind, first mark, written text."""


@frozen(eq=False)
class SvgWriter:
    """How marks are written as SVG.

    Attributes
    ----------
    kind : callable
        Returns the properties that marks of one element have in common.
    words : callable
        Writes a line of text, given the height of the drawing.
    element : callable
        Writes the element for marks of one kind, given the first mark and the text of all.
    paths : callable
        Returns the paths of lines and areas.
    """

    kind: Callable[[Mark], Kind]
    words: Callable[[TextLine, float], str]
    element: Callable[[Mark, str], str]
    paths: Callable[[Sequence[Line | Area]], Paths]


def svg_contents(drawings: Sequence[tuple[Sequence[Part], float]], writer: SvgWriter) -> list[str]:
    """Return the contents of the SVG element of each drawing.

    Parameters
    ----------
    drawings : sequence of (parts, height)
        y points upwards from the lower edge.
    writer : SvgWriter
    """
    paths = _paths(drawings, writer)
    return [
        "".join(
            [
                writer.element(first, text)
                for _, _, first, text in _joined(_pieces(parts, height, paths, writer))
            ]
        )
        for parts, height in drawings
    ]


def _paths(drawings: Sequence[tuple[Sequence[Part], float]], writer: SvgWriter) -> Iterator[str]:
    """Return the path data of all lines and areas, written together."""
    drawn = [
        (part, height)
        for parts, height in drawings
        for part in parts
        if isinstance(part, (Line, Area))
    ]
    return iter(writer.paths([mark for mark, _ in drawn]).data([height for _, height in drawn]))


def _pieces(
    parts: Iterable[Part], height: float, paths: Iterator[str], writer: SvgWriter
) -> list[Piece]:  # fmt: skip
    pieces: list[Piece] = []
    for part in parts:
        if isinstance(part, Fixed):
            pieces += _of_fixed(part, height, writer)
            continue
        kind = writer.kind(part)
        if isinstance(part, Line):
            pieces.append(((part.stroke.level, ""), kind, part, next(paths)))
        elif isinstance(part, Area):
            pieces.append(((0, ""), kind, part, next(paths) + "z"))
        else:
            pieces.append(((_TOP, _kind_key(kind)), kind, part, writer.words(part, height)))
    return pieces


@lru_cache(maxsize=_FIXED)
def _of_fixed(fixed: Fixed, height: float, writer: SvgWriter) -> list[Piece]:
    """Return the pieces of marks that many pages share; cached."""
    paths = _paths([(fixed.marks, height)], writer)
    return _joined(_pieces(fixed.marks, height, paths, writer))


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Return pieces in the order of their layers; neighbours of one kind are joined."""
    pieces.sort(key=itemgetter(0))
    joined: list[Piece] = []
    for kind, group in groupby(pieces, key=itemgetter(1)):
        members = list(group)
        layer, _, first, _ = members[0]
        joined.append((layer, kind, first, "".join([text for _, _, _, text in members])))
    return joined


@lru_cache(maxsize=256)
def _kind_key(kind: Kind) -> str:
    return str(kind)
