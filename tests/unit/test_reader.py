import dataclasses
import hashlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io import reader
from gaitdyn.io.reader import read_c3d
from tests.unit import c3d_bytes as build

POINTS = np.arange(30.0).reshape(5, 2, 3) + 100.0
ODD: dict[str, Any] = {"words": {"rate": 50.0}}

Write = Callable[..., Path]


def refusal(path: Path, **options: Any) -> str:
    with pytest.raises(FileRefused) as caught:
        read_c3d(path, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("processor", ["intel", "dec"])
def test_points_and_analog_samples_come_back_as_they_were_stored(
    write: Write, processor: str
) -> None:
    analog = np.arange(30.0).reshape(10, 3)
    content = build.c3d(POINTS, analog, processor=processor)
    raw = read_c3d(write(content))
    np.testing.assert_array_equal(raw.points, POINTS)
    np.testing.assert_array_equal(raw.analog, analog)
    np.testing.assert_array_equal(raw.residuals, np.zeros((5, 2)))
    assert raw.sha256 == hashlib.sha256(content).hexdigest()
    assert (raw.name, raw.rate_hz, raw.notes) == ("trial.c3d", 100.0, ())


def test_integer_points_are_scaled(write: Write) -> None:
    raw = read_c3d(write(build.c3d(POINTS, scale=0.5)))
    np.testing.assert_allclose(raw.points, POINTS, atol=0.5)


def test_the_arrays_cannot_be_changed(write: Write) -> None:
    raw = read_c3d(write(build.c3d()))
    for array in (raw.points, raw.residuals, raw.analog):
        assert not array.flags.writeable
        assert array.flags.c_contiguous
    with pytest.raises(dataclasses.FrozenInstanceError):
        raw.name = "other"  # pyright: ignore[reportAttributeAccessIssue]


def test_a_negative_residual_and_an_exact_zero_are_gaps(write: Write) -> None:
    points = POINTS.copy()
    points[1, 0] = np.nan
    points[2, 1] = 0.0
    raw = read_c3d(write(build.c3d(points)))
    gaps = np.isnan(raw.points).all(axis=-1)
    assert np.argwhere(gaps).tolist() == [[1, 0], [2, 1]]
    assert raw.residuals[1, 0] < 0 <= raw.residuals[2, 1]


def test_a_signed_offset_keeps_its_sign(write: Write) -> None:
    change = {("ANALOG", "OFFSET"): (build.INTEGER, (3,), [-5, 5, 0])}
    raw = read_c3d(write(build.c3d(analog=np.ones((10, 3)), change=change)))
    np.testing.assert_allclose(raw.analog, np.tile([6.0, -4.0, 1.0], (10, 1)))
    assert len(raw.notes) == 1


def test_unsigned_integer_samples_are_read_without_sign(write: Write) -> None:
    stored = np.tile([40000.0, 32768.0, 5.0], (10, 1))
    change = {
        ("ANALOG", "OFFSET"): (build.INTEGER, (3,), [32768] * 3),
        ("ANALOG", "FORMAT"): build.text("UNSIGNED"),
    }
    raw = read_c3d(write(build.c3d(POINTS, stored, scale=0.5, change=change)))
    np.testing.assert_allclose(raw.analog, stored - 32768)


@pytest.mark.parametrize(
    ("points", "options", "found"),
    [
        (np.zeros((5, 0, 3)), {}, "no points"),
        (np.full((5, 2, 3), np.nan), {}, "no visible point"),
        (np.zeros((5, 2, 3)), {}, "no visible point"),
        (np.full((5, 2, 3), 1e9), {}, "coordinates beyond"),
        (np.full((5, 2, 3), np.inf), {}, "coordinates beyond"),
        (POINTS, {"rate": 0.0}, "a rate of 0"),
        (np.zeros((0, 2, 3)), {}, "0 frames"),
    ],
)
def test_data_that_cannot_be_a_trial_are_refused(
    write: Write, points: np.ndarray, options: dict[str, Any], found: str
) -> None:
    assert found in refusal(write(build.c3d(points, **options)))


def test_a_lone_infinite_position_is_a_gap_with_a_note(write: Write) -> None:
    points = POINTS.copy()
    points[0, 0, 1] = np.inf
    raw = read_c3d(write(build.c3d(points)))
    assert np.isnan(raw.points[0, 0]).all()
    assert "1 positions are not finite" in raw.notes[0]


def test_a_file_that_is_cut_off_says_how_many_frames_are_there(write: Write) -> None:
    points = np.full((200, 2, 3), 7.0)
    content = build.c3d(points)
    message = refusal(write(content[: len(content) // 2]))
    assert "frames; wanted all 200" in message


def test_more_than_65535_frames_are_read_without_the_filling_behind_them(write: Write) -> None:
    points = np.full((70000, 1, 3), 5.0)
    change = {
        ("POINT", "FRAMES"): (build.INTEGER, (), 65535),
        ("TRIAL", "ACTUAL_START_FIELD"): (build.INTEGER, (2,), [1, 0]),
        ("TRIAL", "ACTUAL_END_FIELD"): (build.INTEGER, (2,), [70000 - 65536, 1]),
    }
    raw = read_c3d(write(build.c3d(points, np.ones((70000, 1)), samples=1, change=change)))
    assert raw.points.shape == (70000, 1, 3)
    assert raw.analog.shape == (70000, 1)


def test_a_frame_count_that_ran_over_is_refused(write: Write) -> None:
    points = np.full((70000, 1, 3), 5.0)
    content = build.c3d(points, np.ones((70000, 1)), samples=1, words={"last": 70000 - 65536})
    assert "the 4464 that it promises" in refusal(write(content))


def test_a_name_in_any_script_can_be_read(write: Write) -> None:
    assert read_c3d(write(build.c3d(POINTS), "шаг 步态.c3d")).name == "шаг 步态.c3d"


def test_a_directory_is_refused_at_once(tmp_path: Path) -> None:
    assert "a folder" in refusal(tmp_path)


def test_an_odd_file_is_read_in_a_process_of_its_own(write: Write) -> None:
    raw = read_c3d(write(build.c3d(POINTS, **ODD), "шаг.c3d"))
    np.testing.assert_array_equal(raw.points, POINTS)
    assert raw.points.flags.c_contiguous
    assert raw.notes[-1] == "read in a process of its own"


def test_a_reader_that_does_not_end_is_refused(write: Write) -> None:
    assert "no end after" in refusal(write(build.c3d(**ODD)), timeout_s=1e-3)


@pytest.mark.skipif(os.name != "posix", reason="signals end a process only on POSIX")
def test_a_reader_that_crashes_is_refused(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    crash = f"import os; os.kill(os.getpid(), {int(signal.SIGSEGV)})"
    real = subprocess.run
    monkeypatch.setattr(
        reader.subprocess,
        "run",
        lambda _, **options: real([sys.executable, "-c", crash], **options),
    )
    assert "it crashed with code -11" in refusal(write(build.c3d(**ODD)))


def test_an_error_of_the_reader_in_its_own_process_is_refused(write: Write) -> None:
    change = {("ROTATION", "USED"): (build.INTEGER, (), 1)}
    assert "DATA_START" in refusal(write(build.c3d(change=change)))


def test_an_error_of_the_reader_here_is_refused(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_path: Path) -> Any:
        raise RuntimeError("two\nlines")

    monkeypatch.setattr(reader, "load_arrays", fail)
    assert "two lines" in refusal(write(build.c3d()))
