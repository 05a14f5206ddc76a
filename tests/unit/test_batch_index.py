"""What a batch does beside its trials: the index, and what happens when it is refused."""

from __future__ import annotations

import errno
import json
import time
from collections import deque
from multiprocessing import get_context
from pathlib import Path

import pytest
import typer

from gaitdyn.batch import BatchSettings, open_sessions, pages, run
from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.owners import Owners
from gaitdyn.batch.session_lock import SessionLocks
from gaitdyn.batch.session_task import SessionTask
from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.judge.settings import settings_of
from gaitdyn.store import pages as store_pages
from gaitdyn.uncertainty.sweeps import parse_sweeps
from gaitdyn_cli import console
from gaitdyn_cli.app import app_of
from gaitdyn_cli.progress import Progress
from tests.cli.copied_session import session


def test_an_index_without_room_is_a_failure_with_its_reason(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pages, "write_index", full)
    (found,) = run.index_failures(tmp_path)
    assert (found.state, found.name, found.file) == ("failed", "", "index.html")
    assert found.reason == "index.html: no space left on device"


def test_an_index_without_room_is_not_named_as_the_results(
    synthetic, tmp_path, monkeypatch, capsys
):
    """The last line was ``results: out/index.html``, which was not there."""

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(pages, "write_index", full)
    command = typer.main.get_command(app_of("batch"))
    words = ["batch", str(session(tmp_path / "S01", synthetic, 1)), "-o", str(tmp_path / "out")]
    words += ["--jobs", "1", "--report", "none"]
    assert console.run(lambda: command.main(words, "gaitdyn", standalone_mode=False)) == 3
    said = capsys.readouterr()
    assert said.out.startswith("1 done, 0 failed")
    assert "results:" not in said.out
    assert "1 page failed:\n  index.html  no space left on device\n" in said.err


RULED_OUT = [
    (
        {"profile": "plug-in-gait"},
        {"sensitivity": True},
        "--sensitivity is for the profile default",
    ),
    ({"cutoff_hz": None}, {"sensitivity": True}, "--sensitivity needs --cutoff"),
    ({"profile": "plug-in-gait"}, {"sweeps": ("hip=bell",)}, "--sweep hip=bell: --profile"),
    ({"uncertainty": "gone.toml"}, {}, "--uncertainty is 'gone.toml'"),
]


@pytest.mark.parametrize(("options", "wanted", "why"), RULED_OUT)
def test_what_the_options_rule_out_is_refused_before_the_batch(
    synthetic, tmp_path, options, wanted, why
):
    """Each trial was processed, and then failed for the same reason."""
    settings = BatchSettings(tmp_path / "out", jobs=1, options=options, **wanted)
    with pytest.raises(UsageError) as told:
        run.run_batch([synthetic], settings, Progress())
    assert why in str(told.value)
    assert not (tmp_path / "out").exists()


def test_a_session_whose_file_rules_it_out_for_every_trial_is_refused_once(synthetic, tmp_path):
    folder = session(tmp_path / "S01", synthetic, 2)
    (folder / "session.toml").write_text('[options]\nprofile = "plug-in-gait"\n', "utf-8")
    settings = BatchSettings(tmp_path / "out", jobs=1, reports=(), sensitivity=True)
    (failure,) = run.run_batch([folder], settings, Progress())
    assert failure.name == ""
    assert failure.reason.startswith("--sensitivity is for the profile default")


def test_workers_elsewhere_get_whole_paths(tmp_path, monkeypatch):
    (tmp_path / "own.csv").touch()
    monkeypatch.chdir(tmp_path)
    sweeps = ("anthropometry=dumas, own.csv", "cutoff=6,none")
    settings = BatchSettings(Path("out"), options={"anthropometry": "own.csv"}, sweeps=sweeps)
    whole = run._with_whole_paths(settings)  # noqa: SLF001
    assert whole.out == tmp_path / "out"
    assert whole.options == {"anthropometry": str(tmp_path / "own.csv")}
    assert whole.sweeps == (f"anthropometry=dumas,{tmp_path / 'own.csv'}", "cutoff=6,none")
    words = [setting.word for text in whole.sweeps for setting in parse_sweeps([text])]
    assert words == ["dumas", "own.csv", "6", "none"]


def test_an_index_that_is_written_is_no_failure(tmp_path):
    assert run.index_failures(tmp_path) == []
    assert (tmp_path / "index.html").is_file()


@pytest.mark.parametrize(
    "text",
    [
        '{"trials": 5}',
        '{"trials": [{"a": 1}]}',
        '{"trials": [], "session": "z", "counts": {"trials": "a"}}',
        '{"trials": [], "session": "z", "counts": {"trials": 1, "done": 1, "failed": "0"}}',
        '{"source": 5, "trials": []}',
        "[" * 100_000,
        "no document",
        "7",
    ],
)
def test_a_session_that_cannot_be_read_is_named_and_left_out(tmp_path, text):
    (tmp_path / "Z&b").mkdir()
    (tmp_path / "Z&b" / "session.json").write_text(text, encoding="utf-8")
    page = pages.write_index(tmp_path).read_text(encoding="utf-8")
    assert "session.json cannot be read: Z&amp;b." in page
    (tmp_path / "Z&b" / "session.json").write_text('{"source": {}}', encoding="utf-8")
    assert "cannot be read" not in pages.write_index(tmp_path).read_text(encoding="utf-8")
    assert not Owners(tmp_path).likely(tmp_path / "none").startswith("Z")


