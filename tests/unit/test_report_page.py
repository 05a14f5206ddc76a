"""The page: drawings of the means, tables, words, nothing from any host."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.core.packing import unpack_whole
from gaitdyn.metrics.healthy import Expected, expected_peak
from gaitdyn.metrics.norms.ages import ages_in
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.plots.clinic.grids import cells_of
from gaitdyn.plots.marks import TextLine
from gaitdyn.report import Group, Report, make_report, read_groups
from gaitdyn.report.first_screen.around import banners, limit_lines, why_no_loads
from gaitdyn.report.first_screen.around_findings import no_finding_words
from gaitdyn.report.first_screen.numbers import number_rows, ranges_words, whose_words
from gaitdyn.report.first_screen.profile import age_note, profile_rows
from gaitdyn.report.first_screen.shown_findings import shown_findings
from gaitdyn.report.first_screen.shown_peaks import _flagged, peak_norm_words, peak_rows
from gaitdyn.report.first_screen.spoken_of import norm_gps
from gaitdyn.report.page.document import page_text
from gaitdyn.report.page.group import norm_words
from gaitdyn.report.page.moving import moving_figure
from gaitdyn.report.page.script_data import script_json
from gaitdyn.report.paper.summary import summary_marks
from gaitdyn.report.patient import who_rows
from gaitdyn.report.strides import values_of
from gaitdyn.report.tables.verdicts import verdict_rows, verdict_tables
from gaitdyn.report.title import title_of
from gaitdyn.store.stored import StoredTrial, read_trial
from gaitdyn.types.norms import NormNumber
from gaitdyn.types.options import Options
from tests.sealed import close_again
from tests.unit import report_cases as build
from tests.unit.made_once import page_of

if TYPE_CHECKING:
    from pathlib import Path

POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline';"
    " img-src data: blob:; font-src data:; connect-src 'none'"
)


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
def inlined(report: Report) -> Seen:
    return Seen(page_of(report))


@pytest.fixture(scope="module")
def data(inlined: Seen) -> dict[str, Any]:
    return json.loads(inlined.scripts[1])


# ---------------------------------------------------------------- the curves


def whole_strides(folders: list[Path], name: str, side: str) -> list[Any]:
    """Return the strides of some folders that know a curve from 0 to 100 %, as the tables do."""
    found = []
    for folder in folders:
        by_cycle: dict[str, list[float]] = {}
        for row in build.rows_of(folder / "cycles.csv"):
            if row["side"] == side:
                by_cycle.setdefault(row["cycle"], []).append(float(row[name] or "nan"))
        found += [np.array(v) for v in by_cycle.values() if np.isfinite(v).all()]
    return found


@pytest.mark.parametrize("name", ["knee_angle_flexion", "hip_moment_extension", "ankle_power"])
def test_the_readouts_are_the_means_of_the_tables(
    session: Path, data: dict[str, Any], name: str
) -> None:
    told = data["views"][0]["curves"][name]
    folders = [session / "walk01", session / "walk02"]
    for letter, side in (("L", "left"), ("R", "right")):
        wanted = np.mean(whole_strides(folders, name, side), axis=0)
        np.testing.assert_allclose(told[letter], wanted, atol=0.51 * 10.0 ** -(told["digits"] + 1))


def test_every_panel_has_its_curve_its_drawing_and_its_table(
    report: Report, inlined: Seen, data: dict[str, Any]
) -> None:
    view = report.views[0]
    names = [
        cell.panel.name
        for grid in (view.kinematics, view.kinetics, view.transverse)
        for cell in cells_of(grid)
        if cell.panel is not None
    ]
    assert len(names) == len(set(names)) == 11 + 10 + 4
    assert list(data["views"][0]["curves"]) == names
    ids = [name for _, name in inlined.attributes("id")]
    assert [i for i in ids if i.startswith("p-0-")] == [f"p-0-{name}" for name in names]
    spoken = [label for tag, label in inlined.attributes("aria-label") if tag == "svg"]
    assert sum("left " in label and " to " in label for label in spoken) >= len(names)


@pytest.mark.parametrize("convention", ["internal", "external"])
def test_panels_and_bands_follow_the_convention_of_the_results(
    session: Path, tmp_path: Path, convention: Any
) -> None:
    options = Options(convention=convention)
    folder = build.results_of(session / "c3d" / "walk01.c3d", tmp_path, options)
    text = page_text(make_report(read_groups([folder])))
    word = {"internal": "ext", "external": "flex"}[convention]
    assert f"<h3>Knee {word} moment</h3>" in text
    assert f"{convention} moments N\u00b7m/kg" in text


def test_beside_external_moments_peaks_have_their_words_and_judged_moments_are_called_internal(
    report: Report,
) -> None:
    """A report of external moments had "Hip extensor" for the peak of "Hip flex moment"."""
    view = report.views[0]
    (trial, *_) = view.trials
    options = {**trial.document["options"], "convention": "external"}
    other = replace(trial, document={**trial.document, "options": options})
    external = replace(view, trials=(other,))
    titles = [[row.title for row in peak_rows(v)] for v in (view, external)]
    inward, outward = ([title.split(",")[0] for title in each] for each in titles)
    assert inward[2:6] == ["Knee extensor", "Knee flexor", "Knee abductor", "Plantarflexor"]
    assert outward[2:6] == ["Knee flexor", "Knee extensor", "Knee adductor", "Dorsiflexor"]
    # the second peak may be the larger one
    assert all([each[i].endswith(", 1st") for i in (1, 4)] == [True, True] for each in titles)
    assert titles[0][6:] == titles[1][6:]
    judged = verdict_rows(external.findings, external=external.external)
    told = " ".join(text for row in judged for text in row)
    assert "internal knee extension moment" in told
    own = r"internal (?:hip|knee|ankle) \w+ moment"
    assert told.count(" moment") == len(re.findall(own, told))
    assert not re.search(own, " ".join(row[2] for row in verdict_rows(view.findings)))


def test_two_sessions_have_views_and_a_comparison_of_their_own(compared: Report) -> None:
    page = Seen(page_of(compared))
    shown = json.loads(page.scripts[1])["views"]
    assert len(shown) == 2
    assert [len(view["figures"]) for view in shown] == [2, 1]
    ids = {name for _, name in page.attributes("id")}
    assert {"summary", "summary-0", "compare", "p-1-knee_angle_flexion"} <= ids


def test_the_figure_holds_the_points_in_whole_millimetres(session: Path) -> None:
    from gaitdyn.pipeline import process_trial

    trial = read_trial(session / "walk01")
    figure = moving_figure(trial)
    assert figure is not None
    result = process_trial(session / "c3d" / "walk01.c3d")
    assert result.recording.rate_hz == 100.0
    assert figure["rate_hz"] == 25.0  # every fourth frame
    places = unpack_whole(figure["places"]).reshape(-1, figure["points"], 3)
    first = round((figure["start_s"] - float(result.time_s[0])) * 100.0)
    row = figure["lines"]["L"][0]
    hip = result.pose.leg("left").r_prox_G[:, 2]
    forward = np.array(result.pose.walking_G) * [1.0, 0.0, 1.0]
    forward /= np.linalg.norm(forward)
    wanted = np.stack((hip @ forward, hip[:, 1]), axis=1)[first::4][: len(places)]
    np.testing.assert_allclose(places[:, row[0], :2], 1000 * wanted, atol=1.1)
    for rows in figure["lines"].values():
        assert all(0 <= i < figure["points"] for one in rows for i in one)
    spans = [(s["start_s"], s["stop_s"]) for s in figure["strides"]]
    last = figure["start_s"] + (len(places) - 1) / figure["rate_hz"]
    assert figure["start_s"] <= min(a for a, _ in spans)
    assert last >= max(b for _, b in spans) - 1 / figure["rate_hz"]


# ---------------------------------------------------------------- norm


def test_bands_are_there_for_the_curves_of_the_reference_alone(
    session: Path, tmp_path: Path
) -> None:
    names = ["knee_angle_flexion", "hip_moment_extension"]
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 2.0, names)
    groups = read_groups([session])
    report = make_report(groups, read_norm(norm))
    bands = report.views[0].bands
    assert set(bands) == set(report.bands) == set(names)
    curve = groups[0].trials[0].cycles[0].curve("knee_angle_flexion")
    np.testing.assert_allclose(bands["knee_angle_flexion"].mean, curve - 2.0, atol=1e-4)
    assert page_of(report).count(">no norm<") == 25 - 2
    assert make_report(groups).views[0].bands == {}


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
        words: dict[str, Any] = {"convention": convention, "moments_in": axes}
        options = replace(Options(), **words)
        place = tmp_path / f"{convention}-{axes}"
        folder = build.results_of(session / "c3d" / "walk01.c3d", place, options)
        groups = read_groups([folder])
        report = make_report(groups, read_norm(norm))
        assert set(report.bands) == {"knee_angle_flexion"} | moments


# ---------------------------------------------------------------- the page


def test_a_few_kilobytes_of_script_and_no_library(inlined: Seen) -> None:
    assert len(inlined.scripts) == 3
    assert len(inlined.scripts[2]) < 12_000


def test_printed_sheets_of_angles_and_of_loads_each_have_the_key(report: Report) -> None:
    _, _, loads = page_of(report).partition('id="kinetics')
    angles, _, _ = page_of(report).partition('id="kinetics')
    assert angles.count('aria-label="Key"') == 1
    assert loads.count('<div class="paper"><div class="cellkey">') == 1


def test_few_words_stand_before_the_engineer(report: Report, compared: Report) -> None:
    for one in (report, compared):
        before, _, _ = page_of(one).partition('id="engineer"')
        blocks = re.findall(r"<(?:p|li)[ >].*?</(?:p|li)>", before, re.DOTALL)
        assert 20 < sum(len(re.sub("<[^>]+>", " ", block).split()) for block in blocks) < 400


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
    for name in ("aria-labelledby", "aria-controls", "for"):
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
    parts = re.split(r'<section (?:class="[a-z]+" )?id="([\w-]+)"', text)
    return {
        name: Seen(f"<section{part}").words
        for name, part in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_changes_stand_in_the_sections_of_parameters_and_bursts(
    report: Report, compared: Report
) -> None:
    one, two = (page_of(r) for r in (report, compared))
    assert "Change" not in Seen(one).words
    assert "before against after" in Seen(two).words
    found = sections_of(two)
    told = {
        "parameters": ("Each session with its symmetry", compared.changes, compared.parameters),
        "bursts": ("Each session with its times", compared.peak_changes, compared.bursts),
    }
    assert [len(changes) for _, changes, _ in told.values()] == [1, 4]
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
    words = [word for word in sections_of(page_of(compared))["patient"] if word]
    places = [words.index(label) for label in ("before", "after")]
    assert places == sorted(places)
    for place in places:
        assert words[place + 1] == "Mass"
        lacking = words[words.index("Not given", place) + 1]  # what nobody gave takes one row
        assert {"sex", "age"} < set(lacking.split(", "))


@pytest.mark.parametrize(
    ("codes", "words"),
    [
        (["mass-differs"], "stated mass and plates disagree"),
        (["mass-differs", "assigned-astray"], "a plate went to another foot"),
    ],
)
def test_a_cause_is_blamed_before_what_it_makes_of_the_steps(
    report: Report, codes: list[str], words: str
) -> None:
    view = report.views[0]
    trial = view.trials[0]
    status = [{**row, "code": "beside-plates"} for row in trial.document["status"]]
    trial = replace(trial, document={**trial.document, "status": status})
    assert "stood beside" in why_no_loads(replace(view, trials=(trial,)))
    told = [{"code": code, "level": "warning"} for code in codes]
    trial = replace(trial, tables={**trial.tables, "quality": told})
    assert why_no_loads(replace(view, trials=(trial,))) == f"No clean plate step: {words}."


@pytest.mark.parametrize(
    ("value", "scope", "end", "warned"),
    [
        (1.41, "mass_kg", "and the static states 74.0 kg", True),
        (0.30, "plates", "the mass or the gain is wrong", True),
        (0.20, "plates", "the mass or the gain is wrong", False),
        (0.30, "subject", "an aid carries the rest, or the mass is wrong", False),
    ],
)
def test_a_mass_far_from_what_the_plates_carry_is_told_above_the_curves(
    report: Report, value: float, scope: str, end: str, warned: bool
) -> None:
    """A mass typed as 30 kg for 74 gave moments called abnormal, and "usable with care"."""
    view = report.views[0]
    row: dict[str, Any] = {
        "code": "force-against-mass",
        "level": "warning",
        "scope": scope,
        "value": value,
    }
    told = [row | {"message": f"body mass 30.0 kg, but the plates carry 72.4 kg: {end}"}]
    trial = replace(view.trials[0], tables={**view.trials[0].tables, "quality": told})
    notices = {n.title: n.text for n in banners(replace(view, trials=(trial,)))}
    assert ("Check the body mass first" in notices) == warned
    if warned:
        text = notices["Check the body mass first"]
        assert text.startswith("Body mass 30.0 kg, but the plates carry 72.4 kg: ")
        assert text.endswith(f"{end}. Loads per kg are wrong by as much.")


def turning_part(trial: StoredTrial) -> StoredTrial:
    options = trial.document["options"] | {"condition": "turning"}
    return replace(trial, document=trial.document | {"options": options})


def test_strides_that_turn_are_of_the_same_person_and_give_the_visit_no_condition(
    report: Report,
) -> None:
    (group,) = report.groups
    both = replace(report, groups=(group, replace(group, label="turning")))
    assert [label for label, _ in who_rows(both)] == ["", "", "turning"]
    assert [[name for name, _ in rows].count("Not given") for _, rows in who_rows(report)] == [1]
    turned = tuple(turning_part(trial) for trial in group.trials)
    both = replace(report, groups=(group, replace(group, label="turning", trials=turned)))
    assert [label for label, _ in who_rows(both)] == [""]


def test_a_trial_part_of_which_turns_keeps_its_name(report: Report) -> None:
    (trial, *_) = report.groups[0].trials
    straight, turning = Group("", (trial,)), Group("turning", (turning_part(trial),))
    assert title_of([straight, turning], ()) == "walk01, straight and turning"
    assert title_of([straight], ()) == "walk01"
    other = replace(trial, name="walk02", path=trial.path / "other")
    two = replace(straight, trials=(trial, other))
    assert title_of([two, turning], ()) == "2 trials: walk01, walk02, straight and turning"
    sessions = [replace(straight, session="a"), replace(turning, session="b")]
    assert title_of(sessions, ()) == "straight walking against turning"
    before = [replace(straight, label="before"), replace(turning, label="before, turning")]
    after = Group("after", (replace(trial, path=trial.path / "after"),))
    assert title_of([*before, after], ()) == "before against after"


def test_regions_of_a_comparison_have_names_of_their_own(compared: Report) -> None:
    names = re.findall(r'role="region" aria-label="([^"]+)"', page_text(compared))
    drawn = [name for name in names if not name.endswith(", table")]
    assert len(drawn) == len(set(drawn))
    assert {"walk01, before", "walk01, after"} <= set(drawn)


def test_peaks_have_the_published_norm_of_their_set_at_this_speed(report: Report) -> None:
    """The largest value of the mean curve is less than the mean of the largest values."""
    own = {row.title: row for row in peak_rows(report.views[0])}
    assert {row.norm for row in own.values()} == {""}
    view = make_report(report.groups, read_norm("schwartz2008")).views[0]
    norms = {row.title: row.norm for row in peak_rows(view)}
    speeds = values_of(view.trials, "gait_parameters", "speed_nondimensional")
    wanted = expected_peak("ankle_moment_plantarflexion_max", fmean(speeds))
    assert wanted is not None
    assert norms["Plantarflexor"] == f"{wanted.mean:.2f} \u00b1 {wanted.sd:.2f}"
    assert norms["Hip extensor"] == norms["Ankle power, A2"] == "\u2013"
    assert len(norms) == len(own) == 9
    bare = replace(view, bands={n: b for n, b in view.bands.items() if "moment" not in n})
    assert {row.title for row in peak_rows(bare) if "\u00b1" in row.norm} == {"Hip power, H3"}
    children = read_norm("schwartz2008")
    faster = replace(children, groups=children.groups[-1:])  # than this walk
    beyond = replace(view, norm=match_norm(faster, fmean(speeds)))
    rows = peak_rows(beyond)
    assert {row.norm for row in rows} == {"\u2013"}
    assert peak_norm_words(beyond, rows) == "norm: no group is as slow"


def test_peaks_of_the_set_itself_are_those_of_enough_people_at_this_speed(report: Report) -> None:
    """Peaks of free walking stood beside those of a walk without a leg length."""
    view = report.views[0]
    assert view.norm is not None
    speed = fmean(values_of(view.trials, "gait_parameters", "speed_nondimensional"))

    def rows_of(count: int, pace: float) -> tuple[dict[str, str], str]:
        (group,) = report.norms[0].norm.groups[:1]
        number = NormNumber(1.25, 0.125, "W/kg", count)
        group = replace(group, speed=pace, numbers={"ankle_power_a2_peak": number})
        norm = match_norm(replace(report.norms[0].norm, groups=(group,)), speed)
        rows = peak_rows(own := replace(view, norm=norm))
        return {row.title: row.norm for row in rows}, peak_norm_words(own, rows)

    norms, words = rows_of(10, speed)
    assert (norms["Ankle power, A2"], norms["Hip extensor"]) == ("1.25 \u00b1 0.12", "\u2013")
    assert words == "norm: own, at this speed; \u2193 \u2191 more than 2 SD away"
    why = "norm: no group is as slow"
    for count, pace, told in ((9, speed, ""), (10, speed + 0.06, why)):
        norms, words = rows_of(count, pace)
        assert (set(norms.values()), words) == ({"\u2013"}, told)
    children = make_report(report.groups, read_norm("schwartz2008")).views[0]
    words = peak_norm_words(children, peak_rows(children))
    assert words.startswith("norm: children, Schwartz 2008, at this speed")
    assert words in page_text(make_report(report.groups, read_norm("schwartz2008")))


@pytest.mark.parametrize(
    ("mean", "told"),
    [(1.0, "1.00"), (0.81, "0.81"), (0.79, "0.79\u2193"), (1.21, "1.21\u2191"), (None, "\u2013")],
)
def test_a_peak_more_than_two_sd_from_its_norm_has_an_arrow(mean: float | None, told: str) -> None:
    """A lost push-off stood beside the norm of own controls like any other number."""
    assert _flagged(mean, Expected(1.0, 0.1)) == told
    assert _flagged(mean, None) == _flagged(mean, Expected(1.0, 0.0)) == told.rstrip("\u2191\u2193")


def test_a_walk_of_another_condition_than_the_norm_says_so(report: Report) -> None:
    (group,), norm = report.groups, report.norms[0].norm

    def lines(theirs: tuple[str, ...], ours: str) -> list[str]:
        trials = tuple(
            replace(t, document=t.document | {"options": t.document["options"] | {"condition": c}})
            for t, c in ((t, ours) for t in group.trials)
        )
        groups = [replace(group, trials=trials)]
        said = limit_lines(make_report(groups, replace(norm, conditions=theirs)).views[0])
        return [line for line in said if "condition" in line]

    assert lines((), "shod") == lines(("shod", "barefoot"), "Shod") == []
    (other,), (unknown,) = lines(("barefoot",), "shod"), lines(("barefoot",), "")
    start = "The condition of the norm is barefoot, that of this walk is"
    assert other == f"{start} another: a difference may be due to it."
    assert unknown == f"{start} not given: a difference may be due to it."


def test_peaks_of_an_unknown_speed_are_not_held_against_those_of_free_walking(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 0.5 m/s without a leg length a hip power of 0.2 stood beside "0.98 +- 0.33"."""
    view = make_report(report.groups, read_norm("schwartz2008")).views[0]

    def peaks_alone(_: object, table: str, *_rest: str, **_more: bool) -> float | None:
        return 0.2 if table == "peaks" else None

    monkeypatch.setattr("gaitdyn.report.first_screen.shown_peaks.mean_of", peaks_alone)
    assert {row.norm for row in peak_rows(view)} == {""}


