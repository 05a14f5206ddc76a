"""Real trials told as another laboratory would: same movement, same numbers, or a finding."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.real


@pytest.mark.parametrize(
    ("name", "telling"),
    [
        ("BTS-ezc3d", "labels in english anatomy"),
        ("HC030A05", "axes 9"),
        ("HC030A05", "a second person"),
        ("HC030A05", "plates not tared"),
        ("BMC", "turned 37 degrees"),
        ("RBWH", "labels in plug-in-gait"),
    ],
)
def test_what_a_laboratory_chooses_changes_no_number(retold: Any, name: str, telling: str) -> None:
    (trial,) = retold.trials(name)
    told = retold.compared(trial, telling, retold.run(trial), retold.tellings(trial)[telling])
    assert told.kind == "same", told.note
