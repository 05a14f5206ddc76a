"""Every verdict on a curve as a table: against the reference, and between sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gaitdyn.report.comparison import comparisons_of, error_words
from gaitdyn.report.contents import Table

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.judge import Finding
    from gaitdyn.report.report import Report

_COLUMNS = ("Curve", "Verdict", "In words")


def verdict_rows(findings: Iterable[Finding]) -> tuple[tuple[str, str, str], ...]:
    """Return curve, word and sentence of findings; what is not shown has its limit in it."""
    return tuple(
        (f"{one.side} {one.curve.replace('_', ' ')}", one.word, one.sentence) for one in findings
    )


def verdict_tables(report: Report) -> tuple[Table, ...]:
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
            tables.append(Table(title, _COLUMNS, verdict_rows(view.findings), prose=True))
    pairs = zip(comparisons_of(report), report.judgement.pairs, strict=True)
    for told, found in pairs:
        title = f"Changes from {told.before} to {told.after}"
        note = (error_words(found),)
        tables.append(Table(title, _COLUMNS, verdict_rows(found.findings), note, prose=True))
    return tuple(tables)
