"""Trials of one session that do not carry the same body over a stride."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.batch.trial_row import carried_kg
from gaitdyn.batch.trials_apart import trials_apart
from gaitdyn.store.stored import trial_of_result
from tests.walks import processed

if TYPE_CHECKING:
    from pathlib import Path


def said(carried: list[tuple[float | None, float | None]], masses: list[float]) -> list[bool]:
    rows = [{"left_carried_kg": left, "right_carried_kg": right} for left, right in carried]
    documents: list[dict[str, Any]] = [
        {"subject": {"mass_kg": mass}, "private": {"name_codes": []}} for mass in masses
    ]
    return [bool(items) for items in trials_apart(rows, documents)]


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
