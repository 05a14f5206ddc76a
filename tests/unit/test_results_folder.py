"""The results folder never takes the place of inputs or of somebody else's files."""

from __future__ import annotations

import json

import pytest

from gaitdyn.errors import OutputRefused
from gaitdyn.store.folder import ResultsFolder


def ours(folder, sha: str = "abc") -> None:
    folder.mkdir(parents=True)
    document = {"inputs": [{"role": "trial", "sha256": sha}]}
    (folder / "result.json").write_text(json.dumps(document), encoding="utf-8")


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_that_holds_the_trial_is_refused_even_with_force(tmp_path, force):
    inside = tmp_path / "walk01" / "walk01.c3d"
    inside.parent.mkdir()
    inside.write_bytes(b"precious")
    with pytest.raises(OutputRefused, match="recordings"):
        ResultsFolder.prepare(tmp_path, inside, force=force)
    assert inside.read_bytes() == b"precious"


def test_a_folder_that_holds_the_subject_file_is_refused(tmp_path):
    subject = tmp_path / "out" / "walk01" / "subject.toml"
    subject.parent.mkdir(parents=True)
    subject.touch()
    with pytest.raises(OutputRefused):
        ResultsFolder.prepare(tmp_path / "out", tmp_path / "walk01.c3d", [subject], force=True)


def test_results_of_another_trial_are_refused_without_force(tmp_path):
    ours(tmp_path / "walk01", "abc")
    ResultsFolder(tmp_path / "walk01").check("abc")
    with pytest.raises(OutputRefused, match="--force"):
        ResultsFolder(tmp_path / "walk01").check("def")
    ResultsFolder(tmp_path / "walk01", force=True).check("def")


def test_a_failure_while_writing_leaves_the_old_results(tmp_path):
    ours(tmp_path / "walk01")
    folder = ResultsFolder(tmp_path / "walk01")
    with pytest.raises(ZeroDivisionError), folder.writing() as place:
        (place / "half.csv").write_text("1")
        raise ZeroDivisionError
    assert [p.name for p in tmp_path.iterdir()] == ["walk01"]
    assert (tmp_path / "walk01" / "result.json").exists()


def test_the_new_folder_takes_the_place_as_a_whole(tmp_path):
    ours(tmp_path / "walk01")
    (tmp_path / "walk01" / "peaks.csv").touch()
    with ResultsFolder(tmp_path / "walk01").writing() as place:
        (place / "new.csv").touch()
    assert [p.name for p in (tmp_path / "walk01").iterdir()] == ["new.csv"]
    assert [p.name for p in tmp_path.iterdir()] == ["walk01"]
