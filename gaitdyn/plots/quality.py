"""The figure of quality: doubtful data on the time axis of the trial."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.plots.frames import tick_label, ticks
from gaitdyn.plots.headline import EDGE_MM, header_height, headline
from gaitdyn.plots.marks import (
    FAINT,
    GREY,
    INK,
    Area,
    Line,
    Mark,
    Sheet,
    Stroke,
    TextLine,
    rectangle,
    segment,
    shortened,
    text_width,
    wrapped,
)
from gaitdyn.plots.quality_lanes import (
    BETWEEN_MM,
    LANE_MM,
    LEVELS,
    SIGNS,
    Bar,
    Lane,
    height_of,
    lanes_of,
    level_colour,
)
from gaitdyn.plots.timeline import Rows, Timeline, split_findings
from gaitdyn.types.frozen import frozen

WIDTH, TALLEST = 269.0, 185.0
"""Size of the sheet, mm: A4 landscape above the foot of the page."""

_TICKS, _SIDE = 11.0, 76.0
_LABEL = 33.0
_PT = 6.8
_FEWEST = 4
_EDGE = Stroke(INK, 0.5, level=3)


Entry = tuple[str, str, list[str]]
"""Entry of the list next to the lanes: colour, head and lines."""


@frozen()
class Axis:
    """The time axis on the sheet: left and right edge, mm, and first and last time, s."""

    left: float
    right: float
    span: tuple[float, float]

    def x_of(self, time: float) -> float:
        """Return the position of a time, clipped at the edges, mm."""
        low, high = self.span
        fraction = (time - low) / (high - low) if high > low else 0.0
        return self.left + min(max(fraction, 0.0), 1.0) * (self.right - self.left)


def quality_sheet(timeline: Timeline) -> Sheet:
    """Draw the figure of quality of one trial.

    Lanes from the top: events, cycles of each joint with their verdicts, contacts of each plate,
    gaps of markers, findings with a time. Findings without a time are listed next to the lanes.
    """
    timed, untimed = split_findings(timeline)
    lines = [
        (
            "Cycles of each joint: \u2713 pass, ! check, \u2717 fail, none: kinetics unknown."
            " Triangles: foot strikes filled, foot-offs open. Missing markers: dark between visible"
            " frames, yellow if filled, pale before the first and after the last visible frame."
        )
    ]
    above = header_height(lines, WIDTH) + 6.0
    lanes = lanes_of(timeline, timed, TALLEST - above - EDGE_MM - _TICKS)
    lanes_height = height_of(lanes)
    list_room = max(lanes_height + _TICKS, TALLEST - above - EDGE_MM)
    parts = ("Findings in time", timed), ("Findings without a time", untimed)
    entries = _listed(parts, list_room)
    body_height = max(lanes_height + _TICKS, _list_height(entries))
    height = above + body_height + EDGE_MM - 2.0
    title = f"Quality \u2013 {timeline.name}: {timeline.verdict.upper()}"
    marks, _ = headline(title, lines, WIDTH, height)
    axis = Axis(EDGE_MM + _LABEL, WIDTH - EDGE_MM - _SIDE - 5.0, timeline.span)
    top = height - above
    marks += _lane_marks(lanes, axis, top)
    marks += _axis_marks(timeline, axis, top, top - lanes_height)
    marks += _list_marks(entries, WIDTH - EDGE_MM - _SIDE, top)
    return Sheet(WIDTH, height, tuple(marks))


def _lane_marks(lanes: Sequence[Lane], axis: Axis, top: float) -> list[Mark]:
    marks: list[Mark] = []
    y = top
    for lane in lanes:
        if lane.head:
            y -= BETWEEN_MM
            marks.append(segment((EDGE_MM, y), (axis.right, y), Stroke(FAINT, 0.8)))
        bottom = y - lane.height
        label = shortened(lane.label, _LABEL - 2.0, _PT)
        base = bottom + lane.height / 2 - 0.9
        marks.append(TextLine(EDGE_MM, base, label, _PT, lane.colour, name="lane"))
        for bar in lane.bars:
            marks += _bar_marks(bar, lane, axis, bottom)
        for time, _, strike in lane.points:
            marks.append(_triangle(axis.x_of(time), bottom, lane, strike=strike))
        y = bottom
    return marks


def _bar_marks(bar: Bar, lane: Lane, axis: Axis, bottom: float) -> list[Mark]:
    """Draw a bar and its words: inside the bar or, for a finding, next to it."""
    left, right = axis.x_of(bar.start), max(axis.x_of(bar.stop), axis.x_of(bar.start) + 0.5)
    finding = bar.colour in LEVELS.values()
    base = bottom + lane.height / 2 - 0.9
    low, high = (base, base + 1.8) if finding else (bottom + 0.5, bottom + lane.height - 0.5)
    corners = rectangle(left, low, right, high)
    marks: list[Mark] = [Area(corners, bar.colour, bar.words)]
    if not finding:
        marks.append(Line(corners[[0, 1, 2, 3, 0]], _EDGE, lane.label))
        if lane.height == LANE_MM and text_width(bar.words, _PT) <= right - left - 1.0:
            middle = (left + right) / 2
            marks.append(TextLine(middle, base, bar.words, _PT, INK, "center", name="bar"))
        return marks
    before, after = left - axis.left - 2.0, axis.right - right - 1.0
    if after >= before:
        text = shortened(bar.words, after, _PT)
        return [*marks, TextLine(right + 1.0, base, text, _PT, bar.colour, name="finding")]
    text = shortened(bar.words, before, _PT)
    return [*marks, TextLine(left - 1.0, base, text, _PT, bar.colour, "right", name="finding")]


def _triangle(x: float, bottom: float, lane: Lane, *, strike: bool) -> Mark:
    low, high = bottom + 1.2, bottom + lane.height - 1.0
    if strike:
        return Area(np.array([[x - 1.3, high], [x + 1.3, high], [x, low]]), lane.colour, "strike")
    points = np.array([[x - 1.3, low], [x + 1.3, low], [x, high], [x - 1.3, low]])
    return Line(points, Stroke(lane.colour, 0.8, level=4), "off")


def _axis_marks(timeline: Timeline, axis: Axis, top: float, bottom: float) -> list[Mark]:
    """Draw the time scale, with the frame numbers of the file below it."""
    marks: list[Mark] = [
        segment((axis.left, bottom - 1.0), (axis.right, bottom - 1.0), Stroke(INK, 0.7))
    ]
    grid, edge = Stroke(FAINT, 0.6, level=-1), Stroke(INK, 0.7)  # behind bars and triangles
    for time in ticks(*axis.span, most=10).tolist():
        x = axis.x_of(time)
        marks.append(segment((x, bottom - 1.0), (x, top), grid))
        marks.append(segment((x, bottom - 2.0), (x, bottom - 1.0), edge))
        marks.append(TextLine(x, bottom - 5.0, tick_label(time), _PT, align="center"))
        frame = f"{time * timeline.rate_hz + 1:.0f}"
        marks.append(TextLine(x, bottom - 8.4, frame, _PT - 0.6, GREY, "center", name="frame"))
    marks.append(TextLine(axis.left - 4.0, bottom - 5.0, "time (s)", _PT, align="right"))
    marks.append(TextLine(axis.left - 4.0, bottom - 8.4, "frame", _PT - 0.6, GREY, "right"))
    return marks


def _listed(parts: Sequence[tuple[str, Rows]], room: float) -> list[Entry]:
    """Return the entries of the list next to the lanes that fit into the room, mm.

    Parameters
    ----------
    parts : sequence of (str, list of dict)
        A heading and its findings; "none" if there are no findings.
    room : float
    """
    entries: list[Entry] = []
    n_left = sum(len(rows) for _, rows in parts)
    for title, rows in parts:
        entries.append((INK, title, [] if rows else ["none"]))
        for row in rows:
            scope, message = row["scope"], row["message"]
            words = message if message.startswith(scope) else f"{scope}: {message}"
            lines = wrapped(words, _SIDE - 3.0, _PT)
            entry = (level_colour(row), f"{SIGNS.get(row['level'], '!')} {row['code']}", lines)
            if len(entries) > _FEWEST and _list_height([*entries, entry]) > room - 4.0:
                return [*entries, (GREY, f"and {n_left} more: see quality.csv", [])]
            entries.append(entry)
            n_left -= 1
    return entries


def _list_height(entries: Sequence[Entry]) -> float:
    return 3.0 + sum(_above(colour) + 3.1 * len(lines) for colour, _, lines in entries)


def _above(colour: str) -> float:
    """Return the distance of the head of an entry from what is above it, mm."""
    return 6.4 if colour == INK else 4.4  # of a part of the list, or of a finding


def _list_marks(entries: Sequence[Entry], left: float, top: float) -> list[Mark]:
    marks: list[Mark] = []
    y = top + 2.0
    for colour, head, lines in entries:
        y -= _above(colour)
        size = 8.0 if colour == INK else _PT
        marks.append(TextLine(left, y, head, size, colour, name="listed"))
        for line in lines:
            y -= 3.1
            marks.append(TextLine(left + 2.5, y, line, _PT, GREY if line == "none" else INK))
    return marks
