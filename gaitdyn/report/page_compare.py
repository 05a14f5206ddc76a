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

    from gaitdyn.report.comparison import ComparedPanel, ComparedSide, GroupComparison
    from gaitdyn.report.report import Report


def compared_pages(report: Report) -> list[dict[str, Any]]:
    """Return the first group against each other one; nothing of a single group."""
    return [
        {
            "told": one,
            "sides": [_side(one, side) for side in one.sides],
            "sheets": sum(1 + bool(side.loads) for side in one.printed),
        }
        for one in comparisons_of(report)
    ]


def _side(one: GroupComparison, side: ComparedSide) -> dict[str, Any]:
    """Return a side with the drawings of its panels and the signs and words of its key."""
    return {
        "told": side,
        "printed": side in one.printed,
        "key": [
            {"svg": sample_svg(compared_sample, entry.kind, side.side), "words": entry.words}
            for entry in compared_entries(one.before, one.after)
        ],
        "panels": _shown(side, side.panels),
        "loads": _shown(side, side.loads),
    }


def _shown(side: ComparedSide, panels: Sequence[ComparedPanel]) -> list[dict[str, Any]]:
    """Return panels with their drawings, and what a reader of screens says of each."""
    drawings = [
        Drawing(
            p.drawn.parts, WIDTH, p.drawn.height,
            f"{p.title}, {side.side}, two sessions {p.note} {p.word}".strip(),
        )
        for p in panels
        if p.drawn is not None
    ]  # fmt: skip
    svgs = iter(drawing_svgs(drawings))
    return [{"told": p, "svg": "" if p.drawn is None else next(svgs)} for p in panels]
