"""Phases of the gait cycle in words, from the events of the person who walks."""

from __future__ import annotations

from dataclasses import dataclass

_LOADING, _OPPOSITE = 1.0 / 6.0, 5.0 / 6.0
"""Of stance: other foot off, other foot strikes, where the events are not known (Perry 1992)."""

_ALL, _STANCE, _SWING, _HALF = 0.90, 0.85, 0.25, 0.5
FOOT_OFF = 60.0
"""%, where it is not known."""


@dataclass(frozen=True, slots=True)
class Phase:
    """A stretch of the cycle with a name."""

    name: str
    start: float
    stop: float


@dataclass(frozen=True, slots=True)
class CycleEvents:
    """When things happen in the cycle of one side, %; None where it is not known."""

    foot_off: float | None = None
    opposite_foot_off: float | None = None
    opposite_strike: float | None = None

    @property
    def stance(self) -> float:
        """Where stance ends, %."""
        return FOOT_OFF if self.foot_off is None else self.foot_off


def phases_of(events: CycleEvents) -> tuple[Phase, ...]:
    """Return the seven phases of a cycle, %.

    Loading lasts until the other foot leaves the ground, mid-stance and late stance are the halves
    of single support, pre-swing begins when the other foot strikes; swing is cut in thirds.

    Examples
    --------
    >>> [p.name for p in phases_of(CycleEvents(60.0, 10.0, 50.0))][:3]
    ['loading', 'mid-stance', 'late stance']
    """
    off = events.stance
    other_off = events.opposite_foot_off
    other_strike = events.opposite_strike
    if other_off is None or other_strike is None or not 0 < other_off < other_strike < off:
        other_off, other_strike = _LOADING * off, _OPPOSITE * off
    middle = (other_off + other_strike) / 2
    third = (100.0 - off) / 3
    edges = (0.0, other_off, middle, other_strike, off, off + third, off + 2 * third, 100.0)
    names = (
        "loading",
        "mid-stance",
        "late stance",
        "pre-swing",
        "early swing",
        "mid-swing",
        "late swing",
    )
    return tuple(Phase(n, a, b) for n, a, b in zip(names, edges, edges[1:], strict=False))


def phase_words(start: float, stop: float, events: CycleEvents) -> str:
    """Return in which part of the cycle a stretch lies.

    Parameters
    ----------
    start, stop : float
        %.
    events : CycleEvents

    Examples
    --------
    >>> phase_words(2, 30, CycleEvents(60.0, 10.0, 50.0))
    'loading to mid-stance'
    >>> phase_words(0, 96, CycleEvents(60.0, 10.0, 50.0))
    'all cycle'
    """
    off = events.stance
    stance, swing = _part(start, stop, 0.0, off), _part(start, stop, off, 100.0)
    if stop - start >= 100 * _ALL:
        return "all cycle"
    if stance >= _STANCE and swing <= _SWING:
        return "all stance"
    if swing >= _STANCE and stance <= _SWING:
        return "all swing"
    phases = phases_of(events)
    covered = [p.name for p in phases if _part(start, stop, p.start, p.stop) >= _HALF]
    if not covered:
        middle = (start + stop) / 2
        covered = [next(p.name for p in phases if middle <= p.stop)]
    first, last = covered[0], covered[-1]
    return first if first == last else f"{first} to {last}"


def _part(start: float, stop: float, low: float, high: float) -> float:
    """Return which part of low to high is covered."""
    return max(min(stop, high) - max(start, low), 0.0) / (high - low)
