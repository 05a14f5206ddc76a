"""The verdict of a trial and the status of every (side, cycle, joint)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.core.runs import ever_known
from gaitdyn.cycles.normalise import every_cycle, outlying_cycles
from gaitdyn.quality.impossible import empties
from gaitdyn.quality.joint_verdict import concerns, with_verdicts
from gaitdyn.quality.rules import findings_of
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.quality.upper_loads import SPREAD_S
from gaitdyn.quality.verdicts import Verdict, side_verdicts, worst_word
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.types.cycles import CycleCurves
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

_STEP_ROWS = 4
"""Number of frames at the end of a cycle in which the next step of the same foot may begin."""


@frozen()
class JointStatus:
    """Whether the kinetics of one joint in one cycle can be used.

    Attributes
    ----------
    side : str
    cycle : int
        From 1 on each side.
    joint : str
    status : {"ok", "partial", "skipped"}
    code, reason : str
        Why it is not ``ok``; empty if it is.
    verdict : {"pass", "check", "fail"}
        Also depends on the findings on this joint.
    reasons : tuple of str
        These findings, code first.
    """

    side: str
    cycle: int
    joint: str
    status: Literal["ok", "partial", "skipped"]
    code: str
    reason: str
    verdict: Verdict = "pass"
    reasons: tuple[str, ...] = ()


def verdict(result: Processed, statuses: Sequence[JointStatus]) -> Verdict:
    """Return the worst verdict on kinematics and kinetics of both sides.

    Parameters
    ----------
    result : Processed
    statuses : sequence of JointStatus
        Of every side, cycle and joint, see :func:`cycle_status`.

    Returns
    -------
    {"pass", "check", "fail"}
    """
    return worst_word(side_verdicts(result, statuses))


def cycle_status(result: Processed, cycles: Sequence[CycleCurves]) -> list[JointStatus]:
    """Return the status of the moments of each joint in each cycle.

    Parameters
    ----------
    result : Processed
    cycles : sequence of CycleCurves
    """
    statuses = []
    for curves in cycles:
        cycle = curves.cycle
        doubtful = _doubtful(result, curves)
        keys = [key_of(name) for name in curves.names]
        for joint in JOINTS:
            columns = [i for i, key in enumerate(keys) if key.is_moment and key.part == joint]
            columns = columns[:1] if result.pose.planar else columns  # the sagittal one is first
            moments = curves.values[:, columns]
            known = np.isfinite(moments).all(axis=1) if columns else np.zeros(1, bool)
            state = "ok" if known.all() else "partial" if known.any() else "skipped"
            code, reason = ("", "") if state == "ok" else _why(result, curves)
            if doubtful and (state == "ok" or code == "beside-plates"):
                state = "partial" if state == "ok" else state
                code, reason = "contact-partial", doubtful
            statuses.append(JointStatus(cycle.side, cycle.number, joint, state, code, reason))
    statuses = _because_impossible(result, statuses, _windows(result, cycles))
    whole = sorted(statuses + _left_out(result), key=lambda s: (SIDES.index(s.side), s.cycle))
    return with_verdicts(result, whole, _windows(result, cycles))


def _because_impossible(
    result: Processed,
    statuses: Sequence[JointStatus],
    times: dict[tuple[str, int], tuple[float, float]],
) -> list[JointStatus]:
    """Return the statuses; if a rule emptied one, its finding becomes the reason.

    What is found shortly before or after a cycle empties some of its frames, too.
    """
    rules = load_rules(result.options.quality)
    impossible = [f for f in findings_of(result) if empties(f, rules)]
    reach = SPREAD_S + 1.0 / result.recording.rate_hz  # both ends are emptied
    near = {cycle: (start - reach, stop + reach) for cycle, (start, stop) in times.items()}
    explained: list[JointStatus] = []
    for status in statuses:
        causes = (f for f in impossible if concerns(result, f, status, near, rules))
        first = next(causes, None) if status.status != "ok" else None
        if first is not None:
            status = replace(status, code=first.code, reason=first.message)  # noqa: PLW2901
        explained.append(status)
    return explained


def _windows(
    result: Processed, cycles: Sequence[CycleCurves]
) -> dict[tuple[str, int], tuple[float, float]]:
    """Return the start and stop of each cycle, s on the clock of the findings."""
    time_of = result.recording.time_of
    return {
        (c.cycle.side, c.cycle.number): (time_of(c.cycle.start_row), time_of(c.cycle.stop_row))
        for c in cycles
    }


def _left_out(result: Processed) -> list[JointStatus]:
    """Return the status of the cycles left out by the user or as outliers."""
    statuses: list[JointStatus] = []
    for side in result.sides:
        for number, why in outlying_cycles(result, side).items():
            if (side, number) not in result.options.leave_out:
                reason = f"set aside: {why}"
                statuses += [
                    JointStatus(side, number, j, "skipped", "left-out", reason) for j in JOINTS
                ]
    for side, number in sorted(set(result.options.leave_out)):
        exists = any(c.number == number for c in every_cycle(result, side))
        reason = "left out by the user" + "; the trial has no such cycle" * (not exists)
        statuses += [JointStatus(side, number, j, "skipped", "left-out", reason) for j in JOINTS]
    return statuses


def _rows(curves: CycleCurves) -> slice:
    cycle = curves.cycle
    return slice(int(np.floor(cycle.start_row)), int(np.ceil(cycle.stop_row)) + 1)


def _doubtful(result: Processed, curves: CycleCurves) -> str:
    """Return why the force in a cycle is not that of the whole foot; empty if it is."""
    rows = _rows(curves)
    for contact in result.contacts:
        begins = rows.start <= contact.start + 1 and contact.start < rows.stop - _STEP_ROWS
        if contact.verdict == "partial" and contact.side == curves.cycle.side and begins:
            return f"plate {contact.plate} carries only part of the step: {contact.reason}"
    return ""


def _why(result: Processed, curves: CycleCurves) -> tuple[str, str]:
    """Return the code of and the reason for missing kinetics in a cycle."""
    if result.no_kinetics:
        return result.no_kinetics_code, result.no_kinetics
    rows, name = _rows(curves), curves.cycle.side
    side = result.sides[name]
    centres_G = result.pose.leg(name).r_prox_G
    if not np.isfinite(centres_G[rows]).all():
        seen = ever_known(centres_G)
        never = [joint for joint, ever in zip(JOINTS, seen, strict=True) if not ever]
        gap = "markers of the leg are missing in this cycle"
        centres = f"no marker shows the centre of the {' or of the '.join(never)}"
        return "marker-gap", centres if never else gap
    if side.wrench is not None:
        unknown = rows.start + np.flatnonzero(np.isnan(side.wrench.force_G[rows, 0]))
        spread = force_filter(result.options, result.recording.rate_hz).spread
        if unknown.size and unknown[0] >= rows.stop - _STEP_ROWS - spread:
            return "next-step", (
                "only its last frames are unknown: the next step of this foot begins there, off the"
                " plates"
            )
        if unknown.size:
            return _why_unknown(result, int(unknown[0]), int(unknown[-1]) + 1)
    return "file-end", "the cycle reaches frames too near to the start or the end of the file"


def _why_unknown(result: Processed, start: int, stop: int) -> tuple[str, str]:
    """Return why the force under a standing foot is not known in the rows start to stop."""
    rejected = [
        contact
        for contact in result.contacts
        if contact.verdict == "rejected" and contact.start < stop and contact.stop > start
    ]
    if rejected:
        plate, why = rejected[0].plate, rejected[0].reason
        return "contact-rejected", f"the step on plate {plate} is not used: {why}"
    return "beside-plates", "the foot stands where no plate measures its force"
