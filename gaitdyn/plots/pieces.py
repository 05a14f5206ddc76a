"""Drawings as SVG, layer by layer: similar marks of one layer become one element."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, TypeAlias

from gaitdyn.plots.marks import Area, Fixed, Line, Mark, TextLine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gaitdyn.plots.marks import Part
    from gaitdyn.plots.paths import Paths

_TOP = 50
_FIXED = 512
"""Number of fixed parts whose written form is cached."""


class Svg(str):
    """A trusted SVG element: its texts are escaped, so templates insert it unchanged."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the element for a template."""
        return self


Kind: TypeAlias = tuple[object, ...]
Piece: TypeAlias = tuple[tuple[int, str], Kind, Mark, str]
"""Sort key (layer, and words of one kind together), kind, first mark, written text."""


@dataclass(frozen=True, slots=True, eq=False)
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
