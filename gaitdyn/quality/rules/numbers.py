"""Rules of numbers that walking never has, inside cycles and outside them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.clean.smoothing import blocks
from gaitdyn.core.runs import complete_rows
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.steps import steps, times
from gaitdyn.quality.rules.table import QualityRule, Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.task import WALKING

_WORDS = {
    "moment-implausible": ("moment", "N m/kg"),
    "power-implausible": ("power", "W/kg"),
    "force-implausible": ("joint force", "N/kg"),
}
FASTEST, QUICKEST = 0.9, 2.3
"""Leg lengths tell the pace of walking: of sqrt(g l) nobody walks faster than this (0.7 is where
people begin to run), and of sqrt(l / g) no stride is shorter (toddlers 3.2, fast adults 2.8)."""

BRIEFEST = 1.6
"""Of sqrt(l / g) no stance of walking is shorter: 33 whole ones of 17 laboratories last 1.97 to
2.76; in running 1."""

APART_S, EVERYWHERE = 0.6, 0.2
"""Frames beyond a limit that are this near belong together; where they are this part of all known
frames, the whole trial is meant."""


def number_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about loads, speed and rhythm."""
    return [
        *loads(result, rules),
        *walking_speed(result, rules),
        *rhythm(result, rules),
        *brief_stances(result, rules),
    ]


def loads(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each time in which a joint has a load that walking never has."""
    mass = result.subject.mass_kg
    found: list[Finding] = []
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
                at = {"side": name, "joint": JOINTS[i]}
                found += _beyond(result, rules[code], shown[:, i], beyond[:, i], at)
    return found


def _beyond(
    result: Processed, rule: QualityRule, values: Array, beyond: Mask, at: dict[str, Any]
) -> list[Finding]:
    """Return a finding for each time in which a load lies beyond its limit."""
    scope, (word, unit) = f"{at['side']} {at['joint']}", _WORDS[rule.code]
    known = np.isfinite(values).sum()
    if beyond.sum() > EVERYWHERE * known:
        peak = float(np.nanmax(values))
        message = f"{scope}: {word} up to {peak:.3g} {unit} in {beyond.sum()} of {known} frames"
        return [rule.found(scope, message, peak, **at)]
    found: list[Finding] = []
    for start, stop in blocks(beyond, round(APART_S * result.recording.rate_hz)):
        peak = float(np.nanmax(values[start:stop]))
        when = times(result, start, stop)
        message = f"{scope}: {word} {peak:.3g} {unit} at {when['start_s']:.2f} s"
        found.append(rule.found(scope, message, peak, **at, **when))
    return found


def walking_speed(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding where the pelvis goes faster, on the whole, than anybody walks."""
    rule, origin = rules["speed-implausible"], result.pose.origin_G
    rows = np.flatnonzero(complete_rows(origin))
    if len(rows) < 2:  # noqa: PLR2004
        return []
    way = origin[rows[-1]] - origin[rows[0]]
    lasted = (rows[-1] - rows[0]) / result.recording.rate_hz
    speed = float(np.hypot(way[0], way[2]) / lasted)
    limit = min(rule.bound, FASTEST * float(np.sqrt(STANDARD_GRAVITY * leg_length(result))))
    if speed <= limit:
        return []
    message = f"the pelvis goes {speed:.1f} m/s: nobody walks that fast; rate or unit is wrong"
    return [rule.found("pelvis", message, speed, limit=limit)]


def leg_length(result: Processed) -> float:
    """Return the mean length of shank and thigh together, m; infinite where none is known."""
    lengths = [shank + thigh for _, shank, thigh in result.calibration.lengths_m.values()]
    known = [length for length in lengths if np.isfinite(length)]
    return sum(known) / len(known) if known else np.inf


def rhythm(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each stride that is too short or too long in time or space."""
    lasts, reach = rules["stride-time"], rules["stride-length"]
    found: list[Finding] = []
    origin, rate = result.pose.origin_G, result.recording.rate_hz
    leg = leg_length(result) if result.task == WALKING else np.inf
    swing = QUICKEST * float(np.sqrt(leg / STANDARD_GRAVITY)) if np.isfinite(leg) else 0.0
    shortest = max(lasts.low or 0.0, swing)
    for side in result.sides:
        for cycle in find_cycles(result, side):
            at: dict[str, Any] = {"side": side, "cycle": cycle.number}
            time = (cycle.stop_row - cycle.start_row) / rate
            scope = f"{side} cycle {cycle.number}"
            if not shortest <= time <= lasts.bound:
                message = f"{scope} lasts {time:.2f} s: events or rate are wrong"
                limit = lasts.limit if time > lasts.bound else shortest
                found.append(lasts.found(scope, message, time, limit=limit, **at))
            rows = [
                min(max(round(r), 0), len(origin) - 1) for r in (cycle.start_row, cycle.stop_row)
            ]
            way = origin[rows[1]] - origin[rows[0]]
            length = float(np.hypot(way[0], way[2]))
            if length > reach.bound:
                message = f"{scope} is {length:.2f} m long: the unit of the points is wrong"
                found.append(reach.found(scope, message, length, **at))
    return found


def brief_stances(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each whole step on plates that is too short in time for the leg."""
    rule, leg = rules["stride-time"], leg_length(result)
    found: list[Finding] = []
    if result.task != WALKING or not np.isfinite(leg):
        return found
    shortest = BRIEFEST * float(np.sqrt(leg / STANDARD_GRAVITY))
    for step in steps(result):
        lasted = (step.stop - step.start) / result.recording.rate_hz
        if step.entire and lasted < shortest:
            scope = f"{step.side} stance"
            message = f"{scope} lasts {lasted:.2f} s: the rate is wrong, or it is no walk"
            at = {"limit": shortest, **step.when(result)}
            found.append(rule.found(scope, message, lasted, **at))
    return found
