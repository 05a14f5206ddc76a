"""Bands, variances and verdicts of curves: numbers that can be worked out, and the spec's table."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import pytest

from gaitdyn.errors import ArrayShapeError
from gaitdyn.statistics.against_norm import (
    NormBand,
    far_throughout,
    healthy_limit,
    judge_against_norm,
)
from gaitdyn.statistics.change import judge_band, judge_level_and_shape, judge_markers_on
from gaitdyn.statistics.families import holm, rank_chance, word_of
from gaitdyn.statistics.people import judge_means, judge_pairs, judge_people
from gaitdyn.statistics.session_error import error_of_pairs, error_of_sd
from gaitdyn.statistics.threshold import (
    curve_chance,
    point_chance,
    roughness,
    simultaneous_threshold,
)
from gaitdyn.statistics.variance import stride_variance

ROUGH = (0, 2, 4, 6, 10, 15, 20, 30, 40)


@pytest.mark.parametrize(
    ("nu", "row"),
    [
        (math.inf, (1.96, 2.42, 2.62, 2.75, 2.91, 3.04, 3.13, 3.25, 3.33)),
        (81, (1.99, 2.47, 2.69, 2.83, 3.00, 3.14, 3.24, 3.38, 3.47)),
        (19, (2.09, 2.68, 2.96, 3.14, 3.37, 3.56, 3.70, 3.89, 4.03)),
        (10, (2.23, 2.98, 3.36, 3.60, 3.94, 4.21, 4.42, 4.72, 4.93)),
        (4, (2.78, 4.61, 5.74, 6.57, 7.81, 8.97, 9.90, 11.4, 12.5)),
    ],
)
def test_thresholds_are_the_roots_of_the_euler_characteristic(nu, row):
    found = [simultaneous_threshold(rough, nu) for rough in ROUGH]
    assert np.allclose(found, row, atol=0.051)
    assert all(abs(curve_chance(k, r, nu) - 0.05) < 1e-6 for k, r in zip(found, ROUGH, strict=True))


def test_two_sd_are_left_by_most_healthy_curves_somewhere():
    found = [100 * curve_chance(2.0, rough, math.inf) for rough in (2, 6, 10, 20)]
    assert np.allclose(found, (13, 30, 48, 91), atol=1)


def test_roughness_of_a_wave_is_its_way_on_the_unit_sphere():
    t = np.linspace(0, 2 * np.pi, 101)
    curves = np.stack((np.sin(t), np.cos(t)))  # z goes round a circle: way 2 pi
    assert roughness(curves) == pytest.approx(2 * math.pi, rel=1e-3)
    assert roughness(curves[:, :26]) == pytest.approx(math.pi / 2, rel=1e-2)
    assert math.isnan(roughness(curves[:1]))


def test_variance_of_strides_is_shrunk_to_its_mean_over_the_cycle():
    first = np.array([[0.0, 0.0], [2.0, 0.0]])  # variances 2 and 0, one degree of freedom
    second = np.array([[1.0, 0.0], [1.0, 0.0]])
    found = stride_variance([first, second])  # pooled 1 and 0 with two, mean 0.5
    assert found.stride_nu == 2
    assert np.allclose(found.variance, [(3 + 2) / 8, 3 / 8])
    with pytest.raises(ArrayShapeError, match="wanted two"):
        stride_variance([first[:1], second[:1]])
    small = np.array([[1.0], [1.0]])  # beside it what differs by rounding, and by a little more
    for apart, varies in ((1e-10, False), (1e-6, True)):
        large = np.array([[-1e4], [apart - 1e4]])
        assert (stride_variance([large, small]).variance[0] > 0) == varies


def test_a_curve_of_a_norm_is_held_against_people_strides_and_laboratories():
    strides = np.stack([np.full(101, 9.0), np.full(101, 11.0)])  # variance 2
    norm = NormBand(np.zeros(101), np.full(101, 2.0), 20, 10.0, 2.3)
    found = judge_against_norm(strides, norm)
    se = math.sqrt(4 * 1.05 + 2 * (1 / 2 - 1 / 5) + 2.3**2)
    assert np.allclose(found.t, 10 / se)
    assert (found.nu, found.roughness) == (19, 10)
    assert found.beyond.all() == (10 / se > found.threshold)
    late = np.arange(101) >= 50
    half = judge_against_norm(strides, norm, late)
    assert half.roughness == pytest.approx(5.0)
    assert np.isnan(half.t[:50]).all()
    limit = healthy_limit(norm, late)  # of walkers with as many strides as the people of the set
    k = simultaneous_threshold(5.0, 19)
    assert np.allclose(limit[50:], k * math.sqrt(4 * 1.05 + 2.3**2))
    assert np.isnan(limit[:50]).all()
    assert np.array_equal(healthy_limit(replace(norm, count=None), late), limit, equal_nan=True)


def test_a_set_that_does_not_say_how_many_is_one_of_twenty():
    strides = np.stack([np.full(101, 9.0), np.full(101, 11.0)])
    known, unknown = (
        judge_against_norm(strides, NormBand(np.zeros(101), np.full(101, 2.0), n, 10.0))
        for n in (20, None)
    )
    assert (known.p, known.nu) == (unknown.p, unknown.nu)


@pytest.mark.parametrize(("count", "limit"), [(20, 2.093), (None, 2.093), (5, 2.776)])
def test_a_curve_is_far_throughout_beyond_the_quantile_of_t(count, limit):
    """Quantiles of t for 19 and 4 degrees of freedom from a table; the SD are 1 and 7, RMS 5."""
    sd = np.where(np.arange(100) % 2, 1.0, 7.0)
    edge = 5 * limit * math.sqrt(1 + 1 / (count or 20))
    way = np.where(np.arange(100) < 30, 1.0, -1.0)
    assert not far_throughout(0.999 * edge * way, sd, count)
    assert far_throughout(1.001 * edge * way, sd, count)
    assert not far_throughout(way, 0 * sd, count)


def flat(level, sd=1.0, n=5):
    """Strides about a level whose variance is sd^2 at every point and constant over the cycle."""
    at = np.linspace(-1, 1, n)
    at *= sd / at.std(ddof=1)
    return level + at[:, None] * np.ones(101)


def test_limits_of_the_table_at_five_strides():
    """Pelvic tilt: level 5.7, shape 5.8, markers left on 2.6 deg."""
    first, second = flat(0.0, 1.1), flat(1.0, 1.1)
    found = judge_level_and_shape(first, second, error_of_sd(2.0, 101, ""), 0.5)
    assert found.level == pytest.approx(1.0)
    assert found.level_limit == pytest.approx(5.7, abs=0.06)
    assert np.allclose(found.limit, 5.8, atol=0.06)
    on = judge_markers_on(first, second, 14)
    assert np.allclose(on.limit, 2.6, atol=0.3)
    knee = judge_level_and_shape(flat(0, 2.6), flat(0, 2.6), error_of_sd(2.5, 101, ""))
    assert (knee.level_limit, knee.limit[0]) == pytest.approx((7.1, 8.6), abs=0.13)
    moment = judge_band(flat(0, 0.058), flat(0, 0.058), error_of_sd(0.06, 101, ""))
    assert moment.limit[0] == pytest.approx(0.31, abs=0.02)


def test_strides_alone_have_the_roughness_of_their_kind():
    none = error_of_sd(1e-9, 101, "")
    load, angle = (judge(flat(0), flat(1), none) for judge in (judge_band, judge_level_and_shape))
    assert (load.roughness, angle.roughness) == pytest.approx((25.0, 14.0), rel=1e-6)


def test_own_repeats_give_no_more_freedom_than_there_are_pairs():
    table = error_of_sd(2.0, 101, "")
    measured = replace(table, nu=11.0, measured=True)
    first, second = flat(0, 3.0), flat(1, 3.0)
    for judge in (judge_band, judge_level_and_shape):
        assert judge(first, second, measured).nu == 11.0
        assert judge(first, second, replace(measured, measured=False)).nu > 11.0


def test_variances_of_sessions_and_strides_are_joined():
    """Strides of variance 9: e = 9 (1/5 + 1/5) with 8 + 6 degrees; sessions 4, of it 1.2 shape."""
    first, second, error = flat(0, 3.0), flat(0, 3.0), error_of_sd(2.0, 101, "")
    shape, load = (judge(first, second, error) for judge in (judge_level_and_shape, judge_band))
    nu = (3.6 + 8) ** 2 / (3.6**2 / 14 + 8**2 / 30)
    assert (shape.nu, load.nu) == pytest.approx((nu, nu))
    rough = (2.4 * 9**2 + 3.6 * 14**2) / (2.4 + 3.6), (8 * 15**2 + 3.6 * 25**2) / (8 + 3.6)
    assert (shape.roughness, load.roughness) == pytest.approx(np.sqrt(rough))
    assert np.allclose(shape.limit, shape.threshold * math.sqrt(6.0))
    assert np.allclose(load.limit, load.threshold * math.sqrt(11.6))
    assert (shape.p, load.p) == (1.0, 1.0)


def test_where_nothing_varies_no_chance_is_known():
    still, none = np.zeros((3, 101)), error_of_sd(0.0, 101, "")
    for judge, rough in ((judge_level_and_shape, 9.0), (judge_band, 15.0)):
        found = judge(still, still + 1, none)
        assert np.isnan([found.p, found.p_level, found.p_shape]).all()
        assert found.roughness == rough
    half = replace(none, band=np.where(np.arange(101) < 50, 0.0, 1.0))
    assert math.isnan(judge_band(still, still + 1, half).p)
    level = judge_level_and_shape(still, still + 9, replace(none, level=1.0))
    assert level.p == 2 * level.p_level < 0.05


def test_a_change_to_less_is_as_sure_as_one_to_more():
    error, bump = error_of_sd(2.0, 101, ""), np.where(np.arange(101) < 20, 30.0, 0.0)
    less, more = (
        judge_band(flat(0) + bump, flat(0), error),
        judge_band(flat(0), flat(0) + bump, error),
    )
    assert less.p == more.p < 0.05
    assert less.level == more.level == 0, "the median"


def test_the_chance_of_level_and_shape_is_twice_the_smaller():
    found = judge_level_and_shape(flat(0), flat(6.0), error_of_sd(2.0, 101, ""))
    assert found.p == pytest.approx(2 * min(found.p_level, found.p_shape))
    assert (abs(found.level) > found.level_limit) == (found.p_level < 0.025)
    size = found.level_limit / simultaneous_threshold(0, found.nu, 0.025)
    assert found.p_level == pytest.approx(point_chance(6.0 / size, found.nu))


def test_the_level_is_the_median_that_a_bump_leaves():
    bump = np.zeros(101)
    bump[60:80] = 30.0
    found = judge_level_and_shape(flat(0), flat(0) + bump, error_of_sd(2.0, 101, ""))
    assert found.level == 0
    assert found.beyond[60:80].all()
    assert not found.beyond[:60].any()


def test_a_planned_phase_is_tested_alone_with_its_own_roughness():
    phase = np.zeros(101, dtype=bool)
    phase[60:] = True
    error = error_of_sd(2.0, 101, "")
    whole = judge_level_and_shape(flat(0), flat(0), error)
    alone = judge_level_and_shape(flat(0), flat(0), error, phase=phase)
    assert alone.roughness == pytest.approx(0.4 * whole.roughness)
    assert alone.threshold < whole.threshold
    assert np.isnan(alone.limit[:60]).all()
    assert alone.level_limit == whole.level_limit
    offset = judge_level_and_shape(flat(0), flat(0) + 9.0, error, phase=phase)
    assert offset.p == 2 * offset.p_level < 0.05 < offset.p_shape  # it has no shape


def test_own_repeats_take_the_strides_off():
    rng = np.random.default_rng(3)
    pairs = []
    for _ in range(400):
        first, second = (
            3 * rng.standard_normal() + rng.standard_normal((5, 1)) + np.zeros((5, 101))
            for _ in range(2)
        )
        pairs.append((first, second))
    found = error_of_pairs(pairs, 1.0, "own")
    assert found.level == pytest.approx(9.0, rel=0.15)
    assert np.allclose(found.band, found.band[0])
    assert found.band[0] == pytest.approx(9.0, rel=0.15)
    assert np.allclose(found.shape, 0.0)
    assert found.nu == 400
    with pytest.raises(ArrayShapeError, match="found 9 pairs of sessions, wanted 10"):
        error_of_pairs(pairs[:9], 1.0, "own")


def test_the_error_of_pairs_is_what_the_strides_leave_of_their_differences():
    """All by hand: ten pairs differ by 2 and a bump of 10, either way; strides vary by 1, then 3.

    Shrunk that is 1.6 and 2.4, of the difference of means of two and four strides 3/4 of it.
    """
    late, bump = np.arange(100) >= 50, np.where(np.arange(100) // 10 == 2, 10.0, 0.0)
    sd = np.sqrt(np.where(late, 3.0, 1.0))
    two, four = np.outer((0.5**0.5, -(0.5**0.5)), sd), np.outer((1, 1, -1, -1), 0.75**0.5 * sd)
    pairs = [(7.0 + bump + two, 7.0 + bump + k * (2.0 + bump) + four) for k in (-1.0, 1.0) * 5]
    found, e = error_of_pairs(pairs, 0.2, "own"), np.where(late, 1.8, 1.2)
    assert found.level == pytest.approx((2**2 - 0.2 * 1.5) / 2)
    np.testing.assert_allclose(found.band, ((2 + bump) ** 2 - e) / 2)
    np.testing.assert_allclose(found.shape, np.where(bump > 0, (1.2 * 100 - 1.2) / 2, 0.0))
    assert (found.nu, found.measured) == (10.0, True)
    assert (found.band_roughness, found.shape_roughness) == pytest.approx((0, 2), abs=1e-9)


def test_a_shape_of_pairs_is_widened_for_its_long_tails():
    wave = np.sin(2 * np.pi * np.arange(101) / 100)
    pairs = [(np.full((2, 101), 3.0), np.tile(3 + k * wave, (2, 1))) for k in (-1.0, 1.0) * 5]
    found = error_of_pairs(pairs, 1.0, "own")
    assert found.level == pytest.approx(0.0, abs=1e-20)
    np.testing.assert_allclose(found.shape, 1.2 * wave**2 / 2, atol=1e-12)
    np.testing.assert_allclose(found.band, wave**2 / 2, atol=1e-12)


def test_ranks_are_uniform_and_never_below_their_number():
    rng = np.random.default_rng(4)
    found = []
    for _ in range(300):
        people = rng.standard_normal((20, 2, 11))
        curves, family = rank_chance(people[-1], people[:-1])
        found += [*curves, family]
    assert min(found) >= 1 / 20
    assert np.mean(found) == pytest.approx(0.525, abs=0.04)  # of 1/20 ... 20/20
    assert np.mean(np.array(found) <= 0.1) == pytest.approx(0.1, abs=0.03)
    far = np.full((2, 11), 50.0)
    assert rank_chance(far, rng.standard_normal((19, 2, 11)))[1] == pytest.approx(1 / 20)


def test_a_rank_compares_each_person_with_mean_and_sd_of_the_others():
    people = np.random.default_rng(6).standard_normal((12, 2, 8))
    people = 40 + people * (0.01, 0.1, 1, 2, 4, 8, 16, 0)  # of the last point all have the same
    others = [np.delete(people, i, axis=0) for i in range(len(people))]
    with np.errstate(invalid="ignore"):
        far = [abs(x - o.mean(0)) / o.std(0) for x, o in zip(people, others, strict=True)]
    d = np.nanmax(far, axis=2)
    for i, person in enumerate(people):
        curves, family = rank_chance(person, others[i])
        assert np.allclose(curves, (d >= d[i]).mean(axis=0))
        assert family == pytest.approx(np.mean(d.max(axis=1) >= d[i].max()))
    for few, wanted in ((people[:2], people[0]), (people, people[0, :1]), (people[0], people[0])):
        with pytest.raises(ArrayShapeError, match=r"wanted \(3 or more"):
            rank_chance(wanted, few)


def test_holm_stops_at_the_first_that_fails():
    assert holm([0.6, 0.9]).tolist() == [1.0, 1.0]
    p = holm([0.001, 0.03, 0.02, 0.9])
    assert np.allclose(p, [0.004, 0.06, 0.06, 0.9])
    assert [word_of(a, b) for a, b in zip([0.001, 0.03, 0.02, 0.9], p, strict=True)] == [
        "clear", "possible", "possible", "not shown",
    ]  # fmt: skip
    assert word_of(math.nan, math.nan) == "not judged"


def test_pairs_have_students_t_of_their_differences():
    from scipy.stats import ttest_rel

    rng = np.random.default_rng(12)
    own = 5 * rng.standard_normal((8, 1))  # people differ by more than the conditions do
    first, second = (own + rng.standard_normal((8, 101)) for _ in range(2))
    second += np.where(np.arange(101) > 50, 3.0, 0.0)
    test = judge_pairs(first, second)
    t = test.difference / (test.limit / test.threshold)
    np.testing.assert_allclose(t, ttest_rel(second, first).statistic, rtol=1e-9)
    assert test.nu == 7
    change = second - first
    assert test.roughness == pytest.approx(roughness(change - change.mean(axis=0)))
    assert test.beyond[51:].any()
    assert not test.beyond[:51].any()
    assert not judge_people(first, second).beyond.any()
    with pytest.raises(ArrayShapeError, match=r"found \(8, 101\) and \(7, 101\), wanted"):
        judge_pairs(first, second[:7])
    with pytest.raises(ArrayShapeError, match="equal for all people"):
        judge_pairs(first, first + 1.0)


def test_groups_have_welchs_t_of_their_people():
    from scipy.stats import ttest_ind

    rng = np.random.default_rng(13)
    first, second = rng.standard_normal((6, 101)), 3 * rng.standard_normal((9, 101)) - 20
    test, welch = judge_people(first, second), ttest_ind(second, first, equal_var=False)
    t = test.difference / (test.limit / test.threshold)
    np.testing.assert_allclose(t, welch.statistic, rtol=1e-9)
    assert test.beyond.all()
    pooled = (5 * first.var(axis=0, ddof=1) + 8 * second.var(axis=0, ddof=1)) / 13
    np.testing.assert_allclose(test.sd, np.sqrt(pooled))
    alike = [people[:, :1] + np.sin(np.arange(101.0)) for people in (first, second)]
    nu = float(np.asarray(welch.df)[0])  # of equal variances throughout
    assert judge_people(alike[0], alike[1]).nu == pytest.approx(nu)
    late = np.arange(101) > 50
    part = judge_people(first, second, late)
    assert np.isnan(part.limit[~late]).all()
    assert part.roughness == judge_people(first[:, late], second[:, late]).roughness
    assert part.threshold < test.threshold
    for few, many in ((first[:4], second), (first, second[:4])):
        with pytest.raises(ArrayShapeError, match="people, wanted 5 or more each"):
            judge_people(few, many)
    assert judge_people(first[:5], second[:5]).nu > 4
    for none, mask in ((first * 0, late), (first, late & ~late)):
        with pytest.raises(ArrayShapeError, match="do not vary between people"):
            judge_people(none, none, mask)


def test_lists_and_tables_are_arrays_too():
    first = np.random.default_rng(5).normal(size=(6, 101))
    second = first[::-1] * 1.1
    table = pd.DataFrame(second)
    test = judge_markers_on(first, second, 14.0)
    assert judge_markers_on(cast("Any", first.tolist()), cast("Any", table), 14.0).p == test.p
    assert roughness(cast("Any", first.tolist())) == roughness(first)
    with pytest.raises(ArrayShapeError, match=r"^first is 'six', wanted an array of real numbers"):
        judge_people(cast("Any", "six"), second)


@pytest.mark.parametrize("paired", [False, True])
def test_means_of_people_who_do_not_differ_are_not_tested(paired: bool) -> None:
    """All equal, or apart by rounding alone: neither a width of 0 nor a p of 0 is known."""
    first = np.full(5, 0.1)
    second = first + 1.0 + np.array([0.0, 1.0, 0.0, -1.0, 0.0]) * 1e-15
    for one, two in ((first, first), (first, first + 1.0), (first, second)):
        test = judge_means(one, two, paired=paired)
        assert test.difference == pytest.approx(two.mean() - one.mean())
        assert np.isnan(test[1:]).all()
    assert judge_means(first, first + np.arange(5.0), paired=paired).p < 0.1


def test_strides_that_are_not_known_are_refused_and_not_judged_without_them() -> None:
    rng = np.random.default_rng(3)
    strides = rng.standard_normal((4, 101)) + 9.0  # far out
    gap = strides.copy()
    gap[2, 40:60] = np.nan
    band, error = NormBand(np.zeros(101), np.ones(101), 20, 10.0), error_of_sd(2.0, 101, "")
    with pytest.raises(ArrayShapeError, match="strides: found unknown values in row 2; wanted st"):
        judge_against_norm(gap, band)
    elsewhere = np.arange(101) > 60
    assert judge_against_norm(gap, band, elsewhere).p < 0.05
    for wrong, told in (
        (gap, "second: found unknown values in row 2"),
        (strides[:, :50], r"second have shape \(4, 50\), wanted \(m, 101\)"),
        (strides[:0], r"second have shape \(0, 101\), wanted \(m, 101\)"),
    ):
        with pytest.raises(ArrayShapeError, match=told):
            judge_band(strides, wrong, error)
        with pytest.raises(ArrayShapeError, match=told):
            judge_level_and_shape(strides, wrong, error)
        with pytest.raises(ArrayShapeError, match=told):
            judge_markers_on(strides, wrong, 14.0)
    with pytest.raises(ArrayShapeError, match="a reference set of 1 person, wanted 2 or more"):
        judge_against_norm(strides, NormBand(np.zeros(101), np.ones(101), 1, 10.0))
