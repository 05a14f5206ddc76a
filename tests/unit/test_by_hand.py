"""What a person decides in session.toml is kept, told, and proposed by the worklist."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from gaitdyn.batch.outcome import Outcome
from gaitdyn.batch.pages import write_index
from gaitdyn.batch.session_task import SessionTask
from gaitdyn.batch.settings import BatchSettings
from gaitdyn.batch.trial_row import trial_row
from gaitdyn.batch.worklist import failed_item, worklist
from gaitdyn.errors import FileRefused, UsageError
from gaitdyn.events.assignment import GIVEN
from gaitdyn.events.contact_words import CUT, distance_words
from gaitdyn.io.trial import to_trial
from gaitdyn.pipeline import process_loaded, process_trial
from gaitdyn.provenance.rerun import recorded_options
from gaitdyn.quality.rules import load_rules
from gaitdyn.quality.rules.by_hand import by_hand_rules, corrections
from gaitdyn.report.making import make_report
from gaitdyn.report.page.document import page_text
from gaitdyn.report.reading import read_groups
from gaitdyn.session.plan import plan_session
from gaitdyn.session.session_file import read_session_file
from gaitdyn.session.trial_plan import plan_trial
from gaitdyn.stages.session import read_session
from gaitdyn.store.document import document_of
from gaitdyn.store.folder import ResultsFolder
from gaitdyn.store.results import write_results
from gaitdyn.store.run_lines import run_lines
from gaitdyn.store.stored import read_trial
from gaitdyn.tables.answers import verdicts_of
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.recording import Event
from tests.walks import processed

if TYPE_CHECKING:
    from gaitdyn.store.stored import StoredTrial

DATA = Path(__file__).resolve().parents[2] / "data"
SESSION = """
[trials."walk01.c3d"]
assign = "1=left"
leave_out = ["left 1"]
reasons = { assign = "seen in the video", "Left  1" = "a  stumble" }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("session")
    for name in ("static.c3d", "walk01.c3d"):
        shutil.copy(DATA / name, place / name)
    (place / "session.toml").write_text(SESSION, encoding="utf-8")
    return place


@pytest.fixture(scope="module")
def stored(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> StoredTrial:
    plan = plan_session(folder)
    (walk,) = [trial for trial in plan.trials if trial.role == "dynamic"]
    place = tmp_path_factory.mktemp("results") / "walk01"
    write_results(ResultsFolder(place), process_trial(folder / "walk01.c3d", walk.options))
    return read_trial(place)


def test_a_plate_of_the_session_is_not_told_as_an_option(stored: StoredTrial) -> None:
    first = stored.tables["contacts"][0]
    assert (first["plate"], first["side"], first["reason"]) == ("1", "left", "given by hand")
    with pytest.raises(UsageError, match=r"^assign names plate 9; walk01.c3d has usable plates 1"):
        process_trial(DATA / "walk01.c3d", Options(assign=(Assignment(9, "left"),)))


def test_a_plate_that_cannot_be_used_is_no_wrong_option() -> None:
    options = Options(assign=(Assignment(1, "left"),))
    session = read_session(DATA / "walk01.c3d", options)
    first, *others = session.trial.recording.plates
    plates = (replace(first, problem="a corner is not known"), *others)
    recording = replace(session.trial.recording, plates=plates)
    session = replace(session, trial=to_trial(recording, session.trial.R_GL))
    with pytest.raises(FileRefused, match=r"^assign names plate 1; walk01.c3d has usable plates 2"):
        process_loaded(session, options)


def test_reasons_are_read_with_what_they_are_about(folder: Path) -> None:
    entry = read_session_file(folder / "session.toml").trial("walk01.c3d")
    assert entry.reasons == (("assign", "seen in the video"), ("left 1", "a stumble"))


@pytest.mark.parametrize(
    "wrong", ['{ events = "x" }', '{ "left 2" = "x" }', "{ assign = 3 }", '"x"']
)
def test_a_reason_for_what_is_not_decided_is_refused(wrong: str, tmp_path: Path) -> None:
    path = tmp_path / "session.toml"
    text = f'[trials."w.c3d"]\nassign = "1=left"\nleave_out = ["left 1"]\nreasons = {wrong}\n'
    path.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match="session"):
        read_session_file(path)


def test_every_correction_is_told_with_its_reason_or_that_there_is_none() -> None:
    enf = Assignment(2, "right", None, "enf")
    options = Options(
        events=(Event(1.0, "left", "foot_strike"),),
        assign=(Assignment(1, "none", (5, 9)), enf),
        leave_out=(("right", 2),),
        reasons=(("right 2", "a stumble"),),
    )
    assert corrections(options) == [
        ("events", "1 event given, the file's are not used", ""),
        ("plate 1", "plate 1 is not used in frames 5-9", ""),
        ("right cycle 2", "right cycle 2 is left out", "a stumble"),
    ]


