"""The vendor's accelerations where markers come and go."""

from __future__ import annotations

import numpy as np

from gaitdyn.core import splines
from gaitdyn.dynamics.vendor import cross_validated_acceleration


def test_a_run_too_short_for_a_spline_has_no_acceleration() -> None:
    time = np.arange(60) / 100
    r = np.stack((np.sin(9 * time), np.cos(7 * time), time), axis=1)
    r[40:] = np.nan
    r[45 : 45 + splines.SHORTEST - 1] = 1.0
    found = cross_validated_acceleration(r, 100.0)
    assert np.isfinite(found[:40]).all()
    assert np.isnan(found[40:]).all()
