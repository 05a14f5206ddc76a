"""Verdicts on the kinematics and kinetics of each side, with their reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from gaitdyn.cycles.normalise import every_cycle, find_cycles
from gaitdyn.quality.rules import findings_of
from gaitdyn.quality.rules.table import Rules, load_rules
from gaitdyn.quality.sides import sides_of, sides_without_plate
from gaitdyn.types.cycles import ALL_LEFT_OUT
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.quality.status import JointStatus
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed, Side

Verdict = Literal["pass", "check", "fail"]
Quantity = Literal["kinematics", "kinetics", "emg"]

TOLD_BY_CYCLES = {"contact-rejected", "contact-partial", "contacts-not-whole"}
"""Findings on unused steps, which are not shown: they only affect their cycle."""

SWING_ENDS = {"file-end", "next-step"}
"""With these reasons a cycle lacks only the end of its swing."""

NO_KINEMATICS = "no-kinematics"
"""The finding on a trial whose markers do not form a model."""

OF_THEIR_TIME = {"event-disagreement", "event-missing", "event-contradicted"}
"""Findings that only spoil the cycles that contain their time or end at it."""

ONE_CYCLE = "one cycle: its spread is unknown"

NO_CYCLE = "no gait cycle"
"""Begins why a side has no cycle, or none whose force is known."""


@frozen()
class SideVerdict:
    """Whether one quantity of one side can be used.

    Attributes
    ----------
    side : {"left", "right"}
    quantity : {"kinematics", "kinetics", "emg"}
    word : {"pass", "check", "fail"}
    cycles : int
        Number of known gait cycles: kinematics from beginning to end, kinetics over the whole step.
    reasons : tuple of str
        Why it is not ``pass``, and what the reader of a ``pass`` must know.
    """

    side: str
    quantity: Quantity
    word: Verdict
    cycles: int
    reasons: tuple[str, ...]


def side_verdicts(result: Processed, statuses: Sequence[JointStatus]) -> list[SideVerdict]:
    """Return the verdicts on kinematics and kinetics of both sides.

    A finding counts for its side and quantity; a finding on a cycle spoils only that cycle.
    Information, such as notes on the method, does not count. Without any angle of any joint the
    kinematics of both sides have failed.

    Parameters
    ----------
    result : Processed
    statuses : sequence of JointStatus
        Of every side, cycle and joint, see :func:`gaitdyn.quality.cycle_status`.
    """
    rules = load_rules(result.options.quality)
    serious = [
        f
        for f in findings_of(result)
        if f.level != "info" and f.code not in TOLD_BY_CYCLES and not rules.about_muscles(f.code)
    ]
    of_sides = [(f, sides_of(result, f) or sides_without_plate(result, f)) for f in serious]
    verdicts: list[SideVerdict] = []
    for side in SIDES:
        findings = [f for f, sides in of_sides if side in sides]
        verdicts.append(_kinematics(result, side, findings, rules))
        of_legs = [f for f in findings if rules.about_legs(f.code)]
        verdicts.append(_kinetics(result, side, of_legs, statuses))
    return verdicts


def kinematic_cycles(result: Processed, side: str) -> list[int]:
    """Return the cycles of a side whose angles of all joints are known from beginning to end."""
    angles = result.sides[side].angles
    return [
        cycle.number
        for cycle in find_cycles(result, side)
        if all(
            np.isfinite(angles[j][int(cycle.start_row) : int(cycle.stop_row) + 1, 0]).all()
            for j in JOINTS
        )
    ]


def kinetic_cycles(statuses: Sequence[JointStatus], side: str) -> list[int]:
    """Return the cycles of a side with moments of all joints from 0 to 100 %, none of them failed.

    The means in a report are over these cycles.
    """
    good: dict[int, bool] = {}
    for s in statuses:
        if s.side == side:
            good[s.cycle] = good.get(s.cycle, True) and s.status == "ok" and s.verdict != "fail"
    return [number for number, all_good in good.items() if all_good]


def worst_word(verdicts: Sequence[SideVerdict]) -> Verdict:
    """Return the worst of some verdicts."""
    words = {verdict.word for verdict in verdicts}
    return "fail" if "fail" in words else "check" if "check" in words else "pass"


def _kinematics(
    result: Processed, side: str, findings: Sequence[Finding], rules: Rules
) -> SideVerdict:
    about = [f for f in findings if not _of_loads_alone(f, rules)]
    blank = not any(map(_knows_an_angle, result.sides.values()))
    if side not in result.sides:
        why = _reasons([f for f in findings if f.code == NO_KINEMATICS])
        known: Verdict = "fail" if blank or why else "check"
        why = why or (f"markers of the {side} leg are missing",)
        return SideVerdict(side, "kinematics", known, 0, why)
    numbers = kinematic_cycles(result, side)
    lacking = () if numbers else (_no_cycle(result, side),)
    if not _knows_an_angle(result.sides[side]):
        lacking = (f"no angle of the {side} leg is known",)
        word: Verdict = "fail" if blank or any(f.level == "error" for f in about) else "check"
        return SideVerdict(side, "kinematics", word, 0, (*_reasons(about), *lacking))
    return _judged(side, "kinematics", _by_cycle(result, side, about), numbers, lacking)


def _of_loads_alone(finding: Finding, rules: Rules) -> bool:
    """Return whether no angle depends on a finding: one on loads, or on what the body weighs."""
    of_loads = rules.has(finding.code) and rules[finding.code].about == "kinetics"
    return of_loads or finding.scope == "mass_kg"


def _knows_an_angle(leg: Side) -> bool:
    return any(np.isfinite(leg.angles[joint]).any() for joint in JOINTS)


def _no_cycle(result: Processed, side: str) -> str:
    if find_cycles(result, side):
        return "no cycle is known from beginning to end"
    if result.task != WALKING:
        return f"{NO_CYCLE}: the task is {result.task}, not walking"
    numbers = {cycle.number for cycle in every_cycle(result, side)}
    if numbers and numbers <= {n for one, n in result.options.leave_out if one == side}:
        return f"{NO_CYCLE}: {ALL_LEFT_OUT}"
    if numbers:
        return f"{NO_CYCLE}: every stride is left out"
    return f"{NO_CYCLE}: two strikes of this foot are not in the file"


def _kinetics(
    result: Processed, side: str, findings: Sequence[Finding], statuses: Sequence[JointStatus]
) -> SideVerdict:
    if result.no_kinetics:
        return SideVerdict(side, "kinetics", "check", 0, (result.no_kinetics,))
    mine = [status for status in statuses if status.side == side]
    numbers = [
        number
        for number in sorted({status.cycle for status in mine})
        if all(_whole_step(s) for s in mine if s.cycle == number)
    ]
    why = [f"{s.code}: {s.reason}" for s in mine if s.status != "ok" and s.code]
    lacking = tuple(dict.fromkeys(why)) or (f"{NO_CYCLE} with the force of a whole step",)
    spoiling = _by_cycle(result, side, findings)
    return _judged(side, "kinetics", spoiling, numbers, () if numbers else lacking)


def _whole_step(status: JointStatus) -> bool:
    """Return whether the loads of a joint are known over the stance of a cycle at least."""
    return status.status == "ok" or (status.status == "partial" and status.code in SWING_ENDS)


Spoils = tuple["Finding", "set[int] | None"]
"""A finding and the cycles that it spoils; None for all of them."""


def _by_cycle(result: Processed, side: str, findings: Sequence[Finding]) -> list[Spoils]:
    """Return the findings, each with the cycles that it spoils."""
    spoiling: list[Spoils] = []
    for finding in findings:
        cycles = None if finding.cycle is None else {finding.cycle}
        start, stop = finding.start_s, finding.stop_s
        if finding.code in OF_THEIR_TIME and start is not None and stop is not None:
            first, last = result.row(start), result.row(stop)
            cycles = {
                cycle.number
                for cycle in find_cycles(result, side)
                if cycle.start_row <= last + _A_ROW and cycle.stop_row >= first - _A_ROW
            }
        spoiling.append((finding, cycles))
    return spoiling


_A_ROW = 0.5


def _judged(
    side: str,
    quantity: Quantity,
    spoiling: Sequence[Spoils],
    numbers: Sequence[int],
    lacking: tuple[str, ...],
) -> SideVerdict:
    """Return the verdict on a quantity from its findings and known cycles."""
    clean = set(numbers).difference(*(cycles for _, cycles in spoiling if cycles is not None))
    counted = [f for f, cycles in spoiling if cycles is None or not clean]
    word: Verdict = "check" if counted or not numbers else "pass"
    if any(f.level == "error" for f in counted):
        word = "fail"
    spread = (ONE_CYCLE,) if len(numbers) == 1 else ()
    return SideVerdict(
        side, quantity, word, len(numbers), (*_reasons([f for f, _ in spoiling]), *lacking, *spread)
    )


def _reasons(findings: Sequence[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f"{f.code}: {f.message}" for f in findings))
