"""Pages of text and tables: nothing is lost, nothing lies beyond the margins."""

from __future__ import annotations

from itertools import pairwise
from string import printable
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.plots.flow import (
    LANDSCAPE,
    MARGIN_MM,
    PORTRAIT,
    Block,
    box,
    flow_pages,
    heading,
    numbered,
    on_page,
    paragraph,
    shifted,
    side_by_side,
    table,
)
from gaitdyn.plots.marks import Area, Line, Sheet, Stroke, TextLine, text_width, wrapped
from tests.unit.report_cases import printed_width, true_width

if TYPE_CHECKING:
    from collections.abc import Sequence

WIDTH = PORTRAIT[0] - 2 * MARGIN_MM
COLUMNS = ("Trial", "Side", "Event", "From", "At (s)")
LONG = tuple(
    (f"walk{i:03d}", "left" if i % 2 else "right", "foot strike", f"plate {i}",
     ", ".join(f"{i}.{k:02d}" for k in range(i % 37)))
    for i in range(200)
)  # fmt: skip


def words_on(pages: Sequence[Sheet]) -> list[TextLine]:
    return [mark for page in pages for mark in page.marks if isinstance(mark, TextLine)]


def within(pages: Sequence[Sheet]) -> None:
    """Check that every mark lies between the margins, with the width of the type."""
    for page in pages:
        for mark in page.marks:
            if isinstance(mark, TextLine):
                assert mark.x >= MARGIN_MM - 1e-9
                right = mark.x + printed_width(mark.text, mark.size_pt)
                assert right <= page.width_mm - MARGIN_MM + 1e-9, mark.text
                low, high = mark.y - 1.0, mark.y + 2.0
            else:
                assert mark.points[:, 0].min() >= MARGIN_MM - 1e-9
                assert mark.points[:, 0].max() <= page.width_mm - MARGIN_MM + 1e-9
                low, high = mark.points[:, 1].min(), mark.points[:, 1].max()
            assert low >= MARGIN_MM
            assert high <= page.height_mm - MARGIN_MM


@pytest.fixture(scope="module")
def long() -> list[Sheet]:
    blocks = [heading("Quality"), *table("Gait events", COLUMNS, LONG, ("a note",), WIDTH)]
    return flow_pages(blocks)


def test_every_cell_of_a_long_table_is_on_some_page(long: list[Sheet]) -> None:
    assert len(long) > 3
    words = words_on(long)
    text = " ".join(word.text for word in words)
    for row in LONG:
        first = next(i for i, word in enumerate(words) if word.text == row[0])
        later = [w.text for w in words[first:]]
        stop = next((i for i, t in enumerate(later) if i and t.startswith("walk")), len(later))
        assert " ".join(t for t in later[:stop] if t).startswith(" ".join(c for c in row if c))
    assert "a note" in text


def test_nothing_of_a_long_table_lies_beyond_the_margins(long: list[Sheet]) -> None:
    within(long)


def test_a_row_is_not_broken_between_pages(long: list[Sheet]) -> None:
    for page in long:
        words = [mark for mark in page.marks if isinstance(mark, TextLine) and mark.text]
        words = [w for w in words if w.text not in COLUMNS]
        first = next(w for w in words if w.x > MARGIN_MM or w.text.startswith(("walk", "Qual")))
        assert first.text.startswith(("walk", "Qual"))


def test_rows_do_not_overlap(long: list[Sheet]) -> None:
    for page in long:
        places = [(m.x, m.y) for m in page.marks if isinstance(m, TextLine) and m.text]
        assert len(places) == len(set(places))
        lines = sorted({y for _, y in places})
        assert np.diff(lines).min() > 2.5  # mm, type of 8 pt is 2.8 mm high


def test_the_columns_of_a_table_stand_below_their_heads() -> None:
    blocks = table("T", ("One", "Two"), [("a", "b"), ("c", "d")], (), WIDTH)
    words = [[m for m in block.marks if isinstance(m, TextLine)] for block in blocks]
    head, first, second = words[1:4]
    assert [w.text for w in head + first + second] == ["One", "Two", "a", "b", "c", "d"]
    for column in (0, 1):
        assert head[column].x == first[column].x == second[column].x
    assert head[0].x < head[1].x


def test_a_table_without_rows_says_none() -> None:
    words = words_on(flow_pages(table("T", ("One", "Two"), [], (), WIDTH)))
    assert [w.text for w in words if w.text] == ["T", "One", "Two", "none"]


