"""Markers that slip or were smoothed, plates that go dead, are cut off, smoothed or late."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.clean.butterworth import zero_lag_butterworth
from gaitdyn.cycles.normalise import cycle_curves, find_cycles
from gaitdyn.io.plates.reading import _flat
from gaitdyn.quality import cycle_status, side_verdicts
from gaitdyn.quality.rules import load_rules, smoothed
from gaitdyn.quality.rules.markers.noise import ORDER, noise_of, noise_sizes, noises, step_of
from gaitdyn.quality.rules.plates.channels import channel_rules
from gaitdyn.quality.rules.smoothed import end_hz, smoothing_rules
from gaitdyn.quality.rules.timing import _one_behind_feet, delayed_plates, step_lags
from gaitdyn.quality.sides import sides_without_plate
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.findings import Finding
from tests.unit.faulty_walks import processed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.stages.session import Session
    from gaitdyn.trial import Result

    Array = np.ndarray[Any, Any]

RULES = load_rules()


def altered(session: Session, **changes: Any) -> Result:
    return processed(session, lambda recording: replace(recording, **changes))


def codes(findings: Iterable[Finding]) -> set[str]:
    return {finding.code for finding in findings if finding.level != "info"}


@pytest.mark.parametrize(("by_m", "slipped"), [(0.015, True), (0.003, False)])
def test_a_marker_that_slips_is_found_and_when(
    as_read: Session, by_m: float, slipped: bool
) -> None:
    recording = as_read.trial.recording
    paths, row = recording.markers_L.copy(), recording.n_frames // 2
    paths[row:, recording.labels.index("LTOE")] += (0.0, by_m, 0.0)
    result = altered(as_read, markers_L=paths)
    found = [f for f in result.findings if f.code == "marker-slipped"]
    assert bool(found) is slipped
    if slipped:
        assert [(f.scope, f.side) for f in found] == [("LTOE", "left")]
        assert found[0].start_s == pytest.approx(result.time_s[row], abs=0.011)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_noise_is_that_of_the_noisiest_direction(axis: int) -> None:
    path = np.zeros((2000, 1, 3))
    path[:, 0, axis] = np.random.default_rng(5).normal(0.0, 0.003, 2000)
    sharp = np.diff(path, n=ORDER, axis=0)
    assert noises(sharp)[0] == pytest.approx(0.003, rel=0.1)
    (size,) = noise_sizes(path, np.ones((2000, 1), bool), 100.0)
    assert 0.003 < size < 0.0045  # the noisiest of twenty seconds
    assert noise_of(path[:, 0], 100.0) == pytest.approx(size, rel=0.1)


def test_a_step_needs_samples_on_both_sides_and_a_calm_path() -> None:
    off = np.full((200, 3), 1e-4)
    off[28:30], off[30:32] = 0.004, -0.004
    assert step_of(off) == (30, pytest.approx(2 * 0.004 * np.sqrt(3)))
    vanishing = off.copy()
    vanishing[32:] = np.nan
    shaken = off + 0.003 * np.random.default_rng(3).normal(size=off.shape)
    turned = off.copy()
    turned[28:30], turned[30:32] = (0.004, 0.0, 0.0), (0.0, 0.004, 0.0)
    assert step_of(vanishing)[1] == step_of(shaken)[1] == step_of(turned)[1] == 0.0


def test_the_frequency_at_which_a_signal_ends() -> None:
    time = np.arange(0.0, 10.0, 0.01)
    wave = np.sin(2 * np.pi * 2.0 * time)[:, None]
    assert end_hz(wave, 2, 100.0) == pytest.approx(2.0, rel=0.01)
    assert end_hz(np.zeros((50, 1)), 2, 100.0) == np.inf


@pytest.mark.parametrize(("cutoff_hz", "found"), [(3.0, True), (6.0, False)])
def test_markers_smoothed_before_export_are_found(
    as_read: Session, cutoff_hz: float, found: bool
) -> None:
    recording = as_read.trial.recording
    smooth = zero_lag_butterworth(recording.markers_L, cutoff_hz, recording.rate_hz)
    result = altered(as_read, markers_L=smooth)
    assert ("marker-smoothed" in codes(result.findings)) is found


def test_a_slow_walk_is_not_a_smoothed_one(clean: Result, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same paths and strides at a twelfth of the pace: the motion ends at 2.5 Hz."""
    slow = replace(clean.recording, rate_hz=clean.recording.rate_hz / 12.0)
    strides = {side: find_cycles(clean, side) for side in clean.sides}
    monkeypatch.setattr(smoothed, "find_cycles", lambda _, side: strides[side])
    assert "marker-smoothed" not in codes(smoothing_rules(replace(clean, recording=slow), RULES))


