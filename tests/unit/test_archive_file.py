"""The file of an archive: versions, foreign files, writers and readers."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, cast

import pytest

from gaitdyn.archive import (
    add_results,
    export_archive,
    parse_where,
    read_curves,
    reading,
    schema,
    writing,
)
from gaitdyn.archive.add import add_record
from gaitdyn.archive.changes import session_changes
from gaitdyn.archive.connection import transaction
from gaitdyn.archive.control_numbers import read_numbers
from gaitdyn.archive.doubted_trials import DoubtedTrials
from gaitdyn.archive.query import count_rows
from gaitdyn.archive.trial_rows import insert_trial
from gaitdyn.errors import ArchiveRefused, ResultsRefused, UsageError
from tests.unit import archive_records as records

HERE = Path(__file__).parent
WRITER = """
import os, sys
from pathlib import Path
sys.path.insert(0, {here!r})
import archive_records as records
from gaitdyn.archive import writing
from gaitdyn.archive.add import add_record
from gaitdyn.archive.connection import transaction
from gaitdyn.archive.trial_rows import insert_trial

with writing(Path({path!r})) as connection:
    for i in range(3):
        add_record(connection, records.trial(f"walk{{i}}"))
    with transaction(connection):
        for i in range(3, 400):
            insert_trial(connection, records.trial(f"walk{{i}}"), {{}})
        print("inside", flush=True)
        sys.stdin.read()
