"""Forces in files of their own: names, units, signs, points, clocks."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.errors import FileRefused
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.io.forces.motion_analysis import read_forces_text
from gaitdyn.io.forces.names import column_of
from gaitdyn.io.forces.pairing import NOT_USED
from gaitdyn.io.forces.reading import read_forces, with_forces
from gaitdyn.io.recording import read_recording
from gaitdyn.io.storage import read_storage
from gaitdyn.io.trial import to_trial
from gaitdyn.stages.ground_findings import no_kinetics
from gaitdyn.stages.session import read_session, thinning_of
from gaitdyn.synthetic import write_trial
from gaitdyn.types.emg import AnalogChannels
from gaitdyn.types.options import NO_FORCES, Options
from gaitdyn.types.recording import NO_TORQUE
from tests.unit.trc_texts import (
    FORMS,
    Array,
    body,
    forces_text,
    mot_text,
    refusal_of,
    step_forces,
    trc_text,
)
from tests.walks import walk

if TYPE_CHECKING:
    from gaitdyn.io.forces.reading import Forces
    from gaitdyn.types.recording import PlateRecord

RATE = 1000.0
TIMES = np.arange(400) / RATE
PARTS = step_forces(400, RATE)


def first(count: int) -> tuple[Array, Array, Array]:
    force, point, torque = PARTS
    return force[:count], point[:count], torque[:count]


def written(folder: Path, text: str, name: str = "walk.mot") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def read(folder: Path, text: str, name: str = "walk.mot") -> Forces:
    return read_forces(written(folder, text, name))


def about_origin(plate: PlateRecord) -> tuple[Array, Array]:
    """Return force and moment about the origin of the laboratory, as the plates give them."""
    from gaitdyn.core.places import plate_axes

    R = plate_axes(plate.corners_L)
    force, moment = plate.channels[:, :3] @ R.T, plate.channels[:, 3:] @ R.T
    return force, moment + np.cross(plate.corners_L.mean(axis=0), force)


def check(found: Forces, up: int = 1) -> None:
    """Hold forces against those of the two steps, axes turned so that ``up`` is the vertical."""
    turn = np.roll(np.arange(3), up - 1)
    assert len(found.plates) == 2
    for k, plate in enumerate(found.plates):
        assert plate.virtual
        assert not plate.problem
        force, point, torque = (part[:, k][:, turn] for part in PARTS)
        got_F, got_M = about_origin(plate)
        loaded = force[:, up] > 10.0
        np.testing.assert_allclose(got_F, force, atol=1e-4)
        wanted = torque + np.cross(point, force)
        np.testing.assert_allclose(got_M[loaded], wanted[loaded], atol=1e-3)
        assert np.abs(got_M[~loaded]).max() < 10.0  # 346 m away it would be thousands


@pytest.mark.parametrize("form", FORMS)
def test_forces_are_known_by_every_name(tmp_path: Path, form: str) -> None:
    scale = 1000.0 if form in ("adapter", "flattened") else 1.0
    parts = PARTS[0], scale * PARTS[1], scale * PARTS[2]
    check(read(tmp_path, mot_text(TIMES, parts, form)))


@pytest.mark.parametrize("middle", [False, True], ids=["under the foot", "middle of the plate"])
@pytest.mark.parametrize("of_torque", [1.0, 1000.0], ids=["N m", "N mm"])
@pytest.mark.parametrize("of_point", [1.0, 1000.0], ids=["m", "mm"])
def test_points_and_torques_have_each_their_own_unit(
    tmp_path: Path, of_point: float, of_torque: float, middle: bool
) -> None:
    """The free moment of 3 N m was 0.003 N m, or 3000, or the points were at the origin."""
    force, point, torque = PARTS
    if middle:  # of each step: the torque is then a whole moment
        loaded = np.where(force[:, :, 1:2] > 0.0, point, np.nan)
        fixed = np.broadcast_to(np.nanmedian(loaded, axis=0), point.shape)
        torque, point = torque + np.cross(point - fixed, force), fixed
    found = read(tmp_path, mot_text(TIMES, (force, of_point * point, of_torque * torque)))
    check(found)
    told = [note for note in found.plates[0].notes if note.startswith("by their sizes")]
    point_unit, torque_unit = ("m", "mm")[of_point > 1.0], ("N m", "N mm")[of_torque > 1.0]
    words = f"by their sizes its point is in {point_unit} and its torque in {torque_unit}"
    assert told == ([words] if of_point != of_torque else [])


@pytest.mark.parametrize("of_torque", [1.0, 1000.0], ids=["N m", "N mm"])
def test_a_torque_about_the_vertical_alone_has_its_unit_too(
    tmp_path: Path, of_torque: float
) -> None:
    """Without its other columns, N mm beside points in mm were N m: a free moment of 3000 N m."""
    text = mot_text(TIMES, (PARTS[0], 1000.0 * PARTS[1], of_torque * PARTS[2]))
    check(read(tmp_path, re.sub(r"torque(?=_\w_[xz])", "other", text)))


@pytest.mark.parametrize(
    "label", ["ankle_r_on_calcn_r_in_ground_fx", "hip_flexion_r", "pelvis_tx_force", "calcn_r_X"]
)
def test_loads_of_joints_and_coordinates_are_no_forces_of_the_ground(label: str) -> None:
    assert column_of(label) is None


def test_a_torque_before_its_point_is_not_the_point(tmp_path: Path) -> None:
    """``ground_torque_px`` was a point: the first of two that fit."""
    text = mot_text(TIMES, (PARTS[0], PARTS[2], PARTS[1]), "simm")
    names = {"ground_force_p": "ground_torque_p", "ground_torque_": "ground_force_p"}
    pattern = "|".join(names)
    check(read(tmp_path, re.sub(pattern, lambda match: names[match[0]], text)))


def test_a_force_of_an_exoskeleton_beside_those_of_the_ground_is_no_plate(tmp_path: Path) -> None:
    """It was a third plate at the thigh, or at the origin where its point is that of a body."""
    rows = mot_text(TIMES, PARTS, "simm").split("\n")
    start = next(i for i, row in enumerate(rows) if row.startswith("time"))
    names = [f"exo_force_{what}{x}" for what in "vp" for x in "xyz"]
    added = ["\t".join(names)] + ["10\t90\t0\t0\t0.1\t0"] * len(TIMES)
    rows[start:] = [f"{row}\t{more}" for row, more in zip(rows[start:], added, strict=False)]
    found = read(tmp_path, "\n".join(rows))
    check(found)
    assert "forces that are not called those of the ground: exo_force_vx; not used" in found.notes


def test_columns_of_forces_under_other_names_are_told(tmp_path: Path) -> None:
    text = mot_text(TIMES, PARTS, "simm").replace("torque_", "torques_")
    found = read(tmp_path, text)
    assert all(NO_TORQUE in plate.notes for plate in found.plates)
    axes = ", ".join(f"{a}ground_torques_{x}" for a in ("", "1_") for x in "xyz")
    assert f"columns of forces that are not read: {axes}" in found.notes


def test_columns_may_come_in_any_order(tmp_path: Path) -> None:
    table = mot_text(TIMES, PARTS).split("\n")
    start = next(i for i, line in enumerate(table) if line.startswith("time"))
    order = [0, *np.random.default_rng(1).permutation(np.arange(1, 19))]
    table[start:-1] = ["\t".join(np.array(x.split("\t"))[order]) for x in table[start:-1]]
    force = {tuple(np.round(about_origin(p)[0].max(axis=0), 3)) for p in
             read(tmp_path, "\n".join(table)).plates}  # fmt: skip
    assert force == {(20.0, 700.0, 0.0)}


def test_a_text_of_forces_in_mm(tmp_path: Path) -> None:
    found = read(tmp_path, forces_text(RATE, PARTS), "walk.forces")
    check(found)
    assert found.rate_hz == RATE


def test_up_in_a_text_is_the_axis_that_carries_a_person(tmp_path: Path) -> None:
    """An empty plate reads 45 N along x for long, and a person steps on it for a moment."""
    force, point, torque = np.zeros((3, 200, 1, 3))
    force[:, 0, 0], force[-5:, 0], torque[:, 0, 1] = 45.0, [0.0, 700.0, 0.0], 5.0
    path = written(tmp_path, forces_text(RATE, (force, point, torque)), "walk.forces")
    (given,) = read_forces_text(path).forces
    np.testing.assert_allclose(given.torque_L[-1], [0.0, 5.0, 0.0])


@pytest.mark.parametrize("up", [0, 1, 2])
def test_up_is_the_axis_that_carries(tmp_path: Path, up: int) -> None:
    turn = np.roll(np.arange(3), up - 1)
    force, point, torque = (part[:, :, turn] for part in PARTS)
    check(read(tmp_path, mot_text(TIMES, (force, point, torque))), up)


def test_the_force_on_the_ground_is_turned_round_and_its_point_kept(tmp_path: Path) -> None:
    found = read(tmp_path, mot_text(TIMES, (-PARTS[0], PARTS[1], -PARTS[2])))
    check(found)
    assert all(any("reversed" in note for note in p.notes) for p in found.plates)


def test_a_whole_moment_about_any_point_is_the_same_wrench(tmp_path: Path) -> None:
    force, point, torque = PARTS
    corner = np.array([0.4, 0.0, -0.3])
    moment = torque + np.cross(point - corner, force)
    moment[force[:, :, 1] <= 0] = 0.0
    found = read(tmp_path, mot_text(TIMES, (force, np.broadcast_to(corner, point.shape), moment)))
    check(found)
    assert all(any("not a centre of pressure" in note for note in p.notes) for p in found.plates)


def test_a_force_that_never_carries_is_no_plate(tmp_path: Path) -> None:
    force, point, torque = (part.copy() for part in PARTS)
    force[:, 1] *= 0.01
    found = read(tmp_path, mot_text(TIMES, (force, point, torque)))
    assert [p.problem for p in found.plates] == ["", "it is never loaded"]


@pytest.mark.parametrize("part", [0, 1, 2])
def test_what_is_no_number_under_load_refuses_its_plate_alone(tmp_path: Path, part: int) -> None:
    parts = [p.copy() for p in PARTS]
    parts[part][120, 0] = np.nan
    found = read(tmp_path, mot_text(TIMES, (parts[0], parts[1], parts[2])))
    assert found.plates[0].problem
    assert not found.plates[1].problem


def test_a_force_without_a_name_is_told_by_its_first_column(tmp_path: Path) -> None:
    """``ground_force_vx`` beside ``1_ground_force_vx`` was "the force of the columns ''"."""
    text = mot_text(TIMES, PARTS, "simm")
    plates = read(tmp_path, text).plates
    told = [plate.notes[0].partition(", given")[0] for plate in plates]
    assert told == [
        "the force whose first column is 'ground_force_vx'",
        "the force whose first column is '1_ground_force_vx'",
    ]


def test_percent_of_a_cycle_is_no_time(tmp_path: Path) -> None:
    """Forces over 0 to 100 % cover any trial by their "time", and were spread over its frames."""
    path = written(tmp_path, mot_text(np.linspace(0.0, 100.0, 400), PARTS))
    with pytest.raises(FileRefused, match=r"found 3\.99 rows per second; wanted 20 or more"):
        read_forces(path)


@pytest.mark.parametrize("text", ["nan", "inf"])
def test_a_torque_that_is_nowhere_given_is_told_and_one_that_is_no_number_is_refused(
    tmp_path: Path, text: str
) -> None:
    force, point, torque = (part.copy() for part in PARTS)
    torque[:, 0] = float(text)
    torque[force[:, 1, 1] < 1.0, 1] = np.nan  # in the air there is none to know
    plates = read(tmp_path, mot_text(TIMES, (force, point, torque))).plates
    told = any("the free moment is taken as 0" in note for note in plates[0].notes)
    assert (told, bool(plates[0].problem)) == (text == "nan", text == "inf")
    assert not plates[1].problem
    assert not any("is taken as 0" in note for note in plates[1].notes)


SLOW = "forces\nendheader\ntime"
SLOW += "".join(f"\tground_force_{q}{axis}" for q in "vp" for axis in "xyz")
SLOW += "".join(f"\n{1000 * t / 100:g}\t0\t700\t0\t0\t0\t0" for t in range(50))
"""Rows every 10 ms, with times in ms."""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("forces\nDataType=Vec3\nendheader\ntime\tf\n0\t1,2,3\n", "several numbers per cell"),
        ("forces\ntime\tf\n0\t1\n", "no line endheader"),
        ("forces\nendheader\n", "no rows"),
        ("forces\nendheader\ntime\tknee_angle_r\n0\t1\n0.1\t2\n", "ground_force_vx"),
        ("forces\nendheader\nframe\tf\n0\t1\n", "as the first label"),
        ("forces\nendheader\ntime\tf\n0\t1\n0\t2\n", "times that do not advance"),
        ("forces\nendheader\ntime\tf\n0\t1\t2\t3\n", "cells in row 1"),
        ("forces\nendheader\ntime\tf\n0\tx\n", "no numbers in row 1"),
        ("forces\nendheader\ntime\tf\n0\t1_000\n", "no numbers in row 1"),
        ("forces\nendheader\ntime\tf\n0\t\u0661\n", "no numbers in row 1"),
        ("f\nendheader\ntime" + "\tf" * 4999 + "\n" + "0\n" * 200000, "1 cell in row 1"),
        ("forces\nendheader\ntime\tf\n0\t1e999\n1\tnan\n", "ground_force_vx"),
        ("\x00\x01\x02" * 400, "no line endheader"),
        (SLOW, "found 0.1 rows per second; wanted 20 or more"),
    ],
)
def test_what_holds_no_forces_is_refused_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(FileRefused, match=said) as caught:
        read(tmp_path, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "[Force Data]\n",
        "[Force Data]\nSampleRate=1e9\n#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1\n",
        "[Force Data]\nSampleRate=450\n#Sample FX1\n1 2\n",
        "[Force Data]\nSampleRate=450\n#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1\n1 2 3\n",
        "[Force Data]\nSampleRate=450\n#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1\n1 2 3 4 5 6 7 x\n",
        "[Force Data]\nSampleRate=450\n#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1\n1 2 3 4 5 6 7 8_0\n",
        "[Force Data]\nSampleRate=4_5\n#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1\n1 2 3 4 5 6 7 8\n",
        "[Force Data]\nSampleRate=9\n#Sample FX FY FZ X Y Z M\n1 0 0 0 0 0 0 0\n3 0 0 0 0 0 0 0",
    ],
)
def test_a_damaged_text_of_forces_is_refused_in_one_line(tmp_path: Path, text: str) -> None:
    with pytest.raises(FileRefused) as caught:
        read(tmp_path, text, "walk.forces")
    assert "\n" not in str(caught.value)


def test_a_text_of_forces_without_labels_lacks_them(tmp_path: Path) -> None:
    with pytest.raises(FileRefused, match="no line #Sample FX1"):
        read(tmp_path, "[Force Data]\nSampleRate=450\n1 2 3 4 5 6 7 8\n", "walk.forces")
    with pytest.raises(FileRefused, match=r"no line \[Force Data\]"):
        read(tmp_path, "SampleRate=450\n#Sample FX1 FY1 FZ1 X1 Y1 Z1 MZ1\n", "walk.forces")


def test_altered_bytes_end_in_forces_or_in_one_line(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    for name, text in (("a.mot", mot_text(TIMES[:60], first(60))),
                       ("a.forces", forces_text(RATE, first(60)))):  # fmt: skip
        for _ in range(60):
            data = bytearray(text.encode())
            for at in random.integers(0, len(data), 4):
                data[at] = random.integers(0, 256)
            (tmp_path / name).write_bytes(data)
            assert "\n" not in refusal_of(lambda path=tmp_path / name: read_forces(path))


def test_a_header_may_have_no_version_and_wrong_counts(tmp_path: Path) -> None:
    header = ("name walk.mot", "datacolumns 19", "datarows 17", "range 0 1", "free text", "")
    found = read(tmp_path, mot_text(TIMES, PARTS, header=header))
    check(found)
    assert any("says 17 rows, the file has 400" in note for note in found.notes)


def test_duplicate_labels_are_kept_by_their_place(tmp_path: Path) -> None:
    text = "c\nendheader\ntime\tq\tq\tw\n0\t1\t2\t3\n1\t4\t5\t6\n"
    table = read_storage(written(tmp_path, text))
    assert table.labels == ("q", "q", "w")
    np.testing.assert_array_equal(table.column("q"), [1.0, 4.0])


def test_an_empty_cell_before_a_tab_too_many_is_unknown(tmp_path: Path) -> None:
    text = "c\nendheader\n\ntime\tq\tw\n\n0\t1\t2\t\n\n1\t\t6\t\n"
    table = read_storage(written(tmp_path, text))
    np.testing.assert_array_equal(table.values, [[1.0, 2.0], [np.nan, 6.0]])
    np.testing.assert_array_equal(table.times_s, [0.0, 1.0])


def recording(folder: Path, *, rate: float = 100.0, start_s: float = 0.0, frames: int = 40) -> Path:
    text = trc_text(body(frames), rate=rate, start_s=start_s)
    return written(folder, text, "walk.trc")


def test_a_recording_takes_the_forces_of_its_name(tmp_path: Path) -> None:
    path = recording(tmp_path)
    written(tmp_path, mot_text(TIMES, PARTS), "walk_grf.mot")
    written(tmp_path, "q\nendheader\ntime\tknee_angle_r\n0\t1\n0.4\t2\n", "walk.mot")
    found = read_recording(path)
    assert found.samples_per_frame == 10
    assert found.forces is not None
    assert found.forces.name == "walk_grf.mot"
    assert len(found.forces.sha256) == 64
    assert read_recording(path, forces=NO_FORCES).plates == ()


def test_two_files_of_its_forces_are_a_question(tmp_path: Path) -> None:
    path = recording(tmp_path)
    for name in ("walk.mot", "walk_grf.sto"):
        written(tmp_path, mot_text(TIMES, PARTS), name)
    with pytest.raises(FileRefused, match="several files of its forces") as caught:
        read_recording(path)
    assert "--forces" in str(caught.value)
    found = read_recording(path, forces=tmp_path / "walk_grf.sto")
    assert found.forces is not None
    assert found.forces.name == "walk_grf.sto"


def taken(path: Path) -> str:
    """Return the name of the force file of a recording; empty without one."""
    forces = read_recording(path).forces
    return forces.name if forces else ""


def test_forces_are_found_beside_a_recording_that_is_named_from_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("MarkerData", "ForceData"):
        (tmp_path / name / "deeper").mkdir(parents=True)
    path = recording(tmp_path / "MarkerData")
    written(tmp_path / "ForceData", mot_text(TIMES, PARTS))
    assert taken(path) == "walk.mot"
    monkeypatch.chdir(path.parent)
    assert taken(Path("walk.trc")) == "walk.mot"
    monkeypatch.chdir("deeper")
    assert taken(Path("../walk.trc")) == "walk.mot"


def test_forces_in_the_folder_of_the_recording_are_found_once(tmp_path: Path) -> None:
    folder = tmp_path / "GRF"
    folder.mkdir()
    written(folder, mot_text(TIMES, PARTS))
    assert taken(recording(folder)) == "walk.mot"


def test_forces_are_found_among_hundreds_of_files(tmp_path: Path) -> None:
    for number in range(500):
        (tmp_path / f"take{number}.mot").touch()
    written(tmp_path, mot_text(TIMES, PARTS))
    assert taken(recording(tmp_path)) == "walk.mot"


@pytest.mark.parametrize("name", ["walk2.mot", "static.mot", "grf.mot", "walk_grf.csv"])
def test_a_file_of_another_name_is_not_taken(tmp_path: Path, name: str) -> None:
    written(tmp_path, mot_text(TIMES, PARTS), name)
    assert read_recording(recording(tmp_path)).plates == ()


def test_forces_of_another_time_are_not_taken_and_it_is_said(tmp_path: Path) -> None:
    written(tmp_path, mot_text(TIMES + 5.0, PARTS))
    found = read_recording(recording(tmp_path))
    assert found.plates == ()
    assert "walk.mot has other times and is not used" in found.notes
    with pytest.raises(FileRefused, match=r"forces from 5 to 5\.399 s"):
        read_recording(recording(tmp_path), forces=tmp_path / "walk.mot")


def test_forces_of_its_name_that_cannot_be_read_are_told_and_angles_are_not(tmp_path: Path) -> None:
    path = recording(tmp_path)
    written(tmp_path, "angles\nendheader\ntime\tknee_angle_r\n0\t1\n0.1\t2\n", "walk.sto")
    damaged = mot_text(TIMES, PARTS) + "5\tx\n"
    written(tmp_path, damaged)
    found = read_recording(path)
    assert not found.plates
    (note,) = (note for note in found.notes if "not used" in note)
    assert note.startswith("not used: walk.mot: found ")


def test_a_file_of_forces_without_known_columns_is_told(tmp_path: Path) -> None:
    """It went without a word: the trial had no kinetics, and nobody knew why."""
    path = recording(tmp_path)
    written(tmp_path, mot_text(TIMES, PARTS).replace("_v", "_q"), "walk_grf.mot")
    found = read_recording(path)
    (note,) = (note for note in found.notes if note.startswith(NOT_USED))
    assert note.startswith("not used: walk_grf.mot: found no columns such as ground_force_vx")
    code, why = no_kinetics(found, 70.0, Options(), usable=False)
    assert code == "no-plates"
    assert note in why


def test_frames_without_forces_at_the_end_are_left_out(tmp_path: Path) -> None:
    written(tmp_path, mot_text(TIMES[:371], first(371)))
    found = read_recording(recording(tmp_path))
    assert found.n_frames == 39
    assert any("1 frame without forces" in note for note in found.notes)


@pytest.mark.parametrize(
    ("rate", "marker_rate", "ratio"),
    [(1000.0, 100.0, 10), (1000.0, 120.0, 9), (450.0, 60.0, 8), (100.0, 100.0, 1),
     (2000.0, 50.0, 40), (90.0, 100.0, 1)],
)  # fmt: skip
def test_forces_of_any_rate_stand_at_their_time(
    tmp_path: Path, rate: float, marker_rate: float, ratio: int
) -> None:
    """A slow sine of force is where it belongs to 0.1 N of 700."""
    times = np.arange(int(1.2 * rate)) / rate + 0.0003
    force, point, torque = np.zeros((3, len(times), 2, 3))
    force[..., 1] = 400.0 + 300.0 * np.sin(2 * np.pi * 2.0 * times)[:, None]
    path = recording(tmp_path, rate=marker_rate, start_s=0.1, frames=int(marker_rate))
    text = mot_text(times, (force, point, torque))
    found = with_forces(read_recording(path), read(tmp_path, text, "other.mot"))
    assert found.samples_per_frame == ratio
    at = 0.1 + np.arange(found.n_frames * ratio) / (marker_rate * ratio)
    inside = at < times[-1]
    wanted = 400.0 + 300.0 * np.sin(2 * np.pi * 2.0 * at)
    got = about_origin(found.plates[0])[0][:, 1]
    assert np.abs(got - wanted)[inside].max() < 0.1
    assert any("interpolated" in note for note in found.notes)


@pytest.mark.parametrize(
    ("part", "value", "why"),
    [(0, 0.0, "it is never loaded"), (1, np.nan, "its point is not given while it is loaded")],
)
def test_of_forces_that_are_of_no_use_the_reason_is_told(
    part: int, value: float, why: str, tmp_path: Path
) -> None:
    """It was "forces from 1 to 0.99 s", or that the file has other times."""
    parts = [values.copy() for values in PARTS]
    parts[part][:] = value
    written(tmp_path, mot_text(TIMES, (parts[0], parts[1], parts[2])))
    path, found = recording(tmp_path), f"walk.mot: found no force that can be used ({why}); wanted"
    with pytest.raises(FileRefused, match=re.escape(found)):
        read_recording(path, forces=tmp_path / "walk.mot")
    (note,) = read_recording(path).notes
    assert note.startswith(f"not used: {found}")


def test_forces_without_a_point_or_a_torque_are_refused_without_a_warning(tmp_path: Path) -> None:
    rows = "".join(f"{time:g}\t0\t700\t0\n" for time in TIMES)
    text = f"forces\nendheader\ntime\tground_force_vx\tground_force_vy\tground_force_vz\n{rows}"
    with pytest.raises(FileRefused, match="its point is not given"):
        read(tmp_path, text)


def test_points_that_are_none_are_refused_without_a_warning(tmp_path: Path) -> None:
    point = PARTS[1].copy()
    point[:] = 1e300
    with pytest.raises(FileRefused, match="values that are not forces"):
        read(tmp_path, mot_text(TIMES, (PARTS[0], point, PARTS[2])))


def test_samples_on_the_frames_are_not_touched(tmp_path: Path) -> None:
    written(tmp_path, mot_text(TIMES, PARTS))
    found = read_recording(recording(tmp_path))
    np.testing.assert_allclose(about_origin(found.plates[0])[0], PARTS[0][:, 0], atol=1e-4)
    assert not any("interpolated" in note for note in found.notes)


@pytest.mark.parametrize(("per_frame", "kept"), [(2, False), (20, True)])
def test_muscles_at_a_lower_rate_than_the_forces_are_left_out(
    tmp_path: Path, per_frame: int, kept: bool
) -> None:
    """Forces at 1000 Hz beside markers at 100 Hz are ten samples per frame."""
    walked = read_recording(recording(tmp_path))
    samples = np.zeros((1, per_frame * walked.n_frames))
    muscle = AnalogChannels((1,), ("L TA",), ("",), ("mV",), ("",), (None,), samples)
    with_muscle = replace(walked, analog=muscle, samples_per_frame=per_frame)
    joined = with_forces(with_muscle, read(tmp_path, mot_text(TIMES, PARTS)))
    assert (joined.analog is not None) == kept
    assert joined.samples_per_frame == max(10, per_frame)
    assert any("lower rate than the forces is left out" in x for x in joined.notes) != kept
    plain = with_forces(walked, read(tmp_path, mot_text(TIMES, PARTS)))
    assert not any("electromyography" in note for note in plain.notes)


def test_a_c3d_file_gives_its_plates_to_another_recording(synthetic: Path) -> None:
    walk = read_recording(synthetic / "walk01.c3d")
    bare = replace(walk, plates=(), samples_per_frame=1, analog=None)
    found = with_forces(bare, read_forces(synthetic / "walk01.c3d"))
    assert found.samples_per_frame == walk.samples_per_frame
    assert not any(plate.virtual for plate in found.plates)
    for one, two in zip(found.plates, walk.plates, strict=True):
        np.testing.assert_array_equal(one.channels, two.channels)


def test_a_c3d_file_of_two_people_gives_its_plates(tmp_path: Path) -> None:
    walked = walk()
    labels = tuple(f"{name}:{label}" for name in ("Ann", "Ben") for label in walked.labels)
    markers_G = np.concatenate((walked.markers_G, walked.markers_G + 1.0), axis=1)
    write_trial(tmp_path / "both.c3d", replace(walked, labels=labels, markers_G=markers_G))
    of_one = read_recording(tmp_path / "both.c3d", "Ben")
    with pytest.raises(FileRefused, match="markers of 2 subjects"):
        read_recording(tmp_path / "both.c3d")
    for one, two in zip(read_forces(tmp_path / "both.c3d").plates, of_one.plates, strict=True):
        np.testing.assert_array_equal(one.channels, two.channels)


def test_a_given_point_is_the_centre_of_pressure_and_has_no_baseline(tmp_path: Path) -> None:
    force, point, torque = (part.copy() for part in PARTS)
    force[:, :, 1] += 8.0  # a plate of the laboratory would be tared
    written(tmp_path, mot_text(TIMES, (force, point, torque)))
    trial = to_trial(read_recording(recording(tmp_path)), np.eye(3), "mean")
    for k, plate in enumerate(trial.plates):
        clean = clean_plate(plate)
        assert clean.baseline_N == 0.0
        assert clean.wrench is plate
        rows = np.flatnonzero(plate.force_G[:, 1] > 200.0)
        cop = centre_of_pressure(
            plate.force_G[rows], plate.moment_G[rows], plate.centre_G, plate.normal_G
        )
        # a mean over 11 samples of a curve: half a millimetre
        np.testing.assert_allclose(cop, point[::10][rows, k], atol=1e-3)


def test_unfiltered_forces_are_the_samples_at_the_frames(synthetic: Path) -> None:
    walk = read_recording(synthetic / "walk01.c3d")
    session = read_session(synthetic / "walk01.c3d", Options(cutoff_hz=None))
    assert {thinning_of(Options(force_cutoff_hz=hz)) for hz in ("same", 20.0)} == {"low-pass"}
    for plate, record in zip(session.trial.plates, walk.plates, strict=True):
        at = record.channels[:: walk.samples_per_frame, :3]
        size = np.linalg.norm(at, axis=1)
        np.testing.assert_allclose(np.linalg.norm(plate.force_G, axis=1), size, atol=1e-9)


def test_points_of_noise_in_the_air_turn_nothing(tmp_path: Path) -> None:
    """2 N at 346 m would be 700 N m; the force stays as it is given."""
    force, point, torque = (part.copy() for part in PARTS)
    force[:, :, 1] += 2.0
    torque[force[:, :, 1] <= 2.0] = (0.0, 50.0, 0.0)
    for plate in read(tmp_path, mot_text(TIMES, (force, point, torque))).plates:
        got_F, got_M = about_origin(plate)
        air = got_F[:, 1] < 5.0
        assert air.sum() > 100
        np.testing.assert_allclose(got_F[air, 1], 2.0, atol=1e-6)
        assert np.abs(got_M[air]).max() < 2.0


def test_a_label_of_many_words_is_no_column() -> None:
    assert column_of("ground_force_" * 7 + "vx") == ("_".join(["ground_force"] * 6), "f", 0)
    assert column_of("ground_force_" * 5000 + "vx") is None
