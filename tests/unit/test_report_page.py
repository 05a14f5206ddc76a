"""The page: the curves of ``cycles.csv``, words in every convention, nothing from any host."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.core.packing import expand, unpack_whole
from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.plots.panels import JOINT_FORCES, KINEMATICS, KINETICS
from gaitdyn.report import Group, Report, make_report, read_groups
from gaitdyn.report.page import page_text, script_json
from gaitdyn.report.page_data import UNIT, page_data
from gaitdyn.store.stored import read_trial
from gaitdyn.types.options import CHOICES, Options
from tests.sealed import close_again
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from pathlib import Path

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
    " img-src data: blob:; font-src data:; connect-src 'none'"
)
MOMENTS = [panel for row in KINETICS for panel in row if "_moment_" in panel.name]


class Seen(HTMLParser):
    """What a page holds: tags with their attributes, scripts, styles and words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self.words: list[str] = []
        self._into = self.words
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))
        into = {"script": self.scripts, "style": self.styles}.get(tag)
        if into is not None:
            into.append("")
        self._into = self.words if into is None else into

    def handle_endtag(self, tag: str) -> None:
        if tag in {"script", "style"}:
            self._into = self.words

    def handle_data(self, data: str) -> None:
        if self._into is self.words:
            self.words.append(data.strip())
        else:
            self._into[-1] += data

    def attributes(self, name: str) -> list[tuple[str, str]]:
        return [(tag, found[name]) for tag, found in self.tags if name in found]


@pytest.fixture(scope="module")
def data(report: Report) -> dict[str, Any]:
    return page_data(report)


@pytest.fixture(scope="module")
def inlined(report: Report) -> Seen:
    return Seen(page_text(report))


# ---------------------------------------------------------------- the curves

ROUNDED = 0.51 * UNIT


def page_rows(data: dict[str, Any]) -> Any:
    return expand(data["curves"], data["unit"], 101)


def test_the_packed_curves_are_those_of_the_tables(session: Path, data: dict[str, Any]) -> None:
    assert len(data["cycles"]) == 8
    for told in data["cycles"]:
        rows = [
            row
            for row in build.rows_of(session / data["trials"][told["trial"]]["name"] / "cycles.csv")
            if (row["side"], row["cycle"]) == (told["side"], str(told["number"]))
        ]
        found = page_rows(data)[told["first"] :][: len(data["names"])]
        for name, curve in zip(data["names"], found, strict=True):
            wanted = np.array([float(row[name] or "nan") for row in rows])
            np.testing.assert_allclose(curve, wanted, rtol=0, atol=ROUNDED)


def test_every_panel_but_moments_has_its_curve(data: dict[str, Any]) -> None:
    panels = [p for grid in (KINEMATICS, KINETICS, JOINT_FORCES) for row in grid for p in row]
    assert data["names"] == [panel.name for panel in panels if "_moment_" not in panel.name]
    assert set(data["grids"]) == {"kinematics", "kinetics", "forces"}
    assert [len(row) for row in data["grids"]["kinetics"]] == [4, 4, 4, 4]


@pytest.mark.parametrize("axes", CHOICES["moments_in"])
@pytest.mark.parametrize("convention", ["internal", "external"])
def test_moments_of_every_convention_and_axes_are_those_of_the_tables(
    session: Path, tmp_path: Path, convention: Any, axes: Any
) -> None:
    options = Options(convention=convention, moments_in=axes)
    folder = build.results_of(session / "c3d" / "walk01.c3d", tmp_path, options)
    data = page_data(make_report(read_groups([folder])))
    assert data["chosen"] == {"axes": axes, "convention": convention}
    trial = read_trial(folder)
    names = data["trials"][0]["moment_names"][axes]
    shown = [panel for row in data["grids"]["kinetics"] for panel in row]
    variants = [
        panel[f"lab-{convention}" if axes == "lab" else convention]
        for panel in shown
        if panel["kind"] == "moment"
    ]
    assert len(variants) == 9
    for told, curves in zip(data["cycles"], trial.cycles, strict=True):
        pack = page_rows(data)[told["moments"][axes] :][: len(names)]
        for variant in variants:
            found = variant["sign"] * pack[names.index(variant["curve"])]
            wanted = curves.curve(variant["column"])
            np.testing.assert_allclose(found, wanted, rtol=1e-6, atol=ROUNDED)


