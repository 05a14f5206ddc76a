"""Two groups against each other, one side at a time, each change beside what it must pass.

What changed is judged by :func:`gaitdyn.judge.find_changes` alone: the error of a session is in it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.metrics.scores import VARIABLES
from gaitdyn.plots.clinic.compared import SessionDifference, compared_drawing
from gaitdyn.report.changed_curves import (
    change_words,
    changed_curves,
    gps_change_words,
    gps_verdict_words,
)
from gaitdyn.report.contents import DASH, decimal
from gaitdyn.report.page_muscles import shape_rows
from gaitdyn.report.wording import TITLES
from gaitdyn.store.headings import turns
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.changed import Changes
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.plots.clinic.grids import Cell
    from gaitdyn.plots.clinic.panel import Panelled
    from gaitdyn.plots.clinic.shown import PanelCurve
    from gaitdyn.report.changed_curves import ChangedCurve
    from gaitdyn.report.report import Report
    from gaitdyn.report.views import GroupView


@dataclass(frozen=True, slots=True)
class Change:
    """What changed from A to B; None where not known."""

    title: str
    before: float | None
    after: float | None

    @property
    def change(self) -> float | None:
        """B less A."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    @property
    def cells(self) -> tuple[str, ...]:
        """Title, A, B, change."""
        ends = [DASH if v is None else decimal(v, 1) for v in (self.before, self.after)]
        told = DASH if self.change is None else decimal(self.change, 1, "+")
        return (self.title, *ends, told)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPanel:
    """A panel of the comparison; without a name it holds the key."""

    name: str
    title: str = ""
    note: str = ""
    word: str = ""
    drawn: Panelled | None = None
    both: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ComparedSide:
    """One side of a comparison.

    Attributes
    ----------
    side, headline, verdict : str
        The GPS with its ends, and its change alone: what is said where a table has the ends.
    changed : tuple of ChangedCurve
        The curves of this side that changed, those that are clear first.
    unchanged : str
        What is said where none did.
    lowered : str
        Why a change is no more than possible; empty where every one may be clear.
    verdicts : tuple of (curve, word, sentence)
        Of every curve.
    changes : tuple of Change
        Of scores or angles.
    panels, loads : tuple of ComparedPanel
        Of the angles, and of moments and powers.
    muscles : tuple of tuple of str
        Muscle, correlation of the shapes, lag.
    scored : bool
        Whether the changes are those of scores; without a norm they are of mean angles.
    columns : int
        Of the panels of the angles.
    """

    side: str
    headline: str
    verdict: str
    changed: tuple[ChangedCurve, ...]
    unchanged: str
    lowered: str
    verdicts: tuple[tuple[str, str, str], ...]
    changes: tuple[Change, ...]
    panels: tuple[ComparedPanel, ...]
    loads: tuple[ComparedPanel, ...]
    muscles: tuple[tuple[str, ...], ...]
    scored: bool
    columns: int

    @property
    def table_title(self) -> str:
        """What the changes are of."""
        return "Change of score" if self.scored else "Mean of the angle over the cycle"

    @property
    def full(self) -> bool:
        """Whether every place has a panel, so that the key stands elsewhere."""
        return all(one.name for one in self.panels)

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Title, A, B and change of what changed."""
        return [change.cells for change in self.changes]

    @property
    def is_known(self) -> bool:
        """Whether any curve of this side is in both groups."""
        return any(one.both for one in (*self.panels, *self.loads))

    @property
    def letter(self) -> str:
        """L or R."""
        return self.side[0].upper()


@dataclass(frozen=True, slots=True, eq=False)
class GroupComparison:
    """Two groups: their names, both sides, the side that it opens on."""

    before: str
    after: str
    sides: tuple[ComparedSide, ...]
    opens: str
    note: str

    @property
    def printed(self) -> tuple[ComparedSide, ...]:
        """The sides that have a sheet: those that both groups know."""
        return tuple(one for one in self.sides if one.is_known) or self.sides[:1]


def comparisons_of(report: Report) -> list[GroupComparison]:
    """Return the first group against each other one; strides that turn are compared with none."""
    return report.once("comparisons", lambda: _compared(report))


def _compared(report: Report) -> list[GroupComparison]:
    straight = [v for v in report.views if not any(turns(trial) for trial in v.trials)]
    pairs = report.judgement.pairs
    return [
        compare_views(straight[0], other, found)
        for other, found in zip(straight[1:], pairs, strict=True)
    ]


def opens_with(report: Report) -> int:
    """Return the group that a page opens with: the last one that walks straight."""
    straight = [i for i, v in enumerate(report.views) if not any(turns(t) for t in v.trials)]
    return straight[-1] if straight else 0


def compare_views(first: GroupView, second: GroupView, found: Changes) -> GroupComparison:
    """Return the comparison of two groups."""
    scored = first.scores is not None and second.scores is not None
    sides = tuple(_side((first, second), side, found, scored=scored) for side in SIDES)
    if found.whose.two:
        sides = tuple(replace(side, headline="", verdict="") for side in sides)
    opens = max(sides, key=_moved).letter
    return GroupComparison(
        first.label or "A", second.label or "B", sides, opens, error_words(found)
    )


def _moved(one: ComparedSide) -> tuple[int, float]:
    """Return how much is known of a side, and how much it changed: what is opened first."""
    known = [change.change for change in one.changes if change.change is not None]
    return len(known), abs(known[0]) if known else 0.0


def error_words(found: Changes) -> str:
    """Return what a change must pass, and where that is from; of two people that alone."""
    if found.whose.two:
        return f"{found.whose.sentence}."
    if found.markers_on:
        return "The markers stayed on between A and B: strides and trials alone are the error."
    origins = dict.fromkeys(one.session.origin for one in found.curves if one.session is not None)
    told = ", ".join(origins) or "published errors between sessions"
    return f"The error includes putting the markers on again: {told}."


def _side(
    views: tuple[GroupView, GroupView], side: str, found: Changes, *, scored: bool
) -> ComparedSide:
    changes = _changes(*views, side, scored=scored)
    own = [one for one in found.findings if _is_of(one, side)]
    by_curve = {one.curve: one for one in own if not one.planned}
    grids = views[0].kinematics, views[0].kinetics if views[0].has_loads else ()
    panels, loads = (
        tuple(_panel(views, side, cell, by_curve) for row in grid for cell in row) for grid in grids
    )
    verdicts = tuple((one.curve, one.word, one.sentence) for one in own)
    first = changes[0]
    ends = (first.before, first.after) if scored else (None, None)
    told, unchanged, lowered = changed_curves(own, grids)
    return ComparedSide(
        side, gps_change_words(side, *ends), gps_verdict_words(*ends), told, unchanged, lowered,
        verdicts, changes, panels, loads, tuple(shape_rows(*views, side)), scored,
        len(grids[0][0]),
    )  # fmt: skip


def _is_of(one: CurveFinding, side: str) -> bool:
    """Return whether a finding is told with a side: the pelvis, judged once, is told with both."""
    return one.side == side or one.curve.startswith("pelvis")


def _panel(
    views: tuple[GroupView, GroupView], side: str, cell: Cell, findings: dict[str, CurveFinding]
) -> ComparedPanel:
    if cell.panel is None:
        return ComparedPanel("")
    name = cell.panel.name
    one = findings.get(internal_name(name))
    before, after = (v.curves.get((side, name)) for v in views)
    change = _difference(before, after, one, side)
    band = views[0].bands.get(name)
    drawn = compared_drawing(cell.panel, before, after, band, change, side, last=cell.last)
    note, word = ("", "") if one is None else (change_words(one), one.word)
    both = before is not None and after is not None
    return ComparedPanel(name, cell.title, note, word, drawn, both)


def _difference(
    before: PanelCurve | None, after: PanelCurve | None, one: CurveFinding | None, side: str
) -> SessionDifference | None:
    """Return the change of a curve as it was judged; where it was not, that of the means."""
    judged = one is not None and one.word != "not judged" and np.isfinite(one.limit).any()
    if one is not None and judged and one.side == side:
        level = one.level if np.isfinite(one.level_limit) else np.nan
        values = one.difference + np.nan_to_num(level)
        return SessionDifference(values, one.limit, level, one.level_limit)
    if before is None or after is None or before.mean is None or after.mean is None:
        return None
    words = "not judged" if one is None or not judged else f"judged in the {one.side} cycle"
    return SessionDifference(after.mean - before.mean, None, words=words)


def _changes(first: GroupView, second: GroupView, side: str, *, scored: bool) -> tuple[Change, ...]:
    """Return the changes of GPS and nine scores, without a norm of the means of nine angles."""
    names = (*(("GPS",) if scored else ()), *VARIABLES)
    found = []
    for name in names:
        ends = [_value(view, side, name, scored=scored) for view in (first, second)]
        found.append(Change(TITLES.get(name, name), ends[0], ends[1]))
    return tuple(found)


def _value(view: GroupView, side: str, name: str, *, scored: bool) -> float | None:
    """Return the number of the tables: the median of a score, the mean of an angle."""
    if scored and view.scores is not None:
        scores = view.scores
        return scores.gps[side].value if name == "GPS" else scores.profile[side, name].value
    one = view.curves.get((side, name))
    return None if one is None or one.mean is None else float(np.mean(one.mean))


_REMEDY = "process "
"""What to do about a reason stands with the curves, one by one."""

_MOST = 3
"""Curves on a first screen; the others stand beside the compared panels."""


def since_lines(report: Report) -> tuple[str, ...]:
    """Return what changed since the first group; nothing of a single group or of two people.

    The GPS of the side that changed more, what was planned, the surest and largest changes, and how
    many curves are judged.

    Parameters
    ----------
    report : Report
    """
    compared = comparisons_of(report)
    if not compared or report.judgement.pairs[-1].whose.two:
        return ()
    one = compared[-1]  # the group that the page opens with
    side = next(s for s in one.sides if s.letter == one.opens)
    findings = report.judgement.pairs[-1].findings
    planned = [found.sentence for found in findings if found.planned]
    every = [found for found in findings if not found.planned]
    view = report.views[0]
    told, *_ = changed_curves(every, (view.kinematics, view.kinetics))
    lines = [curve.sided for curve in told[:_MOST]]
    return tuple(line for line in (side.headline, *planned, *lines, _counts(every)) if line)


def _counts(findings: Sequence[CurveFinding]) -> str:
    """Return how many curves are judged and changed, and why none is."""
    words = [one.word for one in findings]
    judged = len(words) - words.count("not judged")
    if not judged:
        reasons = dict.fromkeys(one.reason.replace(" with this curve", "") for one in findings)
        return f"No curve could be judged: {_of_both(next(iter(reasons), 'none is in both'))}."
    chance = f" (about {max(1, round(judged / 20))} by chance)"
    found = [f"{n} {word}" for word in ("clear", "possible") if (n := words.count(word))]
    shown = f": {', '.join(found)}{chance}" if found else ": none is shown to have changed"
    return f"{judged} of {len(words)} curves judged{shown}."


def _of_both(reason: str) -> str:
    """Return a reason once that holds for both sessions.

    Examples
    --------
    >>> _of_both("first session: one stride; second session: one stride")
    'one stride, in both sessions'
    >>> _of_both("processed differently; process both sessions with one --model")
    'processed differently'
    """
    parts = [part for part in reason.split("; ") if not part.startswith(_REMEDY)]
    heads = ("first session: ", "second session: ")
    own = [[p.removeprefix(head) for p in parts if p.startswith(head)] for head in heads]
    if own[0] and own[0] == own[1]:
        return f"{'; '.join(own[0])}, in both sessions"
    return "; ".join(parts)
