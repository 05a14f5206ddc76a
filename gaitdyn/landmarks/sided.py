"""A label cut into its side and the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.landmarks.label import joined

if TYPE_CHECKING:
    from gaitdyn.types.landmarks import BodySide

PAIRS_WANTED = 3
"""Labels of both sides that show that a word or a letter is one of a side."""

NEARLY_ALL = 0.9


@dataclass(frozen=True, slots=True)
class Sided:
    """One label cut into its side and the rest.

    ``explicit`` is whether the side was a word of its own rather than a letter of a longer one.
    """

    side: BodySide
    parts: tuple[str, ...]
    explicit: bool = False

    @property
    def core(self) -> str:
        """The rest as one word in upper case."""
        return joined(self.parts)


def mirrored(core: str, place: int, one: str, other: str) -> str:
    """Return a core with the letter of the other side at one place."""
    at = place % len(core)
    swapped = {one: other, other: one}.get(core[at], core[at])
    return core[:at] + swapped + core[at + 1 :]


def without(parts: list[str], at: int) -> tuple[str, ...]:
    """Return the pieces without the letter at one place of their joined text."""
    out: list[str] = []
    for part in parts:
        inside = 0 <= at < len(part)
        out.append(part[:at] + part[at + 1 :] if inside else part)
        at -= len(part)
    return tuple(part for part in out if part)
