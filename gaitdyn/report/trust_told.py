"""Trust lines as they are put down: what holds for both sides is said once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.report.trust_lines import GLYPHS, Part, remark_words, told_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.trust_lines import Said, TrustLine

BOTH = "both"


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line on the first screen.

    Attributes
    ----------
    side : str
        ``left``, ``right`` or ``both``.
    word : {"pass", "check", "fail"}
    text : str
    """

    side: str
    word: str
    text: str

    @property
    def glyph(self) -> str:
        """The sign that stands before it."""
        return GLYPHS[self.word]


def told_lines(lines: Sequence[TrustLine]) -> tuple[ToldLine, ...]:
    """Return a line a side; of sides whose angles stand alike, one for both and what is left.

    Parameters
    ----------
    lines : sequence of TrustLine
        Of the left and the right side.
    """
    left, right = lines
    if left.word != right.word or not _alike(left.parts[0], right.parts[0]):
        return tuple(ToldLine(one.side, one.word, one.text) for one in lines)
    pairs = [(one, two) for one in left.parts for two in right.parts if _alike(one, two)]
    found = [ToldLine(BOTH, left.word, " ".join(_shared(*pair) for pair in pairs))]
    for i, line in enumerate(lines):
        twins = {pair[i]: pair[1 - i] for pair in pairs}
        rest = [_left(one, twins[one]) if one in twins else one for one in line.parts]
        text = told_parts([one for one in rest if one])
        found += [ToldLine(line.side, line.word, text)] if text else []
    return tuple(found)


def _alike(one: Said, other: Said) -> bool:
    """Return whether two sentences can be one: of parts the reasons may differ."""
    if isinstance(one, Part) and isinstance(other, Part):
        return one[:3] == other[:3]
    if isinstance(one, KneeAxisRemark) and isinstance(other, KneeAxisRemark):
        return one.by_rotations == other.by_rotations
    return one == other


def _shared(one: Said, other: Said) -> str:
    """Return what is said once of both."""
    if isinstance(one, KneeAxisRemark) and isinstance(other, KneeAxisRemark):
        return remark_words((one, other))
    if isinstance(one, Part) and isinstance(other, Part):
        return one._replace(reasons=_in_both(one, other)).text
    return str(one)


def _left(one: Said, twin: Said) -> str:
    """Return what is left of a sentence of one side that both share."""
    if not (isinstance(one, Part) and isinstance(twin, Part)):
        return ""
    own = [reason for reason in one.reasons if reason not in twin.reasons]
    return f"{one.kind}: {', '.join(own)}." if own else ""


def _in_both(one: Part, other: Part) -> tuple[str, ...]:
    return tuple(reason for reason in one.reasons if reason in other.reasons)
