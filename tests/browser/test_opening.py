"""The page opens from disk, asks no host for anything, and its structure is sound."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.browser.driven_page import PANELS

pytestmark = pytest.mark.browser


def test_it_opens_without_errors_and_asks_for_nothing_but_itself(driven):
    assert driven.requests == [driven.path.as_uri()]
    assert driven.page.evaluate("document.body.dataset.ready") == "yes"
    assert driven.at_opening == []


def test_its_policy_forbids_every_host_and_would_be_heard(driven):
    policy = driven.page.get_attribute("meta[http-equiv=Content-Security-Policy]", "content")
    assert "default-src 'none'" in policy
    assert "connect-src 'none'" in policy
    assert "http" not in policy
    tried = "fetch('https://example.org/').then(() => 'reached', () => 'refused')"
    assert driven.page.evaluate(tried) == "refused"
    assert len(driven.page.evaluate("window.violations")) == 1
    assert driven.requests == [driven.path.as_uri()]
    driven.reset()


def test_the_figure_is_drawn_in_three_dimensions(driven):
    drawn = """() => {
      const canvas = document.querySelector("#stick canvas");
      const context = canvas.getContext("webgl") || canvas.getContext("webgl2");
      return [Boolean(document.getElementById("stick")._fullLayout.scene._scene),
              Boolean(context) && !context.isContextLost(), canvas.width > 300];
    }"""
    assert driven.page.evaluate(drawn) == [True, True, True]


def test_every_panel_of_every_grid_is_there_and_drawn(driven):
    for grid, panels in PANELS.items():
        assert driven.page.locator(f"#grid-{grid} .panel").count() == len(panels)
    sizes = driven.page.evaluate(
        "[...document.querySelectorAll('.plot .main-svg:first-of-type')].map(s => s.clientWidth)"
    )
    assert min(sizes) > 150
    assert all(shown.traces for shown in driven.panels().values())


def test_the_profile_has_a_bar_for_each_variable_and_side(driven):
    bars = driven.page.evaluate(
        "document.getElementById('map-chart').data.map(t => [t.name, t.x.length])"
    )
    assert bars == [["left", 10], ["right", 10]]


def test_headings_step_down_by_one_and_the_language_is_told(driven):
    levels = driven.page.evaluate(
        "[...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].map(h => Number(h.tagName[1]))"
    )
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(b - a <= 1 for a, b in pairwise(levels))
    assert driven.page.get_attribute("html", "lang") == "en"
    assert driven.page.title() == "Gait report: walk01"


def test_no_id_stands_twice_and_every_link_leads_somewhere(driven):
    ids = driven.page.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))
    links = driven.page.evaluate(
        "[...document.querySelectorAll('a[href]')].map(a => a.getAttribute('href'))"
    )
    assert links
    assert all(link.startswith("#") and link[1:] in ids for link in links)
    labelled = driven.page.evaluate(
        "[...document.querySelectorAll('[aria-labelledby]')].map(e =>"
        " e.getAttribute('aria-labelledby'))"
    )
    assert set(labelled) <= set(ids)


def test_who_wants_less_motion_gets_no_smooth_scrolling(driven):
    style = "getComputedStyle(document.documentElement).scrollBehavior"
    assert driven.page.evaluate(style) == "auto"
    driven.page.emulate_media(reduced_motion="no-preference")
    assert driven.page.evaluate(style) == "smooth"
    driven.page.emulate_media(reduced_motion="reduce")
    assert driven.page.inner_text("#play") == "Play"


_OUTSIDE = """() => [...document.querySelectorAll("main *, header *, nav *")].filter((e) => {
  const { left, right, width } = e.getBoundingClientRect();
  const own = e.closest(".quiet, .main-svg, .table") !== null && !e.matches(".table");
  return width && !own && (left < -1 || right > window.innerWidth + 1);
}).map((e) => `${e.tagName}#${e.id}.${e.className}`)"""
_FITTED = """() => [...document.querySelectorAll(".js-plotly-plot")].every((plot) =>
  Math.abs(plot.clientWidth - plot._fullLayout.width) < 2)"""


def test_on_a_narrow_screen_nothing_but_tables_is_wider_than_the_screen(driven):
    page = driven.page
    page.set_viewport_size({"width": 400, "height": 800})
    page.wait_for_function(_FITTED)
    page.click("#cycle-list summary")
    assert page.evaluate(_OUTSIDE) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    columns = "getComputedStyle(document.querySelector('.grid')).gridTemplateColumns"
    assert len(page.evaluate(columns).split()) == 1
    page.set_viewport_size({"width": 1300, "height": 900})
    page.wait_for_function(_FITTED)
    assert len(page.evaluate(columns).split()) == 3
    assert page.evaluate(_OUTSIDE) == []
