"""Read foot strikes and foot-offs from a C3D file: its EVENT group, or else its header."""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.c3d.event_clock import on_the_clock, on_their_frames
from gaitdyn.types.recording import Event, EventKind
from gaitdyn.types.side_words import SIDE_WORDS
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.io.c3d.parameters import C3DHeader, Parameters
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import BodySide

_STRIKE = re.compile(
    r"(foot|heel|initial|ground) *(strike|contact|on|down)|init *cont(act)?$|touch *down"
    r"|^e?[lr]? ?(hs|fs|ic|hc|fc|td|strike|contact)( ?[lr])?$|^[lr]?hs\b|hiel *contact"
    r"|(start|begin)( *of)? *stance|stance *(start|on\b)"
    r"|(^|fersen|boden|erst|initial|hael|hal|al[kg]u) *konta[kc]t|auf(setzen|satz|tritt)|isattning"
    r"|contact *(initial|talon)|attaque|pose *du *pied|(choque|golpe|toque) *d[eo] *(talon|calcan)"
    r"|conta[ct]?to *inicial|apoyo( *inicial)?$|contatto|appoggio|uderzenie|dopad|topuk *vurus"
)
_OFF = re.compile(
    r"(foot|toe) *(off|up)|(lift|take) *off|^e?[lr]? ?(to|fo|off)( ?[lr])?$"
    r"|zehen *(ab|los)|abheb|abstoss|decoll(ement|age)|lever *(du|de) *pied|levee|despegue"
    r"|despeje|stacco|distacco|teen *(los|af)|afzet|avgang|avvikling|talo?ft|oderwanie"
    r"|(final|last|terminal|end)( *of)?( *foot)? *contact|end( *of)? *stance|stance *(end|off\b)"
    r"|contact *(end|off)\b"
    r"|(start|begin)( *of)? *swing|swing *(start|on\b)|decolagem|retirada *do *pe"
)
_SIDE = re.compile(
    r"^(e(?=[lr](hs|to)))?(l|r)"
    r"(?=(hs|fs|to|fo|ic|hc|fc|td|heel|foot|toe|strike| )|eft|ight|on\b|off\b)"
    r"|\b(left|right)|(left|right)$|(?<= )(l|r)$|(?<=^hs|^fs|^to|^fo|^ic|^hc|^fc|^td)(l|r)$"
)
_SIDE_WORD = re.compile(r"^(left|right)|(left|right)$|\b(left|right)\b")
_ON = re.compile(r"^(l|r|left|right) ?on$|^on (l|r|left|right)$")
_OTHER_FOOT = re.compile(r"\bopp(osite)?\b|contra ?lat|controlat")
_SIDE_LETTERS: dict[str, BodySide] = {"g": "left", "i": "left", "d": "right"}
"""The last word of a label in French, Spanish or Portuguese."""
_BETWEEN = re.compile(r"[ _.-]+")
_COUNTED = re.compile(r"^(fp ?\d*|event|evt?) (?=\w)|( fp)? ?\d+$| fp$")
"""The plate or the number of an event: FP1_RHS, Event_RHS, LTO2."""


