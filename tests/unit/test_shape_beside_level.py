"""A change in shape is listed with the level that it is beside, not as the whole change."""

from __future__ import annotations

from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.report.compared.changed_curves import changed_curves
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import BUMP, KNEE, after


def listed(offset):
    found = find_changes([cases.trial(13)], [after(offsets={f"left {KNEE}": offset})])
    curves, _, _ = changed_curves(found.findings, ())
    (one,) = (
        curve for curve in curves if (curve.side, curve.title) == ("left", "knee angle flexion")
    )
    return one


def test_a_bump_beside_an_offset_is_listed_with_it():
    one = listed(16.0 * BUMP - 12.0)
    assert one.change.startswith("+1")
    assert one.where.endswith("beside \u221213.1\u00b0 over the cycle")


def test_a_bump_or_an_offset_alone_is_listed_as_it_is():
    assert "beside" not in listed(16.0 * BUMP).where
    assert listed(-20.0).where == "over the whole cycle"
