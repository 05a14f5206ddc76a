"""The lines of both sides on the first screen, what they share said once."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.report.first_screen.line_parts import (
    KindStatus,
    LinePart,
    MuscleRemark,
    SideLine,
    joined_parts,
    part_text,
    remark_words,
)  # fmt: skip
from gaitdyn.report.first_screen.notices import SYMBOLS
from gaitdyn.report.first_screen.side_reasons import foremost
from gaitdyn.types.frozen import frozen

_ORDER = ("pass", "check", "fail")
BOTH = "both"


@frozen()
class ScreenLine:
    """A line on the first screen.

    Attributes
    ----------
    side : str
        ``left``, ``right`` or ``both``.
    word : {"pass", "check", "fail"}
        The verdict on the side, with three exceptions. ``check`` becomes ``pass`` if only the
        other line has something to check. ``pass`` becomes ``check`` if a knee axis is to be
        checked, which the headline requests, or if the muscles are not ``pass``. A line on muscles
        alone has their verdict.
    text : str
    """

    side: str
    word: str
    text: str

    @property
    def glyph(self) -> str:
        """The sign in front of it."""
        return SYMBOLS[self.word]


def screen_lines(lines: Sequence[SideLine]) -> tuple[ScreenLine, ...]:
    """Return one line per side, or a shared line and the remainders if the angles agree.

    Parameters
    ----------
    lines : sequence of SideLine
        Of the left and the right side.
    """
    left, right = lines
    if left.word != right.word or not _alike(left.parts[0], right.parts[0]):
        return tuple(
            ScreenLine(line.side, _line_word(line.word, line.parts), line.text) for line in lines
        )
    pairs = [pair for pair in product(left.parts, right.parts) if _alike(*pair)]
    text = " ".join(_shared(*pair) for pair in pairs)
    screen = [ScreenLine(BOTH, _line_word(left.word, [part for part, _ in pairs]), text)]
    for i, line in enumerate(lines):
        twins = {pair[i]: pair[1 - i] for pair in pairs}
        rests = [(p, _remainder(p, twins[p]) if p in twins else p) for p in line.parts]
        rests = [(part, rest) for part, rest in rests if rest]
        if text := joined_parts([rest for _, rest in rests]):
            word = _line_word(line.word, [part for part, _ in rests])
            screen.append(ScreenLine(line.side, word, text))
    return tuple(screen)


def _line_word(word: str, parts: Sequence[LinePart]) -> str:
    """Return the verdict of a line from its own parts; the rest of its side may be in another.

    It is never ``pass`` with a knee axis to check or doubtful muscles.
    """
    muscles = [part.word for part in parts if isinstance(part, MuscleRemark)]
    if muscles and len(muscles) == len(parts):  # a line on muscles alone
        return max(muscles, key=_ORDER.index)
    kinds = [part for part in parts if isinstance(part, KindStatus)]
    if word == "check" and kinds and all(part.sound for part in kinds):
        word = "pass"
    doubt = any(isinstance(part, KneeAxisRemark) for part in parts) or set(muscles) - {"pass"}
    return "check" if doubt and word == "pass" else word


def _alike(first: LinePart, second: LinePart) -> bool:
    """Return whether two sentences can be merged; the reasons of a status may differ."""
    if isinstance(first, KindStatus) and isinstance(second, KindStatus):
        return first[:3] == second[:3]
    if isinstance(first, KneeAxisRemark) and isinstance(second, KneeAxisRemark):
        return first.by_rotations == second.by_rotations
    return first == second


def _shared(first: LinePart, second: LinePart) -> str:
    """Return the sentence that two sides share."""
    if isinstance(first, KneeAxisRemark) and isinstance(second, KneeAxisRemark):
        return remark_words((first, second))
    if isinstance(first, KindStatus) and isinstance(second, KindStatus):
        return first._replace(reasons=tuple(r for r in first.reasons if r in second.reasons)).text
    return part_text(first)


def _remainder(part: LinePart, twin: LinePart) -> str:
    """Return what remains of one side's sentence when the shared part is taken out."""
    if not (isinstance(part, KindStatus) and isinstance(twin, KindStatus)):
        return ""
    reasons = [reason for reason in part.reasons if reason not in twin.reasons]
    return f"{part.kind}: {foremost(reasons)}." if reasons else ""
