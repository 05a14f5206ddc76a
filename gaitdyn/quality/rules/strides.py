"""Rules on strides: outliers in duration, and turning."""

from __future__ import annotations

from gaitdyn.cycles.normalise import find_cycles, outlying_cycles
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.words import counted


def stride_rules(result: Processed, rules: Rules) -> Findings:
    """Return one finding for each side with strides left out as outliers."""
    rule = rules["stride-outlier"]
    for side in result.sides:
        if outliers := outlying_cycles(result, side):
            reasons = "; ".join(f"{number} ({why})" for number, why in outliers.items())
            message = f"{side}: {counted(len(outliers), 'stride')} set aside: {reasons}"
            yield rule.found(side, message, float(len(outliers)), side=side)


def heading_rules(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each stride whose heading changes by more than in straight walking."""
    rule = rules["turning"]
    for side in result.sides:
        for cycle in find_cycles(result, side):
            change = cycle.heading_change_deg
            if abs(change) > rule.bound:
                direction = "left" if change > 0 else "right"
                message = (
                    f"{side} cycle {cycle.number}: the person turns by {abs(change):.0f} deg to the"
                    f" {direction} in this stride; it is not compared with straight walking"
                )
                scope, where = f"{side} cycle {cycle.number}", {"side": side, "cycle": cycle.number}
                yield rule.found(scope, message, abs(change), **where)
