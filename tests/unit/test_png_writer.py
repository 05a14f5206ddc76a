"""PNG drawn by Agg directly: what stands where, and beside a figure with an artist a mark."""

from __future__ import annotations

import io

import numpy as np
import pytest
from matplotlib.image import imread

from gaitdyn.plots import png, render
from gaitdyn.plots.marks import MM_PER_PT, Align, Area, Line, Sheet, Stroke, TextLine, rectangle
from gaitdyn.plots.typeface import typeface

_DPI = 254.0
"""Ten pixels a mm."""


def _read(content: bytes) -> np.ndarray:
    """Return red, green and blue, the lowest row first."""
    return imread(io.BytesIO(content))[::-1, :, :3]


def _drawn(*marks: Area | Line | TextLine) -> np.ndarray:
    return _read(png.png_bytes(Sheet(30.0, 20.0, marks), _DPI))


def _box(dark: np.ndarray) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of what is true, mm."""
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return columns[0] / 10, rows[0] / 10, (columns[-1] + 1) / 10, (rows[-1] + 1) / 10


def _ink(pixels: np.ndarray) -> np.ndarray:
    return pixels.min(axis=-1) < 0.5


def test_a_sheet_is_white_and_as_large_as_its_resolution_makes_it() -> None:
    pixels = _drawn()
    assert pixels.shape == (200, 300, 3)
    assert (pixels == 1.0).all()


def test_an_area_has_its_colour_and_lies_below_lines_and_above_those_behind() -> None:
    area = Area(rectangle(5.0, 5.0, 15.0, 10.0), "#C1272D")
    behind = Line(np.array([[0.0, 7.0], [30.0, 7.0]]), Stroke("#0057B8", 2.0, level=-1))
    before = Line(np.array([[8.0, 0.0], [8.0, 20.0]]), Stroke("#1A1A1A", 2.0))
    pixels = (255 * _drawn(before, area, behind)).round().astype(int)
    assert pixels[90, 120].tolist() == [0xC1, 0x27, 0x2D]
    assert pixels[70, 120].tolist() == [0xC1, 0x27, 0x2D]
    assert pixels[70, 200].tolist() == [0x00, 0x57, 0xB8]
    assert pixels[70, 80].tolist() == [0x1A, 0x1A, 0x1A]


def test_a_pale_area_shows_what_lies_behind() -> None:
    pixels = _drawn(Area(rectangle(5.0, 5.0, 15.0, 10.0), "#000000", alpha=0.25))
    assert pixels[70, 100] == pytest.approx([0.75] * 3, abs=0.01)


def test_a_line_is_as_wide_as_told_and_its_dashes_as_long() -> None:
    stroke = Stroke("#000000", 72.0 / 25.4, dash=(3.0, 2.0))
    dark = _ink(_drawn(Line(np.array([[5.0, 10.0], [25.0, 10.0]]), stroke)))
    assert _box(dark) == pytest.approx((5.0, 9.5, 23.0, 10.5), abs=0.11)
    assert dark[100, 50:250].sum() == pytest.approx(120, abs=4)
    edges = np.flatnonzero(np.diff(dark[100].astype(int))) / 10
    assert edges == pytest.approx([5, 8, 10, 13, 15, 18, 20, 23], abs=0.11)


@pytest.mark.parametrize(("align", "back"), [("left", 0.0), ("center", 0.5), ("right", 1.0)])
def test_words_begin_end_or_have_their_middle_where_they_are_put(align: Align, back: float) -> None:
    found = _box(_ink(_drawn(TextLine(15.0, 5.0, "HHHH", 12.0, align=align))))
    wide = typeface(bold=False).width("HHHH") * 12.0 * MM_PER_PT
    assert 0.5 * (found[0] + found[2]) == pytest.approx(15.0 + (0.5 - back) * wide, abs=0.1)
    assert found[2] - found[0] == pytest.approx(wide, rel=0.1)
    assert found[1] == pytest.approx(5.0, abs=0.11)


def test_turned_words_read_upwards() -> None:
    flat = _ink(_drawn(TextLine(5.0, 5.0, "L", 20.0)))
    turned = _ink(_drawn(TextLine(15.0, 5.0, "L", 20.0, turned=True)))
    left, bottom, right, top = _box(turned)
    assert right == pytest.approx(15.0, abs=0.11)  # the base line stands upright, to the right
    assert (right - left, top - bottom) == pytest.approx(
        (_box(flat)[3] - _box(flat)[1], _box(flat)[2] - _box(flat)[0]), abs=0.15
    )
    columns = turned.sum(axis=0)
    assert columns.argmax() > np.flatnonzero(columns).mean()  # the stem lies below


def test_a_raised_figure_and_a_blank_take_their_place() -> None:
    low, high = _drawn(TextLine(5.0, 5.0, "m2", 12.0)), _drawn(TextLine(5.0, 5.0, "m\u00b2", 12.0))
    assert _box(_ink(high))[2] < _box(_ink(low))[2]
    assert (_drawn(TextLine(5.0, 5.0, " ", 12.0)) == 1.0).all()


def test_the_picture_is_that_of_a_figure_with_an_artist_for_each_mark() -> None:
    places = np.linspace(2.0, 28.0, 50)
    sheet = Sheet(
        30.0,
        20.0,
        (
            Area(rectangle(3.0, 3.0, 27.0, 12.0), "#DCE8F6"),
            Line(np.stack((places, 8 + 4 * np.sin(places)), axis=1), Stroke("#C1272D", 1.2)),
            Line(np.array([[2.0, 2.0], [28.0, 2.0]]), Stroke("#666666", 0.6, (5.0, 2.6))),
            TextLine(15.0, 15.0, "Knee flexion", 9.0, align="center", bold=True),
        ),
    )
    own, other = (_read(draw(sheet, _DPI)) for draw in (png.png_bytes, render.png_bytes))
    assert own.shape == other.shape
    blurred = [x[:200, :300].reshape(20, 10, 30, 10, 3).mean(axis=(1, 3)) for x in (own, other)]
    assert np.abs(blurred[0] - blurred[1]).max() < 0.2  # words are set without kerning
    assert np.abs(blurred[0] - blurred[1])[:13].max() < 0.02


def test_letters_that_our_type_lacks_are_drawn_by_the_slower_way() -> None:
    words = TextLine(5.0, 5.0, "\u4e2d\u0416 name", 12.0)
    sheet = Sheet(30.0, 20.0, (words,))
    assert png.png_bytes(sheet, _DPI) == render.png_bytes(sheet, _DPI)
    assert _ink(_read(png.png_bytes(sheet, _DPI))).any()
