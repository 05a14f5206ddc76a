"""Hip regressions against numbers worked out by hand, sides, and what half a marker does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.calibrate.hip_regressions import HIP_RULES, PelvisMeasures, compare_hip_centres, davis
from gaitdyn.calibrate.plug_in_gait.joint_centres import hip_offset_P
from gaitdyn.types.subject import LegMeasures, Subject

PELVIS = PelvisMeasures(width_m=0.25, depth_m=0.15, leg_length_m=0.9, diameter_m=0.014)
# mm, right side: regression on bone, then 7 mm (half a marker) further back
BY_HAND = {
    "harrington": (-0.24 * 150 - 9.9 - 7, -0.30 * 250 - 10.9, 0.33 * 250 + 7.3),
    "harrington-full": (-45.9 - 7, -40 - 36 - 7.1, 42 + 40 + 7.9),
    "harrington-width": (-34.5 - 10.4 - 7, -76.25 - 10.9, 82.5 + 7.3),
    "hara": (11 - 56.7 - 7, -9 - 70.2, 8 + 77.4),
    "bell": (-0.19 * 250 - 7, -75, 90),
    "bell-1989": (-0.22 * 250 - 7, -75, 90),
}
# products of numbers of order 100 mm
ROUNDING = 1e-10


@pytest.mark.parametrize("name", BY_HAND)
def test_regressions_give_the_numbers_of_their_formulas(name: str) -> None:
    offset = 1000 * HIP_RULES[name](PELVIS, "right")
    np.testing.assert_allclose(offset, BY_HAND[name], atol=ROUNDING)


@pytest.mark.parametrize("side", ["left", "right"])
def test_davis_is_the_rule_of_the_marker_model(side) -> None:
    leg = LegMeasures(leg_length_m=PELVIS.leg_length_m)
    subject = Subject(left=leg, right=leg)
    expected = hip_offset_P(subject, side, PELVIS.width_m, PELVIS.diameter_m)
    np.testing.assert_array_equal(davis(PELVIS, side), expected)


def test_davis_takes_both_legs_and_the_measured_depth_of_the_hip() -> None:
    """C = 115 L - 15.3 mm of the mean leg; the depth of a side is measured, or 0.1288 L - 48.56.

    x = C cos(0.5) sin(0.314) - (depth + 7) cos(0.314), y = -C cos(0.5) cos(0.314)
    - (depth + 7) sin(0.314), z = 125 - C sin(0.5) mm outward.
    """
    left = LegMeasures(leg_length_m=0.9, asis_trochanter_m=0.08)
    subject = Subject(left=left, right=LegMeasures(leg_length_m=0.94))
    C = 0.115 * 920 - 15.3
    for side, depth, sign in (("left", 80.0, -1.0), ("right", 0.1288 * 940 - 48.56, 1.0)):
        x = C * np.cos(0.5) * np.sin(0.314) - (depth + 7.0) * np.cos(0.314)
        y = -C * np.cos(0.5) * np.cos(0.314) - (depth + 7.0) * np.sin(0.314)
        z = sign * (125.0 - C * np.sin(0.5))
        found = 1000 * hip_offset_P(subject, side, PELVIS.width_m, PELVIS.diameter_m)
        np.testing.assert_allclose(found, [x, y, z], atol=ROUNDING)


@pytest.mark.parametrize("name", HIP_RULES)
def test_left_and_right_are_mirror_images_behind_below_and_outside_the_asis(name: str) -> None:
    right, left = (HIP_RULES[name](PELVIS, side) for side in ("right", "left"))
    np.testing.assert_array_equal(left, right * [1, 1, -1])
    assert right[0] < 0
    assert right[1] < 0
    assert 0 < right[2] < PELVIS.width_m / 2


@pytest.mark.parametrize("name", BY_HAND)
def test_a_bigger_marker_moves_a_hip_found_on_bone_straight_back(name: str) -> None:
    bigger = replace(PELVIS, diameter_m=0.024)
    moved = HIP_RULES[name](bigger, "right") - HIP_RULES[name](PELVIS, "right")
    np.testing.assert_allclose(moved, [-0.005, 0, 0], atol=1e-15)


def test_the_comparison_lists_every_rule_in_mm() -> None:
    rows = compare_hip_centres(PELVIS, "left")
    assert [row[0] for row in rows] == list(HIP_RULES)
    for name, *offset in rows:
        np.testing.assert_allclose(offset, 1000 * HIP_RULES[name](PELVIS, "left"))


def test_what_nobody_measured_gives_nan_where_it_is_asked_for() -> None:
    rows = {row[0]: row[1:] for row in compare_hip_centres(replace(PELVIS, depth_m=np.nan), "left")}
    assert np.isnan(rows["harrington"][0])
    assert np.isfinite([rows["davis"], rows["harrington-width"], rows["hara"]]).all()
