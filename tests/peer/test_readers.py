"""Our reader against ezc3d, bit for bit, on every recording that both can open.

Three differences are meant: ezc3d subtracts the absolute value of an analog offset, does not tell a
point at the origin from a gap, and has no point left where all residuals say that none was seen.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.c3d.checks import is_unsigned, joined
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.io.c3d.rotations import read_rotations
from tests.shared_files import CORPUS, WITH_CORPUS

ezc3d = pytest.importorskip("ezc3d")
pytestmark = [pytest.mark.peer, WITH_CORPUS]
FILES = sorted(p for p in CORPUS.rglob("*") if p.suffix.lower() == ".c3d")


def by_ezc3d(path: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ezc3d.c3d(str(path))["data"]


@pytest.mark.parametrize("path", FILES, ids=lambda p: f"{p.parent.name}-{p.name}")
def test_both_readers_agree_bit_for_bit(path: Path) -> None:
    try:
        own = read_c3d(path)
    except FileRefused as refusal:
        pytest.skip(f"refused: {refusal}")
    if any("which is taken" in note for note in own.notes):
        pytest.skip("ezc3d takes the counts of the parameters, which the size of the file refutes")
    if any("no point was ever seen" in note for note in own.notes):
        pytest.skip("ezc3d believes residuals that deny every point")
    try:
        data = by_ezc3d(path)
    except Exception as error:  # noqa: BLE001  whatever ezc3d raises
        pytest.skip(f"ezc3d cannot open it: {error}")
    n = len(own.points)
    points = np.asarray(data["points"])[:3].T[:n]
    residuals = np.asarray(data["meta_points"]["residuals"])[0].T[:n]
    gap = (residuals < 0) | (points == 0).all(axis=2) | ~np.isfinite(points).all(axis=2)
    np.testing.assert_array_equal(own.points, np.where(gap[..., None], np.nan, points))
    np.testing.assert_array_equal(own.residuals, residuals)
    analog = np.asarray(data["analogs"])[0].T
    if not analog.size:
        pytest.skip("without analog samples by ezc3d; the points agree")
    _same_samples(own, analog[: len(own.samples)])


def _same_samples(own, analog: np.ndarray) -> None:
    """Compare the channels whose offset ezc3d takes as it stands."""
    params, channels = own.parameters, own.samples.n_channels
    plain = joined(params, "OFFSET")[:channels] >= 0
    if is_unsigned(params) and own.header.scale > 0:
        plain &= False
    assert analog.shape == own.analog.shape
    np.testing.assert_array_equal(own.analog[:, plain], analog[:, plain])


@pytest.mark.parametrize("name", ["hostile/C3DRotationExample.c3d", "poses/arnold01_poses.c3d"])
def test_segment_poses_agree_bit_for_bit(name: str) -> None:
    found = read_rotations(CORPUS / name)
    assert found is not None
    wanted = np.transpose(by_ezc3d(CORPUS / name)["rotations"], (3, 2, 0, 1))
    np.testing.assert_array_equal(found.matrices, wanted)
