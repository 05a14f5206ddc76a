"""Who writes: locks, folders that are being written, what is swept and what is kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from gaitdyn.errors import FileRefused, OutputRefused
from gaitdyn.store.being_written import MARKER, NEW, OLD, being_written, sweep
from gaitdyn.store.claims import Busy, claimed, hidden_name, try_claim
from gaitdyn.store.folder import ResultsFolder, put_folder
from gaitdyn.store.single_file import put_in_place
from gaitdyn.store.whole import with_files

DEAD = {"gaitdyn": "0.1.0", "host": "lab7", "process": 4, "start": "2025-11-03T08:00:00Z"}


def text_of(document) -> str:
    return json.dumps(document) + "\n"


def results(folder: Path, sha: str = "a" * 64, **files: str) -> Path:
    """Write a folder as gaitdyn does: tables and a document that lists them."""
    folder.mkdir(parents=True)
    for name, text in {"peaks.csv": "old", **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    document = {"inputs": [{"role": "trial", "sha256": sha}]}
    told = with_files(document, folder, text_of)[1]
    (folder / "result.json").write_text(told, encoding="utf-8", newline="\n")
    return folder


def names(folder: Path) -> list[str]:
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if not p.is_dir())


def dead_aside(target: Path, name: str = "abcdefgh") -> Path:
    """Leave what a writer leaves that was killed."""
    place = target.parent / f".{target.name}.gaitdyn-{name}"
    (place / NEW).mkdir(parents=True)
    (place / NEW / "half.csv").write_text("1,", encoding="utf-8")
    (place / MARKER).write_text(json.dumps({**DEAD, "target": target.name}), encoding="utf-8")
    return place


# ---------------------------------------------------------------- locks


def test_a_second_writer_waits_until_the_first_is_through(tmp_path):
    said, order = [], []

    def second() -> None:
        with claimed(tmp_path / "walk01", said.append):
            order.append("second")

    with claimed(tmp_path / "walk01"):
        thread = threading.Thread(target=second)
        thread.start()
        while not said:
            time.sleep(0.01)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
    assert f"process {os.getpid()}" in said[0]
    assert "waiting" in said[0]
    assert names(tmp_path) == []


def test_who_does_not_wait_hears_who_is_writing(tmp_path):
    with (
        claimed(tmp_path / "walk01"),
        pytest.raises(Busy, match=rf"another run \(process {os.getpid()} on .*started 2"),
        claimed(tmp_path / "walk01", patience_s=0),
    ):
        pass


def test_the_lock_of_a_dead_run_is_taken_over_with_a_word(tmp_path):
    lock = tmp_path / hidden_name(tmp_path / "walk01", "gaitdyn-lock")
    lock.write_text(json.dumps(DEAD), encoding="utf-8")
    said = []
    with claimed(tmp_path / "walk01", said.append):
        told = json.loads(lock.read_text(encoding="utf-8"))
        assert told["process"] == os.getpid()
        assert {"host", "start"} <= told.keys()
    assert said == [
        (
            f"{tmp_path / 'walk01'}: taken over from a run that crashed"
            " (process 4 on lab7, started 2025-11-03T08:00:00Z)"
        )
    ]
    assert not lock.exists()


def test_a_killed_process_holds_nothing(tmp_path):
    code = (
        "import sys, time; from pathlib import Path; from gaitdyn.store.claims import claimed\n"
        "with claimed(Path(sys.argv[1])): print('held', flush=True); time.sleep(60)"
    )
    words = [sys.executable, "-c", code, str(tmp_path / "walk01")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert try_claim(tmp_path / ".walk01.gaitdyn-lock") is None
        process.kill()
        process.wait()
    said = []
    with claimed(tmp_path / "walk01", said.append, patience_s=5):
        assert f"process {process.pid}" in said[0]


def test_a_name_of_any_length_can_be_held(tmp_path):
    for name in ("x" * 250, "ü" * 120):
        with claimed(tmp_path / name), being_written(tmp_path / name) as place:
            assert place.parent == tmp_path
    assert names(tmp_path) == []


# ---------------------------------------------------------------- what is swept


@pytest.mark.parametrize(
    "name", [".backup-20251103", ".walk01-abcdefgh", ".walk01.gaitdyn-abcdefgh", ".x.gaitdyn-new"]
)
def test_the_folder_of_a_stranger_is_never_swept(tmp_path, name):
    (tmp_path / name).mkdir()
    (tmp_path / name / "mine.txt").write_text("mine", encoding="utf-8")
    sweep(tmp_path)
    assert names(tmp_path) == [f"{name}/mine.txt"]


def test_a_marker_without_our_words_protects_its_folder(tmp_path):
    place = dead_aside(tmp_path / "walk01")
    for words in ("", "{}", "[[[[", '{"process": 4, "target": "../../elsewhere"}'):
        (place / MARKER).write_text(words, encoding="utf-8")
        sweep(tmp_path)
        assert (place / NEW / "half.csv").exists()


def test_what_a_dead_writer_left_is_swept_and_what_a_living_one_writes_is_not(tmp_path):
    dead_aside(tmp_path / "walk01")
    (tmp_path / ".walk02.gaitdyn-lock").write_text(json.dumps(DEAD), encoding="utf-8")
    (tmp_path / ".walk03.gaitdyn-abcdefgh").mkdir()  # killed before it wrote its marker
    with being_written(tmp_path / "walk04") as place:
        (place / NEW / "table.csv").write_text("1", encoding="utf-8")
        sweep(tmp_path)
        assert [p.name for p in tmp_path.iterdir()] == [place.name]
        assert (place / NEW / "table.csv").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_link_of_such_a_name_is_not_followed(tmp_path):
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "mine.txt").touch()
    (tmp_path / "out").mkdir()
    try:
        (tmp_path / "out" / ".walk01.gaitdyn-abcdefgh").symlink_to(tmp_path / "far")
    except OSError:
        pytest.skip("no links here")
    sweep(tmp_path / "out")
    assert (tmp_path / "far" / "mine.txt").exists()


def test_old_results_come_back_when_the_writer_died_between_old_and_new(tmp_path):
    place = dead_aside(tmp_path / "walk01")
    results(place / OLD, **{"notes.txt": "mine"})
    sweep(tmp_path)
    assert names(tmp_path) == ["walk01/notes.txt", "walk01/peaks.csv", "walk01/result.json"]


def test_notes_come_back_when_the_writer_died_after_the_new_results(tmp_path):
    results(tmp_path / "walk01")
    place = dead_aside(tmp_path / "walk01")
    results(place / OLD, **{"terms.csv": "old"})
    (place / OLD / "notes.txt").write_text("mine", encoding="utf-8")
    sweep(tmp_path)
    assert names(tmp_path) == ["walk01/notes.txt", "walk01/peaks.csv", "walk01/result.json"]


# ---------------------------------------------------------------- what is kept


def written(folder: Path, **files: str) -> None:
    with ResultsFolder(folder).writing() as place:
        for name, text in files.items():
            (place / name).write_text(text, encoding="utf-8")


def test_a_rerun_keeps_what_gaitdyn_did_not_write(tmp_path):
    folder = results(tmp_path / "walk01", **{"terms.csv": "old"})
    (folder / "figures").mkdir()
    mine = {"notes.txt": "limps", "figures/mine.txt": "a drawing", "deep/er/.hidden": "x"}
    for name, text in mine.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    written(folder, **{"peaks.csv": "new", "result.json": "{}"})
    assert names(folder) == sorted([*mine, "peaks.csv", "result.json"])
    assert all((folder / name).read_text("utf-8") == text for name, text in mine.items())
    assert (folder / "peaks.csv").read_text("utf-8") == "new"
    assert [p.name for p in tmp_path.iterdir()] == ["walk01"]


def test_results_of_an_older_version_are_told_by_their_names(tmp_path):
    folder = tmp_path / "walk01"
    folder.mkdir()
    old = ("result.json", "timeseries.csv", "values.npz", "notes.txt", "my.csv")
    for name in old:
        (folder / name).write_text("{}", encoding="utf-8")
    written(folder, **{"peaks.csv": "new"})
    assert names(folder) == ["my.csv", "notes.txt", "peaks.csv"]


def test_a_file_of_mine_whose_name_the_new_results_have_is_kept_beside_it(tmp_path):
    folder = results(tmp_path / "walk01")
    (folder / "terms.csv").write_text("mine", encoding="utf-8")
    written(folder, **{"terms.csv": "new"})
    assert (folder / "terms.csv").read_text("utf-8") == "new"
    assert (folder / "terms (kept).csv").read_text("utf-8") == "mine"


def test_an_old_page_of_ours_goes_and_a_page_of_mine_stays(tmp_path):
    folder = results(tmp_path / "walk01")
    ours = '<meta name="generator" content="gaitdyn 0.1.0"></html>'
    (folder / "report.html").write_text(ours, encoding="utf-8")
    (folder / "report.pdf").write_text("mine", encoding="utf-8")
    written(folder, **{"peaks.csv": "new"})
    assert names(folder) == ["peaks.csv", "report.pdf"]


def test_a_link_to_a_folder_stays_a_link(tmp_path):
    results(tmp_path / "far" / "walk01")
    (tmp_path / "out").mkdir()
    try:
        (tmp_path / "out" / "walk01").symlink_to(tmp_path / "far" / "walk01")
    except OSError:
        pytest.skip("no links here")
    if not (tmp_path / "out" / "walk01").is_symlink():
        pytest.skip("no links here")
    written(tmp_path / "out" / "walk01", **{"peaks.csv": "new"})
    assert (tmp_path / "out" / "walk01").is_symlink()
    assert (tmp_path / "far" / "walk01" / "peaks.csv").read_text("utf-8") == "new"


def test_the_old_results_are_back_when_the_new_ones_cannot_take_their_place(tmp_path, monkeypatch):
    folder = results(tmp_path / "walk01")
    before = {name: (folder / name).read_bytes() for name in names(folder)}
    plain = Path.replace

    def replace(self: Path, target: Path) -> Path:
        if self.name == NEW:
            raise OSError(28, "No space left on device")
        return plain(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    with pytest.raises(FileRefused, match="no space left on device; choose another -o"):
        written(folder, **{"peaks.csv": "new"})
    monkeypatch.undo()
    assert {name: (folder / name).read_bytes() for name in names(folder)} == before
    assert [p.name for p in tmp_path.iterdir()] == ["walk01"]


def test_files_are_on_the_disk_before_they_take_their_place(tmp_path, monkeypatch):
    synced, plain = [], os.fsync

    def fsync(handle: int) -> None:
        synced.append(os.fstat(handle).st_ino)
        plain(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    put_in_place(tmp_path / "page.html", b"page")
    assert (tmp_path / "page.html").stat().st_ino in synced
    before, move = [], Path.replace

    def replace(self: Path, target: Path) -> Path:
        before.append(set(synced))
        return move(self, target)

    monkeypatch.setattr(Path, "replace", replace)
    folder = tmp_path / "walk02"
    with being_written(folder) as place:
        (place / NEW / "figures").mkdir()
        for name in ("peaks.csv", "result.json", "figures/grid.png"):
            (place / NEW / name).write_text(name, encoding="utf-8")
        put_folder(place, folder)
    files = {path.stat().st_ino for path in folder.rglob("*") if path.is_file()}
    assert len(files) == 3
    assert files <= before[-1]
    if os.name != "nt":
        assert {folder.stat().st_ino, (folder / "figures").stat().st_ino} <= before[-1]
        assert tmp_path.stat().st_ino in synced


def test_a_folder_of_somebody_else_is_told_from_one_of_another_recording(tmp_path):
    (tmp_path / "walk01").mkdir()
    (tmp_path / "walk01" / "notes.txt").touch()
    with pytest.raises(OutputRefused, match="holds files that gaitdyn did not write"):
        ResultsFolder(tmp_path / "walk01").check("b" * 64)


def test_results_whose_document_is_cut_off_are_known_by_the_hashes_in_the_rest(tmp_path):
    folder = tmp_path / "walk01"
    results(folder, "a" * 64)
    whole = (folder / "result.json").read_text("utf-8")
    (folder / "result.json").write_text(whole[: whole.index("a" * 64) + 65], encoding="utf-8")
    ResultsFolder(folder).check("a" * 64)
    with pytest.raises(OutputRefused, match="the results of another file of that name"):
        ResultsFolder(folder).check("b" * 64)
    (folder / "result.json").unlink()
    (folder / "batch.json").write_text(f'{{"trial": "{"a" * 64}', encoding="utf-8")
    (folder / "values.npz").write_bytes(b"a" * 64)
    with pytest.raises(OutputRefused, match="holds files that gaitdyn did not write"):
        ResultsFolder(folder).check("a" * 64)


def test_who_waited_looks_again_whose_results_stand_there(tmp_path):
    folder = ResultsFolder(tmp_path / "walk01")
    folder.check("b" * 64)  # nothing there yet
    results(tmp_path / "walk01", "a" * 64)  # another run was faster, with another trial
    with pytest.raises(OutputRefused, match="the results of another file of that name"):
        _enter(folder, "b" * 64)
    assert (tmp_path / "walk01" / "peaks.csv").read_text("utf-8") == "old"


def _enter(folder: ResultsFolder, sha256: str) -> None:
    with folder.writing(sha256):
        pass


def test_results_wait_for_a_folder_that_another_run_is_writing(tmp_path):
    held, said = threading.Event(), []

    def other() -> None:
        with claimed(tmp_path / "walk01"):
            held.set()
            while not said:
                time.sleep(0.01)
            results(tmp_path / "walk01")

    thread = threading.Thread(target=other)
    thread.start()
    held.wait(10)
    with ResultsFolder(tmp_path / "walk01", say=said.append).writing("a" * 64) as place:
        assert (tmp_path / "walk01" / "result.json").exists()
        (place / "peaks.csv").write_text("new", encoding="utf-8")
    thread.join()
    assert "waiting for another run" in said[0]
    assert names(tmp_path) == ["walk01/peaks.csv"]
