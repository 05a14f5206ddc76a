"""Tables of numbers and scores: the same numbers as the CSV files, left and right apart."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from functools import cache
from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.metrics.healthy import reference_facts
from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.peak_definitions import DEFINITIONS
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.report import Group, Report, make_report, read_groups
from gaitdyn.report.first_screen.profile import profile_rows
from gaitdyn.report.first_screen.walk_norms import WalkNorms
from gaitdyn.report.first_screen.wording import TITLES
from gaitdyn.report.strides import kinetic_cycles, values_of
from gaitdyn.report.tables.number_changes import parameter_changes, peak_changes
from gaitdyn.report.tables.numbers import parameter_table, peak_tables, when
from gaitdyn.report.tables.quality import (
    audit_table,
    contacts_table,
    events_table,
    findings_table,
    status_table,
)
from gaitdyn.report.tables.scores import group_scores, score_tables
from gaitdyn.types.norms import MatchedNorm, Norm, NormGroup, NormNumber
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.report.contents import TextTable

DASH, MINUS = "\u2013", "\u2212"
DIGITS = {"deg": 1, "%": 1, "steps/min": 1, "": 3, "m": 3, "s": 3, "J/kg": 3}
DIGITS |= {"N m s/kg": 3, "N s/kg": 3}
BY_HAND = {  # quantity -> left, right
    "speed": ((1.0, 1.2), (1.1,)),
    "step_length": ((0.5,), (0.75, 0.75)),
    "foot_off": ((60.0, 61.0, 62.0), (60.0, 61.0, 62.0)),
    "step_width": ((0.0,), (0.0,)),
}


@pytest.fixture(autouse=True)
def as_edited(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that a test changes in a folder are the trial's."""
    monkeypatch.setattr("gaitdyn.report.reading.read_trial", build.edited)


def by_hand(folder: Path, table: str, numbers: Any, percent: str = "") -> None:
    """Replace a table of values by some that are known."""
    lines = ["side,cycle,quantity,value,unit,percent"]
    for name, sides in numbers.items():
        for side, values in zip(("left", "right"), sides, strict=True):
            lines += [f"{side},{i},{name},{v},,{percent}" for i, v in enumerate(values, 1)]
    (folder / f"{table}.csv").write_text("\n".join([*lines, ""]), encoding="utf-8")


@pytest.fixture
def group(session: Path, tmp_path: Path) -> Group:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    by_hand(folder, "gait_parameters", BY_HAND)
    return Group("", (build.edited(folder),))


def row_of(table: TextTable, name: str, lines: Any = PARAMETERS) -> tuple[str, ...]:
    title = next(line.title for line in lines if line.name == name)
    (row,) = (row for row in table.rows if row[0] == title or row[0].startswith(f"{title} ("))
    return row


def told(values: list[float], digits: int) -> str:
    """Return mean and SD as a table has it, made another way."""
    if not values:
        return DASH
    if len(values) > 2 and stdev(values) > 1e-9:  # the SD is never a row of zeros
        digits = max(digits, -Decimal(stdev(values) * 2).adjusted())
    text, *each = (written(value, digits) for value in (fmean(values), *values))
    if len(values) == 1:
        return text
    return (
        f"{text} ({each[0]}; {each[1]})"
        if len(values) == 2
        else f"{text} \u00b1 {stdev(values):.{digits}f}"
    )


def written(value: float, digits: int) -> str:
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if not float(text) else text.replace("-", MINUS)


def about(times: list[float]) -> list[float]:
    """Return what a table tells of times: their mean round the cycle, or the least and the last."""
    if not times:
        return []
    shifts = [t - 100.0 if t - min(times) > 50.0 else t for t in times]
    apart = max(shifts) - min(shifts) > 10.0
    return [min(times), max(times)] if apart else [fmean(shifts) % 100.0]


@cache
def full(folder: Path) -> set[tuple[str, str]]:
    """Return side and number of the cycles without any row of status that is not ok."""
    status = json.loads((folder / "result.json").read_text(encoding="utf-8"))["status"]
    lacking = {(row["side"], str(row["cycle"])) for row in status if row["status"] != "ok"}
    return {(row["side"], str(row["cycle"])) for row in status} - lacking


@cache
def rows_in(folder: Path, table: str) -> build.Rows:
    return build.rows_of(folder / f"{table}.csv")


