"""The first sheet of the clinician's PDF: headline, numbers, both sides, profile and findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gaitdyn.plots.clinic.bars import (
    MARKER_HEIGHT,
    MARKER_WIDTH,
    PROFILE_WIDTH,
    marker_drawing,
    profile_drawing,
)
from gaitdyn.plots.clinic.palette import (
    CHECK,
    CHECK_TINT,
    FAILED,
    FAILED_TINT,
    INK,
    MUTED,
    SIDE,
    USABLE,
    USABLE_TINT,
    WITHIN,
)
from gaitdyn.plots.clinic.thumbs import HEIGHT, WIDTH
from gaitdyn.plots.marks import Mark, TextLine
from gaitdyn.plots.typeface import bold_width, regular_width
from gaitdyn.report.first_screen.around import (
    banners,
    limit_lines,
    number_cells,
    numbered,
    shown_ranges,
)
from gaitdyn.report.first_screen.around_findings import (
    no_finding_words,
    numbers_outside,
    question,
    question_words,
    words_below,
)
from gaitdyn.report.first_screen.both_sides import screen_lines
from gaitdyn.report.first_screen.notices import Notice
from gaitdyn.report.first_screen.numbers import age_of, ranges_words, whose_words
from gaitdyn.report.first_screen.profile import profile_rows, profile_words
from gaitdyn.report.first_screen.shown_findings import ShownFinding, shown_findings
from gaitdyn.report.first_screen.two_sides import range_words
from gaitdyn.report.paper.layout import (
    BODY_TOP,
    BOTTOM,
    LEFT,
    RIGHT,
    SheetColumn,
    box,
    drawing,
    paragraph,
    rule,
)
from gaitdyn.report.views import GroupView
from gaitdyn.types.subject import SIDES

_FIRST, _SECOND, GAP = 78.0, 92.0, 8.0
_SIDE_PT, _MOST_LINES = (7.6, 6.8, 6.0, 5.2), 40
_HEADLINE_PT = 15.5
_SIZE_PT, _UNIT_PT = 11.5, 7.2
_FINDING_PT = 7.6, 6.8, 6.0
_TINTS = {
    "pass": (USABLE, USABLE_TINT),
    "check": (CHECK, CHECK_TINT),
    "fail": (FAILED, FAILED_TINT),
    "plain": (INK, WITHIN),
}


def summary_marks(
    view: GroupView, since: Sequence[str] = (), notices: Sequence[Notice] = ()
) -> list[Mark]:
    """Return the first sheet of a group.

    Parameters
    ----------
    view : GroupView
    since : sequence of str
        A heading, and what changed since the first session.
    notices : sequence of Notice
        What must be read before anything else and concerns more than this group.
    """
    sheet = SheetColumn(LEFT, BODY_TOP, RIGHT - LEFT)
    for i, line in enumerate(since):
        sheet.text(line, 8.4, bold=not i, most=2)
    marks, top = sheet.marks, sheet.y - (3.0 if since else 0.0)
    for banner in (*notices, *banners(view)):
        stop = "" if banner.heading.endswith("?") else "."
        text, wide = f"{banner.heading}{stop} {banner.text}", RIGHT - LEFT - 6.0
        strong, tint = _TINTS[banner.kind]
        text_marks, end = paragraph(text, LEFT + 3.0, top - 1.5, wide, 9.0, strong)
        marks += [box(LEFT, end - 1.5, RIGHT, top, tint), *text_marks]
        top = end - 4.0
    headline, top = _headline(view, top)
    marks += headline
    top -= 4.0
    lines = limit_lines(view)
    lines += [] if since or notices else ["Since last time: no earlier session is given."]
    marks += _numbers(view, top, lines)
    marks += _profile(view, top)
    marks += _findings(view, top)
    return marks


def _headline(view: GroupView, top: float) -> tuple[list[Mark], float]:
    """Return the headline; its warning follows in its last line, or on a new one if too long."""
    marks, end = paragraph(view.headline, LEFT, top, RIGHT - LEFT, _HEADLINE_PT, bold=True, most=3)
    if not view.headline or not view.warning:
        top = end if view.headline else top
        warning, end = paragraph(
            view.warning, LEFT, top, RIGHT - LEFT, _HEADLINE_PT, CHECK, bold=True
        )
        return (marks + warning, end) if view.warning else (marks, top)
    last = next(mark for mark in reversed(marks) if isinstance(mark, TextLine))
    x = LEFT + bold_width(f"{last.text} ", _HEADLINE_PT)
    if x + bold_width(view.warning, _HEADLINE_PT) <= RIGHT:
        return [*marks, TextLine(x, last.y, view.warning, _HEADLINE_PT, CHECK, bold=True)], end
    warning, end = paragraph(view.warning, LEFT, end, RIGHT - LEFT, _HEADLINE_PT, CHECK, bold=True)
    return marks + warning, end


def _numbers(view: GroupView, top: float, lines: Sequence[str]) -> list[Mark]:
    """Return the four numbers, the lines of both sides and what limits them."""
    if not numbered(view):
        return _side_lines(view, top, lines)
    marks, y = paragraph("Four numbers", LEFT, top, _FIRST, 10.0, bold=True)
    marks += _two_sides({side: side.capitalize() for side in SIDES}, y + 0.5, 7.6)
    if any(row.norm_words for row in view.numbers):
        marks.append(TextLine(LEFT + 67.0, y + 0.5, "Norm", 7.6, MUTED, "center"))
    y -= 1.0
    for row in view.numbers:
        marks.append(TextLine(LEFT, y - 7.0, row.title, 8.4, INK, bold=True))
        note, _ = paragraph(row.note, LEFT, y - 8.4, 21.0, 6.6, MUTED, most=2)
        marks += [*note, *_two_sides(number_cells(row), y - 9.5, 16.0)]
        marks.append(TextLine(LEFT + 67.0, y - 4.6, row.norm_words, 6.6, MUTED, "center"))
        if row.norm is not None:
            drawn = marker_drawing(row.z_values)
            placed, _ = drawing(drawn, MARKER_WIDTH, MARKER_HEIGHT, LEFT + 56.0, y - 6.0, 22.0)
            marks += placed
        y -= 15.0
        marks.append(rule(LEFT, LEFT + _FIRST, y + 1.0))
    whose = whose_words(view.numbers, age_of(view.trials))
    marks.append(TextLine(LEFT + _FIRST, y - 1.8, whose, 6.6, MUTED, "right"))
    if ranges := ranges_words(view.numbers):
        y -= 2.8
        marks.append(TextLine(LEFT + _FIRST, y - 1.8, f"Norm {ranges}", 6.6, MUTED, "right"))
    return marks + _side_lines(view, y - 4.0, lines)


def _two_sides(texts: Mapping[str, str], y: float, size_pt: float) -> list[Mark]:
    return [
        TextLine(LEFT + x, y, texts[side], size_pt, SIDE[side], "right", bold=True)
        for side, x in zip(SIDES, (38.0, 54.0), strict=True)
    ]


def _side_lines(view: GroupView, top: float, lines: Sequence[str]) -> list[Mark]:
    """Return the lines of both sides, in smaller type the more there is to write."""
    head, y = paragraph("Can it be trusted?", LEFT, top, _FIRST, 10.0, bold=True)
    marks: list[Mark] = []
    for size_pt in _SIDE_PT:
        marks, end = _side_boxes(view, y - 1.5, size_pt)
        column = SheetColumn(LEFT, end, _FIRST, marks)
        for line in lines:
            column.text(f"{line[0].upper()}{line[1:]}", size_pt - 0.6, MUTED, above=0.6, most=3)
        if column.y > BOTTOM + 4.0:
            break
    return head + marks


def _side_boxes(view: GroupView, y: float, size_pt: float) -> tuple[list[Mark], float]:
    marks: list[Mark] = []
    for line in screen_lines(view.side_lines):
        strong, tint = _TINTS[line.word]
        text_marks, end = paragraph(
            line.text, LEFT + 17.0, y - 1.2, _FIRST - 19.0, size_pt, most=_MOST_LINES
        )
        end = min(end, y - 5.0)
        marks.append(box(LEFT, end - 1.2, LEFT + _FIRST, y, tint))
        head = f"{line.glyph} {line.side.capitalize()}"
        marks += [TextLine(LEFT + 2.0, y - 4.0, head, 8.0, strong, bold=True), *text_marks]
        y = end - 3.0
    return marks, y


def _profile(view: GroupView, top: float) -> list[Mark]:
    left = LEFT + _FIRST + GAP
    rows = profile_rows(view)
    if not rows:
        return _ranges(view, left, top)
    column = SheetColumn(left, top, _SECOND)
    column.text("Movement analysis profile, degrees", 10.0, bold=True, most=1)
    drawn, height = profile_drawing(rows)
    wide = min(_SECOND, (column.y - BOTTOM - 14.0) * PROFILE_WIDTH / height)
    column.draw(drawn, (PROFILE_WIDTH, height), above=2.0, wide=wide)
    column.text(profile_words(view), 7.6, MUTED, above=2.0)
    return column.marks


def _ranges(view: GroupView, left: float, top: float) -> list[Mark]:
    """Return the ranges of the angles, for a report without a norm."""
    ranges = shown_ranges(view)
    if not ranges:
        return []
    over = "the whole trial" if view.course else "the mean stride"
    column = SheetColumn(left, top, _SECOND)
    column.text(f"Range of the angles over {over}", 10.0, bold=True, most=1)
    head = ("", "Left", "Right") if view.course else ("", "Left", "Right", "Apart")
    colours = (INK, SIDE["left"], SIDE["right"], INK)
    edges = (34.0, 56.0, 78.0, _SECOND)[: len(head)]
    column.rows([head, *ranges], edges, 8.4, above=2.0, colours=colours)
    column.text("" if view.course else range_words(view), 7.2, MUTED, above=2.0)
    return column.marks


def _findings(view: GroupView, top: float) -> list[Mark]:
    if view.course:
        return []
    left = LEFT + _FIRST + _SECOND + 2 * GAP
    findings = shown_findings(view)
    column = SheetColumn(left, top, RIGHT - left)
    column.text(question(view), 10.0, bold=True)
    told = f"{question_words(view).capitalize()}." if findings else ""
    below = words_below(view, rest="in the annex")
    column.text(f"{told} {below}".strip(), 7.2, MUTED, above=0.5)
    column.text(numbers_outside(view), 8.4, above=1.5, bold=True)
    if not findings:
        column.text(no_finding_words(view), 8.4, MUTED, above=4.0)
        return column.marks
    marks, y = column.marks, column.y
    step = min(22.0, (y - BOTTOM - 6.0) / len(findings))
    for i, finding in enumerate(findings):
        marks += _finding(finding, left, y - 1.0 - step * i, step - 0.5)
        if i:
            marks.append(rule(left, RIGHT, y - 0.5 - step * i))
    return marks


def _finding(finding: ShownFinding, left: float, top: float, high: float) -> list[Mark]:
    """Return a finding; what is below its title is smaller the less of its height is left, mm."""
    marks, _ = drawing(finding.marks, WIDTH, HEIGHT, left, top - 1.5, 24.0)
    x = left + 27.0
    sizes = [
        _size_marks(y, *size)
        for y, size in zip((top - 6.0, top - 11.0), finding.sizes, strict=False)
    ]
    wide = RIGHT - x - 2.0 - max(18.0, *(room for _, room in sizes))
    title, y = paragraph(finding.words, x, top - 1.5, wide, 9.6, bold=True, most=3)
    word = f"{finding.word}; " if finding.word else ""
    phase = f"{finding.phase}; {finding.limit}" if finding.limit else finding.phase
    tag, most = f" ({finding.tag})" if finding.tag else "", 5 - len(title)
    text = f"{word}{phase}{finding.other}{tag}"
    below, _ = paragraph(text, x, y - 0.4, wide, 7.6, MUTED)
    if len(below) > most:
        text = f"{word}{phase}{tag}"
    for size_pt in _FINDING_PT:
        below, end = paragraph(text, x, y - 0.4, wide, size_pt, MUTED, most=most)
        if end > top - high:
            break
    marks += [*title, *below]
    marks += [mark for drawn, _ in sizes for mark in drawn]
    y = top - 6.0 - 5.0 * len(sizes)
    marks.append(TextLine(RIGHT, y + 0.8, finding.peak, 6.8, MUTED, "right"))
    return marks


def _size_marks(y: float, letter: str, size: str, unit: str) -> tuple[list[Mark], float]:
    """Return a finding's size at the right edge with a small unit, and its width, mm."""
    colour = {"L": SIDE["left"], "R": SIDE["right"]}.get(letter, INK)
    tail = "" if unit == "\u00b0" else unit.strip()
    number = f"{letter} {size}{'' if tail else unit}".strip()
    room = regular_width(tail, _UNIT_PT) + 0.8 if tail else 0.0
    marks: list[Mark] = [TextLine(RIGHT - room, y, number, _SIZE_PT, colour, "right", bold=True)]
    marks += [TextLine(RIGHT, y, tail, _UNIT_PT, colour, "right")] if tail else []
    return marks, room + bold_width(number, _SIZE_PT)
