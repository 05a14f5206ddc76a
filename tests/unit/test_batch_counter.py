"""The counter of a batch: its total is the most that it can be until all sessions are planned."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from gaitdyn_cli.progress import Lines


def plan(recordings: int, *doubts: str) -> Any:
    trials = tuple(SimpleNamespace(role="dynamic") for _ in range(recordings))
    return SimpleNamespace(trials=trials, told_name="S1", doubts=doubts)


def done(name: str, verdict: str = "pass", worst: str | None = None) -> Any:
    row = {"verdict": verdict, "worst": worst}
    return SimpleNamespace(
        name=name, session="S1", state="done", row=row, notes=(), changed="", reason=""
    )


def test_the_total_is_at_most_until_the_last_session_is_planned(capsys):
    lines = cast("Any", Lines())
    lines.begin(9)
    lines.planned(plan(4), 2)
    lines.ended(done("walk01"))
    lines.planned(plan(4), 3)
    lines.ended(done("walk02"))
    lines.refused(1)
    lines.ended(done("walk03"))
    told = capsys.readouterr().err.splitlines()
    assert [line.partition("]")[0] for line in told] == ["[1/at most 7", "[2/at most 6", "[3/5"]


def test_a_verdict_that_is_no_pass_has_its_worst_reason_in_few_words(capsys):
    lines = cast("Any", Lines())
    lines.begin(3)
    lines.planned(plan(3), 3)
    lines.ended(done("walk01"))
    lines.ended(done("walk02", "fail", "moment-implausible: left ankle: moment 5.44 N m/kg"))
    lines.ended(done("walk03", "check", "no plates in the file: kinematics only; add them"))
    assert [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "pass",
        "fail (a joint moment is impossible)",
        "check (no plates in the file: kinematics only)",
    ]


def test_measurements_that_are_not_read_are_told_before_the_trials(capsys):
    lines = cast("Any", Lines())
    lines.begin(2)
    unread = "subject.toml beside the recordings is not read: name it with --subject"
    lines.planned(plan(2, "the folder holds 2 people", unread), 1)
    assert capsys.readouterr().err.splitlines() == [
        "S1: the folder holds 2 people", f"S1: {unread}",
    ]  # fmt: skip
