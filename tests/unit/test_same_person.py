"""Whether a static is that of the person who walks: names, and the mass that the files state."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gaitdyn.calibrate.statics.doubts import UNSAID, Candidate, _of_another, same_person
from gaitdyn.calibrate.statics.same_person import (
    mass_finding,
    person_doubt,
    plain_names,
    shanks_differ,
)
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import LegMeasures, Subject

SHANKS = {"LKNE": 0.5, "RKNE": 0.5, "LANK": 0.1, "RANK": 0.1}


def recorded(
    mass_kg: float | None = None, names: tuple[str, ...] = (), heights: dict[str, float] = SHANKS
) -> Recording:
    points = np.zeros((4, len(heights), 3))
    points[..., 1] = list(heights.values())
    return Recording(
        "still.c3d", "", 100.0, 1, 1, tuple(heights), points, {}, (), (), Subject(mass_kg=mass_kg),
        persons=names,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("walk", "static", "told"),
    [
        (70.0, 80.4, None), (70.0, 80.6, 10.6 / 70.0), (70.0, 59.6, None),
        (70.0, 59.4, 10.6 / 70.0), (None, 80.6, None), (70.0, None, None), (70.0, 0.0, None),
    ],
)  # fmt: skip
def test_masses_that_differ_by_more_than_15_percent_are_told(walk, static, told) -> None:
    found = mass_finding(recorded(walk), recorded(static))
    assert [f.value for f in found] == ([] if told is None else [pytest.approx(told)])


@pytest.mark.parametrize(
    ("walk", "static", "other"),
    [
        (("Ann B.",), ("annb",), False), (("Ann",), ("Bea", "Ann"), False),
        (("Ann",), ("Bea",), True), ((), ("Bea",), False), (("Ann",), (), False), ((), (), False),
    ],
)  # fmt: skip
def test_only_two_files_that_name_people_can_name_different_ones(walk, static, other) -> None:
    said = person_doubt(recorded(names=walk), recorded(names=static))
    assert said == ("its SUBJECTS:NAMES are another person's" if other else "")


def test_both_shanks_must_differ_by_more_than_3_percent() -> None:
    """Shanks of 400 mm; a marker that is never seen shows nothing."""
    longer = {"LKNE": 0.513, "RKNE": 0.513}
    said = shanks_differ(recorded(), recorded(heights=SHANKS | longer))
    assert said == "left 413 against 400 mm, right 413 against 400 mm"
    for same in ({"RKNE": 0.511}, {"RKNE": np.nan}):
        assert not shanks_differ(recorded(), recorded(heights=SHANKS | longer | same))
    centres = {
        f"{side}{x}": SHANKS[f"{side}{y}"]
        for side in "LR"
        for x, y in (("KJC", "KNE"), ("AJC", "ANK"))
    }
    hidden = dict.fromkeys(SHANKS, np.nan)
    shorter = centres | {"LKJC": 0.48, "RKJC": 0.48}
    assert "380 against 400" in shanks_differ(
        recorded(heights=hidden | centres), recorded(heights=hidden | shorter)
    )


def of_person(
    name: str = "",
    measures: tuple[float | None, float | None, float | None] = (None, None, None),
    *,
    frames: int = 40,
    called: bool = False,
) -> Candidate:
    """Return a file with the name of its subject, and body mass and lengths of both legs."""
    mass, left, right = measures
    subject = Subject(
        mass_kg=mass, left=LegMeasures(leg_length_m=left), right=LegMeasures(leg_length_m=right)
    )
    points = np.zeros((frames, 1, 3))
    sample = Recording("a.c3d", "", 100.0, 1, 1, ("LKNE",), points, {}, (), (), subject)
    return Candidate(Path("a.c3d"), plain_names([name]), sample, called)


WHOLE = (70.0, 0.90, 0.92)


@pytest.mark.parametrize(
    ("trial", "other", "same"),
    [
        (of_person("Ann B."), of_person("ann b"), True),
        (of_person("Ann", WHOLE), of_person("Bea", WHOLE), False),
        (of_person("Ann", WHOLE), of_person("", WHOLE), None),
        (of_person("", WHOLE), of_person("Ann", WHOLE), None),
        (of_person("", WHOLE), of_person("", (70.6, 0.905, 0.915)), True),
        (of_person("", WHOLE), of_person("", (70.8, 0.90, 0.92)), False),
        (of_person("", WHOLE), of_person("", (69.2, 0.90, 0.92)), False),
        (of_person("", WHOLE), of_person("", (70.0, 0.90, 0.95)), False),
        (of_person("", WHOLE), of_person("", (70.0, 0.88, None)), False),
        (of_person("", WHOLE), of_person("", (70.0, 0.90, None)), None),
        (of_person(), of_person(), None),
    ],
)
def test_names_or_else_mass_and_both_legs_show_one_person(
    trial: Candidate, other: Candidate, same: bool | None
) -> None:
    """A name in one file only says nothing; 1 % apart is another mass or length."""
    assert same_person(trial, other) is same


@pytest.mark.parametrize(
    ("trial", "other", "doubt"),
    [
        (of_person("Ann"), of_person("Bea", called=True), "another subject"),
        (of_person("", WHOLE), of_person("", (50.0, 0.9, 0.92)), "another body mass or leg length"),
        (of_person("Ann"), of_person(), UNSAID),
        (of_person(), of_person("Ann"), UNSAID),
        (of_person("Ann"), of_person(called=True), ""),
        (of_person(), of_person(), ""),
        (of_person("Ann"), of_person("Ann", frames=20), ""),
        (of_person("Ann"), of_person("Ann", frames=19), "19 frames do not show"),
        (of_person("Ann"), of_person("Ann", frames=1, called=True), ""),
    ],
)
def test_why_a_file_may_show_another_person(trial: Candidate, other: Candidate, doubt: str) -> None:
    found = _of_another(trial, other)
    assert found.startswith(doubt)
    assert bool(found) == bool(doubt)
