"""A person without a pseudonym who stood for two statics of a session is one person."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.archive import add_results, reading
from gaitdyn.archive.query import read_sessions
from gaitdyn.judge.groups.people import people_of
from gaitdyn.pipeline import process_trial
from gaitdyn.store import read_trial
from gaitdyn.store.persons import indices_by_person, why_different_persons
from gaitdyn.store.unnamed import codes_of
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.types.options import Options

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of two trials of one session, each with a static of its own."""
    place = tmp_path_factory.mktemp("two statics")
    for name, noise in (("a", 0.1), ("b", 0.2)):
        recording = Recording(marker_noise_mm=noise)
        write_session(place / name, Walker(), recording, trials=1)
        result = process_trial(place / name / "walk01.c3d", Options())
        assert not result.subject.id
        result.save(place / "out" / "S1" / f"walk-{name}")
    (place / "out" / "S1" / "session.json").write_text('{"session": "S1"}', "utf-8")
    return place / "out" / "S1"


def subjects(archive: Path) -> list[str]:
    with reading(archive) as connection:
        return sorted({row.subject for row in read_sessions(connection)})


def test_an_archive_counts_them_as_one(session: Path, tmp_path: Path) -> None:
    path = tmp_path / "lab.gaitdyn"
    list(add_results(path, [session]))
    assert len(subjects(path)) == 1
    later = tmp_path / "later.gaitdyn"
    for name in ("walk-b", "walk-a"):  # one after the other
        list(add_results(later, [session / name]))
    assert len(subjects(later)) == 1


def test_one_added_before_the_other_was_there_stays_the_person(
    session: Path, tmp_path: Path
) -> None:
    codes = next(iter(codes_of([read_trial(f).document for f in session.glob("walk*")]).values()))
    for name in ("walk-a", "walk-b"):
        path = tmp_path / f"{name}.gaitdyn"
        list(add_results(path, [session / name], subject=codes[1]))
        list(add_results(path, [session]))
        assert subjects(path) == [codes[1]]


def test_so_do_two_groups(session: Path) -> None:
    trials = [read_trial(session / name) for name in ("walk-a", "walk-b")]
    assert len(people_of(trials).walks) == 1
    elsewhere = [replace(trial, path=session.parent / "x" / trial.name) for trial in trials]
    assert len(people_of(elsewhere).walks) == 2  # not results of one session


def document(static: str, shank_m: float | None, **changes: Any) -> dict[str, Any]:
    lengths = {} if shank_m is None else {"left": {"shank": shank_m}, "right": {"shank": 0.5}}
    return {
        "subject": {"id": None, "mass_kg": changes.get("mass_kg")},
        "inputs": [{"role": "static", "sha256": static}, {"role": "trial", "sha256": "t"}],
        "options": {"subject_prefix": changes.get("prefix")},
        "model": {"lengths_m": lengths},
        "private": {"name_codes": changes.get("names", [])},
    }


@pytest.mark.parametrize(
    ("second", "people"),
    [
        (document("2", 0.41, mass_kg=70.0), 1),
        (document("1", 0.50, mass_kg=None), 1),
        (document("2", 0.41), 2),
        (document("2", 0.41, mass_kg=80.0), 2),
        (document("2", 0.41, mass_kg=70.0, names=["other"]), 2),
        (document("2", 0.41, mass_kg=70.0, prefix="B:"), 2),
        (document("2", None, mass_kg=70.0), 2),
    ],
)
def test_without_a_sign_that_it_is_one_person_they_stay_two(
    second: dict[str, Any], people: int
) -> None:
    first = document("1", 0.40, mass_kg=70.0, names=["one"])
    assert len(set(codes_of([first, second]).values())) == people


def test_two_unlike_shanks_are_two_people() -> None:
    second = document("2", 0.43, mass_kg=70.0)
    second["model"]["lengths_m"]["right"]["shank"] = 0.52
    assert len(set(codes_of([document("1", 0.40, mass_kg=70.0), second]).values())) == 2


def test_labels_without_a_prefix_are_another_person_than_those_with_one() -> None:
    """A recording of both has one name, the second person's: a report pooled the two of them."""
    results = [
        {"subject": {}, "private": {"name_codes": ["6c45"]}, "options": {"subject_prefix": prefix}}
        for prefix in ("none", "A*n", "a*n", None, "none")
    ]
    assert "without one" in why_different_persons(results[:2])
    assert indices_by_person(results) == [[0, 3, 4], [1, 2]]
    assert not why_different_persons(results[1:4])
