"""The verdict of kinematics and kinetics of each side: what a finding spoils and what not."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves, find_cycles
from gaitdyn.metrics.knee_axis import KneeAxisRemark
from gaitdyn.quality import JointStatus, SideVerdict, cycle_status, side_verdicts
from gaitdyn.quality.rows import finding_rows
from gaitdyn.quality.verdicts import ONE_CYCLE, kinetic_cycles
from gaitdyn.report import views
from gaitdyn.report.groups import Group
from gaitdyn.report.views import view_of_group
from gaitdyn.store.document import document_of
from gaitdyn.store.run_lines import run_lines
from gaitdyn.store.stored import trial_of_result
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.cycles import ALL_LEFT_OUT
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Assignment, Options
from gaitdyn_cli.report import report_writer
from tests.walks import processed

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.report.report import Report
    from gaitdyn.trial import Result
    from gaitdyn.types.subject import Side

Words = dict[tuple[str, str], str]


def judged(result: Result, *findings: Finding) -> dict[tuple[str, str], SideVerdict]:
    result = replace(result, judged=(*result.findings, *findings))
    statuses = cycle_status(result, cycle_curves(result, run_curves(result)))
    return {(v.side, v.quantity): v for v in side_verdicts(result, statuses)}


def words(result: Result, *findings: Finding) -> Words:
    return {key: v.word for key, v in judged(result, *findings).items()}


def told(level: Any, code: str, scope: str, **at: Any) -> Finding:
    return Finding(level, code, scope, "a message", **at)


@pytest.mark.parametrize(("scope", "angles"), [("mass_kg", "pass"), ("left.knee_width_m", "check")])
def test_a_doubted_body_mass_doubts_no_angle(clean: Result, scope: str, angles: str) -> None:
    found = words(clean, told("warning", "subject-differs", scope))
    assert (found["left", "kinematics"], found["left", "kinetics"]) == (angles, "check")


def test_a_clean_walk_says_how_many_cycles_each_side_has(clean: Result) -> None:
    found = judged(clean)
    assert found["left", "kinematics"].word == "pass"
    assert found["left", "kinetics"] == SideVerdict("left", "kinetics", "pass", 2, ())
    assert found["right", "kinematics"].word == "pass"
    # of the two right cycles one stands beside the plates
    assert found["right", "kinetics"] == SideVerdict("right", "kinetics", "pass", 1, (ONE_CYCLE,))


def test_a_leg_that_lacks_one_marker_is_not_said_to_have_none(clean: Result) -> None:
    right = replace(clean, sides={"right": clean.sides["right"]})
    found = judged(right)["left", "kinematics"]
    assert (found.word, found.reasons) == ("check", ("markers of the left leg are missing",))


def test_a_side_without_a_clean_step_is_not_green(clean: Result) -> None:
    one = replace(clean, options=replace(clean.options, leave_out=(("right", 2),)))
    found = judged(one)["right", "kinetics"]
    assert (found.word, found.cycles) == ("check", 0)
    assert found.reasons[0].startswith("beside-plates")


def test_one_cycle_alone_is_green_and_says_that_its_spread_is_unknown(clean: Result) -> None:
    one = replace(clean, options=replace(clean.options, leave_out=(("left", 2),)))
    found = judged(one)["left", "kinetics"]
    assert (found.word, found.cycles) == ("pass", 1)
    assert ONE_CYCLE in found.reasons


@pytest.mark.parametrize(
    ("finding", "spoiled"),
    [
        (told("warning", "marker-noise", "LKNE"), {("left", "kinematics"), ("left", "kinetics")}),
        (told("warning", "cop-beside-sole", "plate 9", side="left"), {("left", "kinetics")}),
        (told("warning", "force-lag", "plates"), {("left", "kinetics"), ("right", "kinetics")}),
        (told("info", "adult-table", "subject"), set()),
        (told("warning", "upper-marker", "LELB", side="left"), {("left", "kinematics")}),
        (
            told("warning", "upper-load-implausible", "left elbow", side="left"),
            {("left", "kinematics")},
        ),
        (told("warning", "emg-doubtful", "left", side="left"), set()),
        (told("warning", "contact-partial", "plate 1"), set()),
        (told("warning", "stride-time", "left cycle 1", side="left", cycle=1), set()),
    ],
)
def test_a_finding_counts_for_its_own_side_quantity_and_cycle(
    clean: Result, finding: Finding, spoiled: set[tuple[str, str]]
) -> None:
    before, after = words(clean), words(clean, finding)
    changed = {key for key in after if after[key] != before[key]}
    assert changed == {key for key in spoiled if before[key] == "pass"}
    assert {after[key] for key in spoiled} <= {"check"}


def test_an_error_fails_its_own_side_alone(clean: Result) -> None:
    after = words(
        clean, told("error", "range-knee-flexion", "left knee", side="left", joint="knee")
    )
    assert after["left", "kinematics"] == after["left", "kinetics"] == "fail"
    assert "fail" not in {after["right", "kinematics"], after["right", "kinetics"]}
    pelvis = told("error", "range-pelvis-tilt", "left pelvis", side="left", joint="pelvis")
    assert set(words(clean, pelvis).values()) == {"fail"}


def test_a_late_event_spoils_the_cycles_that_it_begins_or_ends_and_no_others(clean: Result) -> None:
    first, second = find_cycles(clean, "left")
    rate, start = clean.recording.rate_hz, clean.time_s[0]

    def late(row: float) -> Finding:
        at = start + row / rate
        return told(
            "warning",
            "event-disagreement",
            "left",
            side="left",
            start_s=at - 0.02,
            stop_s=at + 0.02,
        )

    inside = late(0.5 * (first.start_row + first.stop_row))
    assert words(clean, inside)["left", "kinetics"] == "pass"
    assert any("event-disagreement" in r for r in judged(clean, inside)["left", "kinetics"].reasons)
    both = late(first.stop_row)  # the strike that ends one and begins the other
    assert second.start_row == first.stop_row
    assert words(clean, both)["left", "kinetics"] == "check"
    assert words(clean, both)["right", "kinetics"] == "pass"
    every = told("warning", "event-disagreement", "left", side="left")
    assert words(clean, every)["left", "kinematics"] == "check"


def test_kinetics_that_were_not_recorded_count_as_check(clean: Result) -> None:
    bare = replace(clean, no_kinetics="no force plates in the file: kinematics only")
    found = judged(bare)
    assert found["left", "kinetics"].word == "check"
    assert found["left", "kinetics"].reasons == (bare.no_kinetics,)
    assert found["left", "kinematics"].word == "pass"


def test_the_verdict_is_the_worst_word_and_stands_in_the_document(clean: Result) -> None:
    document = document_of(clean)
    assert document["verdict"] == "pass"
    assert [(v["side"], v["quantity"]) for v in document["verdicts"]] == [
        (side, quantity) for side in ("left", "right") for quantity in ("kinematics", "kinetics")
    ]
    assert set(document["verdicts"][0]) == {"side", "quantity", "word", "cycles", "reasons"}
    lines = run_lines(clean, document)
    assert any(
        "left: kinematics pass" in line and "kinetics pass (2 cycles)" in line for line in lines
    )


def test_a_cycle_without_moments_throughout_is_in_part(clean: Result) -> None:
    document = document_of(clean)
    left = [row for row in document["status"] if row["side"] == "left"]
    for row in left:
        if row["cycle"] == left[0]["cycle"]:
            row["status"] = "partial"
    lines = run_lines(clean, document)
    assert any(line.startswith("  left:") and "kinetics pass (2 cycles, 1 in part)" in line
               for line in lines)  # fmt: skip
    assert "left: 2 gait cycles, 1 with kinetics from 0 to 100 % and 1 in part" in lines


def test_a_line_without_a_cycle_says_why(clean: Result) -> None:
    bare = replace(clean, no_kinetics="no force plates in the file: kinematics only; add them")
    document = document_of(bare)
    words = {row["word"] for row in document["verdicts"] if row["quantity"] == "kinetics"}
    assert (document["verdict"], words) == ("check", {"check"})  # what is missing is no pass
    lines = run_lines(bare, document)
    assert any(
        line.endswith(", no kinetics (no force plates in the file: kinematics only)")
        for line in lines
    )


def test_a_line_gives_the_reason_and_not_its_code(clean: Result) -> None:
    one = replace(clean, options=replace(clean.options, leave_out=(("right", 2),)))
    document = document_of(one)
    (kinetics,) = (
        row
        for row in document["verdicts"]
        if (row["side"], row["quantity"]) == ("right", "kinetics")
    )
    kinetics["reasons"] = kinetics["reasons"][:1]  # beside-plates: ...
    lines = run_lines(one, document)
    assert "right: 1 gait cycle, none with kinetics from 0 to 100 % and 1 in part" in lines
    (right,) = (line for line in lines if line.startswith("  right: kinematics"))
    assert "kinetics check (the foot stands where no plate measures its force)" in right


def test_a_reason_that_is_a_line_below_is_said_in_few_words(synthetic: Path) -> None:
    """With the plates given to the wrong feet, each side has moments that no ankle can have."""
    feet = (Assignment(1, "right"), Assignment(2, "left"))
    crossed = processed(synthetic / "walk01.c3d", Options(assign=feet))
    lines = run_lines(crossed, document_of(crossed))
    (left,) = (line for line in lines if line.startswith("  left: kin"))
    assert left.endswith("kinetics fail (a joint moment is impossible)")
    assert sum("left ankle: moment" in line for line in lines) == 1  # was: 2


def test_of_muscles_a_line_says_how_many_and_of_a_leg_without_strides_the_last_reason(
    clean: Result,
) -> None:
    verdicts = [
        {"side": "left", "quantity": quantity, "word": "check", "cycles": 0, "reasons": reasons}
        for quantity, reasons in (
            ("kinematics", ["a marker jumps", "no gait cycle; give the events"]),
            ("emg", ["2 of 3 muscles", "soleus: clipped"]),
        )
    ]
    line = "  left: kinematics check (no gait cycle), emg check (2 of 3 muscles)"
    assert line in run_lines(clean, {**document_of(clean), "verdicts": verdicts})


def test_a_knee_axis_to_check_ends_the_line_of_its_side(clean: Result) -> None:
    """The page marked a side with a sign that the console passed without a word."""
    leg = clean.sides["left"]
    knee = leg.angles["knee"].copy()
    knee[:, 1] = 0.3 * knee[:, 0]
    turned = replace(leg, angles=leg.angles | {"knee": knee})
    doubted = replace(clean, sides=clean.sides | {"left": turned})
    lines = run_lines(doubted, document_of(doubted))
    left, right = (line for line in lines if line.startswith(("  left:", "  right:")))
    (remark,) = view_of_group(Group("", (trial_of_result(doubted),)), None, None).remarks
    assert left.endswith(f"kinetics pass (2 cycles), knee axis check ({remark.reason})")
    assert "knee axis" not in right


def test_a_medial_knee_marker_that_plug_in_gait_leaves_unused_is_named(clean: Result) -> None:
    seen = clean.recording
    knee = seen.markers_L[:, [seen.labels.index("LKNE")]]
    inward = seen.markers_L[:, [seen.labels.index("RKNE")]] - knee
    medial = knee + 0.1 * inward / np.linalg.norm(inward, axis=-1, keepdims=True)
    both = replace(
        seen,
        labels=(*seen.labels, "LMEK"),
        markers_L=np.concatenate([seen.markers_L, medial], axis=1),
    )
    remarks = [KneeAxisRemark(side, 15.0) for side in ("left", "right")]
    told = "  medial to the knee: LMEK; --model ladder takes the axis from it"
    walk = replace(clean, recording=both, static=None)
    document = document_of(clean)
    assert told in run_lines(walk, document, remarks)
    assert told not in run_lines(walk, document, remarks[1:])
    assert told not in run_lines(replace(walk, static=clean.recording), document, remarks)


def test_a_knee_axis_that_the_norm_of_a_report_shows_is_told_as_the_report_tells_it(
    clean: Result, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = KneeAxisRemark("right", 4.0, by_rotations=True)
    monkeypatch.setattr(views, "knee_axis_remark", lambda side, *_: {"right": told}.get(side))
    reports: list[Report] = []
    write = report_writer("html", seen=reports.append)
    assert write is not None
    write(tmp_path, clean)
    remarks = reports[0].views[0].remarks
    *_, right = run_lines(clean, document_of(clean), remarks)
    assert f"knee axis check ({told.reason})" in right
    assert f"Knee axis to check: {told.reason}. Read" in reports[0].views[0].side_lines[1].text
    (straight,) = reports[0].views
    turned = tuple(
        replace(trial, document=trial.document | {"options": {"condition": "turning"}})
        for trial in straight.trials
    )
    turning = replace(straight, trials=turned, remarks=(told,))
    assert replace(reports[0], views=(straight, turning)).remarks == [*remarks]
    assert replace(reports[0], views=(turning,)).remarks == [told]


def test_a_finding_carries_what_to_do(clean: Result) -> None:
    rows = finding_rows(replace(clean, judged=(told("warning", "plate-silent", "plate 1"),)))
    assert rows[0]["action"] == "check the amplifier and the channels; record again"


def test_without_any_angle_the_kinematics_of_both_sides_have_failed(clean: Result) -> None:
    one = replace(clean, sides=clean.sides | {"left": blind(clean.sides["left"])})
    assert judged(one)["left", "kinematics"].word == "check"
    none = replace(clean, sides={side: blind(leg) for side, leg in clean.sides.items()})
    found = judged(none)
    assert {found[side, "kinematics"].word for side in ("left", "right")} == {"fail"}
    alone = replace(clean, sides={"left": blind(clean.sides["left"])})
    assert {v.word for (_, of), v in judged(alone).items() if of == "kinematics"} == {"fail"}


def test_cycles_and_findings_have_one_clock(clean: Result) -> None:
    """A file's own clock is up to half a frame off its frame numbers, which findings count."""
    recording = replace(clean.recording, clock_s=0.004)
    cycles = cycle_curves(clean, run_curves(clean))
    first = next(c.cycle for c in cycles if c.cycle.side == "left")
    start, stop = (recording.time_of(row) for row in (first.start_row, first.stop_row))
    for begins, ends, inside in (
        (start - 0.05, start - 0.001, False), (start - 0.05, start + 0.001, True),
        (stop - 0.001, stop + 0.05, True), (stop + 0.001, stop + 0.05, False),
    ):  # fmt: skip
        at = {"side": "left", "start_s": begins, "stop_s": ends}
        near = told("warning", "segment-length", "LKNE-LANK", **at)
        statuses = cycle_status(replace(clean, recording=recording, judged=(near,)), cycles)
        said = {s.reasons for s in statuses if (s.side, s.cycle) == ("left", first.number)}
        assert said == {("segment-length: a message",) * inside}


