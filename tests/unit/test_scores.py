"""MAP, GPS and GDI*: numbers that can be worked out by hand."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.metrics.scores import VARIABLES, free_speed_scores, gait_scores, gdi_star
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.norms import Band, MatchedNorm, Norm, NormGroup

PERCENT51, PERCENT101 = np.arange(0, 101, 2.0), np.arange(101.0)


def reference(percent):
    """Return the nine reference means: a slope for each, so that points count, shape (k, 9)."""
    return np.stack([i + percent * (i + 1) / 100 for i in range(9)], axis=1)


def matched(names=VARIABLES, count=25):
    means = reference(PERCENT51)
    bands = {
        name: Band(PERCENT51, means[:, VARIABLES.index(name)], np.ones(51), "deg", count=count)
        for name in names
    }
    return MatchedNorm(Norm("a.csv", "", "", ()), "a note", bands)


def cycle(side, number, offsets, names=VARIABLES):
    """Return a cycle that lies by a constant off the reference, deg a variable."""
    values = reference(PERCENT101) + np.asarray(offsets, float)
    keep = [VARIABLES.index(name) for name in names]
    one = Cycle(side, number, 0.0, 100.0, 60.0)
    return CycleCurves(one, tuple(names), ("deg",) * len(names), values[:, keep])


def test_the_score_of_a_constant_offset_is_the_offset():
    offsets = [1, -2, 3, -4, 5, -6, 7, -8, 9]
    scores = gait_scores([cycle("left", 1, offsets)], matched())
    for name, offset in zip(VARIABLES, offsets, strict=True):
        assert scores.profile["left", name].value == pytest.approx(abs(offset))
    assert scores.gps["left"].value == pytest.approx(math.sqrt(285 / 9))  # 1 + 4 + ... + 81


def test_a_variable_score_is_a_root_mean_square_over_51_points():
    curves = cycle("left", 1, np.zeros(9))
    values = curves.values.copy()
    values[::2, 0] += np.where(np.arange(51) % 2 == 0, 3.0, -4.0)  # 26 times 9, 25 times 16
    values[1::2, 0] += 1000  # between the points
    changed = CycleCurves(curves.cycle, curves.names, curves.units, values)
    found = gait_scores([changed], matched()).profile["left", VARIABLES[0]].value
    assert found == pytest.approx(math.sqrt((26 * 9 + 25 * 16) / 51))


def test_the_overall_score_leaves_the_right_pelvis_out():
    left = cycle("left", 1, [6, 0, 0, 0, 0, 0, 0, 0, 0])
    right = cycle("right", 1, [100, 100, 100, 0, 0, 0, 0, 0, 3])
    overall = gait_scores([left, right], matched()).gps_overall
    assert overall.value == pytest.approx(math.sqrt((36 + 9) / 15))
    assert overall.cycles == 1


def test_scores_are_medians_with_quartiles_over_cycles():
    cycles = [cycle("right", n, np.full(9, c)) for n, c in enumerate([1, 2, 3, 4, 50], 1)]
    scores = gait_scores([*cycles, cycle("left", 1, np.zeros(9))], matched())
    gps = scores.gps["right"]
    assert (gps.value, gps.quartiles, gps.cycles) == (pytest.approx(3), pytest.approx((2, 4)), 5)
    assert scores.gps_overall.value == pytest.approx(math.sqrt(6 * 9 / 15))
    assert scores.gps_overall.cycles == 5


def test_scores_are_against_free_speed_and_the_gps_against_the_own_speed_too():
    bands = matched().bands
    slower = {name: replace(band, mean=band.mean + 10.0) for name, band in bands.items()}
    groups = NormGroup("slow", 0.2, slower), NormGroup("free", 0.4, bands)
    walk = [cycle("left", 1, np.full(9, 3.0))]
    for speed, own in ((0.2, 7.0), (0.3, 2.0), (0.4, 3.0)):
        at_speed = match_norm(Norm("a.csv", "", "", groups), speed)
        found = free_speed_scores(walk, at_speed)
        assert found.gps["left"].value == pytest.approx(3.0)
        assert found.gdi_star["left"].value == pytest.approx(gdi_star(3.0))
        assert found.gps_at_speed["left"].value == pytest.approx(own)
    only = match_norm(Norm("a.csv", "", "", groups[:1] * 2), 0.2)  # two groups, and none is free
    found = free_speed_scores(walk, only)
    assert (found.gps["left"].value, found.gps_at_speed["left"].value) == pytest.approx((7, 7))


def test_gdi_star_is_100_at_the_mean_of_the_controls_and_falls_10_an_sd():
    assert gdi_star(5.35) == pytest.approx(100, abs=0.02)
    assert gdi_star(5.35 * math.exp(0.263)) == pytest.approx(90, abs=0.02)
    assert math.isnan(gdi_star(0.0))
    scores = gait_scores([cycle("left", 1, np.full(9, 10.7))], matched())
    assert scores.gdi_star["left"].value == pytest.approx(100 - 10 * math.log(2) / 0.263, abs=0.02)


def test_a_reference_set_that_lacks_a_variable_gives_no_profile_score():
    scores = gait_scores([cycle("left", 1, np.ones(9))], matched(VARIABLES[:-1]))
    assert scores.profile["left", "hip_angle_flexion"].value == pytest.approx(1)
    assert scores.gps["left"].value is None
    assert scores.gdi_star["left"].value is None
    assert scores.gps_overall.value is None
    assert scores.gps["left"].reason == "the reference set lacks foot_angle_progression"


def test_a_cycle_that_lacks_a_variable_does_not_count():
    short = cycle("left", 1, np.ones(9), VARIABLES[:-1])
    values = cycle("left", 2, np.ones(9)).values.copy()
    values[50, 3] = np.nan
    gap = CycleCurves(Cycle("left", 2, 0, 1, None), VARIABLES, ("deg",) * 9, values)
    whole = cycle("left", 3, np.full(9, 2.0))
    gps = gait_scores([short, gap, whole], matched()).gps["left"]
    assert (gps.value, gps.cycles) == (pytest.approx(2), 1)
    none = gait_scores([short], matched()).gps["left"]
    assert (none.value, none.reason) == (None, "no left cycle has foot_angle_progression")
    assert gait_scores([short, gap], matched()).gps["left"].reason.startswith("no cycle has all")


def test_a_side_without_cycles_says_so():
    scores = gait_scores([cycle("left", 1, np.ones(9))], matched())
    assert scores.gps["right"].reason == "no right cycle"
    assert scores.gps_overall.reason == "no right cycle"


@pytest.mark.parametrize(("count", "said"), [(None, "how many people"), (19, "has 19 people")])
def test_a_small_reference_set_is_warned_of(count, said):
    assert said in gait_scores([], matched(count=count)).warnings[0]
    assert not any("people" in text for text in gait_scores([], matched(count=20)).warnings)