def test_without_a_leg_length_the_place_of_its_norm_says_so(report: Report) -> None:
    view = report.views[0]
    (group,) = report.groups
    children = match_norm(read_norm("schwartz2008"), 0.42)
    known = number_rows(group, view.scores, children)
    assert {row.title: row.note for row in known}["GDI*"] == "from GPS, not GDI"
    assert all(row.norm is not None for row in known)
    bare = {**group.trials[0].document, "subject": {"left": {}, "right": {}}}
    alone = replace(group, trials=(replace(group.trials[0], document=bare),))
    told = [row.norm_words for row in number_rows(alone, view.scores, children)]
    assert told[:2] == ["leg length not given"] * 2
    assert [row.norm_words for row in number_rows(alone, None)] == [""] * 4
    assert [row.note for rows in (known, number_rows(alone, None)) for row in rows[:1]] == [
        "m/s, free speed", "m/s",
    ]  # fmt: skip


def aged(report: Report, years: float | None, source: str) -> Report:
    """Return the report of a person of this age against the same set of another source."""
    (group,), norm = report.groups, report.norms[0].norm
    trials = tuple(
        replace(t, document=t.document | {"subject": t.document["subject"] | {"age_years": years}})
        for t in group.trials
    )
    norm = replace(norm, source=source, ages=ages_in("", source))
    return make_report([replace(group, trials=trials)], norm)


