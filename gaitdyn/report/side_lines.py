"""One line a side on whether it can be trusted, from the verdicts, in a clinician's words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.report.contents import kinetic_cycles
from gaitdyn.report.notices import SYMBOLS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.store.stored import StoredTrial


_ORDER = ("pass", "check", "fail")
_NO_STEP = "no clean plate step"
_USABLE, _ONE = "usable", "usable, spread unknown"
_NO_WHOLE_STEP = "no-whole-step"
"""It says the same as that there is no clean step."""


class KindStatus(NamedTuple):
    """What stands of one kind of curves, and why not more.

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
        why = f"; {', '.join(self.reasons)}" if self.reasons else ""
        return f"{self.kind} {self.strides}".rstrip() + f": {self.state}{why}."

    @property
    def sound(self) -> bool:
        """Whether nothing is to be done before these curves are used."""
        return self.state in {_USABLE, _ONE}


class MuscleRemark(NamedTuple):
    """What stands of the muscles of a side.

    Attributes
    ----------
    text : str
    word : {"pass", "check", "fail"}
        Their verdict, as ``gaitdyn process`` says it.
    """

    text: str
    word: str


Said = KindStatus | KneeAxisRemark | MuscleRemark | str
"""A sentence of a line; those in parts can be shared with the other side."""


@dataclass(frozen=True, slots=True)
class SideLine:
    """One line.

    Attributes
    ----------
    side : str
    word : {"pass", "check", "fail"}
    parts : tuple of KindStatus, KneeAxisRemark, MuscleRemark or str
        Its sentences.
    angles, moments : int
        Strides of which they are known.
    """

    side: str
    word: str
    parts: tuple[Said, ...]
    angles: int
    moments: int

    @property
    def text(self) -> str:
        """The whole line."""
        return told_parts(self.parts)

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
    """Return what findings mean in few words: code -> words."""
    return {row["code"]: row["words"] for row in shipped_rows("report/reasons.csv")}


def side_lines(
    trials: Sequence[StoredTrial], remarks: Sequence[KneeAxisRemark]
) -> tuple[SideLine, ...]:
    """Return a line for each side.

    Parameters
    ----------
    trials : sequence of StoredTrial
        Of one group.
    remarks : sequence of KneeAxisRemark
        A remark is said; it changes no word.
    """
    none = not any(_cycles(_of(trials, s, "kinetics")) for s in SIDES)
    return tuple(_line(trials, side, remarks, none=none) for side in SIDES)


def _of(trials: Sequence[StoredTrial], side: str, quantity: str) -> list[dict[str, Any]]:
    return [
        one
        for trial in trials
        for one in trial.document.get("verdicts") or []
        if (one["side"], one["quantity"]) == (side, quantity)
    ]


def _cycles(found: Sequence[dict[str, Any]]) -> int:
    return sum(int(one["cycles"]) for one in found)


def _word(found: Sequence[dict[str, Any]]) -> str:
    """Return the word of several trials: one that can be used counts before one that cannot."""
    words = {one["word"] for one in found}
    if not words or words == {"fail"}:
        return "fail"
    return "check" if words & {"check", "fail"} else "pass"


def told_reasons(found: Sequence[dict[str, Any]]) -> list[str]:
    """Return the reasons of verdicts in few words, each once, all of them."""
    known = reason_words()
    words: dict[str, None] = {}
    for one in found:
        for reason in one["reasons"]:
            code, colon, message = str(reason).partition(": ")
            plain = known.get(code) if colon else None
            if plain:
                words[plain] = None
            elif colon and " " not in code:
                words[message] = None
            elif "one cycle" not in reason and "no gait cycle" not in reason:
                words[code.partition("; ")[0]] = None
    return list(words)


def _line(
    trials: Sequence[StoredTrial],
    side: str,
    remarks: Sequence[KneeAxisRemark],
    *,
    none: bool,
) -> SideLine:
    angles, loads = (_of(trials, side, q) for q in ("kinematics", "kinetics"))
    n, m = _cycles(angles), _cycles(loads)
    part = _in_part(trials, side) if _word(loads) != "fail" else ""
    if not n:
        return SideLine(side, "fail", (f"not known: {_why_none(angles)}.",), 0, m)
    word = _word(angles)
    first = told_reasons(angles)
    more = [reason for reason in told_reasons(loads) if reason not in first]
    parts: list[Said] = [_part("Angles", n, word, first)]
    load_word = _word(loads)
    if m:
        parts.append(_part("Moments", m, load_word, more, part))
    else:
        told = step_reasons(trials) if none and word != "fail" else ()
        parts.append(_no_moments(more, first, told, none=none))
        load_word = "check"
    if word == load_word == "pass":
        counts = f"{_strides(n)}, moments {_strides(m)}{part}"
        state = _ONE if min(n, m) == 1 else _USABLE
        parts = [KindStatus("Angles", counts, state)]
    parts += [one for one in remarks if one.side == side]
    parts += [*_markerless(trials, side), *_muscles(trials, side)]
    shown = (
        word
        if word == "fail"
        else max(word, min(load_word, "check", key=_ORDER.index), key=_ORDER.index)
    )
    return SideLine(side, shown, tuple(parts), n, m)


