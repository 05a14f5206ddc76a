"""Sessions of one name: each source has its own folder, and finds it again."""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import sys
from collections import deque
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from gaitdyn.batch import BatchSettings, open_sessions, recorded_source
from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.owners import OwnedFolder, Owners
from gaitdyn.batch.pages import write_index
from gaitdyn.batch.pool import run_tasks
from gaitdyn.batch.session_lock import SessionLocks
from gaitdyn.batch.task import Task
from gaitdyn.batch.told_apart import told_apart
from gaitdyn.io.plain_files import file_sha256


class Inline:
    """A pool that works where it stands."""

    window = 4

    def executor(self):
        return self

    def submit(self, _, task):
        future: Future[Outcome] = Future()
        future.set_result(task.run())
        return future

    renew = alone = close = None


class Deaf:
    """A listener that hears nothing."""

    def planned(self, plan, trials):
        pass

    def refused(self, recordings):
        pass


def marked(task: Task) -> Outcome:
    """Write whose a trial is in the place of its results."""
    task.folder.mkdir(parents=True, exist_ok=True)
    whose = (Path(task.trial).parent / "whose").read_text(encoding="utf-8")
    with (task.folder / "whose").open("a", encoding="utf-8") as file:
        file.write(f"{whose}\n")
    return Outcome(task.session, task.name, Path(task.trial).name, "failed", "not asked for")


def batch(out: Path, folders: list[Path], **words) -> None:
    """Run the tasks of a batch; what is done with a trial is only to say whose it is."""
    settings = BatchSettings(out, reports=(), **words)
    out.mkdir(exist_ok=True)
    sessions: dict = {}
    urgent: deque = deque()
    pool: Any = Inline()
    listener: Any = Deaf()
    locks = SessionLocks(out)
    tasks = open_sessions.tasks_of_sessions(folders, settings, sessions, urgent, listener, locks)
    for found in run_tasks(tasks, pool, urgent):
        if found.name:
            open_sessions.close_trial(sessions, found, urgent)
    locks.release_all()


def source(folder: Path, synthetic: Path, whose: str) -> Path:
    folder.mkdir(parents=True)
    copy = os.link if sys.platform == "win32" else os.symlink  # a link of files needs no rights
    copy(synthetic / "walk01.c3d", folder / "walk01.c3d")
    (folder / "whose").write_text(whose, encoding="utf-8")
    return folder


def owned(out: Path) -> dict[str, set[str]]:
    """Return folder -> who is in it."""
    return {
        path.name: {w for x in path.glob("*/whose") for w in x.read_text().split("\n") if w}
        for path in out.iterdir()
        if path.is_dir()
    }


@pytest.fixture
def quick(monkeypatch):
    monkeypatch.setattr(Task, "run", marked)


def test_trials_and_sessions_named_like_an_output_get_a_name_of_their_own(tmp_path):
    paths = [tmp_path / f"{name}.c3d" for name in ("walk01", "summary.csv", "Session.JSON")]
    plan: Any = SimpleNamespace(
        trials=[SimpleNamespace(path=p, options=None, visit=None, role="dynamic") for p in paths]
    )
    tasks = open_sessions._trial_tasks(plan, "S01", BatchSettings(tmp_path))  # noqa: SLF001
    assert [task.name for task in tasks] == ["walk01", "summary.csv-2", "Session.JSON-2"]
    folder = tmp_path / "day" / "index.html"
    folder.mkdir(parents=True)
    assert Owners(tmp_path / "out").likely(folder) == "index.html (day)"


@pytest.mark.slow
def test_pairs_of_sessions_of_one_name_are_never_mixed(quick, synthetic, tmp_path):
    words, out = random.Random(18), tmp_path / "out"  # noqa: S311  no secret
    folders, places = [], {}
    for pair in range(8):
        name = words.choice(["Session 1", "session 1", "2024-05", "pre", "Sitzung"])
        above = words.choice(["Pat", "pat", f"clinic {pair % 3}"])
        for who in "AB":
            place = tmp_path / f"disk{words.randrange(3)}" / f"{pair} {who}" / above
            folders.append(source(place / name, synthetic, f"{pair}{who}"))
    for _ in range(3):
        words.shuffle(folders)
        cut = words.randrange(1, len(folders))
        batch(out, folders[:cut])
        batch(out, folders[cut:])
        found = owned(out)
        assert all(len(people) == 1 for people in found.values()), found
        assert len(found) == len(folders)
        now = {next(iter(people)): name for name, people in found.items()}
        assert not places or places == now  # order decides once
        places = now
    assert len({name.casefold() for name in places.values()}) == len(places)