CHILDREN = "Schwartz MH; 83 typically developing children of 4 to 17 years"


def test_only_the_set_of_its_people_has_the_published_gps(report: Report) -> None:
    """An own set of 8 people had the norm of Gillette's children, and a class."""
    own, known = (aged(report, 9.0, s).views[0] for s in ("own laboratory, 8 people", CHILDREN))
    mean = f"{norm_gps(own.bands):.1f}"
    rows = {row.title: row for row in own.numbers}
    assert (rows["GPS"].norm, rows["GPS"].norm_words, rows["GDI*"].norm) == (None, mean, None)
    assert rows["GDI*"].norm_words == "not comparable"
    assert f"(GPS: {mean}); this person: 9 years." in age_note(own)
    assert profile_rows(own)[-1][-1] == pytest.approx([1.5])
    assert own.headline.startswith("GPS L ")
    assert "the norm (GPS" in known.headline
    assert "score at free speed (GPS: 5.3, pale to 7.0)" in age_note(known)
    unstated = make_report(report.groups, read_norm("pinzone2014")).views[0]
    assert "score at a speed not stated (" in age_note(unstated)
    rows = {row.title: row for row in known.numbers}
    assert rows["GPS"].norm is not None
    assert rows["GDI*"].norm_words == "100 \u00b1 10"
    ranges = ["in brackets: speed \u00b1 2 SD", "in brackets: speed \u00b1 2 SD, GPS \u00b1 1 SD"]
    assert [ranges_words(view.numbers) for view in (own, known)] == ranges
    assert f"Norm {ranges[1]}" in page_text(aged(report, 9.0, CHILDREN))
    assert f"Norm {ranges[1]}" in [m.text for m in summary_marks(known) if isinstance(m, TextLine)]
    words = [whose_words(view.numbers, 9.0) for view in (own, known)]
    alone = "norm: children, Schwartz 2008"
    assert words == ["speed, step: children, Schwartz 2008; GPS: own", alone]
    assert words[1] in page_text(aged(report, 9.0, CHILDREN))
    assert words[1] in [m.text for m in summary_marks(known) if isinstance(m, TextLine)]


