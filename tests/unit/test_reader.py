import dataclasses
import hashlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.errors import ExtraMissing, FileRefused
from gaitdyn.io.c3d import data as _data
from gaitdyn.io.c3d import memory as _memory
from gaitdyn.io.c3d import reader
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.recording import read_recording
from tests.unit import c3d_bytes as build

POINTS = np.arange(30.0).reshape(5, 2, 3) + 100.0

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


def test_a_scale_that_the_header_copies_wrongly_is_that_of_the_parameters(write: Write) -> None:
    raw = read_c3d(write(build.c3d(POINTS, scale=0.5, words={"scale": 0.25})))
    np.testing.assert_array_equal(raw.points, read_c3d(write(build.c3d(POINTS, scale=0.5))).points)
    assert "scale: 0.5 in the parameters, 0.25 in the header" in raw.notes


def test_the_arrays_cannot_be_changed(write: Write) -> None:
    raw = read_c3d(write(build.c3d()))
    for array in (raw.points, raw.residuals, raw.analog):
        assert not array.flags.writeable
        assert array.flags.c_contiguous
    with pytest.raises(dataclasses.FrozenInstanceError):
        raw.name = "other"  # pyrefly: ignore[read-only]


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
        (POINTS, {"rate": 1e-30}, "a rate of 1e-30"),
        (POINTS, {"change": {("ANALOG", "USED"): (build.FLOAT, (), np.inf)}}, "ANALOG:USED inf"),
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
    assert "1 position not finite, left empty" in raw.notes[0]


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


@pytest.mark.parametrize("count", [70000 - 65536, 65535])
def test_a_frame_count_that_ran_over_is_taken_from_the_size_of_the_file(
    write: Write, count: int
) -> None:
    points = np.full((70000, 32, 3), 5.0)
    change = {("POINT", "FRAMES"): (build.INTEGER, (), count)}
    content = build.c3d(points, words={"last": count}, change=change)
    assert len(read_c3d(write(content)).points) == 70000


@pytest.mark.parametrize("count", [65531, 150, 250])
def test_a_frame_count_that_only_the_header_has_right_is_that_of_the_header(
    write: Write, count: int
) -> None:
    change = {("POINT", "FRAMES"): (build.INTEGER, (), count)}
    raw = read_c3d(write(build.c3d(np.full((200, 2, 3), 7.0), change=change)))
    assert len(raw.points) == 200
    assert f"frames: {count} in the parameters, 200 in the header" in raw.notes


def test_a_name_in_any_script_can_be_read(write: Write) -> None:
    assert read_c3d(write(build.c3d(POINTS), "шаг 步态.c3d")).name == "шаг 步态.c3d"


def test_a_directory_is_refused_at_once(tmp_path: Path) -> None:
    assert "a folder" in refusal(tmp_path)


def test_an_odd_file_is_read_and_says_what_is_odd(write: Write) -> None:
    raw = read_c3d(write(build.c3d(POINTS, words={"rate": 50.0}), "шаг.c3d"))
    np.testing.assert_array_equal(raw.points, POINTS)
    assert raw.points.flags.c_contiguous
    assert raw.notes == ("rate: 100 in the parameters, 50 in the header",)


@pytest.mark.parametrize("processor", ["intel", "dec", "sgi"])
@pytest.mark.parametrize("scale", [-1.0, 0.5])
def test_every_processor_and_both_kinds_of_numbers_come_back(
    write: Write, processor: str, scale: float
) -> None:
    analog = np.arange(30.0).reshape(10, 3)
    raw = read_c3d(write(build.c3d(POINTS, analog, processor=processor, scale=scale)))
    np.testing.assert_array_equal(raw.points, POINTS)
    np.testing.assert_array_equal(raw.analog, analog)


def test_offsets_may_be_floats(write: Write) -> None:
    change = {("ANALOG", "OFFSET"): (build.FLOAT, (3,), [0.5, -1.25, 0.0])}
    raw = read_c3d(write(build.c3d(analog=np.ones((10, 3)), change=change)))
    np.testing.assert_array_equal(raw.analog, np.tile([0.5, 2.25, 1.0], (10, 1)))


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        (("POINT", "FRAMES"), (build.FLOAT, (), 5.0)),
        (("POINT", "USED"), (build.FLOAT, (), 2.0)),
        (("ANALOG", "USED"), (build.FLOAT, (), 3.0)),
        (("POINT", "RATE"), (build.INTEGER, (), 100)),
        (("ANALOG", "RATE"), (build.INTEGER, (), 200)),
        (("ANALOG", "SCALE"), (build.INTEGER, (3,), [1, 1, 1])),
        (("ANALOG", "GEN_SCALE"), (build.INTEGER, (), 1)),
    ],
)
def test_numbers_may_be_stored_as_the_other_kind(
    write: Write, key: tuple[str, str], entry: Any
) -> None:
    plain, other = (read_c3d(write(build.c3d(change=c))) for c in ({}, {key: entry}))
    np.testing.assert_array_equal(other.points, plain.points)
    np.testing.assert_array_equal(other.analog, plain.analog)
    assert other.rate_hz == plain.rate_hz


