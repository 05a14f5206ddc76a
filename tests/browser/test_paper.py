"""The page on paper: every section, every panel in its place, no controls."""

from __future__ import annotations

import shutil
import subprocess

import pytest

pytestmark = pytest.mark.browser

_SIZES = """() => [...document.querySelectorAll(".panel")].map((panel) => {
  const svg = panel.querySelector(".main-svg").getBoundingClientRect();
  const plot = panel.querySelector(".plot").getBoundingClientRect();
  return [svg.width - plot.width, svg.height - plot.height, plot.width];
})"""


@pytest.fixture
def on_paper(driven):
    """The main page as it is laid out for a sheet of A4 across."""
    driven.page.set_viewport_size({"width": 1032, "height": 703})
    driven.page.emulate_media(media="print")
    driven.page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    yield driven
    driven.page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    driven.page.emulate_media(media="null")
    driven.page.set_viewport_size({"width": 1300, "height": 900})


def test_controls_are_not_printed_and_panels_are(on_paper):
    page = on_paper.page
    for hidden in ("#controls", "nav", "#play", ".panel details", ".cursor", ".skip"):
        assert page.locator(f"{hidden}:visible").count() == 0, hidden
    assert page.locator(".panel:visible").count() == page.locator(".panel").count()
    assert page.locator("h2:visible").count() == page.locator("h2").count() == 12


def test_a_printed_panel_fills_its_place_and_covers_no_other(on_paper):
    sizes = on_paper.page.evaluate(_SIZES)
    assert max(abs(wide) for wide, _, _ in sizes) < 12
    assert max(abs(high) for _, high, _ in sizes) < 1
    columns = on_paper.page.evaluate(
        "() => [...document.querySelectorAll('.grid')].map(g =>"
        " getComputedStyle(g).gridTemplateColumns.split(' ').length)"
    )
    assert columns == [3, 4, 3]


def test_printed_words_keep_their_size(on_paper):
    scales = on_paper.page.evaluate(
        """() => [...document.querySelectorAll(".panel .main-svg:first-of-type")].map((svg) =>
        svg.getScreenCTM().a)"""
    )
    assert min(scales) > 0.95
    assert max(scales) < 1.05


def test_the_pdf_of_the_page_has_every_section_a_grid_a_sheet(driven, tmp_path):
    heads = driven.texts("h2")
    file = tmp_path / "page.pdf"
    driven.page.pdf(path=file, prefer_css_page_size=True)
    assert file.read_bytes().startswith(b"%PDF")
    reader = shutil.which("pdftotext")
    if reader is None:
        pytest.skip("needs pdftotext to read the sheets")
    done = subprocess.run(
        [reader, "-layout", str(file), "-"], capture_output=True, check=True, text=True
    )
    sheets = done.stdout.split("\f")
    assert all(any(head in sheet for sheet in sheets) for head in heads)
    for head, first, last in (
        ("Kinematics", "Pelvic tilt", "Foot progression"),
        ("Kinetics", "Hip moment, sagittal", "Free moment on the foot"),
        ("Net joint forces", "Hip force along x", "Ankle force along z"),
    ):
        assert any(head in s and first in s and last in s for s in sheets), head
    assert "Axes of moments" not in done.stdout


def test_after_printing_the_panels_have_the_size_of_the_screen_again(driven):
    fitted = """() => [...document.querySelectorAll(".plot")].every((plot) =>
      Math.abs(plot.clientWidth - plot._fullLayout.width) < 2
      && Math.abs(plot.clientHeight - plot._fullLayout.height) < 2)"""
    driven.page.pdf()
    driven.page.wait_for_function(fitted)