def _why_none(angles: Sequence[dict[str, Any]]) -> str:
    """Return why a side has no stride: what spoils them, where there could be some."""
    why = told_reasons(angles)
    walked = not any("no gait cycle" in reason for one in angles for reason in one["reasons"])
    return why[0] if why and (walked or _word(angles) == "fail") else "no complete stride"


def _in_part(trials: Sequence[StoredTrial], side: str) -> str:
    """Return a note where no stride has its moments from 0 to 100 %: none of them gives a peak."""
    rows = [row for t in trials for row in t.document.get("status", ())]
    if not any((r.get("side"), r.get("status")) == (side, "partial") for r in rows):
        return ""
    return "" if any(kinetic_cycles(t, side) for t in trials) else " (in part)"


def _part(name: str, count: int, word: str, reasons: Sequence[str], note: str = "") -> KindStatus:
    strides = _strides(count) + note
    if word == "pass":
        return KindStatus(name, strides, _ONE if count == 1 else _USABLE)
    state = "usable with care" if word == "check" else "not usable"
    return KindStatus(name, strides, state, tuple(reasons))


def step_reasons(trials: Sequence[StoredTrial]) -> list[str]:
    """Return what the steps on the plates lacked, in few words, the two most frequent reasons."""
    known = reason_words()
    counts = Counter(
        words
        for trial in trials
        for row in trial.document.get("status", ())
        if (words := known.get(row.get("code") or ""))
    )
    return [words for words, _ in counts.most_common(2)]


def _no_moments(
    more: Sequence[str], first: Sequence[str], told: Sequence[str], *, none: bool
) -> KindStatus:
    """Return that there are none and why, as far as that is not said already.

    Where neither side has any, a box above says what the steps lacked: ``told``.
    """
    known, name = reason_words(), "No moments"
    needed = [words for words in more if words in (known["no-mass"], known["no-plates"])]
    if needed:
        return KindStatus(name, "", ", ".join(needed))
    if none and not first and not more:
        return KindStatus(name, "", _NO_STEP)
    rest = tuple(words for words in more if words not in (*told, known[_NO_WHOLE_STEP]))
    return KindStatus(name, "", _NO_STEP if none else f"{_NO_STEP} on this side", rest)


def _strides(count: int) -> str:
    return f"{count} stride" if count == 1 else f"{count} strides"


def _markerless(trials: Sequence[StoredTrial], side: str) -> list[str]:
    """Return that trials have no markers, and which angles are therefore not measured."""
    found = [trial.document.get("model", {}).get("markerless") for trial in trials]
    if not any(found):
        return []
    fixed = [name for one in found if one for name in one["not_measured"].get(side, ())]
    told = ", ".join(dict.fromkeys(fixed))
    return [f"Markerless{f'; not measured: {told}' if told else ''}."]


_CROSSED = {
    "crossed legs": " The sides look exchanged.",
    "crossed cables": " Two cables look crossed.",
}


def _muscles(trials: Sequence[StoredTrial], side: str) -> list[MuscleRemark]:
    """Return how many muscles of a side can be used; like a remark it changes no word."""
    emg = [trial.emg for trial in trials if trial.emg is not None]
    own = [c for one in emg for c in one.channels if c.side == side and c.muscle]
    if not own:
        return []
    word = _word(_of(trials, side, "emg"))
    if all(c.status == "not_recorded" for c in own):
        return [MuscleRemark("EMG not recorded.", word)]
    every, good = {c.muscle for c in own}, {c.muscle for c in own if c.status == "ok"}
    crossed = (t for code, t in _CROSSED.items() if any(c.reason.startswith(code) for c in own))
    text = f"EMG {len(good)} of {len(every)} muscles usable.{next(crossed, '')}"
    return [MuscleRemark(text, word)]


def told_parts(parts: Sequence[Said]) -> str:
    """Return sentences one after the other.

    Parameters
    ----------
    parts : sequence of KindStatus, KneeAxisRemark, MuscleRemark or str
    """
    return " ".join(_told(one) for one in parts)


def _told(one: Said) -> str:
    if isinstance(one, KneeAxisRemark):
        return remark_words((one,))
    return one if isinstance(one, str) else one.text


