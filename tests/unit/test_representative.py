"""The stride that stands for all of a side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.cycles.averages import ANGLES
from gaitdyn.cycles.representative import representative_cycle
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Course, Recording, Walker, write_trial
from gaitdyn.tables.answers import COUNTING, counting_of
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.options import Options
from tests.walks import walk

SHAPE = np.sin(np.linspace(0, 2 * np.pi, 101))


def cycles(*levels, names=ANGLES):
    """Cycles 2, 3, ... of one shape in every curve, each moved up by its level."""
    return [
        CycleCurves(
            Cycle("left", number, 0.0, 100.0, 60.0),
            names,
            ("deg",) * len(names),
            np.tile((30 * SHAPE + level)[:, None], (1, len(names))),
        )
        for number, level in enumerate(levels, 2)
    ]


@pytest.mark.parametrize(
    ("levels", "number"), [((0, 4, 1), 4), ((9, 2, 3), 4), ((5, 5, 5), 2), ((0, 2, 4, 6, 1.5), 3)]
)
def test_the_stride_nearest_to_the_median_is_chosen(levels, number):
    assert representative_cycle(cycles(*levels)) == number


def test_one_far_curve_outweighs_eight_near_ones():
    made = cycles(0, 0, 1, 1, 0.5)
    odd = np.array(made[4].values)
    odd[:, 7] += 8.0
    made[4] = CycleCurves(made[4].cycle, made[4].names, made[4].units, odd)
    assert representative_cycle(made) != 6


def test_every_curve_counts_by_its_own_spread_and_not_by_its_degrees():
    """Cycle 4 is the middle one in eight quiet curves, cycle 2 only in the one that varies most."""
    quiet, knee = (0.6, -0.5, 0.0, -0.6, 0.5), (0.0, -8.0, 5.0, 8.0, -4.0)
    made = [
        replace(one, values=one.values + np.where(np.array(ANGLES) == "knee_angle_flexion", k, q))
        for one, q, k in zip(cycles(0, 0, 0, 0, 0), quiet, knee, strict=True)
    ]
    assert representative_cycle(made) == 4


def test_a_curve_that_does_not_vary_counts_for_nothing():
    made = cycles(0, 0, 0)
    names = np.array(ANGLES) == "hip_angle_flexion"
    made = [
        replace(one, values=one.values + level * names)
        for one, level in zip(made, (1.0, 2.0, 4.0), strict=True)
    ]
    assert representative_cycle(made) == 3


def test_a_curve_that_a_stride_lacks_does_not_count_and_two_strides_have_none():
    made = cycles(0, 4, 1)
    gap = np.array(made[1].values)
    gap[50, :-1] = np.nan
    made[1] = CycleCurves(made[1].cycle, made[1].names, made[1].units, gap)
    assert representative_cycle(made) == 4
    gap[:] = np.nan
    made[1] = CycleCurves(made[1].cycle, made[1].names, made[1].units, gap)
    assert representative_cycle(made) is None
    assert representative_cycle(cycles(0, 4)) is None
    assert representative_cycle(cycles(0, 4, 1, names=("knee_power",))) is None


def test_each_side_of_a_walk_has_one_of_its_whole_and_straight_strides(tmp_path):
    long = Walker(course=Course(start_m=(-3.0, 0.0, 0.0)))
    write_trial(tmp_path / "walk.c3d", walk(long, Recording(strides=6.0, plates=0)))
    options = Options(static="none", mass_kg=70.0)
    counting = counting_of(process_trial(tmp_path / "walk.c3d", options))
    assert tuple(counting) == COUNTING
    chosen = counting["representative"]
    whole = counting["kinematics"] - counting["turning"]
    assert chosen <= whole
    assert sorted(side for side, _ in chosen) == ["left", "right"]
