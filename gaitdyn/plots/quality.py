"""The picture of quality: what is doubtful, where on the time axis of the trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.plots.frames import number, ticks
from gaitdyn.plots.headline import EDGE_MM, header_height, headline
from gaitdyn.plots.marks import (
    COLOUR,
    FAINT,
    GREY,
    INK,
    TINT,
    Area,
    Line,
    Sheet,
    Stroke,
    Words,
    fitting,
    rectangle,
    text_width,
    wrapped,
)
from gaitdyn.plots.timeline import split_findings
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Mark
    from gaitdyn.plots.timeline import Rows, Timeline

WIDTH, TALLEST = 269.0, 185.0
"""Of the sheet, mm: what A4 across holds above the foot of its page."""

_LANE, _GAP_LANE, _BETWEEN, _TICKS, _SIDE = 5.4, 4.0, 2.2, 11.0, 76.0
_LABEL = 33.0
_PT = 6.8
_FEWEST, _MOST_GAPS, _MOST_TIMED = 4, 14, 12
FILLS = {"pass": "#CFE8D6", "check": "#F8D9A8", "fail": "#F0A9AC", "none": "#DADADA"}
LEVELS = {"error": "#A3141B", "warning": "#B35900", "info": "#5A6B7B"}
SIGNS = {"error": "\u2717", "warning": "!", "info": "i"}
_WORDS = {"pass": "\u2713", "check": "! check", "fail": "\u2717 fail", "none": "none"}
_EDGE = Stroke(INK, 0.5, level=3)
_OPEN, _FILLED, _UNSEEN = "#3B3B3B", "#E2B65C", "#EDEDED"


Entry = tuple[str, str, list[str]]
"""Of the list beside the lanes: colour, head and lines."""


def level_colour(finding: dict[str, Any]) -> str:
    """Return the colour of a finding; one of an unknown level is a warning."""
    return LEVELS.get(str(finding["level"]), LEVELS["warning"])


@dataclass(frozen=True, slots=True)
class Bar:
    """A stretch of a lane: from start to stop, s, its colour, and words for which there is room."""

    start: float
    stop: float
    colour: str
    words: str = ""


@dataclass(frozen=True, slots=True)
class Lane:
    """A row of the picture: its label, bars, and points in time (s, word, whether it is a strike).

    ``head`` begins a new group of lanes.
    """

    label: str
    bars: tuple[Bar, ...] = ()
    points: tuple[tuple[float, str, bool], ...] = ()
    colour: str = INK
    height: float = _LANE
    head: bool = False


@dataclass(frozen=True, slots=True)
class Axis:
    """Where a time lies on the sheet: left and right edge, mm, of first and last time, s."""

    left: float
    right: float
    span: tuple[float, float]

    def at(self, time: float) -> float:
        """Return the place of a time, cut at the edges, mm."""
        low, high = self.span
        part = (time - low) / (high - low) if high > low else 0.0
        return self.left + min(max(part, 0.0), 1.0) * (self.right - self.left)


def quality_sheet(timeline: Timeline) -> Sheet:
    """Return the picture of quality of one trial.

    Lanes from the top: events, the cycles of each joint with their verdict, contacts of each plate,
    gaps of markers, findings that have a time. Findings without one are listed beside them.

    Parameters
    ----------
    timeline : Timeline
    """
    timed, untimed = split_findings(timeline)
    lines = [
        (
            "Cycles of each joint: \u2713 pass, ! check, \u2717 fail, none: kinetics are not known."
            " Triangles: strikes filled, downwards; offs open, upwards. Missing markers: dark between"
            " seen frames, yellow filled, pale before and after the marker is seen."
        )
    ]
    above = header_height(lines, WIDTH) + 6.0
    lanes = _lanes(timeline, timed, TALLEST - above - EDGE_MM - _TICKS)
    tall = _tall(lanes)
    room = max(tall + _TICKS, TALLEST - above - EDGE_MM)
    listed = _listed([("Findings in time", timed), ("Findings without a time", untimed)], room)
    body = max(tall + _TICKS, _list_height(listed))
    height = above + body + EDGE_MM - 2.0
    title = f"Quality \u2013 {timeline.name}: {timeline.verdict.upper()}"
    marks, _ = headline(title, lines, WIDTH, height)
    axis = Axis(EDGE_MM + _LABEL, WIDTH - EDGE_MM - _SIDE - 5.0, timeline.span)
    top = height - above
    marks += _lane_marks(lanes, axis, top)
    marks += _axis_marks(timeline, axis, top, top - tall)
    marks += _list_marks(listed, WIDTH - EDGE_MM - _SIDE, top)
    return Sheet(WIDTH, height, tuple(marks))


def _lanes(timeline: Timeline, timed: Rows, room: float) -> list[Lane]:
    """Return the lanes; where they are higher than the room, mm, fewer of gaps and findings."""
    upper = [*_event_lanes(timeline), *_cycle_lanes(timeline), *_contact_lanes(timeline)]
    lanes: list[Lane] = []
    for less in range(_MOST_GAPS):
        gaps = _gap_lanes(timeline, max(_MOST_GAPS - less, 1))
        lanes = [*upper, *gaps, *_finding_lanes(timeline, timed, max(_MOST_TIMED - less, 1))]
        if _tall(lanes) <= room:
            return lanes
    return lanes


def _tall(lanes: Sequence[Lane]) -> float:
    return sum(lane.height + (_BETWEEN if lane.head else 0.0) for lane in lanes)


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
        own = [c for c in timeline.cycles if c["side"] == side]
        for joint in reversed(JOINTS):
            bars = []
            for cycle in own:
                key = state_of(states.get((side, cycle["cycle"], joint)))
                words = f"{cycle['cycle']} {_WORDS[key]}"
                bars.append(Bar(cycle["start_s"], cycle["stop_s"], FILLS[key], words))
            label = f"{side} {joint}" + ("" if own else ": no cycle")
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
    found = str(status.get("verdict") or "pass")
    doubtful = status["status"] != "ok" or found not in FILLS
    return "check" if found != "fail" and doubtful else found


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
            start, stop = (timeline.at(float(contact[k])) for k in ("first_frame", "last_frame"))
            bars.append(Bar(start, stop, colour, words))
        lanes.append(Lane(f"plate {plate}", tuple(bars), head=not lanes))
    return lanes or [Lane("plates: no contact", head=True)]


def _gap_lanes(timeline: Timeline, most: int) -> list[Lane]:
    """Return a lane for each marker with gaps; markers with the same gaps share one.

    Gaps before the first and after the last seen frame are pale: the subject was elsewhere.
    """
    if timeline.gaps is None:
        return [Lane("gaps of markers: not told", height=_GAP_LANE, head=True)]
    runs: dict[str, list[tuple[int, int, bool]]] = {}
    for gap in timeline.gaps:
        run = int(gap["first_frame"]), int(gap["last_frame"]), bool(gap["filled"])
        runs.setdefault(str(gap["marker"]), []).append(run)
    alike: dict[tuple[tuple[int, int, bool], ...], list[str]] = {}
    for name, found in runs.items():
        alike.setdefault(tuple(sorted(found)), []).append(name)
    order = sorted(alike, key=lambda found: _weight(timeline, found), reverse=True)
    lanes = []
    for found in order[:most]:
        first, *others = alike[found]
        label = f"gap: {first}" + (f" and {len(others)} more" if others else "")
        bars = tuple(_gap_bar(timeline, run) for run in found)
        lanes.append(Lane(label, bars, height=_GAP_LANE, head=not lanes))
    rest = order[most:]
    if rest:
        bars = tuple(_gap_bar(timeline, run) for found in rest for run in found)
        count = sum(len(alike[found]) for found in rest)
        lanes.append(Lane(f"gap: {count} more markers", bars, height=_GAP_LANE))
    return lanes or [Lane("markers: no gap", height=_GAP_LANE, head=True)]


def _weight(timeline: Timeline, found: tuple[tuple[int, int, bool], ...]) -> tuple[int, int]:
    """Return how many frames are missing between seen ones and at the ends: what stands first."""
    inside = sum(b - a + 1 for a, b, filled in found if not (filled or _at_end(timeline, a, b)))
    return inside, sum(b - a + 1 for a, b, _ in found)


def _at_end(timeline: Timeline, first: int, last: int) -> bool:
    start, stop = timeline.first_frame, timeline.first_frame + timeline.frames - 1
    return first <= start or last >= stop


def _gap_bar(timeline: Timeline, run: tuple[int, int, bool]) -> Bar:
    first, last, filled = run
    half = 0.5 / timeline.rate_hz
    colour = _FILLED if filled else _UNSEEN if _at_end(timeline, first, last) else _OPEN
    return Bar(timeline.at(first) - half, timeline.at(last) + half, colour, "gap")


def _finding_lanes(timeline: Timeline, timed: Rows, most: int) -> list[Lane]:
    lanes = []
    for finding in timed[:most]:
        start, stop = timeline.when(finding) or timeline.span
        bar = Bar(start, stop, level_colour(finding), str(finding["code"]))
        label = f"{SIGNS.get(finding['level'], '!')} {finding['scope']}"
        lanes.append(Lane(label, (bar,), colour=level_colour(finding), head=not lanes))
    if len(timed) > most:
        lanes.append(Lane(f"{len(timed) - most} more: quality.csv"))
    return lanes


def _lane_marks(lanes: Sequence[Lane], axis: Axis, top: float) -> list[Mark]:
    marks: list[Mark] = []
    y = top
    for lane in lanes:
        if lane.head:
            y -= _BETWEEN
            marks.append(Line(np.array([[EDGE_MM, y], [axis.right, y]]), Stroke(FAINT, 0.8)))
        bottom = y - lane.height
        label = _short(lane.label, _LABEL - 2.0)
        base = bottom + lane.height / 2 - 0.9
        marks.append(Words(EDGE_MM, base, label, _PT, lane.colour, name="lane"))
        for bar in lane.bars:
            marks += _bar_marks(bar, lane, axis, bottom)
        for time, _, strike in lane.points:
            marks.append(_triangle(axis.at(time), bottom, lane, strike=strike))
        y = bottom
    return marks


def _bar_marks(bar: Bar, lane: Lane, axis: Axis, bottom: float) -> list[Mark]:
    """Return the box of a bar and its words: in it, or of a finding beside it."""
    left, right = axis.at(bar.start), max(axis.at(bar.stop), axis.at(bar.start) + 0.5)
    finding = bar.colour in LEVELS.values()
    base = bottom + lane.height / 2 - 0.9
    low, high = (base, base + 1.8) if finding else (bottom + 0.5, bottom + lane.height - 0.5)
    corners = rectangle(left, low, right, high)
    marks: list[Mark] = [Area(corners, bar.colour, bar.words)]
    if not finding:
        marks.append(Line(corners[[0, 1, 2, 3, 0]], _EDGE, lane.label))
        short = _short(bar.words, right - left - 1.0) if right - left > 3.0 else ""  # noqa: PLR2004
        if short and not short.endswith("...") and lane.height == _LANE:
            marks.append(Words((left + right) / 2, base, short, _PT, INK, "center", name="bar"))
        return marks
    before, after = left - axis.left - 2.0, axis.right - right - 1.0
    if after >= before:
        text = _short(bar.words, after)
        marks.append(Words(right + 1.0, base, text, _PT, bar.colour, name="finding"))
    else:
        text = _short(bar.words, before)
        marks.append(Words(left - 1.0, base, text, _PT, bar.colour, "right", name="finding"))
    return marks


def _triangle(x: float, bottom: float, lane: Lane, *, strike: bool) -> Mark:
    low, high = bottom + 1.2, bottom + lane.height - 1.0
    if strike:
        return Area(np.array([[x - 1.3, high], [x + 1.3, high], [x, low]]), lane.colour, "strike")
    points = np.array([[x - 1.3, low], [x + 1.3, low], [x, high], [x - 1.3, low]])
    return Line(points, Stroke(lane.colour, 0.8, level=4), "off")


def _axis_marks(timeline: Timeline, axis: Axis, top: float, bottom: float) -> list[Mark]:
    """Return the scale of time with the file's numbers of the frames below it."""
    marks: list[Mark] = [
        Line(np.array([[axis.left, bottom - 1.0], [axis.right, bottom - 1.0]]), Stroke(INK, 0.7))
    ]
    grid, edge = Stroke(FAINT, 0.6, level=1), Stroke(INK, 0.7)
    for time in ticks(*axis.span, most=10).tolist():
        x = axis.at(time)
        marks.append(Line(np.array([[x, bottom - 1.0], [x, top]]), grid))
        marks.append(Line(np.array([[x, bottom - 2.0], [x, bottom - 1.0]]), edge))
        marks.append(Words(x, bottom - 5.0, number(time), _PT, align="center"))
        frame = f"{time * timeline.rate_hz + 1:.0f}"
        marks.append(Words(x, bottom - 8.4, frame, _PT - 0.6, GREY, "center", name="frame"))
    marks.append(Words(axis.left - 4.0, bottom - 5.0, "time (s)", _PT, align="right"))
    marks.append(Words(axis.left - 4.0, bottom - 8.4, "frame", _PT - 0.6, GREY, "right"))
    return marks