def test_a_session_whose_results_are_being_replaced_leaves_the_index(tmp_path):
    """A batch that is stopped then leaves no numbers of results that are no longer there."""
    counts = {"trials": 2, "done": 2, "failed": 0}
    trials = [{"name": name, "state": "done"} for name in ("walk01", "walk02")]
    document = {"session": "S01", "source": {"path": "x"}, "trials": trials, "counts": counts}
    place = tmp_path / "S01"
    place.mkdir()
    (place / "session.json").write_text(json.dumps(document), encoding="utf-8")
    for name in ("summary.csv", "emg.csv", "notes.txt"):
        (place / name).write_text("of before", encoding="utf-8")
    (place / "report.html").write_bytes(store_pages.MARKS[".html"])
    task = SessionTask("S01", "x", BatchSettings(tmp_path), ())

    def done(changed: str) -> None:
        sessions = {"S01": open_sessions.OpenSession(task, 2, [])}
        outcome = Outcome("S01", "walk01", "walk01.c3d", "done", changed=changed)
        open_sessions.close_trial(sessions, outcome, deque())

    done("")
    assert "walk02" in pages.write_index(tmp_path).read_text(encoding="utf-8")
    done("cutoff_hz was 10.0, is 6.0")
    now = json.loads((place / "session.json").read_text(encoding="utf-8"))
    assert now == {"session": "S01", "source": {"path": "x"}}
    assert {path.name for path in place.iterdir()} == {"session.json", "notes.txt"}
    assert "S01" not in pages.write_index(tmp_path).read_text(encoding="utf-8")


def test_an_index_without_sessions_says_nothing_of_their_recordings(tmp_path):
    page = pages.write_index(tmp_path).read_text(encoding="utf-8")
    assert "No session is complete." in page
    assert "recordings" not in page.partition("</style>")[2].lower()


def test_settings_that_differ_are_in_the_rows_of_the_index(tmp_path):
    def session(name, cutoffs):
        document = {"session": name, "trials": [], "counts": {"trials": 0, "done": 0, "failed": 0}}
        document["settings"] = {"--cutoff": cutoffs, "--filter": ["spline"]}
        (tmp_path / name).mkdir(exist_ok=True)
        (tmp_path / name / "session.json").write_text(json.dumps(document), encoding="utf-8")

    session("S01", ["10"])
    session("S02", ["10"])
    assert "--cutoff" not in pages.write_index(tmp_path).read_text(encoding="utf-8")
    session("S02", ["10", "6"])
    page = pages.write_index(tmp_path).read_text(encoding="utf-8")
    assert "Settings that differ" in page
    assert ">--cutoff 10<" in page
    assert ">--cutoff 10/6<" in page
    session("S03", [])  # all of its trials failed
    assert "--cutoff <" not in pages.write_index(tmp_path).read_text(encoding="utf-8")
    assert "--filter" not in page


def test_a_body_segment_table_chosen_for_the_person_is_no_setting_of_the_index():
    def document(age_years, table, profile="default"):
        person = {"age_years": age_years, "mass_kg": 30.0, "height_m": None}
        return {"options": {"anthropometry": table, "profile": profile}, "subject": person}

    child, adult = document(9.0, "jensen"), document(30.0, "dempster-winter")
    vendor = document(30.0, "plug-in-gait", "plug-in-gait")
    asked = document(9.0, "dempster-winter")
    tables = [settings_of([one])["--anthropometry"] for one in (child, adult, vendor, asked)]
    assert tables == [["auto"], ["auto"], ["auto"], ["dempster-winter"]]


def test_a_batch_that_is_refused_ends_its_own_processes_alone(tmp_path):
    other = get_context("spawn").Process(target=time.sleep, args=(60,), daemon=True)
    other.start()
    try:
        with pytest.raises(FileRefused, match="found no folder"):
            run.run_batch([Path("no such folder")], BatchSettings(tmp_path), Progress())
        other.join(0.2)
        assert other.is_alive()
    finally:
        other.kill()


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("gaitdyn.batch.session_lock.try_claim", "cannot write to OUT: disk of others; choose"),
        ("gaitdyn.session.plan_session", "walk.c3d: disk of others"),
    ],
)
def test_a_session_that_the_system_refuses_is_told_in_words(
    place, said, synthetic, tmp_path, monkeypatch
):
    def refuse(*_args, **_words):
        raise OSError(errno.EROFS, "Disk of others", "walk.c3d")

    monkeypatch.setattr(place, refuse)
    settings = BatchSettings(tmp_path)
    tasks = open_sessions.tasks_of_sessions(
        [synthetic], settings, {}, deque(), Progress(), SessionLocks(tmp_path)
    )
    (refused,) = [task.run() for task in tasks]
    assert refused.reason.startswith(said.replace("OUT", str(tmp_path)))


def test_a_failure_names_its_file_once(tmp_path):
    reason = "walk.c3d: found an empty file"
    trial = {"name": "walk", "file": "walk.c3d", "state": "failed", "reason": reason}
    document = {
        "session": "S01",
        "trials": [trial],
        "counts": {"trials": 1, "done": 0, "failed": 1},
    }
    (tmp_path / "S01").mkdir()
    (tmp_path / "S01" / "session.json").write_text(json.dumps(document), encoding="utf-8")
    page = pages.write_index(tmp_path).read_text(encoding="utf-8")
    assert '<td>walk.c3d</td><td class="why failed">found an empty file</td>' in page
