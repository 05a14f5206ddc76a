"""What new users read in the index of a batch, and what they were refused too late."""

from __future__ import annotations

from typing import Any

import pytest

from gaitdyn.batch.index_columns import TRIALS
from gaitdyn.batch.pages import session_row
from gaitdyn.errors import SexMissing
from gaitdyn.pipeline import process_trial


def session(**more: Any) -> dict[str, Any]:
    row = {"state": "done", "verdict": "pass", "left_speed": 1.2, "right_speed": 1.3}
    return {
        "folder": "A", "page": True, "session": "A", "trials": [row],
        "gps_deg": {"left": 5.0, "right": 6.0}, **more,
    }  # fmt: skip


def speed(**row: float | None) -> str:
    (column,) = [c for c in TRIALS if c.head.startswith("Speed")]
    return column.cell(dict(row))


def test_the_speed_of_a_trial_is_that_of_both_sides_or_of_the_one_known():
    assert speed(left_speed=1.20, right_speed=1.30) == "1.25"
    assert speed(left_speed=None, right_speed=1.26) == "1.26"
    assert speed(left_speed=None, right_speed=None) == ""


def test_a_folder_of_several_people_has_no_score_and_no_speed_in_the_index():
    one, four = session_row(session()), session_row(session(people=4))
    assert (one["speed"], one["gps"]["left"], one["subject"]) == (1.25, 5.0, "")
    assert (four["speed"], four["gps"], four["subject"]) == (None, {}, "4 people")


def test_a_named_table_without_the_sex_is_refused_though_muscles_were_recorded(monkeypatch):
    def refused(*_: object, **__: object) -> None:
        message = "the table de-leva has rows by sex"
        raise SexMissing(message)

    monkeypatch.setattr("gaitdyn.pipeline.read_session", lambda *_: _Session())
    monkeypatch.setattr("gaitdyn.pipeline.refuse_standing", lambda _: None)
    monkeypatch.setattr("gaitdyn.pipeline._processed", refused)
    monkeypatch.setattr("gaitdyn.pipeline.without_model", lambda *_: "muscles alone")
    with pytest.raises(SexMissing):
        process_trial("walk.c3d")


class _Session:
    trial = None
