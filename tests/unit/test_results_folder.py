"""The results folder never takes the place of inputs or of somebody else's files."""

from __future__ import annotations

import json
import os

import pytest

from gaitdyn.errors import OutputRefused
from gaitdyn.store.being_written import carry_over
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.single_file import put_in_place, written_whole


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


def test_a_file_that_export_wrote_into_results_is_kept_and_no_obstacle(tmp_path):
    ours(tmp_path / "out" / "walk01")
    sent = tmp_path / "out" / "walk01" / "walk01.gaitdyn.c3d"
    sent.write_bytes(b"exported")
    with ResultsFolder.prepare(tmp_path / "out", tmp_path / "walk01.c3d").writing() as place:
        (place / "result.json").write_text("{}", encoding="utf-8")
    assert sent.read_bytes() == b"exported"


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


def test_of_results_whose_list_is_cut_off_only_the_files_of_others_are_kept(tmp_path):
    old, new = tmp_path / "walk01", tmp_path / "new"
    new.mkdir()
    ours(old)
    for name in ("result.json", "emg.csv", "emg.json", "curves.parquet", "cycles.json", "mine.csv"):
        (old / name).write_text('{"cut', encoding="utf-8")
    carry_over(old, new)
    assert [path.name for path in new.iterdir()] == ["mine.csv"]


def test_a_folder_of_others_is_joined_with_the_new_one_of_its_name(tmp_path):
    old, new = tmp_path / "walk01", tmp_path / "new"
    ours(old)
    for name in ("figures/mine.txt", "notes/mine.txt"):
        (old / name).parent.mkdir()
        (old / name).touch()
    (new / "figures").mkdir(parents=True)
    (new / "figures" / "angles.png").touch()
    carry_over(old, new)
    assert sorted(path.relative_to(new).as_posix() for path in new.rglob("*.*")) == [
        "figures/angles.png", "figures/mine.txt", "notes/mine.txt",
    ]  # fmt: skip


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_files_and_folders_have_the_permissions_of_others_at_every_umask(tmp_path, monkeypatch):
    """The umask belongs to the process: to read it is to change it for all threads."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    monkeypatch.setattr("os.umask", pytest.fail)
    with ResultsFolder(tmp_path / "walk01").writing() as place:
        (place / "new.csv").touch()
    put_in_place(tmp_path / "page.html", b"page")
    with written_whole(tmp_path / "table.csv") as new:
        new.touch()
    folder, file = ((tmp_path / name).stat().st_mode for name in ("folder", "file"))
    assert (tmp_path / "walk01").stat().st_mode == folder
    for name in ("walk01/new.csv", "page.html", "table.csv"):
        assert (tmp_path / name).stat().st_mode == file
