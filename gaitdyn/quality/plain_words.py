"""Findings for people: in short words, and in a few lines, the most important first."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.types.findings import Finding


@cache
def reason_words() -> dict[str, str]:
    """Return the short wording of findings: code -> words, the most important first."""
    return {row["code"]: row["words"] for row in shipped_rows("report/reasons.csv")}


def warning_lines(findings: Iterable[Finding]) -> list[str]:
    """Return the messages of warnings and errors, the most important first.

    What is said of several joints or markers in the same words is said once.

    Examples
    --------
    >>> from gaitdyn.types.findings import Finding
    >>> sides = ("left knee", "right knee")
    >>> warning_lines([Finding("warning", "joint-unknown", s, f"{s}: no angle") for s in sides])
    ['left knee, right knee: no angle']
    """
    ranks = {code: rank for rank, code in enumerate(reason_words())}
    warnings = [finding for finding in findings if finding.level != "info"]
    warnings.sort(key=lambda finding: ranks.get(finding.code, len(ranks)))
    told: dict[tuple[str, str], list[str]] = {}
    for finding in warnings:
        subject, colon, said = finding.message.partition(": ")
        key = (finding.code, said) if colon and len(subject) <= _SUBJECT else (finding.message, "")
        told.setdefault(key, []).append(subject)
    return [
        f"{', '.join(dict.fromkeys(subjects))}: {said}" if said else message
        for (message, said), subjects in told.items()
    ]


_SUBJECT = 24
"""Letters of the longest name of a joint, a segment or a marker in front of a message."""
