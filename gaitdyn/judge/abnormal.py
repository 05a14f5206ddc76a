"""Which curves of a session are abnormal, against a reference set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.judge.curves import judged_curves
from gaitdyn.judge.finding import (
    CurveFinding,
    CycleStretch,
    direction,
    moment_words,
    not_judged,
    number,
    places_of,
    stretches,
    strip,
)
from gaitdyn.judge.refusals import (
    Doubt,
    doubt_of_axes,
    doubt_of_belts,
    doubt_of_model,
    doubt_of_norm,
    doubt_of_unit,
    doubt_of_walk,
)
from gaitdyn.judge.session import walk_of
from gaitdyn.statistics.against_norm import NormBand, NormTest, healthy_limit, judge_against_norm
from gaitdyn.statistics.families import FEWEST, PointRun, holm, rank_chance, word_of
from gaitdyn.statistics.threshold import ALPHA

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.judge.curves import CurveRule
    from gaitdyn.judge.session import SessionWalk
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import MatchedNorm

_PERCENT = np.arange(101.0)
_IMPACT = 6.0
"""% until which hip and knee moments of published sets are not judged: a spike of the impact."""


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A curve before its family is counted: its test, or why there is none.

    ``limit`` is how far from the reference healthy walkers stay, ``difference`` where this one
    walks; both also where too few strides give no verdict.
    """

    side: str
    rule: CurveRule
    unit: str
    doubts: tuple[Doubt, ...]
    test: NormTest | None = None
    strides: int = 0
    sd: Array | None = None
    origin: str = ""
    rank_p: float = np.nan
    limit: Array | None = None
    difference: Array | None = None

    @property
    def p(self) -> float:
        """Of the curve alone; NaN where it is not judged."""
        return np.nan if self.test is None else self.test.p


@dataclass(frozen=True, slots=True, eq=False)
class Abnormal:
    """The curves of a session against a reference set.

    Attributes
    ----------
    norm : MatchedNorm
    speed : float or None
        v / sqrt(g L).
    findings : tuple of CurveFinding
        In the order of the table of curves.
    curves : tuple of Judged
        The tests behind them.
    """

    norm: MatchedNorm
    speed: float | None
    findings: tuple[CurveFinding, ...]
    curves: tuple[Judged, ...]

    @property
    def limits(self) -> dict[str, Array]:
        """Curve -> how far from the reference healthy walkers stay, of the side with more room."""
        found: dict[str, Array] = {}
        for one in self.curves:
            if one.limit is not None:
                name = one.rule.name
                found[name] = np.fmax(one.limit, found.get(name, one.limit))
        return found


def find_abnormal(trials: Sequence[StoredTrial], matched: MatchedNorm) -> Abnormal:
    """Return what is abnormal in the trials of one session and condition.

    Parameters
    ----------
    trials : sequence of StoredTrial
        Strides that turn and trials whose verdict is fail are left out.
    matched : MatchedNorm
        The reference set at the walker's speed.
    """
    walk = walk_of(trials)
    speed = walk.speed
    every = judged_curves(walk.pelvis_side)
    judged = tuple(_judged(walk, side, rule, matched, speed) for side, rule in every)
    judged = tuple(one for one in judged if one.unit)
    adjusted: dict[int, float] = {}
    for family in dict.fromkeys(one.rule.family for one in judged):
        at = [i for i, one in enumerate(judged) if one.rule.family == family]
        found = holm([judged[i].p for i in at])
        adjusted |= {i: float(p) for i, p in zip(at, found, strict=True)}
    sizes = {
        family: sum(np.isfinite(one.p) for one in judged if one.rule.family == family)
        for family in {one.rule.family for one in judged}
    }
    findings = tuple(
        _finding(one, adjusted[i], walk, sizes[one.rule.family]) for i, one in enumerate(judged)
    )
    return Abnormal(matched, speed, findings, judged)


