"""``gaitdyn explain`` as its users see it."""

from __future__ import annotations

import json
import shutil

import pytest


@pytest.fixture(scope="module")
def frame(results):
    lines = (results / "contacts.csv").read_text(encoding="utf-8").splitlines()[1:]
    left = next(line.split(",") for line in lines if line.split(",")[1] == "left")
    return (int(left[2]) + int(left[3])) // 2


def one_line(done, code):
    assert done.returncode == code, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    return done.stderr


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


def test_motion_npz_and_a_second_run_tell_the_same(gaitdyn, results, synthetic, frame):
    trial = synthetic / "walk01.c3d"
    words = ("process", trial, "--no-figures", "--intermediate", "-o", "out", "--quiet")
    assert gaitdyn(*words).returncode == 0
    told = [
        gaitdyn("explain", place, "--frame", frame, "--segment", "left_thigh", "--json")
        for place in ("out/walk01", results)
    ]
    assert [done.returncode for done in told] == [0, 0]
    assert json.loads(told[0].stdout) == json.loads(told[1].stdout)


@pytest.mark.slow
def test_what_cannot_be_explained_is_one_line(gaitdyn, results, frame, tmp_path):
    segment = ("--segment", "left_foot")
    one_line(gaitdyn("explain", results, "--frame", frame, "--segment", "left_tail"), 2)
    one_line(gaitdyn("explain", results, "--frame", 10**6, *segment), 2)
    one_line(gaitdyn("explain", results, "--frame", frame, *segment, "--view", "up"), 2)
    one_line(gaitdyn("explain", tmp_path, "--frame", frame, *segment), 1)
    copy = tmp_path / "deep" / "er" / "still" / "walk01"
    shutil.copytree(results, copy)
    said = one_line(gaitdyn("explain", copy, "--frame", frame, *segment), 1)
    assert "--trial" in said
