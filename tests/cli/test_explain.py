"""``gaitdyn explain`` as its users see it."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from tests.read_back import one_line


@pytest.fixture(scope="module")
def frame(results):
    lines = (results / "contacts.csv").read_text(encoding="utf-8").splitlines()[1:]
    left = next(line.split(",") for line in lines if line.split(",")[1] == "left")
    return (int(left[2]) + int(left[3])) // 2


@pytest.mark.slow
def test_the_table_and_the_drawing(gaitdyn, results, frame, tmp_path):
    words = ("explain", results, "--frame", frame, "--segment", "left_shank")
    done = gaitdyn(*words, "--picture", "body.png")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"left shank, frame {frame}\n")
    assert "rows of the stacked system" in done.stdout
    assert (tmp_path / "body.png").read_bytes()[:4] == b"\x89PNG"
    assert gaitdyn(*words, "--picture", "body.png").returncode == 0
    (tmp_path / "body.png").write_bytes(b"precious")
    assert "--force" in one_line(gaitdyn(*words, "--picture", "body.png"), 1)


def test_it_tells_what_motion_npz_holds(gaitdyn, synthetic, frame, tmp_path):
    trial = synthetic / "walk01.c3d"
    words = ("process", trial, "--no-figures", "--intermediate", "-o", "out", "--quiet")
    assert gaitdyn(*words).returncode == 0
    done = gaitdyn("explain", "out/walk01", "--frame", frame, "--segment", "left_thigh", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    with np.load(tmp_path / "out" / "walk01" / "motion.npz") as motion:
        row = np.flatnonzero(motion["frame"] == frame)[0]
        for name in ("R_GS", "a_cm_G", "omega_S", "alpha_S"):
            assert told[name]["value"] == motion[f"left_{name}"][row, 2].tolist()


@pytest.mark.slow
def test_what_cannot_be_explained_is_one_line(gaitdyn, results, frame, tmp_path):
    segment = ("--segment", "left_foot")
    one_line(gaitdyn("explain", results, "--frame", frame, "--segment", "left_tail"), 2)
    one_line(gaitdyn("explain", results, "--frame", 10**6, *segment), 2)
    one_line(gaitdyn("explain", results, "--frame", frame, *segment, "--view", "up"), 2)
    one_line(gaitdyn("explain", tmp_path, "--frame", frame, *segment), 1)


def test_neither_recording_nor_static_is_needed(gaitdyn, results, frame, tmp_path):
    copy = tmp_path / "deep" / "er" / "still" / "walk01"
    shutil.copytree(results, copy)
    words = ("--frame", frame, "--segment", "left_foot")
    told = [gaitdyn("explain", place, *words) for place in (results, copy)]
    assert [done.returncode for done in told] == [0, 0]
    assert told[0].stdout == told[1].stdout
    for option in ("--trial", "--near", "--subject-prefix"):
        refused = one_line(gaitdyn("explain", copy, *words, option, tmp_path), 2)
        assert "leave out --trial" in refused
