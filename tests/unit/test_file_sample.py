"""A sample of a C3D file shows what the whole file shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.io.c3d.file_sample import file_sample
from gaitdyn.io.c3d.reader import read_c3d
from tests.unit import c3d_bytes as build

if TYPE_CHECKING:
    from pathlib import Path

POINTS = 800.0 + 300.0 * np.random.default_rng(1).normal(size=(24, 4, 3))


def held_against_the_whole(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    whole, sample = read_c3d(path), file_sample(path, None).sample
    assert len(sample.labels) == whole.points.shape[1]
    np.testing.assert_allclose(sample.markers_L, 1e-3 * whole.points, rtol=1e-6)


@pytest.mark.parametrize("stated", [2, 9])
def test_points_that_only_the_header_counts_right_are_all_sampled(
    stated: int, tmp_path: Path
) -> None:
    change = {("POINT", "USED"): (build.INTEGER, (), stated)}
    held_against_the_whole(tmp_path / "count.c3d", build.c3d(POINTS, change=change))


def test_the_scale_of_a_sample_is_that_of_the_whole(tmp_path: Path) -> None:
    content = build.c3d(POINTS, scale=0.1, words={"scale": 0.05})
    held_against_the_whole(tmp_path / "scale.c3d", content)


@pytest.mark.parametrize("processor", ["intel", "dec", "sgi"])
@pytest.mark.parametrize("scale", [-0.1, 0.1])
def test_points_that_no_residual_calls_visible_are_sampled_as_read(
    processor: str, scale: float, tmp_path: Path
) -> None:
    content = bytearray(build.c3d(POINTS, scale=scale, processor=processor))
    size = 4 if scale < 0 else 2
    pack = build.packed_floats if scale < 0 else build.packed_integers
    first, values = 512 * (content[16 + (processor == "sgi")] - 1), 4 * 4 + 3 * 2
    for row in range(len(POINTS)):
        for point in range(4):
            at = first + size * (row * values + 4 * point + 3)
            content[at : at + size] = pack([-1.0], processor)
    held_against_the_whole(tmp_path / "unmarked.c3d", bytes(content))
