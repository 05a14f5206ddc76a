"""Every control changes what it should and nothing else."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

_OPACITY = """(side) => [...document.querySelectorAll(`.panel svg .${side}`)].map((e) =>
  Number(getComputedStyle(e).opacity))"""


def test_sides_come_and_go_in_every_panel(driven):
    page = driven.page
    for chosen, hidden in (("L", "R"), ("R", "L")):
        page.locator(f'[data-show="{chosen}"]').first.click()
        assert max(page.evaluate(_OPACITY, hidden)) < 0.1
        assert min(page.evaluate(_OPACITY, chosen)) == 1.0
        pressed = page.locator(f'[data-show="{chosen}"]').evaluate_all(
            "found => found.map(b => b.getAttribute('aria-pressed'))"
        )
        assert set(pressed) == {"true"}
    page.locator('[data-show="B"]').first.click()
    assert min(page.evaluate(_OPACITY, "L") + page.evaluate(_OPACITY, "R")) == 1.0


def test_numbers_stand_behind_every_panel(driven):
    page = driven.page
    assert page.locator(".panel table:visible").count() == 0
    page.locator("[data-numbers]").first.click()
    closed = ".more:not([open]) .panel table"
    shown = page.locator(".panel table").count() - page.locator(closed).count()
    assert page.locator(".panel table:visible").count() == shown > 15
    page.locator("[data-numbers]").first.click()
    assert page.locator(".panel table:visible").count() == 0


def test_the_engineers_part_opens_and_closes(driven):
    page = driven.page
    assert not page.is_visible("#engineer")
    page.click("#to-engineer")
    assert page.is_visible("#engineer")
    assert not page.is_visible("#clinic")
    assert page.get_attribute("#to-engineer", "aria-pressed") == "true"
    page.click('.bar nav a[href="#kinetics"]')
    assert page.is_visible("#kinetics")
    assert not page.is_visible("#engineer")


def test_a_link_to_the_engineers_part_opens_it(driven):
    driven.page.evaluate("location.hash = '#methods'")
    driven.page.wait_for_selector("#methods", state="visible")
    driven.page.evaluate("location.hash = '#summary'")
    driven.page.wait_for_selector("#summary .s1", state="visible")


def test_a_deviation_leads_to_its_panel_and_moment(driven):
    page = driven.page
    links = page.locator(".dev a")
    if not links.count():
        pytest.skip("the walker lies within the reference")
    first = links.first
    percent, target = first.get_attribute("data-go"), first.get_attribute("href")
    first.click()
    assert page.input_value("[data-percent]") == percent
    assert page.url.endswith(target)


def test_the_mouse_moves_one_line_through_all_panels(driven):
    page = driven.page
    panel = page.locator('[data-n="knee_angle_flexion"] svg')
    panel.scroll_into_view_if_needed()
    box = panel.bounding_box()
    page.mouse.move(box["x"] + box["width"] * (24 + 2.12 * 60) / 240, box["y"] + 40)
    all_lines = "[...document.querySelectorAll('.view:not([hidden]) .cur')]"
    places = page.evaluate(f"{all_lines}.map(c => c.getAttribute('transform'))")
    assert set(places) == {f"translate({21.2 * 60:.1f} 0)"}
    assert page.inner_text("[data-told]") == "60 % of cycle"
    assert page.evaluate("getComputedStyle(document.querySelector('.cur')).opacity") != "0"


def test_comments_are_saved_as_a_file(driven):
    page = driven.page
    page.fill("#comments", "walks with a stick\nsecond line")
    with page.expect_download() as told:
        page.click("#save-comments")
    assert told.value.suggested_filename == "comments.txt"
    assert told.value.path().read_text("utf-8") == "walks with a stick\nsecond line"
    assert page.locator(".kept").first.text_content() == "walks with a stick\nsecond line"
    page.fill("#comments", "")


def test_without_a_reference_set_nothing_of_it_is_shown(plain_page):
    assert all(shown.bands == 0 for shown in plain_page.panels().values())
    assert plain_page.page.locator(".dev").count() == 0
    assert "without a norm nothing is called abnormal" in plain_page.page.inner_text("#summary")
    assert plain_page.problems == []