@pytest.mark.parametrize("panel", MOMENTS, ids=lambda panel: panel.name)
def test_external_words_are_the_opposite_and_the_laboratory_turns_the_sign(
    panel: Any, data: dict[str, Any]
) -> None:
    found = next(
        p
        for row in data["grids"]["kinetics"]
        for p in row
        if p["kind"] == "moment" and p["internal"]["column"] == panel.name
    )
    inside, outside = found["internal"], found["external"]
    assert (inside["top"], inside["bottom"]) == (panel.top, panel.bottom)
    assert (outside["top"], outside["bottom"]) == (panel.bottom, panel.top)
    assert inside["curve"] == outside["curve"] == panel.name
    assert outside["column"] != panel.name
    assert inside["limits"] == outside["limits"] == panel.limits
    assert (inside["sign"], outside["sign"]) == (1, 1)
    lab = found["lab-internal"]
    assert (lab["sign"], found["lab-external"]["sign"]) == (1, -1)
    assert lab["top"] == f"+{lab['curve'][-1]}"
    assert {k: v for k, v in lab.items() if k != "sign"} == {
        k: v for k, v in found["lab-external"].items() if k != "sign"
    }


def test_each_side_has_one_representative_cycle_a_group(report: Report, compared: Report) -> None:
    for one in (report, compared):
        data = page_data(one)
        chosen = [(c["group"], c["side"]) for c in data["cycles"] if c["representative"]]
        assert sorted(chosen) == sorted({(c["group"], c["side"]) for c in data["cycles"]})


def test_cycles_tell_their_times_foot_off_and_kinetics(session: Path, data: dict[str, Any]) -> None:
    events = build.rows_of(session / "walk01" / "events.csv")
    strikes = [
        float(e["time_s"]) for e in events if (e["side"], e["event"]) == ("left", "foot_strike")
    ]
    first, second = (c for c in data["cycles"] if (c["trial"], c["side"]) == (0, "left"))
    assert (first["start_s"], first["stop_s"]) == pytest.approx(strikes[:2], abs=1e-5)
    assert second["start_s"] == pytest.approx(strikes[1], abs=1e-5)
    assert [c["kinetic"] for c in data["cycles"][:4]] == [True, True, False, True]


def test_two_sessions_have_groups_of_their_own(compared: Report) -> None:
    data = page_data(compared)
    assert data["groups"] == ["before", "after"]
    assert [trial["group"] for trial in data["trials"]] == [0, 0, 1]
    assert [c["group"] for c in data["cycles"]] == [0] * 8 + [1] * 4
    assert data["colours"][0] != data["colours"][1]


def test_hof_factors_take_the_units_away(session: Path, data: dict[str, Any]) -> None:
    document = json.loads((session / "walk01" / "result.json").read_text(encoding="utf-8"))
    for side in ("left", "right"):
        length = document["subject"][side]["leg_length_m"]
        factors = data["trials"][0]["hof"][side]
        assert factors["N/kg"] * 9.80665 == pytest.approx(1.0)
        assert factors["N m/kg"] * 9.80665 * length == pytest.approx(1.0)
        assert factors["W/kg"] * 9.80665 * (9.80665 * length) ** 0.5 == pytest.approx(1.0)


