"""A joint moment that leaps for a few frames is told: noise without a filter, a jump of markers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.pipeline import process_loaded
from gaitdyn.quality.rules.leaps import leaps
from gaitdyn.types.options import Options
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

UNFILTERED: dict[str, Any] = {"cutoff_hz": None, "force_cutoff_hz": None}


def with_noise(as_read: Session, size_m: float, **settings: Any) -> Result:
    def noisy(recording: Recording) -> Recording:
        noise = np.random.default_rng(7).normal(0.0, size_m, recording.markers_L.shape)
        return replace(recording, markers_L=recording.markers_L + noise)

    return processed(as_read, noisy, **settings)


def leaping(result: Result) -> list[str]:
    return [f.scope for f in result.findings if f.code == "moment-leaps"]


@pytest.mark.parametrize("settings", [{}, UNFILTERED], ids=["filtered", "unfiltered"])
def test_clean_markers_make_no_leap_with_or_without_a_filter(
    as_read: Session, settings: dict[str, Any]
) -> None:
    assert not leaping(with_noise(as_read, 0.0, **settings))


def test_noise_that_the_default_filter_removes_is_told_without_one(as_read: Session) -> None:
    assert not leaping(with_noise(as_read, 0.0005))
    told = leaping(with_noise(as_read, 0.0005, **UNFILTERED))
    assert {scope.split()[0] for scope in told} == {"left", "right"}


def test_a_leap_is_told_with_its_leg_its_size_and_its_time(as_read: Session) -> None:
    clean = process_loaded(as_read, Options(**UNFILTERED))
    kinetics = clean.sides["right"].kinetics
    assert kinetics is not None
    known = np.isfinite(kinetics.loads.moment_S).all(axis=(1, 2)) & kinetics.published.all(axis=1)
    row = int(np.flatnonzero(known)[20])

    def jumped(recording: Recording) -> Recording:
        markers = recording.markers_L.copy()
        markers[row, recording.labels.index("RANK")] += 0.002  # m, in one frame
        return replace(recording, markers_L=markers)

    result = processed(as_read, jumped, **UNFILTERED)
    [told] = [f for f in result.findings if f.code == "moment-leaps"]
    assert told.side == "right"
    assert told.value is not None
    assert told.value > 0.25
    at = result.time_s[row]
    assert told.start_s is not None
    assert told.stop_s is not None
    assert told.start_s - 0.02 <= at <= told.stop_s + 0.02
    assert told.stop_s - told.start_s < 0.1


def test_a_leap_is_measured_from_the_frames_around_it_and_never_across_a_gap() -> None:
    steady = np.linspace(0.0, 1.0, 21)[:, None]
    assert not leaps(steady, 0.01).any()
    curve = steady.copy()
    curve[10] += 0.5
    assert leaps(curve, 0.2).argmax() == 10
    assert leaps(curve, 0.2).max() == pytest.approx(0.45)  # the median is the next frame: 0.05
    assert not leaps(curve, 1.1).any()
    curve[11] = np.nan
    assert leaps(curve, 0.2).max() == 0.0  # an end of a known run has no frames on one side