def values_in(
    folders: list[Path], table: str, name: str, side: str, key: str = "value",
    *, kinetic: bool = False,
) -> Any:  # fmt: skip
    rows = [
        row
        for folder in folders
        for counted in [full(folder) if kinetic else None]
        for row in rows_in(folder, table)
        if counted is None or (row["side"], row["cycle"]) in counted
    ]
    mine = [r for r in rows if (r["quantity"], r["side"]) == (name, side) and r["value"]]
    return [float(row[key]) for row in mine if row[key]]


# ---------------------------------------------------------------- parameters and peaks


def test_a_parameter_has_left_right_and_their_symmetry_angle(group: Group) -> None:
    table = parameter_table(group)
    assert table.columns == (
        "Parameter", "Left (n 2)", "Right (n 2)", "Right less left", "Symmetry angle (%)",
        "Children, free speed",
    )  # fmt: skip
    assert row_of(table, "speed")[:3] == (
        "Walking speed (m/s)", "1.10 (1.00; 1.20)", "1.10 (n 1)",
    )  # fmt: skip
    step = row_of(table, "step_length")
    # 45 deg - atan(0.5 / 0.75) = 11.310 deg of 90
    assert step[:5] == ("Step length (m)", "0.500 (n 1)", "0.750 (0.750; 0.750)", "+0.250", "12.6")
    cells = row_of(table, "foot_off")
    assert cells[1:3] == ("61.0 \u00b1 1.0 (n 3)", "61.0 \u00b1 1.0 (n 3)")
    assert cells[3:] == ("0.0", "", "59")  # no symmetry angle of shares of the cycle


def test_own_controls_take_the_place_of_the_published_values(group: Group) -> None:
    numbers = {
        "step_length": NormNumber(0.7, 0.05, "m", 12),
        "hip_moment_extension_max": NormNumber(0.9, 0.2, "N m/kg", 10),
    }
    found = NormGroup("free", 0.4, {}, numbers)
    norm = Norm("own.csv", "a test", "", (found,), in_house=True, ages=(21.0, 45.0))
    matched = MatchedNorm(norm, "group free", {}, "free", numbers)
    table = parameter_table(group, matched)
    assert table.columns[-1] == "Own controls"
    assert row_of(table, "step_length")[-1] == "0.700 \u00b1 0.050"
    assert row_of(table, "foot_off")[-1] == ""
    people = "12 people of 21 to 45 years in own.csv"
    assert f"Own controls: mean \u00b1 SD of a leg of {people}; " in table.notes[-1]
    tables = {table.title: table for table in peak_tables(group, matched)}
    heads = {title: table.columns[-1] for title, table in tables.items()}
    assert heads["Moments"] == "Own controls"
    assert heads["Angles"] == "Children, free speed"  # the set has no angle
    assert "0.90 \u00b1 0.20" in {row[-1] for row in tables["Moments"].rows}


def test_a_page_has_one_norm_of_the_speed(report: Report) -> None:
    """The range in the table is that of the first screen, and the notes say which norm judges."""
    (table,) = report.parameters
    cell = row_of(table, "speed_nondimensional")[-1]
    one_m_s = 1.0 / STANDARD_GRAVITY  # leg length at which v / sqrt(g L) is v in m/s
    norm = WalkNorms(None, 9.0, one_m_s, 0.4).of_speed
    assert norm.words == "0.43 (0.36\u20130.50)"
    assert norm.norm is not None
    ends = [f"{norm.norm.at(z):.3f}" for z in (-2.0, 2.0)]
    assert cell == f"{norm.norm.mean:.3f} ({ends[0]}\u2013{ends[1]})"
    assert "alone judges it" in table.notes[-1]
    assert "nothing is judged by it" in table.notes[-2]