def test_the_second_adds_its_parents_name_and_reruns_find_it(quick, synthetic, tmp_path):
    one, two = (source(tmp_path / p / "Session 1", synthetic, p) for p in ("PatA", "PatB"))
    out = tmp_path / "out"
    batch(out, [one, two])
    assert owned(out) == {"Session 1": {"PatA"}, "Session 1 (PatB)": {"PatB"}}
    batch(out, [two])
    batch(out, [two, one])
    assert owned(out) == {"Session 1": {"PatA"}, "Session 1 (PatB)": {"PatB"}}
    told = json.loads((out / "Session 1 (PatB)" / "session.json").read_text(encoding="utf-8"))
    assert told["source"] == {"path": two.as_posix(), "relative": "../../PatB/Session 1"}
    assert any("Session 1 (PatB)" in note for note in told["notes"])


def test_a_source_is_found_again_when_all_moved_together(quick, synthetic, tmp_path):
    one = source(tmp_path / "lab" / "PatA" / "S", synthetic, "A")
    batch(tmp_path / "lab" / "out", [one])
    moved = (tmp_path / "lab").rename(tmp_path / "moved")
    batch(moved / "out", [moved / "PatA" / "S"])
    assert owned(moved / "out") == {"S": {"A"}}


def test_a_copied_output_is_not_taken_for_that_of_another_study(quick, synthetic, tmp_path):
    one, two = (source(tmp_path / s / "Pat01" / "S", synthetic, s) for s in ("study1", "study2"))
    batch(tmp_path / "study1" / "out", [one])
    shutil.copytree(tmp_path / "study1" / "out", tmp_path / "study2" / "out")
    batch(tmp_path / "study2" / "out", [two])
    found = owned(tmp_path / "study2" / "out")
    assert found == {"S": {"study1"}, "S (Pat01)": {"study2"}}


def test_with_pseudonyms_the_owner_is_told_by_a_hash(quick, synthetic, tmp_path):
    one, two = (source(tmp_path / p / "S", synthetic, p) for p in ("Ann", "Bea"))
    out = tmp_path / "out"
    batch(out, [one, two], pseudonyms=True)
    batch(out, [two, one], pseudonyms=True)
    assert owned(out) == {"S": {"Ann"}, "S (Bea)": {"Bea"}}
    for folder in ("S", "S (Bea)"):
        told = json.loads((out / folder / "session.json").read_text(encoding="utf-8"))
        assert list(told["source"]) == ["path_sha256"]


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "out" / "S").mkdir(parents=True)
    (tmp_path / "out" / "S" / "notes.txt").write_text("mine")
    (tmp_path / "Pat" / "S").mkdir(parents=True)
    assert Owners(tmp_path / "out").claim(tmp_path / "Pat" / "S").name == "S (Pat)"


def test_results_without_an_owner_are_taken_over_by_their_recordings_alone(results, tmp_path):
    out, name = tmp_path / "out", results.name
    shutil.copytree(results, out / "S" / name)
    document = json.loads((results / "result.json").read_text(encoding="utf-8"))
    trial = results / next(x["relative"] for x in document["inputs"] if x["role"] == "trial")
    other = tmp_path / "other" / "S"
    other.mkdir(parents=True)
    (other / "walk01.c3d").write_bytes(b"another")
    own = tmp_path / "own" / "S"
    own.mkdir(parents=True)
    shutil.copy(trial, own)
    assert Owners(out).claim(other).name == "S (other)"
    assert Owners(out).claim(own).name == "S"
    assert Owners(out).claim(other).name == "S (other)"


