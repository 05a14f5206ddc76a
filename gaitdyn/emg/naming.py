"""Find the analog channels of electromyography, and their muscles and sides.

The muscles are the rows of ``resources/emg/muscles.csv``; names that the laboratory gives take
precedence. A name that fits two muscles is left unnamed, or taken for the likelier one, with a
note. A channel without a name, such as ``EMG7``, is never guessed from its position.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from gaitdyn.emg.copies import copies_of
from gaitdyn.emg.label_words import letters, split_side, words_of
from gaitdyn.emg.muscle_table import muscle_table, row_among
from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.emg import AnalogChannels

_LETTER = {"l": "left", "r": "right"}
_DEVICE = re.compile(r"\b(emg|noraxon|delsys|myon|trigno|cometa)\b", re.IGNORECASE)
_NUMBERED = re.compile(
    r"(voltage\.)?(?P<side>[lr][ _])?emg[ _]*(ch(annel)?)?[ _]*\d+(\.v)?", re.IGNORECASE
)
_EMG = re.compile(r"(?<![a-z])s?emg(?![a-z])", re.IGNORECASE)
_VOLTAGE = re.compile(r"voltage\.", re.IGNORECASE)
_LEAST_RATE_HZ = 400.0
NONE = "none"
"""In place of a muscle: the channel is not electromyography."""


@frozen()
class Name:
    """Muscle and side of a channel, empty where unknown, and which source named it."""

    muscle: str = ""
    side: str = ""
    named_by: str = ""
    note: str = ""


@lru_cache(maxsize=8)
def _named(labels: tuple[str, ...]) -> frozenset[str]:
    """Return the words of some labels without a side, and the muscles that they surely name."""
    names = [read_name(label) for label in labels]
    words = [letters(split_side(words_of(label), labels)[1]) for label in labels]
    bare = {part for word in words for part in (word, word[1:] if word[:1] in _LETTER else word)}
    return frozenset({name.muscle for name in names if not name.note} | bare) - {""}


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
    side, rest = split_side(words_of(text), others)
    word, named = letters(rest), _named(others)
    if not side and len(rest) == 1 and word[:1] in _LETTER:
        glued = row_among(word[1:], named)
        twins = {letters(words_of(other)) for other in others}
        if glued is not None and "m" + word[1:] not in twins:
            return Name(glued.muscle, _LETTER[word[0]], note=glued.note)
    if not side and len(rest) == 1 and word[-1:] in _LETTER:
        stem = row_among(word[:-1], named)
        mirrored = word[:-1] + ("r" if word[-1] == "l" else "l")
        if stem is not None and mirrored in {letters(words_of(other)) for other in others}:
            return Name(stem.muscle, _LETTER[word[-1]], note=stem.note)
    row = row_among(word, named)
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


def without_muscle(
    analog: AnalogChannels, rate_hz: float, given: Sequence[tuple[str, str, str]] = ()
) -> list[str]:
    """Return the labels of channels that might be electromyography, but do not say so.

    Parameters
    ----------
    analog, rate_hz, given
        As of :func:`name_channels`.

    Notes
    -----
    Copies of other channels, and those that the laboratory has set to ``none``, are not among them.
    """
    named, copies = name_channels(analog, rate_hz, given), copies_of(analog.labels)
    known = {label.strip().lower() for label, _, _ in given}
    return [
        label
        for i, label in enumerate(analog.labels)
        if i not in named and i not in copies and label.lower() not in known
    ]


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
    note = _contradicted(name.muscle, by_text) if sure else name.note
    return Name(name.muscle, side, source if named else "", note)


def _contradicted(muscle: str, by_text: Name) -> str:
    """Return that the description of a channel surely names another muscle than its label."""
    other = by_text.muscle
    if not other or by_text.note or other in muscle or muscle in other:  # such as gastrocnemius
        return ""
    return f"its description says {other.replace('_', ' ')}; say which"


def _is_emg(analog: AnalogChannels, i: int, rate_hz: float) -> bool:
    """Return whether a channel that names no muscle is electromyography nevertheless."""
    label, text = analog.labels[i], analog.descriptions[i]
    if analog.declared[i]:
        return True
    if _EMG.search(label) or _DEVICE.search(text):
        return True
    return bool(_VOLTAGE.match(label)) and rate_hz >= _LEAST_RATE_HZ
