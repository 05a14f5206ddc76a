"""The command on files of segment poses: process, info, batch, a second file of forces."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gaitdyn.synthetic import Recording, Walker, walk, write_pose_trial, write_trial
from tests.read_back import rows_of


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a session with poses and plates in one file, and in two outside of it."""
    session = tmp_path_factory.mktemp("markerless")
    trial = walk(Walker(), Recording(strides=2.0, events=False))
    write_pose_trial(session / "walk01.c3d", trial)
    (session / "two").mkdir()
    write_trial(session / "two" / "plates.c3d", trial)
    bare = replace(trial, plates=(), channels=trial.channels[:, :0])
    write_pose_trial(session / "two" / "poses.c3d", bare)
    return session


@pytest.mark.slow
def test_a_batch_of_poses_has_angles_moments_and_a_page(gaitdyn, folder, tmp_path):
    done = gaitdyn("batch", folder, "-o", tmp_path)
    assert done.returncode == 0, done.stderr
    results = tmp_path / folder.name / "walk01"
    document = json.loads((results / "result.json").read_text(encoding="utf-8"))
    assert document["model"]["name"] == "theia"
    assert document["model"]["markerless"] == {"not_measured": {"left": [], "right": []}}
    assert "Markerless." in (results / "report.html").read_text(encoding="utf-8")
    series = rows_of(results / "timeseries.csv")
    assert sum(bool(row["right_knee_moment_extension"]) for row in series) > 50
    told = json.loads((results / "timeseries.json").read_text(encoding="utf-8"))
    columns = told.get("columns", told)
    how = columns["left_knee_angle_flexion"]["how"]
    assert "segment axes of the poses that theia stores" in how
    assert "markers" not in how


def test_what_is_in_the_file(gaitdyn, folder):
    done = gaitdyn("info", folder / "walk01.c3d", "--json")
    found = json.loads(done.stdout)
    assert found["poses"]["system"] == "theia"
    assert found["poses"]["not_used"] == ["worldbody_4X4"]
    assert found["model"]["name"] == "theia"
    assert found["static"]["reason"] == "segment poses need none"
    plan = gaitdyn("info", folder).stdout
    assert "incomplete: segment poses" not in plan
    assert "incomplete: no static" not in plan
    assert (
        json.loads(gaitdyn("info", folder / "two" / "plates.c3d", "--json").stdout)["poses"] is None
    )


def test_forces_of_a_second_file(gaitdyn, folder, tmp_path):
    two = folder / "two"
    words = ("--no-figures", "-o", tmp_path)
    done = gaitdyn("process", two / "poses.c3d", "--forces", two / "plates.c3d", *words)
    assert done.returncode == 0, done.stderr
    notes = [row["message"] for row in rows_of(tmp_path / "poses" / "quality.csv")]
    assert any("the clocks of both files agree within 40 ms" in note for note in notes)
    assert {row["side"] for row in rows_of(tmp_path / "poses" / "contacts.csv")} == {
        "left",
        "right",
    }


def test_no_marker_model_is_made_of_poses(gaitdyn, folder, tmp_path):
    done = gaitdyn("model", "new", folder / "walk01.c3d", "-o", tmp_path / "m.toml")
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "segment poses, which need no marker model" in done.stderr
