"""Mean and spread of the cycles that know a curve, and how many know all their angles."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.cycles.averages import ANGLES, mean_curve, spread_curve
from gaitdyn.report.strides import cycles_used
from tests.unit.cycle_shapes import cycle_of

KNEE, HIP = "knee_angle_flexion", "hip_angle_flexion"
FLAT = np.ones(101)


def cut(curve: np.ndarray) -> np.ndarray:
    found = curve.copy()
    found[3] = np.nan
    return found


def test_mean_and_spread_are_of_the_cycles_that_know_the_curve():
    curves = [FLAT * 10.0, FLAT * 14.0, cut(FLAT * 50.0)]
    assert mean_curve(curves) == pytest.approx(FLAT * 12.0)
    assert spread_curve(curves) == pytest.approx(FLAT * np.sqrt(8.0))  # (2^2 + 2^2) / (2 - 1)


def test_one_cycle_or_none_has_neither_mean_nor_spread():
    for curves in ([], [FLAT], [FLAT, cut(FLAT)]):
        assert mean_curve(curves) is None
        assert spread_curve(curves) is None


def test_cycles_are_counted_as_the_verdict_counts_them():
    """A head whose markers were lost lowered the count of the page, not that of the console."""
    cycles = [cycle_of({KNEE: FLAT}, number=n) for n in (1, 2, 3)]
    verdicts = [{"side": "left", "quantity": "kinematics", "cycles": 2}]
    document = {"status": [], "verdicts": verdicts}
    said = {"cycles": cycles, "document": document, "once": lambda _, make: make()}
    wanted = "left 3, 2 of them with all leg angles and none with all moments; right none"
    assert cycles_used([cast("Any", SimpleNamespace(**said))]) == wanted


def test_the_profile_has_nine_curves():
    assert len(set(ANGLES)) == 9
