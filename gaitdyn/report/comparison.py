"""Two groups against each other, one side at a time, each change beside its error.

The error is that of the strides alone: their SD within each session, pooled over sides and
sessions, with the quantile of t. Placing the markers anew adds to it and is not in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.metrics.scores import MCID_DEG, VARIABLES
from gaitdyn.plots.clinic.compared import compared_drawing
from gaitdyn.report.contents import decimal
from gaitdyn.report.score_tables import TITLES
from gaitdyn.store.headings import turns
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.clinic.panel import Panelled
    from gaitdyn.report.report import Report
    from gaitdyn.report.views import View

_LEAST_DEG = 1.0
NOTE = (
    "\u00b1 95 % error of the strides alone; placing the markers anew is not in it."
    f" Of the GPS {MCID_DEG:g}\u00b0 matter."
)
ONE_STRIDE = "One stride a side and session: the error of a change is not known."
_DASH = "\u2013"


@dataclass(frozen=True, slots=True)
class Change:
    """What changed from A to B: values, difference, 95 % error; None where not known."""

    title: str
    before: float | None
    after: float | None
    error: float | None

    @property
    def change(self) -> float | None:
        """B less A."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    @property
    def words(self) -> str:
        """The change with its error."""
        if self.change is None:
            return _DASH
        told = decimal(self.change, 1, "+")
        return told if self.error is None else f"{told} \u00b1 {self.error:.1f}"

    @property
    def told(self) -> bool:
        """Whether it is large enough for words: beyond its error and a degree."""
        if self.change is None or self.error is None:
            return False
        return abs(self.change) > max(self.error, _LEAST_DEG)

    @property
    def cells(self) -> tuple[str, ...]:
        """Title, A, B, change."""
        ends = [_DASH if v is None else decimal(v, 1) for v in (self.before, self.after)]
        return (self.title, *ends, self.words)


@dataclass(frozen=True, slots=True, eq=False)
class ComparedPanel:
    """A panel of the comparison; without a name it holds the key."""

    name: str
    title: str = ""
    note: str = ""
    drawn: Panelled | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ComparedSide:
    """One side of a comparison."""

    side: str
    headline: str
    changes: tuple[Change, ...]
    panels: tuple[ComparedPanel, ...]

    @property
    def note(self) -> str:
        """What the errors of the changes hold, or that they are not known."""
        return NOTE if any(change.error is not None for change in self.changes) else ONE_STRIDE

    @property
    def letter(self) -> str:
        """L or R."""
        return self.side[0].upper()


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """Two groups: their names, both sides, the side that it opens on."""

    before: str
    after: str
    sides: tuple[ComparedSide, ...]
    opens: str


def comparisons_of(report: Report) -> list[Comparison]:
    """Return the first group against each other one; strides that turn are compared with none."""
    straight = [v for v in report.views if not any(turns(trial) for trial in v.trials)]
    return [compare_views(straight[0], other) for other in straight[1:]]


def compare_views(first: View, second: View) -> Comparison:
    """Return the comparison of two groups."""
    scored = first.scores is not None and second.scores is not None
    sides = tuple(_side(first, second, side, scored=scored) for side in SIDES)
    moved = [abs((s.changes[0].change if s.changes else None) or 0.0) for s in sides]
    opens = sides[int(np.argmax(moved))].letter
    return Comparison(first.label or "A", second.label or "B", sides, opens)


def _side(first: View, second: View, side: str, *, scored: bool) -> ComparedSide:
    changes = _changes(first, second, side, scored=scored)
    by_title = {change.title: change for change in changes}
    panels = []
    for row in first.kinematics:
        for cell in row:
            if cell.panel is None:
                panels.append(ComparedPanel(""))
                continue
            name = cell.panel.name
            before, after = (v.curves.get((side, name)) for v in (first, second))
            drawn = compared_drawing(
                cell.panel, before, after, first.bands.get(name), last=cell.last
            )
            change = by_title.get(_titles().get(name, ""))
            note = "" if change is None or change.change is None else f"\u0394 {change.words}\u00b0"
            panels.append(ComparedPanel(name, cell.title, note, drawn))
    return ComparedSide(side, _headline(side, changes, scored=scored), changes, tuple(panels))


