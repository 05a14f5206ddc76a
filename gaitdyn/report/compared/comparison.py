"""The comparison of two groups, one side after the other, each change with its limit.

Changes are judged by :func:`gaitdyn.judge.find_changes` alone, which includes the session error.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.changes.changed import Changes
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.finding import CurveFinding
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.plots.clinic.compared import SessionDifference, compared_drawing
from gaitdyn.plots.clinic.grids import Cell
from gaitdyn.plots.clinic.shown import PanelCurve
from gaitdyn.report.compared.changed_curves import (
    change_words,
    changed_curves,
    gps_change_words,
    gps_verdict_words,
)
from gaitdyn.report.compared.one_side import Change, ComparedPanel, ComparedSide
from gaitdyn.report.first_screen.wording import TITLES, internal_told
from gaitdyn.report.numbers import with_dashes
from gaitdyn.report.page.muscles import shape_rows
from gaitdyn.report.report import Report
from gaitdyn.report.views import GroupView
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

_NONE = np.full(101, np.nan)
"""Stands for a mean that is not known."""

_TOLD = "for the reason above"
"""Where the first line of a page says why a score is not judged."""


@frozen(eq=False)
class GroupComparison:
    """Two groups: the view of the first, their names, both sides, and the side shown first.

    The norm behind the curves is that of the first view.
    """

    first: GroupView
    before: str
    after: str
    sides: tuple[ComparedSide, ...]
    opens: str
    note: str
    one_visit: bool = False

    @property
    def since(self) -> str:
        """The heading of what changed: from an earlier session, or from another condition."""
        return f"{'Compared with' if self.one_visit else 'Since'} {self.before}"

    @property
    def printed(self) -> tuple[ComparedSide, ...]:
        """The sides with a sheet: those with a curve in both groups."""
        return tuple(side for side in self.sides if side.is_known) or self.sides[:1]


def comparisons_of(report: Report) -> list[GroupComparison]:
    """Return the first group of each person compared with each other one, without turning strides.

    Different people of the same visit are not compared.
    """
    return report.once("comparisons", lambda: _compared(report))


def _compared(report: Report) -> list[GroupComparison]:
    views, judgement = report.straight, report.judgement
    others = zip(views[1:], judgement.firsts, judgement.pairs, strict=True)
    return [
        compare_views(views[first], view, changes)
        for view, first, changes in others
        if not changes.whose.apart
    ]


def opens_with(report: Report) -> int:
    """Return the index of the group that a page opens with: the last one that walks straight.

    Of several people of one visit who are not compared, it is the one with the most trials.
    """
    straight = [i for i, view in enumerate(report.views) if not view.turning]
    pairs, judged = report.judgement.pairs, report.judgement.compared
    if not judged and any(pair.whose.apart for pair in pairs):
        straight.sort(key=lambda i: len(report.views[i].trials))
    return straight[-1] if straight else 0


def compare_views(first: GroupView, second: GroupView, changes: Changes) -> GroupComparison:
    """Compare two groups."""
    scored = first.scores is not None and second.scores is not None
    sides = tuple(_side((first, second), side, changes, scored=scored) for side in SIDES)
    if changes.whose.two:
        sides = tuple(replace(side, headline="", verdict="") for side in sides)
    # known changes first, then the size of the first: the GPS, or else an angle
    known = {s: [c.change for c in s.changes if c.change is not None] for s in sides}
    opens = max(sides, key=lambda s: (len(known[s]), abs(known[s][0]) if known[s] else 0.0)).letter
    names = first.label or "A", second.label or "B"
    words = error_words(changes)
    if scored and not (changes.whose.two or changes.markers_on):
        words = f"{words} That of the GPS: {changes.gps.origin}."
    one_visit = changes.whose.between == "condition"
    return GroupComparison(first, *names, sides, opens, words, one_visit)


def error_words(changes: Changes) -> str:
    """Return what error the changes are judged by; for two people only that they are two."""
    if changes.whose.two:
        return f"{changes.whose.sentence}."
    if changes.markers_on:
        return (
            "The markers stayed on between A and B: the only error is that of strides and trials."
        )
    origins = dict.fromkeys(c.session.origin for c in changes.curves if c.session is not None)
    sources = ", ".join(origins) or "published errors between sessions"
    return f"The error includes putting the markers on again: {sources}."


def _side(
    views: tuple[GroupView, GroupView], side: str, judged: Changes, *, scored: bool
) -> ComparedSide:
    changes = _changes(*views, side, scored=scored)
    # the pelvis, judged once, is with both sides
    findings = [f for f in judged.findings if f.side == side or f.curve.startswith("pelvis")]
    by_curve = {finding.curve: finding for finding in findings if not finding.planned}
    grids = views[0].kinematics, views[0].kinetics if views[0].has_loads else ()
    panels, loads = (
        tuple(_panel(views, side, cell, by_curve) for row in grid for cell in row) for grid in grids
    )
    titles = {rule.name: rule.title for rule in curve_rules()}
    told = internal_told if views[0].external else str
    verdicts = tuple(
        (
            f"{told(f.number or titles[f.curve])}{' (planned)' * bool(f.planned)}",
            f.word,
            told(with_dashes(f.sentence)),
        )
        for f in findings
    )
    gps = (changes[0].before, changes[0].after) if scored else (None, None)
    changed, unchanged, lowered = changed_curves(findings, grids, told)
    on, limit, refused = judged.markers_on, judged.gps.side, judged.gps.refused.get(side, "")
    return ComparedSide(
        side,
        gps_change_words(side, *gps, markers_on=on, detectable_deg=limit, refused=refused),
        gps_verdict_words(*gps, markers_on=on, detectable_deg=limit, refused=refused and _TOLD),
        changed, unchanged, lowered,
        verdicts, changes, panels, loads, tuple(shape_rows(*views, side)), scored,
        len(grids[0][0]), bool(refused),
    )  # fmt: skip


def _panel(
    views: tuple[GroupView, GroupView], side: str, cell: Cell, findings: dict[str, CurveFinding]
) -> ComparedPanel:
    if cell.panel is None:
        return ComparedPanel("")
    name = cell.panel.name
    finding = findings.get(internal_name(name))
    before, after = (v.curve_of(side, name) for v in views)
    change = _difference(before, after, finding, side)
    band = views[0].bands.get(name)
    drawn = compared_drawing(cell.panel, before, after, band, change, side, last=cell.last)
    note, word = ("", "") if finding is None else (change_words(finding), finding.word)
    both = before is not None and after is not None
    return ComparedPanel(name, cell.title, note, word, drawn, both)


def _difference(
    before: PanelCurve | None, after: PanelCurve | None, finding: CurveFinding | None, side: str
) -> SessionDifference:
    """Return the change of a curve as it was judged, or else the change of its mean."""
    judged = (
        finding is not None and finding.word != "not judged" and np.isfinite(finding.limit).any()
    )
    if finding is not None and judged and finding.side == side:
        level = finding.level if np.isfinite(finding.level_limit) else np.nan
        values = finding.difference + np.nan_to_num(level)
        return SessionDifference(values, finding.limit, level, finding.level_limit)
    first, second = (_NONE if x is None or x.mean is None else x.mean for x in (before, after))
    unknown = [name for name, mean in (("A", first), ("B", second)) if mean is _NONE]
    words = "not judged" if finding is None or not judged else f"judged in the {finding.side} cycle"
    words = f"not known in {' and '.join(unknown)}" if unknown else words
    return SessionDifference(second - first, None, words=words)


def _changes(first: GroupView, second: GroupView, side: str, *, scored: bool) -> tuple[Change, ...]:
    """Return the changes of GPS and nine scores, or without a norm of the means of nine angles."""
    return tuple(
        Change(
            TITLES.get(name, name), *(_value(v, side, name, scored=scored) for v in (first, second))
        )
        for name in (*(("GPS",) if scored else ()), *VARIABLES)
    )


def _value(view: GroupView, side: str, name: str, *, scored: bool) -> float | None:
    """Return the number in the tables: the median of a score, or the mean of an angle."""
    if scored and view.scores is not None:
        scores = view.scores
        return scores.gps[side].value if name == "GPS" else scores.profile[side, name].value
    curve = view.curves.get((side, name))
    return None if curve is None or curve.mean is None else float(np.mean(curve.mean))
