"""Smoothing of markers with gaps: both filters, one set of promises."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gaitdyn.clean.butterworth import zero_lag_butterworth
from gaitdyn.clean.smoothing import Filter, blocks, smooth
from gaitdyn.core import splines
from gaitdyn.errors import RateTooLow

RATE = 100.0
N = 200
KINDS = pytest.mark.parametrize("kind", ["spline", "butterworth"])


def markers() -> np.ndarray:
    """Return four markers that move slowly, shape (N, 4, 3)."""
    t = np.arange(N) / RATE
    rows = [np.sin(2 * t + i) + 0.1 * i for i in range(12)]
    return np.stack(rows, axis=1).reshape(N, 4, 3)


def gain(kind: str, frequency: float, cutoff: float, rate: float = RATE) -> float:
    t = np.arange(4000) / rate
    y = np.sin(2 * math.pi * frequency * t)[:, None, None]
    found = smooth(y, Filter(rate, cutoff, kind))[0]
    amid = slice(1000, 3000)
    # the part in step with the input: a filter with a lag would lose some of it
    return float((found[amid] * y[amid]).mean() / (y[amid] ** 2).mean())


@KINDS
@pytest.mark.parametrize(("cutoff", "rate"), [(10, 100), (6, 120), (10, 200), (20, 250)])
def test_the_gain_is_0_707_at_the_cutoff_and_nothing_lags(
    kind: str, cutoff: float, rate: float
) -> None:
    # the spline's formula is that of a continuous signal: 0.1 % at 10 samples a period
    assert gain(kind, cutoff, cutoff, rate) == pytest.approx(math.sqrt(0.5), rel=1e-3)


@KINDS
@pytest.mark.parametrize("frames", [6, 7])
def test_fewer_than_seven_frames_stay_empty(kind: str, frames: int) -> None:
    value, filled = smooth(markers()[:frames], Filter(RATE, 10.0, kind))
    assert np.isfinite(value).all() == (frames == splines.SHORTEST)
    assert not np.isfinite(value).any() or frames == splines.SHORTEST
    assert not filled.any()


@KINDS
def test_slow_movement_passes_and_fast_noise_does_not(kind: str) -> None:
    assert gain(kind, 1.0, 10.0) == pytest.approx(1.0, abs=2e-4)  # (1/10)^4 of a Butterworth
    assert gain(kind, 40.0, 10.0) < 0.01


def test_beyond_the_cutoff_each_filter_has_the_gain_of_its_own_formula() -> None:
    """At 1.5 times 10 Hz, 100 Hz: tan^4 of the Butterworth's double pass, w^6 of the spline."""
    ratio = math.tan(0.15 * math.pi) / math.tan(0.1 * math.pi)
    twice = 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * ratio**4)
    assert gain("butterworth", 15.0, 10.0) == pytest.approx(twice, rel=1e-3)
    spline = 1.0 / (1.0 + (math.sqrt(2.0) - 1.0) * 1.5**6)
    assert gain("spline", 15.0, 10.0) == pytest.approx(spline, rel=1e-2)


@KINDS
def test_a_marker_without_gaps_is_not_marked_as_filled(kind: str) -> None:
    y = markers()
    value, filled = smooth(y, Filter(RATE, 10.0, kind))
    assert not filled.any()
    assert np.isfinite(value).all()
    # 2 rad/s: the gain differs from 1 by (0.32 / 10)^4; a Butterworth starts up at the ends
    np.testing.assert_allclose(value[40:-40], y[40:-40], atol=5e-5)