def test_results_of_a_trc_file_without_an_owner_are_taken_over(tmp_path):
    source, place = tmp_path / "in" / "S", tmp_path / "out" / "S" / "walk"
    for folder in (source, place):
        folder.mkdir(parents=True)
    (source / "walk.trc").write_bytes(b"markers")
    entry = {"role": "trial", "sha256": file_sha256(source / "walk.trc")}
    (place / "result.json").write_text(json.dumps({"inputs": [entry]}), encoding="utf-8")
    assert Owners(tmp_path / "out").claim(source) == OwnedFolder("S")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such folders")
def test_a_name_that_not_every_disk_can_have_is_told_as_that(tmp_path):
    (tmp_path / "out").mkdir()
    owners = Owners(tmp_path / "out")
    for name, ours in (("con", "_con"), ("visit 1.", "visit 1"), ("index.html", "index.html (in)")):
        (tmp_path / "in" / name).mkdir(parents=True)
        owned_folder = owners.claim(tmp_path / "in" / name)
        assert owned_folder.name == ours
        assert "another folder" not in owned_folder.note
        assert owned_folder.note.endswith(f"the results of this one are in {ours}")


def test_a_source_is_not_compared_with_every_other(tmp_path, monkeypatch):
    counted: list[Path] = []
    monkeypatch.setattr(recorded_source, "_relative", lambda place, _: counted.append(place))
    (tmp_path / "out").mkdir()
    sources = [tmp_path / f"P{i}" / "visit" for i in range(20)]
    for source in sources:
        source.mkdir(parents=True)
    for _ in range(2):
        known = Owners(tmp_path / "out")
        assert len({known.claim(source).name for source in sources}) == len(sources)
    assert len(counted) <= 4 * len(sources)


def test_of_two_claims_at_once_one_has_the_name(tmp_path):
    sources = [tmp_path / p / "S" for p in ("A", "B", "C")]
    out = tmp_path / "out"
    for place in (*sources, out):
        place.mkdir(parents=True)
    at_once = [Owners(out) for _ in sources]
    for owners, one in zip(at_once, sources, strict=True):
        assert owners.likely(one) == "S"  # all look before any of them writes
    names = [o.claim(one).name for o, one in zip(at_once, sources, strict=True)]
    assert names == ["S", "S (B)", "S (C)"]


def test_who_saw_the_folder_before_its_record_takes_the_same_one(tmp_path):
    source, out = tmp_path / "S01", tmp_path / "out"
    source.mkdir()
    (out / "S01").mkdir(parents=True)
    (out / "S01" / ".session-k3f9.json").touch()  # another run is about to record it
    late = Owners(out)
    assert late.likely(source) == "S01"
    (out / "S01" / ".session-k3f9.json").unlink()
    assert Owners(out).claim(source).name == "S01"
    assert late.claim(source).name == "S01"  # though it read what is recorded before


def test_the_index_names_each_of_several_visits_with_its_person(tmp_path: Path) -> None:
    """The folder of the first had no person: which one that was depended on the order of runs."""
    counts = {"trials": 1, "done": 1, "failed": 0}
    sources = {"visit1": "/d/P0/visit1", "visit1 (P2)": "/d/P2/visit1", "visit2": "/d/P0/visit2",
               "S": "/a/P0/S", "S (P0)": "/b/P0/S"}  # fmt: skip
    for name, source in sources.items():
        (tmp_path / name).mkdir()
        document = {"session": name, "source": {"path": source}, "counts": counts, "trials": []}
        (tmp_path / name / "session.json").write_text(json.dumps(document), encoding="utf-8")
    page = write_index(tmp_path).read_text(encoding="utf-8")
    told = re.findall(r'<th scope="row">(.*?)</th>', page)
    assert told == ["S (a, P0)", "S (b, P0)", "visit1 (P0)", "visit1 (P2)", "visit2"]
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == {*sources}


def test_a_source_that_is_recorded_as_a_hash_keeps_its_name() -> None:
    hidden = {"session": "S", "source": {"path_sha256": "0"}, "trials": []}
    seen = {"session": "S (P0)", "source": {"path": "/d/P0/S"}, "trials": []}
    assert told_apart([hidden, seen]) == [hidden, seen]
