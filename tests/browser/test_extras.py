"""Bands, terms and peaks by cut-off: they stand in the engineer's part, as the tables have them."""

from __future__ import annotations

import pytest

from tests.read_back import rows_of

pytestmark = pytest.mark.browser

DRAWN = (
    "Uncertainty of moments and powers",
    "What the moments are made of",
    "What the moments are made of, frontal plane",
    "What the moments are made of, transverse plane",
    "Peaks by cut-off",
    "Peaks by cut-off, markers alone",
    "Peaks by cut-off, forces alone",
)


@pytest.fixture(scope="module")
def rich(open_page, rich_folder, norm_file):
    """The page with the engineer's part open."""
    page = open_page(rich_folder, norm=norm_file)
    page.engineer()
    return page


def test_all_that_was_asked_for_is_drawn(rich):
    for name in DRAWN:
        drawing = rich.page.locator(f'#trust .drawing[aria-label="{name}"] svg')
        assert drawing.count() == 1, name
        assert drawing.locator("path").count() > 5
    assert rich.at_opening == []
    assert rich.problems == []


def test_shares_and_cut_offs_stand_in_tables(rich, rich_folder):
    captions = rich.texts("#trust caption")
    assert any(caption.startswith("Share of the variance") for caption in captions)
    assert any("cut-off" in caption.lower() for caption in captions)
    settings = {row["setting"] for row in rows_of(rich_folder / "sweep.csv")}
    heads = rich.texts("#trust th")
    assert {f"cutoff={hz}" for hz in (6, 12)} <= set(heads)
    assert len(settings) >= 2


def test_a_plain_page_says_how_to_get_them(plain_page):
    plain_page.engineer()
    said = plain_page.page.inner_text("#not-there")
    for option in ("--uncertainty default", "--terms", "--sensitivity", "--sweep"):
        assert option in said
    assert plain_page.page.locator("#trust .drawing").count() == 0
    plain_page.page.click("#to-engineer")