def test_a_set_that_does_not_say_of_how_many_people_says_what_is_assumed(report: Report) -> None:
    """The band is that of 20 people, and the page did not say so."""
    for name, said in (
        ("pinzone2014", ", n not stated (20 assumed); "),
        ("schwartz2008", ", n 82 "),
    ):
        (view,) = make_report(report.groups, read_norm(name)).views
        assert f"{name}.csv{said}" in norm_words(view)


def test_an_adult_against_children_has_no_class_and_the_page_says_so(report: Report) -> None:
    adult = aged(report, 45.0, CHILDREN)
    (view,) = adult.views
    assert view.headline.startswith("The norm is of children. GPS L ")
    assert "the norm (GPS" not in view.headline
    assert limit_lines(view)[0] == (
        "Age 45 years, the norm is of children: a difference may be due to age."
    )
    for row in view.numbers[:2]:
        assert (row.norm, row.norm_words) == (None, "no norm of adults")
    assert whose_words(view.numbers, 45.0) == "norm: children, Schwartz 2008"  # of the GPS
    assert whose_words(aged(report, 45.0, "own laboratory").views[0].numbers, None) == "norm: own"
    for years, source in ((17.5, CHILDREN), (45.0, "own, 20 to 45 years")):
        alike = aged(report, years, source).views[0]
        assert not alike.others
        assert "norm is of" not in " ".join((alike.headline, *limit_lines(alike)))
    unknown = aged(report, None, CHILDREN).views[0]
    assert "norm is of" not in unknown.headline
    assert limit_lines(unknown)[-1] == "Age not given: the norm is of children of 4 to 17 years."


