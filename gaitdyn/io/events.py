"""Read foot strikes and foot-offs from a C3D file: its EVENT group, or else its header."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.recording import Event, EventKind
from gaitdyn.types.side_words import SIDE_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.io.parameters import C3DHeader, Parameters

_STRIKE = re.compile(
    r"(foot|heel|initial) *(strike|contact|on|down)|touch *down|hiel *contact"
    r"|^e?[lr]? ?(hs|fs|ic|hc|fc|td|strike)( ?[lr])?$|^[lr]?hs\b|^[lr] ?on$"
    r"|(^|fersen|boden|initial) *kontakt|aufs(etzen|atz)|contact *(initial|talon)|attaque"
    r"|pose *du *pied|conta[ct]?to *inicial|apoyo( *inicial)?$|contatto|appoggio"
)
_OFF = re.compile(
    r"(foot|toe) *(off|up)|(lift|take) *off|^e?[lr]? ?(to|fo|off)( ?[lr])?$"
    r"|zehen *(ab|los)|abheb|abstoss|decoll(ement|age)|lever *(du|de) *pied|levee|despegue"
    r"|despeje|stacco|distacco|teen *(los|af)"
)
_SIDE = re.compile(
    r"^(e(?=[lr](hs|to)))?(l|r)"
    r"(?=(hs|fs|to|fo|ic|hc|fc|td|heel|foot|toe|strike| )|eft|ight|on\b|off\b)"
    r"|\b(left|right)|(?<= )(l|r)$|(?<=^hs|^fs|^to|^fo|^ic|^hc|^fc|^td)(l|r)$"
)
_SIDE_WORD = re.compile(r"^(left|right)|\b(left|right)\b")
_BETWEEN = re.compile(r"[ _.-]+")
_COUNTED = re.compile(r"^fp ?\d* (?=\w)|( fp)? ?\d+$| fp$")
"""The plate or the number of an event: FP1_RHS, LTO2."""


def read_events(header: C3DHeader, params: Parameters) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Return the foot events of a file in chronological order, and a note on those of the header.

    The header's events count if the EVENT group has none. Their time 0 is the first frame stored,
    whatever its number (C3D format user guide, "Event times").

    Parameters
    ----------
    header : C3DHeader
    params : Parameters

    Returns
    -------
    tuple of Event
    tuple of str
    """
    grouped = _of_group(params)
    if grouped or not header.events:
        return grouped, ()
    rate = params.number("POINT", "RATE") or header.rate_hz
    start = (header.first_frame - 1) / rate if rate else 0.0
    events = _foot_events((label, "", start + second) for label, second in header.events)
    note = f"the EVENT group has no foot event: {len(events)} are taken from the file's header"
    return events, (note,) if events else ()


def _of_group(params: Parameters) -> tuple[Event, ...]:
    """Return the foot events of the EVENT group.

    EVENT:TIMES holds minutes and seconds, as 2 x n or as a flat list; time 0 is the file's frame 1.
    More than 255 events go on in TIMES2, LABELS2 and so on.
    """
    labels = params.strings("EVENT", "LABELS")
    stored = [params.get("EVENT", name) for name in params.series("EVENT", "TIMES")]
    times = [np.ravel(part, order="F") for part in stored if not isinstance(part, list)]
    if not labels or not times:
        return ()
    minutes_seconds = np.concatenate(times).astype(float)
    minutes_seconds = minutes_seconds[: len(minutes_seconds) // 2 * 2].reshape(-1, 2)
    contexts = params.strings("EVENT", "CONTEXTS")
    contexts += [""] * (len(labels) - len(contexts))
    minutes, seconds = minutes_seconds.T
    whole = (60 * minutes + seconds).tolist()
    return _foot_events(zip(labels, contexts, whole, strict=False))


def _foot_events(stored: Iterable[tuple[str, str, float]]) -> tuple[Event, ...]:
    """Return the events that label and context call a foot strike or foot-off of one side.

    The side is the context, or else is read from labels such as ``LHS``, ``RTO`` or
    ``Left Foot Strike``; an event without a side or of another kind is left out.
    """
    events: set[Event] = set()
    for label, context, second in stored:
        kind, side = event_kind(label), event_side(context, label)
        if kind and side and np.isfinite(second):
            events.add(Event(second, side, kind))
    return tuple(sorted(events))


def event_kind(label: str) -> EventKind | None:
    """Return the kind of event that a label names, or None.

    Examples
    --------
    >>> event_kind("Foot Strike"), event_kind("RTO"), event_kind("General")
    ('foot_strike', 'foot_off', None)
    >>> event_kind("Right_HS"), event_kind("HS-L"), event_kind("Toe-off")
    ('foot_strike', 'foot_strike', 'foot_off')
    """
    text = _SIDE_WORD.sub("", _plain(label)).strip()
    if _OFF.search(text):
        return "foot_off"
    return "foot_strike" if _STRIKE.search(text) else None


def event_side(context: str, label: str) -> str | None:
    """Return the side of an event from its context or else its label, or None.

    Examples
    --------
    >>> event_side("Left", "Foot Strike"), event_side("", "RTO"), event_side("General", "Event")
    ('left', 'right', None)
    >>> event_side("", "Right_HS"), event_side("", "HS-L"), event_side("", "R-TO")
    ('right', 'left', 'right')
    """
    for text in (_plain(context), _plain(label)):
        for word in text.split():
            if word.upper() in SIDE_WORDS:
                return SIDE_WORDS[word.upper()]
        match = _SIDE.search(text)
        if match:
            return "left" if match[0].lstrip("e")[0] == "l" else "right"
    return None


def _plain(text: str) -> str:
    """Return a label in lower case, without accents, plate and number, with single blanks."""
    bare = unicodedata.normalize("NFKD", text.strip().lower()).replace("ø", "o").replace("ß", "ss")
    spaced = _BETWEEN.sub(" ", "".join(c for c in bare if not unicodedata.combining(c)))
    return _COUNTED.sub("", spaced)
