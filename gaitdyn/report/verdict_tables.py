"""Every verdict on a curve as a table: against the reference, and between sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.comparison import comparisons_of, error_words
from gaitdyn.report.contents import TextTable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.report.report import Report

_COLUMNS = ("Curve", "Verdict", "In words")
_OPEN = "not judged"


def verdict_rows(findings: Iterable[CurveFinding]) -> tuple[tuple[str, str, str], ...]:
    """Return curve, word and sentence of findings; what is not shown has its limit in it.

    Curves that are not judged for one reason share a row.
    """
    rows: dict[object, list[CurveFinding]] = {}
    for number, one in enumerate(findings):
        rows.setdefault(one.reason if one.word == _OPEN else number, []).append(one)
    return tuple(_row(alike) for alike in rows.values())


def _row(alike: Sequence[CurveFinding]) -> tuple[str, str, str]:
    """Return the row of one finding, or of several that nobody could judge."""
    first = alike[0]
    if len(alike) == 1:
        return f"{first.side} {first.curve.replace('_', ' ')}", first.word, first.sentence
    curves: dict[str, list[str]] = {}
    for one in alike:
        curves.setdefault(one.side, []).append(one.curve.replace("_", " "))
    told = "; ".join(f"{side}: {', '.join(names)}" for side, names in curves.items())
    return f"{len(alike)} curves", first.word, f"{first.reason}: {told}"


def verdict_tables(report: Report) -> tuple[TextTable, ...]:
    """Return the verdicts of every group against its reference, and of every comparison.

    Parameters
    ----------
    report : Report
    """
    tables = []
    for view in report.views:
        if view.findings:
            of = f", {view.label}" if view.label else ""
            title = f"Curves against the norm{of}"
            tables.append(TextTable(title, _COLUMNS, verdict_rows(view.findings), prose=True))
    pairs = zip(comparisons_of(report), report.judgement.pairs, strict=True)
    for told, found in pairs:
        title = f"Changes from {told.before} to {told.after}"
        note = (error_words(found),)
        tables.append(TextTable(title, _COLUMNS, verdict_rows(found.findings), note, prose=True))
    return tuple(tables)
