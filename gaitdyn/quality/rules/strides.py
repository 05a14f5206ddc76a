"""The rules of strides: one whose time is not that of the others, one that turns."""

from __future__ import annotations

from gaitdyn.cycles.normalise import find_cycles, set_aside
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed


def stride_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding a side that has strides set aside."""
    rule = rules["stride-outlier"]
    found: list[Finding] = []
    for side in result.sides:
        own = set_aside(result, side)
        if own:
            told = "; ".join(f"{number} ({why})" for number, why in own.items())
            message = f"{side}: {len(own)} strides are set aside: {told}"
            found.append(rule.found(side, message, float(len(own)), side=side))
    return found


def heading_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each stride whose heading changes by more than straight walking's."""
    rule = rules["turning"]
    found: list[Finding] = []
    for side in result.sides:
        for cycle in find_cycles(result, side):
            change = cycle.heading_change_deg
            if abs(change) > rule.bound:
                way = "left" if change > 0 else "right"
                message = (
                    f"{side} cycle {cycle.number}: the person turns by {abs(change):.0f} deg to the"
                    f" {way} in this stride; it is not compared with straight walking"
                )
                at = {"side": side, "cycle": cycle.number}
                found.append(rule.found(f"{side} cycle {cycle.number}", message, abs(change), **at))
    return found
