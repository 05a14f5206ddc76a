"""Paths of a drawing: written as numbers one by one would be, thinned as each by itself."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from gaitdyn.plots.paths import Paths
from gaitdyn.types.arrays import Array


def one_by_one(path: Array, height: float) -> str:
    """Return the data of one path, a number after the other."""
    at = [(round(10 * x), round(10 * (height - y))) for x, y in path.tolist()]
    text = f"M{at[0][0]}{at[0][1]: d}"
    steps = "".join(f"{b[0] - a[0]: d}{b[1] - a[1]: d}" for a, b in pairwise(at))
    return f"{text}l{steps.lstrip()}" if steps else text


def paths(largest: float) -> list[Array]:
    rng = np.random.default_rng(3)
    return [rng.uniform(-largest, largest, (n, 2)) for n in (1, 2, 51, 1, 7, 101)]


@pytest.mark.parametrize("largest", [0.4, 40.0, 900.0])  # the last: steps of five digits
def test_paths_are_written_as_number_by_number(largest: float):
    heights = [30.0, 20.0, 0.0, 30.0, 10.0, 2.5]
    found = Paths.of(paths(largest)).data(heights)
    assert found == list(map(one_by_one, paths(largest), heights))
    assert Paths.of([]).data([]) == []


def test_a_path_loses_the_same_points_alone_and_among_others():
    x = np.linspace(0.0, 10.0, 61)
    curves = [np.stack((x[:n], np.sin(x[:n]) * k), axis=1) for n, k in
              ((61, 1.0), (40, 0.0), (3, 2.0), (60, 0.01), (2, 1.0), (1, 1.0))]  # fmt: skip
    within = [0.001, 0.1, 0.1, 0.001, 0.1, 0.1]
    together = Paths.of(curves).straighter(np.array(within))
    apart = np.split(together.points, np.cumsum(together.counts)[:-1])
    for path, limit, found in zip(curves, within, apart, strict=True):
        alone = Paths.of([path]).straighter(np.array([limit])).points
        np.testing.assert_array_equal(found, alone)
        np.testing.assert_array_equal(found[[0, -1]], path[[0, -1]])
    assert together.counts[1] == 11  # a level line of 40 points, halved twice
    assert Paths.of(curves).straighter(np.full(6, -1.0)).counts.tolist() == [61, 40, 3, 60, 2, 1]
