"""The page opens from disk, asks no host for anything, and its structure is sound."""

from __future__ import annotations

from itertools import pairwise

import pytest

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


def test_the_figure_is_drawn_at_once_from_the_side_and_the_front(driven):
    drawn = driven.page.evaluate("document.querySelector('.figure g').innerHTML")
    assert drawn.count('class="bone L"') == drawn.count('class="bone R"') == 2


def test_every_panel_is_there_and_drawn(driven):
    shown = driven.panels()
    assert len(shown) == 11 + 10 + 4
    sizes = driven.page.evaluate(
        "[...document.querySelectorAll('#kinematics .panel svg')].map(s => s.clientWidth)"
    )
    assert min(sizes) > 150
    assert all(one.lines("L", "mean") and one.lines("R", "mean") for one in shown.values())


def test_without_its_script_the_page_shows_everything(driven, chromium):
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(driven.path.as_uri())
    assert page.is_visible("#summary .say")
    assert page.is_visible("#kinematics .panel svg")
    assert page.is_visible("#engineer")
    context.close()


def test_the_profile_has_a_bar_for_each_variable_and_side(driven):
    rows = driven.texts("#summary .tb tbody tr th")
    assert len(rows) == 10
    assert rows[-1] == "GPS"
    bars = driven.page.locator("#summary .s1 > .card > svg path").evaluate_all(
        "found => found.filter(p => /^[LR]f$/.test(p.getAttribute('class'))).map(p =>"
        " (p.getAttribute('d').match(/M/g) || []).length)"
    )
    assert sum(bars) == 20


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
    assert driven.page.inner_text("[data-play]") == "Play"


_OUTSIDE = """() => [...document.querySelectorAll("main *, header *")].filter((e) => {
  const { left, right, width } = e.getBoundingClientRect();
  const own = e.closest("svg, .vh, .bar nav, .table, .drawing") !== null;
  return width && !own && (left < -1 || right > window.innerWidth + 1);
}).map((e) => `${e.tagName}#${e.id}.${e.className}`)"""


_SMALL = """() => {
  const told = [];
  for (const text of document.querySelectorAll("#clinic svg text")) {
    const scale = text.getScreenCTM();
    if (!scale || !text.getClientRects().length) continue;
    const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(scale.a, scale.b);
    if (size < 10.5) told.push([text.textContent, size]);
  }
  return told;
}"""


@pytest.mark.parametrize("width", [400, 800])
def test_the_words_of_drawings_are_large_enough_to_read(driven, width):
    """At 800 px the axes of the panels had numbers of 6 px and the plates names of 9."""
    page = driven.page
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate(_SMALL) == []
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize(("width", "columns"), [(400, 1), (768, 2), (1024, 4), (1440, 4)])
def test_nothing_but_tables_is_wider_than_the_screen(driven, width, columns):
    page = driven.page
    page.set_viewport_size({"width": width, "height": 800})
    for engineer in (False, True):
        if engineer:
            driven.engineer()
        assert page.evaluate(_OUTSIDE) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.click("#to-engineer")
    found = "getComputedStyle(document.querySelector('#kinematics .grid')).gridTemplateColumns"
    assert len(page.evaluate(found).split()) == columns
    hidden = "getComputedStyle(document.querySelector('#kinematics .xo')).display === 'none'"
    assert page.evaluate(hidden) == (width > 1000)
    page.set_viewport_size({"width": 1440, "height": 900})


_CROWDED = """() => [...document.querySelectorAll(".panel figcaption")].filter((caption) =>
  [...caption.children].some((e) => e.getBoundingClientRect().width
    && e.getBoundingClientRect().right > caption.getBoundingClientRect().right + 1)
).map((e) => e.textContent)"""


@pytest.mark.parametrize("width", [400, 768, 1024, 1280, 1440])
def test_a_title_and_the_readout_beside_it_stay_in_their_panel(driven, width):
    page = driven.page
    page.set_viewport_size({"width": width, "height": 800})
    page.locator("#kinetics [data-grid] svg").first.hover()
    assert page.is_visible("#kinetics .rd >> nth=0")
    assert page.evaluate(_CROWDED) == []
    page.mouse.move(0, 0)
    page.set_viewport_size({"width": 1440, "height": 900})


def test_a_long_name_of_a_trial_is_wrapped_on_a_narrow_screen(open_page, make_results):
    page = open_page(make_results(), make_results(moments_in="jcs"), compare=True).page
    page.set_viewport_size({"width": 400, "height": 800})
    long = "with ankle-foot orthoses on both sides, posterior walker and shoes of the hospital"
    fill = (
        "for (const e of document.querySelectorAll('[data-view], .since b')) e.textContent = long"
    )
    page.evaluate(f"long => {{ {fill} }}", long)
    assert page.evaluate("document.documentElement.scrollWidth") == 400


_LOWEST = """() => Object.fromEntries([".say", ".four", ".trust", ".dev li:last-child"].map((s) =>
  [s, Math.round(document.querySelector(`#summary ${s}`).getBoundingClientRect().bottom)]))"""


@pytest.mark.parametrize(
    ("width", "height", "beside"), [(1440, 900, 3), (1280, 720, 3), (1100, 720, 2), (1024, 768, 2)]
)
def test_the_first_screen_answers_without_scrolling(driven, width, height, beside):
    page = driven.page
    page.set_viewport_size({"width": width, "height": height})
    lowest = page.evaluate(_LOWEST)
    assert max(lowest.values()) <= height, lowest
    columns = "getComputedStyle(document.querySelector('#summary .s1')).gridTemplateColumns"
    assert len(page.evaluate(columns).split()) == beside
    assert page.is_visible("#print") == (beside > 2)
    page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize("width", [770, 800, 900, 1000, 1281, 1366, 1400])
def test_the_names_of_the_four_numbers_keep_their_line(driven, width):
    """On a tablet they stood one word below the other; on a screen what they are took two lines."""
    page = driven.page
    page.set_viewport_size({"width": width, "height": 1100})
    lines = "e => [...e].map(x => Math.round(x.getBoundingClientRect().height / 14))"
    found = page.eval_on_selector_all("#summary .four tbody th span", lines)
    assert found
    assert set(found) == {1}
    page.set_viewport_size({"width": 1440, "height": 900})


def test_the_facts_of_two_visits_are_whole_beside_the_title(driven, chromium):
    page = chromium.new_page()
    page.goto(driven.path.as_uri())
    page.evaluate(
        "document.querySelector('.id h1').textContent = '3 compared: 2023, 2024, 2025';"
        "document.querySelector('.id .what').textContent = 'S01 \\u00b7 female \\u00b7 2023: 8"
        " years, 25.4 kg, 1.252 m \\u00b7 2025: 10 years, 32.1 kg, 1.365 m \\u00b7 not given: date,"
        " condition'"
    )
    cut = "(e => [e.scrollHeight > e.clientHeight, e.scrollWidth > e.clientWidth])"
    for width in (1180, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.is_visible(".id .what")
        found = page.evaluate(f"{cut}(document.querySelector('.id .what'))")
        assert found == [False, False], width
    page.close()
