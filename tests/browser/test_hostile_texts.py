"""Texts of files stay texts, whatever they say."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.unit.report_cases import change_view, edited

pytestmark = pytest.mark.browser

SCRIPT = "<script>window.hacked=1</script>"
IMAGE = '"><img src=x onerror=window.hacked=1>'
END = "</script><script>window.hacked=1</script>"
TEMPLATE = "{{7*7}}{% raw %}${window.hacked=1}%{y}"
MARK = "<b>&lt;%{x}"
NAME = f"{TEMPLATE}'<img src=x onerror=window.hacked=1>"
"""Of a trial; a file's name has no slash."""


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def hostile(open_page, make_results, tmp_path_factory, monkeypatch_module):
    """A page of results whose every text attacks it."""
    folder = tmp_path_factory.mktemp("hostile") / "walk01"
    shutil.copytree(make_results(), folder)

    def marked(view):
        view["figure"]["points"] = [MARK for _ in view["figure"]["points"]]

    change_view(folder, marked)
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    next(x for x in document["inputs"] if x["role"] == "trial")["name"] = f"{NAME}.c3d"
    document["subject"]["id"] = IMAGE
    document["options"] |= {"condition": SCRIPT, "static": END, "anthropometry": IMAGE}
    document["model"]["name"] = SCRIPT
    document["status"][0] |= {"status": "partial", "reason": IMAGE}
    document["file"]["plates"][0]["problem"] = END
    (folder / "result.json").write_text(json.dumps(document), encoding="utf-8")
    with (folder / "quality.csv").open("a", encoding="utf-8") as file:
        file.write(_row(folder / "quality.csv", level="warning", message=END, code=TEMPLATE))
    with (folder / "contacts.csv").open("a", encoding="utf-8") as file:
        file.write(_row(folder / "contacts.csv", plate=IMAGE, reason=SCRIPT))
    with (folder / "events.csv").open("a", encoding="utf-8") as file:
        file.write(_row(folder / "events.csv", source=SCRIPT, time_s="1"))
    monkeypatch_module.setattr("gaitdyn.report.reading.read_trial", edited)
    return open_page(folder)


def _row(path, **texts: str) -> str:
    names = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    assert set(texts) <= set(names)
    return ",".join('"' + texts.get(n, "").replace('"', '""') + '"' for n in names) + "\n"


def test_nothing_of_it_runs_or_loads(hostile):
    assert hostile.at_opening == []
    assert hostile.page.evaluate("typeof window.hacked") == "undefined"
    assert hostile.page.locator("img").count() == 0
    assert hostile.page.locator("script").count() == 3


def test_all_of_it_can_be_read(hostile):
    said = "\n".join(hostile.texts("main") + hostile.texts("header"))
    for text in (SCRIPT, IMAGE, END, TEMPLATE, NAME):
        assert text in said
    assert hostile.page.title() == f"Gait report: {NAME}"
    assert hostile.page.inner_text("h1") == NAME


def test_it_stays_text_under_the_mouse_and_in_comments(hostile):
    hostile.page.hover('[data-n="knee_angle_flexion"] svg')
    hostile.page.fill("#comments", IMAGE)
    assert hostile.page.locator(".kept").first.text_content() == IMAGE
    hostile.engineer()
    assert hostile.page.locator("img").count() == 0
    assert hostile.page.evaluate("typeof window.hacked") == "undefined"
    assert hostile.problems == []
