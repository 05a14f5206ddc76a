"""Rules for the order and spacing of the events of one side."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.recording import Event

CYCLE_S = (0.4, 3.0)
"""Two strikes of a foot are one stride when they are this far apart."""

STANCE_S, SWING_S = (0.2, 2.4), (0.1, 2.0)
"""Shortest and longest stance, and shortest and longest swing, of walking: very slow walkers stand
on a foot for up to 0.8 of the longest stride."""

_WORTH = {"kinematic": 0, "plate": 1, "file": 2}


def has_cycle(events: Sequence[Event]) -> bool:
    """Return whether two strikes of one side, in order, close a gait cycle."""
    strikes = sorted(e.time_s for e in events if e.kind == "foot_strike")
    return any(CYCLE_S[0] <= b - a <= CYCLE_S[1] for a, b in pairwise(strikes))


def alternating(events: Sequence[Event], breaks: Sequence[float] = ()) -> list[Event]:
    """Return the events of one side without the kinematic ones that are impossible.

    If two neighbouring events are impossible together, the less reliable one is dropped, the later
    one if both are equal: events of one kind within 0.4 s (if they are further apart, an event was
    missed in a gap between them), and the ends of a stance or swing that is too short. Both
    kinematic ends of a stance longer than 2.4 s or a swing longer than 2 s are dropped.

    Parameters
    ----------
    events : sequence of Event
    breaks : sequence of float
        Times at which nobody is in view; events on either side of one are not neighbours.
    """
    remaining = sorted(events)
    while True:
        wrong = _first_wrong(remaining, breaks)
        if not wrong:
            return remaining
        remaining = [event for event in remaining if event not in wrong]


def _first_wrong(events: list[Event], breaks: Sequence[float]) -> list[Event]:
    """Return the events to drop from the first impossible pair; empty if all pairs are possible."""
    for a, b in pairwise(events):
        if _possible(a, b) or any(a.time_s < time < b.time_s for time in breaks):
            continue
        loose = [event for event in (a, b) if event.source == "kinematic"]
        lower = min((b, a), key=lambda event: _WORTH[event.source])
        both = a.kind != b.kind and len(loose) == len((a, b))
        wrong = loose if both else [lower]
        if wrong[0].source == "kinematic":
            return wrong
    return []


def _possible(a: Event, b: Event) -> bool:
    apart = b.time_s - a.time_s
    if a.kind == b.kind:
        return apart >= CYCLE_S[0]
    shortest, longest = STANCE_S if a.kind == "foot_strike" else SWING_S
    return shortest <= apart <= longest