def _headline(side: str, changes: Sequence[Change], *, scored: bool) -> str:
    first = changes[0] if changes else None
    parts = []
    if scored and first is not None and first.change is not None:
        more = abs(first.change) >= MCID_DEG
        parts.append(
            f"{side.capitalize()}: GPS {decimal(first.before or 0.0, 1)}\u00b0 to"
            f" {decimal(first.after or 0.0, 1)}\u00b0, change {first.words}:"
            f" {'more' if more else 'less'} than the {MCID_DEG:g}\u00b0 that matter."
        )
    told = [c for c in changes if c.told and c.title != "GPS"]
    if scored:
        for word, way in (("Better", -1), ("Worse", 1)):
            names = [c.title.lower() for c in told if (c.change or 0.0) * way > 0]
            parts += [f"{word}: {', '.join(names)}."] if names else []
        if not told and not parts:
            parts.append(f"{side.capitalize()}: the change is not known.")
        return " ".join(parts)
    names = [f"{c.title.lower()} {c.words}\u00b0" for c in told]
    if not names:
        return f"{side.capitalize()}: no change beyond the spread of the strides."
    return f"{side.capitalize()}: {', '.join(names)}."


def _changes(first: View, second: View, side: str, *, scored: bool) -> tuple[Change, ...]:
    """Return the changes of GPS and nine scores, without a norm of the means of nine angles."""
    values = [_cycle_values(view, scored=scored) for view in (first, second)]
    names = (*(("GPS",) if scored else ()), *VARIABLES)
    found = []
    for name in names:
        groups = [[v for s, v in own.get(name, ()) if s == side] for own in values]
        pooled = [
            [v for s, v in own.get(name, ()) if s == which] for own in values for which in SIDES
        ]
        ends = [
            _told(view, side, name, group, scored=scored)
            for view, group in zip((first, second), groups, strict=True)
        ]
        error = stride_error(groups[0], groups[1], pooled)
        found.append(Change(_titles().get(name, name), ends[0], ends[1], error))
    return tuple(found)


def _told(
    view: View, side: str, name: str, group: Sequence[float], *, scored: bool
) -> float | None:
    """Return the number of the tables: the median of a score, the mean of an angle."""
    if scored and view.scores is not None:
        scores = view.scores
        return scores.gps[side].value if name == "GPS" else scores.profile[side, name].value
    return float(np.mean(group)) if group else None


def _cycle_values(view: View, *, scored: bool) -> dict[str, list[tuple[str, float]]]:
    """Return a value of each cycle: name -> side and value."""
    found: dict[str, list[tuple[str, float]]] = {}
    if scored and view.scores is not None:
        for one in view.scores.cycles:
            pairs = zip(("GPS", *VARIABLES), (one.gps, *one.gvs.tolist()), strict=True)
            for name, value in pairs:
                if np.isfinite(value):
                    found.setdefault(name, []).append((one.side, float(value)))
        return found
    for (side, name), one in view.curves.items():
        for curve in one.whole:
            found.setdefault(name, []).append((side, float(np.mean(curve))))
    return found


def _titles() -> dict[str, str]:
    """Return the titles of the nine angles."""
    return {str(name): title for name, title in TITLES.items()}


def stride_error(
    before: Sequence[float], after: Sequence[float], pooled: Sequence[Sequence[float]]
) -> float | None:
    """Return the 95 % error of a difference of two means by the spread of the strides alone.

    ``t(0.975, d.f.) s sqrt(1/n_A + 1/n_B)``, s pooled over all groups of strides with more than
    one; None where none has.

    Examples
    --------
    >>> round(stride_error([1.0, 3.0], [2.0, 4.0], [[1.0, 3.0], [2.0, 4.0]]), 2)
    6.08
    """
    from scipy.stats import t

    degrees = sum(len(group) - 1 for group in pooled if len(group) > 1)
    if not degrees or not before or not after:
        return None
    squares = sum((len(g) - 1) * float(np.var(g, ddof=1)) for g in pooled if len(g) > 1)
    s = (squares / degrees) ** 0.5
    return float(t.ppf(0.975, degrees)) * s * (1 / len(before) + 1 / len(after)) ** 0.5
