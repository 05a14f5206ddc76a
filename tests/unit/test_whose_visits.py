"""Two visits of one person, or two people: then no change is judged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gaitdyn.io.names import name_code
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.changes.whose import check_persons
from gaitdyn.judge.first_page import change_sentences
from gaitdyn.judge.together import judge_groups
from gaitdyn.types.visit import Visit
from tests.unit import judge_cases as cases

KNEE = "knee_angle_flexion"
ADULT: dict[str, Any] = {"mass_kg": 74.0, "height_m": 1.76}


def at(tmp_path: Any, number: int, /, *, names: str = "", date: str = "", **subject: Any):
    """Return a visit of somebody whose left knee is 40 deg off at the second one."""
    far = {f"left {KNEE}": 40.0 * number}
    one = cases.trial(number, static=f"static {number}", name=f"walk0{number}", offsets=far)
    folder = tmp_path / str(number)
    folder.mkdir(exist_ok=True)
    visit = Visit((("date", date),) if date else ())
    told = {"names": [], "name_codes": [name_code(name) for name in names.split()]}
    person = one.document["subject"] | subject
    return replace(
        one, path=folder, visit=visit, document=one.document | {"subject": person, "private": told}
    )


def test_a_recording_in_both_sessions_is_told_first():
    one, other = cases.trial(1), cases.trial(2, name="walk02")
    changes = find_changes([one, other], [replace(one, name="again")])
    told = "walk01 (there again) is the same recording in both: what differs there is the"
    assert change_sentences(changes)[0].startswith(told)
    assert find_changes([one], [other]).recorded_once == ""
    prefixes = [replace(one, document=one.document | {
        "options": one.document["options"] | {"subject_prefix": person}}) for person in "AB"
    ]  # fmt: skip
    assert find_changes(prefixes[:1], prefixes[1:]).recorded_once == ""


CASES = [
    ("an adult, lighter by a fifth", ADULT, ADULT | {"mass_kg": 60.0}, ""),
    ("an adult in shoes", ADULT, ADULT | {"height_m": 1.80}, ""),
    ("a sleeve gastrectomy", ADULT, ADULT | {"mass_kg": 55.0}, "?"),
    ("another build", ADULT, {"mass_kg": 48.0, "height_m": 1.50}, "2"),
    ("nobody shrinks", ADULT, ADULT | {"height_m": 1.68}, "2"),
    ("a child or another person", ADULT | {"height_m": 1.5}, ADULT, "?"),
    ("no adult grows", ADULT | {"age_years": 30, "height_m": 1.5}, ADULT | {"age_years": 31}, "2"),
    (
        "a child that grew", {"age_years": 7, "mass_kg": 22.0, "height_m": 1.2},
        {"age_years": 11, "mass_kg": 36.0, "height_m": 1.44}, "",
    ),
    (
        "a child that grew too fast", {"age_years": 7, "mass_kg": 22.0, "height_m": 1.2},
        {"age_years": 8, "mass_kg": 36.0, "height_m": 1.6}, "2",
    ),
    (
        "a child a year older in whole years", {"age_years": 7, "mass_kg": 22.0, "height_m": 1.2},
        {"age_years": 8, "mass_kg": 26.0, "height_m": 1.4}, "",
    ),
    (
        "half a metre in a month", {"date": "2024-05-17", "height_m": 1.2},
        {"date": "2024-06-17", "height_m": 1.7}, "2",
    ),
    (
        "growth, if it is a child", {"date": "2020-05-17", "height_m": 1.2},
        {"date": "2024-06-17", "height_m": 1.5}, "?",
    ),
    (
        "the later visit named first", {"date": "2024-05-17", "height_m": 1.5, "age_years": 12},
        {"date": "2020-05-17", "height_m": 1.2, "age_years": 8}, "order",
    ),
    ("two names", ADULT | {"names": "Ann"}, ADULT | {"names": "Bea"}, "2"),
    ("two names and one id", {"id": "P1", "names": "Ann"}, {"id": "P1", "names": "Bea"}, "?"),
    ("one id", ADULT | {"id": "P1"}, {"id": "P1", "mass_kg": 48.0, "height_m": 1.5}, ""),
    ("two ids", {"id": "P1"}, {"id": "P2"}, "2"),
    (
        "a child that grew as much as shoes and growth allow", {"age_years": 7, "height_m": 1.2},
        {"age_years": 8, "height_m": 1.46}, "",
    ),
    (
        "a child that lost a third of its mass", {"age_years": 7, "mass_kg": 36.0},
        {"age_years": 9, "mass_kg": 24.0}, "?",
    ),
    ("nothing known", {}, ADULT, ""),
    ("an id at one visit alone", ADULT | {"id": "P1"}, ADULT, ""),
]  # fmt: skip


@pytest.mark.parametrize(("one", "two", "said"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_who_was_measured_at_two_visits(tmp_path, one, two, said):
    before, after = at(tmp_path, 1, **one), at(tmp_path, 2, **two)
    found = find_changes([before], [after])
    (knee,) = (f for f in found.findings if (f.side, f.curve) == ("left", KNEE))
    words = {"": "clear", "?": "possible", "order": "possible", "2": "not judged"}
    assert knee.word == words[said]
    lines = change_sentences(found)
    assert (len(lines) == 1) == (said == "2")
    begins = {
        "": "left",
        "order": "no change is called clear: the second session is dated before",
        "?": "Is this one",
        "2": "These sessions",
    }
    assert lines[0].startswith(begins[said])
    (pair,) = judge_groups([[before], [after]]).pairs
    assert change_sentences(pair) == lines


def test_two_people_are_told_with_their_numbers_and_the_way_out(tmp_path):
    small: dict[str, Any] = {"mass_kg": 48.0, "height_m": 1.5}
    found = check_persons([at(tmp_path, 1, **ADULT)], [at(tmp_path, 2, **small)])
    assert found.sentence == (
        "These sessions are of two people (74 kg and 48 kg, 1.76 m and 1.50 m): no change is"
        " judged; if it is one person, give both the same id (subject.toml)"
    )


def test_the_placeholder_for_a_pseudonym_makes_nobody_the_same(tmp_path):
    small: dict[str, Any] = {"id": "subject", "mass_kg": 48.0, "height_m": 1.5}
    found = check_persons(
        [at(tmp_path, 1, **ADULT | {"id": "subject"})], [at(tmp_path, 2, **small)]
    )
    assert found.two
    assert "74 kg and 48 kg" in found.differences
    assert not found.named


def test_in_one_visit_nobody_gains_three_kilograms(tmp_path):
    heavy: dict[str, Any] = ADULT | {"mass_kg": 77.0}
    trials = [at(tmp_path, 1, **ADULT)], [at(tmp_path, 2, **heavy)]
    assert not check_persons(*trials).differences
    assert check_persons(*trials, one_visit=True).two


def test_two_people_of_a_visit_are_not_shown_side_by_side_and_two_sessions_are(tmp_path):
    small: dict[str, Any] = {"mass_kg": 48.0, "height_m": 1.5}
    one, other = [at(tmp_path, 1, **ADULT)], [at(tmp_path, 2, **small)]
    sessions = judge_groups([one, other])
    assert sessions.changes is sessions.compared[0] is sessions.pairs[0]
    visit = judge_groups([one, other], person_checks=[check_persons(one, other, one_visit=True)])
    assert (visit.compared, visit.changes, len(visit.pairs)) == ((), None, 1)


def test_a_visit_of_several_people_is_of_no_one_person(tmp_path: Any) -> None:
    """The mean of several people's masses once stood there as that of a second person."""
    one, other, third = (
        at(tmp_path, number, height_m=height) for number, height in enumerate((1.76, 1.76, 1.30))
    )
    found = check_persons([one], [other, third])
    assert found.two
    assert found.differences == "the second one itself is of several, height 1.30 to 1.76 m"
    sentence = change_sentences(find_changes([one], [other, third]))[0]
    assert sentence.startswith("These sessions are of two people (the second one itself")