def test_results_and_report_say_what_was_corrected_by_hand(stored: StoredTrial) -> None:
    rows = [row for row in stored.tables["quality"] if row["code"] == "corrected-by-hand"]
    assert [row["level"] for row in rows] == ["info", "info"]
    assert rows[0]["message"].endswith("given to the left foot; seen in the video")
    assert rows[1]["message"].endswith("left out; a stumble")
    page = page_text(make_report(read_groups([stored.path])))
    assert "Corrected by hand" in page
    assert "a stumble" in page
    assert not any(c.cycle.side == "left" and c.cycle.number == 1 for c in stored.cycles)


def test_a_run_from_the_recorded_options_keeps_the_reasons(stored: StoredTrial) -> None:
    again = recorded_options(stored, {}, None)
    assert again.reasons == (("assign", "seen in the video"), ("left 1", "a stumble"))
    assert again.assign[0].side == "left"


def doubted(stored: StoredTrial) -> StoredTrial:
    """Return the trial with a refused step, events far off and a cycle that a rule doubts."""
    contact = {
        "plate": "2", "side": "none", "first_frame": "120", "last_frame": "180", "peak_n": "700",
        "verdict": "rejected",
        "reason": "centre of pressure far from both feet (left foot 120 mm, right foot 300 mm)",
    }  # fmt: skip
    strike = float(next(e for e in stored.tables["events"] if e["side"] == "left")["time_s"])
    event = {
        "level": "warning", "code": "event-disagreement", "side": "left", "message": "45 ms late",
        "start_s": strike - 0.045, "stop_s": strike, "cycle": None,
    }  # fmt: skip
    finding = {
        "level": "warning", "code": "moment-implausible", "side": "right", "cycle": 1,
        "joint": "knee", "message": "9 N m/kg",
    }  # fmt: skip
    tables = {**stored.tables, "contacts": [*stored.tables["contacts"], contact]}
    document = {**stored.document, "findings": [event, finding]}
    return replace(stored, tables=tables, document=document)


def test_the_worklist_says_what_why_and_lines_that_session_toml_takes(
    stored: StoredTrial, tmp_path: Path
) -> None:
    assert not [i for i in worklist(stored) if "plate 2" in i["why"]]
    steps, events, cycles = worklist(doubted(stored))[:3]
    assert "120-180" in steps["why"]
    assert 'assign = "2=left:120-180"' in steps["lines"]
    assert "45 ms late" in events["why"]
    assert 'leave_out = ["right 1"]' in cycles["lines"]
    path = tmp_path / "session.toml"
    for item in (steps, events, cycles, failed_item("wälk 02.c3d", "no markers")):
        path.write_text(item["lines"] + "\n", encoding="utf-8")
        entry = next(iter(read_session_file(path).trials.values()))
        assert entry.assign or entry.events or entry.leave_out or entry.use is False
    path.write_text(events["lines"] + "\n", encoding="utf-8")
    given = read_session_file(path).trial("walk01.c3d").events
    times = [float(e["time_s"]) for e in stored.tables["events"]]
    moved = [round((now.time_s or 0.0) - then, 3) for now, then in zip(given, times, strict=True)]
    assert sorted(moved) == [-0.045, *[0.0] * (len(times) - 1)]


@pytest.mark.parametrize(
    ("reason", "assign"),
    [
        (f"{CUT} end of the file; centre of pressure under the foot", ""),
        (GIVEN["user"], ""),
        (f"far ({distance_words({'left': 0.3, 'right': 0.09})})", "2=right:120-180"),
        ("no foot marker is seen during the load", "2=none:120-180"),
    ],
)
def test_a_step_that_only_the_file_cuts_is_settled_and_another_goes_to_the_nearest_foot(
    stored: StoredTrial, reason: str, assign: str
) -> None:
    """The words are those that the steps get, so that neither can change alone."""
    trial = doubted(stored)
    row = {**trial.tables["contacts"][-1], "reason": reason}
    items = worklist(replace(trial, tables={**trial.tables, "contacts": [row]}))
    lines = [item["lines"] for item in items if "assign" in item["lines"]]
    assert [assign in line for line in lines] == ([True] if assign else [])


def test_a_cycle_that_fails_is_on_the_worklist_with_its_reasons(stored: StoredTrial) -> None:
    first, *others = stored.document["status"]
    failed = {**first, "verdict": "fail", "reasons": ["the knee jumps", "the knee jumps"]}
    document = {**stored.document, "status": [failed, *others], "findings": []}
    (item,) = worklist(replace(stored, document=document))
    cycle = f"{first['side']} {first['cycle']}"
    assert (item["what"], item["why"]) == (f"cycles {cycle}", "the knee jumps")
    assert f'leave_out = ["{cycle}"]' in item["lines"]


def test_the_worklist_proposes_no_event_outside_a_recording_that_was_cut(
    stored: StoredTrial, tmp_path: Path
) -> None:
    trial = doubted(stored)
    head = trial.document["file"]
    last = head["first_frame"] + head["frames"] - 1
    rows: list[dict[str, Any]] = [
        {"side": "left", "event": "foot_off", "frame": frame, "time_s": (frame - 1) / 100}
        for frame in (head["first_frame"] - 2, last + 2)
    ]
    cut = replace(trial, tables={**trial.tables, "events": [*rows, *trial.tables["events"]]})
    assert worklist(cut)[1] == worklist(trial)[1]
    path = tmp_path / "session.toml"
    path.write_text(worklist(cut)[1]["lines"] + "\n", encoding="utf-8")
    given = plan_trial(shutil.copy(DATA / "walk01.c3d", tmp_path)).options
    assert process_trial(DATA / "walk01.c3d", given).events[0].time_s > rows[0]["time_s"]


