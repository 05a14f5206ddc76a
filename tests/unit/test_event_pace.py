"""Events from markers at slow and fast pace: marks posed by hand, and their distances."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.events.feet import TrialFoot
from gaitdyn.events.leaving import left_as_toe_moves
from gaitdyn.events.pace import (
    EXPECTED_MS,
    FIRST_MS,
    MARKS,
    Mark,
    expected_ms,
    lands_level,
    mark_curves,
    paced_events,
    peak_row,
    stride_time,
)

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

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


def step(t: Array, at: float, over: float) -> Array:
    """Return a smooth step from 0 to 1 that rises fastest at a time, s."""
    return 1 / (1 + np.exp(-(t - at) / over))


def test_marks_are_where_the_curves_say() -> None:
    """A raised foot comes down at 1.03 s, its turning is braked most 26 ms after that."""
    t = np.arange(200) / RATE
    heel = np.zeros((200, 3))
    toe = heel + 0.2 * FORWARD
    toe[:, 1] = 0.05 * (1 - step(t, 1.03, 0.02))
    curves = mark_curves(TrialFoot("left", heel, toe, np.ones(200, bool)), RATE)
    turned, braked = (
        peak_row(curves[name], 103.0, RATE) for name in list(MARKS["foot_strike"])[:2]
    )
    assert turned == pytest.approx(103.0, abs=0.2)
    assert braked == pytest.approx(103.0 + 2.63, abs=0.5)  # 1.317 times the time constant after
    assert np.isnan(peak_row(curves["heel accelerates upward most"], 103.0, RATE))


def test_a_rising_toe_is_marked_by_speed_and_acceleration() -> None:
    t = np.arange(200) / RATE
    heel = np.zeros((200, 3))
    toe = heel + 0.2 * FORWARD
    toe[:, 1] = 0.05 * step(t, 1.0, 0.02)
    curves = mark_curves(TrialFoot("left", heel, toe, np.ones(200, bool)), RATE)
    assert peak_row(curves["toe rises fastest"], 101.0, RATE) == pytest.approx(100.0, abs=0.1)
    pushed = peak_row(curves["toe accelerates upward most"], 98.0, RATE)
    assert pushed == pytest.approx(100.0 - 2.63, abs=0.5)


def test_a_foot_whose_heel_and_toe_are_one_place_has_no_turning() -> None:
    same = np.ones((50, 3))
    curves = mark_curves(TrialFoot("left", same, same, np.ones(50, bool)), RATE)
    assert np.isnan(curves["foot turns down fastest"]).all()


def test_an_event_without_marks_keeps_its_place_at_the_usual_distance() -> None:
    """A foot that slides forth and back, level: strikes 45 ms after the furthest point."""
    t = np.arange(600) / RATE
    pelvis = np.stack((0 * t, 0 * t + 1, 0 * t), axis=1)
    heel = np.stack((0.3 * np.sin(2 * np.pi * t / 1.2), 0 * t, 0 * t), axis=1)
    foot = TrialFoot("left", heel, heel + np.array([0.2, 0, 0]), np.ones(600, bool))
    found, stride_s = paced_events([foot], (pelvis, FORWARD), RATE)
    assert stride_s == pytest.approx(1.2, abs=0.01)
    tops = np.array([0.3 + 1.2 * k for k in range(5)]) * RATE
    assert found["left"][0] == pytest.approx(tops - FIRST_MS["foot_strike"] / 1000 * RATE, abs=0.1)


def landing(tilt_deg: float, comes_down_deg: float) -> tuple[TrialFoot, Array]:
    """Return a sliding foot that comes down by 20 mm at 1.48 s, level or not, and the pelvis."""
    t = np.arange(400) / RATE
    forth = 0.3 * np.sin(2 * np.pi * (t - 1.1) / 1.2)
    heel = np.stack((forth, 0.02 * (1 - step(t, 1.48, 0.01)), 0 * t), axis=1)
    angle = np.radians(tilt_deg + comes_down_deg * (1 - step(t, 1.52, 0.02)))
    axis = 0.2 * np.stack((np.cos(angle), np.sin(angle), 0 * t), axis=1)
    pelvis = np.stack((0 * t, 0 * t + 1, 0 * t), axis=1)
    return TrialFoot("left", heel, heel + axis, np.ones(400, bool)), pelvis


@pytest.mark.parametrize("tilt_deg", [0.0, -25.0])
def test_a_foot_that_lands_level_or_on_its_toes_strikes_when_they_are_braked(tilt_deg: float):
    """Zeni's rule alone would be 75 ms early; the foot does not turn, or turns up a little."""
    foot, pelvis = landing(tilt_deg, -3.0)
    found, _ = paced_events([foot], (pelvis, FORWARD), RATE)
    near = found["left"][0][np.argmin(np.abs(found["left"][0] - 148))]
    assert near == pytest.approx(148 + 1.3 - 0.3, abs=1.0)  # braked 13 ms later, less the delay


