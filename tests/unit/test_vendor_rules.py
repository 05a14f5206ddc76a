"""The vendor's accelerations where markers come and go, and its angular velocities."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core import splines
from gaitdyn.dynamics.vendor import cross_validated_acceleration, edge_frames, one_sided_omega


def test_a_run_too_short_for_a_spline_has_no_acceleration() -> None:
    time = np.arange(60) / 100
    r = np.stack((np.sin(9 * time), np.cos(7 * time), time), axis=1)
    r[40:] = np.nan
    r[45 : 45 + splines.SHORTEST - 1] = 1.0
    found = cross_validated_acceleration(r, 100.0)
    assert np.isfinite(found[:40]).all()
    assert np.isnan(found[40:]).all()


@pytest.mark.parametrize(
    ("rate", "frames"), [(50, 1), (100, 2), (120, 2), (150, 3), (240, 5), (300, 6)]
)
def test_angular_velocity_is_taken_over_20_ms_to_either_side(rate: int, frames: int) -> None:
    """A steady turn of 2 rad/s about y: sin(2 k dt w) / (2 k dt) by the one-sided element."""
    time, w = np.arange(80) / rate, 2.0
    R = np.tile(np.eye(3), (80, 1, 1))
    R[:, 0, 0] = R[:, 2, 2] = np.cos(w * time)
    R[:, 0, 2] = np.sin(w * time)
    R[:, 2, 0] = -R[:, 0, 2]
    omega, alpha = one_sided_omega(R[:, None], float(rate), pelvis=True)
    wide = 2 * frames / rate
    inside = omega[frames:-frames, 0]
    np.testing.assert_allclose(np.linalg.norm(inside, axis=1), np.sin(w * wide) / wide)
    assert np.isnan(omega[:frames]).all()
    assert np.isnan(omega[-frames:]).all()
    assert edge_frames(float(rate)) == 2 * frames
    assert np.isnan(alpha[: 2 * frames]).all()
    np.testing.assert_allclose(alpha[2 * frames : -2 * frames], 0.0, atol=1e-9)
