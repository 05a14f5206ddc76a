"""A series of three or more sessions: speed, step length and scores over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from gaitdyn.plots.clinic.series import HEIGHT, WIDTH, series_drawing
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.plots.marks import Mark
from gaitdyn.report.numbers import DASH, shown
from gaitdyn.report.report import Report
from gaitdyn.report.views import GroupView
from gaitdyn.store.visit import one_visit
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

FEWEST = 3


@frozen(eq=False)
class SeriesPanel:
    """One number over the sessions: its drawing, and its cells for each session."""

    title: str
    note: str
    marks: tuple[Mark, ...]
    cells: tuple[tuple[str, str], ...]

    @property
    def svg(self) -> str:
        """The picture; its words are next to it."""
        return drawing_svg(self.marks, WIDTH, HEIGHT, f"{self.title} of each session")


@frozen(eq=False)
class Series:
    """Numbers of several sessions.

    Attributes
    ----------
    labels, dates : tuple of str
        Of the sessions; an unknown date is empty.
    by_date : bool
        Whether the sessions are spaced by date.
    panels : tuple of SeriesPanel
    """

    labels: tuple[str, ...]
    dates: tuple[str, ...]
    by_date: bool
    panels: tuple[SeriesPanel, ...]

    @property
    def rows(self) -> list[tuple[str, ...]]:
        """Session, date, then left and right of every number."""
        return [
            (label, day or DASH, *(cell for p in self.panels for cell in p.cells[i]))
            for i, (label, day) in enumerate(zip(self.labels, self.dates, strict=True))
        ]

    @property
    def head(self) -> tuple[str, ...]:
        """The heads of the columns of ``rows``."""
        return ("Session", "Date", *(f"{p.title}, {s[0].upper()}" for p in self.panels
                                     for s in SIDES))  # fmt: skip


def series_of(report: Report) -> Series | None:
    """Return the numbers of the sessions of a report; None for fewer than three, or two people."""
    views = report.straight
    folders = {view.trials[0].path.parent for view in views}
    people = any(pair.whose.two for pair in report.judgement.pairs)
    if len(views) < FEWEST or len(folders) < len(views) or people:
        return None
    dates = tuple(one_visit(view.trials).text("date") for view in views)
    labels = tuple(view.label for view in views)
    days = _days(dates)
    positions = _positions(days, len(views))
    short = dates if days else tuple(str(i) for i in range(1, len(views) + 1))
    panels = tuple(_panel(views, i, positions, short) for i in range(len(views[0].numbers)))
    return Series(labels, dates, bool(days), panels)


def _days(dates: Sequence[str]) -> list[int]:
    """Return the ordinal days of ISO dates in ascending order; empty if any is not one."""
    try:
        days = [date.fromisoformat(text).toordinal() for text in dates]
    except ValueError:
        return []
    return days if all(a < b for a, b in pairwise(days)) else []


def _positions(days: Sequence[int], count: int) -> list[float]:
    if days:
        return [(day - days[0]) / (days[-1] - days[0]) for day in days]
    return [i / (count - 1) for i in range(count)]


def _panel(
    views: Sequence[GroupView], i: int, positions: Sequence[float], labels: Sequence[str]
) -> SeriesPanel:
    rows = [view.numbers[i] for view in views]
    values: dict[str, list[float | None]] = {
        side: [row.values.get(side) for row in rows] for side in SIDES
    }
    marks = series_drawing(values, [row.norm for row in rows], positions, labels)
    left, right = (
        [shown(v, row.digits) for v, row in zip(v_s, rows, strict=True)] for v_s in values.values()
    )
    cells = tuple(zip(left, right, strict=True))
    return SeriesPanel(rows[0].title, rows[0].note, tuple(marks), cells)
