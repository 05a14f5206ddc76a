"""Children get a table of children, by age, else by size; adults keep theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.calibrate.body.table_choice import age_and_height, choose_table, table_name
from gaitdyn.calibrate.body.table_files import load_table
from gaitdyn.errors import SubjectDataMissing, UsageError
from gaitdyn.quality.rules import judged, load_rules
from gaitdyn.types.options import Options
from gaitdyn.types.subject import Subject

# Jensen 1986, J Biomech 19:359-368: at the age 0, and by year; the radius is about the proximal end
JENSEN = {
    "thigh": ((0.06634, 0.00364), (0.4758, -0.00115), (0.5536, -0.00133)),
    "shank": ((0.03809, 0.00122), (0.4526, -0.003), (0.5307, -0.00224)),
}


@pytest.mark.parametrize("age", [4, 6, 9.5, 12, 15])
def test_the_table_of_children_is_on_the_lines_of_jensen(age: float) -> None:
    table = load_table("jensen").at_age(age)
    for segment, lines in JENSEN.items():
        mass, cm, proximal = (start + slope * age for start, slope in lines)
        row = table.row(segment)
        assert row.mass_fraction == pytest.approx(mass, abs=1e-9)
        assert row.cm_along == pytest.approx(cm, abs=1e-9)
        assert row.radii == pytest.approx((np.sqrt(proximal**2 - cm**2), 0, row.radii[0]), abs=3e-4)
    assert table.row("foot").mass_fraction == pytest.approx(0.0187 + 0.00015 * age, abs=1e-9)
    assert table.ages == ()


def test_beyond_its_rows_a_table_keeps_the_nearest() -> None:
    table = load_table("jensen")
    assert table.at_age(2).row("thigh") == table.at_age(4).row("thigh")
    assert table.at_age(15.9).row("thigh") == table.at_age(15).row("thigh")
    unsorted = replace(table, rows=table.rows[::-1])  # the ages of a file in any order
    assert unsorted.at_age(9.5).row("thigh") == table.at_age(9.5).row("thigh")
    _, (told,) = choose_table(Options(), Subject(age_years=3))
    assert "its rows end at 4 and 15 years" in told.message


@pytest.mark.parametrize(
    ("subject", "age"),
    [
        (Subject(), None),
        (Subject(mass_kg=70.0), None),
        (Subject(age_years=16, mass_kg=35.0), None),
        (Subject(age_years=30, mass_kg=38.5, height_m=1.4), None),
        (Subject(age_years=9, mass_kg=70.0), 9),
        (Subject(mass_kg=32.1), 10),
        (Subject(mass_kg=38.0, height_m=1.55), None),
        (Subject(mass_kg=45.0, height_m=1.45), None),
        (Subject(mass_kg=32.0, height_m=1.157), 6),
    ],
)
def test_a_child_is_known_by_age_else_by_size(subject: Subject, age: float | None) -> None:
    table, told = choose_table(Options(), subject)
    if age is None:
        assert table == load_table("dempster-winter")
        assert told == []
        return
    assert table == load_table("jensen").at_age(age)
    assert [(one.level, one.code, one.value) for one in told] == [("info", "children-table", age)]


def test_a_table_is_chosen_by_hand_and_said() -> None:
    child = Subject(age_years=8, mass_kg=26.0)
    table, (told,) = choose_table(Options(anthropometry="dempster-winter"), child)
    assert (table.name, told.level, told.code) == ("dempster-winter", "info", "adult-table")
    table, (told,) = choose_table(Options(anthropometry="jensen"), Subject(age_years=40))
    assert (table.name, told.code) == ("jensen", "children-table")
    with pytest.raises(SubjectDataMissing, match="has rows by age and the subject's is not known"):
        choose_table(Options(anthropometry="jensen"), Subject(mass_kg=70.0))


def test_the_vendors_profile_keeps_the_vendors_table() -> None:
    assert table_name(Options(profile="plug-in-gait"), Subject(age_years=8)) == "plug-in-gait"


def test_a_table_chosen_by_itself_is_the_same_by_its_recorded_name() -> None:
    child = Subject(age_years=8.5, mass_kg=26.0)
    by_itself = choose_table(Options(), child)
    assert choose_table(Options(anthropometry=table_name(Options(), child)), child) == by_itself


def test_an_own_table_may_have_ages(tmp_path: Path) -> None:
    own = tmp_path / "own.csv"
    lines = [
        "segment,sex,age_years,proximal,distal,mass,cm_along,r_x,r_y,r_z,source",
        "foot,,,ANK,TOE,0.02,0.5,0,0.4,0.4,here",
        "shank,,4,knee centre,ankle centre,0.04,0.44,0.3,0,0.3,here",
        "shank,,14,knee centre,ankle centre,0.05,0.42,0.3,0,0.3,here",
        "thigh,,,hip centre,knee centre,0.1,0.44,0.3,0,0.3,here",
    ]
    own.write_text("\n".join(lines))
    table, _ = choose_table(Options(anthropometry=str(own)), Subject(age_years=9))
    assert table.row("shank").mass_fraction == pytest.approx(0.045)
    assert table.row("foot") == replace(load_table(str(own)).row("foot"))
    for old, new, told in [
        ("shank,,14", "shank,,4", "a second row for 'shank'"),
        ("shank,,14", "shank,,", "with and without"),
        ("shank,,14", "shank,,old", "years from 0 to 120"),
    ]:
        own.write_text("\n".join(lines).replace(old, new))
        with pytest.raises(UsageError, match=told):
            load_table(str(own))


@pytest.mark.parametrize(
    ("age", "height_m", "off"),
    [(5.0, 1.092, 0.0), (5.0, 1.75, 0.6), (45.0, 1.73, 0.0), (45.0, 1.0, -0.42), (0.0, 0.5, 0.0)],
)
def test_an_age_is_held_against_the_height(age: float, height_m: float, off: float) -> None:
    (told,) = age_and_height(Subject(age_years=age, height_m=height_m))
    assert told.value == pytest.approx(off, abs=0.01)
    assert [f.level for f in judged(told, load_rules())] == ["warning"] * (abs(off) > 0.3)
    assert age_and_height(Subject(age_years=age)) == []
    assert age_and_height(Subject(height_m=height_m)) == []
