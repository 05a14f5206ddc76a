"""A marker of a cluster that is hidden for a while stays in the fit of its segment."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from gaitdyn.calibrate.clusters.hidden import carried_through
from gaitdyn.calibrate.clusters.hidden_path import (
    LARGEST_SWAY_M,
    beside_gap,
    filled_path,
    held,
    line,
    sway,
)
from gaitdyn.calibrate.clusters.steady import LARGEST_TURN, gain, largest_stray, steady
from gaitdyn.core.rigid import rigid_motion
from gaitdyn.core.rotations import about, rotate
from gaitdyn.core.runs import known_points

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


@pytest.mark.parametrize(
    ("gap", "wobble"), [(slice(60, 90), 0.02), (slice(0, 70), 0.004), (slice(140, 200), 0.004)]
)
def test_the_pose_has_no_jump_where_a_marker_comes_and_goes(gap, wobble):
    holed = moving(wobble)
    holed[gap, 3] = np.nan

    def roughest(points: np.ndarray) -> float:
        _, t, _ = rigid_motion(SHAPE, points)
        return float(np.nanmax(np.abs(np.diff(t, n=2, axis=0))) * RATE**2)

    plain = roughest(moving(wobble))
    assert roughest(holed) > 30 * plain
    carried = carried_through(SHAPE, holed, RATE)
    assert np.isfinite(carried[gap, 3]).any()
    assert roughest(steady(SHAPE, carried, np.zeros((1, 3)))) < 8 * plain


def test_a_marker_that_slides_far_within_a_gap_is_not_carried():
    """20 mm at 0.8 Hz: over 0.35 s up to 13 mm beside the line between the ends."""
    holed = moving(wobble=0.02)
    holed[60:130, 3] = np.nan
    assert np.isnan(carried_through(SHAPE, holed, RATE)[60:130, 3]).all()
    path = np.zeros((200, 3))
    path[:, 0] = 0.02 * np.sin(2 * np.pi * 0.8 * np.arange(200) / RATE)
    assert sway(path, 70) == pytest.approx(0.02 * (1 - np.cos(2 * np.pi * 0.8 * 0.175)), rel=0.05)


def test_others_far_off_and_close_together_carry_nothing():
    """Three points within 2 cm place a fourth 40 cm away with many times their own error."""
    shape = np.array([[0.0, 0.0, 0.0], [0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.4, 0.1]])
    assert gain(shape[:3], shape[3]) > 10
    holed = np.repeat(shape[None], 60, axis=0)
    holed[20:30, 3] = np.nan
    assert np.isnan(carried_through(shape, holed, RATE)[20:30, 3]).all()


def test_the_gain_is_one_in_sqrt_n_in_the_middle():
    cube = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
    assert gain(cube, np.zeros(3)) == pytest.approx(1 / np.sqrt(8))
    # at a corner: each axis is sqrt(2) away, and the corners are sqrt(2) from it
    assert gain(cube, cube[0]) == pytest.approx(np.sqrt(2 / 8))
    # three sides of a box, turned and moved as a whole
    box, turned = cube * [1.0, 2.0, 3.0], about("z", 0.6) @ about("y", 0.4) @ about("x", 0.9)
    there = [x @ turned.T + [7.0, -3.0, 5.0] for x in (box, np.array([4.0, 0.0, 0.0]))]
    wanted = np.sqrt((1 + (16 / 10 + 16 / 5) / 3) / 8)  # 4 from y and z; mean squares 1, 4, 9
    assert gain(*there) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("aside", "lost", "left_out"),
    [(0.1, 0.4, True), (0.1, 0.2, False), (0.02, 0.4, False), (0.02, 0.6, True)],
)
def test_a_marker_that_comes_and_goes_is_left_out_where_it_hardly_counts(aside, lost, left_out):
    """Four at the corners of a square, or close to a line; a fifth 0.1 m off makes it rigid."""
    shape = np.array([[0, 0, 0], [0.1, 0, 0], [0.1, aside, 0], [0, aside, 0], [0.05, 0.1, 0.0]])
    points = np.tile(shape, (100, 1, 1))
    points[: round(100 * lost), 4] = np.nan
    found = steady(shape, points, np.array([[0.05, 0.05, 0.05]]))
    seen = known_points(found)
    if left_out:
        np.testing.assert_array_equal(seen.all(axis=0), [True, True, True, True, False])
        assert not seen[:, 4].any()
    else:
        np.testing.assert_array_equal(seen.any(axis=1), np.arange(100) >= round(100 * lost))


def test_a_joint_centre_helps_two_markers_to_carry_a_third():
    whole = moving()
    order = [0, 2, 3, 1]  # the last is the joint, close to the hidden one
    shape, points = SHAPE[order], whole[:, order]
    holed = points[:, :3].copy()
    holed[50:90, 0] = np.nan
    assert np.isnan(carried_through(shape[:3], holed, RATE)[50:90, 0]).all()
    found = carried_through(shape[:3], holed, RATE, (shape[3:], points[:, 3:]))
    np.testing.assert_allclose(found, points[:, :3], atol=1e-12)


def test_frames_whose_set_of_markers_differs_are_empty_or_the_marker_is_left_out():
    ends = np.zeros((1, 3))
    few = moving()
    few[50:90, 3] = np.nan
    empty = steady(SHAPE, few, ends)
    assert np.isnan(empty[50:90]).all()
    assert np.isfinite(empty[:50]).all()
    often = np.concatenate((moving(), moving()[:, 3:] + 0.02), axis=1)
    shape = np.concatenate((SHAPE, SHAPE[3:] + 0.02))
    often[20:150, 4] = np.nan
    kept = steady(shape, often, ends)
    assert np.isfinite(kept[:, :4]).all()
    assert np.isnan(kept[:, 4]).all()


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


@pytest.mark.parametrize("at_end", [True, False])
def test_a_gap_at_an_end_begins_with_the_speed_beside_it(at_end):
    """At 3 mm a row, k rows on: 3 k exp(-k / 10) mm, with 50 ms at 200 Hz."""
    course = 0.003 * np.arange(12.0)[:, None] * [1.0, 2.0, 3.0]
    rows = np.arange(1, 9)
    away = course[11] + 0.003 * (rows * np.exp(-rows / 10.0))[:, None] * [1.0, 2.0, 3.0]
    whole = np.concatenate((course, away))
    holed = whole.copy()
    holed[12:] = np.nan
    turned = slice(None) if at_end else slice(None, None, -1)
    np.testing.assert_allclose(held(holed[turned], RATE), whole[turned], atol=1e-12)
    alone = np.full((4, 3), np.nan)
    alone[0 if at_end else 3] = course[11]
    np.testing.assert_array_equal(held(alone, RATE), np.tile(course[11], (4, 1)))


def test_one_place_beside_a_gap_shows_no_speed():
    nan = np.nan
    np.testing.assert_array_equal(held(np.array([[0.2], [nan], [nan]]), RATE), [[0.2]] * 3)
    np.testing.assert_array_equal(held(np.array([[nan], [nan], [0.2]]), RATE), [[0.2]] * 3)


def test_rows_beside_a_gap_end_at_the_next_gap():
    path = np.zeros((20, 3))
    path[[2, 10, 11, 12]] = np.nan
    assert [beside_gap(path, (10, 13), most) for most in (5, 7, 9)] == [(5, 5), (7, 7), (7, 7)]
    path[[15, 18]] = np.nan
    assert beside_gap(path, (10, 13), 6) == (6, 2)
    assert beside_gap(path, (2, 3), 6) == (2, 6)


def test_a_line_through_a_gap_joins_the_means_of_both_sides():
    """Three rows about row 1, one row at 4: row 3 is two thirds of the way."""
    np.testing.assert_allclose(line(3, 1, 1), [[1 / 9, 1 / 9, 1 / 9, 2 / 3]])
    np.testing.assert_allclose(line(1, 2, 3), [[3 / 4, *3 * [1 / 12]], [1 / 2, *3 * [1 / 6]]])


def test_a_marker_is_seen_again_in_the_last_frame_alone():
    found = moving()
    found[150:199, 3] = np.nan
    filled = carried_through(SHAPE, found, RATE)
    np.testing.assert_allclose(filled, moving(), atol=1e-12)


def test_two_markers_and_the_vertical_carry_the_third_of_a_pelvis():
    """It turns about its line by 6 degrees once a second: without the vertical nothing is known."""
    time = np.arange(300) / RATE
    shape = np.array([[0.1, 0.0, -0.12], [0.1, 0.0, 0.12], [-0.1, 0.02, 0.0]])
    R = about("z", 0.1 * np.sin(2 * np.pi * time)) @ about("y", 0.15 * np.cos(2 * np.pi * time))
    whole = np.einsum("nij,mj->nmi", R, shape) + 1.2 * time[:, None, None] * [1.0, 0.0, 0.0]
    up = np.array([0.0, 1.0, 0.0])
    upright = up, np.broadcast_to(up, (300, 3))
    for hidden in range(3):
        holed = whole.copy()
        holed[140:170, hidden] = np.nan
        assert carried_through(shape, holed, RATE) is holed
        found = carried_through(shape, holed, RATE, None, upright)
        np.testing.assert_allclose(found, whole, atol=1e-3)


def test_a_direction_along_the_line_of_two_markers_tells_nothing():
    shape = SHAPE[:3]
    holed = np.repeat(shape[None], 120, axis=0)
    holed[50:70, 1] = np.nan
    along = (shape[2] - shape[0]) / np.linalg.norm(shape[2] - shape[0])
    for direction, filled in ((along, False), (np.array([1.0, 0.0, 0.0]), True)):
        beside_it = direction, np.broadcast_to(direction, (120, 3))
        found = carried_through(shape, holed, RATE, None, beside_it)
        assert bool(np.isfinite(found[50:70, 1]).all()) is filled


def test_a_line_of_two_carries_to_no_end_of_the_recording():
    holed = np.repeat(SHAPE[None, :3], 120, axis=0)
    holed[90:, 1] = np.nan
    aside = np.array([1.0, 0.0, 0.0])
    found = carried_through(SHAPE[:3], holed, RATE, None, (aside, np.broadcast_to(aside, (120, 3))))
    assert np.isnan(found[90:, 1]).all()


@pytest.mark.parametrize("speed_m_s", [0.03, 0.06])
def test_a_marker_seen_on_one_side_keeps_its_place_as_long_as_it_would_elsewhere(speed_m_s):
    """At 30 mm/s it leaves its place by 3 mm in 0.1 s, 20 frames; either side is shown."""
    path = np.arange(200.0)[:, None] / RATE * speed_m_s * [1.0, 0.0, 0.0]
    length = round(LARGEST_SWAY_M / speed_m_s * RATE)
    for gap in ((150, 200), (0, 50)):
        holed = path.copy()
        holed[slice(*gap)] = np.nan
        rows = np.arange(max(0, gap[0] - 4), min(200, gap[1] + 4))
        filled = filled_path(holed, gap, rows, RATE, LARGEST_SWAY_M)
        assert filled is not None
        known = np.isfinite(filled[:, 0])
        assert known.sum() == pytest.approx(length, abs=1)
        assert known[0] == (gap[0] > 0)
        assert known[-1] == (gap[0] == 0)


def test_a_marker_that_alone_shows_the_turn_about_a_line_must_be_known_better():
    """20 mm beside the line of two others, 1 mm off turns the segment by 0.05 rad."""
    shape = np.array([[0.0, 0.0, 0.0], [0.0, 0.4, 0.0], [0.02, 0.2, 0.0]])
    assert largest_stray(shape, 2) == pytest.approx(LARGEST_TURN * 0.02)
    wide = np.array([[0.0, 0.0, 0.0], [0.0, 0.4, 0.0], [0.1, 0.2, 0.0]])
    assert largest_stray(wide, 2) == LARGEST_SWAY_M
    assert largest_stray(SHAPE, 3) == LARGEST_SWAY_M
    assert largest_stray(shape[:2], 0) == LARGEST_SWAY_M


def test_the_largest_stray_does_not_depend_on_where_a_cluster_is():
    bar = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.1, 0.01, 0.0]])
    assert largest_stray(bar, 2) == pytest.approx(LARGEST_TURN * 0.01)
    assert largest_stray(bar - (0.0, 5.0, -3.0), 2) == pytest.approx(LARGEST_TURN * 0.01)


def test_others_beside_the_line_take_a_part_of_the_turn():
    """Of two that are 20 mm beside the line on either side, each turns it by half of its error."""
    shape = np.array([[0.0, 0.0, 0.0], [0.0, 0.4, 0.0], [0.02, 0.2, 0.0], [-0.02, 0.2, 0.0]])
    assert largest_stray(shape, 2) == pytest.approx(LARGEST_TURN * 0.04, rel=0.1)


def test_a_lever_counts_where_a_hidden_marker_is_carried():
    """The wand of a thigh moves by 2 mm against the line of hip and knee markers."""
    shape = np.array([[0.0, 0.0, 0.0], [0.0, 0.4, 0.0], [0.02, 0.2, 0.0], [0.1, 0.1, 0.1]])
    holed = np.repeat(shape[None, :3], 300, axis=0)
    holed[:, 2, 2] += 0.002 * np.sin(2 * np.pi * 5.0 * np.arange(300) / RATE)
    holed[140:170, 2] = np.nan
    joint = shape[3:], np.repeat(shape[None, 3:], 300, axis=0)
    assert np.isnan(carried_through(shape[:3], holed, RATE, joint)[140:170, 2]).all()
    further = shape.copy()
    further[2, 0] += 0.08
    holed[:, 2, 0] += 0.08
    found = carried_through(further[:3], holed, RATE, joint)
    assert np.isfinite(found[140:170, 2]).all()


def test_noise_beside_a_long_gap_is_averaged():
    """A marker that keeps its place but for .7 mm of noise is known through 0.35 s."""
    path = np.random.default_rng(3).normal(0.0, 0.0004, (400, 3))
    holed = path.copy()
    holed[200:270] = np.nan
    found = filled_path(holed, (200, 270), np.arange(190, 280), RATE, LARGEST_SWAY_M)
    assert found is not None
    assert np.linalg.norm(found, axis=1).max() < 0.0005
