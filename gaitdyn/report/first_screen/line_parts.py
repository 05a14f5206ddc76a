"""The sentences of the line on one side: how far its curves and its muscles can be used."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.report.first_screen.side_reasons import foremost
from gaitdyn.types.frozen import frozen

USABLE, USABLE_ONCE = "usable", "usable, spread unknown"
WITH_CARE, NOT_USABLE = "usable with care", "not usable"


class KindStatus(NamedTuple):
    """How far one kind of curves can be used, and why not further.

    Attributes
    ----------
    kind, strides, state : str
        Such as ``Angles``, ``2 strides`` and ``usable with care``.
    reasons : tuple of str
    """

    kind: str
    strides: str
    state: str
    reasons: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """One sentence."""
        why = f"; {foremost(self.reasons)}" if self.reasons else ""
        return f"{self.kind} {self.strides}".rstrip() + f": {self.state}{why}."

    @property
    def sound(self) -> bool:
        """Whether these curves can be used without a check."""
        return self.state in {USABLE, USABLE_ONCE}


class MuscleRemark(NamedTuple):
    """How many muscles of a side can be used.

    Attributes
    ----------
    text : str
    word : {"pass", "check", "fail"}
        Their verdict, as given by ``gaitdyn process``.
    """

    text: str
    word: str


LinePart = KindStatus | KneeAxisRemark | MuscleRemark | str
"""One sentence of a line; those with parts can be merged with the sentence of the other side."""


@frozen()
class SideLine:
    """The line of one side.

    Attributes
    ----------
    side : str
    word : {"pass", "check", "fail"}
    parts : tuple of KindStatus, KneeAxisRemark, MuscleRemark or str
        Its sentences.
    angles, moments : int
        Strides with known angles and with known moments.
    """

    side: str
    word: str
    parts: tuple[LinePart, ...]
    angles: int
    moments: int

    @property
    def text(self) -> str:
        """The whole line."""
        return joined_parts(self.parts)

    @property
    def usable(self) -> bool:
        """Whether there are angles that may be used."""
        return bool(self.angles) and self.word != "fail"

    @property
    def refused(self) -> bool:
        """Whether there are angles that may not be used."""
        return bool(self.angles) and self.word == "fail"


def joined_parts(parts: Sequence[LinePart]) -> str:
    """Return sentences joined by spaces.

    Parameters
    ----------
    parts : sequence of KindStatus, KneeAxisRemark, MuscleRemark or str
    """
    return " ".join(part_text(part) for part in parts)


def part_text(part: LinePart) -> str:
    """Return one sentence of a line."""
    if isinstance(part, KneeAxisRemark):
        return remark_words((part,))
    return part if isinstance(part, str) else part.text


def remark_words(remarks: Sequence[KneeAxisRemark]) -> str:
    """Return the remark on one knee axis, or on both if their remarks are of one kind.

    Parameters
    ----------
    remarks : sequence of KneeAxisRemark
        Of one side, or of the left and the right.

    Examples
    --------
    >>> both = [KneeAxisRemark("left", 15.2), KneeAxisRemark("right", 12.7)]
    >>> remark_words(both).partition(". ")[0]
    'Knee axes to check: adduction (varus) moves 15\u00b0 (L) and 13\u00b0 (R) with flexion'
    """
    both = len(remarks) > 1
    head = f"Knee {'axes' if both else 'axis'} to check"
    if remarks[0].by_rotations:
        return f"{head}: {remarks[0].reason}. Read them with care."
    sizes = " and ".join(
        f"{remark.range_deg:.0f}\u00b0{f' ({remark.side[0].upper()})' if both else ''}"
        for remark in remarks
    )
    care = f"Read {'their' if both else 'its'} rotations with care."
    return f"{head}: adduction (varus) moves {sizes} with flexion. {care}"
