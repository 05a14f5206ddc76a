"""What the headline of a view speaks of: findings in words, and how far apart the sides are."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.judge.curves import curve_rules
from gaitdyn.metrics.scores import LEGS, PERCENT, VARIABLES
from gaitdyn.report.first_screen.wording import (
    APART_DEG,
    finding_words,
    pelvis_words,
)
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.judge.largest import Largest
    from gaitdyn.statistics.families import Word
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import Band


SidePairs = dict[str, tuple["Array", "Array"]]
"""Angle -> its curve on the left and on the right."""


def own_percent(foot_off: Mapping[str, float | None]) -> dict[str, Array]:
    """Return side -> % of its own cycle at 0, 1, ... 100 % of a cycle with the mean foot-off.

    Strikes and foot-offs coincide, so that a longer stance is not mistaken for another angle. A
    cycle is left as it is if a foot-off is not known.

    Examples
    --------
    >>> own = own_percent({"left": 62.0, "right": 58.0})
    >>> [float(own[side][60]) for side in ("left", "right")]
    [62.0, 58.0]
    """
    known = [off for side in SIDES if (off := foot_off.get(side)) is not None]
    ends = {side: known[i] if len(known) == len(SIDES) else 50.0 for i, side in enumerate(SIDES)}
    whole = np.arange(101.0)
    knots = [0.0, fmean(ends.values()), 100.0]
    return {side: np.interp(whole, knots, [0.0, end, 100.0]) for side, end in ends.items()}


def side_pairs(
    means: Mapping[tuple[str, str], Array], foot_off: Mapping[str, float | None]
) -> SidePairs:
    """Return the angles of both legs with their strikes and foot-offs aligned.

    The pelvis is left out: its angles of the two sides are those of one segment.
    """
    own, whole = own_percent(foot_off), np.arange(101.0)
    pairs: SidePairs = {}
    for name in LEGS:
        if all((side, name) in means for side in SIDES):
            left, right = (np.interp(own[side], whole, means[side, name]) for side in SIDES)
            pairs[name] = left, right
    return pairs


def asymmetries(pairs: SidePairs) -> list[tuple[str, float]]:
    """Return the angles and the largest difference of the sides, deg, the largest first."""
    apart = {name: np.abs(left - right) for name, (left, right) in pairs.items()}
    known = [(name, float(np.nanmax(a))) for name, a in apart.items() if np.isfinite(a).any()]
    return sorted(known, key=lambda pair: -pair[1])


ASIDE_DEG = 60.0
"""A pelvis that is turned further than this does not face the way (rule ``pelvis-backward``)."""


def pelvis_told(means: Mapping[tuple[str, str], Array]) -> list[str]:
    """Return how the left side of the pelvis stands on average, if 5 deg or more from level.

    The curves of both cycles are those of one segment; both must be known. Nothing is said of a
    pelvis that does not face the way, as in walking backward or sideways.
    """
    stands: dict[str, float] = {}
    for name in ("pelvis_angle_obliquity", "pelvis_angle_rotation"):
        left, right = (means.get((side, name), np.empty(0)) for side in SIDES)
        if np.isfinite(left).any() and np.isfinite(right).any():
            stands[name] = float(np.nanmean(left) - np.nanmean(right)) / 2
    if abs(stands.get("pelvis_angle_rotation", 0.0)) > ASIDE_DEG:
        return []
    return [pelvis_words(name, mean) for name, mean in stands.items() if abs(mean) >= APART_DEG]


def norm_scores(bands: Mapping[str, Band]) -> dict[str, float]:
    """Return the scores of the people of a reference against their own mean, deg.

    The root mean square over the cycle of the SD between people is the root mean square of their
    gait variable scores: no further data are needed.
    """
    scores = {}
    for name in VARIABLES:
        if name in bands:
            sd = np.interp(PERCENT, bands[name].percent, bands[name].sd)
            scores[name] = float(np.sqrt(np.mean(sd**2)))
    return scores


def norm_gps(bands: Mapping[str, Band]) -> float | None:
    """Return the GPS of the people of a reference against their own mean, deg, root mean square."""
    scores = norm_scores(bands)
    known = len(scores) == len(VARIABLES)
    return float(np.sqrt(np.mean(np.square(list(scores.values()))))) if known else None


def speed_unmatched(findings: Sequence[CurveFinding]) -> bool:
    """Return whether only the curves that do not depend on the speed have a reference."""
    speed_curves = {rule.name for rule in curve_rules() if rule.by_speed}
    compared = {f.curve in speed_curves for f in findings if f.farthest is not None}
    return compared == {False}


def open_curves(findings: Sequence[CurveFinding]) -> tuple[int, int]:
    """Return how many curves are not judged, and how many there are."""
    return sum(f.word == "not judged" for f in findings), len(findings)


_FLAGGED: tuple[Word, ...] = ("clear", "possible")


def curves_aside(
    findings: Sequence[CurveFinding], largest: Sequence[Largest]
) -> list[tuple[Word, str]]:
    """Return word and title of the flagged curves that are not pictured, the most certain first."""
    pictured = {one.curve for one in largest}
    titles = {rule.name: rule.title for rule in curve_rules()}
    found: dict[str, Word] = {}
    for word in _FLAGGED:
        for finding in findings:
            if finding.word == word and finding.curve not in pictured:
                found.setdefault(titles[finding.curve], word)
    return [(word, title) for title, word in found.items()]


def finding_texts(
    largest: tuple[Largest, ...], bands: Mapping[str, Band]
) -> list[tuple[Word, str]]:
    """Return the pictured findings in words."""
    names = {internal_name(name): name for name in bands}
    return [(f.word, largest_words(f, names[f.curve], bands)) for f in largest]


def largest_words(finding: Largest, name: str, bands: Mapping[str, Band]) -> str:
    """Return a finding in words that are true of each side, such as ``Right knee less flexed``.

    If the sides are told differently, ``less`` is true of both: a knee that is hyperextended, and
    one that is not, are less flexed.
    """
    band = bands[name]
    normal = [float(np.interp(p.peak_at, band.percent, band.mean)) for p in finding.places]
    told = [
        finding_words(name, finding.sides, place.difference, mean)
        for place, mean in zip(finding.places, normal, strict=True)
    ]
    if len(set(told)) == 1:
        return told[0]
    return min((w for w in told if " less " in w), key=len, default=told[finding.first])