def test_a_page_without_a_set_names_the_one_that_fits_the_age(report: Report) -> None:
    """`gaitdyn report` alone named it; `process` and `batch` left a child without any band."""

    def limits(years: float | None, **words: Any) -> list[str]:
        (group,) = aged(report, years, CHILDREN).groups
        trials = tuple(replace(t, document=t.document | words) for t in group.trials)
        return limit_lines(make_report([replace(group, trials=trials)]).views[0])

    none = "No norm of the curves is given: no curve is judged."
    fits = "At 9 years --norm schwartz2008 fits: children of 4 to 17."
    assert limits(9.0) == [none, fits]
    assert limits(45.0) == limits(None) == limits(9.0, task="running") == [none]


@pytest.mark.parametrize("norm", [None, "schwartz2008"])
def test_published_values_of_children_are_told_as_such_without_an_age(
    report: Report, norm: str | None
) -> None:
    """An adult of unknown age may stand beside them, on the page, on paper and at the peaks."""
    found = make_report(report.groups, None if norm is None else read_norm(norm))
    (view,) = found.views
    told = "norm: children, Schwartz 2008; age not given"
    assert told in page_text(found)
    assert told in [m.text for m in summary_marks(view) if isinstance(m, TextLine)]
    peaks = peak_norm_words(view, peak_rows(view))
    assert "at this speed; age not given" in peaks if norm else not peaks


