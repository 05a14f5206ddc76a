"""Tables of every verdict on a curve: against the reference, and between sessions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.finding import CurveFinding
from gaitdyn.report.compared.comparison import comparisons_of, error_words
from gaitdyn.report.contents import TextTable
from gaitdyn.report.first_screen.wording import internal_told
from gaitdyn.report.numbers import with_dashes
from gaitdyn.report.report import Report

_COLUMNS = ("Curve", "Verdict", "In words")
_OPEN = "not judged"


def verdict_rows(
    findings: Iterable[CurveFinding], *, external: bool = False
) -> tuple[tuple[str, str, str], ...]:
    """Return curve, word and sentence of findings; the sentence includes the limit.

    Curves that are not judged for the same reason share a row. Beside external moments those that
    are judged are called internal.
    """
    rows: dict[object, list[CurveFinding]] = {}
    for number, finding in enumerate(findings):
        rows.setdefault(finding.reason if finding.word == _OPEN else number, []).append(finding)
    told = tuple(_row(alike) for alike in rows.values())
    return tuple((internal_told(c), w, internal_told(s)) for c, w, s in told) if external else told


def _row(alike: Sequence[CurveFinding]) -> tuple[str, str, str]:
    """Return the row of one finding, or of several that could not be judged."""
    first = alike[0]
    titles = {rule.name: rule.title for rule in curve_rules()}
    names = [finding.number or titles[finding.curve] for finding in alike]
    if len(alike) == 1:
        return f"{first.side} {names[0]}", first.word, with_dashes(first.sentence)
    curves: dict[str, list[str]] = {}
    for finding, name in zip(alike, names, strict=True):
        curves.setdefault(finding.side, []).append(name)
    by_side = "; ".join(f"{side}: {', '.join(own)}" for side, own in curves.items())
    return f"{len(alike)} curves", first.word, f"{first.reason}: {by_side}"


def verdict_tables(report: Report) -> tuple[TextTable, ...]:
    """Return the verdicts of every group against its reference, and of every comparison."""
    tables = []
    for view in report.views:
        if view.findings:
            rows = verdict_rows(view.findings, external=view.external)
            title = f"Curves against the norm{f', {view.label}' if view.label else ''}"
            tables.append(TextTable(title, _COLUMNS, rows, prose=True))
    pairs = zip(comparisons_of(report), report.judgement.compared, strict=True)
    for comparison, changes in pairs:
        title = f"Changes from {comparison.before} to {comparison.after}"
        note = (error_words(changes),)
        rows = verdict_rows(changes.findings, external=report.views[0].external)
        tables.append(TextTable(title, _COLUMNS, rows, note, prose=True))
    return tuple(tables)
