"""One person or two: name, pseudonym, mass and leg lengths together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaitdyn.errors import ResultsRefused
from gaitdyn.io.names import name_code
from gaitdyn.report import make_report, pooled, read_groups
from gaitdyn.report.contents import headline
from gaitdyn.store.outward import pseudonymised
from gaitdyn.store.persons import by_person, why_two_persons
from gaitdyn.store.stored import StoredTrial
from tests.unit import report_cases as build

ONE: dict[str, Any] = {
    "id": "P1",
    "mass_kg": 60.0,
    "left": {"leg_length_m": 0.9},
    "right": {"leg_length_m": 0.9},
}


def of(trial: StoredTrial, names: tuple[str, ...] = (), **subject: Any) -> StoredTrial:
    told = {"names": [], "name_codes": [name_code(name) for name in names]}
    person = trial.document["subject"] | ONE | subject
    return replace(trial, document=trial.document | {"subject": person, "private": told})


@pytest.fixture(scope="module")
def trial(session: Path) -> StoredTrial:
    return build.edited(session / "walk01")


@pytest.mark.parametrize(
    ("names", "subject", "why"),
    [
        ((), {}, ""),
        (("Ann",), {}, ""),
        (("ann test",), {}, ""),
        (("Bea",), {}, "SUBJECTS:NAMES"),
        (("Ann Test", "Box"), {}, ""),
        ((), {"id": None}, ""),
        ((), {"id": "subject"}, ""),
        ((), {"id": "P2"}, "P1, P2"),
        ((), {"mass_kg": 62.5}, "body mass 60.0 to 62.5 kg"),
        ((), {"left": {"leg_length_m": 0.93}}, "left leg length 900 to 930 mm"),
        ((), {"left": {"leg_length_m": 0.91}}, ""),
        ((), {"right": {"leg_length_m": None}}, ""),
    ],
)
def test_what_both_know_must_agree(trial, names, subject, why):
    first = of(trial, ("Ann Test",) if names != ("Ann",) else ("Ann",))
    assert why in why_two_persons([first, of(trial, names, **subject)])
    assert bool(why_two_persons([first, of(trial, names, **subject)])) == bool(why)


def test_two_persons_of_one_pseudonym_are_apart_in_a_session(trial):
    """A subject.toml that was copied to another patient gives both its id, mass and legs."""
    trials = [of(trial, ("Ann",)), of(trial, ("Bea",)), of(trial, ("Ann",))]
    assert [len(person) for person in by_person(trials)] == [2, 1]
    assert [group.label for group in pooled(trials)] == ["Person 1", "Person 2"]
    assert [group.label for group in pooled([trials[0], of(trial, id="P2")])] == ["P1", "P2"]
    (together,) = pooled(trials, pool_persons=True)
    found = headline([together])
    assert found.verdict == "fail"
    assert "name several" in found.reasons[0]


def test_a_report_keeps_the_doubt_when_names_are_gone(trial):
    groups = pooled([of(trial, ("Ann",)), of(trial, ("Bea",))], pool_persons=True)
    report = make_report(groups)
    assert report.headline.verdict == "fail"
    assert all("private" not in t.document for g in report.groups for t in g.trials)
    apart = make_report(pooled([of(trial, ("Ann",)), of(trial, ("Bea",))]))
    assert any("NAMES of the recordings name" in reason for reason in apart.headline.reasons)


def test_two_persons_are_pooled_only_when_told(session, monkeypatch):
    trials = iter(of(build.edited(session / n), (who,)) for n, who in NAMED * 3)
    monkeypatch.setattr("gaitdyn.report.reading.read_trial", lambda *_: next(trials))
    paths = [session / "walk01", session / "walk02"]
    with pytest.raises(ResultsRefused, match="--pool-persons"):
        read_groups(paths)
    assert len(read_groups(paths, pool_persons=True)) == 1
    assert len(read_groups(paths, compare=True)) == 2


@pytest.mark.parametrize("private", [[], "x", {"names": 3}, {"names": [1]}, {"name_codes": "ab"}])
def test_what_somebody_else_wrote_names_nobody(trial, private):
    odd = replace(trial, document=trial.document | {"private": private})
    assert pseudonymised(odd).name == trial.name
    assert why_two_persons([odd, odd]) == ""
    assert "private" not in pseudonymised(odd).document


def test_a_pseudonym_makes_no_folder_of_an_exports_name(trial):
    told = {"names": ["walk01"], "name_codes": []}
    person = trial.document["subject"] | {"id": "../P 1"}
    odd = replace(trial, document=trial.document | {"private": told, "subject": person})
    assert pseudonymised(odd).name == ".._P 1"


NAMED = [("walk01", "Ann"), ("walk02", "Bea")]