def test_channels_without_offset_or_scale_are_no_reason_to_refuse_the_markers(write: Write) -> None:
    raw = read_c3d(write(build.c3d(change={("ANALOG", "OFFSET"): None})))
    np.testing.assert_array_equal(raw.analog, np.ones((10, 3)))
    assert "ANALOG:OFFSET is taken as 0 for 3 channels" in raw.notes[0]
    raw = read_c3d(write(build.c3d(change={("ANALOG", "SCALE"): (build.FLOAT, (2,), [1, 1])})))
    np.testing.assert_array_equal(np.isnan(raw.analog), [[False, False, True]] * 10)


def test_a_general_scale_that_makes_all_samples_0_is_told(write: Write) -> None:
    raw = read_c3d(write(build.c3d(change={("ANALOG", "GEN_SCALE"): (build.FLOAT, (), 0.0)})))
    assert not raw.analog.any()
    assert "ANALOG:GEN_SCALE is 0, so that every analog sample is 0" in raw.notes


def test_offsets_of_half_a_range_are_unsigned_though_the_format_is_not_said(write: Write) -> None:
    stored = np.array([[20000, 40000, 32768]] * 10)
    change = {("ANALOG", "OFFSET"): (build.INTEGER, (3,), [32768] * 3)}
    raw = read_c3d(write(build.c3d(analog=stored, scale=0.1, change=change)))
    np.testing.assert_array_equal(raw.analog, [[-12768.0, 7232.0, 0.0]] * 10)


@pytest.mark.parametrize("kind", [build.INTEGER, build.FLOAT])
def test_a_channel_without_an_offset_does_not_make_the_others_signed(
    write: Write, kind: int
) -> None:
    stored = np.array([[20000, 40000, 5]] * 10)
    change = {("ANALOG", "OFFSET"): (kind, (3,), [32768, 32768, 0])}
    raw = read_c3d(write(build.c3d(analog=stored, scale=0.1, change=change)))
    np.testing.assert_array_equal(raw.analog, [[-12768.0, 7232.0, 5.0]] * 10)


def test_the_format_of_the_samples_is_read_in_any_case_of_letters(write: Write) -> None:
    stored = np.array([[40000, 1, 2]] * 10)
    change = {("ANALOG", "FORMAT"): build.text("unsigned")}
    raw = read_c3d(write(build.c3d(analog=stored, scale=0.1, change=change)))
    np.testing.assert_array_equal(raw.analog, stored)


@pytest.mark.parametrize("rates", [(150.001, 3000.0), (100.0, 1999.99)])
def test_rates_that_are_rounded_have_a_whole_ratio(
    write: Write, rates: tuple[float, float]
) -> None:
    points, analog = np.arange(600.0).reshape(100, 2, 3) + 100.0, np.arange(6000.0).reshape(-1, 3)
    change = {
        ("POINT", "RATE"): (build.FLOAT, (), rates[0]),
        ("ANALOG", "RATE"): (build.FLOAT, (), rates[1]),
    }
    behind = bytes(5 * 512)  # with more than filling behind the data their size decides nothing
    raw = read_c3d(write(build.c3d(points, analog, samples=20, change=change) + behind))
    np.testing.assert_array_equal(raw.points, points)
    np.testing.assert_array_equal(raw.analog, analog)


def test_residuals_that_deny_every_point_are_not_believed(write: Write) -> None:
    data = build.frame_values(POINTS, np.ones((2 * len(POINTS), 3)), -0.1, 2)
    told = data.copy()
    told[:, 3 : 4 * POINTS.shape[1] : 4] = -1.0
    old, new = (values.astype("<f4").tobytes() for values in (data, told))
    content = build.c3d(POINTS).replace(old, new)
    raw = read_c3d(write(content))
    np.testing.assert_allclose(raw.points, POINTS, rtol=1e-6)
    assert any("no point was ever seen" in note for note in raw.notes)


def test_only_the_channels_that_are_asked_for_are_kept(write: Write) -> None:
    analog = np.arange(40.0).reshape(10, 4)
    raw = read_c3d(write(build.c3d(POINTS, analog)), lambda _params: [3, 1, 99, -1])
    assert raw.samples.kept == (1, 3)
    np.testing.assert_array_equal(raw.samples.of([3, 1]), analog[:, [3, 1]])
    assert raw.sha256 == read_c3d(write(build.c3d(POINTS, analog))).sha256


@pytest.mark.parametrize("block_bytes", [1, 100, 1 << 20])
def test_the_size_of_the_blocks_changes_nothing(
    write: Write, monkeypatch: pytest.MonkeyPatch, block_bytes: int
) -> None:
    rng = np.random.default_rng(0)
    points, analog = rng.normal(size=(57, 3, 3)), rng.normal(size=(114, 2))
    content = build.c3d(points, analog, samples=2)
    whole = read_c3d(write(content))
    monkeypatch.setattr(_data, "_BLOCK_BYTES", block_bytes)
    raw = read_c3d(write(content))
    np.testing.assert_array_equal(raw.points, whole.points)
    np.testing.assert_array_equal(raw.analog, whole.analog)
    assert raw.sha256 == whole.sha256 == hashlib.sha256(content).hexdigest()