def read_events(header: C3DHeader, params: Parameters) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Return the foot events of a file in chronological order, and notes on what was read.

    The EVENT group has EVENT:USED events; what a program left behind them is not read. The
    header's events count if the group has none. Their time 0 is the first frame stored, whatever
    its number (C3D format user guide, "Event times").

    Returns
    -------
    tuple of Event
    tuple of str
    """
    grouped, notes = _of_group(params)
    rate = params.number("POINT", "RATE") or header.rate_hz
    if grouped and rate:
        grouped, moved = on_the_clock(on_their_frames(grouped, rate), header, params, rate)
        notes = (*notes, moved) if moved else notes
    if grouped or not header.events:
        return grouped, notes
    start = (max(1, header.first_frame) - 1) / rate if rate else 0.0
    events, _ = _foot_events((label, "", start + second) for label, second in header.events)
    note = f"the EVENT group has no foot event: {len(events)} are taken from the file's header"
    return events, (*notes, note) if events else notes


def _of_group(params: Parameters) -> tuple[tuple[Event, ...], tuple[str, ...]]:
    """Return the foot events of the EVENT group, and notes on those that are not used.

    EVENT:TIMES holds minutes and seconds, as 2 x n or as a flat list; time 0 is the file's frame 1.
    More than 255 events go on in TIMES2, LABELS2 and so on.
    """
    labels = params.strings("EVENT", "LABELS")
    parts = [params.get("EVENT", name) for name in params.series("EVENT", "TIMES")]
    times = [part for part in parts if not isinstance(part, list)]
    if not labels or not times:
        return (), ()
    numbers = np.concatenate([np.ravel(part, order="F") for part in times]).astype(float)
    in_pairs = np.ndim(times[0]) > 1 and len(times[0]) == 2  # noqa: PLR2004
    seconds = _seconds(numbers, len(labels), in_pairs=in_pairs)
    contexts = params.strings("EVENT", "CONTEXTS")
    contexts += [""] * (len(labels) - len(contexts))
    stored = list(zip(labels, contexts, seconds.tolist(), strict=False))
    used, notes = params.count("EVENT", "USED"), list[str]()
    if used is not None and used != len(stored):
        held = f"EVENT:USED is {used}, and the group holds {counted(len(stored), 'event')}"
        notes.append(f"{held}: the rest is not used" if used < len(stored) else held)
        stored = stored[:used]
    events, sideless = _foot_events(stored)
    if sideless:
        notes.append(f"{counted(sideless, 'foot event')} without a side: not used")
    return events, tuple(notes)


def _seconds(stored: Array, n_events: int, *, in_pairs: bool) -> Array:
    """Return the times of events: pairs of minutes and seconds, or seconds if they are no pairs.

    There may be more labels than times: a program leaves those of earlier events behind.
    """
    if len(stored) == n_events and not in_pairs:
        return stored
    minutes, seconds = stored[: len(stored) // 2 * 2].reshape(-1, 2).T
    return 60 * minutes + seconds


def _foot_events(stored: Iterable[tuple[str, str, float]]) -> tuple[tuple[Event, ...], int]:
    """Return the foot strikes and foot-offs of one side, and how many foot events have no side.

    The side is the context, or else is read from labels such as ``LHS``, ``RTO`` or
    ``Left Foot Strike``; an event without a side or of another kind is left out.
    """
    events, sideless = set[Event](), 0
    for label, context, second in stored:
        kind, side = event_kind(label), event_side(context, label)
        sideless += bool(kind) and not side
        if kind and side and math.isfinite(second):
            events.add(Event(second, side, kind))
    return tuple(sorted(events)), sideless


def event_kind(label: str) -> EventKind | None:
    """Return the kind of event that a label names, or None.

    Examples
    --------
    >>> event_kind("Foot Strike"), event_kind("RTO"), event_kind("General")
    ('foot_strike', 'foot_off', None)
    >>> event_kind("Right_HS"), event_kind("HS-L"), event_kind("Toe-off")
    ('foot_strike', 'foot_strike', 'foot_off')
    """
    plain = _plain(label)
    if _OTHER_FOOT.search(plain):  # its side is not that of its context
        return None
    words = _SIDE_WORD.sub("", plain).split()
    text = " ".join(word for word in words if len(word) == 1 or word.upper() not in SIDE_WORDS)
    if _OFF.search(text):
        return "foot_off"
    return "foot_strike" if _STRIKE.search(text) or _ON.search(plain) else None


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
        if match := _SIDE.search(text):
            return "left" if match[0].lstrip("e")[0] == "l" else "right"
    words = _plain(label).split()
    return _SIDE_LETTERS.get(words[-1]) if len(words) > 1 else None


@lru_cache(maxsize=256)
def _plain(text: str) -> str:
    """Return a label in lower case, without accents, plate and number, with single blanks."""
    bare = (
        unicodedata.normalize("NFKD", text.strip().lower())
        .replace("ø", "o")
        .replace("æ", "ae")
        .replace("ß", "ss")
    )
    spaced = _BETWEEN.sub(" ", "".join(c for c in bare if not unicodedata.combining(c)))
    return _COUNTED.sub("", spaced)
