"""How far curves are from a truth that is known, by joint and quantity."""

from __future__ import annotations

import numpy as np

from gaitdyn.tables.agreement import Agreement, agreement, known_truth
from gaitdyn.types.curves import Curve
from tests.walks import walk

NAN = float("nan")


def curve(name: str, *values: float) -> Curve:
    return Curve(name, np.array(values), "deg", "", "", "")


def test_the_worst_column_of_both_sides_stands_for_a_quantity() -> None:
    curves = [
        curve("left_knee_angle_flexion", 1.0, 2.0, NAN, 4.0),
        curve("right_knee_angle_flexion", 10.0, 10.0, 10.0, 10.0),
        curve("right_knee_angle_adduction", 0.0, 0.0, 0.0, 0.0),
        curve("left_hip_power", 1.0, 1.0, 1.0, 1.0),  # without a truth
        curve("left_ankle_angle_dorsiflexion", NAN, NAN, NAN, NAN),
    ]
    truth = {c.name: np.zeros(4) for c in curves if c.name != "left_hip_power"}
    truth["right_knee_angle_flexion"] = np.array([10.0, 7.0, 14.0, 10.0])
    (found,) = agreement(curves, truth)
    rmse = np.sqrt(21.0 / 3.0)  # of 1, 2 and 4; that of 0, 3, 4 and 0 is 2.5
    assert (found.name, found.unit, found.frames) == ("knee angle", "deg", 3)
    assert (found.rmse, found.largest) == (rmse, 4.0)
    rows = np.array([False, True, True, False])
    assert agreement(curves, truth, rows) == [
        Agreement("knee angle", "deg", float(np.sqrt(12.5)), 4.0, 2)
    ]


def test_true_loads_are_known_while_a_plate_carries_the_foot() -> None:
    trial = walk()
    truth = known_truth(trial)
    for side in ("left", "right"):
        known = trial.leg(side).known
        assert 0 < known.sum() < len(known)
        for load in ("knee_moment_extension", "grf_y", "ankle_power", "hip_force_x"):
            assert (np.isfinite(truth[f"{side}_{load}"]) == known).all()
        assert np.isfinite(truth[f"{side}_knee_angle_flexion"]).all()
