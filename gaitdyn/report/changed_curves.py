"""What changed between two groups in words: the GPS, and the curves beside what they must pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.scores import SDC_GPS_DEG, score_change
from gaitdyn.metrics.scores import MCID_DEG
from gaitdyn.plots.clinic.grids import cells_of
from gaitdyn.report.contents import decimal
from gaitdyn.report.wording import unit_of
from gaitdyn.statistics.families import WORDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.plots.clinic.grids import Grid

_DEGREES = "\u00b0"


@dataclass(frozen=True, slots=True)
class ChangedCurve:
    """A curve that changed, as it is told in a line.

    Attributes
    ----------
    side, title : str
        Such as ``right`` and ``Knee flexion``: the title of its panel.
    change, limit, unit : str
        How much, and how much it must pass, such as ``\u221217.8``, ``9.0`` and ``\u00b0``.
    where : str
        In words.
    word : str
        ``clear`` or ``possible``.
    """

    side: str
    title: str
    change: str
    limit: str
    unit: str
    where: str
    word: str

    @property
    def size(self) -> str:
        """How much, and in brackets how much it must pass, as the panels have it."""
        return f"{self.change} ({self.limit}){self.unit}"

    @property
    def words(self) -> str:
        """The line, without the side."""
        size = f"{self.change}{self.unit} (limit {self.limit})"
        return f"{self.title} {size}: {self.word}, {self.where}"

    @property
    def sided(self) -> str:
        """The line with its side, where the curve has one: the pelvis is one body."""
        if self.title.startswith("Pelvic"):
            return self.words
        return f"{self.side.capitalize()} {self.words[0].lower()}{self.words[1:]}"


def changed_curves(
    findings: Sequence[CurveFinding], grids: Sequence[Grid]
) -> tuple[tuple[ChangedCurve, ...], str, str]:
    """Return what changed, the surest and largest first, what is said of nothing, and a limit.

    Parameters
    ----------
    findings : sequence of CurveFinding
        Of changes.
    grids : sequence of grids
        Whose panels name the curves.

    Returns
    -------
    changed : tuple of ChangedCurve
    unchanged : str
        In place of the list where it is empty.
    lowered : str
        Why a change is no more than possible; empty where every one may be clear.
    """
    titles = {
        internal_name(cell.panel.name): cell.title
        for grid in grids
        for cell in cells_of(grid)
        if cell.panel is not None
    }
    shown = [one for one in findings if one.word in ("clear", "possible")]
    shown.sort(key=lambda one: (WORDS.index(one.word), -one.relative))
    told = tuple(
        ChangedCurve(one.side, _title(one, titles), *_sizes(one), one.places[0].where, one.word)
        for one in shown
    )
    if told:
        reasons = dict.fromkeys(one.reason for one in shown if one.reason)
        return told, "", " ".join(f"No more than possible: {why}." for why in list(reasons)[:2])
    judged = any(one.word != "not judged" for one in findings)
    return (), "Nothing is shown to have changed." if judged else "Nothing could be judged.", ""


def _title(one: CurveFinding, titles: dict[str, str]) -> str:
    """Return what a curve is called, and that it was named before."""
    title = titles.get(one.curve, one.curve.replace("_", " "))
    return f"{title} (planned)" if one.planned else title


def change_words(one: CurveFinding) -> str:
    """Return the change of a curve beside what it must pass, as the corner of its panel has it."""
    if one.word == "not judged" or not one.places:
        return ""
    change, limit, unit = _sizes(one)
    return f"\u0394 {change} ({limit}){unit if unit == _DEGREES else ''}"


def _sizes(one: CurveFinding) -> tuple[str, str, str]:
    """Return the change of a curve, what it must pass, and their unit: of the level or a place."""
    place = one.places[0]
    by_level = np.isfinite(one.level) and place.start == 0 and place.end == 100  # noqa: PLR2004  %
    level = np.isfinite(one.level) and (by_level or one.word == "not shown")
    size, limit = (one.level, one.level_limit) if level else (place.difference, place.limit)
    unit = unit_of(one.curve)
    digits = 1 if unit == _DEGREES else 2
    return decimal(size, digits, "+"), decimal(limit, digits), unit


def gps_change_words(side: str, before_deg: float | None, after_deg: float | None) -> str:
    """Return how the GPS of a side changed, whether that matters, and whether it is measurable.

    Parameters
    ----------
    side : str
    before_deg, after_deg : float or None

    Examples
    --------
    >>> gps_change_words("left", 9.0, 7.6).partition(": more ")[2]
    'than a second session alone makes (1.3°), less than matters (1.6°).'
    """
    if before_deg is None or after_deg is None:
        return ""
    ends = f"{decimal(before_deg, 1)}\u00b0 to {decimal(after_deg, 1)}\u00b0, change"
    _, _, verdict = gps_verdict_words(before_deg, after_deg).partition(" ")
    return f"{side.capitalize()}: GPS {ends} {verdict}"


def gps_verdict_words(before_deg: float | None, after_deg: float | None) -> str:
    """Return the change of a GPS, whether it is measurable and whether that matters.

    Parameters
    ----------
    before_deg, after_deg : float or None

    Examples
    --------
    >>> gps_verdict_words(9.0, 7.6).partition(": more ")[0]
    'GPS \u22121.4\u00b0'
    """
    if before_deg is None or after_deg is None:
        return ""
    found = score_change(before_deg, after_deg)
    sure = "more" if found.measurable else "no more"
    matters = "and it matters" if found.matters else "less than matters"
    return (
        f"GPS {decimal(found.gps, 1, '+')}\u00b0: {sure} than a second session alone makes"
        f" ({SDC_GPS_DEG:g}\u00b0), {matters} ({MCID_DEG:g}\u00b0)."
    )
