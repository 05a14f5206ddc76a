"""Which analog channels are electromyography, of which muscle and of which side.

The muscles are rows of ``resources/emg/muscles.csv``; what a laboratory says of its own channels
wins. A name that may be two muscles is taken for none or for the likelier one, with a note; a
channel without a name, such as ``EMG7``, is never guessed from its place.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from gaitdyn.io.shipped import shipped_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import AnalogChannels

_SIDES = {
    "left": {"l", "left", "lt", "gauche", "g", "sx", "sin", "sinistra", "sinistro", "links", "li"},
    "right": {"r", "right", "rt", "droit", "droite", "d", "dx", "des", "destra", "destro",
              "rechts", "re"},
}  # fmt: skip
_DEVICE = re.compile(r"\b(emg|noraxon|delsys|myon|trigno|cometa)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(voltage\.)?(?P<side>[lr][ _])?emg[ _]*(ch(annel)?)?[ _]*\d+(\.v)?", re.IGNORECASE
)
_NO_WORD = re.compile(
    r"(voltage|emg|analog|sensor|noraxon|delsys|trigno|cometa|myon|channel|ch|io|musc(le)?|m|[um]?v)"
    r"?\d*",
    re.IGNORECASE,
)
"""Words of a label that name a device, a unit or a number."""

_GLUED = re.compile(r"(left|right)(\w{2,})|(\w{2,})(left|right)", re.IGNORECASE)
_VOLTAGE = re.compile(r"voltage\.", re.IGNORECASE)
_LEAST_RATE_HZ = 400.0
NONE = "none"
"""In the place of a muscle: the channel is not electromyography."""


@dataclass(frozen=True, slots=True)
class Muscle:
    """A row of the table: how a muscle is written, its norm, its joint, what is ambiguous."""

    pattern: str
    muscle: str
    norm: str
    joint: str
    note: str


@dataclass(frozen=True, slots=True)
class Name:
    """What a channel is called: muscle and side, empty where not told, and who said so."""

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
    """Return the signal of the norm that a muscle is held against, or nothing."""
    return next((row.norm for row in muscle_table() if row.muscle == muscle), "")


@cache
def joint_of(muscle: str) -> str:
    """Return in whose column of a page a muscle stands: ``hip`` to ``foot``, or nothing."""
    return next((row.joint for row in muscle_table() if row.muscle == muscle), "")


@cache
def _row_of(word: str) -> Muscle | None:
    """Return the first row that fits a squeezed word."""
    return next((row for row in muscle_table() if re.fullmatch(row.pattern, word)), None)


def _words(text: str) -> list[str]:
    """Return the words of a label without devices, units and numbers that stand by themselves."""
    parts = [word for word in re.split(r"[\s._:\-/()\[\],;#+]+", text.strip()) if word]
    told = [word for word in parts if not _NO_WORD.fullmatch(word)]
    return _unglued(told)


def _unglued(words: list[str]) -> list[str]:
    """Return the words, a side that is glued to the first or the last apart: ``LeftTibAnt``."""
    if len(words) != 1:
        return words
    glued = _GLUED.fullmatch(words[0])
    return words if glued is None else [part for part in glued.groups() if part]


def _squeezed(words: Sequence[str]) -> str:
    return re.sub(r"[^a-z]", "", "".join(words).lower())


def _side_of(word: str) -> str:
    return next((side for side, words in _SIDES.items() if word.lower() in words), "")


@lru_cache(maxsize=512)
def read_name(text: str, others: tuple[str, ...] = ()) -> Name:
    """Return muscle and side of a label or a description.

    Parameters
    ----------
    text : str
    others : tuple of str
        All labels of the file: beside ``MHAMS`` the L of ``LHAMS`` means lateral, not left.

    Examples
    --------
    >>> name = read_name("Voltage.L Tib Ant")
    >>> name.muscle, name.side
    ('tibialis_anterior', 'left')
    >>> read_name("LHAMS").side, read_name("LHAMS", ("MHAMS", "LHAMS")).side
    ('left', '')
    """
    words = _words(text)
    side, rest = "", words
    if len(words) > 1:
        for i in (0, -1):
            side = _side_of(words[i])
            if side:
                rest = words[1:] if i == 0 else words[:-1]
                break
    word = _squeezed(rest)
    if not side and len(rest) == 1 and word[:1] in ("l", "r"):
        glued = _row_of(word[1:])
        twins = {_squeezed(_words(other)) for other in others}
        if glued is not None and "m" + word[1:] not in twins:
            return Name(glued.muscle, {"l": "left", "r": "right"}[word[0]], note=glued.note)
    row = _row_of(word) if word else None
    return Name(side=side) if row is None else Name(row.muscle, side, note=row.note)


def name_channels(
    analog: AnalogChannels, rate_hz: float, given: Sequence[tuple[str, str, str]] = ()
) -> dict[int, Name]:
    """Return the channels that are electromyography: place among the candidates -> name.

    Parameters
    ----------
    analog : AnalogChannels
    rate_hz : float
        Of the samples: a bare ``Voltage.3`` of a slow channel is something else.
    given : sequence of (label, muscle, side)
        What the laboratory says; it wins. The muscle ``none`` leaves a channel out.
    """
    told = {label.strip().lower(): Name(muscle, side, "user") for label, muscle, side in given}
    found: dict[int, Name] = {}
    for i, label in enumerate(analog.labels):
        own = told.get(label.lower())
        if own is not None:
            if own.muscle != NONE:
                found[i] = own
            continue
        name = _from_file(analog, i)
        if name is not None and (name.named_by or _is_emg(analog, i, rate_hz)):
            found[i] = name
    return found


def _from_file(analog: AnalogChannels, i: int) -> Name | None:
    """Return what label and description of a channel say; the surer of them counts."""
    label, text = analog.labels[i], analog.descriptions[i]
    own, more = read_name(label, analog.labels), read_name(text)
    known = bool(own.muscle or own.note)
    sure = own.muscle and not own.note
    if not sure and more.muscle and not more.note:
        taken, by = more, "description"
    else:
        taken, by = (own, "label") if known else (more, "description")
    named = bool(taken.muscle or taken.note)
    side = analog.sides[i] or own.side or more.side
    numbered = _NUMBERED.fullmatch(label)
    if not named and numbered and numbered["side"]:
        side = {"l": "left", "r": "right"}[numbered["side"][0].lower()]
    return Name(taken.muscle, side, by if named else "", taken.note)


def _is_emg(analog: AnalogChannels, i: int, rate_hz: float) -> bool:
    """Return whether a channel without a muscle is electromyography all the same."""
    label, text = analog.labels[i], analog.descriptions[i]
    if analog.declared[i]:
        return True
    if _NUMBERED.fullmatch(label) or _DEVICE.search(text):
        return True
    return bool(_VOLTAGE.match(label)) and rate_hz >= _LEAST_RATE_HZ