def test_a_title_stands_on_the_page_of_its_first_row() -> None:
    filler = [Block(61.0, ())] * 4
    pages = flow_pages([*filler, heading("Heading"), *table("T", ("One",), [("a",)], (), WIDTH)])
    assert len(pages) == 2
    assert not words_on(pages[:1])
    assert [w.text for w in words_on(pages[1:])][:4] == ["Heading", "T", "One", "a"]


@pytest.mark.parametrize(
    "row",
    [
        ("W" * 400, "x"),
        ("word " * 300, "x"),
        ("WIDE CAPITALS EVERYWHERE " * 40, "MMMMMMMM"),
        ("a", "0123456789abcdef" * 20),
        ("x " * 6000, "a cell that is taller than a page"),
        ("\u2713\u2717\u00b1\u2212\u221a" * 60, "\u2013"),
    ],
)
def test_long_cells_are_broken_and_stay_whole(row: tuple[str, str]) -> None:
    pages = flow_pages(table("T", ("One", "Two"), [row, ("end", "end")], (), WIDTH))
    within(pages)
    words = words_on(pages)
    columns = sorted({word.x for word in words})
    for x, cell in zip(columns, row, strict=True):
        text = "".join(
            w.text for w in words if (w.x, w.size_pt) == (x, 8.0) and w.text not in {"One", "Two"}
        )
        assert cell.replace(" ", "") in text.replace(" ", "")


@pytest.mark.parametrize("count", [7, 9, 13])
def test_many_columns_fit_on_the_page(count: int) -> None:
    names = [f"Left, session {i}" for i in range(count - 1)]
    rows = [("Walking speed (m/s)", *("1.10 \u00b1 0.14" for _ in names))] * 3
    pages = flow_pages(table("T", ("Quantity", *names), rows, (), WIDTH))
    within(pages)


def test_no_word_is_broken_where_all_words_fit() -> None:
    rows = [(word, "a sentence of many words " * 9, "0.00\u20130.48", word) for word in
            ("landmark-geometry", "contact-partial")]  # fmt: skip
    pages = flow_pages(table("T", ("Code", "Words", "At (s)", "Code"), rows, (), WIDTH))
    within(pages)
    texts = [word.text for word in words_on(pages)]
    assert texts.count("landmark-geometry") == texts.count("contact-partial") == 2
    assert texts.count("0.00\u20130.48") == 2


def test_words_of_neighbouring_columns_do_not_touch() -> None:
    rows = [("MAXIMAL WIDTH OF CAPITALS", "WWWWWWWW", "knee"), ("ill", "ill", "ill")]
    (page,) = flow_pages(table("T", ("One", "Two", "Three"), rows, (), WIDTH))
    lines: dict[float, list[TextLine]] = {}
    for word in words_on([page]):
        lines.setdefault(round(word.y, 6), []).append(word)
    for found in lines.values():
        found.sort(key=lambda word: word.x)
        for one, two in pairwise(found):
            assert one.x + printed_width(one.text, one.size_pt) < two.x


def test_a_paragraph_is_broken_at_words_and_within_its_width() -> None:
    text = "Mean and standard deviation over the cycles of both sides, WIDE WORDS too. " * 9
    for size in (7.0, 8.0, 9.0):
        block = paragraph(text, WIDTH, size)
        words = [m for m in block.marks if isinstance(m, TextLine)]
        assert " ".join(w.text for w in words) == text.strip()
        assert max(printed_width(w.text, w.size_pt) for w in words) <= WIDTH
        assert min(w.y for w in words) > -block.height


def test_a_mark_is_moved_as_a_whole() -> None:
    points = np.array([[0.0, 0.0], [1.0, 2.0]])
    assert shifted(Line(points, Stroke("k", 1.0)), 3.0, 4.0).points.tolist() == [[3, 4], [4, 6]]  # type: ignore[union-attr]
    moved = shifted(TextLine(1.0, 2.0, "a", align="right"), 3.0, 4.0)
    assert isinstance(moved, TextLine)
    assert (moved.x, moved.y, moved.text, moved.align) == (4.0, 6.0, "a", "right")
    assert box("red", 10.0, 5.0).points.min(axis=0).tolist() == [0.0, -5.0]


