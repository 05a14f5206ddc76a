"""Two trials compared: lines, key and words of both groups."""

from __future__ import annotations

import pytest

from gaitdyn.synthetic import Recording, Walker, write_session
from tests.browser.driven_page import PANELS

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def compared(open_page, make_results, tmp_path_factory):
    """The page of the walker's first and second trial."""
    session = tmp_path_factory.mktemp("two")
    write_session(session, Walker(), Recording(), trials=2)
    folders = [make_results(session / f"walk0{i}.c3d") for i in (1, 2)]
    return open_page(*folders, compare=True)


def test_the_key_names_both_sides_of_both_groups(compared):
    assert compared.at_opening == []
    keys = compared.texts(".key")
    assert len(keys) == 3
    assert set(keys) == {"left walk01right walk01left walk02right walk02"}
    strokes = compared.page.evaluate(
        "[...document.querySelectorAll('#kinetics .key line')].map(l =>"
        " [l.getAttribute('stroke'), l.getAttribute('stroke-dasharray')])"
    )
    assert len({tuple(stroke) for stroke in strokes}) == 4


def test_every_panel_draws_both_groups_in_their_own_lines(compared):
    for shown in compared.panels().values():
        styles = {(t.name.split(", ")[-1].split(":")[0], t.colour, t.dash) for t in shown.traces}
        assert {style[0] for style in styles} == {"walk01", "walk02"}
        assert len({style[1:] for style in styles}) == len(styles) == 4
    compared.choose("view", "mean")
    for shown in compared.panels().values():
        names = {" ".join(t.name.split()[:2]) for t in shown.traces if t.name}
        assert {"left walk01", "left walk02"} <= names
    compared.choose("view", "cycles")


def test_the_page_has_a_comparison_and_both_trials_move(compared):
    assert compared.page.inner_text(".what") == "walk01 against walk02"
    assert "Change" in compared.texts("#parameters th")
    assert compared.texts("#trial option") == ["walk01", "walk02"]
    compared.choose("trial", "1")
    assert "frame" in compared.page.inner_text("#frame-told")
    assert compared.problems == []


def test_the_numbers_behind_a_panel_name_the_groups(compared):
    index = [p.name for panels in PANELS.values() for p in panels].index("knee_angle_flexion")
    panel = compared.page.locator(".panel").nth(index)
    panel.locator("summary").click()
    panel.locator("thead th").first.wait_for()
    heads = panel.locator("thead th").all_text_contents()
    assert [h.split(" mean")[0] for h in heads[1::2]] == [
        "left walk01", "right walk01", "left walk02", "right walk02"
    ]  # fmt: skip
