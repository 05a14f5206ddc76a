"""What a person decided: events, the foot of a plate, cycles that are left out, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.options import Assignment, Options
    from gaitdyn.types.result import Processed


def by_hand_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each correction by hand, with its reason."""
    rule = rules["corrected-by-hand"]
    return [
        rule.found(scope, f"corrected by hand: {what}; {why or 'no reason is given'}")
        for scope, what, why in corrections(result.options)
    ]


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