def test_the_residual_stands_in_the_upper_byte_of_the_fourth_number() -> None:
    fourth = np.array([[0.0, 5 * 256 + 3, -1.0, np.nan, 1e9]], "<f4")
    found = _data._residuals(fourth, "intel", -0.5)  # noqa: SLF001
    np.testing.assert_array_equal(found, [[0.0, 2.5, -1.0, -1.0, -1.0]])


@pytest.mark.parametrize(
    ("name", "wrong"), [(("ANALOG", "USED"), 0), (("POINT", "USED"), 0), (("POINT", "USED"), 1)]
)
def test_a_count_that_the_parameters_state_wrongly_is_decided_by_header_and_size(
    write: Write, name: tuple[str, str], wrong: int
) -> None:
    points, analog = np.arange(600.0).reshape(100, 2, 3) + 100.0, np.arange(600.0).reshape(200, 3)
    content = build.c3d(points, analog, samples=2, change={name: (build.INTEGER, (), wrong)})
    raw = read_c3d(write(content))
    np.testing.assert_array_equal(raw.points, points)
    np.testing.assert_array_equal(raw.analog, analog)
    assert "that of the header, which is taken" in raw.notes[0]


def test_a_count_that_only_the_header_states_wrongly_is_that_of_the_parameters(
    write: Write,
) -> None:
    points, analog = np.arange(600.0).reshape(100, 2, 3) + 100.0, np.arange(600.0).reshape(200, 3)
    raw = read_c3d(write(build.c3d(points, analog, samples=2, words={"analog": 12})))
    np.testing.assert_array_equal(raw.analog, analog)


def test_what_does_not_fit_is_refused_with_its_size(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(build.c3d(POINTS))
    monkeypatch.setattr(_memory, "free_bytes", lambda: 100.0)
    assert "5 frames of 2 points, which take about 0.0 GiB" in refusal(path)
    monkeypatch.undo()

    def full(*_all: object) -> None:
        raise MemoryError

    monkeypatch.setattr(reader, "read_data", full)
    assert "wanted less memory" in refusal(path)


@pytest.mark.parametrize("processor", ["intel", "dec", "sgi"])
def test_floats_that_a_positive_scale_calls_integers_are_refused(
    write: Write, processor: str
) -> None:
    points = np.arange(600.0).reshape(100, 2, 3) + 100.0
    wrong = {("POINT", "SCALE"): (build.FLOAT, (), 0.1)}
    content = build.c3d(points, processor=processor, change=wrong, words={"scale": 0.1})
    message = refusal(write(content))
    assert "POINT:SCALE 0.1, which says integers, and data of the size of floats" in message
    assert "wanted a scale below 0 for floats" in message


def test_the_second_reader_agrees(write: Write) -> None:
    pytest.importorskip("ezc3d")
    name = "walk.c3d" if sys.platform == "win32" else "шаг.c3d"  # ezc3d opens no such name there
    path = write(build.c3d(POINTS, np.arange(30.0).reshape(10, 3)), name)
    own, other = read_c3d(path), read_c3d(path, reader="ezc3d")
    for name in ("points", "residuals", "analog"):
        np.testing.assert_array_equal(getattr(own, name), getattr(other, name))


def test_without_the_second_reader_only_that_option_fails(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ezc3d", None)
    path = write(build.c3d(POINTS))
    assert len(read_c3d(path).points) == len(POINTS)
    with pytest.raises(ExtraMissing, match=r"--reader ezc3d needs ezc3d, .* pip install ezc3d"):
        read_c3d(path, reader="ezc3d")


def test_the_second_reader_refuses_what_it_would_read_wrongly(write: Write) -> None:
    pytest.importorskip("ezc3d")
    change = {("ANALOG", "OFFSET"): (build.INTEGER, (3,), [-5, 5, 0])}
    path = write(build.c3d(analog=np.ones((10, 3)), change=change))
    assert "whose sign ezc3d does not take" in refusal(path, reader="ezc3d")
    assert "MIPS" in refusal(write(build.c3d(POINTS, processor="sgi")), reader="ezc3d")


@pytest.mark.parametrize(
    ("stated", "rate_hz"),
    [({"CAMERA_RATE": 200.0, "VIDEO_RATE_DIVIDER": 2.0}, 100.0), ({"CAMERA_RATE": 200.0}, 200.0),
     ({}, 0.0)],
)  # fmt: skip
def test_the_rate_of_the_cameras_is_divided_as_the_file_says(
    stated: dict[str, float], rate_hz: float, tmp_path: Path
) -> None:
    change = {("TRIAL", name): (build.FLOAT, (), value) for name, value in stated.items()}
    path = tmp_path / "walk.c3d"
    path.write_bytes(build.c3d(change=change))
    assert read_recording(path).camera_rate_hz == rate_hz
