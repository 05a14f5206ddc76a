"""Mean, spread and counts of cycles, and which of them stands for all."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.cycles import average_cycles, representative_cycle
from gaitdyn.cycles.averages import ANGLES
from tests.unit.cycle_shapes import cycle_of

KNEE, HIP = "knee_angle_flexion", "hip_angle_flexion"
MOMENT = "knee_moment_extension"
FLAT = np.ones(101)


def flat_cycles(*levels: float) -> list:
    return [cycle_of({KNEE: FLAT * v}, number=i + 1) for i, v in enumerate(levels)]


def nearest(cycles: list, *names: str) -> int | None:
    found = representative_cycle(cycles, names or (KNEE,))
    return None if found is None else found.cycle.number


def test_mean_and_spread_are_of_the_cycles_of_one_side_that_know_the_curve():
    cut = FLAT * 50.0
    cut[3] = np.nan
    cycles = [
        *flat_cycles(10.0, 14.0), cycle_of({KNEE: cut}, number=3),
        cycle_of({KNEE: FLAT * 99.0}, side="right"),
    ]  # fmt: skip
    found = average_cycles(cycles, "left")
    assert found is not None
    assert found.mean[:, 0] == pytest.approx(FLAT * 12.0)
    assert found.sd[:, 0] == pytest.approx(FLAT * np.sqrt(8.0))  # (2^2 + 2^2) / (2 - 1)
    assert (found.counts, found.kinematic_cycles) == ((2,), 2)


def test_a_single_cycle_is_its_own_mean_and_has_no_spread():
    found = average_cycles(flat_cycles(10.0), "left")
    assert found is not None
    assert found.mean[:, 0] == pytest.approx(FLAT * 10.0)
    assert np.isnan(found.sd).all()


def test_a_side_without_a_cycle_has_no_averages():
    assert average_cycles(flat_cycles(10.0), "right") is None


def test_kinetic_cycles_know_all_their_moments_and_are_counted_apart():
    part = FLAT.copy()
    part[:5] = np.nan
    cycles = [
        cycle_of({KNEE: FLAT, MOMENT: FLAT}),
        cycle_of({KNEE: FLAT, MOMENT: part}, number=2),
        cycle_of({KNEE: FLAT}, number=3),
    ]
    found = average_cycles(cycles, "left")
    assert found is not None
    assert (found.kinematic_cycles, found.kinetic_cycles) == (3, 1)
    assert (found.names, found.counts) == ((KNEE, MOMENT), (3, 1))


def test_the_representative_cycle_is_the_one_nearest_to_the_median():
    assert nearest(flat_cycles(10.0, 30.0, 13.0, 12.0, 11.0)) == 4
    assert nearest(flat_cycles(10.0, 11.0, 90.0)) == 2  # nearest to the mean would be 2 or 3


def test_an_outlier_does_not_pull_the_choice_as_it_would_pull_a_mean():
    assert nearest(flat_cycles(0.0, 1.0, 2.0, 3.0, 100.0)) == 3  # the mean is 21.2: cycle 4


def test_of_two_equal_cycles_the_first_is_taken_whatever_rounding_says():
    assert nearest(flat_cycles(0.1, 0.3)) == 1
    assert nearest(flat_cycles(0.3, 0.1)) == 1


def test_a_curve_of_small_range_counts_as_much_as_one_of_large_range():
    # medians 31 and 0: the first cycle is an outlier of the hip alone, the second near in both
    levels = ((31.0, 0.5), (37.0, 0.0), (5.0, -0.5), (60.0, 0.4), (0.0, -0.4))
    cycles = [
        cycle_of({KNEE: FLAT * k, HIP: FLAT * h}, number=i + 1) for i, (k, h) in enumerate(levels)
    ]
    assert nearest(cycles, KNEE) == 1
    assert nearest(cycles, KNEE, HIP) == 2


def test_a_cycle_with_a_gap_or_without_a_curve_does_not_stand_for_all():
    gap = FLAT * 12.0
    gap[50] = np.nan
    cycles = [*flat_cycles(10.0, 14.0, 11.0), cycle_of({KNEE: gap}, number=4)]
    assert nearest(cycles) == 3
    assert nearest(cycles, KNEE, HIP) is None
    assert representative_cycle(cycles) is None  # the nine angles are not there
    assert len(ANGLES) == 9
