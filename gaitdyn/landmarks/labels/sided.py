"""Split a label into its side and the rest."""

from __future__ import annotations

from gaitdyn.landmarks.labels.label import joined
from gaitdyn.types.frozen import frozen
from gaitdyn.types.landmarks import BodySide

PAIRS_WANTED = 3
"""Pairs of labels needed to accept a word or a letter as a side."""

NEARLY_ALL = 0.9


@frozen()
class Sided:
    """One label split into its side and the rest.

    ``explicit`` is whether the side was a separate word rather than a letter of a longer one.
    """

    side: BodySide
    parts: tuple[str, ...]
    explicit: bool = False

    @property
    def core(self) -> str:
        """The rest as one word in upper case."""
        return joined(self.parts)


def mirrored(core: str, position: int, one: str, other: str) -> str:
    """Return a core with the letter for the other side at one position."""
    k = position % len(core)
    swapped = {one: other, other: one}.get(core[k], core[k])
    return core[:k] + swapped + core[k + 1 :]


def without(parts: list[str], position: int) -> tuple[str, ...]:
    """Return the pieces without the letter at one position of their joined text."""
    kept: list[str] = []
    for part in parts:
        inside = 0 <= position < len(part)
        kept.append(part[:position] + part[position + 1 :] if inside else part)
        position -= len(part)
    return tuple(part for part in kept if part)