def test_without_a_leg_length_there_are_no_factors(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")

    def shorter(document: Any) -> None:
        document["subject"]["left"] = None
        document["subject"]["right"]["leg_length_m"] = None

    build.change_json(folder / "result.json", shorter)
    assert page_data(make_report(read_groups([folder])))["trials"][0]["hof"] == {}


def test_the_figure_holds_the_markers_in_whole_millimetres(
    session: Path, data: dict[str, Any]
) -> None:
    from gaitdyn.pipeline import process_trial

    figure = data["trials"][0]["figure"]
    result = process_trial(session / "c3d" / "walk01.c3d")
    places = expand(figure["places"], 1.0, figure["frames"]).T
    places = places.reshape(-1, len(figure["points"]), 3)
    assert result.recording.rate_hz == 100.0
    assert (figure["step"], figure["rate_hz"]) == (2, 50.0)  # at most 60 frames a second
    assert len(places) == -(-result.recording.n_frames // 2)
    label = result.trial.labels[0]
    at = figure["points"].index(label)
    np.testing.assert_allclose(places[:, at], np.round(1000 * result.trial.markers_G[::2, 0]))
    wrench = result.sides["left"].wrench
    assert wrench is not None
    forces = expand(figure["forces"]["left"], 1.0, figure["frames"]).T
    np.testing.assert_allclose(forces[:, 3:], np.round(wrench.force_G[::2]))
    for rows in figure["lines"].values():
        assert all(0 <= i < len(figure["points"]) for row in rows for i in row)


# ---------------------------------------------------------------- norm


def test_bands_are_there_for_the_curves_of_the_reference_alone(
    session: Path, tmp_path: Path
) -> None:
    names = ["knee_angle_flexion", "hip_moment_extension"]
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 2.0, names)
    groups = read_groups([session])
    report = make_report(groups, read_norm(norm))
    bands = page_data(report)["norm"]["bands"]
    assert set(bands) == set(report.bands) == set(names)
    curve = groups[0].trials[0].cycles[0].curve("knee_angle_flexion")
    np.testing.assert_allclose(bands["knee_angle_flexion"]["mean"], curve - 2.0, atol=1e-4)
    assert set(bands["knee_angle_flexion"]["sd"]) == {1.5}
    assert page_data(make_report(groups))["norm"] is None


def test_a_moment_has_its_band_in_distal_axes_only(session: Path, tmp_path: Path) -> None:
    names = ["knee_angle_flexion", "hip_moment_extension"]
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 2.0, names)
    wanted = {
        ("internal", "distal"): {"hip_moment_extension"},
        ("external", "distal"): {"hip_moment_flexion"},
        ("internal", "jcs"): set(),
        ("external", "lab"): set(),
    }
    for (convention, axes), moments in wanted.items():
        options: Any = replace(Options(), convention=convention, moments_in=axes)
        place = tmp_path / f"{convention}-{axes}"
        folder = build.results_of(session / "c3d" / "walk01.c3d", place, options)
        groups = read_groups([folder])
        report = make_report(groups, read_norm(norm))
        assert set(report.bands) == {"knee_angle_flexion"} | moments


# ---------------------------------------------------------------- the page


def test_the_page_carries_the_data_as_they_are(inlined: Seen, data: dict[str, Any]) -> None:
    assert json.loads(inlined.scripts[0]) == json.loads(json.dumps(data))
    assert len(inlined.scripts) == 3


