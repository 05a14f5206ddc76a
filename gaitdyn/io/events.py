"""Read foot strikes and foot-offs from a file."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.types.recording import Event, EventKind
from gaitdyn.types.side_words import SIDE_WORDS

if TYPE_CHECKING:
    from gaitdyn.io.parameters import Parameters

_STRIKE = re.compile(
    r"(foot|heel|initial) *(strike|contact|on)|touch *down|hiel *contact"
    r"|^e?[lr]? ?(hs|fs|ic|hc|fc|td)( ?[lr])?$|^[lr]?hs\b|^[lr] ?on( fp ?\d*)?$"
    r"|(fersen|boden|initial) *kontakt|aufsetzen|contact *(initial|talon)|attaque"
    r"|conta[ct]?to *inicial|apoyo *inicial|contatto|appoggio"
)
_OFF = re.compile(
    r"(foot|toe) *off|lift *off|^e?[lr]? ?(to|fo)( ?[lr])?$|^[lr] ?off( fp ?\d*)?$"
    r"|zehen *(ab|los)|abheben|abstoss|decoll(ement|age)|lever *(du|de) *pied|levee|despegue"
    r"|despeje|stacco|distacco|teen *(los|af)"
)
_SIDE = re.compile(
    r"^(e(?=[lr](hs|to)))?(l|r)(?=(hs|fs|to|fo|ic|hc|fc|td|heel|foot|toe| )|eft|ight|on\b|off\b)"
    r"|\b(left|right)|(?<= )(l|r)$|(?<=^hs|^fs|^to|^fo|^ic|^hc|^fc|^td)(l|r)$"
)
_SIDE_WORD = re.compile(r"^(left|right)|\b(left|right)\b")
_BETWEEN = re.compile(r"[ _.-]+")


def read_events(params: Parameters) -> tuple[Event, ...]:
    """Return the foot events of the EVENT group in chronological order.

    EVENT:TIMES holds minutes and seconds, as 2 x n or as a flat list; time 0 is the file's frame 1.
    The side is the context, or else is read from labels such as ``LHS``, ``RTO`` or
    ``Left Foot Strike``; an event without a side or of another kind is left out.

    Parameters
    ----------
    params : Parameters

    Returns
    -------
    tuple of Event
    """
    times = params.get("EVENT", "TIMES")
    labels = params.strings("EVENT", "LABELS")
    if times is None or not labels or isinstance(times, list):
        return ()
    minutes_seconds = np.ravel(np.asarray(times, dtype=float), order="F")
    minutes_seconds = minutes_seconds[: len(minutes_seconds) // 2 * 2].reshape(-1, 2)
    contexts = params.strings("EVENT", "CONTEXTS")
    contexts += [""] * (len(labels) - len(contexts))
    events = []
    for label, context, (minute, second) in zip(labels, contexts, minutes_seconds, strict=False):
        kind, side = event_kind(label), event_side(context, label)
        if kind and side and np.isfinite(minute + second):
            events.append(Event(float(60 * minute + second), side, kind))
    return tuple(sorted(set(events)))


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
    """Return a label in lower case, without accents, its words separated by single blanks."""
    bare = unicodedata.normalize("NFKD", text.strip().lower()).replace("ø", "o").replace("ß", "ss")
    return _BETWEEN.sub(" ", "".join(c for c in bare if not unicodedata.combining(c)))
