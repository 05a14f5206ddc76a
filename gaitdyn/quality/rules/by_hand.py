"""What a person decided: events, the foot of a plate, cycles that are left out, and why."""

from __future__ import annotations

from gaitdyn.cycles.normalise import every_cycle
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.options import Assignment, Options
from gaitdyn.types.result import Processed


def by_hand_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each correction by hand, with its reason, or why it corrects nothing."""
    rule = rules["corrected-by-hand"]
    found = [
        rule.found(scope, f"corrected by hand: {what}; {why or 'no reason is given'}")
        for scope, what, why in corrections(result.options)
    ]
    return found + _not_there(result, rules)


def _not_there(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each cycle to leave out that the trial does not have."""
    found: list[Finding] = []
    for side, number in result.options.leave_out:
        there = [cycle.number for cycle in every_cycle(result, side)]
        if number not in there:
            has = f"has {_counted(there)}" if side in result.sides else "was not measured"
            message = f"leave_out names {side} cycle {number}: the {side} side {has}"
            found.append(rules["no-such-cycle"].found(side, message, side=side))
    return found


def _counted(numbers: list[int]) -> str:
    if len(numbers) < 2:  # noqa: PLR2004  one has no range
        return f"cycle {numbers[0]} only" if numbers else "no cycle"
    return f"cycles {numbers[0]} to {numbers[-1]}"


def corrections(options: Options) -> list[tuple[str, str, str]]:
    """Return scope, what was decided and why (empty where nobody said) of each correction.

    Parameters
    ----------
    options : Options
    """
    why = dict(options.reasons)
    found: list[tuple[str, str, str]] = []
    if options.events:
        what = f"{len(options.events)} events are given, the file's are not used"
        found.append(("events", what, why.get("events", "")))
    found += [
        (f"plate {a.plate}", _plate(a), why.get("assign", ""))
        for a in options.assign
        if a.origin == "user"
    ]
    found += [
        (f"{side} cycle {n}", f"{side} cycle {n} is left out", why.get(f"{side} {n}", ""))
        for side, n in options.leave_out
    ]
    return found


def _plate(given: Assignment) -> str:
    """Return what was decided of a plate."""
    whose = "is not used" if given.side == "none" else f"is given to the {given.side} foot"
    frames = "" if given.frames is None else f" in frames {given.frames[0]}-{given.frames[1]}"
    return f"plate {given.plate} {whose}{frames}"
