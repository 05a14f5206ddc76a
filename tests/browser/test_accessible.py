"""Who reads with a keyboard, a screen reader or little contrast: the rules that matter, and axe.

``accessible.js`` holds names, headings, landmarks, tables, ids and contrast. With axe-core itself
(``npm pack axe-core``; AXE_CORE names its axe.min.js) its own rules are tried, too.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytestmark = pytest.mark.browser

_RULES = Path(__file__).with_name("accessible.js").read_text("utf-8")
_AXE = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((one) => ["serious", "critical"].includes(one.impact))
  .map((one) => `${one.id}: ${one.nodes[0].html.slice(0, 120)}`)"""
_UNFOLD = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"


@pytest.fixture(scope="module")
def pages(open_page, make_results, norm_file):
    """Pages of a trial, with and without a reference, and of two and three groups."""
    trial, other = make_results(), make_results(moments_in="jcs")
    third = make_results(convention="external")
    return {
        "a trial": open_page(trial, norm=norm_file),
        "no norm": open_page(trial),
        "two groups": open_page(trial, other, norm=norm_file, compare=True),
        "a series": open_page(trial, other, third, norm=norm_file, compare=True),
    }


@pytest.fixture(params=["a trial", "no norm", "two groups", "a series"])
def opened(request, pages):
    """One of the pages as it opens."""
    driven = pages[request.param]
    driven.reset()
    yield driven
    driven.page.emulate_media(color_scheme="light")
    driven.page.set_viewport_size({"width": 1440, "height": 900})


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 400])
def test_names_headings_tables_and_contrast_are_sound(opened, width, theme):
    page = opened.page
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=theme)
    page.evaluate(_UNFOLD)
    assert page.evaluate(_RULES) == []
    opened.engineer()
    assert page.evaluate(_RULES) == []


_FAULTS = """<div id="faulty"><button></button><input><svg role="img"></svg><svg></svg>
<table><tr><th>a</th></tr></table><h5>deep</h5><p id="patient" style="color:#999">pale</p>
<div role="region" aria-label="x"></div><div role="region" aria-label="x"></div>
<div style="width:50px;overflow-x:auto"><div style="width:90px;height:9px"></div></div></div>"""


def test_the_rules_notice_what_breaks_them(opened):
    page = opened.page
    summary = "document.querySelector('#summary')"
    page.evaluate(f"html => {summary}.insertAdjacentHTML('beforeend', html)", _FAULTS)
    found = page.evaluate(_RULES)
    page.evaluate("document.getElementById('faulty').remove()")
    for rule in ("no name: BUTTON", "no name: INPUT", "picture without a name",
                 "picture seen by nobody", "table without a head", "head without a scope",
                 "heading too deep", "id twice: patient", "landmark twice: x", "contrast 2.",
                 "scrolls, but not by the keyboard"):  # fmt: skip
        assert any(one.startswith(rule) for one in found), rule


@pytest.fixture(scope="module")
def axe() -> str:
    """The script of axe-core, where there is one."""
    named = os.environ.get("AXE_CORE")
    beside = Path(__file__).parents[2] / "node_modules" / "axe-core" / "axe.min.js"
    path = Path(named) if named else beside
    if not path.is_file():
        pytest.skip("needs axe-core: set AXE_CORE to its axe.min.js")
    return path.read_text("utf-8")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 400])
def test_axe_finds_nothing_serious(opened, axe, chromium, width, theme):
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, offline=True,
        bypass_csp=True, reduced_motion="reduce",
    )  # fmt: skip
    page = context.new_page()
    page.goto(opened.path.as_uri())
    page.wait_for_selector("body[data-ready=yes]")
    page.evaluate(axe)
    for click in (None, "#to-engineer"):
        if click:
            page.click(click)
        page.evaluate(_UNFOLD)
        assert page.evaluate(_AXE) == []
    context.close()