def test_peaks_of_external_moments_are_in_the_tables(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    by_hand(folder, "peaks", {"hip_moment_flexion_max": ((0.5, 0.7), (0.5, 0.9))})
    (table,) = peak_tables(Group("", (build.edited(folder),)))
    assert table.rows[0][0] == "Hip flexion moment, largest in stance (N m/kg)"
    assert table.rows[0][-1] == "0.86 \u00b1 0.19"
    assert "Moments are external." in table.notes


def test_a_larger_left_side_has_a_negative_symmetry_angle(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    by_hand(folder, "gait_parameters", {"step_length": ((0.75,), (0.5,))})
    table = parameter_table(Group("", (build.edited(folder),)))
    assert [row[1:5] for row in table.rows] == [
        ("0.750 (n 1)", "0.500 (n 1)", f"{MINUS}0.250", f"{MINUS}12.6")
    ]


def test_a_refused_symmetry_angle_is_a_dash(group: Group) -> None:
    cells = row_of(parameter_table(group), "step_width")
    assert cells[1:5] == ("0.000 (n 1)", "0.000 (n 1)", "0.000", DASH)


def test_a_side_without_values_has_no_difference(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    by_hand(folder, "gait_parameters", {"step_length": ((0.75,), ()), "foot_off": ((), (60.0,))})
    table = parameter_table(Group("", (build.edited(folder),)))
    assert row_of(table, "step_length")[1:5] == ("0.750 (n 1)", DASH, DASH, DASH)
    assert row_of(table, "foot_off")[1:5] == (DASH, "60.0 (n 1)", DASH, "")


def test_parameters_equal_the_means_of_their_table(session: Path, report: Report) -> None:
    (table,) = report.parameters
    folders = [session / "walk01", session / "walk02"]
    assert len(table.rows) >= 12
    for line in PARAMETERS:
        sides = [values_in(folders, "gait_parameters", line.name, s) for s in ("left", "right")]
        if any(sides):
            digits = DIGITS.get(line.unit, 2)
            assert row_of(table, line.name)[1:3] == tuple(told(v, digits) for v in sides)


@pytest.mark.slow
def test_peaks_equal_the_means_of_their_table(session: Path, report: Report) -> None:
    folders = [session / "walk01", session / "walk02"]
    rows = {row[0]: row for table in report.bursts for row in table.rows}
    assert len(rows) == sum(len(table.rows) for table in report.bursts)
    seen = 0
    for line in DEFINITIONS:
        kinetic = line.unit != "deg"
        sides = [
            values_in(folders, "peaks", line.name, s, kinetic=kinetic) for s in ("left", "right")
        ]
        if not any(sides):
            continue
        digits = DIGITS.get(line.unit, 2)
        times = [
            values_in(folders, "peaks", line.name, s, "percent", kinetic=kinetic)
            for s in ("left", "right")
        ]
        cells = rows[f"{line.title} ({line.unit})"]
        assert (cells[1], cells[3]) == tuple(told(v, digits) for v in sides)
        for cell, wanted in zip((cells[2], cells[4]), times, strict=True):
            found = [float(text) for text in cell.split("; ") if text]
            assert found == pytest.approx(about(wanted), abs=0.501)
        seen += 1
    assert seen == len(rows) > 30


def test_negative_peaks_keep_their_sign_and_their_time(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    name = next(d.name for d in DEFINITIONS if d.unit == "W/kg")
    by_hand(folder, "peaks", {name: ((-1.5, -1.5), (9.0, 0.25))}, percent="42.4")
    (table,) = peak_tables(Group("", (build.edited(folder),)))
    assert table.title == "Power bursts and work"
    assert table.columns[1:5] == ("Left (n 2)", "at %", "Right (n 1)", "at %")
    twice = f"{MINUS}1.50 ({MINUS}1.50; {MINUS}1.50)"
    # the first right cycle has no full kinetics
    assert [row[1:5] for row in table.rows] == [(twice, "42", "0.25", "42")]
    assert not any(note.startswith("Two times") for note in table.notes)
    trial = build.edited(folder)
    next(row for row in trial.tables["peaks"] if row["side"] == "left")["percent"] = "90"
    (apart,) = peak_tables(Group("", (trial,)))
    assert apart.rows[0][2] == "42; 90"
    assert any(note.startswith("Two times") for note in apart.notes)


def test_a_force_without_a_peak_is_told_with_its_cycle(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    by_hand(
        folder,
        "peaks",
        {
            "grf_y_first_peak": ((9.0, ""), (9.0, 9.0)),
            "grf_y_midstance_min": ((8.0, ""), (8.0, 8.0)),
        },
        "15",
    )
    (table,) = peak_tables(Group("", (build.edited(folder),)))
    assert row_of(table, "grf_y_first_peak", DEFINITIONS)[1] == "9.00 (n 1)"
    largest = "the force is largest at an end of that half of stance, which is no peak"
    flat = "the force does not fall between two peaks"
    assert [note for note in table.notes if "none in" in note] == [
        f"Vertical force, first peak: none in left cycle 2: {largest}.",
        f"Vertical force, mid stance: none in left cycle 2: {flat}.",
    ]


def test_loads_come_from_cycles_with_full_kinetics_and_angles_from_all(
    session: Path, tmp_path: Path
) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    angle, power = (next(d.name for d in DEFINITIONS if d.unit == u) for u in ("deg", "W/kg"))
    by_hand(folder, "peaks", dict.fromkeys((angle, power), ((1.0, 3.0), (5.0, 7.0))), "42")

    def partly(document: Any) -> None:
        for row in document["status"]:
            if (row["side"], row["cycle"], row["joint"]) == ("left", 2, "ankle"):
                row |= {"status": "partial", "code": "contact-partial", "reason": "why"}

    build.change_json(folder / "result.json", partly)
    group = Group("", (build.edited(folder),))
    bursts, angles = peak_tables(group)
    assert bursts.columns[1::2] == ("Left (n 1)", "Right (n 1)", "Children, free speed")
    assert bursts.rows[0][1:5:2] == ("1.00", "7.00")
    assert angles.columns[1:4:2] == ("Left (n 2)", "Right (n 2)")
    assert angles.rows[0][1:5:2] == ("2.0 (1.0; 3.0)", "6.0 (5.0; 7.0)")
    assert any("moments are known from 0 to 100 %" in note for note in bursts.notes)
    assert not any("moments are known" in note for note in angles.notes)
    (changed, _) = peak_changes([group, Group("two", group.trials)], [(0, 1)])
    assert changed.title == "Power bursts and work, straight walking to two"
    assert changed.rows[0][1] == "1.00"


@pytest.mark.parametrize(
    ("times", "wanted"),
    [
        ([], ""),
        ([42.4], "42"),
        ([0.0], "0"),
        ([54.0, 56.0], "55"),
        ([98.0, 4.0], "1"),
        ([97.0, 99.0], "98"),
        ([99.0, 1.0, 2.0], "1"),
        ([99.7, 99.9], "100"),
        ([50.0, 59.9], "55"),
        ([50.0, 60.2], "50; 60"),
        ([95.0, 6.0], "6; 95"),
        ([0.0, 50.0], "0; 50"),
        ([30.0, 10.0, 20.0], "10; 30"),
    ],
)
def test_times_are_a_mean_round_the_cycle_or_the_first_and_the_last(
    times: list[float], wanted: str
) -> None:
    assert when(times) == wanted


def test_published_values_stand_beside_their_quantity(report: Report) -> None:
    shown: dict[str, str] = {}
    for table in (*report.parameters, *report.bursts):
        at = {name: i for i, name in enumerate(table.columns)}.get("Children, free speed")
        shown |= {row[0]: "" if at is None else row[at] for row in table.rows}
    facts = {fact.quantity: fact for fact in reference_facts()}
    for line in (*PARAMETERS, *DEFINITIONS):
        head = f"{line.title} ({line.unit})" if line.unit else line.title
        if head not in shown:
            continue
        fact = facts.get(line.name)
        wanted = "" if fact is None else f"{fact.value:g}".replace("-", MINUS)
        if fact is not None and fact.sd is not None:
            digits = 3 if fact.unit == "1" else 2
            wanted = f"{fact.value:.{digits}f} \u00b1 {fact.sd:.{digits}f}".replace("-", MINUS)
        if line.name == "speed_nondimensional":
            wanted = "0.429 (0.361\u20130.496)"
        assert shown[head] == wanted
    assert row_of(report.parameters[0], "foot_off")[-1] == "59"
    assert sum(text != "" for text in shown.values()) >= 5


def test_every_quantity_has_its_definition(report: Report) -> None:
    assert [name for name, _ in report.definitions] == [p.title for p in PARAMETERS]
    assert [name for name, _ in report.burst_definitions] == [d.title for d in DEFINITIONS]
    assert all(words.endswith(".") for _, words in report.definitions)


# ---------------------------------------------------------------- comparison


def test_a_comparison_tells_what_changed_on_each_side(session: Path, tmp_path: Path) -> None:
    groups = []
    numbers = [
        {"speed": ((1.0, 1.2), (1.0,)), "step_length": ((0.5,), ())},
        {"speed": ((0.9,), (1.25, 1.25)), "step_length": ((0.5,), (0.6,))},
    ]
    for name, found in zip(("one", "two"), numbers, strict=True):
        folder = build.copied(session / "walk01", tmp_path / name)
        by_hand(folder, "gait_parameters", found)
        by_hand(folder, "peaks", {})
        groups.append(Group(name, (build.edited(folder),)))
    (table,) = parameter_changes(groups, [(0, 1)])
    assert table.columns == (
        "Quantity", "Left, one (n 2)", "Left, two (n 2)", "Change", "Right, one (n 2)",
        "Right, two (n 2)", "Change",
    )  # fmt: skip
    assert row_of(table, "speed")[1:] == (
        "1.10 (1.00; 1.20)", "0.90 (n 1)", f"{MINUS}0.20", "1.00 (n 1)", "1.25 (1.25; 1.25)",
        "+0.25",
    )  # fmt: skip
    assert row_of(table, "step_length")[1:] == (
        "0.500 (n 1)", "0.500 (n 1)", "0.000", DASH, "0.600 (n 1)", DASH,
    )  # fmt: skip
    spread = "n cycles: mean \u00b1 SD; of two cycles the mean and both values."
    assert table.notes == (f"{spread} Another n stands beside its value.",)


def test_a_comparison_holds_the_numbers_of_both_sessions(compared: Report) -> None:
    assert [t.title for t in compared.changes] == ["Gait parameters, before to after"]
    assert [t.title.removesuffix(", before to after") for t in compared.peak_changes] == [
        "Power bursts and work",
        "Moments",
        "Angles",
        "Ground force",
    ]
    first, second = compared.parameters
    for row in compared.changes[0].rows:
        (one,) = (r for r in first.rows if r[0] == row[0])
        (two,) = (r for r in second.rows if r[0] == row[0])
        assert (row[1], row[2], row[4], row[5]) == (one[1], two[1], one[2], two[2])
    assert compared.title == "before against after"
    assert first.title == "Gait parameters, before"


def test_one_group_has_nothing_to_compare(report: Report) -> None:
    assert report.changes == report.peak_changes == ()


# ---------------------------------------------------------------- scores


@pytest.fixture
def single(one_sided: Path, tmp_path: Path) -> Path:
    """A trial of one left cycle: both sides have it."""
    folder = build.copied(one_sided, tmp_path / "single")
    head, *lines = (folder / "cycles.csv").read_text(encoding="utf-8").splitlines()
    left = lines[:101]
    right = [line.replace("left", "right", 1) for line in left]
    (folder / "cycles.csv").write_text("\n".join([head, *left, *right, ""]), encoding="utf-8")

    def both(view: Any) -> None:
        view["cycles"] = [view["cycles"][0], view["cycles"][0] | {"side": "right"}]
        for pack in view["moments"].values():
            pack["curves"] = [pack["curves"][0]] * 2

    build.change_view(folder, both)
    return folder


def scored(folder: Path, norm: Path) -> Report:
    groups = read_groups([folder])
    return make_report(groups, read_norm(norm))


def test_a_constant_offset_is_the_score(single: Path, session: Path, tmp_path: Path) -> None:
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 3.0)
    report = scored(single, norm)
    scores, profile = report.scores
    assert scores.columns == ("Score", "Left", "Right", "Overall")
    assert scores.rows[0] == ("GPS (deg)", "3.0", "3.0", "3.0")
    assert profile.rows == tuple((title, "3.0", "3.0") for title in TITLES.values())
    rows = profile_rows(report.views[0])
    assert [title for title, _, _ in rows] == [*TITLES.values(), "GPS"]
    for _, own, _ in rows:
        assert own == pytest.approx({"left": 3.0, "right": 3.0})


def test_gdi_star_goes_by_its_own_name_and_says_what_it_is(
    single: Path, session: Path, tmp_path: Path
) -> None:
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 5.35)
    (gps, own, gdi), notes = (table := scored(single, norm).scores[0]).rows, table.notes
    assert gdi == ("GDI*", "100", "100", DASH)
    assert [gps[0], own[0]] == ["GPS (deg)", "GPS at this speed (deg)"]
    assert own[1:3] == gps[1:3]  # one group
    said = " ".join(notes)
    assert all(words in said for words in ("not the GDI", "own.csv", "1.6 deg"))
    assert "drawn" not in said  # no bar shows it


def test_cycles_of_the_straight_and_the_turning_part_are_in_order(group: Group) -> None:
    """They were "1, 3, 2" where the second turned."""
    (trial, *_) = group.trials
    row = next(row for row in trial.document["status"] if row["side"] == "left")
    parts = [
        replace(trial, document=trial.document | {"status": [row | {"cycle": n} for n in numbers]})
        for numbers in ((1, 3), (2,))
    ]
    assert [cells[2] for cells in status_table(parts).rows] == ["1\u20133"]


def test_a_walk_without_a_matched_speed_has_no_gps_at_it(
    single: Path, session: Path, tmp_path: Path
) -> None:
    """The GPS at free speed was given once more, as that at this speed."""
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 3.0)
    report = scored(single, norm)
    for unmatched, gps in ((False, "3.0"), (True, DASH)):
        matched = replace(report.norms[0], unmatched=unmatched)
        (found,) = group_scores(report.groups, [matched], report.judgement.abnormal)
        table, _ = score_tables([found])
        assert table.rows[1] == ("GPS at this speed (deg)", gps, gps, DASH)


def test_left_and_right_of_a_profile_are_not_exchanged(
    single: Path, session: Path, tmp_path: Path
) -> None:
    def further(row: dict[str, str]) -> dict[str, Any]:
        name = "knee_angle_flexion"
        return row | ({name: float(row[name]) + 4.0} if row["side"] == "right" else {})

    build.change_rows(single / "cycles.csv", further)
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 3.0)
    report = scored(single, norm)
    assert ("Knee flexion", "3.0", "7.0") in report.scores[1].rows
    own = next(own for title, own, _ in profile_rows(report.views[0]) if title == "Knee flexion")
    assert own == pytest.approx({"left": 3.0, "right": 7.0})


@pytest.mark.parametrize(("change", "word"), [(1.0, "less"), (-1.0, "less"), (2.0, "more"),
                                              (-2.0, "more")])  # fmt: skip
def test_a_change_of_the_gps_is_told_against_what_matters(
    single: Path, session: Path, tmp_path: Path, change: float, word: str
) -> None:
    other = build.copied(single, tmp_path / "other")

    def moved(row: dict[str, str]) -> dict[str, Any]:
        return row | {name: float(row[name]) + change for name in VARIABLES}

    build.change_rows(other / "cycles.csv", moved)
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 4.0)
    groups = read_groups([single, other], compare=True)
    table = make_report(groups, read_norm(norm)).scores[0]
    sign = "+" if change > 0 else MINUS
    assert table.notes[-1] == (
        f"Overall GPS changes by {sign}{abs(change):.1f} deg from single to other:"
        f" {word} than the 1.6 deg that matter."
    )
    assert table.columns[4:] == ("Left, other", "Right, other", "Overall, other")
    assert table.rows[0][4] == f"{4.0 + change:.1f}"


