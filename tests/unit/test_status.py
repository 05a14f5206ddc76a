"""The status of each joint in each cycle: whole steps, parts of steps, and why kinetics lack."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.quality import JointStatus, cycle_status, side_verdicts, status
from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules import table
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import JOINTS
from tests.walks import processed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.trial import Result
    from gaitdyn.types.contacts import Contact
    from gaitdyn.types.cycles import CycleCurves

WHY = "the toes stand beside it"


@pytest.fixture(scope="module")
def result(synthetic: Path) -> Result:
    return processed(synthetic / "walk01.c3d")


@pytest.fixture(scope="module")
def cycles(result: Result) -> Sequence[CycleCurves]:
    return cycle_curves(result, run_curves(result))


def states(found: Sequence[JointStatus]) -> dict[tuple[str, int], tuple[str, ...]]:
    keys = dict.fromkeys((row.side, row.cycle) for row in found)
    return {k: tuple(r.status for r in found if (r.side, r.cycle) == k) for k in keys}


def cycle_of(cycles: Sequence[CycleCurves], side: str, number: int) -> CycleCurves:
    (one,) = (c for c in cycles if (c.cycle.side, c.cycle.number) == (side, number))
    return one


def contact_in(result: Result, curves: CycleCurves) -> Contact:
    """Return the contact with which a cycle begins."""
    own = [c for c in result.contacts if c.side == curves.cycle.side and c.accepted]
    found = min(own, key=lambda c: abs(c.start - curves.cycle.start_row))
    assert abs(found.start - curves.cycle.start_row) < 4
    return found


def with_contact(result: Result, old: Contact, **changes: Any) -> Result:
    contacts = tuple(replace(c, **changes) if c == old else c for c in result.contacts)
    return replace(result, contacts=contacts)


def test_whole_steps_are_ok(result: Result, cycles: Sequence[CycleCurves]) -> None:
    found = cycle_status(result, cycles)
    assert [row.side for row in found] == sorted(row.side for row in found)
    assert {row.joint for row in found} == set(JOINTS)
    assert states(found)["left", 1] == states(found)["left", 2] == ("ok",) * 3
    assert all((row.code, row.reason) == ("", "") for row in found if row.status == "ok")


def test_the_limits_of_a_laboratory_are_not_read_anew_for_every_joint(
    result: Result, cycles: Sequence[CycleCurves], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[turning]\nlimit = 40.0\n")
    told = Finding("warning", "foot-turned", "left ankle", "", side="left", joint="ankle")
    options = replace(result.options, quality=str(own))
    strict = replace(result, options=options, judged=(told,) * 5)
    reads: list[Path] = []
    monkeypatch.setattr(table, "_changes", lambda path: reads.append(path) or {})
    cycle_status(strict, cycles)
    assert 0 < len(reads) <= 3


@pytest.mark.parametrize("late", [-1, 0, 2])
def test_a_part_of_a_step_makes_its_cycle_partial(
    result: Result, cycles: Sequence[CycleCurves], late: int
) -> None:
    curves = cycle_of(cycles, "left", 2)
    contact = contact_in(result, curves)
    before = states(cycle_status(result, cycles))
    start = int(curves.cycle.start_row) + late
    partial = with_contact(result, contact, start=start, verdict="partial", reason=WHY)
    found = cycle_status(partial, cycles)
    # the step begins in the last frames of cycle 1, which stays as it is
    assert states(found) == before | {("left", 2): ("partial",) * 3}
    for row in found:
        if (row.side, row.cycle) == ("left", 2):
            assert row.code == "contact-partial"
            assert row.reason == f"plate {contact.plate} carries only part of the step: {WHY}"
        elif row.status == "ok":
            assert (row.code, row.reason) == ("", "")


def test_a_part_of_a_step_of_the_other_foot_changes_nothing(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    contact = contact_in(result, cycle_of(cycles, "left", 2))
    for changes in ({"side": "none"}, {"side": "both"}):
        other = with_contact(result, contact, verdict="partial", reason=WHY, **changes)
        assert not any(r.code == "contact-partial" for r in cycle_status(other, cycles))


def test_missing_moments_keep_their_own_reason(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    """A cycle that lacks moments says so, also where a step is partial."""
    right = cycle_of(cycles, "right", 1)
    contacts = tuple(replace(c, verdict="partial", reason=WHY) for c in result.contacts)
    found = cycle_status(replace(result, contacts=contacts), [right])
    assert {row.code for row in found} == {"beside-plates"}


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (slice(None), "no marker shows the centre of the ankle or of the knee"),
        (slice(0, 300), "markers of the leg are missing in this cycle"),
    ],
)
def test_a_centre_that_is_never_known_is_no_gap_of_a_cycle(
    result: Result, cycles: Sequence[CycleCurves], rows: slice, told: str
) -> None:
    leg = result.pose.leg("left")
    r_prox_G = leg.r_prox_G.copy()
    r_prox_G[rows, :2] = np.nan
    pose = replace(result.pose, left=replace(leg, r_prox_G=r_prox_G))
    bare = with_gap(cycle_of(cycles, "left", 2), 0)
    found = cycle_status(replace(result, pose=pose), [bare])
    assert {(row.code, row.reason) for row in found} == {("marker-gap", told)}


def without_force(result: Result, side: str, rows: slice) -> Result:
    wrench = result.sides[side].wrench
    assert wrench is not None
    force = wrench.force_G.copy()
    force[rows] = np.nan
    blind = replace(result.sides[side], wrench=replace(wrench, force_G=force))
    return replace(result, sides=result.sides | {side: blind})


def with_gap(curves: CycleCurves, start: int) -> CycleCurves:
    values = curves.values.copy()
    at = [i for i, name in enumerate(curves.names) if "_moment_" in name]
    values[start:, at] = np.nan
    return replace(curves, values=values)


@pytest.mark.parametrize(
    ("frames", "code"),
    [(1, "next-step"), (3, "next-step"), (6, "next-step"), (20, "beside-plates")],
)
def test_last_frames_without_force_are_the_next_step(
    result: Result, cycles: Sequence[CycleCurves], frames: int, code: str
) -> None:
    curves = cycle_of(cycles, "left", 1)
    stop = int(np.ceil(curves.cycle.stop_row)) + 1
    blind = without_force(result, "left", slice(stop - frames, stop))
    found = cycle_status(blind, [with_gap(curves, 96)])
    assert [(row.status, row.code) for row in found] == [("partial", code)] * 3
    assert ("the next step of this foot begins there" in found[0].reason) == (code == "next-step")


def test_a_rejected_step_is_named_with_its_plate(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    curves = cycle_of(cycles, "left", 1)
    contact = contact_in(result, curves)
    blind = without_force(result, "left", slice(contact.start, contact.stop))
    found = cycle_status(
        with_contact(blind, contact, verdict="rejected", reason=WHY), [with_gap(curves, 0)]
    )
    assert {(row.status, row.code) for row in found} == {("skipped", "contact-rejected")}
    assert found[0].reason == f"the step on plate {contact.plate} is not used: {WHY}"


@pytest.mark.parametrize("row", [45.0, 65.0, 305.0, 325.0])
def test_what_empties_the_ends_of_a_cycle_from_outside_is_its_reason(
    result: Result, row: float
) -> None:
    """0.1 to 0.3 s before or after a cycle, which was "too near to the end of the file"."""
    rules, at = table.load_rules(), result.recording.time_of(row)
    where = {"side": "left", "joint": "knee", "start_s": at, "stop_s": at}
    finding = rules["moment-implausible"].found("left knee", "too much", 9.0, **where)
    shown = emptied(replace(result, judged=(finding,)), rules)
    found = cycle_status(shown, cycle_curves(shown, run_curves(shown)))
    near = 1 if row < 185.0 else 2  # the left cycles are from 75 to 185 and to 295
    left = [x for x in found if x.side == "left"]
    assert {(x.status, x.code, x.verdict) for x in left if x.cycle == near} == {
        ("partial", "moment-implausible", "check")
    }
    assert {x.status for x in left if x.cycle != near} == {"ok"}
    assert {v.cycles for v in side_verdicts(shown, found) if v.side == "left"} == {1, 2}


@pytest.mark.parametrize(
    ("finding", "concerned"),
    [
        ({"side": "left", "cycle": 1}, {("left", 1, joint) for joint in JOINTS}),
        ({"side": "left", "joint": "knee"}, {("left", 1, "knee"), ("left", 2, "knee")}),
        ({"side": "left", "start_s": 1.9, "stop_s": 2.1}, {("left", 1, joint) for joint in JOINTS}),
        ({"code": "contact-rejected", "side": "left"}, set()),  # told by the status
        ({"code": "upper-marker", "side": "left"}, set()),
        ({"code": "upper-load-implausible", "side": "left"}, set()),
        (
            {"code": "range-knee-flexion", "side": "left", "joint": "knee"},
            {("left", cycle, joint) for cycle in (1, 2) for joint in JOINTS},
        ),
    ],
)
def test_a_finding_concerns_its_side_cycle_joint_and_time_alone(
    result: Result,
    cycles: Sequence[CycleCurves],
    finding: dict[str, Any],
    concerned: set[tuple[str, int, str]],
) -> None:
    """Of the left cycles the first is from 1.75 to 2.85 s."""
    where: dict[str, Any] = {"code": "marker-noise", "scope": "walk", "message": "shaky"} | finding
    before = {(s.side, s.cycle, s.joint): s for s in cycle_status(result, cycles)}
    for level, word in (("warning", "check"), ("error", "fail")):
        told = replace(result, judged=(Finding(**(where | {"level": level})),))
        after = {(s.side, s.cycle, s.joint): s for s in cycle_status(told, cycles)}
        assert {key for key, s in after.items() if s != before[key]} == concerned
        for key in concerned:
            assert (after[key].verdict, after[key].reasons) == (word, (f"{where['code']}: shaky",))


def test_the_first_reason_of_a_joint_is_its_status(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    told = replace(result, judged=(Finding("warning", "marker-noise", "walk", "shaky"),))
    found = cycle_status(told, [with_gap(cycle_of(cycles, "left", 1), 50)])
    assert {x.reasons for x in found} == {
        (f"file-end: {found[0].reason}", "marker-noise: shaky"),
    }  # fmt: skip


def test_cycles_that_are_left_out_say_by_whom_and_once(
    result: Result, cycles: Sequence[CycleCurves], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        status, "outlying_cycles", lambda _, side: {1: "long", 2: "long"} if side == "left" else {}
    )
    options = replace(result.options, leave_out=(("left", 2), ("left", 7)))
    found = cycle_status(replace(result, options=options), [cycle_of(cycles, "right", 1)])
    assert [(x.cycle, x.status, x.code, x.reason) for x in found if x.side == "left"] == [
        (number, "skipped", "left-out", reason)
        for number, reason in (
            (1, "set aside: long"),
            (2, "left out by the user"),
            (7, "left out by the user; the trial has no such cycle"),
        )
        for _ in JOINTS
    ]


def test_without_kinetics_the_reason_is_that_of_the_trial(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    bare = replace(result, no_kinetics="no plates in the file", no_kinetics_code="no-plates")
    found = cycle_status(bare, [with_gap(cycle_of(cycles, "left", 1), 0)])
    assert {(x.code, x.reason) for x in found} == {("no-plates", "no plates in the file")}


def test_a_step_without_any_moment_stays_skipped_if_its_plate_carries_a_part(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    curves = cycle_of(cycles, "left", 1)
    contact = contact_in(result, curves)
    blind = without_force(result, "left", slice(contact.start, contact.stop))
    partial = with_contact(blind, contact, verdict="partial", reason=WHY)
    found = cycle_status(partial, [with_gap(curves, 0)])
    assert {(x.status, x.code) for x in found} == {("skipped", "contact-partial")}


def test_a_step_that_is_rejected_elsewhere_is_not_the_reason(
    result: Result, cycles: Sequence[CycleCurves]
) -> None:
    curves = cycle_of(cycles, "left", 1)
    contact = contact_in(result, curves)
    blind = without_force(result, "left", slice(contact.start, contact.stop))
    reject = {"verdict": "rejected", "reason": WHY}
    away = {"start": contact.stop, "stop": contact.stop + 5}
    late = {"start": contact.stop - 2, "stop": contact.stop + 5}
    for where, code in ((away, "beside-plates"), (late, "contact-rejected")):
        other = with_contact(blind, contact, **reject, **where)
        assert {x.code for x in cycle_status(other, [with_gap(curves, 0)])} == {code}


@pytest.mark.parametrize(("planar", "state"), [(False, "partial"), (True, "ok")])
def test_only_the_sagittal_moment_counts_in_a_plane(
    result: Result, cycles: Sequence[CycleCurves], planar: bool, state: str
) -> None:
    curves = cycle_of(cycles, "left", 1)
    values = curves.values.copy()
    values[50:, curves.names.index("knee_moment_abduction")] = np.nan
    flat = replace(result, pose=replace(result.pose, planar=planar))
    found = cycle_status(flat, [replace(curves, values=values)])
    assert {x.joint: x.status for x in found} == {"ankle": "ok", "knee": state, "hip": "ok"}
