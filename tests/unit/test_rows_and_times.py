"""Rows, frame numbers and times of one moment agree, in a file that begins with frame 101."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from gaitdyn.trial import Result


def test_the_first_row_is_frame_101_which_is_one_second_after_frame_1(clean: Result) -> None:
    recording = clean.recording
    assert (recording.first_frame, recording.rate_hz) == (101, 100.0)
    assert clean.frame_numbers[[0, 1, -1]].tolist() == [101.0, 102.0, 100.0 + recording.n_frames]
    assert clean.time_s[[0, 1]] == pytest.approx([1.0, 1.01])
    assert [recording.time_of(row) for row in (0, 0.5, 1)] == pytest.approx([1.0, 1.005, 1.01])
    assert [clean.row(time_s) for time_s in (1.0, 1.005, 1.01)] == [0.0, 0.5, 1.0]


def test_half_open_rows_end_with_the_frame_before_their_stop(clean: Result) -> None:
    assert clean.recording.frames_of(10, 15) == (111, 115)
    times = clean.recording.times_of(10, 15)
    assert (times["start_s"], times["stop_s"]) == pytest.approx((1.10, 1.14))