"""


@pytest.fixture
def archive(tmp_path):
    path = tmp_path / "lab.gaitdyn"
    with writing(path) as connection:
        add_record(connection, records.trial())
    return path


def rows(path: Path) -> dict[str, int]:
    with reading(path) as connection:
        return count_rows(connection)


def test_a_new_file_has_the_tables_the_version_and_the_mark_of_an_archive(archive):
    assert set(rows(archive)) == {
        "subject",
        "session",
        "trial",
        "cycle",
        "quantity",
        "parameter",
        "peak",
        "curve",
        "quality",
        "provenance",
    }
    with reading(archive) as connection:
        told = [
            connection.execute(f"PRAGMA {word}").fetchone()[0]
            for word in ("application_id", "user_version", "journal_mode", "foreign_keys")
        ]
    assert told == [schema.APPLICATION_ID, len(schema.MIGRATIONS), "wal", 1]


def test_a_killed_writer_leaves_whole_trials_only(tmp_path):
    path = tmp_path / "lab.gaitdyn"
    program = WRITER.format(here=str(HERE), path=str(path))
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "inside\n"
        assert rows(path)["trial"] == 3  # also while the writer is at it
        writer.kill()
        assert writer.wait() != 0
    found = rows(path)
    assert (found["trial"], found["cycle"], found["curve"]) == (3, 6, 12)
    with writing(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert connection.execute("PRAGMA foreign_key_check").fetchone() is None
        assert add_record(connection, records.trial("walk3")) == "added"


def test_readers_see_whole_trials_while_a_writer_adds(archive):
    seen: list[tuple[int, int]] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            found = rows(archive)
            with reading(archive) as connection:
                curves = len(read_curves(connection, "knee_angle_flexion").rows)
            seen.append((found["trial"], curves))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    with writing(archive) as connection:
        for i in range(60):
            add_record(connection, records.trial(f"more{i}"))
    done.set()
    for reader in readers:
        reader.join()
    assert rows(archive)["trial"] == 61
    assert len(seen) >= 3
    assert all(curves % 2 == 0 for _, curves in seen)


def test_a_second_writer_waits_and_is_then_refused_in_one_line(archive):
    with writing(archive) as first, writing(archive, wait_s=0.1) as second:
        with transaction(first):
            insert_trial(first, records.trial("other"), {})
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                add_record(second, records.trial("third"))
        assert add_record(second, records.trial("third")) == "added"
    blocker = sqlite3.connect(archive, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    with (
        pytest.raises(ArchiveRefused, match=r"^lab\.gaitdyn: another program is writing"),
        writing(archive, wait_s=0.1) as connection,
    ):
        add_record(connection, records.trial("fourth"))
    blocker.close()


def test_a_file_of_version_1_becomes_the_next_version_with_its_rows(archive, monkeypatch):
    step = (
        "ALTER TABLE session ADD COLUMN laboratory TEXT NOT NULL DEFAULT ''",
        "CREATE TABLE note (trial_id INTEGER REFERENCES trial ON DELETE CASCADE, text TEXT)",
    )
    before = rows(archive)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    after = rows(archive)  # a reader migrates, too
    assert after.pop("note") == 0
    assert after == before
    with reading(archive) as connection:
        assert connection.execute("SELECT laboratory FROM session").fetchall() == [("",)]
        assert schema.version_of(connection) == len(schema.MIGRATIONS)
        assert connection.execute("PRAGMA foreign_keys").fetchone() == (1,)


def test_a_migration_that_fails_changes_nothing(archive, monkeypatch):
    step = ("ALTER TABLE session ADD COLUMN laboratory TEXT", "INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, step))
    with pytest.raises(ArchiveRefused, match="no such table: nowhere"), writing(archive):
        pass
    monkeypatch.undo()
    with reading(archive) as connection:
        names = [row[1] for row in connection.execute("PRAGMA table_info(session)")]
    assert names == ["id", "subject_id", "name"]


def test_a_newer_version_is_refused_in_words(archive):
    connection = sqlite3.connect(archive)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for opening in (reading, writing):
        with pytest.raises(ArchiveRefused, match=r"version 99 .* newest"), opening(archive):
            pass


def test_files_of_others_are_refused_and_left_as_they_were(tmp_path):
    other = tmp_path / "other.db"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE person (name TEXT)")
    connection.close()
    text = tmp_path / "notes.txt"
    text.write_text("precious")
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(other.read_bytes()[:100] + bytes(4000))
    for path in (other, text, damaged):
        before = path.read_bytes()
        for opening in (reading, writing):
            with pytest.raises(ArchiveRefused, match=rf"^{path.name}: [^\n]+$"), opening(path):
                pass
        assert path.read_bytes() == before
    for path in (tmp_path, tmp_path / "none", tmp_path / "empty"):
        (tmp_path / "empty").touch()
        with pytest.raises(ArchiveRefused, match="found"), reading(path):
            pass


def test_an_empty_file_is_filled(tmp_path):
    path = tmp_path / "empty"
    path.touch()
    with writing(path) as connection:
        add_record(connection, records.trial())
    assert rows(path)["trial"] == 1


def test_a_truncated_archive_is_refused_in_one_line(archive):
    with writing(archive) as connection:
        for i in range(30):
            add_record(connection, records.trial(f"more{i}"))
    archive.write_bytes(archive.read_bytes()[:20_000])
    with pytest.raises(ArchiveRefused, match=r"malformed|damaged"), reading(archive) as connection:
        read_curves(connection, "knee_angle_flexion")


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO session VALUES (9, 77, 'nobody')",
        "INSERT INTO curve VALUES (77, 1, zeroblob(404))",
        "INSERT INTO curve VALUES (1, 77, zeroblob(404))",
        "INSERT INTO parameter VALUES (77, 1, 1.0)",
        "INSERT INTO peak VALUES (77, 1, 1.0, NULL)",
        "INSERT INTO quality VALUES (77, 1, '', '', '', NULL, NULL, '')",
        "INSERT INTO provenance VALUES (77, '', '')",
        "INSERT INTO curve VALUES (1, 3, zeroblob(400))",
        "DELETE FROM quantity WHERE id = 1",
    ],
)
def test_rows_without_their_parents_and_short_curves_are_impossible(archive, sql):
    with pytest.raises(ArchiveRefused, match="constraint"), writing(archive) as connection:
        connection.execute(sql)


def test_a_reader_cannot_write(archive):
    with pytest.raises(ArchiveRefused, match="readonly"), reading(archive) as connection:
        connection.execute("DELETE FROM trial")


def test_a_reader_leaves_no_file_beside_the_archive(archive):
    before = set(archive.parent.iterdir())
    with reading(archive) as connection:
        connection.execute("SELECT count(*) FROM curve").fetchone()
    assert set(archive.parent.iterdir()) == before


def damaged(archive: Path, *statements: str) -> None:
    with sqlite3.connect(archive, isolation_level=None) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
    connection.close()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DROP TABLE peak", "the table peak lacks cycle_id"),
        ("ALTER TABLE cycle DROP COLUMN speed", "the table cycle lacks speed"),
        ("UPDATE trial SET age_years = 'old'", "the table trial has values of another kind"),
        ("UPDATE cycle SET start_s = x'00'", "the table cycle has values of another kind"),
        ("UPDATE provenance SET document = x'ff'", "provenance has values of another kind"),
        ("UPDATE cycle SET trial_id = 99", "a row of cycle without its parent"),
    ],
)
def test_a_tampered_archive_is_refused_with_what_to_do(archive, statement, said):
    damaged(archive, statement)
    for opened in (reading, writing):
        with pytest.raises(ArchiveRefused, match=rf"{said}.*restore a copy, or"), opened(archive):
            pass


@pytest.mark.parametrize("cell", ["zeroblob(9)", "'text'", "7"])
def test_a_curve_that_is_not_101_numbers_is_refused(archive, tmp_path, cell):
    damaged(archive, f"UPDATE curve SET samples = {cell}")  # noqa: S608  words above
    for ask in (
        lambda connection: read_curves(connection, "knee_angle_flexion"),
        lambda connection: export_archive(connection, tmp_path / "out", "csv"),
    ):
        with (
            pytest.raises(ArchiveRefused, match=r"(curve|CHECK).*restore a copy, or"),
            reading(archive) as connection,
        ):
            ask(connection)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("statement", "ask"),
    [
        ("UPDATE provenance SET document = '12'", "export"),
        ("UPDATE provenance SET document = '[1'", "export"),
        ("UPDATE provenance SET document = '[1]'", "changes"),
        ("UPDATE parameter SET value = 'fast'", "changes"),
        ("UPDATE parameter SET value = 'high'", "norm"),
        ("UPDATE curve SET samples = 'text'", "changes"),
        ("UPDATE trial SET name = CAST(x'ff' AS TEXT)", "export"),
    ],
)
def test_cells_that_do_not_hold_what_they_should_are_refused_in_one_line(
    archive, tmp_path, statement, ask
):
    damaged(archive, statement)
    asked = {
        "export": lambda connection: export_archive(connection, tmp_path / "out", "csv"),
        "changes": session_changes,
        "norm": lambda connection: read_numbers(connection, (), DoubtedTrials({})),
    }
    with pytest.raises(ArchiveRefused, match="restore a copy"), reading(archive) as connection:
        asked[ask](connection)


@pytest.mark.parametrize("seed", range(12))
def test_an_archive_with_a_damaged_page_is_refused_or_reads_as_before(archive, seed):
    import random

    with reading(archive) as connection:
        before = read_curves(connection, "knee_angle_flexion")
    with sqlite3.connect(archive) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    chance, raw = random.Random(seed), bytearray(archive.read_bytes())  # noqa: S311
    at = chance.randrange(100, len(raw) - 64)
    raw[at : at + 64] = chance.randbytes(64)
    archive.write_bytes(bytes(raw))
    try:
        with reading(archive) as connection:
            found = read_curves(connection, "knee_angle_flexion")
    except ArchiveRefused as error:
        assert "\n" not in str(error)  # noqa: PT017  either is right
    else:
        assert len(found.rows) in {0, len(before.rows)}


def test_python_names_paths_and_conditions_as_texts(archive, monkeypatch):
    none, number, listed = cast("tuple[Any, Any, Any]", (None, 5, ["side=left"]))
    monkeypatch.setenv("HOME", str(archive.parent))
    monkeypatch.setenv("USERPROFILE", str(archive.parent))  # of Windows
    with reading("~/lab.gaitdyn") as connection:
        name = "knee_angle_flexion"
        left = read_curves(connection, name, "side=left")
        assert left.rows == read_curves(connection, name, parse_where("side=left")).rows
        assert 0 < len(left.rows) < len(read_curves(connection, name, None).rows)
        with pytest.raises(UsageError, match=r"^name is 5, wanted a column of cycles.csv"):
            read_curves(connection, number)
    for opened in (reading, writing):
        with pytest.raises(UsageError, match=r"^path is None, wanted"), opened(none):
            pass
    with pytest.raises(UsageError, match=r"^where is \['side=left'\], wanted a text"):
        parse_where(listed)
    with pytest.raises(UsageError, match=r"^path is None, wanted the path of a results folder"):
        list(add_results(archive, none))
    with pytest.raises(ResultsRefused, match="found no such folder"):
        list(add_results(str(archive), str(archive.parent / "none")))
