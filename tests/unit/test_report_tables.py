"""Tables of numbers and scores: the same numbers as the CSV files, left and right apart."""

from __future__ import annotations

from statistics import fmean, stdev
from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.metrics import DEFINITIONS
from gaitdyn.metrics.norm_files import read_norm
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.reference_facts import reference_facts
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.report import Group, Report, make_report, read_groups
from gaitdyn.report.number_tables import MAIN, comparison_tables, parameter_table, peak_tables
from gaitdyn.report.quality_tables import contacts_table, events_table, findings_table, status_table
from gaitdyn.report.score_tables import TITLES
from gaitdyn.store.stored import read_trial
from tests.unit import report_cases as build

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.report.contents import Table

DASH, MINUS = "\u2013", "\u2212"
DIGITS = {"deg": 1, "%": 1, "steps/min": 1, "": 3, "m": 3, "s": 3, "J/kg": 3}
DIGITS |= {"N m s/kg": 3, "N s/kg": 3}
BY_HAND = {  # quantity -> left, right
    "speed": ((1.0, 1.2), (1.1,)),
    "step_length": ((0.5,), (0.75, 0.75)),
    "foot_off": ((60.0, 61.0, 62.0), (60.0, 61.0, 62.0)),
    "step_width": ((0.0,), (0.0,)),
}


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
    return Group("", (read_trial(folder),))


def row_of(table: Table, name: str, lines: Any = PARAMETERS) -> tuple[str, ...]:
    title = next(line.title for line in lines if line.name == name)
    (row,) = (row for row in table.rows if row[0] == title or row[0].startswith(f"{title} ("))
    return row


def told(values: list[float], digits: int) -> str:
    """Return mean and SD as a table has it, made another way."""
    if not values:
        return DASH
    text = f"{fmean(values):.{digits}f}"
    text = text.lstrip("-") if not float(text) else text.replace("-", MINUS)
    return text if len(values) == 1 else f"{text} \u00b1 {stdev(values):.{digits}f}"


def values_in(folders: list[Path], table: str, name: str, side: str, key: str = "value") -> Any:
    rows = [row for folder in folders for row in build.rows_of(folder / f"{table}.csv")]
    mine = [r for r in rows if (r["quantity"], r["side"]) == (name, side) and r["value"]]
    return [float(row[key]) for row in mine if row[key]]


# ---------------------------------------------------------------- parameters and peaks


def test_a_parameter_has_left_right_and_their_symmetry_angle(group: Group) -> None:
    table = parameter_table(group)
    assert table.columns[:4] == ("Parameter", "Left", "Right", "Symmetry angle (%)")
    assert row_of(table, "speed")[:3] == ("Walking speed (m/s)", "1.10 \u00b1 0.14", "1.10")
    step = row_of(table, "step_length")
    # 45 deg - atan(0.5 / 0.75) = 11.310 deg of 90
    assert step[:4] == ("Step length (m)", "0.500", "0.750 \u00b1 0.000", "12.6")
    assert row_of(table, "foot_off")[3] == "0.0"


