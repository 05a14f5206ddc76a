"""All findings on a trial, computed when they are first read."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed


def findings_of(result: Processed) -> tuple[Finding, ...]:
    """Return all findings on a trial, under the limits of its options.

    They are those of :func:`gaitdyn.quality.rules.check.checked` and those of the audit, if the
    options request one. They are computed once and cached.

    Parameters
    ----------
    result : Processed
    """
    return result.once("findings", lambda: _findings(result))


def _findings(result: Processed) -> tuple[Finding, ...]:
    from gaitdyn.audit.legs import audit_of
    from gaitdyn.quality.rules.audit import audit_rules, growth_rates
    from gaitdyn.quality.rules.table import load_rules

    rules = load_rules(result.options.quality)
    legs, profile, rate_hz = audit_of(result), result.options.profile, result.recording.rate_hz
    loads = audit_rules(legs, rules, profile, rate_hz, growth_rates(result) if legs else None)
    of_audit = [f for f in loads if rules[f.code].level != "off"]
    return (*(result.judged or ()), *of_audit)
