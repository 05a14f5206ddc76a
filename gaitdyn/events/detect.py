"""Foot strikes and offs: from the file, else from the plates, else from the markers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows
from gaitdyn.events.agreement import OF_THE_FILE, added_events, disagreement, found_events, nearest
from gaitdyn.events.alternation import alternating, has_cycle, outside_stances
from gaitdyn.events.contacts import ON_N
from gaitdyn.events.doubtful import (
    Between,
    contradicted,
    doubtful_strides,
    missing_events,
    missing_found,
)
from gaitdyn.events.kinematic import Rows, speed_events
from gaitdyn.events.one_sided import one_sided
from gaitdyn.events.pace import expected_ms, lands_level, paced_events, turned_down
from gaitdyn.events.plate_edges import plate_edges
from gaitdyn.types.frozen import frozen
from gaitdyn.types.recording import Event, EventKind, Recording
from gaitdyn.types.words import signed

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gaitdyn.events.assignment import LoadedPlate
    from gaitdyn.events.feet import TrialFoot
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.findings import Finding

EARLY_MS = {
    "markers": {"foot_strike": 0.0, "foot_off": 0.0},
    "speed": {"foot_strike": -5.0, "foot_off": -24.0},
}
"""Median of kinematic minus plate events, ms, in the corpus of docs/events.md. Events of the method
``markers`` are already corrected for the pace (:mod:`gaitdyn.events.pace`)."""

SPEED_MS = 19.0, 21.0
"""Expected error of strikes and offs of the method ``speed`` at any pace, 1 SD (docs/events.md)."""

LEARNT_MS = 12.0
"""Expected error, 1 SD, of kinematic events corrected by this trial's plates."""

LATE_MS = 60.0
"""A load that starts (ends) this much after (before) the kinematic strike (off) is partial."""

NEAR_MS = 30.0
"""The edge of a partial load counts as the edge of the stance if it is within this time of it."""

ADULT_KG = 70.0
"""The threshold of 20 N is 3 % of the weight of an adult of this mass, but 12 % of that of a child
of 17 kg. For the judgement of the file's events, the load of a lighter person begins (ends) when
the force crosses the same share of weight as an adult's."""


@frozen()
class _SideEvents:
    """Events of one side from plates and markers, and how the latter were corrected.

    ``valid`` are those at the edges of valid contacts, with the time, s, between them and the
    beginning or end of a light person's load.
    """

    events: list[Event]
    valid: dict[Event, float]
    how: str
    expected_ms: float


def find_events(
    recording: Recording,
    contacts: list[Contact],
    plates: list[LoadedPlate],
    feet: list[TrialFoot],
    walker: tuple[Array, Array],
    whose: str,
    breaks: Sequence[float],
    mass_kg: float | None,
) -> tuple[tuple[Event, ...], list[Finding]]:
    """Return the events of both feet in order of time, and the findings on them.

    Events in the file are used unchanged. A side without any gets the 20 N crossings of its
    contacts and, elsewhere, kinematic events shifted by their median distance to the plate events
    of this trial (of the other side, or of other trials, if there is none). If the events in the
    file complete no cycle, these are added if they complete one. If they are strikes only, the
    foot-offs are added. Strikes that the file lacks (:mod:`gaitdyn.events.doubtful`) are added.

    Parameters
    ----------
    recording : Recording
    contacts : list of Contact
    plates : list of LoadedPlate
    feet : list of TrialFoot
    walker : tuple
        Pelvis centre, shape (n, 3), m, and the unit horizontal walking direction in G.
    whose : str
        Where the recording's events come from, in the words of messages.
    breaks : sequence of float
        Times between passes, s, at which nobody is in view.
    mass_kg : float or None
        Body mass.
    """
    recorded = list(recording.events)
    events, findings = list(recorded), []
    on_N = max((plate.edges.on_N for plate in plates), default=ON_N)
    share = min(1.0, (mass_kg or ADULT_KG) / ADULT_KG)
    both = _both_sides(recording, contacts, plates, feet, walker, share)
    of_foot = {foot.side: foot for foot in feet}
    stepped: dict[str, list[Event]] = {}
    for side, detected in both.items():
        of_side = [event for event in recorded if event.side == side]
        findings += disagreement(side, of_side, detected.valid, (share * on_N, on_N), whose)
        stands = _standing(of_foot[side], recording)
        kept = stepped[side] = alternating(detected.events, breaks, stands)
        doubtful: list[Between] = []
        if whose == OF_THE_FILE:
            doubtful = doubtful_strides(recorded, side, breaks)
            findings += contradicted(of_side, kept, _seen(of_foot[side], recording))
        missing = missing_events(doubtful, kept)
        if added := _added(of_side, kept, missing, recording, breaks, stands):
            events += added
            elsewhere = [e for e in added if not any(a < e.time_s < b for a, b in doubtful)]
            if of_side and elsewhere:
                findings.append(added_events(side, of_side, elsewhere, whose))
            findings.append(found_events(side, added, detected.how, detected.expected_ms, on_N))
        findings += missing_found(side, doubtful, recorded, added)
    if whose == OF_THE_FILE:
        findings += one_sided(recorded, stepped)
    return tuple(sorted(events)), findings