def _listed(parts: Sequence[tuple[str, Rows]], room: float) -> list[Entry]:
    """Return the entries of the list beside the lanes for which there is room, mm.

    Parameters
    ----------
    parts : sequence of (str, list of dict)
        A heading and its findings; one without any says none.
    room : float
    """
    found: list[Entry] = []
    left = sum(len(rows) for _, rows in parts)
    for title, rows in parts:
        found.append((INK, title, [] if rows else ["none"]))
        for row in rows:
            lines = wrapped(f"{row['scope']}: {row['message']}", _SIDE - 3.0, _PT)
            entry = (level_colour(row), f"{SIGNS.get(row['level'], '!')} {row['code']}", lines)
            if len(found) > _FEWEST and _list_height([*found, entry]) > room - 4.0:
                return [*found, (GREY, f"and {left} more: see quality.csv", [])]
            found.append(entry)
            left -= 1
    return found


def _list_height(found: Sequence[Entry]) -> float:
    return 3.0 + sum(4.4 + 3.1 * len(lines) for _, _, lines in found)


def _list_marks(found: Sequence[Entry], left: float, top: float) -> list[Mark]:
    marks: list[Mark] = []
    y = top
    for colour, head, lines in found:
        y -= 4.4
        size = 8.0 if colour == INK else _PT
        marks.append(Words(left, y, head, size, colour, name="listed"))
        for line in lines:
            y -= 3.1
            marks.append(Words(left + 2.5, y, line, _PT, GREY if line == "none" else INK))
    return marks


def _short(text: str, width: float) -> str:
    """Return a text that is not wider than a width, mm."""
    if width <= 0.0:
        return ""
    if text_width(text, _PT) <= width:
        return text
    room = width - text_width("...", _PT)
    return f"{text[: fitting(text, room, _PT)]}..." if room > 0.0 else ""
