"""All rules on one result, and the result with what they found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gaitdyn.audit import audit_of
from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules.anatomy import anatomy_rules
from gaitdyn.quality.rules.by_hand import by_hand_rules
from gaitdyn.quality.rules.channels import channel_rules
from gaitdyn.quality.rules.heading import heading_rules
from gaitdyn.quality.rules.loads import load_rules_of
from gaitdyn.quality.rules.markers import marker_rules
from gaitdyn.quality.rules.muscles import muscle_rules
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
from gaitdyn.quality.upper_loads import upper_load_rules

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

R = TypeVar("R", bound="Processed")

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
    upper_load_rules,
    heading_rules,
    muscle_rules,
    by_hand_rules,
)
"""The rules in the order in which a trial is read: markers, body, plates, loads, time, way,
muscles, and what was decided by hand."""


def check_result(result: Processed, rules: Rules) -> list[Finding]:
    """Return what all rules find in a result; rules that are ``off`` find nothing.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    found = [finding for subject in SUBJECTS for finding in subject(result, rules)]
    return [finding for finding in found if rules[finding.code].level != "off"]


def checked(result: R) -> R:
    """Return a result without what the rules show to be impossible, and with what they found.

    The rules see what the stages found; the loads are audited afterwards, as they are published.

    Parameters
    ----------
    result : Processed
    """
    rules = load_rules(result.options.quality)
    told = [f for found in result.noticed for f in judged(found, rules)]
    found = (*told, *check_result(result, rules))
    shown = emptied(replace(result, judged=found), rules)
    same = {n: v for n, v in result.kept.items() if n.startswith("cycles ") or n == "emg"}
    shown.kept.update(same)  # events, the way of the pelvis and the analog channels stay
    return shown


def findings_of(result: Processed) -> tuple[Finding, ...]:
    """Return everything that was found about a trial, under the limits of its options.

    What the stages noticed, as the table judges it; what the rules find; what the rules of the
    audit find, where its options ask for one. Found once and kept.

    Parameters
    ----------
    result : Processed
    """
    return result.once("findings", lambda: _findings(result))


def _findings(result: Processed) -> tuple[Finding, ...]:
    rules = load_rules(result.options.quality)
    loads = audit_rules(audit_of(result), rules, result.options.profile)
    own = [f for f in loads if rules[f.code].level != "off"]
    if result.judged is not None:
        return (*result.judged, *own)
    told = [f for found in result.noticed for f in judged(found, rules)]
    return (*told, *check_result(result, rules), *own)


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
