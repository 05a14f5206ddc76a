"""One line per side on whether its results can be trusted, from the verdicts."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.report.contents import kinetic_cycles, stride_count, verdicts_of, whole_steps
from gaitdyn.report.notices import SYMBOLS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.store.stored import StoredTrial


_ORDER = ("pass", "check", "fail")
_NO_STEP = "no clean plate step"
_USABLE, _USABLE_ONCE = "usable", "usable, spread unknown"
_WITH_CARE, _NOT_USABLE = "usable with care", "not usable"
_NO_WHOLE_STEP = "no-whole-step"
"""Repeats that there is no clean step."""


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
        return self.state in {_USABLE, _USABLE_ONCE}


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


@dataclass(frozen=True, slots=True)
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


@cache
def reason_words() -> dict[str, str]:
    """Return the short wording of findings: code -> words, the most important first."""
    return {row["code"]: row["words"] for row in shipped_rows("report/reasons.csv")}


def side_lines(
    trials: Sequence[StoredTrial], remarks: Sequence[KneeAxisRemark]
) -> tuple[SideLine, ...]:
    """Return the line of each side.

    Parameters
    ----------
    trials : sequence of StoredTrial
        Of one group.
    remarks : sequence of KneeAxisRemark
        Remarks are quoted in the line but do not change its verdict.
    """
    no_loads = not any(stride_count(verdicts_of(trials, s, "kinetics")) for s in SIDES)
    return tuple(_line(trials, side, remarks, no_loads=no_loads) for side in SIDES)


def _combined_word(verdicts: Sequence[dict[str, Any]]) -> str:
    """Return the verdict on several trials: ``fail`` only if none of them can be used."""
    words = {verdict["word"] for verdict in verdicts}
    if not words or words == {"fail"}:
        return "fail"
    return "check" if words & {"check", "fail"} else "pass"


def reason_texts(verdicts: Sequence[dict[str, Any]]) -> list[str]:
    """Return all reasons of some verdicts in short, each once, the most important first."""
    plain_words = reason_words()
    words: dict[str, None] = {}
    for verdict in verdicts:
        for reason in verdict["reasons"]:
            code, colon, message = str(reason).partition(": ")
            known_words = plain_words.get(code) if colon else None
            if known_words:
                words[known_words] = None
            elif colon and " " not in code:
                words[message] = None
            elif "one cycle" not in reason and "no gait cycle" not in reason:
                words[code.partition("; ")[0]] = None
    ranked = list(dict.fromkeys(plain_words.values()))
    return sorted(words, key=lambda text: ranked.index(text) if text in ranked else len(ranked))


def why_unknown(reasons: Iterable[str]) -> list[str]:
    """Return the same reasons, first those that can be why a stride is not known."""
    rows = shipped_rows("report/reasons.csv")
    empty = {row["words"] for row in rows if row["leaves_empty"]}
    return sorted(reasons, key=lambda text: text not in empty)


def foremost(reasons: Sequence[str]) -> str:
    """Return two reasons, or of more the first and the number of the others.

    Examples
    --------
    >>> foremost(["a marker jumps", "a marker fell off"]), foremost(["a", "b", "c"])
    ('a marker jumps, a marker fell off', 'a and 2 more reasons')
    """
    first, *others = reasons
    if len(others) < 2:  # noqa: PLR2004
        return ", ".join(reasons)
    return f"{first} and {len(others)} more reasons"


def _line(
    trials: Sequence[StoredTrial],
    side: str,
    remarks: Sequence[KneeAxisRemark],
    *,
    no_loads: bool,
) -> SideLine:
    angles, loads = (verdicts_of(trials, side, q) for q in ("kinematics", "kinetics"))
    n, m = stride_count(angles), stride_count(loads)
    if not n and all(t.document.get("task", WALKING) != WALKING for t in trials):
        return _other_task(side, angles)
    if not n:
        muscles = _muscles(trials, side) if stride_count(verdicts_of(trials, side, "emg")) else ()
        why = f"not known: {_no_stride_reason(angles)}."
        return SideLine(side, "fail", (why, *muscles), 0, m)
    word, load_word = _combined_word(angles), _combined_word(loads)
    note = _partial_note(trials, side) if load_word != "fail" else ""
    angle_reasons = reason_texts(angles)
    load_reasons = [reason for reason in reason_texts(loads) if reason not in angle_reasons]
    parts: list[LinePart] = [_kind_status("Angles", n, word, angle_reasons)]
    if m:
        parts.append(_kind_status("Moments", m, load_word, load_reasons, note))
    else:
        above = step_reasons(trials) if no_loads and word != "fail" else ()
        parts.append(_no_moments(trials, load_reasons, above, no_loads=no_loads))
        load_word = "check"
    if word == load_word == "pass":
        counts = f"{counted(n, 'stride')}, moments {counted(m, 'stride')}{note}"
        state = _USABLE_ONCE if min(n, m) == 1 else _USABLE
        parts = [KindStatus("Angles", counts, state)]
    parts += [remark for remark in remarks if remark.side == side]
    parts += [*_markerless(trials, side), *_muscles(trials, side)]
    if word == "pass" and load_word != "pass":
        word = "check"
    return SideLine(side, word, tuple(parts), n, m)


def _other_task(side: str, angles: Sequence[dict[str, Any]]) -> SideLine:
    """Return the line of a task without strides, whose angles are drawn over the whole trial."""
    word, reasons = _combined_word(angles), tuple(reason_texts(angles))
    word = word if reasons or word == "fail" else "pass"  # it only lacks a gait cycle
    state = {"pass": _USABLE, "check": _WITH_CARE, "fail": _NOT_USABLE}[word]
    return SideLine(side, word, (KindStatus("Angles", "of the trial", state, reasons),), 0, 0)


def _no_stride_reason(angles: Sequence[dict[str, Any]]) -> str:
    """Return why a side has no stride: the first reason, if it has gait cycles or failed."""
    reasons = why_unknown(reason_texts(angles))
    walked = not any("no gait cycle" in text for verdict in angles for text in verdict["reasons"])
    judged = walked or _combined_word(angles) == "fail"
    return reasons[0] if reasons and judged else "no complete stride"


def _partial_note(trials: Sequence[StoredTrial], side: str) -> str:
    """Return how many strides with a whole step lack moments at an end, so that none has a peak."""
    whole, steps = (sum(len(of(t, side)) for t in trials) for of in (kinetic_cycles, whole_steps))
    if steps == whole:
        return ""
    return f" ({steps - whole} in part)" if whole else " (in part)"


def _kind_status(
    name: str, count: int, word: str, reasons: Sequence[str], note: str = ""
) -> KindStatus:
    strides = counted(count, "stride") + note
    if word == "pass":
        return KindStatus(name, strides, _USABLE_ONCE if count == 1 else _USABLE)
    state = _WITH_CARE if word == "check" else _NOT_USABLE
    return KindStatus(name, strides, state, tuple(reasons))


def step_reasons(trials: Sequence[StoredTrial]) -> list[str]:
    """Return the two most frequent reasons why steps on the plates were not used, in short."""
    plain_words = reason_words()
    counts = Counter(
        words
        for trial in trials
        for row in trial.document.get("status", ())
        if (words := plain_words.get(row.get("code") or ""))
    )
    return [words for words, _ in counts.most_common(2)]


def no_kinetics_words(trials: Sequence[StoredTrial]) -> str:
    """Return why no trial has kinetics, without the remedy; empty if one has."""
    states = [str(trial.document.get("kinetics") or "computed") for trial in trials]
    return "" if "computed" in states else re.split(r": | \(", states[0])[0]


def _no_moments(
    trials: Sequence[StoredTrial], reasons: Sequence[str], above: Sequence[str], *, no_loads: bool
) -> KindStatus:
    """Return that a side has no moments and why, leaving out what the page states already.

    If neither side has any, the banner above gives the reasons in ``above``.
    """
    if words := no_kinetics_words(trials):
        return KindStatus("No moments", "", words)
    rest = tuple(w for w in reasons if w not in (*above, reason_words()[_NO_WHOLE_STEP]))
    return KindStatus("No moments", "", _NO_STEP + (" on this side" * (not no_loads)), rest)


def _markerless(trials: Sequence[StoredTrial], side: str) -> list[str]:
    """Return that trials have no markers, and which angles are therefore not measured."""
    models = [trial.document.get("model", {}).get("markerless") for trial in trials]
    if not any(models):
        return []
    fixed = [name for model in models if model for name in model["not_measured"].get(side, ())]
    names = ", ".join(dict.fromkeys(fixed))
    return [f"Markerless{f'; not measured: {names}' if names else ''}."]


_CROSSED = {
    "crossed legs": " The sides look exchanged.",
    "crossed cables": " Two cables look crossed.",
}


def _muscles(trials: Sequence[StoredTrial], side: str) -> list[MuscleRemark]:
    """Return how many muscles of a side can be used; this does not change the side's verdict."""
    emg = [trial.emg for trial in trials if trial.emg is not None]
    possible = [c for e in emg for c in e.channels if c.side in (side, "")]
    channels = [c for c in possible if c.side and c.muscle]
    word = _combined_word(verdicts_of(trials, side, "emg"))
    if not channels:
        unnamed = any(c.status == "ok" for c in possible)
        return [MuscleRemark("EMG channels not named.", word)] if unnamed else []
    if all(c.status == "not_recorded" for c in channels):
        return [MuscleRemark("EMG not recorded.", word)]
    muscles, good = {c.muscle for c in channels}, {c.muscle for c in channels if c.status == "ok"}
    word = "pass" if good == muscles else word  # each muscle may be good in another trial
    crossed = (
        text
        for reason, text in _CROSSED.items()
        if any(c.reason.startswith(reason) for c in channels)
    )
    text = f"EMG {len(good)} of {counted(len(muscles), 'muscle')} usable.{next(crossed, '')}"
    return [MuscleRemark(text, word)]


