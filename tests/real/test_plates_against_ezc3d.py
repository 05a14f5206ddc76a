"""Force plates of real files against ezc3d's own extraction, sample by sample.

ezc3d gives force and moment in laboratory axes, the moment about the centre of the surface, in
newtons times the length unit of the points. It never applies FORCE_PLATFORM:ZERO, so that its
samples are tared here in the same way before they are compared.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.core.rotations import cross
from gaitdyn.errors import GaitdynError
from gaitdyn.io.parameters import read_parameters
from gaitdyn.io.recording import read_recording
from gaitdyn.io.wrenches import plate_axes, plate_wrench, sensor_offset
from gaitdyn.types.recording import PlateRecord

ezc3d = pytest.importorskip("ezc3d")
CORPUS = Path(__file__).resolve().parents[3] / "shared" / "corpus"
pytestmark = [
    pytest.mark.real,
    pytest.mark.peer,
    pytest.mark.skipif(not CORPUS.is_dir(), reason="the files of ../shared/corpus are not there"),
]
UNITS = {"mm": 1e-3, "m": 1.0}


def plate_kinds(path: Path) -> set[int]:
    try:
        kinds = read_parameters(path)[1].get("FORCE_PLATFORM", "TYPE")
    except GaitdynError:
        return set()
    return set() if kinds is None else {int(kind) for kind in np.ravel(kinds)}


FILES = [
    path
    for path in sorted(CORPUS.glob("*/**/*.[cC]3[dD]"))
    if path.is_file() and plate_kinds(path) & {2, 4}
]


def tared(values: np.ndarray, plate: PlateRecord) -> np.ndarray:
    """Return ezc3d's samples less the mean of the rows that the plate was tared with."""
    for note in plate.notes:
        if found := re.match(r"tared with the mean of rows (\d+)-(\d+)", note):
            rows = slice(int(found[1]) - 1, int(found[2]))
            return values - values[rows].mean(axis=0)
    return values


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_force_and_moment_of_every_plate_are_those_of_ezc3d(path: Path) -> None:
    try:
        recording = read_recording(path)
    except GaitdynError as refusal:
        pytest.skip(f"refused: {refusal}")
    try:
        platforms = ezc3d.c3d(str(path), extract_forceplat_data=True)["data"]["platform"]
    except (OSError, RuntimeError, ValueError) as error:
        pytest.skip(f"one odd plate makes ezc3d lose the file: {error}")
    metres = UNITS[recording.units["points"]]
    compared = 0
    for plate, theirs in zip(recording.plates, platforms, strict=True):
        if plate.problem or plate.kind not in (2, 4):
            continue
        R = plate_axes(plate.corners_L)
        force, moment = plate.channels[:, :3], plate.channels[:, 3:]
        moment = moment + cross(sensor_offset(plate.origin), force)
        in_newton_metres = any("N m" in note for note in plate.notes)
        scale = 1.0 if in_newton_metres else metres
        # 1e-3 N, N m: what the plates of the corpus can be told apart by is 1e-12; the room is
        # for channels stored as integers
        np.testing.assert_allclose(force @ R.T, tared(theirs["force"].T, plate), rtol=0, atol=1e-3)
        wanted = tared(theirs["moment"].T * scale, plate)
        np.testing.assert_allclose(moment @ R.T, wanted, rtol=0, atol=1e-3)
        compared += 1
    if not compared:
        pytest.skip("every plate of the file is refused")


def test_many_plates_are_compared() -> None:
    assert len(FILES) > 30


@pytest.mark.parametrize("path", FILES[:4], ids=lambda p: p.name)
def test_a_plate_at_one_sample_a_frame_is_the_instantaneous_wrench(path: Path) -> None:
    recording = read_recording(path)
    plate = recording.plates[0]
    wrench = plate_wrench(plate, np.eye(3), len(plate.channels))
    force = plate.channels[:, :3] @ plate_axes(plate.corners_L).T
    np.testing.assert_allclose(wrench.force_G, force, rtol=0, atol=1e-12)  # one product
    np.testing.assert_allclose(wrench.centre_G, plate.corners_L.mean(axis=0))
