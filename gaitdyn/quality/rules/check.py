"""Apply all rules to a result, and return it with their findings."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gaitdyn.quality.impossible import emptied
from gaitdyn.quality.rules.anatomy import anatomy_rules
from gaitdyn.quality.rules.balance.force_lines import force_line_rules
from gaitdyn.quality.rules.balance.loads import mass_and_force_rules
from gaitdyn.quality.rules.balance.mean_force import mean_force_rules
from gaitdyn.quality.rules.balance.physics import physics_rules
from gaitdyn.quality.rules.balance.side_gain import side_gain_rules
from gaitdyn.quality.rules.briefly import with_moments
from gaitdyn.quality.rules.by_hand import by_hand_rules
from gaitdyn.quality.rules.centre_rules import centre_rules
from gaitdyn.quality.rules.file_events import event_rules
from gaitdyn.quality.rules.leaps import leap_rules
from gaitdyn.quality.rules.markers.both_sides import both_sides
from gaitdyn.quality.rules.markers.foot_heights import height_rules, slope_rules
from gaitdyn.quality.rules.markers.gaps import marker_rules
from gaitdyn.quality.rules.markers.interpolated import interpolation_rules
from gaitdyn.quality.rules.markers.lattice import lattice_rules
from gaitdyn.quality.rules.markers.noise import noise_rules
from gaitdyn.quality.rules.markers.paths import marker_paths
from gaitdyn.quality.rules.markers.pelvis import pelvis_rules
from gaitdyn.quality.rules.markers.placement import placement_rules
from gaitdyn.quality.rules.markers.segments import segment_rules
from gaitdyn.quality.rules.markers.static_lines import static_lines, static_sides
from gaitdyn.quality.rules.markers.wands import wand_rules
from gaitdyn.quality.rules.muscles import emg_later, muscle_rules
from gaitdyn.quality.rules.numbers import number_rules
from gaitdyn.quality.rules.plates.apart import plates_apart
from gaitdyn.quality.rules.plates.channels import channel_rules
from gaitdyn.quality.rules.plates.force import plate_rules
from gaitdyn.quality.rules.plates.gains import gain_rules
from gaitdyn.quality.rules.plates.places import place_rules
from gaitdyn.quality.rules.plates.soles import sole_rules
from gaitdyn.quality.rules.smoothed import smoothing_rules
from gaitdyn.quality.rules.strides import flight_rules, heading_rules, stride_rules
from gaitdyn.quality.rules.table import Rules, load_rules
from gaitdyn.quality.rules.timing import timing_rules
from gaitdyn.quality.rules.told_once import told_once
from gaitdyn.quality.rules.told_together import told_together
from gaitdyn.quality.rules.upper.markers import upper_marker_rules
from gaitdyn.quality.rules.upper.waist import waist_rules
from gaitdyn.quality.upper_angles import upper_angle_rules
from gaitdyn.quality.upper_loads import upper_load_rules
from gaitdyn.types.later import later, unread
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from gaitdyn.types.findings import Finding, Findings
    from gaitdyn.types.result import Processed

    Subject = Callable[[Processed, Rules], Findings]

R = TypeVar("R", bound="Processed")

SUBJECTS = (
    marker_rules,
    noise_rules,
    anatomy_rules,
    segment_rules,
    placement_rules,
    wand_rules,
    static_lines,
    static_sides,
    height_rules,
    both_sides,
    centre_rules,
    pelvis_rules,
    channel_rules,
    plate_rules,
    sole_rules,
    place_rules,
    gain_rules,
    mass_and_force_rules,
    physics_rules,
    force_line_rules,
    timing_rules,
    event_rules,
    number_rules,
    heading_rules,
    stride_rules,
    flight_rules,
)
"""The rules in the order in which a trial is read: markers, body, plates, loads, time, strides."""

LATE = (
    side_gain_rules,
    mean_force_rules,
    leap_rules,
    plates_apart,
    waist_rules,
    upper_load_rules,
    upper_angle_rules,
    upper_marker_rules,
    smoothing_rules,
    marker_paths,
    interpolation_rules,
    lattice_rules,
    slope_rules,
    muscle_rules,
    by_hand_rules,
)
"""Further rules that empty nothing and run only when the findings are read."""


def check_result(
    result: Processed, rules: Rules, subjects: Iterable[Subject] = (*SUBJECTS, *LATE)
) -> list[Finding]:
    """Return the findings of rules on a result; rules that are ``off`` have none.

    Parameters
    ----------
    result : Processed
    rules : Rules
    subjects : iterable of callable
        All rules by default.
    """
    findings = [finding for subject in subjects for finding in subject(result, rules)]
    walks = result.task == WALKING
    return [
        finding
        for finding in findings
        if rules[finding.code].level != "off" and (walks or not rules[finding.code].walk)
    ]


def checked(result: R) -> R:
    """Return a result with the findings of the rules, and without impossible values.

    The rules use the values from the stages; the loads are audited afterwards, as published. The
    findings on the upper body and the muscles are made when the findings are first read.

    Parameters
    ----------
    result : Processed
        Of the legs' stages.
    """
    rules = load_rules(result.options.quality)
    from_stages = _judged_all(result.noticed, rules)
    findings = check_result(result, rules, SUBJECTS)
    findings = with_moments(result, findings, from_stages, rules)

    def above() -> tuple[Finding, ...]:
        return () if result.upper is None else result.upper.findings

    def judgement() -> tuple[Finding, ...]:
        late = check_result(result, rules, LATE)
        every = (*from_stages, *_judged_all(above(), rules), *findings, *late)
        return told_once(result, told_together(result, every), rules)

    emg_later(result)
    late = unread(result, "upper") | {"judged": later(judgement)}
    noticed = later(lambda: (*result.noticed, *above()))
    shown = emptied(replace(result, **late, noticed=noticed), rules, (*from_stages, *findings))
    same = {n: v for n, v in result.kept.items() if n.startswith("cycles ") or n == "emg later"}
    shown.kept.update(same)  # events, pelvis path and analog channels do not change
    return shown


def _judged_all(noticed: Iterable[Finding], rules: Rules) -> list[Finding]:
    return [judged_finding for finding in noticed for judged_finding in judged(finding, rules)]


def judged(finding: Finding, rules: Rules) -> list[Finding]:
    """Return a finding of the stages as judged by the table, or an empty list.

    Stages report what they measured; only the table decides whether it is too much. Within the
    limit a warning is dropped, and information remains information; a rule that is information
    unless a laboratory says otherwise takes its level.

    Parameters
    ----------
    finding : Finding
    rules : Rules
    """
    rule = rules[finding.code] if rules.has(finding.code) else None
    if rule is None or rule.level == "off":
        return [finding] if rule is None else []
    if rule.limit is None or finding.value is None:
        informs = finding.level == "info" != load_rules()[finding.code].level
        return [finding if informs else replace(finding, level=rule.level)]
    below = rule.low is not None and finding.value < rule.low
    if finding.value > rule.limit or below:
        return [replace(finding, level=rule.level, limit=rule.low if below else rule.limit)]
    return [replace(finding, limit=rule.limit)] if finding.level == "info" else []
