"""What a trial hands on to its session: the same page and muscles as by reading its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import gaitdyn.store.stored as stored_module
from gaitdyn.batch import BatchSettings, run_batch
from gaitdyn.batch.handed_on import taken_over
from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.session_task import SessionTask
from gaitdyn.batch.task import Task
from gaitdyn.store.stored_document import read_document
from gaitdyn.types.options import Options

PAGES = ("report.html",)


@pytest.fixture(scope="module")
def done(synthetic: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Task, Outcome]:
    """A trial of a batch that hands on what its session needs."""
    out = tmp_path_factory.mktemp("batch")
    options = Options(static=str(synthetic / "static.c3d"))
    settings = BatchSettings(out, reports=PAGES)
    task = Task("S01", "walk01", str(synthetic / "walk01.c3d"), options, settings)
    return task, task.run()


def asked(task: Task, **settings: Any) -> Task:
    return replace(task, settings=replace(task.settings, **settings))


def refuse(*_: Any) -> None:
    pytest.fail("the folder of the trial was read")


def written(task: Task, outcome: Outcome, *, page: bool = True) -> dict[str, bytes]:
    """Return what the session writes beside its trials."""
    settings = BatchSettings(task.settings.out, reports=PAGES if page else ())
    own = replace(outcome, kept=list(outcome.kept))  # as another process has it
    session = SessionTask(task.session, "S01", settings, (own,))
    assert session.run().state == "done"
    assert not own.kept
    return {p.name: p.read_bytes() for p in task.folder.parent.iterdir() if p.is_file()}


def test_the_session_is_the_same_as_by_reading_the_folder(
    done: tuple[Task, Outcome], monkeypatch: pytest.MonkeyPatch
):
    task, outcome = done
    read = written(task, replace(outcome, kept=[]))
    monkeypatch.setattr(stored_module, "read_trial", refuse)
    assert written(task, outcome) == read
    assert len(read["report.html"]) > 100_000


def test_a_trial_that_was_done_before_hands_on_the_same(
    done: tuple[Task, Outcome], monkeypatch: pytest.MonkeyPatch
):
    task, outcome = done
    again = task.run()
    assert again.state == "skipped"
    monkeypatch.setattr(stored_module, "read_trial", refuse)
    assert written(task, again) == written(task, outcome)


def test_results_that_another_run_put_there_meanwhile_are_read(done: tuple[Task, Outcome]):
    task, outcome = done
    document = read_document(task.folder, "read")
    raw, again = list(outcome.kept), list(outcome.kept)
    assert taken_over(raw, document) is not None
    assert taken_over(raw, document) is None  # emptied
    assert taken_over(again, document | {"seal": "0" * 64}) is None


def test_nothing_is_handed_on_unless_asked_for_or_needed(
    done: tuple[Task, Outcome], tmp_path: Path
):
    task, _ = done
    assert asked(task, dask="tcp://host").run().kept == []
    assert asked(task, reports=(), out=tmp_path).run().kept == []  # no page, and no muscles


class Told:
    """A listener that keeps outcomes."""

    def __init__(self) -> None:
        self.outcomes: list[Outcome] = []

    def begin(self, recordings: int) -> None:
        """Take no notice."""

    def planned(self, plan: Any, trials: int) -> None:
        """Take no notice."""

    def refused(self, recordings: int) -> None:
        """Take no notice."""

    def ended(self, outcome: Outcome) -> None:
        """Keep it."""
        self.outcomes.append(outcome)


@pytest.mark.slow
def test_what_does_not_fit_is_read_from_the_folders(
    synthetic: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    import gaitdyn.batch.open_sessions as sessions_module

    pages = []
    for most in (1 << 30, 1):
        monkeypatch.setattr(sessions_module, "_KEPT_BYTES", most)
        out = tmp_path / f"out{most}"
        told = Told()
        assert run_batch([synthetic], BatchSettings(out), told) == []
        assert any(one.kept for one in told.outcomes)
        pages.append((out / synthetic.name / "report.html").read_bytes())
    assert pages[0] == pages[1]
