"""Rules on numbers that never occur in a task, inside cycles and outside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.clean.smoothing import blocks
from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.steps import steps, times
from gaitdyn.quality.rules.table import QualityRule, Rules, load_rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.task import IN_FLIGHT, WALKING

_WORDS = {
    "moment-implausible": ("moment", "N m/kg"),
    "power-implausible": ("power", "W/kg"),
    "force-implausible": ("joint force", "N/kg"),
}
FASTEST, QUICKEST = 0.9, 2.3
"""Limits of walking by leg length: nobody walks faster than 0.9 sqrt(g l) (people begin to run at
0.7), and no stride is shorter than 2.3 sqrt(l / g) (toddlers 3.2, fast adults 2.8)."""

BRIEFEST = 1.6
"""No stance of walking is shorter than 1.6 sqrt(l / g): 33 whole ones of 17 laboratories last 1.97
to 2.76, and 1 in running."""

APART_S, EVERYWHERE = 0.6, 0.2
"""Frames beyond a limit that are within 0.6 s of each other are one finding. If they are 0.2 of all
known frames, there is one finding for the whole trial."""


def number_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on loads, speed and rhythm."""
    return [
        *loads(result, rules),
        *walking_speed(result, rules),
        *rhythm(result, rules),
        *brief_stances(result, rules),
    ]


def loads(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each time at which the load of a joint is impossible in the task."""
    mass, rules = result.subject.mass_kg, rules.of_task(result.task)
    for name, side in result.sides.items():
        if side.kinetics is None or not mass:
            continue
        kinetics = side.kinetics
        sizes = {
            "moment-implausible": np.linalg.norm(kinetics.loads.moment_S, axis=2),
            "power-implausible": np.abs(kinetics.power.sum(axis=2)),
            "force-implausible": np.linalg.norm(kinetics.loads.force_G, axis=2),
        }
        for code, size in sizes.items():
            shown = np.where(kinetics.published, size / mass, np.nan)
            with np.errstate(invalid="ignore"):
                beyond = shown > rules[code].bound
            for i in np.flatnonzero(beyond.any(axis=0)):
                where = {"side": name, "joint": JOINTS[i]}
                yield from _beyond(result, rules[code], shown[:, i], beyond[:, i], where)


def _beyond(
    result: Processed, rule: QualityRule, values: Array, beyond: Mask, where: dict[str, Any]
) -> Findings:
    """Return a finding for each time at which a load is beyond its limit."""
    scope, (word, unit) = f"{where['side']} {where['joint']}", _WORDS[rule.code]
    task = "running or jumping" if result.task in IN_FLIGHT else WALKING
    limit = f"more than {task} needs ({rule.bound:g} {unit})"
    known = np.isfinite(values).sum()
    if beyond.sum() > EVERYWHERE * known:
        peak = float(np.nanmax(values))
        size = f"{word} up to {peak:.3g} {unit} in {beyond.sum()} of {known} frames"
        yield rule.found(scope, f"{scope}: {size}, {limit}", peak, **where)
        return
    for start, stop in blocks(beyond, round(APART_S * result.recording.rate_hz)):
        peak = float(np.nanmax(values[start:stop]))
        when = times(result, start, stop)
        size = f"{word} {peak:.3g} {unit} at {when['start_s']:.2f} s"
        yield rule.found(scope, f"{scope}: {size}, {limit}", peak, **where, **when)


def walking_speed(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the mean speed of the pelvis is too fast for walking."""
    rule, origin = rules["speed-implausible"], result.pose.origin_G
    rows = np.flatnonzero(complete_rows(origin))
    if len(rows) < 2:  # noqa: PLR2004
        return []
    travel = origin[rows[-1]] - origin[rows[0]]
    lasted = (rows[-1] - rows[0]) / result.recording.rate_hz
    speed = float(np.hypot(travel[0], travel[2]) / lasted)
    fastest = FASTEST * float(np.sqrt(STANDARD_GRAVITY * leg_length(result)))
    own = rule.bound > load_rules()[rule.code].bound  # a laboratory's larger one holds for all legs
    limit = rule.bound if own else min(rule.bound, fastest)
    if speed <= limit:
        return []
    message = (
        f"the pelvis moves at {speed:.1f} m/s; with these legs nobody walks faster than"
        f" {limit:.1f} m/s: rate or unit is wrong"
    )
    return [rule.found("pelvis", message, speed, limit=limit)]


def leg_length(result: Processed) -> float:
    """Return the mean of shank plus thigh length over the legs, m; infinite if none is known."""
    lengths = [shank + thigh for _, shank, thigh in result.calibration.lengths_m.values()]
    known = [length for length in lengths if np.isfinite(length)]
    return sum(known) / len(known) if known else np.inf


def rhythm(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each stride with an implausible duration or length."""
    lasts, reach = rules["stride-time"], rules["stride-length"]
    findings: list[Finding] = []
    origin, rate = result.pose.origin_G, result.recording.rate_hz
    leg = leg_length(result) if result.task == WALKING else np.inf
    swing = QUICKEST * float(np.sqrt(leg / STANDARD_GRAVITY)) if np.isfinite(leg) else 0.0
    low = lasts.low or 0.0
    own = low < (load_rules()[lasts.code].low or 0.0)  # a laboratory's smaller one
    shortest = low if own else max(low, swing)
    for side in result.sides:
        for cycle in find_cycles(result, side):
            where: dict[str, Any] = {"side": side, "cycle": cycle.number}
            time = (cycle.stop_row - cycle.start_row) / rate
            scope = f"{side} cycle {cycle.number}"
            if not shortest <= time <= lasts.bound:
                usual = f"(usual {shortest:.2f} to {lasts.bound:g} s)"
                message = f"{scope} lasts {time:.2f} s {usual}: events or rate are wrong"
                limit = lasts.limit if time > lasts.bound else shortest
                findings.append(lasts.found(scope, message, time, limit=limit, **where))
            rows = [
                min(max(round(r), 0), len(origin) - 1) for r in (cycle.start_row, cycle.stop_row)
            ]
            travel = origin[rows[1]] - origin[rows[0]]
            length = float(np.hypot(travel[0], travel[2]))
            if length > reach.bound:
                message = (
                    f"{scope} is {length:.2f} m long (limit {reach.bound:g} m): the unit of the"
                    " points is wrong"
                )
                findings.append(reach.found(scope, message, length, **where))
    return findings


def brief_stances(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each entire step on plates that is too brief for the leg length."""
    rule, leg = rules["stride-time"], leg_length(result)
    findings: list[Finding] = []
    if result.task != WALKING or not np.isfinite(leg):
        return findings
    shortest = BRIEFEST * float(np.sqrt(leg / STANDARD_GRAVITY))
    for step in steps(result):
        lasted = (step.stop - step.start) / result.recording.rate_hz
        if step.entire and lasted < shortest:
            scope = f"{step.side} stance"
            message = (
                f"{scope} lasts {lasted:.2f} s (with these legs at least {shortest:.2f} s): the"
                " rate is wrong, or it is not a walk"
            )
            where = {"limit": shortest, **step.when(result)}
            findings.append(rule.found(scope, message, lasted, **where))
    return findings
