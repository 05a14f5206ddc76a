"""What one trial of a person does not know of them, another may."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaitdyn.report.contents import subject_facts
from gaitdyn.report.first_screen.numbers import age_of, leg_length
from gaitdyn.report.groups import Group
from gaitdyn.store.persons import known_subject
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.trial import Result


@pytest.fixture(scope="module")
def walk(clean: Result) -> StoredTrial:
    return trial_of_result(clean)


def about(walk: StoredTrial, name: str, **words: Any) -> StoredTrial:
    subject = {**walk.document["subject"], **words}
    return replace(walk, path=Path(name), document={**walk.document, "subject": subject})


@pytest.mark.parametrize("first", ["old", "new"])
def test_age_and_legs_are_those_of_the_trial_that_knows_them(first: str, walk: StoredTrial) -> None:
    """They were those of the first trial, also if it lacked them: then no norm fitted."""
    person = walk.document["subject"]
    legless = {side: {**person[side], "leg_length_m": None} for side in ("left", "right")}
    old, new = about(walk, "old", age_years=None, **legless), about(walk, "new", age_years=9.0)
    pair = (old, new) if first == "old" else (new, old)
    known = known_subject(pair)
    assert known["left"]["leg_length_m"] == person["left"]["leg_length_m"]
    assert known["mass_kg"] == person["mass_kg"]
    assert age_of(pair) == 9.0
    assert leg_length(Group("", pair)) == leg_length(Group("", (new,))) is not None
    assert ("Age", "9 years") in subject_facts(pair)


def test_of_two_values_the_first_trial_has_the_word(walk: StoredTrial) -> None:
    pair = about(walk, "a", mass_kg=70.0, left=None), about(walk, "b", mass_kg=71.0)
    known = known_subject(pair)
    assert known["mass_kg"] == 70.0
    assert known["left"]["leg_length_m"] == walk.document["subject"]["left"]["leg_length_m"]
    assert known["id"] == walk.document["subject"]["id"]
