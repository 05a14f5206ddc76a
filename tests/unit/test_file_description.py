"""What ``gaitdyn info`` tells of a file: markers that are missing, loads of the plates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gaitdyn.io.recording import read_recording
from gaitdyn.synthetic import write_trial
from gaitdyn.tables.file_description import describe
from gaitdyn.tables.recording_description import describe_markers
from gaitdyn.types.options import Options
from tests.walks import processed, stand, walk

WALK = Path(__file__).resolve().parents[2] / "data" / "walk01.c3d"


def test_a_marker_is_never_seen_or_missing_in_some_frames() -> None:
    recording = read_recording(WALK)
    markers = recording.markers_L.copy()
    markers[:, 0] = np.nan
    markers[:5, 1] = np.nan
    found = describe_markers(replace(recording, markers_L=markers), [])
    assert found["never_seen"] == [recording.labels[0]]
    assert found["frames_missing"] == {recording.labels[1]: 5}
    assert found["count"] == len(recording.labels)


def test_the_loads_of_a_plate_are_those_of_its_contacts() -> None:
    contacts = processed(WALK).contacts
    frames_of = read_recording(WALK).frames_of
    plates = [p for p in describe(WALK, Options())["plates"] if p["loaded_frames"]]
    assert plates
    for plate in plates:
        own = [c for c in contacts if c.plate == plate["number"]]
        assert plate["loaded_frames"] == [list(frames_of(c.start, c.stop)) for c in own]
        assert plate["peak_n"] == pytest.approx(max(c.peak_N for c in own), rel=0.02)


def test_a_marker_of_the_pelvis_that_the_static_carries_has_its_hip_centres(tmp_path: Path) -> None:
    trial = walk()
    markers = trial.markers_G.copy()
    markers[:, trial.labels.index("LASI")] = np.nan
    write_trial(tmp_path / "static.c3d", stand())
    write_trial(tmp_path / "walk.c3d", trial)
    seen = describe(tmp_path / "walk.c3d", Options())["hip_centres"]
    write_trial(tmp_path / "walk.c3d", replace(trial, markers_G=markers))
    carried = describe(tmp_path / "walk.c3d", Options())["hip_centres"]
    for side, rules in seen.items():
        for rule, found in zip(rules, carried[side], strict=True):
            assert [found[axis] for axis in "xyz"] == pytest.approx([rule[x] for x in "xyz"], abs=2)


def test_a_pelvis_that_is_never_seen_whole_has_no_task(tmp_path: Path) -> None:
    trial = walk()
    markers, half = trial.markers_G.copy(), len(trial.markers_G) // 2
    markers[:half, trial.labels.index("LASI")] = np.nan
    markers[half:, trial.labels.index("RASI")] = np.nan
    path = tmp_path / "walk.c3d"
    write_trial(path, replace(trial, markers_G=markers))
    assert describe(path, Options())["task"] is None
    write_trial(path, trial)
    assert describe(path, Options())["task"] == "walking"
