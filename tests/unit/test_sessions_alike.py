"""A condition on the name of a session says what other sessions of that name it leaves out."""

from __future__ import annotations

import pytest

from gaitdyn.archive import in_memory, parse_where
from gaitdyn.archive.add import add_record
from gaitdyn.archive.query import sessions_alike
from tests.unit import archive_records as records


@pytest.fixture
def archive():
    with in_memory() as connection:
        for person, name in (
            ("P1", "day1"), ("P2", "day1 (P2)"), ("P3", "day1 (P3)"), ("P4", "day1 (P4)"),
            ("P5", "day10"), ("P6", "day2"),
        ):  # fmt: skip
            add_record(connection, records.trial(subject=person, session=name))
        yield connection


def test_folders_of_one_name_are_told(archive):
    (note,) = sessions_alike(archive, parse_where("session=day1,side=left"))
    assert note == (
        "session=day1 leaves out day1 (P2), day1 (P3) and 1 more: sessions of folders of the same"
        " name have other names"
    )


@pytest.mark.parametrize(
    "where", ["session=day2", "session!=day1", "subject=day1", "session=day1%"]
)
def test_other_conditions_leave_nothing_out_unseen(archive, where):
    assert sessions_alike(archive, parse_where(where)) == []
