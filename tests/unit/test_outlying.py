"""Which strides take too long or too short to be of the others."""

from __future__ import annotations

import pytest

from gaitdyn.cycles.outliers import outlying
from gaitdyn.types.cycles import Cycle


def strides(*frames: float) -> list[Cycle]:
    return [Cycle("left", i, 0.0, rows, None) for i, rows in enumerate(frames, 1)]


@pytest.mark.parametrize(
    ("frames", "found"), [(102.0, []), (98.0, []), (103.0, [11]), (97.0, [11])]
)
def test_two_frames_are_no_outlier(frames: float, found: list[int]) -> None:
    assert list(outlying(strides(*[100.0] * 10, frames), 100.0)) == found


def test_of_ten_strides_none_is_an_outlier() -> None:
    assert outlying(strides(*[100.0] * 9, 200.0), 100.0) == {}


def test_the_reason_has_times_in_seconds() -> None:
    (reason,) = outlying(strides(*[90.0, 95.0, 100.0, 105.0, 110.0] * 3, 160.0), 100.0).values()
    assert reason.startswith("stride time 1.60 s, the others' median is 1.00 s")
    assert reason.endswith("further than 3 scaled median absolute deviations of 0.074 s")
