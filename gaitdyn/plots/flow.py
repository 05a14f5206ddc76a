"""Arrange headings, paragraphs and tables below each other on pages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

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
    shortened,
    wrapped,
)
from gaitdyn.plots.typeface import regular_width
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

PORTRAIT, LANDSCAPE = (210.0, 297.0), (297.0, 210.0)
"""A4, mm."""

MARGIN_MM = 14.0
_BODY_PT, _HEAD_PT = 8.0, 12.5
_LINE_MM, _ROW_MM, _GAP_MM = 3.7, 1.5, 3.5
_NARROWEST_MM, _BESIDE_MM = 14.0, 2.0
_STEPS_MM = (48.0, 24.0, 6.0, 2.0)
"""Widths by which one column may be narrowed in favour of another, tried in this order, mm."""

_MOST_LINES = 40
"""Most lines of a row that is kept in one piece."""
_RULE = Stroke(FAINT, 0.6)


@frozen(eq=False)
class Block:
    """A block that is kept together: height, and marks from the upper left corner (0, 0) downwards.

    ``keep`` keeps the next block on the same page; ``head`` is repeated above a block that begins a
    new page.
    """

    height: float
    marks: tuple[Mark, ...]
    keep: bool = False
    head: tuple[Block, ...] = ()


def shifted(mark: Mark, x: float, y: float) -> Mark:
    """Return a mark moved by x and y, mm."""
    if isinstance(mark, TextLine):
        return replace(mark, x=mark.x + x, y=mark.y + y)
    return replace(mark, points=mark.points + np.array([x, y]))


def heading(text: str) -> Block:
    """Return a heading."""
    return Block(9.0, (TextLine(0.0, -6.0, text, _HEAD_PT, INK, name="heading"),), keep=True)


def paragraph(text: str, width: float, size_pt: float = _BODY_PT, colour: str = INK) -> Block:
    """Return a paragraph, wrapped at a width, mm."""
    lines = wrapped(text, width, size_pt, regular_width)
    step = _LINE_MM * size_pt / _BODY_PT
    words = [TextLine(0.0, -(i + 0.8) * step, t, size_pt, colour) for i, t in enumerate(lines)]
    return Block(step * len(lines) + 1.0, tuple(words))


def table(
    title: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[str]],
    notes: Iterable[str],
    width: float,
) -> list[Block]:
    """Return a table: title and head, one block per row, notes.

    Columns are as wide as their texts; if the page is too narrow, the widest columns are narrowed.
    Columns without names have no head.
    """
    body = [tuple(row) for row in rows] or [("none", *("" for _ in columns[1:]))]
    widths = _widths(tuple(columns), body, width)
    head = _row(columns, widths, colour=GREY, ruled=True) if any(columns) else []
    blocks = [
        *(
            Block(5.0, (TextLine(0.0, -4.0, line, 9.5, INK, name="table"),), keep=True)
            for line in wrapped(title, width, 9.5, regular_width)
        ),
        *(replace(block, keep=True) for block in head),
        *(replace(block, head=tuple(head)) for row in body for block in _row(row, widths)),
    ]
    for note in notes:
        blocks[-1] = replace(blocks[-1], keep=True)
        blocks.append(paragraph(note, width, 7.0, GREY))
    return [*blocks, Block(_GAP_MM, ())]


def side_by_side(left: Sequence[Block], right: Sequence[Block], x: float) -> Block:
    """Return two columns of blocks as one block; the second column begins at x, mm."""
    marks: list[Mark] = []
    for blocks, left_edge in ((left, 0.0), (right, x)):
        y = 0.0
        for block in blocks:
            marks += [shifted(mark, left_edge, y) for mark in block.marks]
            y -= block.height
    return Block(max(sum(b.height for b in blocks) for blocks in (left, right)), tuple(marks))


def is_narrow(columns: Sequence[str], rows: Iterable[Sequence[str]], width: float) -> bool:
    """Return whether a table fits into a width, mm, without wrapping any text."""
    return sum(_natural([columns, *rows])) <= width


def _natural(rows: Iterable[Sequence[str]]) -> list[float]:
    """Return the widths of columns in which no text is wrapped, mm."""
    return [
        max(regular_width(cell, _BODY_PT) + 2 * _BESIDE_MM for cell in column)
        for column in zip(*rows, strict=True)
    ]


def _widths(head: Sequence[str], body: Sequence[Sequence[str]], width: float) -> list[float]:
    """Return the widths of the columns, mm; if they do not fit, heads are wrapped first.

    Then the widest columns are narrowed, to their longest words at most. Finally, width moves
    between columns if this makes the table lower.
    """
    widths = _natural([head, *body])
    if sum(widths) <= width + 1e-6:
        return widths
    widths = _natural([_longest_words(head), *body])
    least = _least([head, *body], width)
    while sum(widths) > width + 1e-6:
        wide = [w > low + 1e-9 for w, low in zip(widths, least, strict=True)]
        widest = max((w for w, is_wide in zip(widths, wide, strict=True) if is_wide), default=0.0)
        if not widest:  # no column can be narrowed further
            break
        chosen = [i for i, w in enumerate(widths) if wide[i] and w >= widest - 1e-9]
        below = max((w for w in widths if w < widest - 1e-9), default=0.0)
        fit = max(widest - (sum(widths) - width) / len(chosen), below)
        for i in chosen:
            widths[i] = max(fit, least[i])
    text_widths = np.array([[regular_width(cell, _BODY_PT) for cell in row] for row in body])
    return _shared(widths, text_widths, least)


def _longest_words(cells: Sequence[str]) -> list[str]:
    return [max(cell.split(), key=len, default="") for cell in cells]


def _least(rows: Sequence[Sequence[str]], width: float) -> list[float]:
    """Return how narrow each column may be, mm: as its longest word, if all of these fit."""
    least = [max(w, _NARROWEST_MM) for w in _natural(map(_longest_words, rows))]
    return least if sum(least) <= width else [_NARROWEST_MM] * len(least)


def _shared(widths: list[float], text_widths: Array, least: Sequence[float]) -> list[float]:
    """Return widths with the same sum, improved until no step makes the table lower."""
    best = _lines(text_widths, widths)
    steps = [(i, j, step) for step in _STEPS_MM for i, j in permutations(range(len(widths)), 2)]
    improved = True
    while improved:
        improved = False
        for i, j, step in steps:
            trial = list(widths)
            trial[i], trial[j] = trial[i] - step, trial[j] + step
            if trial[i] >= least[i] and (lines := _lines(text_widths, trial)) < best:
                widths, best, improved = trial, lines, True
                break
    return widths


def _lines(text_widths: Array, widths: Sequence[float]) -> float:
    """Estimate the number of lines of a table from the widths of its texts."""
    lines = np.ceil(text_widths / (np.array(widths) - _BESIDE_MM))
    return float(lines.max(axis=1).sum())


def _row(
    cells: Sequence[str], widths: Sequence[float], *, colour: str = INK, ruled: bool = False
) -> list[Block]:
    """Return a row: one block, or several if a cell is very long."""
    broken = [
        wrapped(c, w - _BESIDE_MM, _BODY_PT, regular_width)
        for c, w in zip(cells, widths, strict=True)
    ]
    n_lines = max(len(lines) for lines in broken)
    lefts = [sum(widths[:i]) for i in range(len(widths))]
    blocks = []
    for start in range(0, n_lines, _MOST_LINES):
        count = min(n_lines - start, _MOST_LINES)
        last = start + count == n_lines
        marks: list[Mark] = [
            TextLine(x, -(i + 0.85) * _LINE_MM, line, _BODY_PT, colour)
            for x, lines in zip(lefts, broken, strict=True)
            for i, line in enumerate(lines[start : start + count])
        ]
        height = count * _LINE_MM + (_ROW_MM if last else 0.0)
        if last:
            under = np.array([[0.0, -height + 0.3], [sum(widths), -height + 0.3]])
            marks.append(Line(under, Stroke(INK, 0.7) if ruled else _RULE))
        blocks.append(Block(height, tuple(marks)))
    return blocks


def box(colour: str, width: float, height: float) -> Area:
    """Return a filled rectangle below the upper left corner of a block."""
    corners = np.array([[0, 0], [width, 0], [width, -height], [0, -height]], dtype=float)
    return Area(corners, colour, "box")


def flow_pages(blocks: Sequence[Block]) -> list[Sheet]:
    """Return A4 portrait pages with the blocks from top to bottom."""
    pages: list[list[Mark]] = [[]]
    top, bottom = PORTRAIT[1] - MARGIN_MM - 4.0, MARGIN_MM + 2.0
    y = top
    for i, block in enumerate(blocks):
        if not block.marks and y < top:  # a gap never begins a new page
            y -= block.height
            continue
        needed = block.height
        for j in range(i, len(blocks) - 1):
            if not blocks[j].keep:
                break
            needed += blocks[j + 1].height
        if y - needed < bottom and y < top:
            pages.append([])
            y = top
            for above in block.head:
                pages[-1] += [shifted(mark, MARGIN_MM, y) for mark in above.marks]
                y -= above.height
        pages[-1] += [shifted(mark, MARGIN_MM, y) for mark in block.marks]
        y -= block.height
    return [Sheet(*PORTRAIT, tuple(marks)) for marks in pages]


def on_page(sheet: Sheet) -> Sheet:
    """Return a landscape page with a smaller sheet at the top centre."""
    x = (LANDSCAPE[0] - sheet.width_mm) / 2
    y = LANDSCAPE[1] - MARGIN_MM + 2.0 - sheet.height_mm
    return Sheet(*LANDSCAPE, tuple(shifted(mark, x, y) for mark in sheet.marks))


def numbered(pages: Sequence[Sheet], title: str) -> list[Sheet]:
    """Return the pages with a title and "page i of n" at the foot."""
    width = min(page.width_mm for page in pages) - 2 * MARGIN_MM - 30.0
    short = shortened(title, width, 7.0)
    numbered_pages = []
    for i, page in enumerate(pages, 1):
        right = page.width_mm - MARGIN_MM
        foot = (
            TextLine(MARGIN_MM, 8.0, short, 7.0, GREY, name="foot"),
            TextLine(right, 8.0, f"page {i} of {len(pages)}", 7.0, GREY, "right", name="foot"),
        )
        numbered_pages.append(replace(page, parts=(*page.parts, *foot)))
    return numbered_pages
