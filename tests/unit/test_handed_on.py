"""What a trial hands on to its session: the same page and muscles as by reading its folder."""

from __future__ import annotations

import errno
import os
import pickle
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gaitdyn.batch.task as task_module
import gaitdyn.store.stored as stored_module
from gaitdyn.batch import BatchSettings
from gaitdyn.batch.handed_on import taken_over, with_place
from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.session_task import SessionTask
from gaitdyn.batch.task import Task
from gaitdyn.store.stored import read_trial
from gaitdyn.store.stored_document import read_document
from gaitdyn.types.options import Options

PAGES = ("report.html",)


@pytest.fixture(scope="module")
def done(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Task, Outcome]:
    """A trial of a batch that hands on what its session needs."""
    out, place = tmp_path_factory.mktemp("batch"), tmp_path_factory.mktemp("place")
    options = Options(static=str(synthetic / "static.c3d"))
    settings = BatchSettings(out, reports=PAGES, place=place)
    task = Task("S01", "walk01", str(synthetic / "walk01.c3d"), options, settings)
    return task, task.run()


def asked(task: Task, **settings: Any) -> Task:
    return replace(task, settings=replace(task.settings, **settings))


def refuse(*_: Any) -> None:
    pytest.fail("the folder of the trial was read")


def written(task: Task, outcome: Outcome, *, page: bool = True) -> dict[str, bytes]:
    """Return what the session writes beside its trials."""
    settings = BatchSettings(task.settings.out, reports=PAGES if page else ())
    session = SessionTask(task.session, "S01", settings, (outcome,))
    assert session.run().state == "done"
    assert outcome.kept is None or not outcome.kept.exists()
    return {p.name: p.read_bytes() for p in task.folder.parent.iterdir() if p.is_file()}


def copied(outcome: Outcome) -> Outcome:
    """Return an outcome with a file of its own: what is taken over is removed."""
    assert outcome.kept is not None
    copy = outcome.kept.with_suffix(".copy")
    copy.write_bytes(outcome.kept.read_bytes())
    return replace(outcome, kept=copy)


def test_the_session_is_the_same_as_by_reading_the_folder(
    done: tuple[Task, Outcome], monkeypatch: pytest.MonkeyPatch
):
    task, outcome = done
    read = written(task, replace(outcome, kept=None))
    monkeypatch.setattr(stored_module, "read_trial", refuse)
    assert written(task, copied(outcome)) == read
    assert len(read["report.html"]) > 100_000


def test_a_trial_that_was_done_before_hands_on_the_same(
    done: tuple[Task, Outcome], monkeypatch: pytest.MonkeyPatch
):
    task, outcome = done
    again = task.run()
    assert again.state == "skipped"
    monkeypatch.setattr(stored_module, "read_trial", refuse)
    assert written(task, again) == written(task, copied(outcome))


def test_results_that_another_run_put_there_meanwhile_are_read(done: tuple[Task, Outcome]):
    task, outcome = done
    document = read_document(task.folder, "read")
    once = copied(outcome).kept
    assert taken_over(once, document) is not None
    assert taken_over(once, document) is None  # removed
    assert taken_over(copied(outcome).kept, document | {"seal": "0" * 64}) is None


def test_a_file_that_was_written_by_halves_is_not_taken_over(done: tuple[Task, Outcome]):
    task, outcome = done
    document = read_document(task.folder, "read")
    half = copied(outcome).kept
    assert half is not None
    for whole in (half.read_bytes(), b""):
        half.write_bytes(whole[: len(whole) // 2])
        assert taken_over(half, document) is None


def test_nothing_is_handed_on_unless_asked_for_or_needed(
    done: tuple[Task, Outcome], tmp_path: Path
):
    task, _ = done
    with with_place(BatchSettings(tmp_path, dask="tcp://host")) as settings:
        assert settings.place is None
    assert asked(task, place=None).run().kept is None
    assert asked(task, place=tmp_path / "gone").run().kept is None
    assert asked(task, reports=(), out=tmp_path).run().kept is None  # no page, and no muscles


def test_a_file_that_a_full_disk_cuts_off_does_not_stay(
    done: tuple[Task, Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def full(_: Any, file: Any, *__: Any) -> None:
        file.write(b"half")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pickle, "dump", full)
    task, _ = done
    assert asked(task, place=tmp_path).run().kept is None
    assert [*tmp_path.iterdir()] == []


def test_a_session_with_a_pdf_alone_gets_its_trials_whole(
    done: tuple[Task, Outcome], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """It got the muscles alone, and no session with EMG had a PDF."""
    task, _ = done
    monkeypatch.setattr(task_module, "_write_pages", lambda *_: None)
    pdf = asked(task, out=tmp_path, reports=("report.pdf",))
    kept = pdf.run().kept
    trial = taken_over(kept, read_document(pdf.folder, "read"))
    assert trial is not None
    read = read_trial(task.folder)
    assert (len(trial.cycles), *trial.tables) == (len(read.cycles), *read.tables)


def test_the_place_is_private_and_does_not_stay(tmp_path: Path):
    with with_place(BatchSettings(tmp_path)) as settings:
        assert settings.place is not None
        assert (settings.place.stat().st_mode & 0o077 == 0) or os.name == "nt"
        (settings.place / "left").write_text("by a process that died")
    assert not settings.place.exists()


def test_without_a_folder_for_temporary_files_sessions_read_their_trials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def none_usable() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    monkeypatch.setattr(tempfile, "gettempdir", none_usable)
    with with_place(BatchSettings(tmp_path)) as settings:
        assert settings.place is None


def test_what_a_killed_batch_left_is_removed_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    settings = BatchSettings(tmp_path / "out")
    killed = tmp_path / "gaitdyn-batch-killed"
    (killed / "results of a person").mkdir(parents=True)
    (killed / ".gaitdyn-owned").touch()
    of_another_program = tmp_path / "gaitdyn-batch-notes"
    of_another_program.mkdir()
    with with_place(settings) as first, with_place(settings) as second:
        assert first.place is not None
        assert second.place is not None
        assert first.place.is_dir()
        assert second.place.is_dir()
        assert not killed.exists()
    assert [*tmp_path.iterdir()] == [of_another_program]
