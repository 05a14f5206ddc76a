"""What is said of events: how far file and plates disagree, and where the others come from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.events.alternation import has_cycle
from gaitdyn.types.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.recording import Event

SAME_S = 0.15
"""Events of one side and kind nearer than this are the same event."""

OF_THE_FILE, BY_HAND = "of the file", "given by hand"
"""Where the events of a recording come from, as messages say it."""

NAMES = {"foot_strike": "strike", "foot_off": "off"}


def nearest(event: Event, others: Sequence[Event]) -> Event | None:
    """Return the event of the same side and kind nearest in time, within 0.15 s."""
    same = [o for o in others if (o.side, o.kind) == (event.side, event.kind)]
    best = min(same, key=lambda o: abs(o.time_s - event.time_s), default=None)
    return best if best is not None and abs(best.time_s - event.time_s) <= SAME_S else None


FAR_MS = 20.0
"""An event further off is told by itself, with its time: it is about its own cycles."""


def disagreement(
    side: str,
    told: Sequence[Event],
    plate: Sequence[Event],
    on_N: float = 20.0,
    whose: str = OF_THE_FILE,
) -> list[Finding]:
    """Return how far a side's own events are from its plate events.

    Parameters
    ----------
    side : str
    told, plate : sequences of Event
        From the file or given by hand, and at the threshold crossings of valid contacts.
    on_N : float
        That threshold, N.
    whose : str
        Where ``told`` comes from, as the message says it.

    Returns
    -------
    list of Finding
        ``event-disagreement``, ms: the largest distance of the events that are near, and one for
        each that is further than 20 ms, with its time. Where several are all as far, one for the
        side: its clock is off, not an event.
    """
    near, far = [], []
    for event in plate:
        twin = nearest(event, told)
        if twin is not None:
            late = 1000 * (twin.time_s - event.time_s)
            (far if abs(late) > FAR_MS else near).append((event, twin, late))
    if not near and len(far) > 1:
        near, far = far, []
    begins = f"{side} events {whose} against the plates ({on_N:.0f} N)"
    found: list[Finding] = []
    if near:
        parts = [f"{NAMES[event.kind]} {_late(late)}" for event, _, late in near]
        worst = max(abs(late) for _, _, late in near)
        message = f"{begins}: {', '.join(parts)}"
        found.append(Finding("info", "event-disagreement", side, message, worst))
    for event, twin, late in far:
        message = f"{begins}: {NAMES[event.kind]} at {twin.time_s:.2f} s {_late(late)}"
        first, last = sorted((event.time_s, twin.time_s))
        found.append(
            Finding(
                "info", "event-disagreement", side, message, abs(late),
                side=side, start_s=first, stop_s=last,
            )
        )  # fmt: skip
    return found


def _late(ms: float) -> str:
    """Return by how much an event comes after or before that of a plate."""
    return f"{abs(round(ms))} ms {'early' if ms < 0 else 'late'}" if round(ms) else "0 ms"


def found_events(
    side: str, found: Sequence[Event], how: str, expected_ms: float, on_N: float = 20.0
) -> Finding:
    """Return where the events of a side come from when the file does not hold them.

    Parameters
    ----------
    side : str
    found : sequence of Event
        The side's events that are not from the file.
    how : str
        The correction of the kinematic ones.
    expected_ms : float
        Their expected error, 1 SD.
    on_N : float
        Threshold of the plates, N.
    """
    counts = {s: sum(e.source == s for e in found) for s in ("plate", "kinematic")}
    message = (
        f"{side} events: {counts['plate']} from plates ({on_N:.0f} N), {counts['kinematic']} from"
        " markers"
    )
    if counts["kinematic"]:
        message += f" ({how}; expected error {expected_ms:.0f} ms)"
    value = expected_ms if counts["kinematic"] else None
    return Finding("info", "events-found", side, message, value)


def added_events(
    side: str, told: Sequence[Event], found: Sequence[Event], whose: str = OF_THE_FILE
) -> Finding:
    """Return the finding for a side whose own events were added to: no cycle, or no foot-off."""
    lack = "complete no gait cycle"
    if all(event.kind == "foot_strike" for event in told) and has_cycle(told):
        lack = "hold no foot-off"
    message = (
        f"{side}: the {len(told)} events {whose} {lack}; {len(found)} were added from plates and"
        " markers"
    )
    return Finding("info", "events-added", side, message, float(len(found)))
