"""The lanes of the figure of quality: events, cycles, contacts, gaps and findings over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitdyn.plots.marks import COLOUR, INK, TINT
from gaitdyn.plots.timeline import Rows, Timeline
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES

LANE_MM, GAP_MM, BETWEEN_MM = 5.4, 4.0, 2.2
"""Heights of a lane, of a lane of gaps, and of the space above a group of lanes."""

FILLS = {"pass": "#CFE8D6", "check": "#F8D9A8", "fail": "#F0A9AC", "none": "#DADADA"}
LEVELS = {"error": "#A3141B", "warning": "#B35900", "info": "#5A6B7B"}
SIGNS = {"error": "\u2717", "warning": "!", "info": "i"}
_WORDS = {"pass": "\u2713", "check": "! check", "fail": "\u2717 fail", "none": "none"}
_OPEN, _FILLED, _AT_END = "#3B3B3B", "#E2B65C", "#EDEDED"
_MOST_GAPS, _MOST_TIMED = 14, 12


@frozen()
class Bar:
    """A bar of a lane: start and stop, s, colour, and words that are shown if they fit."""

    start: float
    stop: float
    colour: str
    words: str = ""


@frozen()
class Lane:
    """A lane: label, bars, and points (time in s, source, whether it is a foot strike).

    ``head`` begins a new group of lanes.
    """

    label: str
    bars: tuple[Bar, ...] = ()
    points: tuple[tuple[float, str, bool], ...] = ()
    colour: str = INK
    height: float = LANE_MM
    head: bool = False


def lanes_of(timeline: Timeline, timed: Rows, room: float) -> list[Lane]:
    """Return the lanes, with fewer lanes of gaps and findings if the room, mm, is too small.

    Parameters
    ----------
    timeline : Timeline
    timed : list of dict
        Findings with a time, the most severe first.
    room : float
    """
    upper = [*_event_lanes(timeline), *_cycle_lanes(timeline), *_contact_lanes(timeline)]
    lanes: list[Lane] = []
    for less in range(_MOST_GAPS):
        gaps = _gap_lanes(timeline, max(_MOST_GAPS - less, 1))
        lanes = [*upper, *gaps, *_finding_lanes(timeline, timed, max(_MOST_TIMED - less, 1))]
        if height_of(lanes) <= room:
            return lanes
    return lanes


def height_of(lanes: Sequence[Lane]) -> float:
    """Return the height of lanes, mm."""
    return sum(lane.height + (BETWEEN_MM if lane.head else 0.0) for lane in lanes)


def level_colour(finding: dict[str, Any]) -> str:
    """Return the colour of a finding; an unknown level counts as a warning."""
    return LEVELS.get(str(finding["level"]), LEVELS["warning"])


def _event_lanes(timeline: Timeline) -> list[Lane]:
    lanes = []
    for side in SIDES:
        points = tuple(
            (float(e["time_s"]), str(e["source"]), e["event"] == "foot_strike")
            for e in timeline.events
            if e["side"] == side
        )
        sources = ", ".join(sorted({word for _, word, _ in points}))
        label = f"{side}: {sources}" if sources else f"{side}: no event"
        head = side == SIDES[0]
        lanes.append(Lane(label, points=points, colour=COLOUR[side], head=head))
    return lanes


def _cycle_lanes(timeline: Timeline) -> list[Lane]:
    states = {(s["side"], s["cycle"], s["joint"]): s for s in timeline.status}
    lanes = []
    for side in SIDES:
        cycles = [c for c in timeline.cycles if c["side"] == side]
        for joint in reversed(JOINTS):
            bars = []
            for cycle in cycles:
                key = state_of(states.get((side, cycle["cycle"], joint)))
                words = f"{cycle['cycle']} {_WORDS[key]}"
                bars.append(Bar(cycle["start_s"], cycle["stop_s"], FILLS[key], words))
            label = f"{side} {joint}" + ("" if cycles else ": no cycle")
            head = joint == JOINTS[-1]
            lanes.append(Lane(label, tuple(bars), colour=COLOUR[side], head=head))
    return lanes


def state_of(status: dict[str, Any] | None) -> str:
    """Return ``pass``, ``check``, ``fail`` or ``none`` for the status of a joint in a cycle.

    Examples
    --------
    >>> state_of({"status": "ok", "verdict": "pass"}), state_of({"status": "partial"})
    ('pass', 'check')
    """
    if status is None or status["status"] == "skipped":
        return "none"
    state = str(status.get("verdict") or "pass")
    doubtful = status["status"] != "ok" or state not in FILLS
    return "check" if state != "fail" and doubtful else state


def _contact_lanes(timeline: Timeline) -> list[Lane]:
    lanes = []
    for plate in sorted({str(c["plate"]) for c in timeline.contacts}, key=lambda x: (len(x), x)):
        bars = []
        for contact in timeline.contacts:
            if str(contact["plate"]) != plate:
                continue
            used = contact["verdict"] != "rejected" and contact["side"] in SIDES
            words = f"{contact['side']} {contact['verdict']}" if used else "rejected"
            colour = TINT[contact["side"]] if contact["verdict"] == "valid" else FILLS["check"]
            colour = colour if used else FILLS["none"]
            start, stop = (
                timeline.time_of(float(contact[k])) for k in ("first_frame", "last_frame")
            )
            bars.append(Bar(start, stop, colour, words))
        lanes.append(Lane(f"plate {plate}", tuple(bars), head=not lanes))
    return lanes or [Lane("plates: no contact", head=True)]


def _gap_lanes(timeline: Timeline, n_most: int) -> list[Lane]:
    """Return one lane per marker with gaps; markers with the same gaps share a lane.

    Gaps before the first and after the last visible frame are pale: the subject was elsewhere.
    """
    if timeline.gaps is None:
        return [Lane("gaps: not recorded", height=GAP_MM, head=True)]
    runs: dict[str, list[tuple[int, int, bool]]] = {}
    for gap in timeline.gaps:
        run = int(gap["first_frame"]), int(gap["last_frame"]), bool(gap["filled"])
        runs.setdefault(str(gap["marker"]), []).append(run)
    markers_of_gaps: dict[tuple[tuple[int, int, bool], ...], list[str]] = {}
    for name, gaps in runs.items():
        markers_of_gaps.setdefault(tuple(sorted(gaps)), []).append(name)
    order = sorted(markers_of_gaps, key=lambda gaps: _weight(timeline, gaps), reverse=True)
    lanes = []
    for gaps in order[:n_most]:
        first, *others = markers_of_gaps[gaps]
        label = f"gap: {first}" + (f" and {len(others)} more" if others else "")
        bars = tuple(_gap_bar(timeline, run) for run in gaps)
        lanes.append(Lane(label, bars, height=GAP_MM, head=not lanes))
    others_order = order[n_most:]
    if others_order:
        bars = tuple(_gap_bar(timeline, run) for gaps in others_order for run in gaps)
        count = sum(len(markers_of_gaps[gaps]) for gaps in others_order)
        lanes.append(Lane(f"gap: {count} more markers", bars, height=GAP_MM))
    return lanes or [Lane("markers: no gap", height=GAP_MM, head=True)]


def _weight(timeline: Timeline, gaps: tuple[tuple[int, int, bool], ...]) -> tuple[int, int]:
    """Return the missing frames between visible ones, then in total, to sort the lanes."""
    inside = sum(
        last - first + 1
        for first, last, filled in gaps
        if not (filled or _at_end(timeline, first, last))
    )
    return inside, sum(last - first + 1 for first, last, _ in gaps)


def _at_end(timeline: Timeline, first: int, last: int) -> bool:
    start, stop = timeline.first_frame, timeline.first_frame + timeline.frames - 1
    return first <= start or last >= stop


def _gap_bar(timeline: Timeline, run: tuple[int, int, bool]) -> Bar:
    first, last, filled = run
    half = 0.5 / timeline.rate_hz
    colour = _FILLED if filled else _AT_END if _at_end(timeline, first, last) else _OPEN
    return Bar(timeline.time_of(first) - half, timeline.time_of(last) + half, colour, "gap")


def _finding_lanes(timeline: Timeline, timed: Rows, most: int) -> list[Lane]:
    lanes = []
    for finding in timed[:most]:
        start, stop = timeline.span_of(finding) or timeline.span
        bar = Bar(start, stop, level_colour(finding), str(finding["code"]))
        label = f"{SIGNS.get(finding['level'], '!')} {finding['scope']}"
        lanes.append(Lane(label, (bar,), colour=level_colour(finding), head=not lanes))
    if len(timed) > most:
        lanes.append(Lane(f"{len(timed) - most} more: quality.csv"))
    return lanes
