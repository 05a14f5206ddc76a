"""Slider, curves and keyboard: one moment of the trial, in the figure and in every panel."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.driven_page import PANELS

if TYPE_CHECKING:
    from tests.browser.driven_page import DrivenPage

pytestmark = pytest.mark.browser

_MARKERS = "() => document.getElementById('stick').data[0].x.map((v) => (v === null ? null : v))"
_AT = "(side) => Number(document.body.style.getPropertyValue(`--${side}-at`))"
_PIXEL = """([panel, line, i]) => {
  const plot = document.querySelectorAll(".panel .plot")[panel];
  plot.scrollIntoView({ block: "center" });
  const box = plot.getBoundingClientRect(), { xaxis, yaxis } = plot._fullLayout;
  const trace = plot.data.filter((t) => t.hovertemplate)[line];
  return [box.x + xaxis._offset + xaxis.l2p(trace.x[i]),
          box.y + yaxis._offset + yaxis.l2p(trace.y[i])];
}"""


@pytest.fixture
def cycles(make_results):
    """Side and number of a cycle -> its start and stop, s."""
    told = json.loads((make_results() / "view.json").read_text(encoding="utf-8"))["cycles"]
    return {(c["side"], c["cycle"]): (c["start_s"], c["stop_s"]) for c in told}


def go(driven: DrivenPage, frame: int) -> str:
    """Move the slider as a hand does and return what is said."""
    driven.page.evaluate(
        """(frame) => { const slider = document.getElementById("frame"); slider.value = frame;
        slider.dispatchEvent(new Event("input", { bubbles: true })); }""",
        frame,
    )
    return driven.page.inner_text("#frame-told")


def test_the_slider_moves_the_figure_the_words_and_the_upright_lines(driven, cycles):
    places, words, ats = [], [], []
    for frame in (60, 75):
        words.append(go(driven, frame))
        places.append(driven.page.evaluate(_MARKERS))
        ats.append(driven.page.evaluate(_AT, "left"))
    assert len(places[0]) > 15
    known = [(a, b) for a, b in zip(*places, strict=True) if None not in (a, b)]
    assert all(a != b for a, b in known)
    for said, at in zip(words, ats, strict=True):
        found = re.search(r"frame \d+, ([\d.]+) s; left cycle (\d+): (\d+) %", said)
        assert found, said
        start, stop = cycles["left", int(found[2])]
        part = (float(found[1]) - start) / (stop - start)
        assert at == pytest.approx(part, abs=1e-9)
        assert int(found[3]) == pytest.approx(100 * part, abs=0.51)
    assert ats[0] != ats[1]


def test_an_upright_line_stands_where_the_axis_says(driven):
    go(driven, 75)
    at = driven.page.evaluate(_AT, "left")
    gaps = driven.page.evaluate(
        """(at) => [...document.querySelectorAll(".panel .plot")].map((plot) => {
          const line = plot.querySelector(".cursor.left").getBoundingClientRect();
          const { xaxis } = plot._fullLayout;
          const wanted = plot.getBoundingClientRect().x + xaxis._offset + xaxis.l2p(100 * at);
          return line.x + line.width / 2 - wanted;
        })""",
        at,
    )
    assert max(map(abs, gaps)) < 1.0


def test_outside_every_cycle_there_is_no_upright_line(driven):
    assert "cycle" not in go(driven, 0)
    assert driven.page.locator(".cursor:visible").count() == 0


def test_a_click_on_a_curve_goes_to_that_moment(driven, cycles):
    go(driven, 0)
    index = [p.name for panels in PANELS.values() for p in panels].index("knee_angle_flexion")
    shown = driven.panels()["knee_angle_flexion"]
    line, cycle = len(shown.cycles) - 1, list(shown.cycles)[-1]
    x, y = driven.page.evaluate(_PIXEL, [index, line, 72])
    driven.page.mouse.move(x - 3, y)
    driven.page.mouse.move(x, y)
    driven.page.mouse.click(x, y)
    said = driven.page.inner_text("#frame-told")
    time = float(re.findall(r"([\d.]+) s", said)[0])
    start, stop = cycles[cycle]
    others = [c for c in cycles if c[0] == cycle[0] and c != cycle]
    moments = [(s + 0.72 * (e - s)) for s, e in [(start, stop), *(cycles[c] for c in others)]]
    assert min(abs(time - moment) for moment in moments) < 0.015, said


def test_play_moves_the_slider_and_stops(driven):
    go(driven, 50)
    driven.page.click("#play")
    driven.page.wait_for_function("() => Number(document.getElementById('frame').value) > 52")
    assert driven.page.get_attribute("#play", "aria-pressed") == "true"
    driven.page.click("#play")
    assert driven.page.get_attribute("#play", "aria-pressed") == "false"
    before = driven.page.input_value("#frame")
    driven.page.wait_for_timeout(120)
    assert driven.page.input_value("#frame") == before


def test_tab_reaches_the_controls_in_their_order(driven):
    driven.page.focus("#view")
    order = ["view"]
    for _ in range(5):
        driven.page.keyboard.press("Tab")
        order.append(
            driven.page.evaluate(
                "document.activeElement.id || document.activeElement.closest('[id]').id"
            )
        )
    assert order == ["view", "convention", "axes", "units", "norm", "cycle-list"]
    driven.page.focus("#trial")
    player = []
    for _ in range(2):
        driven.page.keyboard.press("Tab")
        player.append(driven.page.evaluate("document.activeElement.id"))
    assert player == ["play", "frame"]


def test_the_first_tab_offers_the_way_to_the_verdict(plain_page):
    plain_page.page.keyboard.press("Tab")
    assert plain_page.page.evaluate("document.activeElement.textContent") == "To the verdict"
    box = plain_page.page.locator(".skip").bounding_box()
    assert box is not None
    assert box["x"] >= 0


def test_keys_move_the_slider_and_toggle_boxes(driven):
    go(driven, 60)
    driven.page.focus("#frame")
    driven.page.keyboard.press("ArrowRight")
    driven.page.keyboard.press("ArrowRight")
    driven.page.keyboard.press("ArrowLeft")
    assert driven.page.input_value("#frame") == "61"
    driven.page.focus("#norm")
    driven.page.keyboard.press("Space")
    assert not driven.page.is_checked("#norm")
    assert driven.page.inner_text("#told") == "reference hidden"
    driven.page.focus("#cycle-list summary")
    driven.page.keyboard.press("Enter")
    driven.page.keyboard.press("Tab")
    driven.page.keyboard.press("Space")
    assert not driven.page.is_checked("#cycles input >> nth=0")


def test_every_control_has_a_name(driven):
    opened = "details:not(.panel details), .panel:nth-of-type(-n+7) details"
    driven.page.evaluate(
        "(these) => document.querySelectorAll(these).forEach(d => (d.open = true))", opened
    )
    driven.page.locator(".panel .table tr").first.wait_for()
    session = driven.page.context.new_cdp_session(driven.page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    names: dict[str, list[str]] = {}
    for node in nodes:
        if not node["ignored"] and any(
            p["name"] == "focusable" and p["value"]["value"] for p in node.get("properties", [])
        ):
            names.setdefault(node["role"]["value"], []).append(node["name"]["value"].strip())
    session.detach()
    assert {"combobox", "checkbox", "slider", "button", "DisclosureTriangle", "region"} <= set(
        names
    )
    assert [role for role, found in names.items() if not all(found)] == []
    assert names["combobox"][:4] == ["Curves", "Moments", "Axes of moments", "Units"]
    assert names["slider"] == ["Frame of the trial"]
    assert "Numbers of Knee flexion" in names["region"]
