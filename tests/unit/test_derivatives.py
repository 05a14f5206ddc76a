"""Velocities and accelerations of segments from their positions and turns."""

from __future__ import annotations

import numpy as np

from gaitdyn.core import splines
from gaitdyn.core.rotations import about
from gaitdyn.kinematics.derivatives import angular_motion, derivatives

RATE = 200.0
T = np.arange(240) / RATE
INSIDE = slice(12, -12)


def tumbling() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return turns Rz(a) Rx(b) Ry(c) with omega and alpha in body axes, by hand."""
    a, b, c = 0.8 * np.sin(6 * T), 0.3 * np.cos(4 * T), 0.5 * np.sin(5 * T + 1)
    da, db, dc = 4.8 * np.cos(6 * T), -1.2 * np.sin(4 * T), 2.5 * np.cos(5 * T + 1)
    dda, ddb, ddc = -28.8 * np.sin(6 * T), -4.8 * np.cos(4 * T), -12.5 * np.sin(5 * T + 1)
    sb, cb, sc, cc = np.sin(b), np.cos(b), np.sin(c), np.cos(c)
    # omega in body axes: c' y + Ry(c)' (b' x + Rx(b)' a' z)
    x, y, z = db, da * sb, da * cb
    omega = np.stack((x * cc - z * sc, y + dc, x * sc + z * cc), axis=1)
    dx, dy, dz = ddb, dda * sb + da * db * cb, dda * cb - da * db * sb
    alpha = np.stack(
        (
            dx * cc - dz * sc - dc * (x * sc + z * cc),
            dy + ddc,
            dx * sc + dz * cc + dc * (x * cc - z * sc),
        ),
        axis=1,
    )
    return about("z", a) @ about("x", b) @ about("y", c), omega, alpha


def test_a_tumbling_segment_turns_as_fast_as_its_angles_say() -> None:
    R, omega, alpha = tumbling()
    found, accelerated = angular_motion(R, RATE)
    # errors of a quintic spline: (w step)^4 / 720 of the derivative for w up to about 20 rad/s
    np.testing.assert_allclose(found[INSIDE], omega[INSIDE], atol=1e-6)
    np.testing.assert_allclose(accelerated[INSIDE], alpha[INSIDE], atol=2e-4)


def test_a_turn_about_one_axis_has_its_rate_about_that_axis() -> None:
    for i, axis in enumerate("xyz"):
        omega, alpha = angular_motion(about(axis, 0.5 * T**2), RATE)
        # error of the spline of a cosine, as above
        np.testing.assert_allclose(omega[INSIDE], np.outer(T, np.eye(3)[i])[INSIDE], atol=1e-7)
        np.testing.assert_allclose(alpha[INSIDE] - np.eye(3)[i], 0, atol=1e-5)


def test_every_run_between_gaps_is_a_spline_of_its_own() -> None:
    y = np.stack((np.sin(5 * T), np.cos(5 * T), T), axis=1)
    y[100:110, 1] = np.nan
    first, second = derivatives(y, RATE)
    assert np.isnan(first[100:110]).all()
    assert np.isnan(second[100:110]).all()
    alone = derivatives(y[110:], RATE)
    np.testing.assert_array_equal(first[110:], alone[0])
    np.testing.assert_array_equal(second[110:], alone[1])


def test_a_run_of_six_frames_is_too_short_for_derivatives() -> None:
    y = np.sin(T)[:, None]
    y[6:20] = np.nan
    first, _ = derivatives(y, RATE)
    assert np.isnan(first[:20]).all()
    assert np.isfinite(first[20:]).all()
    short = np.full((20, 1), np.nan)
    short[3:10] = 1.0
    assert np.isfinite(derivatives(short, RATE)[0]).sum() == 7


def test_a_later_run_too_short_for_a_spline_has_no_derivative() -> None:
    y = np.sin(5 * T)
    y[100:110], y[110 + splines.SHORTEST - 1 :] = np.nan, np.nan
    first, second = derivatives(y, RATE)
    assert np.isfinite(first[:100]).all()
    assert np.isnan(first[100:]).all()
    assert np.isnan(second[100:]).all()