@pytest.mark.parametrize(
    ("row", "cycles"), [(75, 1), (120, 1), (185, 0), (240, 1), (295, 1), (50, 2), (300, 2)]
)
def test_a_cycle_with_an_unknown_angle_is_not_known(clean: Result, row: int, cycles: int) -> None:
    """The left cycles are from row 75 to 185 and to 295, ends included."""
    leg = clean.sides["left"]
    angles = {name: values.copy() for name, values in leg.angles.items()}
    angles["knee"][row] = np.nan
    gap = replace(clean, sides=clean.sides | {"left": replace(leg, angles=angles)})
    found = judged(gap)["left", "kinematics"]
    assert found.cycles == cycles
    assert found.word == ("pass" if cycles else "check")
    assert ("no cycle is known from beginning to end" in found.reasons) == (not cycles)
    assert (ONE_CYCLE in found.reasons) == (cycles == 1)


def blind(leg: Any) -> Any:
    return replace(leg, angles={j: np.full_like(a, np.nan) for j, a in leg.angles.items()})


def test_a_leg_without_angles_has_failed_only_with_an_error(clean: Result) -> None:
    one = replace(clean, sides=clean.sides | {"left": blind(clean.sides["left"])})
    error = told("error", "order-up", "left knee", side="left", joint="knee")
    found = judged(one, error)["left", "kinematics"]
    assert (found.word, found.reasons) == (
        "fail", ("order-up: a message", "no angle of the left leg is known"),
    )  # fmt: skip
    plates = told("error", "moment-implausible", "left knee", side="left")
    assert judged(one, plates)["left", "kinematics"].word == "check"
    right = replace(clean, sides={"right": clean.sides["right"]})
    why = judged(right, told("error", "no-kinematics", "walk"))["left", "kinematics"]
    assert (why.word, why.cycles, why.reasons) == ("fail", 0, ("no-kinematics: a message",))