@KINDS
def test_a_short_gap_is_filled_and_marked_in_its_marker_alone(kind: str) -> None:
    y = markers()
    broken = y.copy()
    broken[80:90, 1, 2] = np.nan  # one component missing: the marker is missing
    value, filled = smooth(broken, Filter(RATE, 10.0, kind))
    assert filled[80:90, 1].all()
    assert filled.sum() == 10
    assert np.isfinite(value).all()
    # a sixth order spline over a tenth of a second of a slow sine: below 0.1 mm of 1 m
    np.testing.assert_allclose(value[80:90, 1], y[80:90, 1], atol=1e-4)
    whole, _ = smooth(y, Filter(RATE, 10.0, kind))
    np.testing.assert_array_equal(value[:, [0, 2, 3]], whole[:, [0, 2, 3]])


@KINDS
def test_a_long_gap_stays_empty_and_splits_the_marker_into_blocks(kind: str) -> None:
    y = markers()
    y[80:91, 1] = np.nan  # 0.11 s
    value, filled = smooth(y, Filter(RATE, 10.0, kind))
    assert not filled.any()
    assert np.isnan(value[80:91, 1]).all()
    for part in (slice(0, 80), slice(91, N)):  # each block is filtered by itself
        alone, _ = smooth(y[part], Filter(RATE, 10.0, kind))
        np.testing.assert_allclose(value[part, 1], alone[:, 1], atol=1e-12)


@KINDS
def test_nothing_is_made_before_the_first_and_after_the_last_sample(kind: str) -> None:
    y = markers()
    y[:5, 0] = y[-3:, 0] = np.nan
    value, filled = smooth(y, Filter(RATE, 10.0, kind))
    assert np.isnan(value[:5, 0]).all()
    assert np.isnan(value[-3:, 0]).all()
    assert np.isfinite(value[5:-3]).all()
    assert not filled.any()


@KINDS
def test_a_run_of_six_samples_is_no_curve(kind: str) -> None:
    y = markers()
    y[6:40, 0] = np.nan
    value, _ = smooth(y, Filter(RATE, 10.0, kind))
    assert np.isnan(value[:40, 0]).all()
    assert np.isfinite(value[40:, 0]).all()


@pytest.mark.parametrize("kind", ["spline", "butterworth"])
@pytest.mark.parametrize(("count", "known"), [(6, False), (7, True)])
def test_a_recording_of_six_frames_is_no_curve(kind: str, count: int, known: bool) -> None:
    y = np.arange(float(count))[:, None, None] * [1.0, 2.0, 3.0]
    value, filled = smooth(y, Filter(100.0, kind=kind))
    assert np.isfinite(value).all() == known
    assert np.isnan(value).all() != known
    assert not filled.any()


def test_without_a_cutoff_samples_stay_as_recorded_and_short_gaps_are_filled() -> None:
    y = markers()
    broken = y.copy()
    broken[50:53, 2] = np.nan
    value, filled = smooth(broken, Filter(RATE, None))
    np.testing.assert_array_equal(value[:, [0, 1, 3]], y[:, [0, 1, 3]])
    # the level is taken away and put back
    np.testing.assert_allclose(value[~filled], y[~filled], rtol=0, atol=1e-14)
    # a quintic spline through a slow sine: (2 * 0.04)^6
    np.testing.assert_allclose(value[filled], y[filled], atol=1e-7)


def test_the_longest_gap_is_given_in_seconds() -> None:
    y = markers()
    y[50:70, 0] = np.nan
    for longest, inside in ((0.19, False), (0.2, True)):
        _, filled = smooth(y, Filter(RATE, 10.0, longest_gap_s=longest))
        assert filled[50:70, 0].all() == inside
    y[50:79, 0] = np.nan
    for rate in (100.0, 200.0):  # 0.29 * 100 is less than 29 in binary numbers
        _, filled = smooth(y, Filter(rate, 10.0, longest_gap_s=29.0 / rate))
        assert filled[50:79, 0].all()
    assert not smooth(y, Filter(RATE, 10.0, longest_gap_s=0.0))[1].any()


