"""Rules on strides: outliers in duration, turning, and steps without double support."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.cycles.normalise import find_cycles, outlying_cycles
from gaitdyn.metrics.strides import stride_events
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


def flight_rules(result: Processed, rules: Rules) -> Findings:
    """Return a finding if, in most strides, each foot leaves before the other one strikes."""
    rule, time_of = rules["no-double-support"], result.recording.time_of
    strides = [
        stride_events(result.events, side, time_of(cycle.start_row), time_of(cycle.stop_row))
        for side in result.sides
        for cycle in find_cycles(result, side)
    ]
    in_air = np.array([stride.opposite_strike - stride.off for stride in strides])
    known = in_air[np.isfinite(in_air)]
    if known.size and 2 * (known > rule.bound).sum() > known.size:
        lasted = float(median(known))
        message = (
            f"both feet are in the air for {lasted:.2f} s between steps (median of"
            f" {counted(len(known), 'stride')}): the person runs, or events are wrong"
        )
        yield rule.found("feet", message, lasted)
