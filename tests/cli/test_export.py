"""``gaitdyn export`` as its users see it: files, exit codes, one line for what is refused."""

from __future__ import annotations

import shutil

import pytest

from tests.read_back import one_line


@pytest.fixture
def trial(synthetic):
    return synthetic / "walk01.c3d"


def test_the_c3d_goes_to_the_current_folder(gaitdyn, results, trial, tmp_path):
    before = trial.read_bytes()
    done = gaitdyn("export", results, "--to", "c3d", "--trial", trial)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["c3d: walk01.gaitdyn.c3d"]
    assert "added 36 points to the 16" in done.stderr
    assert [p.name for p in tmp_path.iterdir()] == ["walk01.gaitdyn.c3d"]
    assert trial.read_bytes() == before


@pytest.mark.parametrize(
    ("to", "names"),
    [
        ("trc-mot", [f"walk01.gaitdyn.{x}" for x in ("mot", "static.trc", "trc", "xml")]),
        ("mat", ["walk01.gaitdyn.mat"]),
    ],
)
def test_every_format_is_written_quietly(gaitdyn, results, trial, tmp_path, to, names):
    done = gaitdyn("export", results, "--to", to, "--trial", trial, "-o", "out", "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == names


def test_an_export_that_is_replaced_is_named(gaitdyn, results):
    assert "replaced" not in gaitdyn("export", results, "--to", "mat").stderr
    again = gaitdyn("export", results, "--to", "mat")
    assert "replaced: walk01.gaitdyn.mat; use another -o for a trial" in again.stderr


@pytest.mark.slow
def test_an_export_of_ours_is_replaced_and_anothers_is_not(gaitdyn, results, tmp_path):
    for _ in range(2):
        assert gaitdyn("export", results, "--to", "mat", "-o", "walk.mat").returncode == 0
    (tmp_path / "walk.mat").write_bytes(b"precious")
    said = one_line(gaitdyn("export", results, "--to", "mat", "-o", "walk.mat"), 1)
    assert "--force" in said
    assert (tmp_path / "walk.mat").read_bytes() == b"precious"
    assert gaitdyn("export", results, "--to", "mat", "-o", "walk.mat", "--force").returncode == 0


def test_the_recording_beside_the_results_is_found(gaitdyn, results, trial, tmp_path):
    shutil.copytree(results, tmp_path / "out" / "walk01")
    (tmp_path / "session").mkdir()
    shutil.copy(trial, tmp_path / "session")
    assert gaitdyn("export", "out/walk01", "--to", "c3d").returncode == 0


def test_a_recording_that_is_not_there_is_asked_for(gaitdyn, results, tmp_path):
    folder = tmp_path / "a" / "b" / "c" / "walk01"
    shutil.copytree(results, folder)
    assert "--trial FILE.c3d" in one_line(gaitdyn("export", folder, "--to", "trc-mot"), 1)


@pytest.mark.parametrize("words", [("--to", "xlsx"), ("--to", "c3d", "-o", "walk.txt"), ()])
def test_wrong_words_are_wrong_usage(gaitdyn, results, words):
    one_line(gaitdyn("export", results, *words), 2)


def test_a_folder_without_results_is_refused(gaitdyn, tmp_path):
    one_line(gaitdyn("export", tmp_path, "--to", "mat"), 1)


def test_the_recording_cannot_be_the_target(gaitdyn, results, trial):
    before = trial.read_bytes()
    words = ("export", results, "--to", "c3d", "--trial", trial, "-o", trial, "--force")
    assert "never overwritten" in one_line(gaitdyn(*words), 1)
    assert trial.read_bytes() == before
