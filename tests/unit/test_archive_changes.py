"""What changed between the sessions of an archive is what changed between their results."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from gaitdyn.archive import add_results, in_memory, parse_where
from gaitdyn.archive.add import add_record
from gaitdyn.archive.changes import session_changes
from gaitdyn.archive.record import CycleRecord, stored_document
from gaitdyn.errors import ArchiveRefused
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.statistics.session_error import error_of_sd
from gaitdyn.store.visit import write_visit
from gaitdyn.types.norms import Norm
from gaitdyn.types.visit import Visit
from tests.unit import archive_records as records
from tests.unit import judge_cases as cases

KNEE = "knee_angle_flexion"
REAL = {}
"""A ``result.json`` that gaitdyn wrote."""


@pytest.fixture(autouse=True, scope="module")
def _real(results):
    REAL.update(json.loads((results / "result.json").read_text(encoding="utf-8")))


def record(stored, subject, session, partial=()):
    """A record of a stored trial; ``partial`` has side and number of cycles with loads in part."""
    curves = tuple(zip(cases.NAMES, cases.UNITS, strict=True))
    told = []
    for one in stored.cycles:
        rows = [
            (row["quantity"], "1", float(row["value"]), None)
            for row in stored.tables["gait_parameters"]
            if (row["side"], row["cycle"]) == (one.cycle.side, str(one.cycle.number))
        ]
        peaks = [
            (row["quantity"], row["unit"], float(row["value"]), float(row["percent"] or "nan"))
            for row in stored.tables["peaks"]
            if (row["side"], row["cycle"]) == (one.cycle.side, str(one.cycle.number))
        ]
        loads = "partial" if (one.cycle.side, one.cycle.number) in partial else "ok"
        told.append(
            CycleRecord(
                one.cycle.side, one.cycle.number, 0.0, 1.0, 60.0, 1.2, 0.4, loads, curves,
                np.ascontiguousarray(one.values.T, dtype="<f4"), tuple(rows), tuple(peaks),
            )
        )  # fmt: skip
    made = records.trial(stored.name, subject=subject, session=session, cycles=tuple(told))
    told = stored_document(replace(stored, document=whole(stored.document)))
    return replace(made, document=json.dumps(told))


def whole(told):
    """A real ``result.json`` with what the trial says instead."""
    inside = {key: REAL[key] | told[key] for key in ("options", "subject", "model")}
    inputs = [
        x | {"sha256": hashlib.sha256(x["sha256"].encode()).hexdigest()} for x in told["inputs"]
    ]
    return REAL | told | inside | {"inputs": inputs}


@pytest.mark.parametrize(
    "change",
    [
        lambda _: {},
        lambda d: {key: d[key] for key in d if key != "inputs"},
        lambda d: d | {"options": []},
        lambda d: d | {"subject": {"id": 7, "left": "long"}},
    ],
)
def test_a_foreign_document_in_an_archive_is_refused_in_one_line(change):
    with in_memory() as connection:
        for number in (1, 2):
            made = record(cases.trial(30 + number), "A", f"2024-0{number}")
            changed = json.dumps(change(json.loads(made.document)))
            add_record(connection, replace(made, document=changed))
        with pytest.raises(ArchiveRefused, match=r"cannot be read \(.*restore a copy") as told:
            session_changes(connection)
    assert "\n" not in str(told.value)


def test_sessions_of_an_archive_are_compared_person_by_person():
    first = cases.trial(31)
    second = cases.trial(32, static="static B", name="walk02", offsets={f"left {KNEE}": 16.0})
    with in_memory() as connection:
        add_record(connection, record(first, "A", "2024-01"))
        add_record(connection, record(second, "A", "2024-07"))
        add_record(connection, record(cases.trial(33), "B", "2024-01"))
        (pair,) = session_changes(connection)
    assert pair[:4] == ("A", "barefoot", "2024-01", "2024-07")
    direct = find_changes([first], [second]).findings
    assert [one.word for one in pair.findings] == [one.word for one in direct]
    (knee,) = (f for f in pair.findings if (f.side, f.curve) == ("left", KNEE))
    assert knee.word == "clear"
    assert np.isclose(knee.level, 16, atol=1)


@pytest.mark.parametrize(
    ("days", "wanted"),
    [
        ({"post": "2024-07-02", "pre": "2024-01-09"}, ["pre", "post"]),
        ({"post": "2024-07-02", "pre": ""}, ["post", "pre"]),
        ({"day 10": "", "day 2": ""}, ["day 2", "day 10"]),
        ({"a": "2024-07-02", "b": "", "c": "2024-01-09"}, ["c", "b", "a"]),
    ],
)
def test_sessions_with_dates_are_compared_in_the_order_of_their_dates(days, wanted):
    """After was compared with before: ``post`` stands before ``pre`` in an alphabet."""
    with in_memory() as connection:
        for i, (session, day) in enumerate(days.items()):
            visit = Visit((("date", day),) if day else ())
            walked = cases.trial(31 + i, name=f"walk{i}", static=f"static {i}")
            add_record(connection, record(replace(walked, visit=visit), "A", session))
        pairs = session_changes(connection)
    assert [(pair.first, pair.second) for pair in pairs] == list(pairwise(wanted))


def test_own_repeats_and_a_norm_judge_the_changes_of_an_archive():
    first = cases.trial(31)
    second = cases.trial(32, static="static B", name="walk02", offsets={"left knee_power": 3.0})
    own = {"knee_power": error_of_sd(0.3, 101, "12 own repeats")}
    with in_memory() as connection:
        add_record(connection, record(first, "A", "2024-01"))
        add_record(connection, record(second, "A", "2024-07"))
        for repeats, word in ((None, "not judged"), (own, "clear")):
            (pair,) = session_changes(connection, repeats=repeats)
            found = {(f.side, f.curve): f for f in pair.findings}
            assert found["left", "knee_power"].word == word
        faster = cases.trial(33, static="static C", name="walk03", speed=0.5)
        add_record(connection, record(faster, "A", "2024-09"))
        groups = cases.group(0.3, 40), cases.group(0.6, 40)
        norm = Norm("own.csv", "a test", "", groups, True)

        def why(given: Norm | None) -> str:
            found = session_changes(connection, norm=given)[1].findings
            return {f.curve: f.reason for f in found}[KNEE]

        reasons = [why(given) for given in (None, norm)]
        connection.execute(
            "INSERT INTO quality SELECT id, 99, 'warning', 'pelvis-backward', '', 0, 0, ''"
            " FROM trial"
        )
        backward = why(norm)
    assert backward == reasons[0]
    assert "give a --norm with groups of such speeds" in reasons[0]
    assert "the reference set's own difference, up to 0.0 deg, is subtracted" in reasons[1]


def test_aids_dates_and_plans_of_visits_count_in_an_archive_too():
    """It compared crutches with none, and took a static of another day for markers left on."""
    plan = f"left {KNEE} swing"
    visits = [
        Visit((("date", "2024-01-09"), ("aids", "none")), planned=(plan,)),
        Visit((("date", "2024-07-02"), ("aids", "none"), ("diagnosis", "diplegia"))),
        Visit((("date", "2024-09-03"), ("aids", "crutches"))),
    ]
    told = [
        replace(cases.trial(31 + i, name=f"walk{i}", strides=6), visit=visit)
        for i, visit in enumerate(visits)
    ]
    with in_memory() as connection:
        for i, one in enumerate(told):
            add_record(connection, record(one, "A", f"day {i}"))
        first, second = session_changes(connection)
        stored = "".join(text for (text,) in connection.execute("SELECT document FROM provenance"))
    assert "diplegia" not in stored
    assert first.findings[0].planned == plan
    assert "the visits of 2024-01-09 and 2024-07-02 share a static" in first.findings[1].reason
    assert first.sentences[0].startswith("no change is called clear: the visits of 2024-01-09 and")
    assert "the walking aids differ: none and crutches" in second.findings[0].reason
    for pair, (before, after) in zip((first, second), pairwise(told), strict=True):
        direct = find_changes([before], [after]).findings
        assert [one.word for one in pair.findings] == [one.word for one in direct]


def test_a_planned_peak_is_judged_from_an_archive_as_from_folders():
    plan = "left knee_moment_extension_max"
    shift = {"left knee_moment_extension": 0.25}
    first = replace(cases.trial(31), visit=Visit(planned=(plan,)))
    told = [cases.with_peaks(one) for one in (first, cases.after(offsets=shift))]
    with in_memory() as connection:
        for day, one in enumerate(told):
            add_record(connection, record(one, "A", f"day {day}"))
        (pair,) = session_changes(connection)
    (direct, *_) = find_changes([told[0]], [told[1]]).findings
    found = pair.findings[0]
    assert (found.planned, found.word, found.sentence) == (plan, direct.word, direct.sentence)
    assert found.word == "clear"
    assert found.level_limit == pytest.approx(direct.level_limit, rel=1e-9)
    # a cycle with loads in part does not count, from an archive as from folders
    rows = [
        row | {"kinetics": "0" if (row["side"], row["cycle"]) == ("left", "1") else "1"}
        for row in told[0].tables["peaks"]
    ]
    partly = replace(told[0], tables={**told[0].tables, "peaks": rows})
    with in_memory() as connection:
        add_record(connection, record(told[0], "A", "day 0", partial={("left", 1)}))
        add_record(connection, record(told[1], "A", "day 1"))
        (pair,) = session_changes(connection)
    (direct, *_) = find_changes([partly], [told[1]]).findings
    assert pair.findings[0].level == pytest.approx(direct.level, rel=1e-9)
    assert direct.level != pytest.approx(found.level, rel=1e-6)


def test_other_aids_of_a_visit_make_a_further_result(results, tmp_path):
    """An archive would have kept the aids that were corrected in session.toml since."""
    folder = shutil.copytree(results, tmp_path / "walk01")
    outcomes = []
    for aids, diagnosis in (("", ""), ("crutches", ""), ("crutches", "diplegia")):
        write_visit(folder, Visit((("aids", aids), ("diagnosis", diagnosis))))
        outcomes += [added.outcome for added in add_results(tmp_path / "lab.db", folder)]
    assert outcomes == ["added", "further", "known"]


def test_conditions_on_strides_hold_for_changes_too():
    with in_memory() as connection:
        for number, session in ((31, "2024-01"), (32, "2024-07")):
            trial = cases.trial(number, static=f"static {number}", name=session)
            add_record(connection, record(trial, "A", session))
        (pair,) = session_changes(connection, parse_where("side=left"))
        assert session_changes(connection, parse_where("speed>5")) == []
    assert {finding.side for finding in pair.findings if finding.word != "not judged"} == {"left"}


def test_sessions_follow_each_other_in_natural_order():
    days = ("day 10", "day 1", "day 2")
    with in_memory() as connection:
        for number, day in enumerate(days, 31):
            trial = cases.trial(number, static=f"static {number}", name=day)
            add_record(connection, record(trial, "A", day))
        pairs = [(pair.first, pair.second) for pair in session_changes(connection)]
    assert pairs == [("day 1", "day 2"), ("day 2", "day 10")]
