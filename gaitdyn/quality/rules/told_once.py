"""One fact is told once: what a wrong body mass or noise makes other rules find supports a warning.

The support stays among the findings, as information.
"""

from __future__ import annotations

from dataclasses import replace
from math import copysign
from typing import TYPE_CHECKING

from gaitdyn.quality.rules.balance.loads import carried_in_walking, stated_masses

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

LEADS = ("force-against-mass", "force-against-static")
"""The warnings that another one may only support."""

NOISE, CREEPS = "plate-noise", "plate-creeps"
"""Medians of a noisy plate differ before and after a step, as those of one that drifts do."""


def told_once(result: Processed, findings: Iterable[Finding], rules: Rules) -> tuple[Finding, ...]:
    """Return the findings, with warnings that only support another one as information.

    A mass that the plates of the walk contradict is told once: the difference from a mass stated
    elsewhere that the plates confirm, and peaks of the force that are usual with that mass, support
    it. If the mass is that of the static's plates, it is their difference from those of the walk.
    An empty plate that reads another force after a step supports that this plate is noisy.

    Parameters
    ----------
    result : Processed
    findings : iterable of Finding
    rules : Rules
    """
    known = tuple(findings)
    loud = {finding.code for finding in known if finding.level != "info"}
    noisy = {f.scope for f in known if f.code == NOISE and f.level != "info"}
    if not loud & {*LEADS, NOISE}:
        return known
    return tuple(
        replace(finding, level="info")
        if finding.level == "warning"
        and (
            (finding.code == CREEPS and finding.scope in noisy)
            or _supports(result, finding, rules, loud)
        )
        else finding
        for finding in known
    )


def _supports(result: Processed, finding: Finding, rules: Rules, loud: set[str]) -> bool:
    """Return whether a finding says what another one of the same trial leads with."""
    mass, carried = result.subject.mass_kg, carried_in_walking(result)
    if mass is None or carried is None or finding.value is None:
        return False
    if finding.code == LEADS[0]:
        return LEADS[1] in loud and result.subject.sources.get("mass_kg") == "static force"
    if LEADS[0] not in loud or not stated_masses(result, carried.kg, rules):
        return False
    if finding.code == "peak-force":
        low, peak = rules[finding.code].low or 0.0, finding.value * mass / carried.kg
        return low <= peak <= rules[finding.code].bound
    if (finding.code, finding.scope) != ("subject-differs", "mass_kg"):
        return False
    other = mass * (1.0 + copysign(finding.value, carried.kg - mass))
    return abs(other / carried.kg - 1.0) <= rules[LEADS[0]].bound