def test_the_policy_is_the_one_asked_for(inlined: Seen) -> None:
    found = [
        attributes["content"]
        for tag, attributes in inlined.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    assert found == [POLICY]


def test_nothing_is_loaded_from_any_host(inlined: Seen) -> None:
    assert inlined.attributes("src") == []
    links = inlined.attributes("href")
    assert links
    assert all(tag == "a" and target.startswith("#") for tag, target in links)
    for name in ("srcset", "action", "poster", "data", "background", "formaction", "ping"):
        assert inlined.attributes(name) == []
    used = {tag for tag, _ in inlined.tags}
    assert not used & {"link", "base", "img", "iframe", "object", "embed", "video", "audio"}
    assert all("refresh" not in value for _, value in inlined.attributes("http-equiv"))
    styles = "".join(inlined.styles) + " ".join(v for _, v in inlined.attributes("style"))
    assert "@import" not in styles
    assert re.findall(r"url\(\s*['\"]?(?!data:)", styles) == []
    program = inlined.scripts[2].replace("http://www.w3.org/2000/svg", "")  # a name, not a place
    assert re.findall(r"https?:|\bfetch\b|XMLHttpRequest|WebSocket|\bimport\b", program) == []


def test_every_link_and_label_leads_to_something_on_the_page(inlined: Seen) -> None:
    ids = [name for _, name in inlined.attributes("id")]
    assert len(ids) == len(set(ids))
    targets = [target.removeprefix("#") for _, target in inlined.attributes("href")]
    for name in ("aria-labelledby", "for"):
        targets += [target for _, target in inlined.attributes(name)]
    assert set(targets) <= set(ids)


def test_all_cells_of_all_tables_stand_on_the_page(report: Report, inlined: Seen) -> None:
    words = set(inlined.words)
    tables = (*report.quality, *report.notes, *report.parameters, *report.scores, *report.bursts)
    for table in (*tables, *report.methods, *report.options):
        assert {table.title, *table.columns} <= words | {""}
        cells = {" ".join(cell.split()) for row in table.rows for cell in row}
        assert cells <= {" ".join(word.split()) for word in words} | {""}
        assert set(table.notes) <= words
    assert {report.title, *(value for _, value in report.headline.facts)} <= words


def test_rows_of_a_table_keep_their_order_on_the_page(report: Report, inlined: Seen) -> None:
    words = [word for word in inlined.words if word]
    for row in report.parameters[0].rows:
        cells = [cell for cell in row if cell]
        assert any(
            words[i : i + len(cells)] == cells for i, word in enumerate(words) if word == cells[0]
        )


def sections_of(text: str) -> dict[str, list[str]]:
    """Return the words of each section of a page."""
    parts = re.split(r'<section id="(\w+)"', text)
    return {
        name: Seen(f"<section{part}").words
        for name, part in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_changes_stand_in_the_sections_of_parameters_and_bursts(
    report: Report, compared: Report
) -> None:
    one, two = (page_text(r, plotly_file="plotly.js") for r in (report, compared))
    assert "Change" not in Seen(one).words
    assert "before against after" in Seen(two).words
    found = sections_of(two)
    told = {
        "parameters": ("Each session with its symmetry", compared.changes, compared.parameters),
        "bursts": ("Each session with its times", compared.peak_changes, compared.bursts),
    }
    assert sum(len(changes) for _, changes, _ in told.values()) == len(compared.comparison) == 5
    for name, (summary, changes, each) in told.items():
        words = found[name]
        behind = words.index(summary)
        assert words[:behind].count("Change") == 2 * len(changes)
        for table in changes:
            assert {table.title, *table.columns} <= set(words[:behind])
            assert {cell for row in table.rows for cell in row} <= set(words[:behind])
        for table in each:
            assert table.title in words[behind:]


def test_who_was_measured_is_told_for_each_group(compared: Report) -> None:
    words = sections_of(page_text(compared, plotly_file="plotly.js"))["verdict"]
    places = [words.index(label) for label in ("before", "after")]
    assert places == sorted(places)
    for place in places:
        assert [word for word in words[place:] if word][1] == "Subject"


def test_notes_and_events_stand_folded_under_quality(report: Report) -> None:
    text = page_text(report, plotly_file="plotly.js")
    warnings, _, notes = text.partition("<summary>Notes, gait events, audit of the loads</summary>")
    assert [f"<caption>{t}</caption>" in warnings for t in ("Warnings", "Notes")] == [True, False]
    assert "<caption>Notes</caption>" in notes
    assert "<caption>Gait events</caption>" in notes


@pytest.mark.parametrize(("rate", "step"), [(50.0, 1), (60.0, 1), (100.0, 2), (200.0, 4)])
def test_a_moving_figure_has_at_most_sixty_frames_a_second(
    session: Path, tmp_path: Path, rate: float, step: int
) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    groups = read_groups([folder])
    told = groups[0].trials[0].view["figure"]
    told["rate_hz"] = rate
    figure = page_data(make_report(groups))["trials"][0]["figure"]
    assert (figure["step"], figure["rate_hz"]) == (step, rate / step)
    size = 3 * len(told["points"])
    whole = unpack_whole(told["places"]).reshape(-1, size)[::step]
    thin = expand(figure["places"], 1.0, figure["frames"])
    np.testing.assert_array_equal(thin.T, whole)
    for side, text in told["forces"].items():
        forces = unpack_whole(text).reshape(-1, 6)[::step]
        found = expand(figure["forces"][side], 1.0, figure["frames"])
        np.testing.assert_array_equal(found.T, forces)


def test_without_loads_the_page_has_no_grids_of_kinetics(no_plates: Path) -> None:
    report = make_report(read_groups([no_plates]))
    page = Seen(page_text(report, plotly_file="plotly.js"))
    ids = {name for _, name in page.attributes("id")}
    assert ids & {"grid-kinematics", "grid-kinetics", "grid-forces"} == {"grid-kinematics"}
    assert page.words.count(f"No kinetics: {report.no_loads}.") == 3


def test_without_a_reference_set_the_page_says_what_is_needed(session: Path) -> None:
    page = Seen(page_text(make_report(read_groups([session])), plotly_file="plotly.js"))
    assert "--norm FILE" in page.words
    assert not any("Grey:" in word for word in page.words)


def test_the_page_says_what_the_grey_bands_are(report: Report, inlined: Seen) -> None:
    assert report.norm_words.startswith("Grey: own.csv, mean \u00b1 1 and 2 SD, n 30; ")
    notes = [word for word in inlined.words if "Grey: " in word]
    assert len(notes) == 2
    assert all(report.norm_words in note for note in notes)


def test_a_library_beside_the_page_is_the_only_file_it_loads(report: Report) -> None:
    page = Seen(page_text(report, plotly_file="plotly.js"))
    assert page.attributes("src") == [("script", "plotly.js")]


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)> & \" ' \u2028 {{ 7*7 }}"


@pytest.fixture
def hostile(session: Path, tmp_path: Path) -> Report:
    """A report of which every text that comes from files tries to be markup."""
    folder = build.copied(session / "walk01", tmp_path / "x")

    def change(document: Any) -> None:
        document["inputs"][0]["name"] = f"{HOSTILE}.c3d".replace("/", "")
        document["subject"]["id"] = HOSTILE
        document["model"]["name"] = HOSTILE
        document["status"][0] |= {"status": "skipped", "reason": HOSTILE}
        document["options"]["condition"] = HOSTILE

    build.change_json(folder / "result.json", change)
    text = HOSTILE.replace('"', '""')
    line = f'level,code,scope,value,limit,message\nerror,"{text}","{text}",,,"{text}"\n'
    (folder / "quality.csv").write_text(line, encoding="utf-8")
    close_again(folder)
    others = (read_trial(session / "walk01"),)
    return make_report([Group("x", (read_trial(folder),)), Group("<i>bold</i>", others)])


def test_texts_of_files_stay_texts(hostile: Report) -> None:
    page = Seen(page_text(hostile, plotly_file="plotly.js"))
    assert len(page.scripts) == 3
    used = {tag for tag, _ in page.tags}
    assert not used & {"img", "i"}
    assert not any(name.startswith("on") for _, found in page.tags for name in found)
    assert HOSTILE in page.words
    assert json.loads(page.scripts[0])["groups"] == ["x", "<i>bold</i>"]


@pytest.mark.parametrize(
    "text", [HOSTILE, "<!--<script>", "]]>", "&amp;", "\u2028\u2029\x00\u00e9"]
)
def test_json_for_a_script_comes_back_and_closes_nothing(text: str) -> None:
    found = script_json({"a": text, text: [1.5, None, True]})
    assert json.loads(found) == {"a": text, text: [1.5, None, True]}
    assert not set("<>&\u2028\u2029") & set(found)


def test_a_number_that_is_none_is_refused_in_json() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        script_json([float("nan")])
