"""The rule of the way: a stride that turns is not straight walking."""

from __future__ import annotations

from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed


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
