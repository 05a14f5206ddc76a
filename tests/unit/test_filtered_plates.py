"""Forces that a filter in one direction delayed are told by their lag and by what they lack."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from scipy.signal import butter, filtfilt, lfilter

from gaitdyn.quality.rules import load_rules, timing
from gaitdyn.quality.rules.balance.body_motion import PlateSupport
from gaitdyn.quality.rules.smoothed import fast_share, one_way_filter
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

Array = np.ndarray[Any, Any]
RULES = load_rules()


def with_impacts(rate_hz: float, change: Callable[[Array], Array]) -> Callable[[Recording], Any]:
    """Return what gives every step an impact of 150 N and 20 ms, and then changes all channels."""
    rng = np.random.default_rng(5)

    def struck(recording: Recording) -> Recording:
        plates = []
        for plate in recording.plates:
            channels = plate.channels.copy()
            loaded = np.abs(channels[:, 2]) > 20.0
            strikes = np.flatnonzero(np.diff(loaded.astype(int)) == 1)
            sign = np.sign(channels[np.abs(channels[:, 2]).argmax(), 2])
            for row in strikes:
                t = np.arange(len(channels) - row) / rate_hz
                channels[row:, 2] += sign * 150.0 * np.sin(50 * np.pi * t) * np.exp(-t / 0.02)
            altered = change(channels) + 0.3 * rng.standard_normal(channels.shape)
            plates.append(replace(plate, channels=altered))
        return replace(recording, plates=tuple(plates))

    return struck


@pytest.fixture(scope="module")
def shares(as_read: Session) -> dict[str, Result]:
    recording = as_read.trial.recording
    rate = recording.rate_hz * recording.samples_per_frame
    two_poles = butter(2, 10.5, fs=rate)
    ways: dict[str, Callable[[Array], Array]] = {
        "raw": lambda x: x,
        "one way": lambda x: lfilter(*two_poles, x, axis=0),
        "there and back": lambda x: filtfilt(*two_poles, x, axis=0),
    }
    return {name: processed(as_read, with_impacts(rate, way)) for name, way in ways.items()}


def test_a_filter_takes_the_fast_changes_of_the_force(shares: dict[str, Result]) -> None:
    least = RULES["plates-filtered"].least or 0.0
    assert fast_share(shares["raw"]) > 1.5 * least
    assert fast_share(shares["one way"]) < 0.8 * least
    assert fast_share(shares["there and back"]) < 0.8 * least
    slow = replace(shares["raw"].recording, samples_per_frame=1)
    assert np.isnan(fast_share(replace(shares["raw"], recording=slow)))


@pytest.mark.parametrize(
    ("name", "delay_s", "told"),
    [("one way", 0.017, True), ("raw", 0.015, False), ("there and back", 0.004, False)],
)
def test_only_a_force_that_lags_and_lacks_them_is_told(
    shares: dict[str, Result], monkeypatch: pytest.MonkeyPatch,
    name: str, delay_s: float, told: bool,
) -> None:  # fmt: skip
    assert bool(one_way_filter(shares[name], delay_s, RULES)) is told
    t = np.arange(120) / 100
    run = PlateSupport(0, 120, 700 + 70 * np.cos(12 * (t - delay_s)), np.cos(12 * t))
    monkeypatch.setattr(timing, "long_runs", lambda _: [run])
    found = timing.delayed_plates(shares[name], RULES)
    assert [one.code for one in found] == (["plates-filtered"] if told else [])
    if told:
        assert found[0].value == pytest.approx(delay_s, abs=0.002)
        assert "lag the markers by 17 ms" in found[0].message