def test_scores_of_several_cycles_have_quartiles(report: Report) -> None:
    cell = report.scores[0].rows[0][1]
    value, _, spread = cell.partition(" ")
    low, high = spread.strip("()").split(DASH)
    assert float(low) <= float(value) <= float(high)


def test_a_missing_score_has_its_reason_in_the_notes(
    one_sided: Path, session: Path, tmp_path: Path
) -> None:
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 3.0)
    table = scored(one_sided, norm).scores[0]
    assert table.rows[0][2:] == (DASH, DASH)
    reasons = [note for note in table.notes if note.startswith("No GPS")]
    assert [note.split(":")[0] for note in reasons] == ["No GPS, right", "No GPS, overall"]
    assert all(len(note.split(": ")[1]) > 5 for note in reasons)
    assert not any(name in note for note in reasons for name in VARIABLES)
    few = build.offset_norm(tmp_path / "few.csv", session / "walk01", 3.0, VARIABLES[:-1])
    (left, *_) = (n for n in scored(one_sided, few).scores[0].notes if n.startswith("No GPS"))
    assert left.startswith("No GPS, left: ")
    assert "foot progression" in left


def slower(folder: Path, factor: float) -> Path:
    """Give a trial another non-dimensional speed."""

    def change(row: dict[str, str]) -> dict[str, Any]:
        slow = row["quantity"] == "speed_nondimensional" and row["value"]
        return row | ({"value": factor * float(row["value"])} if slow else {})

    build.change_rows(folder / "gait_parameters.csv", change)
    return folder