def test_a_larger_left_side_has_a_negative_symmetry_angle(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    by_hand(folder, "gait_parameters", {"step_length": ((0.75,), (0.5,))})
    table = parameter_table(Group("", (read_trial(folder),)))
    assert [row[1:4] for row in table.rows] == [("0.750", "0.500", f"{MINUS}12.6")]


def test_a_refused_symmetry_angle_is_a_dash(group: Group) -> None:
    assert row_of(parameter_table(group), "step_width")[1:4] == ("0.000", "0.000", DASH)


def test_parameters_equal_the_means_of_their_table(session: Path, report: Report) -> None:
    (table,) = report.parameters
    folders = [session / "walk01", session / "walk02"]
    assert len(table.rows) >= 12
    for line in PARAMETERS:
        sides = [values_in(folders, "gait_parameters", line.name, s) for s in ("left", "right")]
        if any(sides):
            digits = DIGITS.get(line.unit, 2)
            assert row_of(table, line.name)[1:3] == tuple(told(v, digits) for v in sides)


def test_the_first_page_has_the_main_parameters(report: Report) -> None:
    titles = [next(p.title for p in PARAMETERS if p.name == name) for name in MAIN]
    first = report.main_tables[0]
    assert {row[0].split(" (")[0] for row in first.rows} == set(titles)
    assert set(first.rows) <= set(report.parameters[0].rows)


def test_peaks_equal_the_means_of_their_table(session: Path, report: Report) -> None:
    folders = [session / "walk01", session / "walk02"]
    rows = {row[0]: row for table in report.bursts for row in table.rows}
    assert len(rows) == sum(len(table.rows) for table in report.bursts)
    seen = 0
    for line in DEFINITIONS:
        sides = [values_in(folders, "peaks", line.name, s) for s in ("left", "right")]
        if not any(sides):
            continue
        digits = DIGITS.get(line.unit, 2)
        times = [values_in(folders, "peaks", line.name, s, "percent") for s in ("left", "right")]
        cells = rows[f"{line.title} ({line.unit})"]
        assert (cells[1], cells[3]) == tuple(told(v, digits) for v in sides)
        assert (cells[2], cells[4]) == tuple(f"{fmean(t):.0f}" if t else "" for t in times)
        seen += 1
    assert seen == len(rows) > 30


def test_negative_peaks_keep_their_sign_and_their_time(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    name = next(d.name for d in DEFINITIONS if d.unit == "W/kg")
    by_hand(folder, "peaks", {name: ((-1.5, -1.5), (0.25,))}, percent="42.4")
    (table,) = peak_tables(Group("", (read_trial(folder),)))
    assert table.title == "Power bursts and work"
    assert [row[1:5] for row in table.rows] == [(f"{MINUS}1.50 \u00b1 0.00", "42", "0.25", "42")]


def test_published_values_stand_beside_their_quantity(report: Report) -> None:
    shown = {row[0]: row[-1] for t in (*report.parameters, *report.bursts) for row in t.rows}
    facts = {fact.quantity: fact for fact in reference_facts()}
    for line in (*PARAMETERS, *DEFINITIONS):
        head = f"{line.title} ({line.unit})" if line.unit else line.title
        if head not in shown:
            continue
        fact = facts.get(line.name)
        wanted = "" if fact is None else f"{fact.value:g}".replace("-", MINUS)
        if fact is not None and fact.sd is not None:
            wanted += f" \u00b1 {fact.sd:g}"
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
        groups.append(Group(name, (read_trial(folder),)))
    (table,) = comparison_tables(groups)
    assert table.columns == (
        "Quantity", "Left, one", "Left, two", "Change", "Right, one", "Right, two", "Change",
    )  # fmt: skip
    assert row_of(table, "speed")[1:] == (
        "1.10 \u00b1 0.14", "0.90", f"{MINUS}0.20", "1.00", "1.25 \u00b1 0.00", "+0.25",
    )  # fmt: skip
    assert row_of(table, "step_length")[1:] == ("0.500", "0.500", "+0.000", DASH, "0.600", DASH)


def test_a_comparison_holds_the_numbers_of_both_sessions(compared: Report) -> None:
    assert [t.title for t in compared.comparison] == [
        "Gait parameters",
        "Power bursts and work",
        "Moments",
        "Angles",
        "Ground force",
    ]
    first, second = compared.parameters
    for row in compared.comparison[0].rows:
        (one,) = (r for r in first.rows if r[0] == row[0])
        (two,) = (r for r in second.rows if r[0] == row[0])
        assert (row[1], row[2], row[4], row[5]) == (one[1], two[1], one[2], two[2])
    assert compared.title == "before against after"
    assert first.title == "Gait parameters, before"


def test_one_group_has_nothing_to_compare(report: Report) -> None:
    assert report.comparison == ()


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

    build.change_json(folder / "view.json", both)
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
    assert report.profile is not None
    assert report.profile["variables"] == [*TITLES.values(), "GPS"]
    for one in report.profile["series"]:
        assert one["values"] == pytest.approx([3.0] * 10)
    assert [one["side"] for one in report.profile["series"]] == ["left", "right"]


def test_gdi_star_goes_by_its_own_name_and_says_what_it_is(
    single: Path, session: Path, tmp_path: Path
) -> None:
    norm = build.offset_norm(tmp_path / "own.csv", session / "walk01", 5.35)
    (gps, gdi), notes = (table := scored(single, norm).scores[0]).rows, table.notes
    assert gdi == ("GDI*", "100", "100", DASH)
    assert gps[0] == "GPS (deg)"
    said = " ".join(notes)
    assert all(words in said for words in ("not the GDI", "own.csv", "1.6 deg"))


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
    assert report.profile is not None
    left, right = (one["values"][VARIABLES.index("knee_angle_flexion")]
                   for one in report.profile["series"])  # fmt: skip
    assert (left, right) == (pytest.approx(3.0), pytest.approx(7.0))


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


def test_without_a_reference_set_there_are_no_scores(session: Path) -> None:
    report = make_report(read_groups([session]))
    assert (report.scores, report.profile, report.norm_words, report.bands) == ((), None, "", {})


# ---------------------------------------------------------------- quality and methods


def test_findings_come_gravest_first_with_their_trial(session: Path, tmp_path: Path) -> None:
    folder = build.copied(session / "walk01", tmp_path / "walk01")
    text = "level,code,scope,value,limit,message\n"
    text += "info,c,trial,,,third\nwarning,b,left,,,second\nerror,a,file,,,first\n"
    (folder / "quality.csv").write_text(text, encoding="utf-8")
    assert findings_table([read_trial(folder)], "Findings").rows == (
        ("error", "walk01", "file", "first", "a"),
        ("warning", "walk01", "left", "second", "b"),
        ("info", "walk01", "trial", "third", "c"),
    )


def test_status_contacts_and_events_are_those_of_the_trial(session: Path) -> None:
    trial = read_trial(session / "walk01")
    status = {(row[1], row[2]): row[3:] for row in status_table([trial]).rows}
    assert status["left", "1"] == ("\u2713 ok",) * 3 + ("",)
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
    assert row[4] == ", ".join(f"{float(e['time_s']):.2f}" for e in first)


def test_methods_tell_convention_axes_filter_and_every_file(report: Report, session: Path) -> None:
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
