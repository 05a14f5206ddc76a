"""The whole body of real trials: the vendor's numbers, and what is left at the waist."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options

pytestmark = pytest.mark.real
WALKS = {
    "BTK-A/PiG_Motion-FlatFoot-Full.c3d": ("PiG_Calibration-FlatFoot-Full.c3d", 16),
    "McGill/HC002D06.c3d": ("HC002D02.c3d", 10),
    "McGill/HC030A05.c3d": ("HC030A01.c3d", 10),
    "McGill/HC038A11.c3d": ("HC038A01.c3d", 10),
}


@pytest.mark.slow
def test_the_plug_in_gait_profile_equals_the_vendor_from_head_to_toe(accepted):
    code, told = accepted("pig_upper")
    assert code == 0, told[-3000:]


@pytest.mark.parametrize("name", WALKS)
def test_feet_and_hands_agree_at_the_waist_about_a_tenth_of_body_weight(shared, name):
    static, diameter = WALKS[name]
    path = shared / "corpus" / "gait" / name
    options = Options(static=str(path.parent / static), marker_diameter_mm=diameter)
    result = process_trial(path, options)
    upper = result.upper
    assert upper is not None
    assert upper.closure_force_G is not None
    rows = np.isfinite(upper.closure_force_G).all(axis=1)
    weight = 9.80665 * (result.subject.mass_kg or np.nan)
    # the trunk is one rigid piece and breathes: 0.05 to 0.12 of body weight were seen
    assert rows.sum() > 20
    assert np.sqrt((upper.closure_force_G[rows] ** 2).sum(axis=1).mean()) < 0.15 * weight
    assert np.nanmedian(upper.pose.R_GT[:, 1, 1]) > 0.9
