"""The picture of quality: every finding in time or listed, nothing doubtful drawn as fine."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.frames import ticks
from gaitdyn.plots.marks import FAINT, Area, Line, TextLine, layers
from gaitdyn.plots.quality import TALLEST, Axis, quality_sheet
from gaitdyn.plots.quality_lanes import FILLS, LEVELS, state_of
from gaitdyn.plots.svg import svg_text
from gaitdyn.plots.timeline import Timeline, result_timeline, split_findings
from gaitdyn.report.tables.quality import stored_timeline
from gaitdyn.store.stored import read_trial
from gaitdyn.synthetic import Recording, Walker, write_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.findings import Finding
from tests.unit import report_cases as build
from tests.walks import stand, walk

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.trial import Result

GAP = ("LKNE", 40, 44)
LONG = ("RTHI", 70, 95)


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The walker with a short and a long gap."""
    place = tmp_path_factory.mktemp("gaps")
    write_trial(place / "static.c3d", stand(Walker(), Recording()))
    found = walk(Walker(), Recording(gaps=()))
    markers = found.markers_G.copy()
    for label, first, last in (GAP, LONG):
        markers[first : last + 1, found.labels.index(label)] = np.nan
    write_trial(place / "walk01.c3d", replace(found, markers_G=markers))
    return place / "walk01.c3d"


@pytest.fixture(scope="module")
def result(trial: Path) -> Result:
    return process_trial(trial)


@pytest.fixture(scope="module")
def timeline(result: Result) -> Timeline:
    return result_timeline(result, cycle_curves(result, run_curves(result)))


def words_of(sheet: Sheet) -> list[str]:
    return [mark.text for mark in sheet.marks if isinstance(mark, TextLine)]


def finding(**words: Any) -> dict[str, Any]:
    told = Finding("warning", "a-code", "plate 1", "something is odd")
    return {name: getattr(told, name) for name in told.__dataclass_fields__} | words


def empty(**words: Any) -> Timeline:
    """A timeline of two seconds on which nothing stands but what is given."""
    nothing: dict[str, Any] = {
        name: [] for name in ("gaps", "events", "contacts", "cycles", "status", "findings")
    }
    nothing |= {"name": "t", "verdict": "pass"}
    nothing |= {"rate_hz": 100.0, "first_frame": 101, "frames": 201}
    return Timeline(**(nothing | words))


def test_gaps_stand_where_the_markers_lack(timeline: Timeline, result: Result) -> None:
    first = result.recording.first_frame
    assert timeline.gaps is not None
    told = {
        (g["marker"], g["first_frame"] - first, g["last_frame"] - first, g["filled"])
        for g in timeline.gaps
    }
    assert told == {(*GAP, True), (*LONG, False)}
    labels = [word for word in words_of(quality_sheet(timeline)) if word.startswith("gap: ")]
    assert labels == ["gap: RTHI", "gap: LKNE"]


def test_the_folder_tells_the_same_timeline(
    timeline: Timeline, trial: Path, tmp_path: Path
) -> None:
    stored = stored_timeline(read_trial(build.results_of(trial, tmp_path)))
    ours, theirs = quality_sheet(timeline), quality_sheet(stored)
    assert words_of(ours) == words_of(theirs)
    assert len(ours.marks) == len(theirs.marks)
    for one, other in zip(ours.marks, theirs.marks, strict=True):
        if not isinstance(one, TextLine) and not isinstance(other, TextLine):
            np.testing.assert_allclose(one.points, other.points, atol=1e-3)


def test_a_gap_between_seen_frames_stands_above_a_longer_one_at_the_end() -> None:
    spans = {"LKNE": (1, 90), "RKNE": (40, 45), "LANK": (50, 70)}
    gaps = [
        {"marker": name, "first_frame": first, "last_frame": last, "filled": name == "LANK"}
        for name, (first, last) in spans.items()
    ]
    words = words_of(quality_sheet(empty(first_frame=1, frames=100, gaps=gaps)))
    labels = [word for word in words if word.startswith("gap: ")]
    assert labels == ["gap: RKNE", "gap: LKNE", "gap: LANK"]


