"""A marker of a cluster that is hidden for a while stays in the fit of its segment."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.calibrate.hidden import carried_through, through
from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import about, rotate

RATE = 200.0
SHAPE = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.3, 0.0], [0.05, 0.1, 0.08]])


def moving(wobble: float = 0.0) -> np.ndarray:
    """Return the four points of a turning segment, the last of which slides on it, m."""
    time = np.arange(200) / RATE
    local = np.repeat(SHAPE[None], len(time), axis=0)
    local[:, 3, 0] += wobble * np.sin(2 * np.pi * 0.8 * time)
    R = about("z", 0.6 * np.sin(2 * np.pi * time))
    travel = np.stack([1.2 * time, 0.05 * np.cos(time), 0 * time], axis=1)
    return rotate(R[:, None], local) + travel[:, None]


def test_a_rigid_cluster_is_filled_exactly():
    whole = moving()
    holed = whole.copy()
    holed[50:90, 3] = np.nan
    holed[:20, 1] = np.nan
    np.testing.assert_allclose(carried_through(SHAPE, holed, RATE), whole, atol=1e-12)


@pytest.mark.parametrize("gap", [slice(60, 130), slice(0, 70), slice(140, 200)])
def test_the_pose_has_no_jump_where_a_marker_comes_and_goes(gap):
    holed = moving(wobble=0.02)
    holed[gap, 3] = np.nan

    def roughest(points: np.ndarray) -> float:
        _, t, _ = rigid_motion(SHAPE, points)
        return float(np.abs(np.diff(t, n=2, axis=0)).max() * RATE**2)

    plain = roughest(moving(wobble=0.02))
    assert roughest(holed) > 30 * plain
    assert roughest(carried_through(SHAPE, holed, RATE)) < 8 * plain


def test_nothing_is_filled_where_fewer_than_three_others_are_seen():
    holed = moving()
    holed[50:90, 2:] = np.nan
    assert np.isnan(carried_through(SHAPE, holed, RATE)[50:90, 2:]).all()


def test_others_in_one_line_carry_nothing():
    shape = SHAPE.copy()
    shape[2] = [0.2, 0.0, 0.0]
    holed = np.repeat(shape[None], 60, axis=0)
    holed[20:30, 3] = np.nan
    assert np.isnan(carried_through(shape, holed, RATE)[20:30, 3]).all()


def test_a_marker_that_is_never_seen_beside_the_gap_stays_hidden():
    holed = moving()
    holed[:, 3] = np.nan
    assert carried_through(SHAPE, holed, RATE) is holed


def test_a_gap_is_joined_with_the_speed_of_its_ends():
    course = np.linspace(0.0, 1.0, 21)[:, None] * [1.0, 2.0, 3.0]
    holed = course.copy()
    holed[8:15] = np.nan
    np.testing.assert_allclose(through(holed, RATE), course, atol=1e-12)