@pytest.mark.parametrize(("cutoff_hz", "found"), [(5.0, True), (15.0, False)])
def test_forces_smoothed_before_export_are_found(
    as_read: Session, cutoff_hz: float, found: bool
) -> None:
    recording = as_read.trial.recording
    rate = recording.rate_hz * recording.samples_per_frame
    plates = tuple(
        replace(p, channels=zero_lag_butterworth(p.channels, cutoff_hz, rate))
        for p in recording.plates
    )
    result = altered(as_read, plates=plates)
    assert ("plate-smoothed" in codes(smoothing_rules(result, RULES))) is found


def test_a_plate_that_goes_dead_in_a_step_is_found(as_read: Session, clean: Result) -> None:
    recording, step = as_read.trial.recording, clean.contacts[0]
    channels = recording.plates[step.plate - 1].channels.copy()
    channels[(step.start + step.stop) // 2 * recording.samples_per_frame :] = 0.0
    plates = tuple(
        replace(p, channels=channels) if p.number == step.plate else p for p in recording.plates
    )
    dead = channel_rules(altered(as_read, plates=plates), RULES)
    assert "force-jumps" in codes(dead)
    assert "force-jumps" not in codes(channel_rules(clean, RULES))


def test_a_sensor_cut_off_behind_a_matrix_is_found(as_read: Session) -> None:
    """The vertical force of several sensors goes on changing while one of them is at its end."""
    recording = as_read.trial.recording
    per_second = round(recording.rate_hz * recording.samples_per_frame)

    def codes_with(flat_s: float, kind: int) -> set[str]:
        plates = tuple(
            replace(p, kind=kind, flat=round(flat_s * per_second)) for p in recording.plates
        )
        return codes(channel_rules(altered(as_read, plates=plates), RULES))

    assert "channel-cut-off" in codes_with(0.06, 3)
    assert "channel-cut-off" not in codes_with(0.03, 3)
    assert "channel-cut-off" not in codes_with(0.06, 2)


def test_samples_at_the_end_of_a_channels_range_are_counted() -> None:
    wave = np.sin(np.linspace(0.0, 20.0, 400))
    assert _flat(np.column_stack((wave, np.zeros(400)))) <= 2
    clipped: Array = np.clip(wave, -0.9, 0.9)
    assert _flat(np.column_stack((wave, clipped))) > 15
    assert _flat((clipped * (1.0 + 1e-12 * np.arange(400.0)))[:, None]) > 15  # rounded on the way
    assert _flat(5.0 + np.minimum(wave, 0.5)[:, None]) <= 2  # its other end is further off


@pytest.mark.parametrize(("late", "word"), [(0, ""), (8, "lag"), (-8, "lead")])
def test_plates_late_against_both_ends_of_each_step(
    clean: Result, late: int, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no run of steps is long enough to compare force and acceleration."""
    feet = {
        side: (np.roll(heel, -late, axis=0), np.roll(toe, -late, axis=0))
        for side, (heel, toe) in clean.feet.items()
    }
    monkeypatch.setattr("gaitdyn.quality.rules.timing.long_runs", lambda _: [])
    messages = [f.message for f in delayed_plates(replace(clean, feet=feet), RULES)]
    assert [message.split()[2] for message in messages] == ([word] if word else [])


def test_one_plate_that_is_late_under_its_foot_is_told(
    clean: Result, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no run of steps is long enough to compare the plates with each other."""
    alone = {c.plate for c in clean.contacts if c.side == "right"}
    heel, toe = (np.roll(point, -10, axis=0) for point in clean.feet["right"])
    other = replace(clean, feet=clean.feet | {"right": (heel, toe)})
    monkeypatch.setattr("gaitdyn.quality.rules.timing.long_runs", lambda _: [])
    told = [(f.code, f.scope) for f in delayed_plates(other, RULES)]
    assert told == [("plate-delayed", f"plate {plate}") for plate in sorted(alone)] != []


@pytest.mark.parametrize("word", ["lags", "leads"])
def test_a_plate_whose_steps_are_later_than_those_of_others_is_told(
    clean: Result, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """30 ms behind a foot say nothing alone, but where other plates are with their feet."""
    alone = sorted({f"plate {c.plate}" for c in clean.contacts if c.side == "right"})
    frames = {"lags": -6, "leads": 4}[word]  # at foot-off 25 ms are usual
    moved = {
        side: (np.roll(heel, frames, axis=0), np.roll(toe, frames, axis=0))
        for side, (heel, toe) in clean.feet.items()
    }
    monkeypatch.setattr("gaitdyn.quality.rules.timing.long_runs", lambda _: [])
    one = replace(clean, feet=clean.feet | {"right": moved["right"]})
    told = delayed_plates(one, RULES)
    assert [(f.code, f.scope) for f in told] == [("plate-delayed", plate) for plate in alone] != []
    assert all(f" {word} the foot by " in f.message for f in told)
    assert all(" ms more than those of other plates, " in f.message for f in told)
    assert delayed_plates(replace(clean, feet=moved), RULES) == []


@pytest.mark.parametrize(("rate_hz", "told"), [(50.0, []), (100.0, ["plate 2"])])
def test_one_frame_between_the_steps_of_two_plates_says_nothing(
    rate_hz: float, told: list[str]
) -> None:
    found = _one_behind_feet([("plate 1", 0.0), ("plate 2", 0.021)], rate_hz, RULES)
    assert [finding.scope for finding in found] == told


def test_a_foot_that_drags_is_late_at_one_end_only(clean: Result) -> None:
    assert step_lags(clean)
    heel, toe = (point.copy() for point in clean.feet["left"])
    for step in (c for c in clean.contacts if c.side == "left"):
        for point in (heel, toe):
            point[step.stop : step.stop + 8] = point[step.stop]
    dragging = replace(clean, feet=clean.feet | {"left": (heel, toe)})
    assert max(abs(lag) for _, lag in step_lags(dragging)) < 0.03


def test_feet_that_stand_longer_than_their_load_are_neither_late_nor_early(clean: Result) -> None:
    feet: dict[str, tuple[Array, Array]] = {}
    for side, points in clean.feet.items():
        heel, toe = (point.copy() for point in points)
        for step in (c for c in clean.contacts if c.side == side):
            for point in (heel, toe):
                point[step.start - 8 : step.start] = point[step.start]
                point[step.stop : step.stop + 8] = point[step.stop]
        feet[side] = (heel, toe)
    lags = [lag for _, lag in step_lags(replace(clean, feet=feet))]
    assert lags == [0.0] * len(lags) != []


def test_the_usual_lag_of_plates_behind_feet_is_no_delay(clean: Result) -> None:
    """Of 80 ms, 25 are the usual lag at foot-off."""
    feet = {
        side: (np.roll(heel, -8, axis=0), np.roll(toe, -8, axis=0))
        for side, (heel, toe) in clean.feet.items()
    }
    assert 0.035 < np.median([lag for _, lag in step_lags(replace(clean, feet=feet))]) < 0.06


def test_a_fault_of_a_plate_counts_for_the_foot_that_stands_there_without_a_step(
    clean: Result,
) -> None:
    step = clean.contacts[0]
    scope = f"plate {step.plate}"
    told = Finding("warning", "plate-refused", scope, "a message")
    unused = tuple(c for c in clean.contacts if c.plate != step.plate)
    refused = replace(clean, contacts=unused, judged=(*clean.findings, told))
    assert sides_without_plate(refused, told) == (step.side,)
    statuses = cycle_status(refused, cycle_curves(refused, run_curves(refused)))
    words = {(v.side, v.quantity): v.word for v in side_verdicts(refused, statuses)}
    assert words[step.side, "kinetics"] == "check"
    assert sides_without_plate(refused, replace(told, scope="plate 9")) == ()
