"""Slider, keys and figure: one moment of the stride, in the figure and in every panel."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.browser

_BONES = "() => document.querySelector('.figure g').innerHTML"


def go(driven, percent: int) -> str:
    """Move the slider as a hand does and return what is said."""
    driven.page.locator("[data-percent]").first.evaluate(
        "(s, v) => { s.value = v; s.dispatchEvent(new Event('input', {bubbles: true})); }", percent
    )
    return driven.page.inner_text("[data-told]")


def test_the_slider_moves_the_figure_the_words_and_the_line(driven):
    drawn = []
    for percent in (10, 55):
        assert go(driven, percent) == f"{percent} % of cycle"
        drawn.append(driven.page.evaluate(_BONES))
        moved = driven.page.locator(".cur").first.get_attribute("transform")
        assert moved == f"translate({21.2 * percent:.1f} 0)"
    assert drawn[0] != drawn[1]
    for text in drawn:
        assert text.count('class="bone') >= 6
        assert "NaN" not in text


def test_the_force_of_the_ground_is_drawn_while_the_foot_stands_on_a_plate(driven):
    go(driven, 20)
    assert 'class="ink"' in driven.page.evaluate(_BONES)


def test_each_stride_has_its_own_figure(driven):
    go(driven, 30)
    options = driven.texts("[data-stride] option")
    assert options == ["left 1", "left 2", "right 1", "right 2"]
    first = driven.page.evaluate(_BONES)
    driven.page.select_option("[data-stride]", "0-3")
    assert driven.page.evaluate(_BONES) != first
    driven.page.select_option("[data-stride]", "0-0")


def test_play_moves_the_slider_at_true_speed_and_stops(driven):
    go(driven, 20)
    page = driven.page
    page.click("[data-play]")
    page.wait_for_function("() => Number(document.querySelector('[data-percent]').value) > 25")
    assert page.get_attribute("[data-play]", "aria-pressed") == "true"
    assert page.inner_text("[data-play]") == "Pause"
    page.click("[data-play]")
    assert page.get_attribute("[data-play]", "aria-pressed") == "false"
    before = page.input_value("[data-percent]")
    page.wait_for_timeout(120)
    assert page.input_value("[data-percent]") == before


def test_arrow_keys_move_the_line_wherever_the_focus_is_not_in_a_field(driven):
    page = driven.page
    go(driven, 60)
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.input_value("[data-percent]") == "61"
    page.keyboard.press("Shift+ArrowLeft")
    assert page.input_value("[data-percent]") == "51"
    page.focus("#comments")
    page.keyboard.press("ArrowRight")
    assert page.input_value("[data-percent]") == "51"


def test_the_first_tab_offers_the_way_to_the_summary(plain_page):
    page = plain_page.page
    page.reload()  # another test may have left the focus elsewhere
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to summary"
    box = page.locator(".skip").bounding_box()
    assert box is not None
    assert box["x"] >= 0


def test_tab_reaches_the_places_the_engineer_and_print_in_their_order(driven):
    page = driven.page
    page.focus('.bar nav a[href="#summary"]')
    order = []
    for _ in range(5):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.textContent"))
    assert order == ["Kinematics", "Kinetics", "Patient", "For the engineer", "Print"]


def test_keys_press_the_buttons(driven):
    driven.page.focus("#to-engineer")
    driven.page.keyboard.press("Space")
    assert driven.page.is_visible("#engineer")
    driven.page.keyboard.press("Enter")
    assert not driven.page.is_visible("#engineer")


def test_every_control_has_a_name(driven):
    session = driven.page.context.new_cdp_session(driven.page)
    names: dict[str, list[str]] = {}
    for engineer in (False, True):
        if engineer:
            driven.engineer()
        for node in session.send("Accessibility.getFullAXTree")["nodes"]:
            if not node["ignored"] and any(
                p["name"] == "focusable" and p["value"]["value"] for p in node.get("properties", [])
            ):
                names.setdefault(node["role"]["value"], []).append(node["name"]["value"].strip())
    session.detach()
    assert {"combobox", "slider", "button", "link", "textbox", "region"} <= set(names)
    assert [role for role, found in names.items() if not all(found)] == []
    assert names["slider"] == ["Per cent of the gait cycle"]
    assert names["textbox"] == ["Comments"]