def event_rows(events: list[Event], recording: Recording) -> Array:
    """Return the rows of events in a recording, fractions kept, shape (len(events),)."""
    times = np.array([event.time_s for event in events])
    return np.round(times * recording.rate_hz + 1 - recording.first_frame, 3)


STANDS = 0.8
"""A foot that stands in this share of the frames of a stance is slow in all but its push-off."""


def _standing(foot: TrialFoot, recording: Recording) -> Callable[[float, float], bool]:
    """Return the function that says whether a foot stands from one time to another, s."""

    def stands(start_s: float, stop_s: float) -> bool:
        frames = foot.stance[_rows(recording, start_s, stop_s)]
        return bool(frames.size) and float(frames.mean()) >= STANDS

    return stands


def _seen(foot: TrialFoot, recording: Recording) -> Callable[[float, float], bool]:
    """Return the function that says whether a foot is seen from one time to another, s."""
    known = complete_rows(foot.heel_G) & complete_rows(foot.toe_G)

    def seen(start_s: float, stop_s: float) -> bool:
        return bool(known[_rows(recording, start_s, stop_s)].all())

    return seen


def _rows(recording: Recording, start_s: float, stop_s: float) -> slice:
    first, last = (
        round(time * recording.rate_hz) + 1 - recording.first_frame for time in (start_s, stop_s)
    )
    return slice(max(first, 0), max(last, 0))


def _added(
    recorded: list[Event],
    detected: list[Event],
    missing: list[Event],
    recording: Recording,
    breaks: Sequence[float],
    stands: Callable[[float, float], bool],
) -> list[Event]:
    """Return the detected events that are added to those of the file."""
    if not recorded:
        return detected
    rows = event_rows(recorded, recording)
    inside = [e for e, row in zip(recorded, rows, strict=True) if 0 <= row < recording.n_frames]
    if has_cycle(inside):
        offs = [e for e in detected if e.kind == "foot_off"]
        added = missing if any(e.kind == "foot_off" for e in recorded) else offs + missing
        added = [e for e in dict.fromkeys(added) if nearest(e, inside) is None]
    else:
        added = [e for e in detected if nearest(e, inside) is None] if has_cycle(detected) else []
    kept = alternating(inside + added, breaks, stands)
    return [event for event in kept if event.source != "file"]


def _both_sides(
    recording: Recording,
    contacts: list[Contact],
    plates: list[LoadedPlate],
    feet: list[TrialFoot],
    walker: tuple[Array, Array],
    share: float,
) -> dict[str, _SideEvents]:
    """Return the events of each side from plates and markers; ``share`` as in ``plate_edges``."""
    detected: dict[str, _SideEvents] = {}
    paced, stride_s = paced_events(feet, walker, recording.rate_hz)
    raw = {foot.side: _from_markers(recording, foot, paced[foot.side]) for foot in feet}
    edges = {foot.side: plate_edges(recording, contacts, plates, foot, share) for foot in feet}
    edge_of = {side: _uncorrected(*raw[side]) for side in raw}
    used = {
        side: [e for e, valid, _ in learnt_here if _is_whole(e, edge_of[side][e.kind], valid=valid)]
        for side, learnt_here in edges.items()
    }
    learnt = {side: _offsets(raw[side][0], used[side]) for side in raw}
    for foot in feet:
        side, (kinematic, method) = foot.side, raw[foot.side]
        of_others = (learnt[s] for s in raw if s != side and raw[s][1] == method)
        by_plates = next(of_others, {}) | learnt[side]
        early_ms = EARLY_MS[method] | by_plates
        moved = [replace(e, time_s=e.time_s - early_ms[e.kind] / 1000) for e in kinematic]
        valid = {event: light_s for event, whole, light_s in edges[side] if whole}
        rest = [event for event in moved if nearest(event, used[side]) is None]
        whole = valid.keys() & set(used[side])
        rest = outside_stances(rest, [event for event, _, _ in edges[side]], whole)
        how = f"{method}; {_correction(method, stride_s, early_ms, learnt=bool(by_plates))}"
        how += _unmeasured(foot, [e for e in rest if e.kind == "foot_strike"], recording)
        error_ms = LEARNT_MS if by_plates else max(_expected(method, stride_s))
        detected[side] = _SideEvents(sorted(used[side] + rest), valid, how, error_ms)
    return detected