def test_a_side_without_a_cycle_says_why(clean: Result) -> None:
    def why(result: Result, **outliers: Any) -> str:
        for side, cycles in outliers.items():
            result.kept[f"cycles set aside {side}"] = cycles
        verdicts = {(v.side, v.quantity): v for v in side_verdicts(result, [])}
        found = verdicts["left", "kinematics"]
        assert found.cycles == 0
        return found.reasons[-1]

    def without(*cycles: tuple[Side, int]) -> Result:
        return replace(clean, options=replace(clean.options, leave_out=cycles))

    assert why(replace(clean, task="jump")) == "no gait cycle: the task is jump, not walking"
    everything = without(("left", 1), ("left", 2), ("left", 9))
    assert why(everything) == f"no gait cycle: {ALL_LEFT_OUT}"
    some = without(("left", 1), ("right", 2))
    assert why(some, left={2: "long"}) == "no gait cycle: every stride is left out"
    none = replace(clean, events=())
    assert why(none) == "no gait cycle: two strikes of this foot are not in the file"


@pytest.mark.parametrize(
    ("code", "status", "cycles"),
    [("next-step", "partial", 1), ("file-end", "partial", 1), ("marker-gap", "partial", 0),
     ("next-step", "skipped", 0)],
)  # fmt: skip
def test_a_whole_step_counts_though_the_end_of_the_swing_is_unknown(
    clean: Result, code: str, status: Any, cycles: int
) -> None:
    statuses = [JointStatus("left", 1, joint, "ok", "", "") for joint in ("ankle", "hip")]
    statuses.append(JointStatus("left", 1, "knee", status, code, "why"))
    found = {(v.side, v.quantity): v for v in side_verdicts(clean, statuses)}
    assert found["left", "kinetics"].cycles == cycles
    assert (f"{code}: why" in found["left", "kinetics"].reasons) == (not cycles)


