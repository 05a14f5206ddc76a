"""Runs: half-open intervals of frames in which something holds."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.runs import runs


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", []),
        ("....", []),
        ("xxxx", [(0, 4)]),
        ("x", [(0, 1)]),
        ("x..x", [(0, 1), (3, 4)]),
        (".xx.xxx.", [(1, 3), (4, 7)]),
        ("xx.x.xx", [(0, 2), (3, 4), (5, 7)]),
    ],
)
def test_runs_are_the_half_open_intervals_of_what_holds(
    text: str, wanted: list[tuple[int, int]]
) -> None:
    mask = np.array([letter == "x" for letter in text], dtype=bool)
    assert runs(mask) == wanted
    assert all(isinstance(edge, int) for run in runs(mask) for edge in run)


def test_the_runs_fill_the_mask_again() -> None:
    mask = np.random.default_rng(0).random(500) > 0.4
    again = np.zeros(500, bool)
    for start, stop in runs(mask):
        assert not again[start:stop].any()
        again[start:stop] = True
    assert (again == mask).all()