def _correction(
    method: str, stride_s: float | None, early_ms: Mapping[str, float], *, learnt: bool
) -> str:
    """Return in words how the kinematic events were corrected, by how much unless it is usual."""
    strike, off = -early_ms["foot_strike"], -early_ms["foot_off"]
    moved = f": strikes {signed(strike, 0)}, offs {signed(off, 0)} ms"
    if learnt:
        return f"corrected by this trial's plates{moved}"
    pace = " for the usual pace" if stride_s is None else f" for a stride of {stride_s:.2f} s"
    usual = method == "markers"
    expected = ", ".join(
        f"{name} {sd_ms:.0f}"
        for name, sd_ms in zip(("strikes", "offs"), _expected(method, stride_s), strict=True)
    )
    return f"typical correction{pace if usual else ''}, 1 SD: {expected} ms{'' if usual else moved}"


def _unmeasured(foot: TrialFoot, strikes: list[Event], recording: Recording) -> str:
    """Return in words how many strikes are of a kind whose error was not measured, or ""."""
    down = turned_down(foot)
    rows = event_rows(strikes, recording)
    count = sum(lands_level(down, float(row), recording.rate_hz) for row in rows)
    many = f"{count} of {len(strikes)} strikes are of a foot that lands level or toes first"
    return f"; {many}, whose error was not measured" if count else ""


def _expected(method: str, stride_s: float | None) -> tuple[float, float]:
    """Return the expected errors of strikes and offs without correction by a plate, ms."""
    if method == "speed":
        return SPEED_MS
    return expected_ms("foot_strike", stride_s), expected_ms("foot_off", stride_s)


def _from_markers(recording: Recording, foot: TrialFoot, rows: Rows) -> tuple[list[Event], str]:
    """Return the kinematic events of a foot before correction by plates, and the method."""
    method = "markers"
    if not rows[0].size + rows[1].size:
        rows, method = speed_events(foot.heel_G, foot.toe_G, recording.rate_hz), "speed"
    kinds: tuple[EventKind, EventKind] = ("foot_strike", "foot_off")
    events = [
        Event(recording.time_of(float(row)), foot.side, kind, "kinematic")
        for kind, kind_rows in zip(kinds, rows, strict=True)
        for row in kind_rows
    ]
    return sorted(events), method


def _offsets(kinematic: list[Event], plate: list[Event]) -> dict[str, float]:
    """Return the median of kinematic minus plate events of each kind, ms."""
    late: dict[str, list[float]] = {}
    for event in plate:
        if (twin := nearest(event, kinematic)) is not None:
            late.setdefault(event.kind, []).append(1000 * (twin.time_s - event.time_s))
    return {kind: float(median(values)) for kind, values in late.items()}


def _uncorrected(kinematic: list[Event], method: str) -> dict[str, list[Event]]:
    """Return the kinematic events of each kind, corrected by the typical error of the method."""
    return {
        kind: [
            replace(event, time_s=event.time_s - early / 1000)
            for event in kinematic
            if event.kind == kind
        ]
        for kind, early in EARLY_MS[method].items()
    }


def _is_whole(event: Event, kinematic: list[Event], *, valid: bool) -> bool:
    """Return whether the edge of a load is the edge of the stance according to the markers."""
    twin = nearest(event, kinematic)
    if twin is None:
        return valid
    inside = 1000 * (event.time_s - twin.time_s)
    if event.kind == "foot_off":
        inside = -inside
    return inside < LATE_MS if valid else abs(inside) < NEAR_MS
