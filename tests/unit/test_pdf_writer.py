"""The PDF that is written directly: what another reader finds in it."""

from __future__ import annotations

import re
import shutil
import subprocess
import zlib

import numpy as np
import pytest

from gaitdyn.plots.marks import Area, Line, Sheet, Stroke, TextLine
from gaitdyn.plots.pdf import has_letters, pdf_bytes
from gaitdyn.plots.typeface import typeface

BOX = np.array([[10.0, 10.0], [30.0, 10.0], [30.0, 20.0], [10.0, 20.0]])


def sheet(*marks):
    return Sheet(100.0, 50.0, tuple(marks))


def contents(pdf: bytes) -> list[str]:
    streams = re.findall(rb"/Filter/FlateDecode>>stream\n(.*?)\nendstream", pdf, re.DOTALL)
    return [zlib.decompress(one).decode("latin-1") for one in streams]


def test_the_table_of_objects_points_at_every_object() -> None:
    pdf = pdf_bytes([sheet(TextLine(1, 1, "a", 8, "#000000"))] * 2, "Title")
    start = int(pdf.rpartition(b"startxref\n")[2].split()[0])
    places = [int(row[:10]) for row in pdf[start:].splitlines()[3:] if row.endswith(b"00000 n ")]
    assert len(places) > 10
    for number, place in enumerate(places, 1):
        assert pdf[place:].startswith(b"%d 0 obj\n" % number)
    assert pdf.count(b"/Type/Page/") == 2
    assert b"/Creator (gaitdyn)" in pdf[:65536]


def test_lines_behind_come_first_then_areas_lines_by_level_and_words() -> None:
    marks = (
        TextLine(5, 5, "over", 8, "#000000"),
        Line(BOX, Stroke("#00ff00", 1.0, level=3)),
        Line(BOX, Stroke("#0000ff", 1.0, (2.0, 1.0), level=1, alpha=0.5)),
        Area(BOX, "#ff0000", alpha=0.25),
        Line(BOX, Stroke("#ffffff", 1.0, level=-1)),
    )
    (drawn,) = (text for text in contents(pdf_bytes([sheet(*marks)], "t")) if " rg" in text)
    order = [drawn.index(part) for part in (
        "1.000 1.000 1.000 RG", "1.000 0.000 0.000 rg", "0.000 0.000 1.000 RG",
        "0.000 1.000 0.000 RG", " Tj",
    )]  # fmt: skip
    assert order == sorted(order)
    assert "/A25 gs" in drawn
    assert "/A50 gs" in drawn
    assert "[0.706 0.353] 0 d" in drawn  # of a line of 1 pt, 0.353 mm


def test_an_area_lies_over_those_before_it_whatever_its_colour() -> None:
    """Grouped by colour, a band would be painted over by the paler one in front of which it is."""
    marks = [Area(BOX, colour) for colour in ("#ff0000", "#00ff00", "#ff0000")]
    (drawn,) = (text for text in contents(pdf_bytes([sheet(*marks)], "t")) if " rg" in text)
    fills = re.findall(r"(\S+ \S+ \S+) rg", drawn)
    assert fills == ["1.000 0.000 0.000", "0.000 1.000 0.000", "1.000 0.000 0.000"]


def test_words_end_and_have_their_middle_where_they_should() -> None:
    face = typeface(bold=False)
    wide = face.width("hip 12") * 10 * 25.4 / 72
    words = [
        TextLine(50, 5, "hip 12", 10, "#000000", align) for align in ("left", "center", "right")
    ]
    (drawn,) = (t for t in contents(pdf_bytes([sheet(*words)], "t")) if " Tj" in t)
    at = [float(x) for x in re.findall(r"1 0 0 1 ([\d.]+) ", drawn)]
    assert at == pytest.approx([50, 50 - wide / 2, 50 - wide], abs=2e-3)


def test_names_in_latin_letters_of_europe_are_in_our_type() -> None:
    letters = "".join(map(chr, (*range(0xC0, 0x149), *range(0x14A, 0x17F), *b"Az09")))
    assert has_letters([sheet(*(TextLine(5, 5, letters, bold=bold) for bold in (True, False)))])


def test_letters_that_our_type_lacks_are_told() -> None:
    assert has_letters([sheet(TextLine(1, 1, "m/s\u00b2 \u2022 \u0394 60 \u00b0", 8, "#000000"))])
    assert not has_letters([sheet(TextLine(1, 1, "Bj\u00f6rk \u4e2d", 8, "#000000"))])


def test_the_metrics_of_the_type_are_those_of_another_reader() -> None:
    ttf = pytest.importorskip("fontTools.ttLib", reason="needs fontTools")
    from importlib.resources import files

    for bold, weight in ((False, 400), (True, 600)):
        place = files("gaitdyn") / "resources" / "type" / f"inter-{weight}.ttf"
        font = ttf.TTFont(str(place))
        letters, unit = font.getBestCmap(), font["head"].unitsPerEm
        face = typeface(bold=bold)
        assert {ord(letter) for letter in face.glyphs} == set(letters)
        for code, name in letters.items():
            assert face.width(chr(code)) == font["hmtx"][name][0] / unit
            assert face.glyph(chr(code)) == font.getGlyphID(name)


def test_every_new_heading_has_a_bookmark_to_its_page() -> None:
    named = [("Loads", "title"), ("Quality", "heading"), ("Quality", "heading"), ("free", "")]
    pages = [sheet(TextLine(5, 5, words, name=name)) for words, name in named]
    pdf = pdf_bytes(pages, "Gait report")
    marks = re.findall(rb"<</Title <FEFF(\w+)>/Parent \d+ 0 R/Dest\[(\d+) 0 R/Fit\]", pdf)
    numbers = re.findall(rb"(\d+) 0 obj\n<</Type/Page/", pdf)
    words = [bytes.fromhex(title.decode()).decode("utf-16-be") for title, _ in marks]
    assert (words, [number for _, number in marks]) == (["Loads", "Quality"], numbers[:2])
    assert b"/Outlines" not in pdf_bytes(pages[:1], "Gait report")


def test_another_program_reads_text_type_and_size(tmp_path) -> None:
    if not (program := shutil.which("pdftotext")):
        pytest.skip("needs pdftotext")
    path = tmp_path / "a.pdf"
    marks = (
        TextLine(5, 30, "Left knee 12\u00b0 \u2212 3.4 m/s\u00b2", 9, "#000000", bold=True),
        TextLine(5, 5, "turned", 9, "#000000", turned=True),
    )
    path.write_bytes(pdf_bytes([sheet(*marks)], "Gait report: \u4e2d"))
    found = subprocess.run([program, path, "-"], capture_output=True, text=True, check=True)
    assert "Left knee 12\u00b0 \u2212 3.4 m/s" in found.stdout
    assert "turned" in found.stdout
    assert found.stderr == ""
