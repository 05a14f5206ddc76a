"""Force plates of real files against ezc3d's own extraction, sample by sample, and against feet.

ezc3d gives force and moment in laboratory axes, the moment about the centre of the surface, in
newtons times the length unit of the points. It never applies FORCE_PLATFORM:ZERO, so that its
samples are tared here in the same way before they are compared. Its moment of type 1 has the
opposite sign, its moment of type 3 plates with ORIGIN z above zero is mirrored: there the forces
are compared, and the centre of pressure with the markers of the foot that stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.places import plate_axes
from gaitdyn.core.rotations import cross
from gaitdyn.errors import GaitdynError
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.io.c3d.parameters import read_parameters
from gaitdyn.io.plates.wrenches import plate_wrench, sensor_offset
from gaitdyn.io.recording import read_recording
from gaitdyn.types.recording import PlateRecord, Recording
from gaitdyn.types.wrench import PlateWrench
from tests.read_back import rows_of
from tests.shared_files import CORPUS, WITH_CORPUS

ezc3d = pytest.importorskip("ezc3d")
pytestmark = [
    pytest.mark.real,
    pytest.mark.peer,
    WITH_CORPUS,
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
        if found := re.match(r"tared with the mean of analog samples (\d+)-(\d+)", note):
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


# ---------------------------------------------------------------- types 1 and 3, and feet

HEEL_TO_TOE = r"[ ._]?(CA|LM|MM|VMH|IMH|IIT|HEE|TOE|ANK)"
FEW = "gait/UNIPD/Walking1.c3d gait/UNIPD/Walking2.c3d gait/c3d.org-Qualisys/Capture0003.c3d"
TYPES_1_AND_3 = [
    *FEW.split(),
    "gait/c3d.org-Qualisys/Capture0008_Standing.c3d",
    "gait/Coda/codamotion_gaitwands_19970212.c3d",
]


def stances(recording: Recording, file: str) -> Iterator[tuple[int, str, slice]]:
    """Yield plate number, side and frames of the stances of the catalogue."""
    text = next(
        row["stances_frames0"] for row in rows_of(CORPUS / "catalogue.csv") if row["file"] == file
    )
    for number, side, start, stop in re.findall(r"FP(\d+)\(T\d\):([LR])(\d+)-(\d+)", text):
        yield int(number), side, slice(int(start), min(int(stop), recording.n_frames))


def loaded(plate: PlateRecord, recording: Recording, at: slice) -> tuple[PlateWrench, np.ndarray]:
    """Return the wrench of a plate in laboratory axes and the frames of a stance above 100 N."""
    wrench = clean_plate(plate_wrench(plate, np.eye(3), recording.n_frames)).wrench
    frames = np.arange(at.start, at.stop)
    return wrench, frames[(wrench.force_G @ wrench.normal_G)[frames] > 100]


def from_foot(recording: Recording, side: str, frames: np.ndarray, points: np.ndarray, up: int):
    """Return the horizontal distance of points to the nearest marker of a foot."""
    names = [n for n in recording.labels if re.match(side + HEEL_TO_TOE, n, re.IGNORECASE)]
    apart = np.stack([recording.marker(n)[frames] for n in names], axis=1) - points[:, None]
    apart[..., up] = 0
    return np.nanmin(np.linalg.norm(apart, axis=-1), axis=1)


@pytest.mark.parametrize("file", TYPES_1_AND_3)
def test_the_centre_of_pressure_is_on_the_plate_and_under_the_foot(file: str) -> None:
    recording = read_recording(CORPUS / file)
    platforms = ezc3d.c3d(str(CORPUS / file), extract_forceplat_data=True)["data"]["platform"]
    found = 0
    for number, side, at in stances(recording, file):
        plate = recording.plates[number - 1]
        w, frames = loaded(plate, recording, at)
        cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)[frames]
        R = plate_axes(plate.corners_L)
        half = 0.5 * np.linalg.norm(np.diff(plate.corners_L[[1, 0, 3]], axis=0), axis=1)
        assert (np.abs((cop - w.centre_G) @ R)[:, :2] < half).all()
        up = int(np.argmax(np.abs(w.normal_G)))
        own = np.median(from_foot(recording, side, frames, cop, up))
        assert own < 0.1
        theirs = platforms[number - 1]["center_of_pressure"].T[:: recording.samples_per_frame]
        there = np.median(from_foot(recording, side, frames, theirs[frames] * 1e-3, up))
        # not farther than ezc3d's, which are single samples without their baseline
        assert own < there + 0.005
        found += 1
    assert found


@pytest.mark.parametrize("file", TYPES_1_AND_3)
def test_forces_of_types_1_and_3_are_those_of_ezc3d(file: str) -> None:
    recording = read_recording(CORPUS / file)
    platforms = ezc3d.c3d(str(CORPUS / file), extract_forceplat_data=True)["data"]["platform"]
    below = np.ravel(read_parameters(CORPUS / file)[1].get("FORCE_PLATFORM", "ORIGIN"))[2] < 0
    for plate, theirs in zip(recording.plates, platforms, strict=True):
        assert plate.problem == ""
        R = plate_axes(plate.corners_L)
        force, moment = plate.channels[:, :3] @ R.T, plate.channels[:, 3:] @ R.T
        np.testing.assert_allclose(force, tared(theirs["force"].T, plate), rtol=0, atol=1e-3)
        if plate.kind == 1:  # from its own force, centre of pressure and free moment
            arm = (theirs["center_of_pressure"].T * 1e-3) - plate.corners_L.mean(axis=0)
            wanted = cross(arm, theirs["force"].T) + theirs["Tz"].T * 1e-3
        elif below:
            wanted = tared(theirs["moment"].T * 1e-3, plate)
        else:
            continue
        np.testing.assert_allclose(moment, wanted, rtol=0, atol=1e-3)


@pytest.mark.parametrize("file", [*FEW.split(), "gait/FMC/MH0222_BP06.c3d"])
def test_before_toe_off_the_ground_turns_the_foot_outwards(file: str) -> None:
    """The free moment of walking, upwards on a right and downwards on a left foot: any type."""
    recording = read_recording(CORPUS / file)
    for number, side, at in stances(recording, file):
        w, frames = loaded(recording.plates[number - 1], recording, at)
        cop = centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)
        free = (w.moment_G - cross(cop - w.centre_G, w.force_G)) @ w.normal_G
        late = np.median(free[frames[int(0.65 * len(frames)) : int(0.9 * len(frames))]])
        assert (late if side == "R" else -late) > 1.0


def test_types_2_and_4_of_one_recording_agree() -> None:
    """The same steps with six scales and with a matrix.

    The samples are the same to 0.4 %, the file's own scales are not: moments of the type 2 file
    are 0.80 to 0.83 of the matrix's diagonal, so that the two points part away from the centre.
    Rows and columns of the matrix exchanged would put them metres apart.
    """
    cops, forces = [], []
    for name in ("TYPE-2.C3D", "TYPE-4.C3D"):
        recording = read_recording(CORPUS / "hostile" / name)
        w, frames = loaded(recording.plates[0], recording, slice(49, 91))
        cops.append(centre_of_pressure(w.force_G, w.moment_G, w.centre_G, w.normal_G)[50:90])
        forces.append(w.force_G[50:90])
        assert frames.size > 30
    apart = np.linalg.norm(cops[0] - cops[1], axis=1)
    assert np.median(apart) < 0.015
    assert apart.max() < 0.025
    np.testing.assert_allclose(forces[0], forces[1], rtol=0, atol=8.0)  # of 396 N


def test_odd_plates_of_types_1_and_3_are_refused_alone() -> None:
    first, *others = read_recording(CORPUS / "hostile" / "FP_Type1.c3d").plates
    assert first.problem == ""
    assert all("corners" in plate.problem for plate in others)
    (bare,) = read_recording(CORPUS / "hostile" / "FP1.C3D").plates
    assert "half distances of 0" in bare.problem
    for plate in read_recording(CORPUS / "hostile" / "FP_Type3.c3d").plates:
        assert "centre of pressure corrected with FPCOPPOLY" in plate.notes
