"""Events from markers at slow and fast pace: marks posed by hand, and their distances."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.events.feet import Foot
from gaitdyn.events.pace import (
    EXPECTED_MS,
    MARKS,
    Mark,
    expected_ms,
    mark_curves,
    mark_row,
    paced_events,
    stride_time,
)

RATE = 100.0
FORWARD = np.array([1.0, 0.0, 0.0])


def test_the_distance_of_a_mark_grows_with_the_stride_within_limits() -> None:
    mark = Mark(-17.0, 70.0)
    assert mark.seconds(None) == pytest.approx(-0.017)
    assert mark.seconds(1.25) == pytest.approx(-0.003)
    assert mark.seconds(3.0) == mark.seconds(1.4) == pytest.approx(0.0075)
    assert mark.seconds(0.3) == mark.seconds(0.8) == pytest.approx(-0.0345)


def test_the_stride_time_is_the_median_between_events_of_one_kind() -> None:
    rows = (np.array([0.0, 110.0, 222.0]), np.array([60.0, 171.0]))
    assert stride_time([rows], RATE) == pytest.approx(1.11)
    assert stride_time([(np.array([5.0]), np.empty(0))], RATE) is None


def test_marks_are_where_the_curves_say() -> None:
    t = np.arange(200) / RATE
    still = np.zeros((200, 3))
    pelvis = np.stack((1.2 * t, 0 * t, 0 * t), axis=1)
    heel = still.copy()
    heel[:, 0] = np.where(t < 1.0, 2.0 * t - t**2, 1.0)  # speed 2 - 2 t falls to 0.5 at 0.75 s
    toe = still.copy()
    toe[:, 1] = 0.1 / (1 + np.exp((t - 1.03) / 0.02))  # falls fastest at 1.03 s
    foot = Foot("left", heel, toe, np.ones(200, bool))
    curves = mark_curves(foot, (pelvis, FORWARD), RATE)
    assert mark_row(curves, "heel below 0.5 m/s", 74.0, RATE) == pytest.approx(75.0, abs=0.05)
    assert mark_row(curves, "toe falls fastest", 100.0, RATE) == pytest.approx(103.0, abs=0.05)
    assert np.isnan(mark_row(curves, "heel falls fastest", 100.0, RATE))


def test_an_event_without_marks_keeps_its_place_at_the_usual_distance() -> None:
    """A foot that slides forth and back, level: strikes by the pelvis alone, 42 ms early."""
    t = np.arange(600) / RATE
    pelvis = np.stack((0 * t, 0 * t + 1, 0 * t), axis=1)
    heel = np.stack((0.3 * np.sin(2 * np.pi * t / 1.2), 0 * t, 0 * t), axis=1)
    foot = Foot("left", heel, heel + np.array([0.2, 0, 0]), np.ones(600, bool))
    found, stride_s = paced_events([foot], (pelvis, FORWARD), RATE)
    assert stride_s == pytest.approx(1.2, abs=0.01)
    strikes = found["left"][0]
    tops = np.array([0.3 + 1.2 * k for k in range(5)]) * RATE
    assert len(strikes) == 5
    slow = np.array([min(abs(s - tops)) for s in strikes]) / RATE
    assert np.all(slow < 0.15)


def test_the_expected_error_is_told_by_kind_and_pace() -> None:
    assert set(EXPECTED_MS) == set(MARKS)
    assert expected_ms("foot_strike", 1.0) == EXPECTED_MS["foot_strike"][0]
    assert expected_ms("foot_off", 1.3) == EXPECTED_MS["foot_off"][1]
