"""The comparisons of a report as the page's template puts them down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.plots.clinic.compared import compared_entries, compared_sample
from gaitdyn.plots.clinic.key import sample_svg
from gaitdyn.plots.clinic.panel import WIDTH
from gaitdyn.plots.clinic.writing import Drawing, drawing_svgs
from gaitdyn.report.comparison import comparisons_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.comparison import ComparedPanel, ComparedSide, Comparison
    from gaitdyn.report.report import Report


def compared_pages(report: Report) -> list[dict[str, Any]]:
    """Return the first group against each other one; nothing of a single group."""
    return [
        {
            "before": one.before,
            "after": one.after,
            "opens": one.opens,
            "note": one.note,
            "sides": [
                _side(side) | {"printed": side in one.printed, "key": _key(one, side.side)}
                for side in one.sides
            ],
            "sheets": sum(1 + bool(side.loads) for side in one.printed),
        }
        for one in comparisons_of(report)
    ]


def _key(one: Comparison, side: str) -> list[dict[str, Any]]:
    """Return the signs and words of the key of a side."""
    from markupsafe import Markup

    return [
        {
            "svg": Markup(sample_svg(compared_sample, entry.kind, side)),  # noqa: S704
            "words": entry.words,
        }
        for entry in compared_entries(one.before, one.after)
    ]


def _side(side: ComparedSide) -> dict[str, Any]:
    from markupsafe import Markup

    def shown(panels: Sequence[ComparedPanel]) -> list[dict[str, Any]]:
        drawings = [
            Drawing(p.drawn.parts, WIDTH, p.drawn.height, _label(side, p))
            for p in panels
            if p.drawn is not None
        ]
        svgs = iter(drawing_svgs(drawings))
        return [
            {
                "name": p.name,
                "title": p.title,
                "note": p.note,
                "word": p.word,
                "svg": Markup("" if p.drawn is None else next(svgs)),  # noqa: S704  our own drawing
            }
            for p in panels
        ]

    return {
        "letter": side.letter,
        "headline": side.verdict,
        "table_title": side.table_title,
        "scored": side.scored,
        "panels": shown(side.panels),
        "loads": shown(side.loads),
        "columns": side.columns,
        "full": all(panel.name for panel in side.panels),
        "changed": side.changed,
        "unchanged": side.unchanged,
        "lowered": side.lowered,
        "verdicts": side.verdicts,
        "muscles": side.muscles,
        "rows": [change.cells for change in side.changes],
    }


def _label(side: ComparedSide, panel: ComparedPanel) -> str:
    """Return what a reader of screens says of a panel."""
    return f"{panel.title}, {side.side}, two sessions {panel.note} {panel.word}".strip()
