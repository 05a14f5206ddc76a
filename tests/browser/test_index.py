"""The index of a batch: one row a session, sorted and filtered in the page, errors last."""

from __future__ import annotations

import json

import pytest

from gaitdyn.batch.pages import write_index
from tests.browser.driven_page import DrivenPage

pytestmark = pytest.mark.browser

HOSTILE = "<img src=x onerror=window.hacked=1>"


def session(name: str, speed: float, gps: float | None, *words: str, **more: str) -> dict:
    trials = [
        {"name": f"walk{i}", "file": f"walk{i}.c3d", "condition": more.get("condition", ""),
         "state": "failed" if word == "failed" else "done",
         "verdict": None if word == "failed" else word,
         "reason": HOSTILE if word == "failed" else "", "left_speed": speed, "right_speed": speed,
         "left_cycles": 2, "right_cycles": 3, "worklist": []}
        for i, word in enumerate(words)
    ]  # fmt: skip
    return {
        "session": name, "subject": "", "trials": trials, "date": more.get("date", ""),
        "gps_deg": {"left": gps, "right": gps},
        "counts": {"trials": len(trials), "done": len(trials), "failed": 0},
    }  # fmt: skip


@pytest.fixture
def index(chromium, tmp_path):
    documents = {
        "a": session("S-a", 1.3, 5.0, "pass", "check", date="2024-03-01", condition="barefoot"),
        "b": session("S-b", 0.9, 11.5, "pass", "failed", date="2023-12-24", condition="shoes"),
        "c": session("S-c", 1.1, None, "fail"),
    }
    for folder, document in documents.items():
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "session.json").write_text(json.dumps(document), encoding="utf-8")
    driven = DrivenPage.opened(chromium, write_index(tmp_path))
    yield driven
    assert driven.problems == []
    driven.page.context.close()


def names(driven) -> list[str]:
    return driven.texts("#sessions tbody tr:not([hidden]) th")


def test_a_row_has_what_a_clinician_looks_for(index):
    cells = index.texts("#sessions tbody tr:first-child > *")
    assert cells[:8] == ["S-a", "2024-03-01", "barefoot", "1.30", "5.0", "5.0", "4", "6"]
    heads = index.texts("#sessions thead th")
    assert "Subject" not in heads  # of nobody is a pseudonym known
    assert heads[1] == "Date"


def test_a_phone_shows_what_matters_without_scrolling(index):
    index.page.set_viewport_size({"width": 400, "height": 800})
    wide = "[...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth)"
    assert index.page.evaluate(f"{wide}.length") == 0
    assert index.page.locator("#sessions th:visible").first.inner_text() == "Session"
    lights = index.texts("#sessions tbody tr:first-child .light")
    assert lights == ["\u2713 1 pass", "! 1 check", "\u2717 0 fail"]


def test_a_phone_shows_the_worklist_without_scrolling(chromium, tmp_path):
    """The lines for ``session.toml`` were cut at the right edge."""
    item = {
        "what": "which foot stood on a plate",
        "why": "plate 3, frames 365-407 (partial): the right forefoot stands beside the plates",
        "lines": '[trials."S4-AMGait04.c3d"]\nassign = "3=none:365-407"',
    }
    document = session("S-a", 1.3, 5.0, "check")
    document["trials"][0]["worklist"] = [item]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "session.json").write_text(json.dumps(document), encoding="utf-8")
    driven = DrivenPage.opened(chromium, write_index(tmp_path))
    driven.page.set_viewport_size({"width": 390, "height": 800})
    wide = "[...document.querySelectorAll('.card')].filter(c => c.scrollWidth > c.clientWidth)"
    assert driven.page.evaluate(f"{wide}.length") == 0
    assert driven.page.inner_text("#worklist pre") == item["lines"]
    box = driven.page.locator("#worklist pre").bounding_box()
    assert box is not None
    assert box["width"] > 300
    assert driven.problems == []
    driven.page.context.close()


def test_the_columns_of_all_sessions_are_below_each_other(index):
    index.page.set_viewport_size({"width": 1400, "height": 900})
    heads = "[...document.querySelectorAll('.trials thead tr')].map(row => [...row.cells]"
    lefts = index.page.evaluate(f"{heads}.map(cell => Math.round(cell.getBoundingClientRect().x)))")
    assert len(lefts) > 1
    assert len(set(map(tuple, lefts))) == 1


def test_a_click_on_a_head_sorts_and_a_second_one_turns_it(index):
    button = index.page.get_by_role("button", name="GPS left (\u00b0)")
    button.click()
    assert names(index) == ["S-a", "S-b", "S-c"]
    button.click()
    assert names(index) == ["S-b", "S-a", "S-c"]
    index.page.get_by_role("button", name="Date").click()
    assert names(index) == ["S-b", "S-a", "S-c"]
    assert index.page.locator("[aria-sort=ascending]").count() == 1


def test_words_filter_the_rows(index):
    index.page.fill("#filter", "shoes 2023")
    assert names(index) == ["S-b"]
    assert index.page.inner_text("#shown") == "1 of 3"
    index.page.fill("#filter", "")
    assert len(names(index)) == 3


def test_errors_come_last_and_stay_texts(index):
    heads = index.texts("h2")
    assert heads == ["S-a", "S-b", "S-c", "Errors"]
    assert HOSTILE in "".join(index.texts("section"))
    assert index.page.evaluate("typeof window.hacked") == "undefined"
