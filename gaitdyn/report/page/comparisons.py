"""The comparisons of a report for the page's template."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gaitdyn.plots.clinic.axes import WIDTH
from gaitdyn.plots.clinic.compared import compared_entries, compared_sample
from gaitdyn.plots.clinic.key import sample_svg
from gaitdyn.plots.clinic.writing import Drawing, drawing_svgs
from gaitdyn.report.compared.comparison import GroupComparison, comparisons_of
from gaitdyn.report.compared.one_side import ComparedPanel, ComparedSide
from gaitdyn.report.report import Report


def compared_pages(report: Report) -> list[dict[str, Any]]:
    """Return the first group compared with each other one; empty for a single group."""
    return [
        {
            "groups": comparison,
            "sides": [_side(comparison, side) for side in comparison.sides],
            "sheets": sum(1 + bool(side.loads) for side in comparison.printed),
        }
        for comparison in comparisons_of(report)
    ]


def _side(comparison: GroupComparison, side: ComparedSide) -> dict[str, Any]:
    """Return a side with the drawings of its panels and the entries of its key."""
    count, shown = len(side.panels), _shown(side, (*side.panels, *side.loads))
    return {
        "side": side,
        "printed": side in comparison.printed,
        "key": [
            {"svg": sample_svg(compared_sample, entry.kind, side.side), "words": entry.words}
            for entry in compared_entries(comparison.before, comparison.after)
        ],
        "panels": shown[:count],
        "loads": shown[count:],
    }


def _shown(side: ComparedSide, panels: Sequence[ComparedPanel]) -> list[dict[str, Any]]:
    """Return panels with their drawings, each labelled for screen readers."""
    drawings = [
        Drawing(
            p.drawn.parts, WIDTH, p.drawn.height,
            f"{p.title}, {side.side}, two sessions {p.note} {p.word}".strip(),
        )
        for p in panels
        if p.drawn is not None
    ]  # fmt: skip
    svgs = iter(drawing_svgs(drawings))
    return [{"panel": p, "svg": "" if p.drawn is None else next(svgs)} for p in panels]