def _judged(
    walk: SessionWalk, side: str, rule: CurveRule, matched: MatchedNorm, speed: float | None
) -> Judged:
    strides = walk.strides(side, rule)
    of_walk = doubt_of_walk(walk, side, rule, len(strides.values))
    of_norm = (
        *doubt_of_axes(walk, rule),
        *doubt_of_belts(walk),
        *doubt_of_model(matched, walk),
        *doubt_of_unit(matched, rule, strides.unit),
        *doubt_of_norm(matched, rule, speed),
    )
    doubts = (*of_walk, *of_norm)
    if any(doubt.refuses for doubt in of_norm):
        return Judged(side, rule, strides.unit, doubts, strides=len(strides.values))
    band = matched.bands[rule.name]
    own = matched.norm.own
    origin = "default" if band.roughness is None else "the reference set's own"
    sd = np.interp(_PERCENT, band.percent, band.sd)
    norm = NormBand(
        np.interp(_PERCENT, band.percent, band.mean), sd, band.count,
        rule.norm_roughness if band.roughness is None else band.roughness,
        0.0 if own else rule.between_laboratories or 0.0,
    )  # fmt: skip
    at = (_IMPACT if rule.impact and not own else 0.0) <= _PERCENT
    if any(doubt.refuses for doubt in of_walk):
        known = len(strides.values) > 0
        return Judged(
            side, rule, strides.unit, doubts, strides=len(strides.values), sd=sd,
            limit=healthy_limit(norm, at),
            difference=strides.values.mean(axis=0) - norm.mean if known else None,
        )  # fmt: skip
    test = judge_against_norm(strides.values, norm, at)
    rank = _rank(strides.values, matched, side, rule)
    doubts = (*doubts, *_disagreeing(test.p, rank))
    limit = np.where(at, test.threshold * test.error, np.nan)
    return Judged(
        side, rule, strides.unit, doubts, test, len(strides.values), sd, origin, rank, limit,
        test.difference,
    )  # fmt: skip


def _rank(strides: Array, matched: MatchedNorm, side: str, rule: CurveRule) -> float:
    """Return the share of controls that lie as far out, NaN without the curves of enough."""
    controls = matched.norm.people.get((matched.group, rule.name, side))
    if controls is None or len(controls) < FEWEST:
        return np.nan
    return float(rank_chance(strides.mean(axis=0)[None], controls[:, None])[0][0])


def _disagreeing(p: float, rank: float) -> list[Doubt]:
    """Return that band and rank are on two sides of 5 %: neither is believed alone."""
    if not np.isfinite(rank) or (p <= ALPHA) == (rank <= ALPHA):
        return []
    told = f"by its rank among the controls p is {rank:.2f}, by the band {p:.2g}"
    return [Doubt(told, refuses=False)]


def _finding(one: Judged, p_holm: float, walk: SessionWalk, size: int) -> CurveFinding:
    """Return a curve's verdict in words."""
    lowered = any(not doubt.refuses for doubt in one.doubts)
    word = word_of(one.p, p_holm, at_most_possible=lowered)
    if word == "not shown" and one.rank_p <= ALPHA:
        word = "possible"
    title = f"{one.side} {one.rule.title}"
    if one.test is None or one.limit is None:
        return not_judged(
            one.side, one.rule, one.unit, one.doubts, difference=one.difference, limit=one.limit,
            unjudged=_unjudged(one, walk),
        )  # fmt: skip
    test, flagged = one.test, word in ("clear", "possible")
    far = np.nan_to_num(np.abs(test.t))
    places = _places(one, walk, stretches(test.beyond, far, flagged=flagged))
    reason = "; ".join(doubt.reason for doubt in one.doubts)
    return CurveFinding(
        one.side, one.rule.name, one.rule.family, one.unit, word,
        _sentence(title, word, places, one.unit, size, reason),
        reason, one.p, p_holm, places, test.difference, one.limit,
        strip(test.beyond, test.difference, word),
    )  # fmt: skip


def _places(one: Judged, walk: SessionWalk, found: Sequence[PointRun]) -> tuple[CycleStretch, ...]:
    """Return stretches of the cycle with what lies there."""
    if one.difference is None or one.sd is None or one.limit is None:
        return ()
    return places_of(found, walk.phases(one.side), one.difference, one.limit, one.sd)


def _unjudged(one: Judged, walk: SessionWalk) -> CycleStretch | None:
    """Return where a curve without a verdict is farthest from the reference."""
    if one.difference is None or one.limit is None:
        return None
    far = np.abs(one.difference) / one.limit
    found = _places(one, walk, stretches(far > np.inf, far, flagged=False))
    return found[0] if found else None


def _sentence(
    title: str, word: str, places: Sequence[CycleStretch], unit: str, size: int, reason: str
) -> str:
    """Return size first, certainty second, with unit, SD and place."""
    if not places:
        return f"{title}: {word}"
    place = places[0]
    size_words = f"{number(place.difference, unit)} {direction(place.difference)} than the norm"
    if word == "not shown":
        at = moment_words(place.peak_at)
        return (
            f"{title}: at most {size_words} ({abs(place.sd):.1f} SD, {at});"
            f" not shown: less than the {number(place.limit, unit)} that would be"
        )
    told = f"{title} {place.where}: {size_words} ({abs(place.sd):.1f} SD): {word}"
    if word == "clear":
        return told
    chance = f"of {size} curves about {max(1, round(size / 20))} is outside by chance"
    return f"{told}; {reason or chance}"
