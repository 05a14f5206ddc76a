"""Mean and spread of the cycles that know a curve, and how many know all their angles."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from gaitdyn.cycles.averages import ANGLES, mean_curve, spread_curve
from gaitdyn.report.contents import cycles_used
from tests.unit.cycle_shapes import cycle_of

KNEE, HIP = "knee_angle_flexion", "hip_angle_flexion"
MOMENT = "knee_moment_extension"
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


def test_cycles_are_counted_that_know_all_their_angles():
    cycles = [
        cycle_of({KNEE: FLAT, HIP: FLAT, MOMENT: cut(FLAT)}),
        cycle_of({KNEE: FLAT, HIP: cut(FLAT)}, number=2),
        cycle_of({MOMENT: FLAT}, number=3),
    ]
    said = {"cycles": cycles, "document": {"status": []}, "once": lambda _, make: make()}
    trial = cast("Any", SimpleNamespace(**said))
    wanted = "left 3, 1 of them with all angles and 0 with all moments; right none"
    assert cycles_used([trial]) == wanted


def test_angles_that_no_cycle_shows_are_not_missing_in_one():
    never = np.full_like(FLAT, np.nan)
    cycles = [cycle_of({KNEE: FLAT, HIP: never}), cycle_of({KNEE: cut(FLAT), HIP: never}, number=2)]
    said = {"cycles": cycles, "document": {"status": []}, "once": lambda _, make: make()}
    told = cycles_used([cast("Any", SimpleNamespace(**said))])
    assert told.startswith("left 2, 1 of them with all angles")


def test_the_profile_has_nine_curves():
    assert len(set(ANGLES)) == 9
