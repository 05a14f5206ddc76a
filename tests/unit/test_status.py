"""The status of each joint in each cycle: whole steps, parts of steps, and why kinetics lack."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.quality import JointStatus, cycle_status, side_verdicts
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


@pytest.mark.parametrize("row", [65.0, 305.0])
def test_what_empties_the_ends_of_a_cycle_from_outside_is_its_reason(
    result: Result, row: float
) -> None:
    """0.1 s before or after a cycle: it ended "too near to the end of the file", in its middle."""
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
