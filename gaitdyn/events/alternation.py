"""Rules for the order and spacing of the events of one side."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from operator import attrgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Sequence

    from gaitdyn.types.recording import Event

CYCLE_S = (0.4, 3.0)
"""Two strikes of a foot are one stride when they are this far apart."""

LONGEST_S, STOPPED = 6.0, 0.5
"""A stride may last up to 6 s if the events show that none is missing and nobody stops: the foot
leaves the ground once, the other foot strikes once, and neither double support takes more than
half of the stride."""

STANCE_S, SWING_S = (0.2, 2.4), (0.1, 2.0)
"""Shortest and longest stance, and shortest and longest swing, of walking: very slow walkers stand
on a foot for up to 0.8 of a stride of 3 s. A longer stance is one in which the foot is seen to
stand, as of a person who stops."""

_WORTH = {"kinematic": 0, "plate": 1, "file": 2}


def has_cycle(events: Sequence[Event]) -> bool:
    """Return whether two strikes of one side, in order, close a gait cycle."""
    strikes = sorted(e.time_s for e in events if e.kind == "foot_strike")
    offs = [e.time_s for e in events if e.kind == "foot_off"]
    return any(
        _lasts_a_stride(b - a, none_missing=sum(a < off < b for off in offs) == 1)
        for a, b in pairwise(strikes)
    )


def _lasts_a_stride(lasted_s: float, *, none_missing: bool) -> bool:
    return CYCLE_S[0] <= lasted_s <= (LONGEST_S if none_missing else CYCLE_S[1])


def both_stand_s(events: Sequence[Event], side: str, start_s: float, stop_s: float) -> float:
    """Return the longer double support of a stride, s; 0 if no event bounds one.

    Parameters
    ----------
    events : sequence of Event
        Of both feet, in order of time.
    side : str
        The foot whose two strikes bound the stride.
    start_s, stop_s : float
    """
    inside = between(events, start_s, stop_s)
    offs = [e.time_s for e in inside if e.side == side and e.kind == "foot_off"]
    others = [event for event in inside if event.side != side]
    lasted = [0.0]
    if others and others[0].kind == "foot_off":
        lasted.append(min([others[0].time_s, *offs]) - start_s)
    for other in others:
        ends = [off for off in offs if off > other.time_s]
        if other.kind == "foot_strike" and ends:
            lasted.append(ends[0] - other.time_s)
    return max(lasted)


def once_each(events: Sequence[Event], side: str, start_s: float, stop_s: float) -> bool:
    """Return whether a foot leaves the ground once between two times and the other strikes once.

    Parameters
    ----------
    events : sequence of Event
        Of both feet, in order of time.
    side : str
    start_s, stop_s : float
        Times of two strikes of the foot.
    """
    return set(_counts(events, side, start_s, stop_s)) == {1}


def strike_missing(events: Sequence[Event], side: str, start_s: float, stop_s: float) -> str:
    """Return in words how events say that a foot struck between two of its strikes, or "".

    Parameters
    ----------
    events : sequence of Event
        Of both feet, in order of time.
    side : str
    start_s, stop_s : float
        Times of the strikes.
    """
    offs, others = _counts(events, side, start_s, stop_s)
    if offs > 1:
        return "this foot leaves the ground more than once"
    return "the other foot strikes more than once" if others > 1 and not offs else ""


def _counts(events: Sequence[Event], side: str, start_s: float, stop_s: float) -> tuple[int, int]:
    """Return how often a foot leaves the ground between two times, and the other strikes."""
    inside = [(e.side == side, e.kind) for e in between(events, start_s, stop_s)]
    return inside.count((True, "foot_off")), inside.count((False, "foot_strike"))


def between(events: Sequence[Event], start_s: float, stop_s: float) -> Sequence[Event]:
    """Return the events between two times; searched by halves, since every stride asks for its own.

    Parameters
    ----------
    events : sequence of Event
        In order of time.
    start_s, stop_s : float
    """
    first = bisect_right(events, start_s, key=attrgetter("time_s"))
    return events[first : bisect_left(events, stop_s, first, key=attrgetter("time_s"))]


def is_stride(events: Sequence[Event], side: str, start_s: float, stop_s: float) -> bool:
    """Return whether two successive strikes of a foot bound one stride.

    A strike is missing between them if the foot leaves the ground twice, or if the other foot
    strikes twice and this one does not leave.

    Parameters
    ----------
    events : sequence of Event
        Of both feet, in order of time.
    side : str
    start_s, stop_s : float
        Times of the strikes.
    """
    lasted = stop_s - start_s
    if strike_missing(events, side, start_s, stop_s):
        return False
    once = once_each(events, side, start_s, stop_s)
    walked = once and both_stand_s(events, side, start_s, stop_s) <= STOPPED * lasted
    return _lasts_a_stride(lasted, none_missing=walked)


def _nowhere(_start_s: float, _stop_s: float) -> bool:
    return False


def alternating(
    events: Sequence[Event],
    breaks: Sequence[float] = (),
    stands: Callable[[float, float], bool] = _nowhere,
) -> list[Event]:
    """Return the events of one side without the kinematic ones that are impossible.

    If two neighbouring events are impossible together, the less reliable one is dropped, the later
    one if both are equal: events of one kind within 0.4 s (if they are further apart, an event was
    missed in a gap between them), and the ends of a stance or swing that is too short. Both
    kinematic ends of a swing longer than 2 s are dropped, and those of a stance longer than 2.4 s
    in which the foot is not seen to stand.

    Parameters
    ----------
    events : sequence of Event
    breaks : sequence of float
        Times at which nobody is in view; events on either side of one are not neighbours.
    stands : function
        Whether the foot stands from one time to another, s.
    """
    remaining = sorted(events)
    while True:
        wrong = _first_wrong(remaining, breaks, stands)
        if not wrong:
            return remaining
        remaining = [event for event in remaining if event not in wrong]


def outside_stances(
    events: Sequence[Event], edges: Sequence[Event], whole: Container[Event]
) -> list[Event]:
    """Return the events of one side that lie in none of its whole stances.

    A foot that a plate carries all the time neither strikes nor leaves.

    Parameters
    ----------
    events : sequence of Event
    edges : sequence of Event
        Of all loads of the foot, in order of time.
    whole : container of Event
        Those of them that are edges of whole stances.
    """
    spans = [
        (a.time_s, b.time_s)
        for a, b in pairwise(edges)
        if (a.kind, b.kind) == ("foot_strike", "foot_off") and a in whole and b in whole
    ]
    return [e for e in events if not any(start < e.time_s < stop for start, stop in spans)]


def _first_wrong(
    events: list[Event], breaks: Sequence[float], stands: Callable[[float, float], bool]
) -> list[Event]:
    """Return the events to drop from the first impossible pair; empty if all pairs are possible."""
    for a, b in pairwise(events):
        if _possible(a, b, stands) or any(a.time_s < time < b.time_s for time in breaks):
            continue
        loose = [event for event in (a, b) if event.source == "kinematic"]
        lower = min((b, a), key=lambda event: _WORTH[event.source])
        both = a.kind != b.kind and len(loose) == len((a, b))
        wrong = loose if both else [lower]
        if wrong[0].source == "kinematic":
            return wrong
    return []


def _possible(a: Event, b: Event, stands: Callable[[float, float], bool]) -> bool:
    apart = b.time_s - a.time_s
    if a.kind == b.kind:
        return apart >= CYCLE_S[0]
    if a.kind == "foot_strike" and apart > STANCE_S[1] and stands(a.time_s, b.time_s):
        return True
    shortest, longest = STANCE_S if a.kind == "foot_strike" else SWING_S
    return shortest <= apart <= longest
