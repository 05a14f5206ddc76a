"""All rules on one result, and the result with what they found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.audit import audit_result
from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules.anatomy import anatomy_rules
from gaitdyn.quality.rules.channels import channel_rules
from gaitdyn.quality.rules.loads import load_rules_of
from gaitdyn.quality.rules.markers import marker_rules
from gaitdyn.quality.rules.noise import noise_rules
from gaitdyn.quality.rules.numbers import number_rules
from gaitdyn.quality.rules.own_loads import audit_rules
from gaitdyn.quality.rules.physics import physics_rules
from gaitdyn.quality.rules.placement import placement_rules
from gaitdyn.quality.rules.plates import plate_rules
from gaitdyn.quality.rules.segments import segment_rules
from gaitdyn.quality.rules.soles import sole_rules
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.quality.rules.timing import timing_rules
from gaitdyn.quality.rules.told_events import event_rules

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Result

SUBJECTS = (
    marker_rules,
    noise_rules,
    anatomy_rules,
    segment_rules,
    placement_rules,
    channel_rules,
    plate_rules,
    sole_rules,
    load_rules_of,
    physics_rules,
    timing_rules,
    event_rules,
    number_rules,
)
"""The rules in the order in which a trial is read: markers, body, plates, loads, time."""


def check_result(result: Result, rules: Rules) -> list[Finding]:
    """Return what all rules find in a result; rules that are ``off`` find nothing.

    Parameters
    ----------
    result : Result
    rules : Rules
    """
    found = [finding for subject in SUBJECTS for finding in subject(result, rules)]
    return [finding for finding in found if rules[finding.code].level != "off"]


def checked(result: Result) -> Result:
    """Return the result with the findings of the rules, and without what they show impossible.

    The limits are those of its options.

    Parameters
    ----------
    result : Result

    Returns
    -------
    Result
    """
    rules = load_rules(result.options.quality)
    told = [f for found in result.findings for f in judged(found, rules)]
    return emptied(replace(result, findings=(*told, *check_result(result, rules))), rules)


def judged(found: Finding, rules: Rules) -> list[Finding]:
    """Return what the stages found as the table judges it: one finding, or none.

    Stages tell what they measured; whether it is too much stands in the table alone. Within the
    limit a measurement that was told as a doubt is none, and one that was told as information
    stays that.

    Parameters
    ----------
    found : Finding
    rules : Rules
    """
    rule = rules[found.code] if rules.has(found.code) else None
    if rule is None or rule.level == "off":
        return [found] if rule is None else []
    if rule.limit is None or found.value is None:
        return [found if found.level == "info" else replace(found, level=rule.level)]
    if found.value > rule.limit:
        return [replace(found, level=rule.level, limit=rule.limit)]
    return [replace(found, limit=rule.limit)] if found.level == "info" else []


def audited(result: Result) -> Result:
    """Return the result with the audit of its loads and what the rules of the audit find.

    It is made once, when results are written (``gaitdyn process``, ``batch``): it takes a quarter
    of the time of a trial in memory. Without loads or with ``audit=False`` nothing is added.

    Parameters
    ----------
    result : Result
    """
    if result.audit or not result.options.audit:
        return result
    rules = load_rules(result.options.quality)
    result = replace(result, audit=audit_result(result))
    found = [f for f in audit_rules(result, rules) if rules[f.code].level != "off"]
    return replace(result, findings=(*result.findings, *found))