def joined_parts(parts: Sequence[LinePart]) -> str:
    """Return sentences joined by spaces.

    Parameters
    ----------
    parts : sequence of KindStatus, KneeAxisRemark, MuscleRemark or str
    """
    return " ".join(_part_text(part) for part in parts)


def _part_text(part: LinePart) -> str:
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
    >>> both = [KneeAxisRemark("left", 15.2, 0.9), KneeAxisRemark("right", 12.7, 0.8)]
    >>> remark_words(both).partition(". ")[0]
    'Knee axes to check: varus moves 15\u00b0 (L) and 13\u00b0 (R) with flexion'
    """
    both = len(remarks) > 1
    head = f"Knee {'axes' if both else 'axis'} to check"
    if remarks[0].by_rotations:
        return f"{head}: {remarks[0].reason}. Read them with care."
    sizes = " and ".join(
        f"{remark.range_deg:.0f}\u00b0{f' ({remark.side[0].upper()})' if both else ''}"
        for remark in remarks
    )
    whose = "their" if both else "its"
    return f"{head}: varus moves {sizes} with flexion. Read {whose} rotations with care."


BOTH = "both"


@dataclass(frozen=True, slots=True)
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
    return _part_text(first)


def _remainder(part: LinePart, twin: LinePart) -> str:
    """Return what remains of one side's sentence when the shared part is taken out."""
    if not (isinstance(part, KindStatus) and isinstance(twin, KindStatus)):
        return ""
    reasons = [reason for reason in part.reasons if reason not in twin.reasons]
    return f"{part.kind}: {foremost(reasons)}." if reasons else ""
