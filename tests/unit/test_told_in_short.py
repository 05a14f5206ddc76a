"""A worker of the gate tells once of a test that passed, and all of any other."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from tests.told_in_short import worth_telling

WHEN = ("setup", "call", "teardown")


@pytest.mark.parametrize(
    ("ended", "told"),
    [
        ((True, True, True), ("call",)),
        ((True, False, True), WHEN),
        ((True, True, False), WHEN),
        ((False, None, True), ("setup", "teardown")),
    ],
    ids=["passed", "failed", "failed after", "failed or skipped before"],
)
def test_what_is_told(ended: tuple[bool | None, ...], told: tuple[str, ...]) -> None:
    reports: list[Any] = [
        SimpleNamespace(when=when, passed=passed)
        for when, passed in zip(WHEN, ended, strict=True)
        if passed is not None
    ]
    assert tuple(report.when for report in worth_telling(reports)) == told
