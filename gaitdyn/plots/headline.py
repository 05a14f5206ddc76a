"""The heading of a figure: trial, cycles, convention, filters, and the key to its lines."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import cast

from gaitdyn.plots.marks import (
    COLOUR,
    DASH,
    GREY,
    INK,
    SECOND_COLOUR,
    SECOND_DASH,
    Mark,
    Stroke,
    TextLine,
    segment,
    shortened,
    text_width,
    wrapped,
)
from gaitdyn.plots.typeface import regular_width
from gaitdyn.quality import JointStatus
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.stages.motion import marker_filter
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES, Side
from gaitdyn.types.task import WALKING

EDGE_MM = 8.0
_TITLE_PT, _LINE_PT = 12.0, 7.5
_LINE_MM = 4.2
_KEY_MM = 9.0
_MOST_REASONS = 3


def trial_name(result: Processed) -> str:
    """Return the file name of the trial without its extension."""
    return Path(result.recording.name).stem


def filter_line(result: Processed) -> str:
    """Return a line on how markers and forces were filtered."""
    options, rate = result.options, result.recording.rate_hz
    if options.profile == "plug-in-gait":
        return "Filters: plug-in-gait profile, markers and forces as recorded"
    kind = {"spline": "quintic spline", "butterworth": "zero-lag Butterworth"}[options.filter]
    cutoffs = {"markers": marker_filter(options, rate).cutoff_hz}
    if result.trial.plates:
        cutoffs["forces"] = force_filter(options, rate).cutoff_hz
    if not any(cutoffs.values()):
        return f"Filters: none, {' and '.join(cutoffs)} as recorded"
    words = [
        f"{name} {'as recorded' if cutoff is None else f'{cutoff:g} Hz'}"
        for name, cutoff in cutoffs.items()
    ]
    return f"Filters: {kind}, {', '.join(words)} (cut-off: gain 0.707)"


def moment_line(result: Processed) -> str:
    """Return a line on the convention and the axes of the moments."""
    options = result.options
    axes = {
        "distal": "axes of the distal segment",
        "proximal": "axes of the proximal segment",
        "jcs": "axes of the joint coordinate system (projections)",
        "jcs-dual": "axes of the joint coordinate system (components)",
        "lab": "axes of the laboratory",
    }[options.moments_in]
    sense = {
        "internal": "internal (of muscles and ligaments)",
        "external": "external (of the load)",
    }[options.convention]
    return f"Moments: {sense}, in the {axes}"


def cycle_line(
    result: Processed, cycles: Sequence[CycleCurves], statuses: Sequence[JointStatus]
) -> str:
    """Return a line with the number of cycles of each side, and of those with kinetics.

    Parameters
    ----------
    result : Processed
    cycles : sequence of CycleCurves
    statuses : sequence of JointStatus
        From :func:`gaitdyn.quality.cycle_status`.
    """
    absent = [f"{side} leg not computed" for side in SIDES if side not in result.sides]
    if result.task != WALKING:
        whole = f"Task: {result.task}, not walking: curves over the whole trial"
        return "; ".join((whole, *absent))
    if not cycles:
        return "; ".join(("No complete gait cycle: curves over the whole trial", *absent))
    words = []
    for side in (side for side in SIDES if side in result.sides):
        numbers = [c.cycle.number for c in cycles if c.cycle.side == side]
        states = [{s.status for s in statuses if (s.side, s.cycle) == (side, n)} for n in numbers]
        whole = sum(state == {"ok"} for state in states)
        partly = sum(bool(state - {"skipped"}) and state != {"ok"} for state in states)
        kinetic = f"{whole} with kinetics" + (f" and {partly} in part" if partly else "")
        words.append(f"{side} {len(numbers)}, {kinetic}")
    return f"Cycles: {'; '.join((*words, *absent))}"


def reason_lines(statuses: Sequence[JointStatus]) -> list[str]:
    """Return the reasons for missing kinetics, one line per side and reason."""
    groups: dict[tuple[str, str], list[int]] = {}
    for status in statuses:
        if status.status != "ok":
            numbers = groups.setdefault((status.side, status.reason), [])
            if status.cycle not in numbers:
                numbers.append(status.cycle)
    lines = [
        f"{side.capitalize()} cycle{'s' if len(numbers) > 1 else ''}"
        f" {', '.join(map(str, numbers))}: {reason}"
        for (side, reason), numbers in groups.items()
    ]
    hidden = len(lines) - _MOST_REASONS
    return lines if hidden <= 1 else [*lines[:_MOST_REASONS], f"and {hidden} more, see result.json"]


def headline(
    title: str, lines: Sequence[str], width_mm: float, height_mm: float
) -> tuple[list[Mark], float]:
    """Return the heading of a figure and its height, mm.

    Parameters
    ----------
    title : str
    lines : sequence of str
        Wrapped if they are too long.
    width_mm, height_mm : float
        Size of the sheet.
    """
    room = width_mm - 2 * EDGE_MM
    broken = [part for line in lines for part in _broken(line, room)]
    short = shortened(title, room, _TITLE_PT, regular_width)
    y = height_mm - EDGE_MM - 3.0
    marks: list[Mark] = [TextLine(EDGE_MM, y, short, _TITLE_PT, name="title")]
    for line in broken:
        y -= _LINE_MM if len(marks) > 1 else _LINE_MM + 1.5
        marks.append(TextLine(EDGE_MM, y, line, _LINE_PT, GREY, name="headline"))
    return marks, height_mm - y


@lru_cache(maxsize=64)
def _broken(line: str, room: float) -> tuple[str, ...]:
    """Return a line wrapped; cached, as heights are asked for before the marks."""
    return tuple(wrapped(line, room, _LINE_PT, regular_width))


def header_height(lines: Sequence[str], width_mm: float) -> float:
    """Return the height of :func:`headline`, mm."""
    return headline("", lines, width_mm, 0.0)[1]


def key_rows(
    entries: Sequence[tuple[str, Stroke | None]], width_mm: float
) -> list[list[tuple[str, Stroke | None]]]:
    """Arrange the entries of a key in rows of limited width."""
    rows: list[list[tuple[str, Stroke | None]]] = [[]]
    for words, stroke in entries:
        taken = sum(_entry_width(*entry) for entry in rows[-1])
        if rows[-1] and taken + _entry_width(words, stroke) > width_mm:
            rows.append([])
        room = width_mm - _entry_width("", stroke)
        rows[-1].append((shortened(words, room, _LINE_PT), stroke))
    return rows


def _entry_width(words: str, stroke: Stroke | None) -> float:
    return text_width(words, _LINE_PT) + (6.0 if stroke is None else _KEY_MM + 7.5)


def key_marks(entries: Sequence[tuple[str, Stroke | None]], x: float, y: float) -> list[Mark]:
    """Draw a row of the key of a figure: a sample of each line and its words.

    Parameters
    ----------
    entries : sequence of (words, Stroke or None)
    x, y : float
        Position of its start, mm.
    """
    marks: list[Mark] = []
    for words, stroke in entries:
        if stroke is not None:
            marks.append(segment((x, y + 0.9), (x + _KEY_MM, y + 0.9), stroke, "key"))
        start = x if stroke is None else x + _KEY_MM + 1.5
        marks.append(TextLine(start, y, words, _LINE_PT, INK))
        x += _entry_width(words, stroke)
    return marks


@lru_cache(maxsize=256)
def side_stroke(
    side: str, width_pt: float, level: int = 3, group: int = 0, alpha: float = 1.0
) -> Stroke:
    """Return the stroke of a side: red solid on the left, blue dashed on the right.

    The right side is drawn above the left: a solid line stays visible below a dashed one. The
    second of two sessions (group 1) has different colours and dashes.
    """
    colours, dashes = (SECOND_COLOUR, SECOND_DASH) if group else (COLOUR, DASH)
    above = 2 * SIDES.index(cast("Side", side))
    return Stroke(colours[side], width_pt, dashes[side], level + above, alpha)
