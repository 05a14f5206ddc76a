"""The correlation and the mean of what is known."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.correlation import correlation
from gaitdyn.core.medians import known_medians
from gaitdyn.core.runs import known_mean

X = np.array([0.0, 1.0, 2.0])


@pytest.mark.parametrize(
    ("y", "r"),
    [
        ([0.0, 2.0, 1.0], 0.5),
        ([0.0, 20.0, 10.0], 0.5),
        ([5.0, 4.0, 3.0], -1.0),
        ([1.0, 7.0, 1.0], 0.0),
        ([0.0, 0.1, 0.2], 1.0),
    ],
)
def test_the_correlation_does_not_depend_on_level_and_size(y: list[float], r: float) -> None:
    assert correlation(X, np.array(y), fewest=3) == pytest.approx(r)
    assert correlation(100.0 * X - 7.0, np.array(y), fewest=3) == pytest.approx(r)


def test_a_series_that_does_not_vary_has_no_correlation() -> None:
    assert np.isnan(correlation(X, np.full(3, 4.0), fewest=3))


def test_a_mean_is_that_of_the_complete_rows() -> None:
    rows = np.array([[1.0, 2.0], [np.nan, 50.0], [3.0, 6.0]])
    assert known_mean(rows).tolist() == [2.0, 4.0]
    assert np.isnan(known_mean(rows[1:2])).all()


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_a_median_is_that_of_the_known_values(count: int) -> None:
    column = np.arange(float(count))
    gaps = np.concatenate((column, np.full(2, np.nan)))
    for values in (column, gaps, gaps[::-1]):
        assert known_medians(values[:, None]).tolist() == [(count - 1) / 2]
    assert np.isnan(known_medians(np.full((count, 1), np.nan))).all()