def test_cycles_of_the_means_have_all_moments_and_have_not_failed() -> None:
    def status(cycle: int, joint: str, state: Any = "ok", verdict: Any = "pass") -> JointStatus:
        return JointStatus("left", cycle, joint, state, "", "", verdict)

    statuses = [
        status(1, "hip"), status(1, "knee", verdict="check"),
        status(2, "hip", verdict="fail"), status(2, "knee"),
        status(3, "hip", "partial"), status(3, "knee"),
        replace(status(4, "hip"), side="right"),
    ]  # fmt: skip
    assert kinetic_cycles(statuses, "left") == [1]
    assert kinetic_cycles(statuses, "right") == [4]


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ((70.0, 74.6), "check"),  # half a frame before the strike that begins the cycle
        ((70.0, 74.4), "pass"),
        ((185.4, 190.0), "check"),
        ((185.6, 190.0), "pass"),
    ],
)
def test_an_event_within_half_a_frame_is_that_of_the_cycle(
    clean: Result, rows: tuple[float, float], word: str
) -> None:
    """The first left cycle is from row 75 to 185, the second one is left out."""
    one = replace(clean, options=replace(clean.options, leave_out=(("left", 2),)))
    start, stop = (clean.recording.time_of(row) for row in rows)
    at = {"side": "left", "start_s": start, "stop_s": stop}
    assert words(one, told("warning", "event-missing", "left", **at))["left", "kinetics"] == word


def test_what_is_found_at_a_time_spoils_all_cycles_unless_it_is_about_an_event(
    clean: Result,
) -> None:
    at = {"side": "left", "start_s": 2.0, "stop_s": 2.1}  # in the first of two cycles
    event, marker = (told("warning", x, "left", **at) for x in ("event-missing", "marker-jumps"))
    assert words(clean, event)["left", "kinematics"] == "pass"
    assert words(clean, marker)["left", "kinematics"] == "check"
