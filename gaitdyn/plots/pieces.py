"""Drawings as SVG, layer by layer: marks alike that lie in one layer become one element."""

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
"""Of which what is written is kept."""


class Svg(str):
    """An SVG element of our own: its texts are escaped, so that templates take it as it is."""

    __slots__ = ()

    def __html__(self) -> str:
        """Return the element for a template."""
        return self


Kind: TypeAlias = tuple[object, ...]
Piece: TypeAlias = tuple[tuple[int, str], Kind, Mark, str]
"""What lies below comes first, and words of one kind together; kind; a mark; what is written."""


@dataclass(frozen=True, slots=True, eq=False)
class Hand:
    """How marks are written.

    Attributes
    ----------
    kind : callable
        What marks have in common that become one element.
    words : callable
        Words as text, of the height of the drawing.
    element : callable
        The element of marks of one kind: of the first one and what is written of all.
    paths : callable
        The paths of lines and areas.
    """

    kind: Callable[[Mark], Kind]
    words: Callable[[TextLine, float], str]
    element: Callable[[Mark, str], str]
    paths: Callable[[Sequence[Line | Area]], Paths]


def bodies(drawings: Sequence[tuple[Sequence[Part], float]], hand: Hand) -> list[str]:
    """Return what stands inside the SVG element of each drawing.

    Parameters
    ----------
    drawings : sequence of (parts, height)
        y upwards from the lower edge.
    hand : Hand
    """
    paths = _paths(drawings, hand)
    return [
        "".join(
            [
                hand.element(first, text)
                for _, _, first, text in _joined(_pieces(parts, height, paths, hand))
            ]
        )
        for parts, height in drawings
    ]


def _paths(drawings: Sequence[tuple[Sequence[Part], float]], hand: Hand) -> Iterator[str]:
    """Return the data of the lines and areas of drawings, all written at once."""
    drawn = [
        (part, height)
        for parts, height in drawings
        for part in parts
        if isinstance(part, (Line, Area))
    ]
    return iter(hand.paths([mark for mark, _ in drawn]).data([height for _, height in drawn]))


def _pieces(
    parts: Iterable[Part], height: float, paths: Iterator[str], hand: Hand
) -> list[Piece]:  # fmt: skip
    found: list[Piece] = []
    for part in parts:
        if isinstance(part, Fixed):
            found += _of_fixed(part, height, hand)
            continue
        kind = hand.kind(part)
        if isinstance(part, Line):
            found.append(((part.stroke.level, ""), kind, part, next(paths)))
        elif isinstance(part, Area):
            found.append(((0, ""), kind, part, next(paths) + "z"))
        else:
            found.append(((_TOP, _told(kind)), kind, part, hand.words(part, height)))
    return found


@lru_cache(maxsize=_FIXED)
def _of_fixed(fixed: Fixed, height: float, hand: Hand) -> list[Piece]:
    """Return the pieces of marks that are the same on page after page, written once."""
    paths = _paths([(fixed.marks, height)], hand)
    return _joined(_pieces(fixed.marks, height, paths, hand))


def _joined(pieces: list[Piece]) -> list[Piece]:
    """Return pieces in the order of their layers, neighbours of one kind as one."""
    pieces.sort(key=itemgetter(0))
    found: list[Piece] = []
    for kind, alike in groupby(pieces, key=itemgetter(1)):
        own = list(alike)
        place, _, first, text = own[0]
        found.append((place, kind, first, "".join([one[3] for one in own]) if own[1:] else text))
    return found


@lru_cache(maxsize=256)
def _told(kind: Kind) -> str:
    return str(kind)
