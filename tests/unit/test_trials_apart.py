"""Trials of one session that do not carry the same body over a stride."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.batch.trial_row import carried_kg
from gaitdyn.batch.trials_apart import trials_apart
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.store.stored import trial_of_result
from tests.walks import processed

if TYPE_CHECKING:
    from pathlib import Path


def documents_of(masses: list[float], hashes: str = "") -> list[dict[str, Any]]:
    return [
        {
            "subject": {"mass_kg": mass},
            "private": {"name_codes": []},
            "options": {"subject_prefix": None},
            "inputs": [
                {"role": "static", "name": "static.c3d", "sha256": "s"},
                {"role": "trial", "name": f"w{i}.c3d", "sha256": hashes[i : i + 1] or str(i)},
            ],
        }
        for i, mass in enumerate(masses)
    ]


def said(carried: list[tuple[float | None, float | None]], masses: list[float]) -> list[bool]:
    rows = [{"left_carried_kg": left, "right_carried_kg": right} for left, right in carried]
    return [bool(items) for items in trials_apart(rows, documents_of(masses))]


def told(masses: list[float], hashes: str = "") -> list[list[dict[str, str]]]:
    return trials_apart([{} for _ in masses], documents_of(masses, hashes))


def test_a_trial_of_another_person_is_named_with_the_lines_that_leave_it_out() -> None:
    first, (stranger,), third = told([81.0, 32.1, 81.0])
    assert not first
    assert not third
    assert stranger["what"] == "whose trial this is"
    assert stranger["why"] == (
        "the folder holds 2 people (body mass 32.1 to 81.0 kg); most of its trials (2 of 3) are of"
        " another person"
    )
    assert stranger["lines"] == '[trials."w1.c3d"]\nuse = false'


def test_a_folder_of_many_people_has_no_stranger() -> None:
    assert told([81.0, 32.1, 50.0, 60.0]) == [[], [], [], []]
    assert told([81.0, 32.1]) == [[], []]


def test_a_copy_is_named_beside_the_recording_that_counts() -> None:
    first, second, (copy,) = told([70.0, 70.0, 70.0], "aba")
    assert not first
    assert not second
    assert copy["why"] == "it is a copy of w0.c3d: the cycles of one of them count"
    assert copy["lines"] == '[trials."w2.c3d"]\nuse = false'


@pytest.mark.parametrize(
    ("carried", "expected"),
    [
        ([(35.0, 35.0), (33.0, 36.0), (36.0, 35.0)], [False, False, False]),
        ([(35.0, 35.0), (35.0, 36.0), (39.0, 39.0)], [False, False, True]),
        ([(35.0, 31.0), (31.0, 35.0)], [False, False]),  # one foot, then the other
        ([(35.0, None), (None, 35.0)], [False, False]),
        ([(35.0, None), (27.0, 35.0), (35.0, None)], [False, True, False]),
        ([(35.0, 35.0)], [False]),
        ([(35.0, 35.0), (None, None), (39.0, 39.0)], [True, False, True]),
    ],
)
def test_a_trial_that_carries_another_body_is_told(
    carried: list[tuple[float | None, float | None]], expected: list[bool]
) -> None:
    assert said(carried, [70.0] * len(carried)) == expected


def test_two_persons_of_one_folder_are_not_compared() -> None:
    assert said([(35.0, 35.0), (20.0, 20.0)], [70.0, 40.0]) == [False, False]


def test_both_feet_carry_the_mass_over_a_stride(synthetic: Path) -> None:
    result = processed(synthetic / "walk01.c3d")
    trial = trial_of_result(result, synthetic)
    carried = [carried_kg(trial, side) or 0.0 for side in ("left", "right")]
    # the forces of this walker are prescribed, not those of its motion
    assert sum(carried) == pytest.approx(result.subject.mass_kg, rel=0.07)
    document = trial.document | {"subject": trial.document["subject"] | {"mass_kg": None}}
    assert carried_kg(replace(trial, document=document), "left") is None


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_foot_carries_its_mean_over_time(synthetic: Path, side: str) -> None:
    """The strike begins a cycle and ends it: counted twice, it would take 1 % of the load away."""
    result = processed(synthetic / "walk01.c3d")
    trial = trial_of_result(result, synthetic)
    wrench = result.sides[side].wrench
    assert wrench is not None
    cycles = [c for c in find_cycles(result, side) if c.number in kinetic_cycles(trial, side)]
    means = [
        wrench.force_G[round(c.start_row) : round(c.stop_row), 1].mean() / STANDARD_GRAVITY
        for c in cycles
    ]
    assert carried_kg(trial, side) == pytest.approx(np.mean(means), rel=1e-3)


def test_the_copy_is_the_one_of_the_longer_name() -> None:
    documents = documents_of([70.0, 70.0], "aa")
    documents[0]["inputs"][1]["name"] = "Copy of w1.c3d"
    (copy,), walk = trials_apart([{}, {}], documents)
    assert copy["why"] == "it is a copy of w1.c3d: the cycles of one of them count"
    assert not walk
