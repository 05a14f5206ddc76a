"""The rule of many strides: one whose time is not that of the others is set aside."""

from __future__ import annotations

from gaitdyn.cycles.normalise import set_aside
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
