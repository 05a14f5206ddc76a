"""What a report says: verdict, reasons, cycles, speed, and trials that lack something."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.plots.marks import TextLine
from gaitdyn.plots.render import write_pdf
from gaitdyn.report import Group, Report, make_report, read_groups
from gaitdyn.report.contents import (
    TextTable,
    different_subjects,
    headline,
    missing_kinetics,
    speed_words,
    subject_facts,
    trimmed,
)
from gaitdyn.report.numbers import decimal, mean_sd
from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.annex import annex_sheets
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.report.strides import cycles_used, kinetic_cycles, rows_of, values_of
from tests.unit import report_cases as build
from tests.unit.test_sagittal import dressed, planar_walker, processed
from tests.walks import walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.store.stored import StoredTrial

FOOT = "the foot stands where no plate measures its force"


@pytest.fixture(autouse=True)
def as_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that a test changes in a folder are the trial's."""
    monkeypatch.setattr("gaitdyn.report.reading.read_trial", build.edited)


def with_findings(folder: Path, verdict: str, *found: tuple[str, str]) -> StoredTrial:
    """Give a results folder another verdict and other findings."""

    def change(document: Any) -> None:
        document["verdict"] = verdict
        document["status"] = []

    build.change_json(folder / "result.json", change)
    lines = ["level,code,scope,value,limit,message"]
    lines += [f"{level},a-code,trial,,,{message}" for level, message in found]
    (folder / "quality.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    return build.edited(folder)


@pytest.fixture
def doubtful(session: Path, tmp_path: Path) -> Report:
    """Two trials: one to check, one that failed, with a reason in common."""
    first, second = (build.copied(session / n, tmp_path / n) for n in ("walk01", "walk02"))
    with_findings(first, "check", ("warning", "both"), ("warning", "one"), ("info", "quiet"))
    with_findings(second, "fail", ("warning", "both"), ("error", "grave"), ("warning", "both"))
    return make_report(read_groups([first, second]))


# ---------------------------------------------------------------- verdict and reasons


def test_the_verdict_is_the_worst_of_all_trials(doubtful: Report) -> None:
    assert doubtful.headline.verdict == "fail"
    first, _ = doubtful.groups[0].trials
    assert headline([type(doubtful.groups[0])("", (first,))]).verdict == "check"


def test_a_reason_stands_once_the_gravest_first_with_the_trials_that_have_it_alone(
    doubtful: Report,
) -> None:
    assert doubtful.headline.reasons == ("walk02: grave", "both", "walk01: one")


def test_trials_of_one_name_in_two_sessions_are_two_trials(session: Path, later: Path) -> None:
    report = make_report(read_groups([session / "walk01", later / "walk01"], compare=True))
    assert report.headline.reasons[0] == f"no full kinetics in right cycle 1: {FOOT}"


@pytest.mark.parametrize(
    ("count", "told"),
    [(2, ("reason 0", "reason 1")), (9, ("reason 0 (and 8 more findings of a-code)",))],
)
def test_many_findings_of_one_code_are_counted_and_all_are_in_the_table(
    session: Path, tmp_path: Path, count: int, told: tuple[str, ...]
) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    reasons = [f"reason {i}" for i in range(count)]
    trial = with_findings(folder, "check", *(("warning", reason) for reason in reasons))
    report = make_report(read_groups([trial.path]))
    assert report.headline.reasons == told
    (table,) = [table for table in report.quality if table.title == "Warnings"]
    assert [reason for row in table.rows for reason in row if reason in reasons] == reasons


def test_missing_kinetics_name_side_cycles_and_reason(session: Path, one_sided: Path) -> None:
    trial = build.edited(session / "walk01")
    assert missing_kinetics(trial) == [f"no full kinetics in right cycle 1: {FOOT}"]
    assert f"no full kinetics in right cycle 1: {FOOT}" in " ".join(
        make_report(read_groups([session])).headline.reasons
    )
    assert missing_kinetics(build.edited(one_sided)) == []
    for row in trial.document["status"]:
        row["status"], row["reason"] = "skipped", "why"
    assert missing_kinetics(trial) == [
        "no full kinetics in left cycles 1, 2: why",
        "no full kinetics in right cycles 1, 2: why",
    ]


def test_cycles_count_as_kinetic_when_all_joints_are_known(session: Path) -> None:
    trial = build.edited(session / "walk01")
    assert kinetic_cycles(trial, "left") == [1, 2]
    assert kinetic_cycles(trial, "right") == [2]
    row = next(r for r in trial.document["status"] if (r["side"], r["joint"]) == ("left", "hip"))
    row["status"] = "partial"
    assert kinetic_cycles(replace(trial), "left") == [2]


def others(trial: StoredTrial, **told: Any) -> StoredTrial:
    """Return the trial of another subject."""
    return replace(trial, document=trial.document | {"subject": told})


@pytest.mark.parametrize(
    ("one", "two", "wanted"),
    [
        ({"mass_kg": 60.0}, {"mass_kg": 62.0}, ""),
        ({"mass_kg": 60.0}, {"mass_kg": 62.5}, "body mass 60.0 to 62.5 kg"),
        ({"mass_kg": 60.0}, {"mass_kg": None}, ""),
        ({"height_m": 1.5}, {"height_m": 1.52}, ""),
        ({"height_m": 1.54}, {"height_m": 1.5}, "height 1.50 to 1.54 m"),
        ({"id": "P2"}, {"id": "P1"}, "P1, P2"),
        ({"id": "P1"}, {"id": "P1"}, ""),
        ({"id": "P1"}, {"id": None}, ""),
        ({"id": "P1"}, {"id": ""}, ""),
        ({"id": "P1"}, {}, ""),
    ],
)
def test_pooled_trials_of_different_subjects_are_no_use(
    session: Path, one: Any, two: Any, wanted: str
) -> None:
    trial, second = (build.edited(session / name) for name in ("walk01", "walk02"))
    group = Group("", (others(trial, **one), others(second, **two)))
    text = f"trials of different subjects are pooled: {wanted}" if wanted else ""
    assert different_subjects(group) == text
    found = headline([group])
    assert found.verdict == ("fail" if wanted else trial.document["verdict"])
    assert (found.reasons[:1] == (text,)) == bool(wanted)
    told = dict(subject_facts(group.trials))
    assert told == {"Subject": f"several people ({wanted})"} if wanted else "Mass" in told
    apart = [Group("one", group.trials[:1]), Group("two", group.trials[1:])]
    assert headline(apart).verdict == trial.document["verdict"]


def test_the_subject_of_each_group_is_told_under_its_label(session: Path) -> None:
    trial = build.edited(session / "walk01")
    groups = [
        Group("before", (others(trial, mass_kg=30.0),)),
        Group("after", (others(trial, mass_kg=41.5),)),
    ]
    found = [(label, dict(facts)["Mass"]) for label, facts in headline(groups).subject]
    assert found == [("before", "30 kg"), ("after", "41.5 kg")]


def test_few_cycles_with_all_moments_are_a_reason(session: Path, no_plates: Path) -> None:
    trial = build.edited(session / "walk01")
    few = "few cycles with all moments"
    assert headline([Group("", (trial,))]).reasons[-1] == (
        f"{few}: left 2, right 1; at least 3 are usual"
    )
    pooled = headline([Group("before", (trial,)), Group("after", (trial,) * 3)])
    assert [text for text in pooled.reasons if text.startswith(few)] == [
        f"{few} (before): left 2, right 1; at least 3 are usual"
    ]
    none = headline([Group("", (build.edited(no_plates),))])
    assert not any(text.startswith(few) for text in none.reasons)


def test_a_cycle_with_a_partial_joint_is_not_whole(session: Path) -> None:
    trial = build.edited(session / "walk01")
    loads = [d.name for d in DEFINITIONS if d.unit != "deg"]
    name = next(n for n in loads if len(rows_of([trial], "peaks", n)) == 4)
    whole = rows_of([trial], "peaks", name, kinetic=True)
    assert [(row["side"], row["cycle"]) for row in whole] == [
        ("left", "1"), ("left", "2"), ("right", "2"),
    ]  # fmt: skip
    for row in trial.document["status"]:
        if (row["side"], row["cycle"]) == ("left", 1):
            row["status"] = "partial" if row["joint"] == "knee" else "ok"
    trial = replace(trial)
    assert [row["cycle"] for row in rows_of([trial], "peaks", name, "left", kinetic=True)] == ["2"]
    assert [row["cycle"] for row in rows_of([trial], "peaks", name, "left")] == ["1", "2"]


# ---------------------------------------------------------------- tables


def test_columns_that_say_nothing_are_left_out() -> None:
    rows = (("", "walk01", "a", ""), ("", "walk01", "", ""))
    table = TextTable("T", ("Level", "Trial", "About", "Code"), rows, ("note",), prose=True)
    found = trimmed(table)
    assert found == TextTable("T", ("Level", "About"), (("", "a"), ("", "")), ("note",), prose=True)
    two = replace(table, rows=(rows[0], ("", "walk02", "", "")))
    assert trimmed(two).columns == ("Level", "Trial", "About")
    assert trimmed(two).rows[1] == ("", "walk02", "")
    assert trimmed(replace(table, rows=())) == replace(table, rows=())


def test_columns_of_one_name_are_kept_or_left_out_apart() -> None:
    table = TextTable("T", ("Q", "L", "at %", "R", "at %"), (("q", "1", "5", "\u2013", ""),))
    assert trimmed(table).columns == ("Q", "L", "at %", "R")
    assert trimmed(table).rows == (("q", "1", "5", "\u2013"),)


def test_the_name_of_a_single_trial_is_left_out_of_quality(session: Path) -> None:
    one = make_report(read_groups([session / "walk01"]))
    two = make_report(read_groups([session]))
    status, _, contacts = one.quality
    assert (status.columns[0], contacts.columns[0]) == ("Side", "Plate")
    assert {"walk01", "walk02"} == {row[0] for row in two.quality[0].rows}
    assert two.quality[0].columns[0] == "Trial"


# ---------------------------------------------------------------- words


def test_cycles_used_counts_both_sides_over_all_trials(session: Path, one_sided: Path) -> None:
    one = build.edited(session / "walk01")
    assert cycles_used([one]) == (
        "left 2, 2 of them with all leg angles and 2 with all moments;"
        " right 2, 2 of them with all leg angles and 1 with all moments"
    )
    assert cycles_used([one, one]).startswith(
        "left 4, 4 of them with all leg angles and 4 with all moments;"
    )
    assert cycles_used([build.edited(one_sided)]).endswith("; right none")


def test_speed_is_the_mean_over_the_cycles_of_both_sides(session: Path) -> None:
    trial = build.edited(session / "walk01")
    rows = build.rows_of(session / "walk01" / "gait_parameters.csv")
    speed = [float(r["value"]) for r in rows if r["quantity"] == "speed"]
    number = [float(r["value"]) for r in rows if r["quantity"] == "speed_nondimensional"]
    assert len(speed) == 4
    said = speed_words([trial])
    mean, spread = said.partition(" m/s")[0].split(" \u00b1 ")
    assert float(mean) == pytest.approx(fmean(speed), abs=0.005)
    assert float(spread) == pytest.approx(stdev(speed), rel=0.5)
    assert said.endswith(f" m/s; {fmean(number):.3f} of \u221a(g \u00d7 leg length)")
    trial.tables["gait_parameters"][:] = [
        r for r in trial.tables["gait_parameters"] if r["quantity"] != "speed_nondimensional"
    ]
    assert speed_words([replace(trial)]).endswith(" m/s")
    trial.tables["gait_parameters"].clear()
    assert speed_words([replace(trial)]) == "not known: no complete gait cycle"


def test_values_leave_empty_ones_out_and_keep_sides_apart(session: Path) -> None:
    trial = build.edited(session / "walk01")
    name = next(r["quantity"] for r in trial.tables["peaks"] if not r["value"])
    both = values_of([trial], "peaks", name)
    left, right = (values_of([trial], "peaks", name, side) for side in ("left", "right"))
    assert (len(left), len(right)) == (2, 1)
    assert both == left + right


@pytest.mark.parametrize(
    ("value", "digits", "sign", "wanted"),
    [
        (-0.0, 2, "", "0.00"),
        (-0.004, 2, "", "0.00"),
        (-0.006, 2, "", "\u22120.01"),
        (-0.004, 2, "+", "0.00"),
        (12.345, 0, "", "12"),
        (1234.5, 1, "+", "+1234.5"),
        (-1e-9, 3, "", "0.000"),
    ],
)
def test_a_decimal_has_a_true_minus_and_no_negative_zero(
    value: float, digits: int, sign: str, wanted: str
) -> None:
    assert decimal(value, digits, sign) == wanted


def test_mean_and_sd_of_many_of_one_and_of_none() -> None:
    assert mean_sd([-1.0, -3.0, -2.0], 1) == "\u22122.0 \u00b1 1.0"
    assert mean_sd([-0.001, 0.0, 0.001]) == "0.000 \u00b1 0.001"
    assert mean_sd([0.1 + 0.2, 0.3, 0.3]) == "0.30 \u00b1 0.00"  # rounding is no spread
    assert mean_sd([1.2, 1.0]) == "1.10 (1.20; 1.00)"
    assert mean_sd([-1.0, 0.96], 1) == "0.0 (\u22121.0; 1.0)"
    assert mean_sd([-2.0]) == "\u22122.00"
    assert mean_sd([]) == "\u2013"


def test_who_was_measured_is_told_in_units_of_the_clinic(session: Path) -> None:
    trial = build.edited(session / "walk01")
    trial.document["subject"] |= {"id": None, "sex": "f", "age_years": 12.0, "mass_kg": 31.25}
    trial.document["subject"] |= {"height_m": None, "left": {"leg_length_m": 0.7312}, "right": None}
    assert dict(subject_facts([trial])) == {
        "Pseudonym": "not given",
        "Sex": "female",
        "Age": "12 years",
        "Mass": "31.2 kg",
        "Height": "not given",
        "Leg length": "left 731 mm, right not given",
    }


# ---------------------------------------------------------------- trials that lack something


def every_sheet(report: Report) -> list[Sheet]:
    return [*clinic_sheets(report), *annex_sheets(report)]


def texts(report: Report) -> str:
    """Make the page and the PDF, and return the words of all pages."""
    assert page_text(report).endswith("</html>")
    sheets = every_sheet(report)
    stream = BytesIO()
    write_pdf(sheets[:1], stream, report.title)
    assert stream.getvalue().startswith(b"%PDF")
    return " ".join(m.text for s in sheets for m in s.marks if isinstance(m, TextLine))


def test_a_trial_without_plates_and_mass_has_kinematics_and_says_so(
    no_plates: Path, norm_file: Path
) -> None:
    groups = read_groups([no_plates])
    report = make_report(groups, read_norm(norm_file))
    facts = dict(report.headline.facts)
    assert facts["Cycles"].startswith("left 2, 2 of them with all leg angles and none")
    ((label, subject),) = report.headline.subject
    assert (label, dict(subject)["Mass"]) == ("", "not given")
    assert not report.has_loads
    assert not report.views[0].has_loads
    assert all("Moments" not in table.title for table in report.bursts)
    words = texts(report)
    assert f"No kinetics: {report.no_loads}." in words
    assert report.no_loads == groups[0].trials[0].document["kinetics"]
    assert "No moments and powers" in words
    assert "NaN" not in words
    assert "nan" not in words.split()


def test_a_trial_without_a_complete_cycle_has_a_report_that_says_so(
    no_cycle: Path, norm_file: Path
) -> None:
    groups = read_groups([no_cycle])
    report = make_report(groups, read_norm(norm_file))
    assert dict(report.headline.facts) == {
        "Cycles": "left none; right none",
        "Speed": "not known: no complete gait cycle",
    }
    assert report.parameters[0].rows == ()
    assert set(report.scores[0].rows[0][1:]) == {"\u2013"}
    assert report.views[0].curves == {}
    page = page_text(report)
    assert "No complete stride is known: nothing is judged." in page
    assert "Nothing lies further" not in page
    words = texts(report)
    assert "not known: no complete gait cycle" in words
    assert "left none; right none" in words


def test_a_one_sided_trial_has_dashes_on_the_other_side(one_sided: Path, norm_file: Path) -> None:
    groups = read_groups([one_sided])
    report = make_report(groups, read_norm(norm_file))
    for row in report.parameters[0].rows:
        assert row[1] != "\u2013"
        assert row[2:4] == ("\u2013", "\u2013")
    assert all(row[3] == "\u2013" for table in report.bursts for row in table.rows)
    gps = report.scores[0].rows[0]
    assert gps[2:] == ("\u2013", "\u2013")
    assert {side for side, _ in report.views[0].curves} == {"left"}
    assert "right none" in texts(report)


def test_a_trial_of_the_sagittal_model_has_a_report(tmp_path: Path, norm_file: Path) -> None:
    trial = dressed(walk(planar_walker()))
    result = processed(tmp_path, trial)
    groups = read_groups([build.written(result, tmp_path / "walk.c3d", tmp_path / "out")])
    report = make_report(groups, read_norm(norm_file))
    names = {row[0] for table in report.bursts for row in table.rows}
    assert any("flexion" in name for name in names)
    assert not any("adduction" in name for name in names)
    assert report.scores[0].rows[0][1].startswith("\u2013")
    profile = {row[0]: row[1] for row in report.scores[1].rows}
    assert float(profile["Knee flexion"].split()[0]) >= 0.0
    assert profile["Hip adduction"].startswith("\u2013")
    assert np.isfinite(groups[0].trials[0].cycles[0].curve("knee_angle_flexion")).all()
    assert "Hip rotation" in texts(report)