def remark_words(found: Sequence[KneeAxisRemark]) -> str:
    """Return the remark on a knee axis, or on both, which are of one kind.

    Parameters
    ----------
    found : sequence of KneeAxisRemark
        Of one side, or of the left and the right.

    Examples
    --------
    >>> both = [KneeAxisRemark("left", 15.2, 0.9), KneeAxisRemark("right", 12.7, 0.8)]
    >>> remark_words(both).partition(". ")[0]
    'Knee axes to check: varus moves 15\u00b0 (L) and 13\u00b0 (R) with flexion'
    """
    both = len(found) > 1
    head = f"Knee {'axes' if both else 'axis'} to check"
    if found[0].by_rotations:
        return (
            f"{head}: hip and knee rotation lie to opposite sides of the norm. Read them with care."
        )
    sizes = " and ".join(
        f"{one.range_deg:.0f}\u00b0{f' ({one.side[0].upper()})' if both else ''}" for one in found
    )
    whose = "their" if both else "its"
    return f"{head}: varus moves {sizes} with flexion. Read {whose} rotations with care."


BOTH = "both"


@dataclass(frozen=True, slots=True)
class ToldLine:
    """A line on the first screen.

    Attributes
    ----------
    side : str
        ``left``, ``right`` or ``both``.
    word : {"pass", "check", "fail"}
        Of the side; ``pass`` in place of ``check`` where only the other line has what is to be
        checked; ``check`` in place of ``pass`` where a knee axis is to be checked, which the
        headline asks for, or muscles are not ``pass``; of a line on muscles alone their word.
    text : str
    """

    side: str
    word: str
    text: str

    @property
    def glyph(self) -> str:
        """The sign that stands before it."""
        return SYMBOLS[self.word]


def told_lines(lines: Sequence[SideLine]) -> tuple[ToldLine, ...]:
    """Return a line a side; of sides whose angles stand alike, one for both and what is left.

    Parameters
    ----------
    lines : sequence of SideLine
        Of the left and the right side.
    """
    left, right = lines
    if left.word != right.word or not _alike(left.parts[0], right.parts[0]):
        return tuple(ToldLine(one.side, _shown(one.word, one.parts), one.text) for one in lines)
    pairs = [(one, two) for one in left.parts for two in right.parts if _alike(one, two)]
    text = " ".join(_shared(*pair) for pair in pairs)
    found = [ToldLine(BOTH, _shown(left.word, [one for one, _ in pairs]), text)]
    for i, line in enumerate(lines):
        twins = {pair[i]: pair[1 - i] for pair in pairs}
        told = [(one, _left(one, twins[one]) if one in twins else one) for one in line.parts]
        kept = [one for one, rest in told if rest]
        text = told_parts([rest for _, rest in told if rest])
        found += [ToldLine(line.side, _shown(line.word, kept), text)] if text else []
    return tuple(found)


def _shown(word: str, parts: Sequence[Said]) -> str:
    """Return the word of a line by what it says, for half of a side's may stand in another.

    Not ``pass`` beside a knee axis to check, or doubtful muscles.
    """
    muscles = [one.word for one in parts if isinstance(one, MuscleRemark)]
    if muscles and len(muscles) == len(parts):  # a line of them alone
        return max(muscles, key=_ORDER.index)
    own = [one for one in parts if isinstance(one, KindStatus)]
    if word == "check" and own and all(one.sound for one in own):
        word = "pass"
    doubt = any(isinstance(one, KneeAxisRemark) for one in parts) or set(muscles) - {"pass"}
    return "check" if doubt and word == "pass" else word


def _alike(one: Said, other: Said) -> bool:
    """Return whether two sentences can be one: of parts the reasons may differ."""
    if isinstance(one, KindStatus) and isinstance(other, KindStatus):
        return one[:3] == other[:3]
    if isinstance(one, KneeAxisRemark) and isinstance(other, KneeAxisRemark):
        return one.by_rotations == other.by_rotations
    return one == other


def _shared(one: Said, other: Said) -> str:
    """Return what is said once of both."""
    if isinstance(one, KneeAxisRemark) and isinstance(other, KneeAxisRemark):
        return remark_words((one, other))
    if isinstance(one, KindStatus) and isinstance(other, KindStatus):
        return one._replace(reasons=_in_both(one, other)).text
    return _told(one)


def _left(one: Said, twin: Said) -> str:
    """Return what is left of a sentence of one side that both share."""
    if not (isinstance(one, KindStatus) and isinstance(twin, KindStatus)):
        return ""
    own = [reason for reason in one.reasons if reason not in twin.reasons]
    return f"{one.kind}: {', '.join(own)}." if own else ""


def _in_both(one: KindStatus, other: KindStatus) -> tuple[str, ...]:
    return tuple(reason for reason in one.reasons if reason in other.reasons)
