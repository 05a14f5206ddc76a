"""Points of one label: copies of one marker, or several markers."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.landmarks.labels.copies import without_copies
from gaitdyn.types.recording import Recording
from gaitdyn.types.subject import Subject

PATH = np.stack([0.01 * np.arange(20.0), np.ones(20), np.zeros(20)], axis=1)


def seen(first: int, last: int, aside_m: float = 0.0) -> np.ndarray:
    """Return the path where it is seen, some metres aside."""
    points = np.full((20, 3), np.nan)
    points[first:last] = PATH[first:last] + np.array([0.0, 0.0, aside_m])
    return points


def found(*points: np.ndarray, descriptions: tuple[str, ...] = ()) -> tuple[list[int], dict]:
    """Return what is kept of points of one label behind another marker."""
    markers = np.stack((seen(0, 20, 0.5), *points), axis=1)
    labels = ("C7", *(["LKNE"] * len(points)))
    whole = Recording(
        "a.c3d", "", 100.0, 1, 1, labels, markers, {}, (), (), Subject(),
        descriptions=("", *descriptions),
    )  # fmt: skip
    return without_copies(range(1, len(labels)), whole)


@pytest.mark.parametrize("aside_m", [0.0029, -0.0029])
def test_a_point_within_3_mm_is_a_copy_of_the_one_seen_more_often(aside_m: float) -> None:
    assert found(seen(0, 20), seen(5, 15, aside_m)) == ([1], {2: 1})
    assert found(seen(5, 15, aside_m), seen(0, 20)) == ([2], {1: 2})
    assert found(seen(0, 10), seen(5, 15, aside_m)) == ([1], {2: 1})  # the first of equals


def test_a_point_further_away_is_another_marker() -> None:
    assert found(seen(0, 20), seen(5, 15, 0.0031)) == ([1, 2], {})
    three = seen(0, 10), seen(0, 20, 0.1), seen(2, 9, 0.101)
    assert found(*three) == ([1, 2], {3: 2})


def test_a_few_frames_aside_make_no_other_marker() -> None:
    strayed = seen(0, 20)
    strayed[:9, 2] += 0.2
    assert found(seen(0, 20), strayed) == ([1], {2: 1})


@pytest.mark.parametrize(
    ("first", "second", "copy"),
    [
        ("", "", True),
        ("lateral knee", "lateral knee", True),
        ("lateral knee", "medial knee", False),
        ("Unknown", "*", True),  # neither says anything
        ("target", "medial knee", False),
    ],
)
def test_points_never_seen_together_are_copies_if_they_are_described_alike(
    first: str, second: str, copy: bool
) -> None:
    points = seen(0, 10), seen(10, 18, 0.1)
    wanted: tuple[list[int], dict[int, int]] = ([1], {2: 1}) if copy else ([1, 2], {})
    assert found(*points, descriptions=(first, second)) == wanted
