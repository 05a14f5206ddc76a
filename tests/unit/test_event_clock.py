"""Events whose times count from another frame than the format says, or are no pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.io.c3d.event_clock import on_their_frames
from gaitdyn.io.c3d.events import read_events
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.recording import read_recording
from gaitdyn.types.recording import Event
from tests.unit import c3d_bytes as build

if TYPE_CHECKING:
    from pathlib import Path

FIRST, FRAMES, RATE = 301, 100, 100.0
INSIDE = np.array([3.1, 3.4, 3.8])  # s from frame 1
POINTS = np.full((FRAMES, 2, 3), 100.0)
OUTSIDE = "all lie outside"


def fields(first: int) -> dict[tuple[str, str], Any]:
    """Return the frames of the trial as TRIAL states them, two words each."""
    ends = {"START": first, "END": first + FRAMES - 1}
    return {
        ("TRIAL", f"ACTUAL_{end}_FIELD"): (build.INTEGER, (2,), [n % 65536, n // 65536])
        for end, n in ends.items()
    }


def written(folder: Path, times: Any, *, first: int = FIRST, **options: Any) -> Path:
    """Write three events of the left side with these times, s, or as stored if 2 x 3."""
    stored = np.asarray(times)
    pairs = stored if stored.ndim > 1 else np.stack([0 * stored, stored])
    change = options.pop("change", {}) | {
        ("EVENT", "TIMES"): (build.FLOAT, options.pop("dims", pairs.shape), pairs),
        ("EVENT", "LABELS"): build.text("LHS", "LTO", "LHS"),
    }
    path = folder / "cut.c3d"
    path.write_bytes(build.c3d(POINTS, first=first, rate=RATE, change=change, **options))
    return path


def events(path: Path) -> tuple[list[float], tuple[str, ...]]:
    found, notes = read_events(*read_parameters(path))
    return [event.time_s for event in found], notes


def test_events_on_the_clock_of_the_format_are_left_alone(tmp_path: Path) -> None:
    times, notes = events(written(tmp_path, INSIDE, change=fields(7)))
    assert (times, notes) == (pytest.approx(INSIDE), ())


def test_events_of_a_part_that_was_cut_off_stay_outside(tmp_path: Path) -> None:
    before = INSIDE - (FIRST - 1) / RATE
    path = written(tmp_path, before, change=fields(FIRST))
    assert events(path) == (pytest.approx(before), ())


@pytest.mark.parametrize("field", [FIRST, 70_000])
def test_a_header_that_numbers_frames_anew_leaves_events_on_the_clock_of_the_trial(
    field: int, tmp_path: Path
) -> None:
    shift = (field - FIRST) / RATE
    path = written(tmp_path, INSIDE + shift, first=1, change=fields(field))
    times, (note,) = events(path)
    assert times == pytest.approx(INSIDE - (FIRST - 1) / RATE, abs=1e-4)
    assert f"TRIAL:ACTUAL_START_FIELD: as stored, {OUTSIDE}" in note


@pytest.mark.parametrize("shift_s", [50.0, -2.5])
def test_events_that_no_clock_puts_into_the_recording_stay_as_they_are(
    shift_s: float, tmp_path: Path
) -> None:
    times, notes = events(written(tmp_path, INSIDE + shift_s))
    assert (times, notes) == (pytest.approx(INSIDE + shift_s), ())


def test_one_event_inside_keeps_the_clock(tmp_path: Path) -> None:
    stored = [0.1, 0.4, 3.2]
    assert events(written(tmp_path, stored)) == (pytest.approx(stored), ())


def test_times_that_are_no_pairs_are_seconds(tmp_path: Path) -> None:
    for dims in ((3,), (1, 3)):
        times, _ = events(written(tmp_path, INSIDE[None], dims=dims))
        assert times == pytest.approx(INSIDE)


@pytest.mark.parametrize(("labels", "count"), [(("LHS", "RHS"), 1), (("LHS", "RTO") * 2, 2)])
def test_pairs_are_pairs_beside_labels_of_earlier_events(
    labels: tuple[str, ...], count: int, tmp_path: Path
) -> None:
    change = {
        ("EVENT", "TIMES"): (build.FLOAT, (2, count), np.stack([0 * INSIDE, INSIDE])[:, :count]),
        ("EVENT", "LABELS"): build.text(*labels),
    }
    path = tmp_path / "left.c3d"
    path.write_bytes(build.c3d(POINTS, first=FIRST, rate=RATE, change=change))
    assert events(path) == (pytest.approx(INSIDE[:count]), ())


@pytest.mark.parametrize(
    ("frame", "inside"), [(-0.6, False), (-0.4, True), (99.4, True), (99.6, False)]
)
def test_an_event_within_half_a_frame_of_the_recording_is_inside(
    frame: float, inside: bool, tmp_path: Path
) -> None:
    """By the fields of the trial all three would be inside; one that is inside as stored decides.

    The recording has the frames 0 to 99.
    """
    away = 1 if frame > 50 else -1
    times = np.sort((FIRST - 1 + frame + away * np.array([0.0, 20.0, 40.0])) / RATE)
    path = written(tmp_path, times, change=fields(FIRST + 50 * away))
    shift_s = 0.0 if inside else -0.5 * away
    found, notes = events(path)
    assert found == pytest.approx(times + shift_s, abs=1e-5)
    assert [OUTSIDE in note for note in notes] == ([] if inside else [True])


def test_two_events_do_not_show_another_clock(tmp_path: Path) -> None:
    """The same two events would lie inside by the fields of the trial."""
    change = {
        **fields(FIRST + 200),
        ("EVENT", "TIMES"): (build.FLOAT, (2, 2), np.stack([[0.0, 0.0], INSIDE[:2] + 2.0])),
        ("EVENT", "LABELS"): build.text("LHS", "LTO"),
    }
    path = tmp_path / "two.c3d"
    path.write_bytes(build.c3d(POINTS, first=FIRST, rate=RATE, change=change))
    assert events(path) == (pytest.approx(INSIDE[:2] + 2.0), ())


def test_labels_without_times_are_no_events(tmp_path: Path) -> None:
    change = {("EVENT", "LABELS"): build.text("LHS", "LTO")}
    path = tmp_path / "labels.c3d"
    path.write_bytes(build.c3d(POINTS, first=FIRST, rate=RATE, change=change))
    assert events(path) == ([], ())


def test_events_that_are_counted_and_not_there_are_told(tmp_path: Path) -> None:
    change = {("EVENT", "USED"): (build.INTEGER, (), 5)}
    told = ("EVENT:USED is 5, and the group holds 3 events",)
    assert events(written(tmp_path, INSIDE, change=change)) == (pytest.approx(INSIDE), told)


def test_foot_events_without_a_side_are_counted(tmp_path: Path) -> None:
    names = build.text("Foot Strike", "General", "RTO", width=12)
    change = {
        ("EVENT", "TIMES"): (build.FLOAT, (2, 3), np.stack([0 * INSIDE, INSIDE])),
        ("EVENT", "LABELS"): names,
    }
    path = tmp_path / "sideless.c3d"
    path.write_bytes(build.c3d(POINTS, first=FIRST, change=change))
    times, notes = events(path)
    assert (times, notes) == (pytest.approx([3.8]), ("1 foot event without a side: not used",))


def test_the_first_frame_of_a_file_that_counts_from_0_is_frame_1(tmp_path: Path) -> None:
    path = written(tmp_path, INSIDE - 3.0, first=0)
    recording = read_recording(path)
    assert (recording.first_frame, recording.start_s) == (1, 0.0)


@pytest.mark.parametrize("second", [4.58, 61.78, 701.61])
def test_rounding_of_stored_times_moves_no_event_behind_its_frame(second: float) -> None:
    stored = float(np.float32(second))
    (event,) = on_their_frames((Event(stored, "left", "foot_strike"),), RATE)
    assert round(event.time_s * RATE, 3) == round(second * RATE)
    between = Event(second + 0.001, "left", "foot_strike")
    assert on_their_frames((between,), RATE) == (between,)
