"""Signals of a user over the gait cycles of a trial."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import gaitdyn
from gaitdyn.cycles import own_signals
from gaitdyn.errors import UsageError
from gaitdyn.types.cycles import Cycle

WALK = Path(__file__).parents[2] / "data" / "walk01.c3d"


@pytest.fixture(scope="module")
def result() -> gaitdyn.Result:
    """The walk of the project's data."""
    return gaitdyn.process_trial(WALK)


def test_a_curve_of_the_trial_gives_its_own_column(result: gaitdyn.Result) -> None:
    """Knee flexion over the frames becomes the knee flexion of ``cycles()``."""
    flexion = result.to_frame()["left_knee_angle_flexion"].to_numpy()
    own, theirs = result.time_normalise(flexion), result.cycles()
    kept = ["side", "cycle", "percent", "kinematics", "kinetics", "turning", "representative"]
    assert own.columns.tolist() == [*kept, "signal"]
    pd.testing.assert_frame_equal(own[kept], theirs[kept])
    left = own["side"] == "left"
    np.testing.assert_allclose(own["signal"][left], theirs["knee_angle_flexion"][left], atol=1e-9)


@pytest.mark.parametrize("times", [10, 0.5])
def test_a_signal_of_another_rate_is_at_the_same_time(result: gaitdyn.Result, times: float) -> None:
    """The time itself, sampled ten times as often or half as often, runs from strike to strike."""
    recording = result.recording
    rate = times * recording.rate_hz
    time = np.arange(round(recording.n_frames * times)) / rate
    table = result.time_normalise(time, rate)
    for (side, number), one in table.groupby(["side", "cycle"]):
        (cycle,) = [
            c.cycle for c in result.cycle_curves if (c.cycle.side, c.cycle.number) == (side, number)
        ]
        strikes = np.array([cycle.start_row, cycle.stop_row]) / recording.rate_hz
        np.testing.assert_allclose(one["signal"].iloc[[0, -1]], strikes, atol=1e-9)


def test_columns_keep_the_names_of_a_table_or_are_numbered(result: gaitdyn.Result) -> None:
    """A table gives its names; an array of two signals gives numbers."""
    n = result.recording.n_frames
    named = pd.DataFrame({"tilt": np.zeros(n), "roll": np.ones(n)})
    assert result.time_normalise(named).columns[-2:].tolist() == ["tilt", "roll"]
    assert result.time_normalise(named.to_numpy()).columns[-2:].tolist() == ["signal_1", "signal_2"]


def test_a_gap_stays_a_gap(result: gaitdyn.Result) -> None:
    """What a sensor did not record is NaN and nothing beside it changes."""
    signal = np.ones(result.recording.n_frames)
    signal[150:160] = np.nan
    values = result.time_normalise(signal)["signal"]
    assert 0 < values.isna().sum() < 0.2 * len(values)
    np.testing.assert_allclose(values.dropna(), 1.0, rtol=1e-12)


@pytest.mark.parametrize(
    ("signal", "rate_hz", "words"),
    [
        (np.zeros(100), None, "100 samples, wanted 331 at 100 Hz"),
        (np.zeros(331), 1000.0, "331 samples, wanted 3310 at 1000 Hz"),
        (np.zeros(3300), 1000.0, "3300 samples, wanted 3310"),
        (np.zeros(3312), 1000.0, "3312 samples, wanted 3310"),
        (np.zeros(331), 0.0, "rate_hz is 0.0, wanted the rate of the signal, Hz"),
        (np.zeros(331), "fast", "rate_hz is 'fast'"),
        (["a"] * 331, None, "wanted numbers of shape"),
        (
            pd.DataFrame({"tilt": [0.0] * 331, "note": ["a"] * 331}),
            None,
            "is a table whose column 'note' does not hold numbers, wanted numbers of shape",
        ),
        (np.zeros((331, 2, 2)), None, "has the shape"),
        (np.zeros(0), None, r"has the shape \(0,\)"),
        (np.zeros(157), 48.0, "157 samples, wanted 159 at 48 Hz"),
    ],
)
def test_what_is_no_signal_of_the_trial_is_refused(
    result: gaitdyn.Result, signal: Any, rate_hz: Any, words: str
) -> None:
    """The message says what was found and what was wanted."""
    with pytest.raises(UsageError, match=words):
        result.time_normalise(signal, rate_hz)


@pytest.mark.parametrize("samples", [3301, 3311])
def test_a_signal_ends_within_the_last_frame(result: gaitdyn.Result, samples: int) -> None:
    """Of 331 frames: with the sample of the last one, or with that of the one after it."""
    assert not result.time_normalise(np.zeros(samples), 1000.0)["signal"].isna().any()


@pytest.mark.parametrize(
    ("rate_hz", "samples"), [(48.0, 158), (48.0, 159), (33.0, 109), (33.0, 110), (50.0, 165)]
)
def test_a_slow_signal_that_ends_before_the_last_frame_is_taken(
    result: gaitdyn.Result, rate_hz: float, samples: int
) -> None:
    """The signal had "159 samples, wanted 159": 331 frames at 100 Hz last 158.9 of them."""
    time = np.arange(samples) / rate_hz
    own = result.time_normalise(time, rate_hz)["signal"]
    whole = result.time_normalise(np.arange(331) / 100.0)["signal"]
    known = whole <= time[-1]
    assert known.mean() > 0.9
    np.testing.assert_allclose(own[known], whole[known], atol=1e-9)
    assert own[~known].isna().all()


def test_what_lies_behind_the_last_sample_is_not_known(
    result: gaitdyn.Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of 165 samples at 50 Hz is at 3.28 s; a stride from 2.3 to 3.3 s ends behind it."""
    cycle = Cycle("left", 1, 230.0, 330.0, 60.0, 0.0)
    monkeypatch.setattr(own_signals, "find_cycles", lambda _, side: [cycle] * (side == "left"))
    ((_, _, _, values),) = own_signals.own_signals(result, np.arange(165) / 50.0, 50.0)
    np.testing.assert_allclose(values[:99, 0], np.arange(2.3, 3.285, 0.01), atol=1e-9)
    assert np.isnan(values[99:]).all()
