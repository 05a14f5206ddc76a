"""Markers above the hips that step aside and stay, or come back."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gaitdyn.quality.rules.upper.slips import slipped_above
from gaitdyn.types.options import Options

N, ROW, LIMIT_M = 200, 100, 0.006


def arm() -> Any:
    """Return the path of a swinging elbow that walks on, shape (n, 1, 3), m."""
    t = np.arange(N) / 100.0
    swing = 0.1 * np.sin(2 * np.pi * 0.9 * t)
    return np.stack((1.2 * t + swing, 0.2 + 0.0 * t, 1.1 + 0.3 * swing), axis=1)[:, None]


def told(raw: Any, task: str = "walking", cutoff_hz: float | None = 10.0) -> list[tuple[str, str]]:
    result: Any = SimpleNamespace(
        options=Options(cutoff_hz=cutoff_hz),
        task=task,
        recording=SimpleNamespace(rate_hz=100.0, time_of=lambda row: row / 100.0),
    )
    return slipped_above(result, ["LELB"], raw, LIMIT_M)


@pytest.mark.parametrize("by_m", [(0.06, 0.0, 0.0), (0.0, 0.0, -0.02)])
def test_a_marker_that_steps_aside_and_stays_is_told(by_m: tuple[float, float, float]) -> None:
    raw = arm()
    assert told(raw) == []
    raw[ROW:] += by_m
    ((label, why),) = told(raw)
    assert label == "LELB"
    assert why.endswith("from one frame to the next at 1.00 s: it slipped or became another marker")
    assert told(raw, task="squat") == []
    assert told(raw, cutoff_hz=None) == []  # nothing to compare it with


@pytest.mark.parametrize("frames", [1, 4, 10])
def test_a_marker_that_comes_back_has_not_slipped(frames: int) -> None:
    raw = arm()
    raw[ROW : ROW + frames] += (0.0, 0.0, 0.3)
    assert told(raw) == []


def test_a_marker_that_vanishes_has_not_slipped() -> None:
    raw = arm()
    raw[ROW : ROW + 5] = np.nan
    raw[ROW + 5 :] += 0.02
    assert told(raw) == []