def test_a_sheet_stands_in_the_middle_of_its_page() -> None:
    area = Area(np.array([[0.0, 0.0], [200.0, 0.0], [200.0, 100.0]]), "red")
    page = on_page(Sheet(200.0, 100.0, (area,)))
    assert (page.width_mm, page.height_mm) == LANDSCAPE
    (mark,) = page.marks
    assert isinstance(mark, Area)
    assert (mark.points[:, 0].min() + mark.points[:, 0].max()) / 2 == LANDSCAPE[0] / 2
    assert mark.points[:, 1].max() <= LANDSCAPE[1] - MARGIN_MM + 2.0


def test_every_page_has_its_number_and_a_title_that_fits() -> None:
    pages = numbered([Sheet(*PORTRAIT, ()), Sheet(*LANDSCAPE, ())], "Gait report: " + "W" * 300)
    for i, page in enumerate(pages, 1):
        title, number = words_on([page])
        assert number.text == f"page {i} of 2"
        assert number.x == page.width_mm - MARGIN_MM
        end = title.x + printed_width(title.text, title.size_pt)
        assert end < number.x - printed_width(number.text, number.size_pt)
    (title, _) = words_on(numbered([Sheet(*PORTRAIT, ())], "short"))
    assert title.text == "short"


def test_no_character_is_wider_than_it_is_held_to_be() -> None:
    shown = [c for c in printable if c.isprintable()]
    for character in [
        *shown,
        *"\u2013\u2022\u00b0\u00b1\u00b2\u00d7\u221a\u2713\u2717\u2212\u00e9\u0428",
    ]:
        assert text_width(character, 8.0) >= true_width(character, 8.0), character
    text = "Mean of the complete cycles; 2 with all angles, 1.25 \u00b1 0.02 m/s"
    assert text_width(text, 8.0) == pytest.approx(true_width(text, 8.0), rel=0.06)


def test_wrapped_lines_hold_every_word() -> None:
    text = "the quick brown fox-jumps over LAZY_DOGS_IN_A_VERY_LONG_FILE_NAME_2024.c3d again"
    lines = wrapped(text, 25.0, 8.0)
    assert max(text_width(line, 8.0) for line in lines) <= 25.0
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert wrapped("", 25.0, 8.0) == [""]
    assert wrapped("WW", 0.1, 8.0) == ["W", "W"]


def test_two_short_tables_beside_each_other_stay_together() -> None:
    left = table("L", ("One", "Two"), [("a", "b"), ("c", "d")], (), WIDTH / 2)
    right = table("R", ("Three",), [("e",), ("f",), ("g",)], (), WIDTH / 2)
    both = side_by_side(left, right, WIDTH / 2)
    assert both.height == max(sum(block.height for block in part) for part in (left, right))
    filler = Block(250.0 - both.height / 2, ())
    pages = flow_pages([filler, both])
    within(pages)
    at = {mark.text: (mark.x, mark.y) for mark in words_on([pages[-1]])}
    assert set(at) >= {"a", "b", "c", "d", "e", "f", "g"}, "one block is on one page"
    assert at["R"] == (at["L"][0] + WIDTH / 2, at["L"][1])


def test_a_long_cell_does_not_take_the_room_of_many_sentences() -> None:
    many = ", ".join(f"a curve of number {i}" for i in range(20))
    rows = [(f"curve {i}", "a sentence of a length that takes some lines " * 4) for i in range(19)]
    pages = flow_pages(table("T", ("Curve", "In words"), [*rows, (many, "alone")], (), WIDTH))
    lefts = {word.text: word.x for word in words_on(pages)}
    assert lefts["In words"] - MARGIN_MM < WIDTH / 3


def test_a_gap_takes_no_page_and_a_note_stays_with_its_table() -> None:
    room = PORTRAIT[1] - 2 * MARGIN_MM - 6.0
    rows = table("T", ("One",), [(f"row {i}",) for i in range(4)], ("a note",), WIDTH)
    height = sum(block.height for block in rows)
    for short in (0.0, 0.1, 3.4, 3.6, 5.0, 8.0):
        filler = Block(room - height + short, (box("#D9EFE1", WIDTH, 5.0),))
        pages = flow_pages([filler, *rows])
        assert all(page.marks for page in pages)
        (on,) = [page for page in pages if any(w.text == "a note" for w in words_on([page]))]
        assert any(word.text == "row 3" for word in words_on([on]))