def test_notes_and_events_stand_folded_under_quality(report: Report) -> None:
    text = page_of(report)
    warnings, _, notes = text.partition("<summary>Notes, gait events, audit of the loads</summary>")
    assert [f"<caption>{t}</caption>" in warnings for t in ("Warnings", "Notes")] == [True, False]
    assert "<caption>Notes</caption>" in notes
    assert "<caption>Gait events</caption>" in notes


def test_without_loads_a_sentence_stands_in_place_of_the_panels(no_plates: Path) -> None:
    report = make_report(read_groups([no_plates]))
    page = Seen(page_of(report))
    assert not any("moment" in name for _, name in page.attributes("data-n"))
    assert "\u2717 No moments and powers" in page.words
    assert page.words.count(f"No kinetics: {report.no_loads}.") == 2


def test_without_a_reference_set_the_page_says_what_is_needed(session: Path) -> None:
    page = Seen(page_text(make_report(read_groups([session]))))
    assert "--norm FILE" in page.words
    assert any("without a norm nothing is called abnormal" in word for word in page.words)
    assert not any("Grey:" in word for word in page.words)


def test_the_page_says_what_the_grey_bands_are(report: Report, inlined: Seen) -> None:
    assert report.norm_words.startswith("Grey: own.csv, mean \u00b1 1 and 2 SD, n 30; ")
    assert any(word.startswith("Norm: own.csv, n 30; ") for word in inlined.words)
    assert any(word.startswith("Grey: the reference people\u2019s score") for word in inlined.words)


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
    page = Seen(page_text(hostile))
    assert len(page.scripts) == 3
    used = {tag for tag, _ in page.tags}
    assert "img" not in used
    assert [found for tag, found in page.tags if tag == "i" and not found] == []
    assert not any(name.startswith("on") for _, found in page.tags for name in found)
    assert HOSTILE in page.words
    assert "<i>bold</i>" in page.words
    names = [f["name"] for v in json.loads(page.scripts[1])["views"] for f in v["figures"]]
    assert names[0].startswith("<script>alert(1)"[:8]) or HOSTILE[:2] in names[0]


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


