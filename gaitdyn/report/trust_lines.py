"""One line a side on whether it can be trusted, from the verdicts, in a clinician's words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.metrics.knee_axis import KneeAxisRemark
    from gaitdyn.store.stored import StoredTrial

GLYPHS = {"pass": "\u2713", "check": "!", "fail": "\u2717"}
_ORDER = ("pass", "check", "fail")
_NO_STEP = "no clean plate step on this side"


@dataclass(frozen=True, slots=True)
class TrustLine:
    """One line.

    Attributes
    ----------
    side : str
    word : {"pass", "check", "fail"}
    text : str
    angles, moments : int
        Strides of which they are known.
    """

    side: str
    word: str
    text: str
    angles: int
    moments: int

    @property
    def usable(self) -> bool:
        """Whether there are angles that may be used."""
        return bool(self.angles) and self.word != "fail"

    @property
    def glyph(self) -> str:
        """The sign that stands before it."""
        return GLYPHS[self.word]


@cache
def reason_words() -> dict[str, str]:
    """Return what findings mean in few words: code -> words."""
    return {row["code"]: row["words"] for row in shipped_rows("report/reasons.csv")}


def trust_lines(
    trials: Sequence[StoredTrial], remarks: Sequence[KneeAxisRemark]
) -> tuple[TrustLine, ...]:
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
) -> TrustLine:
    angles, loads = (_of(trials, side, q) for q in ("kinematics", "kinetics"))
    n, m = _cycles(angles), _cycles(loads)
    if not n:
        why = told_reasons(angles)
        tail = f": {why[0]}" if why else ": no complete stride"
        return TrustLine(side, "fail", f"not known{tail}.", 0, m)
    word = _word(angles)
    first = told_reasons(angles)
    more = [reason for reason in told_reasons(loads) if reason not in first]
    parts = [_part("Angles", n, word, first)]
    load_word = _word(loads)
    if m:
        parts.append(_part("Moments", m, load_word, more))
    else:
        parts.append(_no_moments(more, first, none=none))
        load_word = "check"
    if word == load_word == "pass":
        known = f"Angles {_strides(n)}, moments {_strides(m)}: usable"
        parts = [known + (", spread unknown." if min(n, m) == 1 else ".")]
    parts += [_remark(one) for one in remarks if one.side == side]
    parts += [*_markerless(trials, side), *_muscles(trials, side)]
    shown = (
        word
        if word == "fail"
        else max(word, min(load_word, "check", key=_ORDER.index), key=_ORDER.index)
    )
    return TrustLine(side, shown, " ".join(parts), n, m)


def _part(name: str, count: int, word: str, reasons: Sequence[str]) -> str:
    head = f"{name} {_strides(count)}: "
    told = ", ".join(reasons)
    if word == "pass":
        return f"{head}usable{', spread unknown' if count == 1 else ''}."
    state = "usable with care" if word == "check" else "not usable"
    return f"{head}{state}{f'; {told}' if told else ''}."


def _no_moments(more: Sequence[str], first: Sequence[str], *, none: bool) -> str:
    """Return that there are none and why, as far as that is not said already."""
    known = reason_words()
    needed = [words for words in more if words in (known["no-mass"], known["no-plates"])]
    if needed:
        return f"No moments: {', '.join(needed)}."
    told = f"; {', '.join(more)}" if more else ""
    if none and not first and not more:
        return "No moments: no clean plate step."
    return f"No moments: {_NO_STEP if not none else 'no clean plate step'}{told}."


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


def _muscles(trials: Sequence[StoredTrial], side: str) -> list[str]:
    """Return how many muscles of a side can be used; like a remark it changes no word."""
    emg = [trial.emg for trial in trials if trial.emg is not None]
    own = [c for one in emg for c in one.channels if c.side == side and c.muscle]
    if not own:
        return []
    if all(c.status == "not_recorded" for c in own):
        return ["EMG not recorded."]
    every, good = {c.muscle for c in own}, {c.muscle for c in own if c.status == "ok"}
    crossed = (t for code, t in _CROSSED.items() if any(c.reason.startswith(code) for c in own))
    return [f"EMG {len(good)} of {len(every)} muscles usable.{next(crossed, '')}"]


def _remark(one: KneeAxisRemark) -> str:
    if one.by_rotations:
        return (
            "Knee axis to check: hip and knee rotation lie to opposite sides of the norm."
            " Read them with care."
        )
    return (
        f"Knee axis to check: varus moves {one.range_deg:.0f}\u00b0 with flexion. Read its"
        " rotations with care."
    )