def test_the_worklist_does_not_ask_again_for_a_force_that_was_assigned_to_no_foot(
    synthetic: Path, tmp_path: Path
) -> None:
    result = process_trial(synthetic / "walk01.c3d", Options(assign="2=none"))  # pyrefly: ignore[bad-argument-type]
    result.save(tmp_path / "walk01")
    done = read_trial(tmp_path / "walk01")
    (row,) = [row for row in done.tables["contacts"] if row["plate"] == "2"]
    assert row["verdict"] == "rejected"
    assert not [item for item in worklist(done) if "assign" in item["lines"]]


def test_the_worklist_asks_for_a_mass_that_nobody_gave(stored: StoredTrial) -> None:
    reason = (
        "the body mass is not known: kinematics only; give it with --mass KG, or as mass_kg in"
        " session.toml, for kinetics"
    )
    nobody = {**stored.document["subject"], "mass_kg": None}
    document = {**stored.document, "kinetics": reason, "subject": nobody}
    (item,) = worklist(replace(stored, document=document))
    assert (item["what"], item["why"]) == ("the body mass", reason)
    assert item["lines"] == "[subject]\nmass_kg = "


def test_the_index_of_a_batch_has_the_worklist(stored: StoredTrial, tmp_path: Path) -> None:
    todo = worklist(doubted(stored))
    place = tmp_path / "S1" / "walk01"
    shutil.copytree(stored.path, place)
    done = Outcome("S1", "walk01", "walk01.c3d", "done", "", trial_row(stored), todo)
    done = replace(done, seal=stored.document["seal"])
    bad = Outcome("S1", "walk02", "walk02.c3d", "failed", "walk02.c3d: no markers")
    SessionTask("S1", "", BatchSettings(tmp_path, reports=()), (done, bad))._run()  # noqa: SLF001
    text = write_index(tmp_path).read_text(encoding="utf-8")
    assert "Worklist" in text
    assert "2=left:120-180" in text
    assert "walk02.c3d: no markers" in text
    assert "use = false" in text


def test_a_cycle_that_is_not_there_is_told_with_those_that_are(folder: Path) -> None:
    result = process_trial(
        folder / "walk01.c3d", Options(leave_out=(("left", 9), ("right", 1), ("right", 2)))
    )
    (told,) = [f for f in result.findings if f.code == "no-such-cycle"]
    assert (told.level, told.side) == ("warning", "left")
    assert told.message == "leave_out names left cycle 9: the left side has cycles 1 to 2"
    words = {(v.side, v.quantity): v.word for v in verdicts_of(result)}
    assert words["left", "kinematics"] == "check"


def test_a_side_all_of_whose_cycles_are_left_out_says_so(folder: Path) -> None:
    options = Options(leave_out=(("left", 1), ("left", 2)))
    found = verdicts_of(process_trial(folder / "walk01.c3d", options))
    (left,) = [v for v in found if (v.side, v.quantity) == ("left", "kinematics")]
    assert left.reasons[-1] == "no gait cycle: every stride is left out by the user"


def test_the_line_of_cycles_counts_those_that_are_used(folder: Path) -> None:
    options = Options(leave_out=(("left", 9), ("right", 1)))
    result = process_trial(folder / "walk01.c3d", options)
    lines = run_lines(result, document_of(result))
    assert "left: 2 gait cycles, 2 with kinetics from 0 to 100 %" in lines
    assert "right: 1 gait cycle, 1 with kinetics from 0 to 100 %" in lines


def test_the_line_of_cycles_tells_those_with_kinetics_in_part(folder: Path) -> None:
    result = process_trial(folder / "walk01.c3d")
    told = "right: 2 gait cycles, 1 with kinetics from 0 to 100 % and 1 in part"
    assert told in run_lines(result, document_of(result))


@pytest.mark.parametrize(
    ("settings", "scopes"),
    [
        ({}, []),
        ({"cutoff_hz": 6.0, "force_cutoff_hz": 50.0}, []),
        ({"cutoff_hz": None, "force_cutoff_hz": None}, []),
        ({"cutoff_hz": 2.0}, ["markers", "forces"]),
        ({"cutoff_hz": 45.0}, ["markers"]),
        ({"force_cutoff_hz": 3.0}, ["forces"]),
        ({"cutoff_hz": 2.0, "profile": "plug-in-gait"}, []),
    ],
)
def test_a_cut_off_that_removes_a_walk_or_keeps_its_noise_is_told(
    synthetic: Path, settings: dict[str, Any], scopes: list[str]
) -> None:
    result = processed(synthetic / "walk01.c3d")
    options = replace(result.options, **settings)
    found = by_hand_rules(replace(result, options=options), load_rules())
    assert [f.scope for f in found if f.code == "cut-off-unusual"] == scopes
