"""The verdict of each joint in each cycle, from the findings that concern it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gaitdyn.quality.rules import findings_of
from gaitdyn.quality.rules.table import Rules, load_rules
from gaitdyn.quality.sides import sides_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.quality.status import JointStatus
    from gaitdyn.quality.verdicts import Verdict
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

TOLD_BY_STATUS = {
    "contact-rejected", "contact-partial", "contacts-not-whole", "gap-open", "plate-refused",
}  # fmt: skip
"""These findings are already part of the status: they do not affect a cycle without gaps."""


def with_verdicts(
    result: Processed,
    statuses: Sequence[JointStatus],
    times: dict[tuple[str, int], tuple[float, float]],
) -> list[JointStatus]:
    """Return the statuses with the verdict and its reasons.

    ``fail`` if an error concerns the joint, ``check`` if a warning does or kinetics are missing.

    Parameters
    ----------
    result : Processed
    statuses : sequence of JointStatus
    times : dict
        (side, cycle) -> start and stop, s.
    """
    rules = load_rules(result.options.quality)
    serious = [
        f
        for f in findings_of(result)
        if f.level != "info" and f.code not in TOLD_BY_STATUS and rules.about_legs(f.code)
    ]
    judged = []
    for status in statuses:
        concerning = [f for f in serious if concerns(result, f, status, times, rules)]
        reasons = [f"{f.code}: {f.message}" for f in concerning]
        if status.status != "ok":
            reasons.insert(0, f"{status.code}: {status.reason}")
        unique = tuple(dict.fromkeys(reasons))
        judged.append(replace(status, verdict=_worst(concerning, status), reasons=unique))
    return judged


def _worst(findings: Iterable[Finding], status: JointStatus) -> Verdict:
    levels = {finding.level for finding in findings}
    if "error" in levels:
        return "fail"
    return "check" if levels or status.status != "ok" else "pass"


def concerns(
    result: Processed,
    finding: Finding,
    status: JointStatus,
    times: dict[tuple[str, int], tuple[float, float]],
    rules: Rules,
) -> bool:
    """Return whether a finding concerns a joint in a cycle.

    That of a rule that empties values concerns every joint.

    Parameters
    ----------
    result : Processed
    finding : Finding
    status : JointStatus
    times : dict
        (side, cycle) -> start and stop, s.
    rules : Rules
    """
    if finding.cycle not in (None, status.cycle):
        return False
    window = times.get((status.side, status.cycle))
    if window is not None and not finding.overlaps(*window):
        return False
    if status.side not in sides_of(result, finding):
        return False
    reaches_all = rules.has(finding.code) and bool(rules[finding.code].empties)
    return reaches_all or finding.joint in (None, status.joint)
