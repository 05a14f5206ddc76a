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


def in_few_words(reason: str) -> str:
    """Return the short wording of a reason that begins with its code; others up to their advice.

    Examples
    --------
    >>> in_few_words("moment-implausible: left ankle: moment 5.44 N m/kg at 2.40 s")
    'a joint moment is impossible'
    >>> in_few_words("no force plates in the file: kinematics only; add them")
    'no force plates in the file: kinematics only'
    """
    return reason_words().get(reason.partition(": ")[0]) or reason.partition(";")[0]


def without_code(reason: str) -> str:
    """Return a reason up to its advice, without the code that begins it.

    Examples
    --------
    >>> without_code("beside-plates: the foot stands where no plate measures its force")
    'the foot stands where no plate measures its force'
    >>> without_code("no gait cycle: two strikes of this foot are not in the file")
    'no gait cycle: two strikes of this foot are not in the file'
    """
    code, _, message = reason.partition(": ")
    return (message if code in reason_words() else reason).partition(";")[0]


def warning_lines(findings: Iterable[Finding]) -> list[str]:
    """Return the messages of warnings and errors, the most important first.

    What is said of several joints or markers in the same words is said once. Behind two lines of a
    code, others of it come after those of all other codes.

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
    told: dict[tuple[str, str, str], list[str]] = {}
    for finding in warnings:
        subject, colon, said = finding.message.partition(": ")
        short = colon and len(subject) <= _SUBJECT
        key = (finding.code, "", said) if short else (finding.code, finding.message, "")
        told.setdefault(key, []).append(subject)
    lines: dict[str, list[str]] = {}
    for (code, message, said), subjects in told.items():
        line = f"{', '.join(dict.fromkeys(subjects))}: {said}" if said else message
        lines.setdefault(code, []).append(line)
    first = [line for of_code in lines.values() for line in of_code[:_OF_A_CODE]]
    return first + [line for of_code in lines.values() for line in of_code[_OF_A_CODE:]]


_OF_A_CODE = 2
"""Lines of one code before those of the next: a screen has room for five lines only."""
_SUBJECT = 24
"""Letters of the longest name of a joint, a segment or a marker in front of a message."""
