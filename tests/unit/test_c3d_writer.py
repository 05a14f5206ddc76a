"""The walker's C3D writer, read by three programs that share no code with it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.c3d.rotations import read_rotations
from gaitdyn.synthetic.c3d_file import C3dContent, StoredPoses, section_bytes, write_c3d

if TYPE_CHECKING:
    from pathlib import Path

FRAMES, RATIO = 7, 3


def content(n_points: int = 300, n_channels: int = 260) -> C3dContent:
    """Return random numbers with two gaps, more lists than one parameter holds, and parameters."""
    random = np.random.default_rng(1)
    points = random.normal(0.0, 500.0, (FRAMES, n_points, 3))
    points[2:4, 1] = np.nan
    return C3dContent(
        rate_hz=100,
        first_frame=12,
        units="mm",
        labels=tuple(f"M{i}" for i in range(n_points)),
        points=points,
        analog_labels=tuple(f"C{i}" for i in range(n_channels)),
        analog_units=("V",) * n_channels,
        analog=random.normal(size=(FRAMES * RATIO, n_channels)),
        parameters=(
            ("ANALOG", "GEN_SCALE", 2.0),
            ("FORCE_PLATFORM", "CORNERS", np.arange(24.0).reshape(3, 4, 2, order="F")),
            ("TRIAL", "ACTUAL_END_FIELD", [40000, 1]),
            ("TRIAL", "OFFSETS", [-3, 5]),
            ("SUBJECTS", "NAMES", "Łukasz"),
            ("EVENT", "LABELS", ["Foot Strike", "Foot Off"]),
            ("EVENT", "NONE", np.zeros(0)),
        ),
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_c3d(tmp_path / "a.c3d", content())
    return tmp_path / "a.c3d"


def test_our_reader_gives_back_what_was_written(path: Path) -> None:
    wanted, found = content(), read_c3d(path)
    gap = np.isnan(wanted.points).any(axis=-1)
    np.testing.assert_array_equal(found.residuals < 0, gap)
    np.testing.assert_allclose(found.points[~gap], wanted.points[~gap], rtol=1e-7)
    np.testing.assert_allclose(found.analog, 2.0 * wanted.analog, rtol=1e-7)
    get = found.parameters.get
    assert (found.rate_hz, found.header.first_frame) == (100.0, 12)
    assert get("POINT", "LABELS2") == [f"M{i}" for i in range(255, 300)]
    assert get("ANALOG", "UNITS2") == ["V"] * 5
    np.testing.assert_array_equal(
        get("FORCE_PLATFORM", "CORNERS"), np.arange(24.0).reshape(3, 4, 2, order="F")
    )
    last = found.parameters.record("TRIAL", "ACTUAL_END_FIELD")
    assert last is not None
    assert last.data == b"\x40\x9c\x01\x00"
    assert list(get("TRIAL", "OFFSETS")) == [-3, 5]
    assert get("SUBJECTS", "NAMES") == ["Łukasz"]
    assert get("EVENT", "LABELS") == ["Foot Strike", "Foot Off"]


def test_ezc3d_reads_the_same(path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    wanted, found = content(), ezc3d.c3d(str(path))
    np.testing.assert_allclose(
        found["data"]["points"][:3].transpose(2, 1, 0), wanted.points, rtol=1e-7
    )
    np.testing.assert_allclose(found["data"]["analogs"][0].T, 2.0 * wanted.analog, rtol=1e-7)
    header = found["header"]["points"]
    assert (header["first_frame"], header["last_frame"]) == (11, 17)
    assert found["parameters"]["EVENT"]["LABELS"]["value"] == ["Foot Strike", "Foot Off"]
    np.testing.assert_array_equal(
        found["parameters"]["FORCE_PLATFORM"]["CORNERS"]["value"],
        np.arange(24.0).reshape(3, 4, 2, order="F"),
    )


def test_the_package_c3d_reads_the_same(tmp_path: Path) -> None:
    c3d = pytest.importorskip("c3d")
    wanted = content(20, 6)
    write_c3d(tmp_path / "b.c3d", replace(wanted, parameters=()))
    with (tmp_path / "b.c3d").open("rb") as stream:
        reader = c3d.Reader(stream)
        frames = list(reader.read_frames())
    assert [number for number, _, _ in frames] == list(range(12, 12 + FRAMES))
    points = np.stack([found for _, found, _ in frames])
    gap = points[..., 3] < 0
    np.testing.assert_array_equal(gap, np.isnan(wanted.points).any(axis=-1))
    np.testing.assert_allclose(points[~gap][:, :3], wanted.points[~gap], rtol=1e-6)
    analog = np.concatenate([found.T for _, _, found in frames])
    np.testing.assert_allclose(analog, wanted.analog, rtol=1e-6)


def test_poses_lie_behind_the_data_at_their_own_rate(tmp_path: Path) -> None:
    matrices = np.random.default_rng(2).normal(size=(FRAMES * 2, 3, 4, 4))
    matrices[..., 3, :] = (0.0, 0.0, 0.0, 1.0)
    matrices[4, 1] = np.nan
    poses = StoredPoses(("a_4X4", "b_4X4", "c_4X4"), matrices, ratio=2)
    write_c3d(tmp_path / "poses.c3d", replace(content(2, 1), rotations=poses))
    found = read_rotations(tmp_path / "poses.c3d")
    assert found is not None
    np.testing.assert_allclose(found.matrices, matrices, rtol=1e-6)
    assert np.flatnonzero(found.reliability < 0).tolist() == [4 * 3 + 1]


def test_a_recording_longer_than_its_count_of_16_bits(tmp_path: Path) -> None:
    frames = 70_000
    long = replace(content(2, 1), points=np.ones((frames, 2, 3)), analog=np.zeros((frames, 1)))
    write_c3d(tmp_path / "long.c3d", replace(long, parameters=(), first_frame=1))
    assert len(read_c3d(tmp_path / "long.c3d").points) == frames


def test_what_the_format_cannot_hold_is_refused() -> None:
    with pytest.raises(ValueError, match=r"whole numbers 70000 to 70000, wanted 16 bits"):
        section_bytes({"POINT": {"USED": 70_000}})
    with pytest.raises(ValueError, match=r"parameters of \d+ blocks, 255 at most"):
        section_bytes({"POINT": {f"P{i}": np.zeros((100, 100)) for i in range(4)}})
