"""Rotation matrices, Cardan angles and the skew operator against scipy and by sight."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from scipy.spatial.transform import Rotation

from gaitdyn.core import rotations as rot

FEW = settings(max_examples=40, deadline=None)
VECTORS = arrays.arrays(float, (3, 3), elements=st.floats(-10, 10))
ANGLES = st.floats(-3.1, 3.1)
MIDDLE = st.floats(-1.5, 1.5)  # the second Cardan angle is within a quarter turn
# products of numbers up to 10: a few units of 1e-16 * 100
ROUNDING = 1e-12


@FEW
@given(VECTORS, VECTORS)
def test_skew_times_a_vector_is_the_cross_product(a: np.ndarray, b: np.ndarray) -> None:
    wanted = np.cross(a, b)
    np.testing.assert_allclose(rot.rotate(rot.skew(a), b), wanted, atol=ROUNDING)
    np.testing.assert_allclose(rot.cross(a, b), wanted, atol=ROUNDING)
    np.testing.assert_allclose(rot.cross(a[0], b), np.cross(a[0], b), atol=ROUNDING)


@FEW
@given(VECTORS)
def test_vee_undoes_skew_and_drops_what_is_symmetric(v: np.ndarray) -> None:
    symmetric = v[:, None, :] * v[:, :, None]
    np.testing.assert_allclose(rot.vee(rot.skew(v)), v, atol=ROUNDING)
    np.testing.assert_allclose(rot.vee(rot.skew(v) + symmetric), v, atol=ROUNDING)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@FEW
@given(angle=ANGLES)
def test_a_turn_about_an_axis_is_right_handed(axis: str, angle: float) -> None:
    wanted = Rotation.from_euler(axis, angle).as_matrix()
    np.testing.assert_allclose(rot.about(axis, angle), wanted, atol=ROUNDING)
    many = rot.about(axis, np.array([[angle, 0.0]]))
    assert many.shape == (1, 2, 3, 3)
    np.testing.assert_allclose(many[0, 1], np.eye(3), atol=ROUNDING)


def test_a_quarter_turn_about_z_takes_x_to_y() -> None:
    np.testing.assert_allclose(rot.about("z", np.pi / 2) @ [1, 0, 0], [0, 1, 0], atol=ROUNDING)


@FEW
@given(ANGLES, MIDDLE, ANGLES)
def test_cardan_zxy_gives_back_the_three_turns(a: float, b: float, c: float) -> None:
    R = Rotation.from_euler("ZXY", [a, b, c]).as_matrix()
    # near a quarter turn the arc sine loses half the digits
    np.testing.assert_allclose(rot.cardan_zxy(R[None])[0], [a, b, c], atol=1e-9)


@FEW
@given(ANGLES, MIDDLE, ANGLES)
def test_cardan_zyx_gives_back_the_three_turns(a: float, b: float, c: float) -> None:
    R = Rotation.from_euler("ZYX", [a, b, c]).as_matrix()
    # near a quarter turn the arc sine loses half the digits
    np.testing.assert_allclose(rot.cardan_zyx(R[None])[0], [a, b, c], atol=1e-9)


def test_rounding_beyond_one_does_not_spoil_a_cardan_angle() -> None:
    R = Rotation.from_euler("ZXY", [0.0, np.pi / 2, 0.0]).as_matrix()
    R[2, 1] = 1.0 + 1e-15
    assert rot.cardan_zxy(R)[1] == np.pi / 2
    R = Rotation.from_euler("ZYX", [0.0, np.pi / 2, 0.0]).as_matrix()
    R[2, 0] = -1.0 - 1e-15
    assert rot.cardan_zyx(R)[1] == np.pi / 2


def test_the_turn_between_two_frames_takes_one_to_the_other() -> None:
    A, B = Rotation.random(2, rng=1).as_matrix()[:, None]
    np.testing.assert_allclose(A @ rot.relative(A, B), B, atol=ROUNDING)
    v = np.arange(3.0)[None]
    np.testing.assert_allclose(rot.rotate_back(A, rot.rotate(A, v)), v, atol=ROUNDING)
    np.testing.assert_allclose(rot.rotate(A, v)[0], A[0] @ v[0], atol=ROUNDING)


def test_a_unit_vector_has_length_one_and_a_null_vector_has_no_direction() -> None:
    v = np.array([[3.0, 0.0, 4.0], [0.0, 0.0, 0.0], [np.nan, 1.0, 1.0]])
    found = rot.unit(v)
    np.testing.assert_allclose(found[0], [0.6, 0, 0.8], atol=ROUNDING)
    assert np.isnan(found[1:]).all()
    assert rot.dot(v, v).shape == (3, 1)
    assert rot.dot(v, v)[0, 0] == 25.0


def test_columns_are_the_axes() -> None:
    x, y, z = np.eye(3)[[1, 2, 0]]
    np.testing.assert_array_equal(rot.columns(x, y, z)[:, 0], x)
    np.testing.assert_array_equal(rot.columns(x, y, z)[:, 2], z)
