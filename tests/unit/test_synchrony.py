"""Poses in one file, forces in another: whose clocks differ, whose axes differ."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import gaitdyn
from gaitdyn.errors import FileRefused
from gaitdyn.io.forces.reading import read_forces
from gaitdyn.io.forces.synchrony import clock_offset, synchronised
from gaitdyn.io.recording import read_recording
from gaitdyn.synthetic.kinematics import Walker
from gaitdyn.synthetic.pose_file import stored_poses, write_pose_trial
from gaitdyn.synthetic.recording import Recording
from gaitdyn.synthetic.session import write_trial
from gaitdyn.synthetic.walk import walk

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with poses that begin at 0 s and forces that begin at 1 s."""
    folder = tmp_path_factory.mktemp("two")
    trial = walk(Walker(), Recording(rate_hz=100.0, strides=3.0, events=False))
    write_trial(folder / "forces.c3d", trial)
    alone = replace(trial.recording, first_frame=1)
    bare = replace(trial, plates=(), channels=trial.channels[:, :0], recording=alone)
    write_pose_trial(folder / "poses.c3d", bare)
    write_pose_trial(folder / "whole.c3d", trial)
    return folder


@pytest.mark.parametrize("shift_s", [0.0, 0.25, -2.0])
def test_the_offset_is_found_to_ten_milliseconds(two: Path, shift_s: float) -> None:
    recording, forces = read_recording(two / "whole.c3d"), read_forces(two / "forces.c3d")
    moved = replace(forces, start_s=forces.start_s + shift_s)
    found = clock_offset(recording, moved)
    assert found is not None
    assert found.seconds == pytest.approx(-shift_s, abs=0.01)
    assert found.agreement > 0.8


def test_what_an_empty_plate_reads_is_no_load(two: Path) -> None:
    recording, forces = read_recording(two / "whole.c3d"), read_forces(two / "forces.c3d")
    reading = np.array([0.0, 0.0, -300.0, 0.0, 0.0, 0.0])
    plates = tuple(replace(p, channels=p.channels + reading) for p in forces.plates)
    assert clock_offset(recording, replace(forces, plates=plates)) == clock_offset(
        recording, forces
    )


def test_clocks_that_agree_are_left_alone(two: Path) -> None:
    recording, forces = read_recording(two / "whole.c3d"), read_forces(two / "forces.c3d")
    same, said = synchronised(recording, forces)
    assert same is forces
    assert "agree within 40 ms" in said[0]


def test_loads_of_two_files_are_those_of_one(two: Path) -> None:
    result = gaitdyn.process_trial(two / "poses.c3d", forces=str(two / "forces.c3d"), mass_kg=70.0)
    whole = gaitdyn.process_trial(two / "whole.c3d", mass_kg=70.0)
    assert result.recording.forces is not None
    assert result.recording.forces.offset_s == pytest.approx(-1.0, abs=0.01)
    (told,) = [f for f in result.findings if f.code == "clock-offset"]
    assert told.level == "warning"
    for side in ("left", "right"):
        mine, theirs = result.sides[side].kinetics, whole.sides[side].kinetics
        assert mine is not None
        assert theirs is not None
        n = min(len(mine.published), len(theirs.published))
        both = mine.published[:n] & theirs.published[:n]
        a, b = mine.loads.moment_S[:n][both], theirs.loads.moment_S[:n][both]
        known = np.isfinite(a).all(axis=1) & np.isfinite(b).all(axis=1)
        assert known.sum() > 100
        assert np.sqrt(np.mean((a - b)[known] ** 2)) < 5.0


def test_forces_in_other_axes_are_refused(two: Path) -> None:
    recording, forces = read_recording(two / "whole.c3d"), read_forces(two / "forces.c3d")
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    turned = replace(
        forces, plates=tuple(replace(p, corners_L=p.corners_L @ turn.T) for p in forces.plates)
    )
    with pytest.raises(FileRefused, match="plates that are not loaded while the feet of whole"):
        synchronised(recording, turned)


@pytest.mark.parametrize(("aside_mm", "verdict"), [(50.0, "accepted"), (80.0, "rejected")])
def test_a_centre_of_pressure_beside_the_foot_is_no_step_of_poses(
    tmp_path: Path, aside_mm: float, verdict: str
) -> None:
    """A person who seems to walk beside: 80 mm is near enough for markers, not for poses."""
    trial = walk(Walker(), Recording(rate_hz=100.0, strides=3.0, events=False))
    poses = stored_poses(trial)
    matrices = poses.matrices.copy()
    matrices[:, 1:, 1, 3] += aside_mm
    write_pose_trial(tmp_path / "aside.c3d", trial, replace(poses, matrices=matrices))
    result = gaitdyn.process_trial(tmp_path / "aside.c3d")
    assert {c.accepted for c in result.contacts} == {verdict == "accepted"}
    assert ("far from both feet" in result.contacts[0].reason) == (verdict == "rejected")
