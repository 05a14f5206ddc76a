"""All rules on one result, and the result with what they found."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.quality.rules.loads import load_rules_of
from gaitdyn.quality.rules.markers import marker_rules
from gaitdyn.quality.rules.plates import plate_rules
from gaitdyn.quality.rules.segments import segment_rules
from gaitdyn.quality.rules.table import load_rules
from gaitdyn.quality.rules.timing import timing_rules

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Result

SUBJECTS = (marker_rules, segment_rules, plate_rules, load_rules_of, timing_rules)
"""The rules in the order in which a trial is read: markers, lengths, plates, loads, time."""


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
    """Return the result with the findings of the rules, under the limits of its options."""
    rules = load_rules(result.options.quality)
    told = [
        replace(f, level=rules[f.code].level)
        if rules.has(f.code)
        and f.level != "info"
        and rules[f.code].level in ("info", "warning", "error")
        else f
        for f in result.findings
        if not (rules.has(f.code) and rules[f.code].level == "off")
    ]
    return replace(result, findings=(*told, *check_result(result, rules)))