def test_an_older_folder_does_not_say_that_no_gap_was(trial: Path, tmp_path: Path) -> None:
    folder = build.results_of(trial, tmp_path)
    build.change_view(folder, lambda view: view.pop("gaps"))
    build.change_json(folder / "result.json", lambda document: document.pop("findings"))
    stored = stored_timeline(build.edited(folder))
    words = words_of(quality_sheet(stored))
    assert "gaps: not recorded" in words
    assert any(word.endswith("gap-open") for word in words)


def test_findings_have_their_times_and_frames_in_the_document(
    result: Result, trial: Path, tmp_path: Path
) -> None:
    odd = Finding("warning", "odd", "left", "odd", side="left", start_s=1.2, stop_s=1.5)
    folder = build.written(replace(result, judged=(*(result.judged or ()), odd)), trial, tmp_path)
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    rows = build.rows_of(folder / "quality.csv")
    assert [f["code"] for f in document["findings"]] == [row["code"] for row in rows]
    assert list(rows[0]) == ["level", "code", "scope", "value", "limit", "message"]
    (told,) = (f for f in document["findings"] if f["code"] == "odd")
    rate = document["file"]["rate_hz"]
    assert (told["start_s"], told["stop_s"], told["side"]) == (1.2, 1.5, "left")
    assert (told["first_frame"], told["last_frame"]) == (1.2 * rate + 1, 1.5 * rate + 1)
    assert document["findings"][0]["first_frame"] is None


def test_a_message_that_names_what_it_is_about_is_listed_without_naming_it_again() -> None:
    told = [finding(message="plate 1 reads 20 N"), finding(message="it reads 20 N")]
    words = words_of(quality_sheet(empty(findings=told)))
    assert {"plate 1 reads 20 N", "plate 1: it reads 20 N"} <= {*words}


def test_a_finding_with_a_time_is_a_bar_there_and_one_without_is_listed() -> None:
    timed = finding(start_s=1.5, stop_s=2.0)
    line = empty(findings=[timed, finding(code="b-code", level="error")])
    sheet = quality_sheet(line)
    (bar,) = (m for m in sheet.marks if isinstance(m, Area) and m.name == "a-code")
    axis = next(m for m in sheet.marks if isinstance(m, Line) and m.stroke.width_pt == 0.7)
    low, high = axis.points[:, 0]
    span = bar.points[:, 0].min(), bar.points[:, 0].max()
    assert span == pytest.approx((low + 0.25 * (high - low), low + 0.5 * (high - low)))
    assert bar.colour == LEVELS["warning"]
    words = words_of(sheet)
    assert words.index("! a-code") < words.index("Findings without a time")
    assert words.index("\u2717 b-code") > words.index("Findings without a time")


def test_the_second_part_of_the_list_stands_apart_from_the_first() -> None:
    told = [finding(start_s=1.5, stop_s=2.0), finding(start_s=1.6, stop_s=2.0, code="b-code")]
    marks = [m for m in quality_sheet(empty(findings=told)).marks if isinstance(m, TextLine)]
    y = {mark.text: mark.y for mark in marks if mark.name == "listed"}
    last_line = min(mark.y for mark in marks if mark.text == "plate 1: something is odd")
    between = y["! a-code"] - y["! b-code"]
    assert last_line - y["Findings without a time"] > between - 3.1 + 1.5  # of a line, mm


def test_what_lies_before_or_after_the_recording_is_drawn_at_its_ends() -> None:
    axis = Axis(left=10.0, right=110.0, span=(1.0, 3.0))
    assert [axis.x_of(time_s) for time_s in (-5.0, 1.0, 2.0, 3.0, 9.0)] == [10, 10, 60, 110, 110]


def test_a_finding_of_a_cycle_stands_at_that_cycle() -> None:
    cycle = {"side": "left", "cycle": 1, "start_s": 1.2, "stop_s": 2.2}
    line = empty(cycles=[cycle], findings=[finding(side="left", cycle=1)])
    assert line.span_of(line.findings[0]) == (1.2, 2.2)
    assert [len(rows) for rows in split_findings(line)] == [1, 0]


