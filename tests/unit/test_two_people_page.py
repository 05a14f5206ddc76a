"""A page of two people: a box, the curves of both, their own data, and no change."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaitdyn.judge.largest import MOST
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.plots.marks import Sheet, TextLine
from gaitdyn.report import make_report, pooled
from gaitdyn.report.compared.comparison import comparisons_of, opens_with
from gaitdyn.report.compared.groups import compared_groups, firsts_of_groups
from gaitdyn.report.first_screen.since import since_lines
from gaitdyn.report.groups import Group
from gaitdyn.report.page.document import listed, page_text
from gaitdyn.report.paper.clinic import clinic_sheets, other_sheets
from gaitdyn.report.patient import fact_line, sheet_facts
from gaitdyn.report.report import Report
from gaitdyn.report.series import series_of
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.norms import Norm
from tests.unit import report_cases as build

TALL: dict[str, Any] = {"mass_kg": 74.0, "height_m": 1.76}
SMALL: dict[str, Any] = {"mass_kg": 47.5, "height_m": 1.505}


@pytest.fixture(scope="module")
def trial(session: Path) -> StoredTrial:
    return build.edited(session / "walk01")


def of(trial: StoredTrial, **subject: Any) -> StoredTrial:
    person = trial.document["subject"] | subject
    return replace(trial, document=trial.document | {"subject": person})


def compared(trial: StoredTrial, *subjects: dict[str, Any], norm: Norm | None = None) -> Report:
    numbers = range(1, len(subjects) + 1)
    visits = [
        replace(of(trial, id=None, **subject), path=trial.path.parent / f"walk0{i}")
        for subject, i in zip(subjects, numbers, strict=True)
    ]
    named = zip(visits, (f"V{i}" for i in numbers), strict=True)
    return make_report([group for one, name in named for group in pooled([one], name)], norm)


def test_two_people_get_a_box_and_no_change(trial):
    report = compared(trial, TALL, SMALL)
    text = page_text(report)
    assert "<h2>\u2717 V1 and V2: two people</h2>" in text
    assert "of two people (74 kg and 47.5 kg, 1.76 m and 1.505 m): no change is judged" in text
    assert "Means are not judged." in text
    assert 'class="since"' not in text
    assert "<h1>V1 and V2</h1>" in text
    assert {f.word for f in report.judgement.pairs[0].findings} == {"not judged"}
    printed = str(clinic_sheets(report)[0].marks)
    assert "V1 and V2: two people" in printed
    assert "Since" not in printed
    assert "Since last time" not in text


def test_one_person_gets_no_box(trial):
    text = page_text(compared(trial, TALL, TALL))
    assert 'class="since"' in text
    assert "two people" not in text


def test_a_doubt_is_asked_on_the_first_screen(trial):
    report = compared(trial, TALL, TALL | {"mass_kg": 55.0})
    assert "V1 and V2: one person? Is this one person (74 kg and 55 kg)?" in " ".join(
        texts_of(clinic_sheets(report)[0])
    )
    text = page_text(report)
    assert "<h2>! V1 and V2: one person?</h2>" in text
    assert "Is this one person (74 kg and 55 kg)?" in text
    assert 'class="since"' in text


def test_visits_of_one_person_are_compared(trial):
    assert compared(trial, TALL, TALL, TALL).title == "3 compared: V1, V2, V3"


def test_persons_of_one_session_are_not_each_others_change(trial):
    report = make_report(pooled([of(trial, **TALL), of(trial, **TALL | {"mass_kg": 70.0})]))
    text = page_text(report)
    assert "Person 1 and Person 2: two people" in text
    assert "These trials are of two people (body mass 70.0 to 74.0 kg)" in text
    assert 'class="since"' not in text
    assert 'id="compare"' not in text  # nobody asked to see them side by side
    assert "Changes from" not in text
    assert (report.changes, report.peak_changes) == ((), ())
    assert {table.title for table in report.parameters} == {
        "Gait parameters, Person 1", "Gait parameters, Person 2",
    }  # fmt: skip
    assert report.judgement.changes is None  # no change.csv
    assert not any("Comparison" in str(sheet.marks) for sheet in clinic_sheets(report))


def test_conditions_are_compared_for_each_person_of_a_session(trial, norm_file):
    people = [TALL, TALL | {"mass_kg": 70.0}]
    walks = [in_condition(of(trial, **one), way) for one in people for way in ("barefoot", "shod")]
    report = make_report(pooled(walks), read_norm(norm_file))
    labels = [f"Person {i}, {way}" for i in (1, 2) for way in ("barefoot", "shod")]
    assert [view.label for view in report.views] == labels
    assert [(c.before, c.after) for c in comparisons_of(report)] == [
        tuple(labels[:2]), tuple(labels[2:]),
    ]  # fmt: skip
    assert [pair.whose.two for pair in report.judgement.pairs] == [False, True, False]
    assert [listed(report, i) > 0 for i in range(4)] == [True] * 4
    text = page_text(report)
    assert f"{labels[0]} and {labels[2]}: two people" in text


def test_a_condition_is_compared_with_itself_at_the_visit_before(trial):
    """The page of "after, AFO" opened with the change since "before, barefoot"."""
    shown = [(visit, way) for visit in ("before", "after", "later") for way in ("barefoot", "AFO")]
    groups = [
        Group(f"{visit}, {way}", (in_condition(of(trial, **TALL, id="P1"), way),), visit)
        for visit, way in (*shown, ("later", "shoes"))
    ]
    assert [first for first, _ in firsts_of_groups(groups)] == [0, 0, 1, 0, 1, 0]
    assert not any(check.differences for _, check in firsts_of_groups(groups))


def test_tables_and_gps_lines_compare_the_groups_that_the_curves_compare(trial, norm_file):
    """They went from "before, barefoot" to every other group: surgery and orthosis in one."""
    groups = []
    for visit in ("before", "after"):
        files = [file | {"sha256": f"{visit} {file['name']}"} for file in trial.document["inputs"]]
        walked = replace(trial, document=trial.document | {"inputs": files})
        for way in ("barefoot", "AFO"):
            walks = (in_condition(of(walked, **TALL, id="P1"), way),)
            groups.append(Group(f"{visit}, {way}", walks, visit))
    report = make_report(groups, read_norm(norm_file))
    pairs = [(c.before, c.after) for c in comparisons_of(report)]
    assert pairs[-1] == ("before, AFO", "after, AFO")
    assert [t.title for t in report.changes] == [f"Gait parameters, {a} to {b}" for a, b in pairs]
    assert {t.title.split(", ", 1)[1] for t in report.peak_changes} == {
        f"{a} to {b}" for a, b in pairs
    }
    lines = [note for note in report.scores[0].notes if note.startswith("Overall GPS changes")]
    for line, (before, after) in zip(lines, pairs, strict=True):
        assert f"deg from {before} to {after}: " in line
        second = before.partition(",")[0] != after.partition(",")[0]
        assert ("that a second session causes by itself" in line) == second


def test_strides_that_turn_are_compared_with_the_straight_ones_of_their_own_visit(trial):
    ways = ("", "turning", "AFO", "AFO, turning")
    groups = [
        Group(f"{visit} {way}", (in_condition(of(trial, **TALL), way),), visit)
        for visit in ("before", "after") for way in ways
    ]  # fmt: skip
    firsts = [first for first, _ in firsts_of_groups(groups)]
    assert compared_groups(groups, firsts) == (
        (0, 1), (0, 2), (2, 3), (0, 4), (4, 5), (2, 6), (6, 7),
    )  # fmt: skip
    alone = groups[1::4]  # nobody walks straight
    assert compared_groups(alone, [f for f, _ in firsts_of_groups(alone)]) == ((0, 1),)


def test_the_change_of_one_person_is_not_told_on_the_page_of_another(trial, norm_file):
    """The page opens with person 2; it began with what changed in person 1."""
    one, two = TALL, TALL | {"mass_kg": 70.0}
    walks = [in_condition(of(trial, **one), way) for way in ("barefoot", "shod")]
    report = make_report(pooled([*walks, of(trial, **two)]), read_norm(norm_file))
    assert [view.label for view in report.views] == [
        "Person 1, barefoot", "Person 1, shod", "Person 2",
    ]  # fmt: skip
    assert since_lines(report) == ()
    assert 'class="since"' not in page_text(report)
    texts = [texts_of(sheet) for sheet in clinic_sheets(report)]
    assert any("70 kg" in text for text in texts[0])
    compared = [words for words in texts if any(w.startswith("Comparison") for w in words)]
    assert compared
    for words in compared:
        assert not any("70 kg" in text for text in words)
        assert any("several people" in text for text in words)


def test_compared_sheets_name_the_norm_behind_their_curves(trial, norm_file):
    report = compared(trial, TALL, TALL, norm=read_norm(norm_file))
    first, second = report.views
    assert first.norm is not None
    slow = replace(first, norm=replace(first.norm, note="matched to a slow walk"))
    report = replace(report, views=(slow, second))
    sheets = [texts_of(sheet) for sheet in clinic_sheets(report)]
    told = [
        any(w.startswith("Comparison") for w in words)
        for words in sheets
        if any("matched to a slow walk" in text for text in words)
    ]
    assert told == [True] * 4


def texts_of(sheet: Sheet) -> list[str]:
    return [mark.text for mark in sheet.marks if isinstance(mark, TextLine)]


def in_condition(trial: StoredTrial, condition: str) -> StoredTrial:
    options = trial.document["options"] | {"condition": condition}
    return replace(trial, document=trial.document | {"options": options})


def test_each_person_of_a_session_has_findings(trial, norm_file):
    people = [of(trial, **TALL), of(trial, **TALL | {"mass_kg": 70.0})]
    report = make_report(pooled(people), read_norm(norm_file))
    assert listed(report, 0) == listed(report, 1) == MOST
    visits = compared(trial, TALL, SMALL, norm=read_norm(norm_file))
    assert listed(visits, 1) == MOST // 2  # beside the comparison


def test_a_page_of_one_folder_opens_with_the_person_of_most_trials(trial):
    other = replace(of(trial, **SMALL), path=trial.path.parent / "stray")
    walks = [replace(of(trial, **TALL), path=trial.path.parent / f"w{i}") for i in range(3)]
    report = make_report(pooled([walks[0], other, *walks[1:]]))
    assert [len(view.trials) for view in report.views] == [3, 1]
    assert opens_with(report) == 0
    line = fact_line(report)
    assert "Person 1: 74 kg" in line
    assert "Person 2: 47.5 kg" in line
    assert "Person 1: walk01, walk01, walk01; Person 2: walk01." in page_text(report)
    assert opens_with(make_report(pooled([walks[0], other]))) == 1


def test_every_sheet_has_the_data_of_its_own_visit(trial):
    report = compared(trial, TALL, SMALL)
    both = fact_line(report)
    assert "V1: 74 kg, 1.76 m \u00b7 V2: 47.5 kg, 1.505 m" in both
    own = [fact_line(report, view) for view in report.views]
    assert both.endswith("not given: age, sex, date, condition")  # each lack once, at the end
    assert ["74 kg \u00b7 1.76 m" in line for line in own] == [True, False]
    assert ["47.5 kg \u00b7 1.505 m" in line for line in own] == [False, True]
    text = page_text(report)
    for line, label in zip(own, ("V1", "V2"), strict=True):
        assert f"<span>{line} \u00b7 {label}</span>" in text
    assert "74 kg \u00b7 1.76 m" in str(other_sheets(report)[0].marks)
    assert "47.5 kg \u00b7 1.505 m" in str(clinic_sheets(report)[0].marks)


def test_a_header_of_three_people_or_more_names_none_of_them(trial):
    report = compared(trial, TALL, SMALL, SMALL | {"height_m": 1.3})
    assert fact_line(report) == "several people \u00b7 not given: age, sex, date, condition"
    assert fact_line(report, report.views[1]).startswith("47.5 kg \u00b7 1.505 m")
    assert report.title == "3 shown: V1, V2, V3"
    assert series_of(report) is None  # nothing of different people runs over time
    last = [m.text for m in clinic_sheets(report)[-1].marks if isinstance(m, TextLine)]
    assert [text for text in last if text in ("V1", "V2", "V3")] == ["V1", "V2", "V3"]
    assert [text for text in last if text.startswith("1.")] == ["1.76 m", "1.505 m", "1.30 m"]
    names = [f"visit of {year}" for year in (2023, 2024, 2025)]
    groups = [replace(g, label=name) for g, name in zip(report.groups, names, strict=True)]
    assert make_report(groups).title == "3 shown: visit of 2023 \u2026 visit of 2025"


def test_a_copy_is_said_to_be_one_and_not_somebody_else(trial):
    text = page_text(make_report(pooled([trial, replace(trial, name="again")])))
    assert "One recording, more than once" in text
    assert "walk01 is here twice (also as again); its strides count once" in text
    assert "do not belong together" not in text


def test_a_sheet_names_its_condition_once(trial):
    options = [trial.document["options"] | {"condition": word} for word in ("bare", "shod")]
    trials = [replace(trial, document=trial.document | {"options": one}) for one in options]
    report = make_report(pooled(trials))
    told = [sheet_facts(report, view) for view in report.views]
    assert [line.count("bare") for line in told] == [1, 0]
    assert [line.count("shod") for line in told] == [0, 1]


def test_scores_of_two_people_are_no_change(trial, norm_file):
    for other, told in ((TALL, True), (SMALL, False)):
        report = compared(trial, TALL, other, norm=read_norm(norm_file))
        notes = " ".join(note for table in report.scores for note in table.notes)
        assert ("Overall GPS changes" in notes) == told
