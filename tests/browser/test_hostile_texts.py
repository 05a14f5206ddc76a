"""Texts of files stay texts, whatever they say."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.unit.report_cases import edited

pytestmark = pytest.mark.browser

SCRIPT = "<script>window.hacked=1</script>"
IMAGE = '"><img src=x onerror=window.hacked=1>'
END = "</script><script>window.hacked=1</script>"
TEMPLATE = "{{7*7}}{% raw %}${window.hacked=1}%{y}"
MARK = "<b>&lt;%{x}"
NAME = f"{TEMPLATE}'<img src=x onerror=window.hacked=1>"
"""Of a trial; a file's name has no slash."""

_HOVER = """([panel, line]) => {
  const plot = document.querySelectorAll(".panel .plot")[panel];
  plot.scrollIntoView({ block: "center" });
  Plotly.Fx.hover(plot, [{ curveNumber: line, pointNumber: 40 }], "xy");
  return plot.querySelector(".hoverlayer").textContent;
}"""
_PIXEL = """() => {
  const gd = document.getElementById("stick"), scene = gd._fullLayout.scene._scene;
  gd.scrollIntoView({ block: "center" });
  const { model, view, projection } = scene.glplot.cameraParams, trace = gd.data[0];
  const four = [0, 1, 2, 3];
  const times = (m, v) => four.map((i) => four.reduce((s, k) => s + m[4 * k + i] * v[k], 0));
  const box = gd.querySelector("canvas").getBoundingClientRect();
  return trace.x.map((_, i) => {
    const at = ["x", "y", "z"].map((a, k) => trace[a][i] * scene.dataScale[k]);
    const p = times(projection, times(view, times(model, [...at, 1])));
    const [x, y] = [p[0] / p[3], p[1] / p[3]];
    return [box.x + 0.5 * box.width * (1 + x), box.y + 0.5 * box.height * (1 - y)];
  });
}"""


@pytest.fixture(scope="module")
def monkeypatch_module():
    with pytest.MonkeyPatch.context() as patch:
        yield patch


@pytest.fixture(scope="module")
def hostile(open_page, make_results, tmp_path_factory, monkeypatch_module):
    """A page of results whose every text attacks it."""
    folder = tmp_path_factory.mktemp("hostile") / "walk01"
    shutil.copytree(make_results(), folder)
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    view = json.loads((folder / "view.json").read_text(encoding="utf-8"))
    next(x for x in document["inputs"] if x["role"] == "trial")["name"] = f"{NAME}.c3d"
    document["subject"]["id"] = IMAGE
    document["options"] |= {"condition": SCRIPT, "static": END, "anthropometry": IMAGE}
    document["model"]["name"] = SCRIPT
    document["status"][0] |= {"status": "partial", "reason": IMAGE}
    document["file"]["plates"][0]["problem"] = END
    view["figure"]["points"] = [MARK for _ in view["figure"]["points"]]
    for name, text in (("result.json", document), ("view.json", view)):
        (folder / name).write_text(json.dumps(text), encoding="utf-8")
    with (folder / "quality.csv").open("a", encoding="utf-8") as file:
        file.write(_row(folder / "quality.csv", level="warning", message=END, code=TEMPLATE))
    with (folder / "contacts.csv").open("a", encoding="utf-8") as file:
        file.write(_row(folder / "contacts.csv", plate=IMAGE, reason=SCRIPT))
    with (folder / "events.csv").open("a", encoding="utf-8") as file:
        file.write(_row(folder / "events.csv", source=SCRIPT, time_s="1"))
    monkeypatch_module.setattr("gaitdyn.report.groups.read_trial", edited)
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
    said = "\n".join(hostile.texts("main"))
    for text in (SCRIPT, IMAGE, END, TEMPLATE, NAME):
        assert text in said
    assert hostile.page.title() == f"Gait report: {NAME}"
    assert hostile.texts("#trial option") == [NAME]
    assert f"{NAME}: left 1" in "\n".join(hostile.texts("#cycles label"))


def test_it_stays_text_under_the_mouse(hostile):
    said = hostile.page.evaluate(_HOVER, [6, 0])
    assert said.startswith(f"left 1, {NAME}: ")
    assert said.endswith(" at 40 %")
    for choice, value in (("view", "mean"), ("axes", "lab"), ("units", "hof")):
        hostile.choose(choice, value)
    hostile.page.evaluate(_HOVER, [6, 0])
    assert hostile.page.locator("img").count() == 0
    assert hostile.page.evaluate("typeof window.hacked") == "undefined"
    assert hostile.problems == []


def test_the_name_of_a_marker_stays_text_in_the_figure(hostile):
    assert hover_marker(hostile) == MARK
    assert hostile.problems == []


def hover_marker(driven) -> str:
    """Return what is said of the first marker that the mouse finds."""
    for x, y in driven.page.evaluate(_PIXEL):
        driven.page.mouse.move(x - 2, y)
        driven.page.mouse.move(x, y)
        driven.page.wait_for_timeout(150)
        said = driven.page.locator("#stick .hovertext")
        if said.count():
            return said.first.text_content() or ""
    return ""
