"""Find the analog channels of electromyography, and their muscles and sides.

The muscles are the rows of ``resources/emg/muscles.csv``; names that the laboratory gives take
precedence. A name that fits two muscles is left unnamed, or taken for the likelier one, with a
note. A channel without a name, such as ``EMG7``, is never guessed from its position.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from gaitdyn.emg.copies import copies_of
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.side_words import SIDE_WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import AnalogChannels

_SIDES = SIDE_WORDS | {"G": "left", "LI": "left", "D": "right", "DES": "right", "RE": "right"}
_LETTER = {"l": "left", "r": "right"}
_ALSO_MUSCLES = {"g", "d", "re", "droit"}
"""Words of a side that may also begin the name of a muscle."""

_DEVICE = re.compile(r"\b(emg|noraxon|delsys|myon|trigno|cometa)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(voltage\.)?(?P<side>[lr][ _])?emg[ _]*(ch(annel)?)?[ _]*\d+(\.v)?", re.IGNORECASE
)
_NOT_A_WORD = re.compile(
    r"(voltage|emg|analog|sensor|noraxon|delsys|trigno|cometa|myon|channel|ch|io|musc(le)?|m|[um]?v)"
    r"?\d*",
    re.IGNORECASE,
)
"""Words of a label that name a device, a unit or a number."""

_GLUED = re.compile(r"(left|right)(\w{2,})|(\w{2,})(left|right)", re.IGNORECASE)
_VOLTAGE = re.compile(r"voltage\.", re.IGNORECASE)
_LEAST_RATE_HZ = 400.0
NONE = "none"
"""In place of a muscle: the channel is not electromyography."""


@dataclass(frozen=True, slots=True)
class Muscle:
    """A row of the table: pattern of the label, muscle, its norm, its joint, what is ambiguous."""

    pattern: str
    muscle: str
    norm: str
    joint: str
    note: str


@dataclass(frozen=True, slots=True)
class Name:
    """Muscle and side of a channel, empty where unknown, and which source named it."""

    muscle: str = ""
    side: str = ""
    named_by: str = ""
    note: str = ""


@cache
def muscle_table() -> tuple[Muscle, ...]:
    """Return the rows of the table of muscles, read once."""
    return tuple(
        Muscle(row["pattern"], row["muscle"], row["norm"], row["joint"], row["note"])
        for row in shipped_rows("emg/muscles.csv")
    )


@cache
def norm_of(muscle: str) -> str:
    """Return the signal of the norm that a muscle is compared with, or an empty string."""
    return next((row.norm for row in muscle_table() if row.muscle == muscle), "")


@cache
def joint_of(muscle: str) -> str:
    """Return the column of a page in which a muscle is shown, ``hip`` to ``foot``, or nothing."""
    return next((row.joint for row in muscle_table() if row.muscle == muscle), "")


@cache
def _row_of(word: str) -> Muscle | None:
    """Return the first row whose pattern fits a word of lower-case letters."""
    return next((row for row in muscle_table() if re.fullmatch(row.pattern, word)), None)


def _words(text: str) -> list[str]:
    """Return the words of a label, without accents and what is a device, a unit or a number."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    parts = [word for word in re.split(r"[\s._:\-/()\[\],;#+]+", bare.strip()) if word]
    return _with_side_apart([word for word in parts if not _NOT_A_WORD.fullmatch(word)])


def _with_side_apart(words: list[str]) -> list[str]:
    """Return the words, with the side split off a single word such as ``LeftTibAnt``."""
    if len(words) != 1:
        return words
    glued = _GLUED.fullmatch(words[0])
    return words if glued is None else [part for part in glued.groups() if part]


def _letters(words: Sequence[str]) -> str:
    return re.sub(r"[^a-z]", "", "".join(words).lower())


def _side_of(word: str) -> str:
    return _SIDES.get(word.upper(), "")


def _split_side(words: list[str]) -> tuple[str, list[str]]:
    """Return the side at the start or the end of some words, and the rest, which names a muscle.

    ``G`` is left in French and ``Re`` right in German, but ``G Med R`` is a right gluteus and ``G
    Med`` one without a side. If no rest names a muscle, both ends must agree on the side.
    """
    ends = [(_side_of(words[0]), words[1:]), (_side_of(words[-1]), words[:-1])] if words else []
    splits = [(side, rest) for side, rest in ends if side and rest]
    for side, rest in splits:
        if _row_of(_letters(rest)) is not None:
            return side, rest
    sides = {side for side, _ in splits}
    abbreviated = bool(words) and words[0].lower() in _ALSO_MUSCLES and _row_of(_letters(words))
    return ("", words) if abbreviated or len(sides) != 1 else splits[0]


@lru_cache(maxsize=512)
def read_name(text: str, others: tuple[str, ...] = ()) -> Name:
    """Return muscle and side of a label or a description.

    Parameters
    ----------
    text : str
    others : tuple of str
        All labels of the file: next to ``MHAMS`` the L of ``LHAMS`` means lateral, not left.

    Examples
    --------
    >>> name = read_name("Voltage.L Tib Ant")
    >>> name.muscle, name.side
    ('tibialis_anterior', 'left')
    >>> read_name("LHAMS").side, read_name("LHAMS", ("MHAMS", "LHAMS")).side
    ('left', '')
    """
    side, rest = _split_side(_words(text))
    word = _letters(rest)
    if not side and len(rest) == 1 and word[:1] in _LETTER:
        glued = _row_of(word[1:])
        twins = {_letters(_words(other)) for other in others}
        if glued is not None and "m" + word[1:] not in twins:
            return Name(glued.muscle, _LETTER[word[0]], note=glued.note)
    if not side and len(rest) == 1 and word[-1:] in _LETTER:
        stem = _row_of(word[:-1])
        mirrored = word[:-1] + ("r" if word[-1] == "l" else "l")
        if stem is not None and mirrored in {_letters(_words(other)) for other in others}:
            return Name(stem.muscle, _LETTER[word[-1]], note=stem.note)
    row = _row_of(word) if word else None
    return Name(side=side) if row is None else Name(row.muscle, side, note=row.note)


def name_channels(
    analog: AnalogChannels, rate_hz: float, given: Sequence[tuple[str, str, str]] = ()
) -> dict[int, Name]:
    """Return row among the analog channels -> name, for each channel of electromyography.

    Parameters
    ----------
    analog : AnalogChannels
    rate_hz : float
        Of the samples: a bare ``Voltage.3`` of a slow channel is not electromyography.
    given : sequence of (label, muscle, side)
        Named by the laboratory; these win. The muscle ``none`` leaves a channel out.

    Notes
    -----
    A processed copy of another channel is left out unless the laboratory names it.
    """
    by_label = {
        label.strip().lower(): Name(muscle, side, "user", _misspelt(muscle))
        for label, muscle, side in given
    }
    copies = copies_of(analog.labels)
    names: dict[int, Name] = {}
    for i, label in enumerate(analog.labels):
        if (user_name := by_label.get(label.lower())) is not None:
            if user_name.muscle != NONE:
                names[i] = user_name
            continue
        name = None if i in copies else _from_file(analog, i)
        if name is not None and (name.named_by or _is_emg(analog, i, rate_hz)):
            names[i] = name
    return names


def _misspelt(muscle: str) -> str:
    """Return a note if a muscle of the laboratory's own is spelled nearly like a known one."""
    known = {row.muscle for row in muscle_table()}
    if muscle == NONE or muscle in known:
        return ""
    near = get_close_matches(muscle, known, 1, _NEARLY)
    return f"no known muscle, so without a norm; did you mean {near[0]}?" if near else ""


_NEARLY = 0.82
"""Likeness of a misspelt name: vastus_intermedius and vastus_medialis have 0.8."""


def _from_file(analog: AnalogChannels, i: int) -> Name | None:
    """Return the name in the label or the description of a channel; the surer one counts."""
    label, text = analog.labels[i], analog.descriptions[i]
    by_label, by_text = read_name(label, analog.labels), read_name(text)
    sure = by_label.muscle and not by_label.note
    if not sure and by_text.muscle and not by_text.note:
        name, source = by_text, "description"
    elif by_label.muscle or by_label.note:
        name, source = by_label, "label"
    else:
        name, source = by_text, "description"
    named = bool(name.muscle or name.note)
    side = analog.sides[i] or by_label.side or by_text.side
    numbered = _NUMBERED.fullmatch(label)
    if not named and numbered and numbered["side"]:
        side = _LETTER[numbered["side"][0].lower()]
    return Name(name.muscle, side, source if named else "", name.note)


def _is_emg(analog: AnalogChannels, i: int, rate_hz: float) -> bool:
    """Return whether a channel that names no muscle is electromyography nevertheless."""
    label, text = analog.labels[i], analog.descriptions[i]
    if analog.declared[i]:
        return True
    if _NUMBERED.fullmatch(label) or _DEVICE.search(text):
        return True
    return bool(_VOLTAGE.match(label)) and rate_hz >= _LEAST_RATE_HZ
