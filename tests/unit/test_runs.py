import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.runs import complete_rows, known_points


def test_points_are_known_where_all_their_components_are() -> None:
    points = np.array([[[1.0, 2.0, 3.0], [np.nan, 0.0, 0.0]], [[np.inf, -np.inf, 0.0]] * 2])
    np.testing.assert_array_equal(known_points(points), [[True, False], [False, False]])
    without_one = np.where(np.eye(3, dtype=bool), np.nan, 1.0)
    assert not known_points(without_one[None]).any()


def test_nothing_is_known_of_no_points_and_every_row_of_nothing_is_complete() -> None:
    assert known_points(np.zeros((4, 0, 3))).shape == (4, 0)
    np.testing.assert_array_equal(complete_rows(np.zeros((4, 0, 3))), [True] * 4)
    assert complete_rows(np.zeros((0, 3))).shape == (0,)


def test_the_median_is_that_of_the_finite_values() -> None:
    assert known_median(np.array([[3.0, np.nan], [1.0, 2.0]])) == 2.0
    assert np.isnan(known_median(np.array([np.nan])))


def test_points_without_an_end_are_not_known_and_nobody_is_warned() -> None:
    points = np.array([[np.inf, -np.inf, 0.0], [1e308, 1e308, 0.0], [np.inf, 1.0, 0.0]])
    np.testing.assert_array_equal(known_points(points), [False, False, False])


def test_medians_over_rows_are_numpys_of_what_is_known() -> None:
    values = np.random.default_rng(4).standard_normal((9, 5, 3))
    values[3:, 1, 0], values[:, 2, 2] = np.nan, np.nan
    found = known_medians(values)
    assert np.isnan(found[2, 2])
    assert found[1, 0] == np.median(values[:3, 1, 0])
    there = np.isfinite(values).all(axis=0)
    np.testing.assert_array_equal(found[there], np.median(values, axis=0)[there])
    assert known_medians(np.zeros((0, 4))).shape == (4,)


def test_medians_of_columns_pass_over_gaps_in_some_of_them() -> None:
    columns = np.array([[3.0, np.nan, np.nan], [1.0, 4.0, np.nan], [2.0, 2.0, np.nan]])
    np.testing.assert_array_equal(known_medians(columns), [2.0, 3.0, np.nan])
    np.testing.assert_array_equal(known_medians(columns[:, :1]), [2.0])