@pytest.mark.parametrize(
    ("status", "found"),
    [
        ({"status": "ok", "verdict": "pass"}, "pass"),
        ({"status": "ok", "verdict": "check"}, "check"),
        ({"status": "ok", "verdict": "fail"}, "fail"),
        ({"status": "partial", "verdict": "pass"}, "check"),
        ({"status": "partial", "verdict": "fail"}, "fail"),
        ({"status": "ok", "verdict": "nonsense"}, "check"),
        ({"status": "skipped", "verdict": "check"}, "none"),
        (None, "none"),
    ],
)
def test_only_what_passes_is_drawn_as_fine(status: dict[str, str] | None, found: str) -> None:
    assert state_of(status) == found
    cycle = {"side": "left", "cycle": 1, "start_s": 1.2, "stop_s": 2.2}
    rows = [] if status is None else [{"side": "left", "cycle": 1, "joint": "knee"} | status]
    sheet = quality_sheet(empty(cycles=[cycle], status=rows))
    boxes = [m for m in sheet.marks if isinstance(m, Area) and m.name.startswith("1 ")]
    assert [m.colour for m in boxes].count(FILLS[found]) == (3 if found == "none" else 1)
    assert sum(m.colour == FILLS["pass"] for m in boxes) == (found == "pass")


def test_a_rejected_contact_is_not_drawn_as_a_foot() -> None:
    contact = {"plate": 1, "side": "left", "first_frame": 120, "last_frame": 160, "reason": "x"}
    for verdict, words in (
        ("valid", "left valid"),
        ("partial", "left partial"),
        ("rejected", "rejected"),
    ):
        sheet = quality_sheet(empty(contacts=[contact | {"verdict": verdict}]))
        assert words in words_of(sheet)
        (box,) = (m for m in sheet.marks if isinstance(m, Area) and m.name == words)
        assert (box.colour in FILLS.values()) == (verdict != "valid")


def test_each_time_of_the_scale_stands_above_its_frame_of_the_file() -> None:
    sheet = quality_sheet(empty(first_frame=101, frames=201, rate_hz=100.0))
    words = [m for m in sheet.marks if isinstance(m, TextLine)]
    frames = {m.x: m.text for m in words if m.name == "frame"}
    times = {m.x: m.text for m in words if m.align == "center" and m.name == ""}
    assert [(times[x], frames[x]) for x in sorted(frames)][::5] == [
        ("1", "101"), ("2", "201"), ("3", "301"),
    ]  # fmt: skip


def test_the_lines_of_the_scale_lie_behind_bars_and_triangles(timeline: Timeline) -> None:
    behind, areas, before, _ = layers(quality_sheet(timeline))
    assert {area.name for area in areas} >= {"strike", "left valid"}
    upright = [m for m in behind if np.ptp(m.points[:, 0]) == 0.0]
    assert len(upright) == len(ticks(*timeline.span, most=10))
    assert all(line.stroke.colour != FAINT or np.ptp(line.points[:, 1]) == 0.0 for line in before)


def test_the_sheet_fits_a_page_whatever_was_found() -> None:
    gaps = [
        {"marker": f"M{i}", "first_frame": 110 + i, "last_frame": 130 + i, "filled": False}
        for i in range(40)
    ]
    rows = [finding(code=f"c{i}", start_s=1.1, stop_s=1.2) for i in range(40)]
    rows += [finding(code=f"d{i}", message="many words " * 20) for i in range(40)]
    contacts = [
        {"plate": p, "side": "left", "first_frame": 120, "last_frame": 160,
         "verdict": "valid", "reason": ""}
        for p in range(1, 7)
    ]  # fmt: skip
    sheet = quality_sheet(empty(gaps=gaps, findings=rows, contacts=contacts))
    assert sheet.height_mm <= TALLEST
    words = words_of(sheet)
    assert any("more markers" in word for word in words)
    assert any(word.startswith("and ") and "quality.csv" in word for word in words)
    assert any(word.endswith("more: quality.csv") for word in words)


def test_the_drawing_on_a_page_escapes_every_text() -> None:
    hostile = '"><img src=x onerror=alert(1)>'
    line = empty(name=hostile, findings=[finding(message=hostile, scope=hostile, code=hostile)])
    text = svg_text(quality_sheet(line), hostile)
    assert "<img" not in text
    assert "onerror" in text
    assert text.startswith("<svg ")
    assert text.endswith("</svg>")
