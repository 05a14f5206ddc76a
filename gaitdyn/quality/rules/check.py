"""All rules on one result, and the result with what they found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gaitdyn.audit.legs import audit_of
from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules.anatomy import anatomy_rules
from gaitdyn.quality.rules.both_sides import both_sides
from gaitdyn.quality.rules.by_hand import by_hand_rules
from gaitdyn.quality.rules.channels import channel_rules
from gaitdyn.quality.rules.force_lines import force_line_rules
from gaitdyn.quality.rules.loads import load_rules_of
from gaitdyn.quality.rules.markers import marker_rules
from gaitdyn.quality.rules.muscles import emg_later, muscle_rules
from gaitdyn.quality.rules.noise import noise_rules
from gaitdyn.quality.rules.numbers import number_rules
from gaitdyn.quality.rules.own_loads import audit_rules
from gaitdyn.quality.rules.pelvis import pelvis_rules
from gaitdyn.quality.rules.physics import physics_rules
from gaitdyn.quality.rules.placement import placement_rules
from gaitdyn.quality.rules.plate_gains import gain_rules
from gaitdyn.quality.rules.plate_places import place_rules
from gaitdyn.quality.rules.plates import plate_rules
from gaitdyn.quality.rules.segments import segment_rules
from gaitdyn.quality.rules.side_gain import side_gain_rules
from gaitdyn.quality.rules.soles import sole_rules
from gaitdyn.quality.rules.static_lines import static_lines
from gaitdyn.quality.rules.strides import heading_rules, stride_rules
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.quality.rules.timing import timing_rules
from gaitdyn.quality.rules.told_events import event_rules
from gaitdyn.quality.rules.upper_markers import upper_marker_rules
from gaitdyn.quality.upper_loads import upper_load_rules
from gaitdyn.types.later import later, unread
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

    Subject = Callable[[Processed, Rules], list[Finding]]

R = TypeVar("R", bound="Processed")

SUBJECTS = (
    marker_rules,
    noise_rules,
    anatomy_rules,
    segment_rules,
    placement_rules,
    static_lines,
    both_sides,
    pelvis_rules,
    channel_rules,
    plate_rules,
    sole_rules,
    place_rules,
    gain_rules,
    load_rules_of,
    physics_rules,
    force_line_rules,
    side_gain_rules,
    timing_rules,
    event_rules,
    number_rules,
    heading_rules,
    stride_rules,
)
"""The rules in the order in which a trial is read: markers, body, plates, loads, time, way."""

LATE = (upper_load_rules, upper_marker_rules, muscle_rules, by_hand_rules)
"""The rules that follow them and empty nothing, for when the findings are read."""


def check_result(
    result: Processed, rules: Rules, subjects: Iterable[Subject] = (*SUBJECTS, *LATE)
) -> list[Finding]:
    """Return what rules find in a result; rules that are ``off`` find nothing.

    Parameters
    ----------
    result : Processed
    rules : Rules
    subjects : iterable of callable
        All rules unless told otherwise.
    """
    found = [finding for subject in subjects for finding in subject(result, rules)]
    walks = result.task == WALKING
    return [
        finding
        for finding in found
        if rules[finding.code].level != "off" and (walks or not rules[finding.code].walk)
    ]


def checked(result: R) -> R:
    """Return a result without what the rules show to be impossible, and with what they found.

    The rules see what the stages found; the loads are audited afterwards, as they are published.
    What the upper body and the muscles add to the findings is found when these are read.

    Parameters
    ----------
    result : Processed
        Of the legs' stages.
    """
    rules = load_rules(result.options.quality)
    told = _judged_all(result.noticed, rules)
    found = check_result(result, rules, SUBJECTS)

    def above() -> tuple[Finding, ...]:
        return () if result.upper is None else result.upper.findings

    def judgement() -> tuple[Finding, ...]:
        late = check_result(result, rules, LATE)
        return (*told, *_judged_all(above(), rules), *found, *late)

    emg_later(result)
    late = unread(result, "upper") | {"judged": later(judgement)}
    noticed = later(lambda: (*result.noticed, *above()))
    shown = emptied(replace(result, **late, noticed=noticed), rules, (*told, *found))
    same = {n: v for n, v in result.kept.items() if n.startswith("cycles ") or n == "emg later"}
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
    return (*_judged_all(result.noticed, rules), *check_result(result, rules), *own)


def _judged_all(noticed: Iterable[Finding], rules: Rules) -> list[Finding]:
    return [own for found in noticed for own in judged(found, rules)]


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
