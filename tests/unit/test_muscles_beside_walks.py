"""A trial with electromyography alone beside one with angles: it takes nothing from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.report import make_report, pooled
from gaitdyn.report.first_screen.notices import group_notices
from gaitdyn.report.first_screen.side_lines import side_lines
from gaitdyn.report.first_screen.side_reasons import no_kinetics_words
from gaitdyn.store.stored import StoredTrial, trial_of_result
from gaitdyn.trial import Result
from tests.unit import judge_cases as cases
from tests.unit.emg_trials import leg, trial


@pytest.fixture(scope="module")
def muscles() -> StoredTrial:
    """Return a walk of another recording, whose markers fit no model."""
    found = trial_of_result(trial(leg("L") | leg("R")))
    return replace(found, path=Path("muscles"), name="muscles")


@pytest.fixture(scope="module")
def walk(clean: Result) -> StoredTrial:
    return replace(trial_of_result(clean), path=Path("walk"))


def test_they_are_named_after_the_trials_that_tell_who_walked_and_how(
    muscles: StoredTrial, walk: StoredTrial
) -> None:
    (group,) = pooled([muscles, walk])
    assert [one.name for one in group.trials] == ["walk01", "muscles"]
    report = make_report([group])
    assert report.methods[0].title == "How walk01 was computed"
    assert report.headline.subject[0][1][3] == ("Mass", "70 kg")


def test_a_trial_without_strides_does_not_stand_for_its_session(walk: StoredTrial) -> None:
    hip = replace(walk, path=Path("hip"), name="hip", cycles=())
    (group,) = pooled([hip, walk])
    assert make_report([group]).methods[0].title == "How walk01 was computed"


def test_angles_and_moments_are_as_usable_as_without_them(
    muscles: StoredTrial, walk: StoredTrial
) -> None:
    """They were called usable with care, since no marker model fits the other recording."""
    for alone, beside in zip(side_lines([walk], ()), side_lines([walk, muscles], ()), strict=True):
        assert beside.word == alone.word == "pass"
        assert beside.parts == (alone.parts[0], *beside.parts[-1:])
        assert beside.text.endswith("EMG 4 of 4 muscles usable.")


def test_they_were_not_processed_differently(muscles: StoredTrial, walk: StoredTrial) -> None:
    (group,) = pooled([muscles, walk])
    assert group_notices(group) == ()
    assert make_report([group]).headline.reasons[0].startswith("muscles: only electromyography")


def test_why_there_are_no_moments_is_told_of_the_walk(
    muscles: StoredTrial, walk: StoredTrial
) -> None:
    off = replace(walk, document={**walk.document, "kinetics": "no force plates"})
    assert no_kinetics_words([muscles, off]) == "no force plates"
    assert make_report(pooled([muscles, off])).no_loads == "no force plates"


def test_a_walk_is_judged_as_without_them(muscles: StoredTrial) -> None:
    """An own set of the walk's model refused every curve: the other trial has the model none."""
    own = cases.norm()
    own = replace(own, norm=replace(own.norm, models=("plug-in-gait",)))
    walked = cases.trial(1, model="plug-in-gait")
    alone, beside = find_abnormal([walked], own), find_abnormal([muscles, walked], own)
    told = [finding.sentence for finding in alone.findings]
    assert [finding.sentence for finding in beside.findings] == told
    assert {finding.word for finding in beside.findings} == {"not shown"}


def test_two_sessions_are_compared_as_without_them(muscles: StoredTrial) -> None:
    """The sessions counted as processed differently, and no curve was judged."""
    first, second = cases.trial(1), cases.after()
    alone, beside = find_changes([first], [second]), find_changes([first], [second, muscles])
    words = [finding.word for finding in alone.findings]
    assert [finding.word for finding in beside.findings] == words
    assert "not shown" in words


def test_a_session_of_muscles_alone_was_not_processed_with_another_model(
    muscles: StoredTrial,
) -> None:
    found = find_changes([cases.trial(1)], [muscles]).findings
    reasons = {finding.reason.partition(";")[0] for finding in found}
    assert "second session: the left angles are not usable" in reasons
    assert not any("differently: model" in reason for reason in reasons)
