"""Findings about events: how far file and plates disagree, and where added events come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.events.alternation import between, has_cycle
from gaitdyn.types.findings import Finding
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.types.recording import Event, EventKind

    Compared = tuple[Event, Event, float]
    """An event of a plate, its twin, and how much later the twin is, ms."""

SAME_S = 0.15
"""Events of one side and kind closer together than this are the same event."""

OF_THE_FILE, BY_HAND = "of the file", "given by hand"
"""Where the events of a recording come from, in the words of messages."""

NAMES = {"foot_strike": "strike", "foot_off": "foot-off"}


def nearest(event: Event, others: Sequence[Event]) -> Event | None:
    """Return the event of the same side and kind nearest in time, within 0.15 s.

    Parameters
    ----------
    event : Event
    others : sequence of Event
        In order of time.
    """
    time_s, side, kind = event.time_s, event.side, event.kind
    around = between(others, time_s - 2 * SAME_S, time_s + 2 * SAME_S)
    near = [
        o for o in around if abs(o.time_s - time_s) <= SAME_S and o.side == side and o.kind == kind
    ]
    return min(near, key=lambda o: abs(o.time_s - time_s), default=None)


LISTED = 8
"""So many events are listed one by one; of more, as on a treadmill, the medians are told."""

FAR_MS = 20.0
"""An event further off is reported separately, with its time: it affects only its own cycles."""


def disagreement(
    side: str,
    side_events: Sequence[Event],
    plate: Mapping[Event, float],
    from_to_N: tuple[float, float] = (20.0, 20.0),
    whose: str = OF_THE_FILE,
) -> list[Finding]:
    """Return findings on how far the recorded events of a side are from its plate events.

    Parameters
    ----------
    side : str
    side_events : sequence of Event
        From the file or given by hand.
    plate : mapping
        Event at a threshold crossing of a valid contact -> the time, s, between it and the
        beginning or end of the load of a person of this weight; an event in between agrees.
    from_to_N : tuple of 2 floats
        Force at the beginning of that load, and the threshold, N; equal unless the person is light.
    whose : str
        Where ``side_events`` come from, in the words of the message.

    Returns
    -------
    list of Finding
        ``event-disagreement``, ms: one with the largest distance of the close events, and one
        for each event further than 20 ms, with its time. If there are several and all are that
        far, one for the side: its clock is off, not an event.
    """
    close, distant = [], []
    for event, light_s in plate.items():
        if (twin := nearest(event, side_events)) is not None:
            late = 1000 * _outside(twin.time_s - event.time_s, light_s, event.kind)
            (distant if abs(late) > FAR_MS else close).append((event, twin, late))
    if not close and len(distant) > 1:
        close, distant = distant, []
    force = " to ".join(dict.fromkeys(f"{force:.0f}" for force in from_to_N))
    begins = f"{side} events {whose} against the plates ({force} N)"
    findings: list[Finding] = []
    if close:
        parts = _each(close) if len(close) <= LISTED else _of_each_kind(close)
        worst = max(abs(late) for _, _, late in close)
        message = f"{begins}: {', '.join(parts)}"
        findings.append(Finding("info", "event-disagreement", side, message, worst))
    for event, twin, late in distant:
        message = f"{begins}: {NAMES[event.kind]} at {twin.time_s:.2f} s {late_words(late)}"
        first, last = sorted((event.time_s, twin.time_s))
        findings.append(
            Finding(
                "info", "event-disagreement", side, message, abs(late),
                side=side, start_s=first, stop_s=last,
            )
        )  # fmt: skip
    return findings


def _each(close: Sequence[Compared]) -> list[str]:
    return [f"{NAMES[event.kind]} {late_words(late)}" for event, _, late in close]


def _of_each_kind(close: Sequence[Compared]) -> list[str]:
    """Return how late the events of each kind are: their median, and from which time to which."""
    parts = []
    for kind, name in NAMES.items():
        late = np.array([ms for event, _, ms in close if event.kind == kind])
        if late.size:
            first, last = (late_words(ms) for ms in (late.min(), late.max()))
            spread = f" ({first} to {last})" if first != last else ""
            middle = late_words(float(median(late)))
            parts.append(f"{counted(late.size, name)} {middle} in the median{spread}")
    return parts


def _outside(late_s: float, light_s: float, kind: EventKind) -> float:
    """Return how far an event is from the beginning or end of a load, s; 0 within it.

    Examples
    --------
    >>> _outside(-0.04, 0.015, "foot_strike"), _outside(-0.01, 0.015, "foot_strike")
    (-0.025, 0.0)
    >>> _outside(0.02, 0.015, "foot_strike"), _outside(0.02, 0.015, "foot_off")
    (0.02, 0.005)
    """
    low, high = (-light_s, 0.0) if kind == "foot_strike" else (0.0, light_s)
    return round(late_s - min(max(late_s, low), high), 12)


def late_words(ms: float) -> str:
    """Return in words how much an event is later or earlier than that of a plate."""
    return f"{abs(round(ms))} ms {'early' if ms < 0 else 'late'}" if round(ms) else "0 ms"


def found_events(
    side: str, added: Sequence[Event], how: str, expected_ms: float, on_N: float
) -> Finding:
    """Return the finding that names the sources of a side's events that the file lacks.

    Parameters
    ----------
    side : str
    added : sequence of Event
        The side's events that are not from the file.
    how : str
        How the kinematic ones were corrected.
    expected_ms : float
        Their expected error, 1 SD.
    on_N : float
        Threshold of the plates, N.
    """
    counts = {s: sum(e.source == s for e in added) for s in ("plate", "kinematic")}
    message = (
        f"{side} events: {counts['plate']} from plates ({on_N:.0f} N), {counts['kinematic']} from"
        " markers"
    )
    if counts["kinematic"]:
        message += f" ({how}; expected error {expected_ms:.0f} ms)"
    value = expected_ms if counts["kinematic"] else None
    return Finding("info", "events-found", side, message, value)


def added_events(
    side: str, side_events: Sequence[Event], added: Sequence[Event], whose: str
) -> Finding:
    """Return the finding that events were added to a side without a cycle or without a foot-off."""
    lack = "complete no gait cycle"
    if all(event.kind == "foot_strike" for event in side_events) and has_cycle(side_events):
        lack = "hold no foot-off"
    message = (
        f"{side}: the events {whose} ({len(side_events)}) {lack}; {len(added)} added from plates"
        " and markers"
    )
    return Finding("info", "events-added", side, message, float(len(added)))
