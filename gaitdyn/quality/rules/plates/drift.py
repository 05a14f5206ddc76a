"""Rules on what an empty plate reads just before and after a step: it drifts, or is not at zero."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows, mask_of
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed
from gaitdyn.types.wrench import PlateWrench

LEVELS = ("", " sideways", " sideways", " m of moment", " m of moment")
"""What is not at zero: the vertical and the horizontal force, and the moment about horizontal axes
through the plate's centre, which moves the centre of pressure."""

EDGE_S, AROUND_S, FEWEST = 0.06, 0.3, 3
"""An empty plate is checked from 60 to 300 ms before and after a step, in three frames or more:
closer to the step the force is still rising or falling."""


@frozen(eq=False)
class EmptyBeside:
    """What an empty plate reads beside a step, of :data:`LEVELS`; NaN where it is not known.

    Attributes
    ----------
    contact : Contact
        The step.
    before, after : array, shape (5,)
        Medians, N and N m.
    """

    contact: Contact
    before: Array
    after: Array


def drift_rules(wrench: PlateWrench, result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if a plate is not at zero beside a step, or leaves it at another level."""
    beside = _empty_beside(wrench, result)
    return _drifting(wrench, beside, result, rules) or _creeping(wrench, beside, result, rules)


def _empty_beside(wrench: PlateWrench, result: Processed) -> list[EmptyBeside]:
    """Return what a plate reads while empty before and after each of its steps."""
    rate = result.recording.rate_hz
    edge, around = max(2, round(EDGE_S * rate)), round(AROUND_S * rate)
    contacts = [c for c in result.contacts if c.plate == wrench.number]
    force, moment = wrench.force_G @ wrench.normal_G, wrench.moment_G
    level = np.column_stack((force, wrench.force_G[:, [0, 2]], moment[:, [0, 2]]))
    empty = ~mask_of(((max(0, c.start - edge), c.stop + edge) for c in contacts), len(level))
    empty &= complete_rows(level)

    def typical(start: int, stop: int) -> Array:
        known = level[start:stop][empty[start:stop]]
        return np.asarray(median(known, axis=0)) if len(known) >= FEWEST else np.full(5, np.nan)

    return [
        EmptyBeside(c, typical(max(0, c.start - around), c.start), typical(c.stop, c.stop + around))
        for c in contacts
        if c.accepted
    ]


def _drifting(
    wrench: PlateWrench, beside: list[EmptyBeside], result: Processed, rules: Rules
) -> list[Finding]:
    """Return a finding if a plate is not at zero just before or after a step."""
    rule = rules["plate-drifts"]
    least = np.inf if wrench.virtual else rule.least or np.inf  # about no centre of a plate
    most = np.array([rule.bound] * 3 + [least] * 2)
    worst, words, value, when = 1.0, "", 0.0, None
    for step in beside:
        for typical in (step.before, step.after):
            if not np.isfinite(typical[0]):
                continue
            k = int((np.abs(typical) / most).argmax())
            if abs(typical[k]) > worst * most[k]:
                worst, when = abs(typical[k]) / most[k], step.contact
                value = abs(float(typical[k]))
                words = f"{typical[k]:+.0f} N{LEVELS[k]}"
    if when is None:
        return []
    scope = f"plate {wrench.number}"
    message = (
        f"{scope}: {words} next to the {when.side} step, while nobody is on the plate: it drifts,"
        " or something leans on it"
    )
    limit = value / worst
    where = {"limit": limit, **times(result, when.start, when.stop)}
    return [rule.found(scope, message, value, **where)]


def _creeping(
    wrench: PlateWrench, beside: list[EmptyBeside], result: Processed, rules: Rules
) -> list[Finding]:
    """Return a finding if the force of an empty plate is another one after a step than before.

    Its baseline is the median of all frames in which it is empty, so that a drift is half below it
    and half above.
    """
    rule = rules["plate-creeps"]
    steps = [(step, (step.after - step.before)[:3]) for step in beside]
    known = [(step, change) for step, change in steps if np.isfinite(change[0])]
    if not known:
        return []
    step, change = max(known, key=lambda one: float(np.abs(one[1]).max()))
    k = int(np.abs(change).argmax())
    if not rule.beyond(abs(float(change[k]))):
        return []
    scope, when = f"plate {wrench.number}", step.contact
    message = (
        f"{scope}: {step.before[k]:+.0f} N{LEVELS[k]} before the {when.side} step and"
        f" {step.after[k]:+.0f} N after it, while nobody is on the plate: it drifts"
    )
    where = times(result, when.start, when.stop)
    return [rule.found(scope, message, abs(float(change[k])), **where)]
