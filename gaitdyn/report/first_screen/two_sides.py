"""Left against right: the content of a first screen without a reference set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

import numpy as np

from gaitdyn.judge.finding import half_size
from gaitdyn.judge.finding_words import where_of
from gaitdyn.judge.phases import cycle_phases
from gaitdyn.report.first_screen.spoken_of import asymmetries, own_percent, pelvis_told
from gaitdyn.report.first_screen.wording import APART_DEG, TITLES, side_words
from gaitdyn.report.numbers import DASH, decimal, extent_words
from gaitdyn.report.views import GroupView
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

MOST = 6
_APART = (
    "Apart: the largest difference of the legs at one point, foot-offs aligned."
    " The pelvis is one segment."
)
_ADDED = "A norm adds scores (GPS, GDI*) and how far each angle lies from healthy walkers."
LARGEST_WORDS = "The largest first, foot-offs aligned: timing is given as stance."
SIDES_WORDS = (
    "Neither side is called the better one: without a norm nothing is called abnormal, sides that"
    " differ may be healthy, and sides that are alike may both be abnormal."
)


@frozen()
class SideDifference:
    """The point where the means of both sides are farthest apart.

    Attributes
    ----------
    name : str
        Of the curve.
    title, words : str
        Such as ``Knee flexion`` and ``left less flexed than right``.
    peak_at : int
        Where the difference is largest, % of the mean cycle.
    spans : tuple of (float, float)
        The range where it is at least half of that, % of each side's own cycle.
    left, right : float
        The angles at that point, deg.
    where : str
        The range in words.
    """

    name: str
    title: str
    words: str
    peak_at: int
    spans: tuple[tuple[float, float], ...]
    left: float
    right: float
    where: str


def side_differences(view: GroupView, most: int = MOST) -> tuple[SideDifference, ...]:
    """Return the angles that differ by 5 deg somewhere, the largest difference first.

    Strikes and foot-offs of both sides are aligned. Repeated marker placement changes most
    angles by up to 5 deg (McGinley et al. 2009, Gait Posture 29:360-369: standard deviations or
    errors below 5 deg but for hip and knee rotation), so smaller differences are not reported.
    """
    phases, pairs, own = _phases(view), view.pairs, own_percent(view.foot_off)
    differences = []
    for name, _ in asymmetries(pairs):
        left, right = pairs[name]
        apart = left - right
        peak = int(np.nanargmax(np.abs(apart)))
        if abs(apart[peak]) < APART_DEG:
            continue
        start, end = half_size(apart, peak)
        ends = float(left[peak]), float(right[peak])
        words, where = side_words(name, *ends), where_of(phases, start, end)
        spans = tuple((float(own[side][start]), float(own[side][end])) for side in SIDES)
        differences.append(SideDifference(name, TITLES[name], words, peak, spans, *ends, where))
    return tuple(differences[:most])


def _phases(view: GroupView) -> tuple[tuple[str, float, float], ...]:
    """Return the phases of the cycle from the mean events of both sides."""
    means: list[float] = []
    for field in ("opposite_foot_off", "opposite_strike", "foot_off"):
        known = [v for e in view.events.values() if (v := getattr(e, field)) is not None]
        if not known:
            return ()
        means.append(fmean(known))
    return cycle_phases(*means)


def any_difference(view: GroupView) -> bool:
    """Return whether :func:`side_differences` has any."""
    return any(apart >= APART_DEG for _, apart in asymmetries(view.pairs))


def range_rows(view: GroupView) -> list[tuple[str, ...]]:
    """Return the title, the range of each side and the largest difference of the sides.

    They are over the mean stride, or over the whole trial if it has no stride.
    """
    means = view.usable_means
    apart = {} if view.course else dict(asymmetries(view.pairs))
    rows: list[tuple[str, ...]] = []
    for name, title in TITLES.items():
        ranges = [extent_words(_values(view, means, side, name), 0) for side in SIDES]
        if any(ranges):
            ends = (f"{words}\u00b0" if words else DASH for words in ranges)
            difference = f"{decimal(apart[name], 1)}\u00b0" if name in apart else DASH
            rows.append((title, *ends, *(() if view.course else (difference,))))
    return rows


def range_words(view: GroupView) -> str:
    """Return the caption of the ranges, and without a norm what it would add."""
    told = [f"Its left side is on average {words}." for words in pelvis_told(view.usable_means)]
    return " ".join((_APART, *told, *([_ADDED] if view.norm is None else [])))


def _values(view: GroupView, means: Mapping[tuple[str, str], Array], side: str, name: str) -> Array:
    if view.course:
        return next((s.curve(name) for s in view.course if s.side == side), np.empty(0))
    return means.get((side, name), np.empty(0))


def no_difference_words(differences: Sequence[SideDifference], view: GroupView) -> str:
    """Return the sentence in place of differences, if none is pictured."""
    if differences:
        return ""
    if view.pairs:
        return f"No angle differs by {APART_DEG:g}\u00b0 or more between the sides."
    return "The sides cannot be compared: one has no usable stride."
