"""The rigid motion of a cluster: Kabsch's fit, its rotation, its gaps and its residuals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from gaitdyn.core.rigid import line_motion, move, rigid_motion

Array = np.ndarray[Any, np.dtype[Any]]
# points of a metre, a dozen products each
ROUNDING = 1e-12


def cluster(rng: np.random.Generator, markers: int, *, flat: bool = False) -> Array:
    points = rng.uniform(-0.15, 0.15, (markers, 3))
    if flat:
        points[:, 2] = 0.0
    return points


def moved(template: Array, R: Array, t: Array) -> Array:
    return np.einsum("nij,mj->nmi", R, template) + t[:, None]


def motions(rng: np.random.Generator, frames: int) -> tuple[Array, Array]:
    turns = Rotation.random(frames, random_state=int(rng.integers(2**31))).as_matrix()
    return turns, rng.uniform(-2.0, 2.0, (frames, 3))


def assert_rotations(R: Array) -> None:
    product = R @ np.swapaxes(R, 1, 2)
    np.testing.assert_allclose(product, np.tile(np.eye(3), (len(R), 1, 1)), atol=ROUNDING)
    np.testing.assert_allclose(np.linalg.det(R), 1.0, atol=ROUNDING)


@pytest.mark.parametrize("flat", [False, True], ids=["in space", "in a plane"])
@pytest.mark.parametrize("markers", [3, 4, 7])
def test_a_random_motion_is_found_to_rounding(markers: int, flat: bool) -> None:
    rng = np.random.default_rng(markers)
    template = cluster(rng, markers, flat=flat)
    wanted_R, wanted_t = motions(rng, 200)
    R, t, residual = rigid_motion(template, moved(template, wanted_R, wanted_t))
    np.testing.assert_allclose(R, wanted_R, atol=ROUNDING)
    np.testing.assert_allclose(t, wanted_t, atol=ROUNDING)
    assert residual.max() < ROUNDING
    point = np.array([0.1, -0.2, 0.3])
    np.testing.assert_allclose(
        move(R, t, point), moved(point[None], wanted_R, wanted_t)[:, 0], atol=ROUNDING
    )


@pytest.mark.parametrize("flat", [False, True], ids=["in space", "in a plane"])
@pytest.mark.parametrize("mirrored", [False, True], ids=["as it was", "mirrored"])
def test_the_fit_is_a_rotation_however_the_points_lie(mirrored: bool, flat: bool) -> None:
    """A mirror image fits a mirrored cluster best; it is not taken."""
    rng = np.random.default_rng(5)
    template = cluster(rng, 4, flat=flat)
    points = moved(template, *motions(rng, 100)) + rng.normal(0.0, 0.01, (100, 4, 3))
    if mirrored:
        points[..., 0] *= -1.0
    assert_rotations(rigid_motion(template, points)[0])


def test_three_noisy_markers_give_a_rotation() -> None:
    rng = np.random.default_rng(6)
    template = cluster(rng, 3)
    points = moved(template, *motions(rng, 100)) + rng.normal(0.0, 0.02, (100, 3, 3))
    assert_rotations(rigid_motion(template, points)[0])


def test_no_other_motion_fits_noisy_points_better() -> None:
    rng = np.random.default_rng(7)
    template = cluster(rng, 5)
    points = moved(template, *motions(rng, 20)) + rng.normal(0.0, 0.01, (20, 5, 3))
    R, t, residual = rigid_motion(template, points)
    best = (residual**2).sum(axis=1)
    for _ in range(30):
        nudge = Rotation.from_rotvec(rng.normal(0.0, 0.02, (20, 3))).as_matrix()
        other = moved(template, nudge @ R, t + rng.normal(0.0, 0.002, (20, 3)))
        assert (((points - other) ** 2).sum(axis=(1, 2)) > best).all()


def test_a_marker_that_is_not_seen_is_left_out_of_its_frames() -> None:
    rng = np.random.default_rng(8)
    template = cluster(rng, 4)
    wanted_R, wanted_t = motions(rng, 30)
    points = moved(template, wanted_R, wanted_t)
    points[5:10, 0] = np.nan
    points[12, 3, 1] = np.nan  # one coordinate is enough
    R, t, residual = rigid_motion(template, points)
    np.testing.assert_allclose(R, wanted_R, atol=ROUNDING)
    np.testing.assert_allclose(t, wanted_t, atol=ROUNDING)
    empty = np.isnan(residual)
    assert empty[5:10, 0].all()
    assert empty[12, 3]
    assert empty.sum() == 6


def test_an_unseen_marker_does_not_pull_at_the_others() -> None:
    """Frames of one pattern are solved together; each has the fit of its own markers."""
    rng = np.random.default_rng(9)
    template = cluster(rng, 5)
    points = moved(template, *motions(rng, 12)) + rng.normal(0.0, 0.01, (12, 5, 3))
    points[::3, 1] = np.nan
    points[1::3, 4] = np.nan
    R, t, residual = rigid_motion(template, points)
    for i in range(12):
        seen = np.isfinite(points[i, :, 0])
        alone = rigid_motion(template[seen], points[i : i + 1, seen])
        np.testing.assert_allclose(residual[i, seen], alone[2][0], atol=ROUNDING)
        np.testing.assert_allclose(R[i], alone[0][0], atol=ROUNDING)
        np.testing.assert_allclose(t[i], alone[1][0], atol=ROUNDING)


def test_fewer_than_three_points_leave_only_their_frames_empty() -> None:
    rng = np.random.default_rng(10)
    template = cluster(rng, 3)
    wanted_R, wanted_t = motions(rng, 10)
    points = moved(template, wanted_R, wanted_t)
    points[3, 1] = np.nan
    points[7] = np.nan
    R, t, residual = rigid_motion(template, points)
    for found in (R.reshape(10, -1), t, residual):
        np.testing.assert_array_equal(np.isnan(found).all(axis=1), np.isin(np.arange(10), [3, 7]))
    known = [0, 1, 2, 4, 5, 6, 8, 9]
    np.testing.assert_allclose(R[known], wanted_R[known], atol=ROUNDING)


@pytest.mark.parametrize("aside", [0.0, 0.9])
def test_points_in_one_line_leave_only_their_frames_empty(aside: float) -> None:
    """Four markers of which three stand in a line: without the fourth the turn is unknown."""
    template = np.array([[0.0, 0, 0], [0.1, 0, 0], [0.2, 0, 0], [0.1, 0.1, 0]]) + aside
    rng = np.random.default_rng(11)
    wanted_R, wanted_t = motions(rng, 6)
    points = moved(template, wanted_R, wanted_t)
    points[2, 3] = np.nan
    R, t, residual = rigid_motion(template, points)
    np.testing.assert_array_equal(np.isnan(R).any(axis=(1, 2)), np.arange(6) == 2)
    np.testing.assert_array_equal(np.isnan(t).any(axis=1), np.arange(6) == 2)
    assert np.isnan(residual[2]).all()
    known = [0, 1, 3, 4, 5]
    np.testing.assert_allclose(R[known], wanted_R[known], atol=ROUNDING)


def test_no_marker_at_all_is_an_empty_motion() -> None:
    R, t, residual = rigid_motion(np.zeros((3, 3)), np.full((4, 3, 3), np.nan))
    assert np.isnan(R).all()
    assert np.isnan(t).all()
    assert np.isnan(residual).all()


def test_residuals_are_those_counted_by_hand() -> None:
    """A square of 2 cm whose corners rise and sink in turn by 1 cm: no turn helps, all are 1 cm.

    A square that is 4 mm wider (2 mm on each side along x) leaves 2 mm at every corner.
    """
    square = 0.01 * np.array([[1.0, 1, 0], [-1, 1, 0], [-1, -1, 0], [1, -1, 0]])
    lifted, wider = square.copy(), square.copy()
    lifted[:, 2] = 0.01 * np.array([1.0, -1, 1, -1])
    wider[:, 0] *= 1.2
    R, t, residual = rigid_motion(square, np.stack((lifted, wider)))
    np.testing.assert_allclose(R, np.tile(np.eye(3), (2, 1, 1)), atol=ROUNDING)
    np.testing.assert_allclose(t, 0.0, atol=ROUNDING)
    np.testing.assert_allclose(residual[0], 0.01, atol=ROUNDING)
    np.testing.assert_allclose(residual[1], 0.002, atol=ROUNDING)


def test_two_points_and_a_direction_give_the_motion_of_their_segment() -> None:
    """The points 4 % further apart than in the template keep their middle."""
    template, direction = np.array([[0.1, 0.5, 0.2], [0.2, 0.1, 0.3]]), np.array([0.0, 0.2, 1.0])
    turn = Rotation.from_euler("zxy", [0.4, -0.3, 1.1]).as_matrix()
    middle = template.mean(axis=0)
    points = (1.04 * (template - middle) + middle) @ turn.T + [1.0, -2.0, 0.5]
    R, t = line_motion(template, points[None], direction, (turn @ direction)[None])
    np.testing.assert_allclose(R[0], turn, atol=1e-12)
    np.testing.assert_allclose(t[0], [1.0, -2.0, 0.5], atol=1e-12)