@pytest.mark.parametrize(("down_deg", "level"), [(20.0, False), (9.0, False), (4.0, True)])
def test_a_foot_lands_level_unless_it_turns_down(down_deg: float, level: bool) -> None:
    t = np.arange(200) / RATE
    down = np.radians(-down_deg * (1 - step(t, 1.0, 0.01)))
    assert lands_level(down, 100.0, RATE) is level
    down[104] = np.nan
    assert lands_level(down, 100.0, RATE) is level
    down[98] = np.nan
    assert not lands_level(down, 100.0, RATE)


@pytest.mark.parametrize("belt_m_s", [0.0, -1.2])
def test_a_foot_has_left_when_it_moves_for_long(belt_m_s: float) -> None:
    """The toe moves from 1.0 s on; foot-offs found 0.08 s later stay, 0.2 s later do not.

    Of those found earlier, 0.05 s stay, and 0.2 s are moved to 0.06 s.
    """
    t = np.arange(200) / RATE
    toe = np.stack((belt_m_s * t + 1.5 * np.maximum(t - 1.0, 0.0), 0 * t, 0 * t), axis=1)
    foot = TrialFoot("left", toe - 0.2 * FORWARD, toe, np.ones(200, bool))
    offs, left = np.array([20, 80, 95, 108, 120.0]), [20, 94, 95, 108, 102]
    assert left_as_toe_moves(foot, (np.array([40.0]), offs), RATE) == pytest.approx(left, abs=1.0)
    toe[98] = np.nan
    assert left_as_toe_moves(foot, (np.array([40.0]), offs), RATE)[1] == pytest.approx(80.0)


@pytest.mark.parametrize("belt_m_s", [0.0, -1.2])
@pytest.mark.parametrize("strikes", [[], [65.0]])
def test_a_foot_that_comes_into_view_in_swing_leaves_when_it_does(
    belt_m_s: float, strikes: list[float]
) -> None:
    """Without its strike, the swing before is not the ground on which it stood."""
    t = np.arange(300) / RATE
    steps = [3.0 * np.clip(t - start, 0.0, 0.4) for start in (0.2, 1.1, 2.1)]
    toe = np.stack((belt_m_s * t + np.sum(steps, axis=0), 0 * t, 0 * t), axis=1)
    toe[:30] = np.nan
    foot = TrialFoot("left", toe - 0.2 * FORWARD, toe, np.ones(300, bool))
    offs = np.array([108.0, 208.0])
    found = left_as_toe_moves(foot, (np.array([*strikes, 150.0]), offs), RATE)
    assert found == pytest.approx(offs, abs=1.0)
    alone = left_as_toe_moves(foot, (np.array(strikes), offs[:1]), RATE)
    assert alone == pytest.approx(offs[:1], abs=1.0)


def test_the_expected_error_is_told_by_kind_and_pace() -> None:
    assert set(EXPECTED_MS) == set(MARKS)
    assert expected_ms("foot_strike", 1.0) == EXPECTED_MS["foot_strike"][0]
    assert expected_ms("foot_off", 1.3) == EXPECTED_MS["foot_off"][1]
    assert expected_ms("foot_off", 2.1) == pytest.approx(1.5 * EXPECTED_MS["foot_off"][1])