def test_every_curve_has_its_verdict_and_what_is_not_shown_its_limit(
    report: Report, compared: Report
) -> None:
    tables = [*verdict_tables(report), *verdict_tables(compared)]
    assert [table.title for table in tables][:1] == ["Curves against the norm"]
    assert any(table.title.startswith("Changes from before to") for table in tables)
    for table in tables:
        assert len(table.rows) > 10
        for _, word, sentence in table.rows:
            limit = re.search("(shown from|: less than the) [0-9]", sentence) is not None
            assert limit == (word == "not shown"), sentence
    count = len(report.views[0].findings)
    assert f"All {count} curves against the norm" in page_of(report)
    for one in (report, compared):
        text = page_of(one)
        rows = [row for table in verdict_tables(one) for row in table.rows]
        told = [re.split(": (?:left|right): ", row[2])[0] for row in rows]  # or their reason alone
        assert [words for words in told if escape(words) not in text] == []


def test_curves_that_nobody_can_judge_for_one_reason_share_a_row(report: Report) -> None:
    (one, *_) = report.views[0].findings
    few = [
        replace(one, side=side, curve=curve, word="not judged", reason="one stride")
        for side, curve in (("left", "knee_power"), ("left", "hip_power"), ("right", "grf_y"))
    ]
    other = replace(few[0], reason="no stride", sentence="left knee power: not judged")
    assert verdict_rows([*few, other]) == (
        (
            "3 curves", "not judged",
            "one stride: left: knee power, hip power; right: ground force upward",
        ),
        ("left knee power", "not judged", "left knee power: not judged"),
    )  # fmt: skip


def test_a_list_without_findings_says_that_none_is_far_out(report: Report) -> None:
    view = replace(report.views[0], largest=())
    assert shown_findings(view) == ()
    assert no_finding_words(view).startswith("None lies 1 SD or more from the norm")
