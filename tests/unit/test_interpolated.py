"""Gaps that another program filled with a curve are told where they are long."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from scipy.interpolate import make_interp_spline

from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.markers.interpolated import drawn_curves, interpolation_rules
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result
    from gaitdyn.types.recording import Recording

RATE_HZ, LONGEST_S = 100.0, 0.15


def stored(points: np.ndarray) -> np.ndarray:
    """Return points as a file stores them: millimetres in single precision."""
    return (1000.0 * points).astype(np.float32).astype(float) / 1000.0


def markers(noise_m: float = 1e-4) -> np.ndarray:
    """Return eight markers that swing as those of a leg do, shape (300, 8, 3)."""
    t, rng = np.arange(300)[:, None] / RATE_HZ, np.random.default_rng(4)
    swing = 0.2 * np.sin(2 * np.pi * 1.7 * t + np.arange(8)) + 0.05 * np.sin(2 * np.pi * 5 * t)
    paths = np.stack((1.2 * t + swing, 0.4 + 0.2 * swing, 0.1 + 0.0 * swing), axis=2)
    return paths + noise_m * rng.standard_normal(paths.shape)


def filled(points: np.ndarray, marker: int, start: int, stop: int, degree: int) -> np.ndarray:
    """Return points of which one is filled with a spline through three samples on either side."""
    own = points.copy()
    rows = np.r_[start - 3 : start, stop : stop + 3]
    if degree == 1:
        rows = rows[[2, 3]]
    curve = make_interp_spline(rows, own[rows, marker], k=degree)
    own[start:stop, marker] = curve(np.arange(start, stop))
    return own


@pytest.mark.parametrize("degree", [1, 3, 5])
def test_a_long_gap_that_was_filled_is_found_to_a_few_samples(degree: int) -> None:
    ((marker, start, stop),) = drawn_curves(
        stored(filled(markers(), 2, 120, 150, degree)), RATE_HZ, LONGEST_S
    )
    assert marker == 2
    assert abs(start - 120) <= 3
    assert abs(stop - 150) <= 3


def test_text_with_fewer_digits_hides_no_filled_gap() -> None:
    rounded: np.ndarray = np.round(filled(markers(noise_m=5e-4), 2, 120, 150, 3), 5)
    assert [k for k, *_ in drawn_curves(rounded, RATE_HZ, LONGEST_S)] == [2]


def test_movement_without_noise_is_told_from_a_cubic() -> None:
    smooth = stored(markers(noise_m=0.0))
    assert not list(drawn_curves(smooth, RATE_HZ, LONGEST_S))
    assert [k for k, *_ in drawn_curves(filled(smooth, 2, 120, 150, 3), RATE_HZ, LONGEST_S)] == [2]


def test_short_gaps_are_not_told() -> None:
    short = stored(filled(markers(), 2, 120, 132, 3))
    assert not list(drawn_curves(short, RATE_HZ, LONGEST_S))
    assert [k for k, *_ in drawn_curves(short, RATE_HZ, 0.1)] == [2]


def test_two_pieces_of_one_spline_are_one_gap() -> None:
    points = filled(filled(markers(), 2, 120, 132, 3), 2, 135, 147, 3)
    ((_, start, stop),) = drawn_curves(stored(points), RATE_HZ, LONGEST_S)
    assert start <= 122
    assert stop >= 145
    apart = filled(filled(markers(), 2, 120, 132, 3), 2, 145, 157, 3)
    assert not list(drawn_curves(stored(apart), RATE_HZ, LONGEST_S))


def test_a_marker_that_is_held_or_stands_with_the_others_follows_no_curve() -> None:
    held = markers()
    held[120:150, 2] = held[119, 2]
    assert not list(drawn_curves(stored(held), RATE_HZ, LONGEST_S))  # told as frozen
    coarse: np.ndarray = np.round(markers(), 2)
    coarse[100:200] = coarse[100]  # all stand, to the digits that are stored
    assert not list(drawn_curves(coarse, RATE_HZ, LONGEST_S))


def test_hidden_markers_and_short_recordings_show_nothing() -> None:
    points = markers()
    points[40:90, 3] = np.nan
    points[:, 5] = np.nan
    assert not list(drawn_curves(points, RATE_HZ, LONGEST_S))
    assert not list(drawn_curves(points[:8], RATE_HZ, LONGEST_S))


@pytest.mark.parametrize(("label", "side"), [("LKNE", "left"), ("RTOE", "right"), ("LASI", None)])
def test_a_walk_with_a_filled_gap_is_checked_there(
    as_read: Session, label: str, side: str | None
) -> None:
    def noisy(recording: Recording) -> Recording:
        noise = 1e-4 * np.random.default_rng(1).standard_normal(recording.markers_L.shape)
        return replace(recording, markers_L=stored(recording.markers_L + noise))

    def fill(recording: Recording) -> Recording:
        points, at = noisy(recording).markers_L, recording.labels.index(label)
        return replace(recording, markers_L=stored(filled(points, at, 220, 250, 3)))

    untouched = processed(as_read, noisy)
    assert "marker-interpolated" not in {told.code for told in untouched.findings}
    broken = processed(as_read, fill)
    (told,) = [one for one in broken.findings if one.code == "marker-interpolated"]
    assert (told.scope, told.side, told.level) == (label, side, "warning")
    assert told.start_s == pytest.approx(broken.recording.start_s + 2.2, abs=0.06)
    assert told.stop_s == pytest.approx(broken.recording.start_s + 2.5, abs=0.06)
    assert broken.verdict == "check"


def test_few_markers_do_not_show_what_is_usual(as_read: Session) -> None:
    recording = as_read.trial.recording
    points = filled(recording.markers_L, recording.labels.index("LKNE"), 220, 250, 3)
    few = [recording.labels.index(x) for x in ("LKNE", "LANK", "LASI", "RASI", "SACR")
           if x in recording.labels]  # fmt: skip
    short = replace(
        recording,
        labels=tuple(recording.labels[i] for i in few), markers_L=stored(points)[:, few],
    )  # fmt: skip
    result = SimpleNamespace(recording=short)
    assert not list(interpolation_rules(cast("Result", result), load_rules()))
