import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.runs import complete_rows, known_points


def test_points_are_known_where_all_their_components_are() -> None:
    points = np.array([[[1.0, 2.0, 3.0], [np.nan, 0.0, 0.0]], [[np.inf, -np.inf, 0.0]] * 2])
    np.testing.assert_array_equal(known_points(points), [[True, False], [False, False]])


def test_nothing_is_known_of_no_points_and_every_row_of_nothing_is_complete() -> None:
    assert known_points(np.zeros((4, 0, 3))).shape == (4, 0)
    np.testing.assert_array_equal(complete_rows(np.zeros((4, 0, 3))), [True] * 4)
    assert complete_rows(np.zeros((0, 3))).shape == (0,)


def test_the_median_is_that_of_the_finite_values() -> None:
    assert known_median(np.array([[3.0, np.nan], [1.0, 2.0]])) == 2.0
    assert np.isnan(known_median(np.array([np.nan])))
