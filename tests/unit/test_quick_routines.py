"""Routines that stand in for numpy's own, where these cost most: the same bits."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core import low_pass
from gaitdyn.core.medians import known_median, median
from gaitdyn.core.percentiles import known_percentiles, percentile
from gaitdyn.core.rotations import lengths
from gaitdyn.core.splines import fit, smoothed
from gaitdyn.io import trial
from gaitdyn.kinematics.derivatives import (
    angular_motion,
    angular_motions,
    derivatives,
    derivatives_of_each,
)

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("part", [0, 2, 5, 33.3, 50, 90, 98, 100])
def test_percentiles_and_medians_are_numpys(part):
    for count in (1, 2, 3, 7, 40, 315):
        values = RNG.normal(size=count) * 10 ** RNG.uniform(-3, 3)
        assert percentile(values, part) == np.percentile(values, part)
        assert known_median(np.append(values, np.nan)) == np.median(values)
    assert np.isnan(percentile(np.array([1.0, np.nan, 2.0]), part))


@pytest.mark.parametrize("known", [1.0, 0.8, 0.2])
def test_percentiles_of_known_values_are_numpys(known):
    for count in (1, 2, 7, 40):
        values = RNG.normal(size=(count, 5, 3))
        values[RNG.random(values.shape) > known] = np.nan
        values[0] = 1.0  # numpy warns of columns without any
        wanted = np.nanpercentile(values, (10, 33.3, 90), axis=0)
        np.testing.assert_array_equal(known_percentiles(values, 10, 33.3, 90), wanted)
    assert np.isnan(known_percentiles(np.full((4, 2), np.nan), 50)).all()


@pytest.mark.parametrize("count", [1, 2, 3, 4, 315])
@pytest.mark.parametrize("axis", [None, 0, 1, -1])
def test_a_median_along_an_axis_is_numpys(count, axis):
    values = RNG.normal(size=(count, 3, 4)) * 10 ** RNG.uniform(-3, 3)
    np.testing.assert_array_equal(median(values, axis), np.median(values, axis=axis))
    values[0, 1, 2] = np.nan
    np.testing.assert_array_equal(median(values, axis), np.median(values, axis=axis))
    np.testing.assert_array_equal(median(values[:0], 0), np.full((3, 4), np.nan))
    assert median([3, 1, 2, 4]) == np.median([3, 1, 2, 4])


def test_lengths_are_those_of_the_norm():
    vectors = RNG.normal(size=(50, 7, 3))
    np.testing.assert_array_equal(lengths(vectors), np.linalg.norm(vectors, axis=-1))


@pytest.mark.parametrize("count", [3, 29, 40])
@pytest.mark.parametrize("order", ["C", "F"])
def test_a_recording_is_continued_as_numpy_reflects_it(count, order):
    samples = np.asarray(RNG.normal(size=(30, 6)), order=order)
    wanted = np.pad(samples, ((count, count), (0, 0)), mode="reflect", reflect_type="odd")
    found = low_pass._continued(samples, count)  # noqa: SLF001
    np.testing.assert_array_equal(found, wanted)
    assert found.flags.fnc == wanted.flags.fnc  # sums are taken in the order of the memory


def test_axes_are_permuted_as_the_matrix_does_it():
    points = RNG.normal(size=(20, 4, 3))
    points[3, 1], points[4, 2, 0] = np.nan, 0.0
    for R in (np.eye(3), np.array([[0.0, 1.0, 0], [0, 0, 1], [1, 0, 0]]), -np.eye(3)[[2, 1, 0]]):
        found, wanted = trial._permuted(points, R), points @ R.T  # noqa: SLF001
        assert found.tobytes() == wanted.tobytes()
    turned = np.linalg.qr(RNG.normal(size=(3, 3)))[0]
    np.testing.assert_array_equal(trial._permuted(points, turned), points @ turned.T)  # noqa: SLF001


@pytest.mark.parametrize("gaps", [False, True])
def test_segments_together_are_those_one_by_one(gaps):
    R, r = RNG.normal(size=(60, 3, 3, 3)), RNG.normal(size=(60, 3, 3))
    if gaps:
        R[10:14, 1], r[30:, 2] = np.nan, np.nan
    omega, alpha = angular_motions(R, 100.0)
    first, second = derivatives_of_each(r, 100.0)
    for k in range(3):
        alone, of_place = angular_motion(R[:, k], 100.0), derivatives(r[:, k], 100.0)
        np.testing.assert_array_equal(np.stack((omega[:, k], alpha[:, k])), alone)
        np.testing.assert_array_equal(np.stack((first[:, k], second[:, k])), of_place)
    assert np.isnan(omega[12, 1]).all() == gaps


def test_smoothing_alone_gives_the_values_of_the_fit():
    y = RNG.normal(size=(80, 5))
    np.testing.assert_array_equal(smoothed(y, 30.0), fit(y, 30.0).value)
    np.testing.assert_array_equal(smoothed(y, 0.0), fit(y).value)
