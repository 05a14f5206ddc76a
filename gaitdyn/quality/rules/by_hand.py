"""Decisions of the user: events, the foot on a plate, cycles left out, with reasons; cut-offs."""

from __future__ import annotations

from gaitdyn.cycles.normalise import every_cycle
from gaitdyn.quality.rules.table import Rules
from gaitdyn.stages.foot_wrenches import force_filter
from gaitdyn.stages.motion import marker_filter
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.result import Processed
from gaitdyn.types.words import counted


def by_hand_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each correction by hand, with its reason or why it has no effect."""
    rule = rules["corrected-by-hand"]
    findings = [
        rule.found(scope, f"corrected by hand: {decision}; {why or 'no reason is given'}")
        for scope, decision, why in corrections(result.options)
    ]
    return [*findings, *_missing_cycles(result, rules), *_cutoffs(result, rules)]


def _cutoffs(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each filter that removes the motion of walking, or keeps its noise."""
    rule, rate = rules["cut-off-unusual"], result.recording.rate_hz
    filters = ("markers", marker_filter), ("forces", force_filter)
    for signal, filter_of in filters:
        cutoff = filter_of(result.options, rate).cutoff_hz
        if cutoff is None or not rule.beyond(cutoff):
            continue
        noisy = cutoff > rule.bound
        if noisy and signal == "forces":  # plates have less noise
            continue
        effect = "keeps noise" if noisy else "removes part of a walk's motion"
        message = f"the cut-off of the {signal} is {cutoff:g} Hz, which {effect}"
        yield rule.found(signal, message, cutoff)


def _missing_cycles(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each cycle to be left out that does not exist."""
    for side, number in result.options.leave_out:
        numbers = [cycle.number for cycle in every_cycle(result, side)]
        if number not in numbers:
            has = f"has {_range_of(numbers)}" if side in result.sides else "was not measured"
            message = f"leave_out names {side} cycle {number}: the {side} side {has}"
            yield rules["no-such-cycle"].found(side, message, side=side)


def _range_of(numbers: list[int]) -> str:
    if len(numbers) < 2:  # noqa: PLR2004  one has no range
        return f"cycle {numbers[0]} only" if numbers else "no cycle"
    return f"cycles {numbers[0]} to {numbers[-1]}"


def corrections(options: Options) -> list[tuple[str, str, str]]:
    """Return scope, decision and reason (empty if none was given) of each correction."""
    why = dict(options.reasons)
    decided: list[tuple[str, str, str]] = []
    if options.events:
        decision = f"{counted(len(options.events), 'event')} given, the file's are not used"
        decided.append(("events", decision, why.get("events", "")))
    decided += [
        (f"plate {a.plate}", _plate(a), why.get("assign", ""))
        for a in options.assign
        if a.origin == "user"
    ]
    decided += [
        (f"{side} cycle {n}", f"{side} cycle {n} is left out", why.get(f"{side} {n}", ""))
        for side, n in options.leave_out
    ]
    return decided


def _plate(given: Assignment) -> str:
    """Return in words the decision on a plate."""
    whose = "is not used" if given.side == "none" else f"is given to the {given.side} foot"
    frames = "" if given.frames is None else f" in frames {given.frames[0]}-{given.frames[1]}"
    return f"plate {given.plate} {whose}{frames}"
