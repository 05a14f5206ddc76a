"""Points of one label that are pieces of one path, and those that are not."""

from __future__ import annotations

import numpy as np

from gaitdyn.io.pieces import join_pieces

PATH = np.stack([0.02 * np.arange(100.0), np.zeros(100), np.ones(100)], axis=1)
RATE_HZ = 100.0


def seen(first: int, last: int, shift: float = 0.0) -> np.ndarray:
    """Return the path where it is seen, shifted upwards."""
    points = np.full((100, 3), np.nan)
    points[first:last] = PATH[first:last] + np.array([0.0, 0.0, shift])
    return points


def joined(*points: np.ndarray, labels: tuple[str, ...] = ()) -> tuple[np.ndarray, tuple[str, ...]]:
    markers = np.stack(points, axis=1)
    names = labels or ("LKNE",) * len(points)
    notes = join_pieces(names, ("",) * len(points), markers, RATE_HZ)
    return markers, notes


def test_pieces_are_one_path_in_the_first_of_them() -> None:
    markers, notes = joined(seen(60, 100), seen(0, 30), seen(35, 60))
    np.testing.assert_array_equal(markers[:30, 0], PATH[:30])
    np.testing.assert_array_equal(markers[35:, 0], PATH[35:])
    assert np.isnan(markers[30:35, 0]).all()
    assert np.isnan(markers[:, 1:]).all()
    assert notes == ("LKNE: 3 points of this label are pieces of one path",)


def test_points_that_are_seen_together_or_apart_from_each_other_stay() -> None:
    twins = seen(0, 60), seen(50, 100)
    elsewhere = seen(0, 50), seen(50, 100, shift=0.1)
    empty = seen(0, 50), np.full((100, 3), np.nan)
    for points in (twins, elsewhere, empty):
        markers, notes = joined(*points)
        np.testing.assert_array_equal(markers, np.stack(points, axis=1))
        assert notes == ()


def test_points_that_nobody_named_stay() -> None:
    assert joined(seen(0, 50), seen(50, 100), labels=("*", "*"))[1] == ()
    assert joined(seen(0, 50), seen(50, 100), labels=("LKNE", "RKNE"))[1] == ()


def test_pieces_beside_other_markers_are_joined_alone() -> None:
    other, beside = seen(0, 100, shift=0.5), seen(20, 40, shift=-0.5)
    markers, notes = joined(
        other, seen(0, 50), beside, seen(50, 100), labels=("LANK", "LKNE", "RKNE", "LKNE")
    )
    np.testing.assert_array_equal(markers[:, 1], PATH)
    np.testing.assert_array_equal(markers[:, [0, 2]], np.stack((other, beside), axis=1))
    assert np.isnan(markers[:, 3]).all()
    assert notes == ("LKNE: 2 points of this label are pieces of one path",)