def test_each_group_is_held_against_the_reference_for_its_own_speed(
    session: Path, tmp_path: Path
) -> None:
    one = build.copied(session / "walk01", tmp_path / "one")
    two = slower(build.copied(session / "walk01", tmp_path / "two"), 0.5)
    speed = fmean(values_of((build.edited(one),), "gait_parameters", "speed_nondimensional"))
    text = build.offset_norm(tmp_path / "a.csv", one, 3.0).read_text(encoding="utf-8")
    head, *rows = text.split("\n")[1:]
    lower = build.offset_norm(tmp_path / "b.csv", one, 5.0).read_text(encoding="utf-8")
    lines = [row.replace("free,0.42", f"free,{speed:.9g}", 1) for row in rows]
    lines += [
        row.replace("free,0.42", f"slow,{0.5 * speed:.9g}", 1) for row in lower.split("\n")[2:]
    ]
    norm = tmp_path / "own.csv"
    norm.write_text("\n".join(["# source: made by hand", head, *lines]), encoding="utf-8")
    report = make_report(read_groups([one, two], compare=True), read_norm(norm))
    fast, slow = report.norms
    assert report.norm is fast
    name = "knee_angle_flexion"
    np.testing.assert_allclose(fast.bands[name].mean - slow.bands[name].mean, 2.0, atol=1e-4)
    scores, _ = report.scores
    alone = [scored(folder, norm).scores[0].rows[0][1:] for folder in (one, two)]
    assert scores.rows[0][1:] == (*alone[0], *alone[1])
    assert alone[0] == alone[1]  # the same curves, and one reference at every speed
    left = [[float(row[i].split(" ")[0]) for i in (1, 4)] for row in scores.rows[:2]]
    np.testing.assert_allclose(left, [[3.0, 3.0], [3.0, 5.0]], atol=0.15)
    own = [f"GPS: group free; at this {matched.note}." for matched in (fast, slow)]
    assert scores.notes[1:3] == (f"one: {own[0]}", f"two: {own[1]}")
    assert [note for note in scores.notes[1:] if not note.endswith(".")] == []
    assert "matched to one" in report.norm_words