def test_a_filled_gap_has_no_weight_in_the_smoothed_curve() -> None:
    rng = np.random.default_rng(0)
    y = markers() + 0.01 * rng.normal(size=(N, 4, 3))
    y[100:106, 3] = np.nan
    how = Filter(RATE, 10.0)
    value, _ = smooth(y, how)
    known = np.isfinite(y[:, 3, 0])
    block = splines.fill(y[:, 3], known, how.q)
    # the smoothed curve passes through what was filled: rounding times the condition of the bands
    np.testing.assert_allclose(value[~known, 3], block[~known], atol=1e-10)


def test_blocks_are_joined_over_short_gaps() -> None:
    mask = np.array([c == "x" for c in "xx..xxx...xx.x."])
    assert blocks(mask, 0) == [(0, 2), (4, 7), (10, 12), (13, 14)]
    assert blocks(mask, 2) == [(0, 7), (10, 14)]
    assert blocks(mask, 3) == [(0, 14)]
    assert blocks(np.zeros(4, bool), 3) == []


@pytest.mark.parametrize("cutoff_hz", [45, 50, 100])
def test_a_cutoff_beyond_half_the_rate_is_refused_in_words(cutoff_hz: float) -> None:
    wanted = f"wanted more than {2 * cutoff_hz} for a Butterworth filter of {cutoff_hz} Hz"
    with pytest.raises(RateTooLow, match=f"found 90 samples per second; {wanted}"):
        zero_lag_butterworth(np.zeros((50, 1)), cutoff_hz, 90.0)


def test_inputs_stay_as_they_were() -> None:
    y = markers()
    y[80:85, 1] = np.nan
    before = y.copy()
    smooth(y, Filter(RATE, 10.0))
    np.testing.assert_array_equal(y, before)


def test_derivatives_are_hidden_further_in_where_the_curve_is_smoother() -> None:
    reach = [Filter(RATE, cutoff).reach for cutoff in (None, 20.0, 10.0, 5.0)]
    assert reach == sorted(reach)
    assert reach[0] == 5


@pytest.mark.parametrize(("cutoff_hz", "spread"), [(10.0, 7), (6.0, 12), (None, 0)])
def test_how_far_derivatives_are_hidden_follows_from_the_cutoff(
    cutoff_hz: float | None, spread: int
) -> None:
    """The gain 1 / (1 + q w^6) is 0.707 at w = 2 pi fc / fs: q^(1/6) = 0.863 / w."""
    how = Filter(100.0, cutoff_hz)
    reach = 5 + spread
    assert (how.spread, how.reach, how.reach_beside_bridged) == (spread, reach, (reach + 1) // 2)


@KINDS
def test_a_bridged_gap_stays_empty_and_its_sides_are_smoothed_by_both(kind: str) -> None:
    t = np.arange(N) / RATE
    y = np.sin(2 * math.pi * 1.5 * t)[:, None, None] * np.ones(3)
    whole = smooth(y, Filter(RATE, 10.0, kind))[0]
    y[90:105] = np.nan
    alone, bridged = (smooth(y, Filter(RATE, 10.0, kind, 0.1, s)) for s in (0.0, 0.2))
    assert np.isnan(bridged[0][90:105]).all()
    assert not bridged[1].any()
    beside = [*range(80, 90), *range(105, 115)]
    off = [np.abs(np.diff(v[0] - whole, n=2, axis=0))[78:86].max() for v in (alone, bridged)]
    assert off[1] < 0.3 * off[0]
    assert np.abs(bridged[0] - whole)[beside].max() < np.abs(alone[0] - whole)[beside].max()
    longer = smooth(y, Filter(RATE, 10.0, kind, 0.1, 0.14))[0]
    np.testing.assert_array_equal(longer, alone[0])  # 15 frames are more than 0.14 s


def test_loads_come_nearer_to_a_gap_that_is_bridged() -> None:
    how = Filter(RATE)
    assert how.reach == 12
    assert how.reach_beside_bridged == 6
    assert how.spread == 7
