from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.rotations import read_rotations
from tests.unit import c3d_bytes as build

POSES = np.random.default_rng(1).normal(size=(5, 2, 17)).astype(np.float32)


def written(write: Any, poses: np.ndarray, **numbers: int) -> Path:
    """Return a file of five frames with poses behind its points."""
    plain = build.c3d()
    change = {
        ("ROTATION", "USED"): (build.INTEGER, (), poses.shape[1]),
        ("ROTATION", "LABELS"): build.text("pelvis", "l_thigh"),
        **{("ROTATION", name): (build.INTEGER, (), value) for name, value in numbers.items()},
    }
    content = build.c3d(change=change)
    assert len(content) % 512 == len(plain) % 512 == 0
    return write(content + poses.astype("<f4").tobytes())


@pytest.mark.parametrize("told", [True, False])
def test_poses_are_read_column_by_column(write: Any, told: bool) -> None:
    blocks = len(written(write, POSES).read_bytes()) - POSES.nbytes
    numbers = {"DATA_START": blocks // 512 + 1} if told else {}
    found = read_rotations(written(write, POSES, **numbers))
    assert found is not None
    assert found.labels == ("pelvis", "l_thigh")
    assert found.rate_hz == 100.0
    for column in range(4):
        np.testing.assert_array_equal(
            found.matrices[..., column], POSES[..., 4 * column : 4 * column + 4]
        )
    np.testing.assert_array_equal(found.reliability, POSES[..., 16])


def test_two_poses_a_frame_follow_each_other(write: Any) -> None:
    poses = np.concatenate((POSES, POSES + 1))
    found = read_rotations(written(write, poses, RATIO=2))
    assert found is not None
    assert found.rate_hz == 200.0
    np.testing.assert_array_equal(found.reliability, poses[..., 16])


@pytest.mark.parametrize("rate", [np.nan, np.inf, -np.inf])
def test_a_rate_that_is_no_number_is_none(write: Any, rate: float) -> None:
    change = {
        ("ROTATION", "USED"): (build.INTEGER, (), 2),
        ("ROTATION", "RATE"): (build.FLOAT, (), rate),
    }
    found = read_rotations(write(build.c3d(change=change) + POSES.tobytes()))
    assert found is not None
    assert found.rate_hz == 100.0


def test_a_file_without_poses_has_none(write: Any) -> None:
    assert read_rotations(write(build.c3d())) is None


def test_poses_that_are_cut_off_are_refused(write: Any) -> None:
    path = written(write, POSES)
    path.write_bytes(path.read_bytes()[:-70])
    with pytest.raises(FileRefused, match="poses of 4 frames"):
        read_rotations(path)