def test_without_a_reference_set_there_are_no_scores(session: Path) -> None:
    report = make_report(read_groups([session]))
    assert (report.scores, report.norm_words, report.bands) == ((), "", {})
    assert profile_rows(report.views[0]) == []


# ---------------------------------------------------------------- quality and methods


def test_findings_come_gravest_first_with_their_trial(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    text = "level,code,scope,value,limit,message\n"
    text += "info,c,trial,,,third\nwarning,b,left,,,second\nerror,a,file,,,first\n"
    (folder / "quality.csv").write_text(text, encoding="utf-8")
    assert findings_table([build.edited(folder)], "Warnings").rows == (
        ("error", "walk01", "file", "first", "", "", "a"),
        ("warning", "walk01", "left", "second", "", "", "b"),
    )
    assert findings_table([build.edited(folder)], "Notes").rows == (
        ("info", "walk01", "trial", "third", "", "c"),
    )
    report = make_report(read_groups([folder]))
    assert [t.title for t in report.quality] == [
        "Kinetics of each cycle", "Warnings", "Steps on force plates",
    ]  # fmt: skip
    assert [t.title for t in report.notes] == [
        "Notes",
        "Gait events",
        "Consistency of the computation",
    ]


def test_a_finding_has_its_time_and_what_to_do(session: Path) -> None:
    trial = build.edited(session / "walk01")
    row = {"level": "warning", "code": "marker-jumps", "scope": "LTOE", "message": "jumps"}
    trial.tables["quality"][:] = [row, row]
    action = "look at the marker with --figure"
    told = "look at the marker with `--figure`"  # as in the guide, whose pages are Markdown
    trial.document["findings"] = [
        row | {"start_s": 0.98, "stop_s": stop, "action": told} for stop in (0.98, 1.02)
    ]
    found = [row[4:6] for row in findings_table([trial], "Warnings").rows]
    assert found == [("0.98", action), (f"0.98{DASH}1.02", action)]


def test_the_audit_of_the_loads_is_told_segment_by_segment(session: Path) -> None:
    trial = build.edited(session / "walk01")
    table = audit_table([trial])
    assert len(table.rows) == 6
    shank = next(row for row in table.rows if row[1:3] == ("left", "shank"))
    told = trial.document["audit"]
    assert float(shank[4]) == pytest.approx(
        told["closure"]["left"]["shank"]["largest_deg"], abs=6e-4
    )
    assert float(shank[5]) == pytest.approx(told["energy"]["left"]["shank"]["rms_w"], abs=0.06)
    trial.document["audit"] = None
    assert audit_table([trial]).rows == ()


def test_a_joint_that_a_rule_doubts_is_not_ok_in_the_table(session: Path) -> None:
    trial = build.edited(session / "walk01")
    row = next(r for r in trial.document["status"] if r["status"] == "ok" and r["joint"] == "knee")
    row |= {"verdict": "fail", "reasons": ["moment-implausible: 14 N m/kg"]}
    found = next(
        r for r in status_table([trial]).rows if r[1:3] == (row["side"], str(row["cycle"]))
    )
    assert found[4] == "\u2717 fail"
    assert "14 N m/kg" in found[6]
    assert row["cycle"] not in kinetic_cycles(trial, row["side"])


def test_status_contacts_and_events_are_those_of_the_trial(session: Path) -> None:
    trial = build.edited(session / "walk01")
    status = {(row[1], row[2]): row[3:] for row in status_table([trial]).rows}
    assert status["left", f"1{DASH}2"] == ("\u2713 ok",) * 3 + ("",)  # alike: one row
    assert status["right", "1"][:3] != ("\u2713 ok",) * 3
    assert status["right", "1"][3] == "the foot stands where no plate measures its force"
    contacts = build.rows_of(session / "walk01" / "contacts.csv")
    assert [row[1:4] for row in contacts_table([trial]).rows] == [
        (r["plate"], r["side"], f"{r['first_frame']}\u2013{r['last_frame']}") for r in contacts
    ]
    events = build.rows_of(session / "walk01" / "events.csv")
    shown = events_table([trial]).rows
    assert sum(len(row[4].split(", ")) for row in shown) == len(events)
    first = [e for e in events if (e["side"], e["event"]) == ("left", "foot_strike")]
    (row,) = (r for r in shown if r[1:3] == ("left", "foot strike"))
    assert {r[2] for r in shown} == {"foot strike", "foot-off"}
    assert row[4] == ", ".join(f"{float(e['time_s']):.2f}" for e in first)


def test_methods_tell_convention_axes_filter_and_every_file(report: Report) -> None:
    items, files = report.methods
    found = {row[0]: row[1] for row in items.rows}
    assert found["Moments"].startswith("internal")
    assert "distal segment" in found["Axes of the moments"]
    assert "cut-off 10 Hz" in found["Filter of the markers"]
    assert [(row[0], row[1]) for row in files.rows] == [
        ("walk01", "trial"), ("walk01", "static"), ("walk02", "trial"), ("walk02", "static"),
        ("reference", "made by hand"),
    ]  # fmt: skip
    hashes = [x["sha256"] for t in report.groups[0].trials for x in t.document["inputs"]]
    assert [row[3] for row in files.rows[:4]] == [text[:16] for text in hashes]


def test_what_is_found_alike_of_several_markers_shares_a_row(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    text = "level,code,scope,value,limit,message\n"
    for marker, frames in (("LASI", 1), ("RASI", 1), ("LKNE", 2)):
        text += f"info,gap-open,{marker},,,{marker}: {frames} of 9 frames stay empty\n"
    (folder / "quality.csv").write_text(text, encoding="utf-8")
    assert findings_table([build.edited(folder)], "Notes").rows == (
        ("info", "walk01", "LASI, RASI", "1 of 9 frames stay empty", "", "gap-open"),
        ("info", "walk01", "LKNE", "2 of 9 frames stay empty", "", "gap-open"),
    )
