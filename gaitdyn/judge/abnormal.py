"""The abnormal curves of a session, against a reference set."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gaitdyn.errors import UsageError
from gaitdyn.judge.curves import CurveRule, judged_curves
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.finding import (
    CurveFinding,
    CycleStretch,
    half_size,
    not_judged,
    places_of,
    stretches,
    strip,
)
from gaitdyn.judge.finding_words import (
    direction,
    moment_words,
    size_apart,
    size_found,
    where_of,
)
from gaitdyn.judge.refusals import (
    doubt_of_axes,
    doubt_of_belts,
    doubt_of_model,
    doubt_of_norm,
    doubt_of_shanks,
    doubt_of_unit,
    doubt_of_walk,
)
from gaitdyn.judge.session import SessionWalk, pelvis_side
from gaitdyn.judge.session_trials import stored, walk_of
from gaitdyn.judge.settings import doubts_of_set
from gaitdyn.judge.stance import PERCENT, against_reference
from gaitdyn.judge.way import as_walked
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.metrics.scores import GaitScores, free_speed_scores
from gaitdyn.statistics.against_norm import NormBand, NormTest, healthy_limit, judge_against_norm
from gaitdyn.statistics.families import FEWEST, PointRun, holm_within, rank_chance, word_of
from gaitdyn.statistics.threshold import ALPHA
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.arguments import told
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import MatchedNorm, Norm
from gaitdyn.types.result import Processed


@frozen(eq=False)
class Judged:
    """A curve before the correction within its family: its test, or why there is none.

    ``limit`` is how far from the reference healthy walkers stay, ``difference`` is this walker's
    distance. Both are also given if there are too few strides for a verdict.
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
        """Of the curve alone; NaN if it is not judged."""
        return np.nan if self.test is None else self.test.p


@frozen(eq=False)
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
    scores : GaitScores
        MAP, GPS and GDI* of the same strides.
    """

    norm: MatchedNorm
    speed: float | None
    findings: tuple[CurveFinding, ...]
    curves: tuple[Judged, ...]
    scores: GaitScores

    @property
    def limits(self) -> dict[str, Array]:
        """Curve -> how far from the reference healthy walkers stay, the larger of both sides."""
        limits: dict[str, Array] = {}
        for curve in self.curves:
            if curve.limit is not None:
                name = curve.rule.name
                limits[name] = np.fmax(curve.limit, limits.get(name, curve.limit))
        return limits


def find_abnormal(trials: Sequence[StoredTrial | Processed], norm: MatchedNorm | Norm) -> Abnormal:
    """Return the abnormal curves in the trials of one session and condition.

    Parameters
    ----------
    trials : sequence of StoredTrial or Result
        Strides that turn and trials whose verdict is fail are left out.
    norm : MatchedNorm or Norm
        The reference set at the walker's speed, or one that is then matched to it.

    Raises
    ------
    UsageError
        If the trials are not a list of results, or the norm is not one that was read.
    """
    walk = walk_of(stored(trials))
    if not isinstance(norm, (Norm, MatchedNorm)):
        how = "gaitdyn.metrics.norms.files.read_norm(NAME)"
        raise UsageError(f"norm is {told(norm)}, wanted a reference set that was read: {how}")
    speed = walk.speed
    matched = match_norm(norm, speed) if isinstance(norm, Norm) else norm
    matched = as_walked(matched, walk.trials)
    of_set = doubts_of_set(matched.norm.settings, walk)
    curves = (
        _judged(walk, side, rule, matched, speed, of_set[rule.is_angle])
        for side, rule in judged_curves(pelvis_side(walk))
    )
    judged = tuple(curve for curve in curves if curve.unit)
    adjusted = holm_within([curve.rule.family for curve in judged], [curve.p for curve in judged])
    findings = tuple(_finding(c, p_holm, walk) for c, p_holm in zip(judged, adjusted, strict=True))
    scores = free_speed_scores(walk.angle_cycles(), matched)
    return Abnormal(matched, speed, findings, judged, scores)


def _judged(
    walk: SessionWalk, side: str, rule: CurveRule, matched: MatchedNorm, speed: float | None,
    of_set: Sequence[Doubt],
) -> Judged:  # fmt: skip
    strides = walk.strides(side, rule)
    count = len(strides.values)
    of_walk = doubt_of_walk(walk, side, rule, count)
    of_norm = (
        *doubt_of_axes(matched, walk, rule),
        *doubt_of_shanks(matched, walk, rule),
        *doubt_of_belts(walk),
        *doubt_of_model(matched, walk),
        *of_set,
        *doubt_of_unit(matched, rule, strides.unit),
        *doubt_of_norm(matched, rule, speed, walk.pace),
    )
    doubts = (*of_walk, *of_norm)
    if any(doubt.refuses for doubt in of_norm):
        return Judged(side, rule, strides.unit, doubts, strides=count)
    band = matched.bands[rule.name]
    origin = "default" if band.roughness is None else "the reference set's own"
    sd = np.interp(PERCENT, band.percent, band.sd)
    norm = NormBand(
        np.interp(PERCENT, band.percent, band.mean), sd, band.count,
        rule.norm_roughness if band.roughness is None else band.roughness,
        0.0 if matched.norm.in_house else rule.between_laboratories or 0.0,
    )  # fmt: skip
    valid = against_reference(rule, matched, walk.percent("foot_off", side))
    if any(doubt.refuses for doubt in of_walk):
        return Judged(
            side, rule, strides.unit, doubts, strides=count, sd=sd,
            limit=healthy_limit(norm, valid),
            difference=strides.values.mean(axis=0) - norm.mean if count else None,
        )  # fmt: skip
    test = judge_against_norm(strides.values, norm, valid)
    rank = _rank(strides.values, matched, side, rule, valid)
    doubts = (*doubts, *_disagreeing(test.p, rank))
    limit = np.where(valid, test.threshold * test.error, np.nan)
    return Judged(
        side, rule, strides.unit, doubts, test, count, sd, origin, rank, limit, test.difference
    )


def _rank(strides: Array, matched: MatchedNorm, side: str, rule: CurveRule, judged: Mask) -> float:
    """Return the share of controls that are as far out, NaN if too few have curves."""
    controls = matched.norm.people.get((matched.group, rule.name, side))
    if controls is None or len(controls) < FEWEST:
        return np.nan
    return float(rank_chance(strides.mean(axis=0)[None, judged], controls[:, None, judged])[0][0])


def _disagreeing(p: float, rank: float) -> list[Doubt]:
    """Return a doubt if band and rank are on different sides of 5 %."""
    if not np.isfinite(rank) or (p <= ALPHA) == (rank <= ALPHA):
        return []
    reason = f"by its rank among the controls p is {rank:.2f}, by the band {p:.2g}"
    return [Doubt(reason, refuses=False)]


def _finding(curve: Judged, p_holm: float, walk: SessionWalk) -> CurveFinding:
    """Return a curve's verdict in words."""
    lowered = any(not doubt.refuses for doubt in curve.doubts)
    word = word_of(curve.p, p_holm, at_most_possible=lowered)
    if word == "not shown" and curve.rank_p <= ALPHA:
        word = "possible"
    title = f"{curve.side} {curve.rule.title}"
    if curve.test is None or curve.limit is None:
        return not_judged(
            curve.side, curve.rule, curve.unit, curve.doubts, difference=curve.difference,
            limit=curve.limit, unjudged=_unjudged(curve, walk),
        )  # fmt: skip
    test, flagged = curve.test, word in ("clear", "possible")
    far = np.nan_to_num(np.abs(test.t))
    runs = stretches(test.beyond, far, flagged=flagged)
    places = _places(curve, walk, runs) if flagged else _farthest(curve, walk, far)
    reason = "; ".join(doubt.reason for doubt in curve.doubts)
    return CurveFinding(
        curve.side, curve.rule.name, curve.rule.family, curve.unit, word,
        _sentence(title, word, places, curve.unit, reason),
        reason, curve.p, p_holm, places, test.difference, curve.limit,
        strip(test.beyond, test.difference, word),
    )  # fmt: skip


def _places(curve: Judged, walk: SessionWalk, runs: Sequence[PointRun]) -> tuple[CycleStretch, ...]:
    """Return stretches of the cycle with their phase, difference, limit and SD."""
    if curve.difference is None or curve.sd is None or curve.limit is None:
        return ()
    return places_of(runs, walk.phases(curve.side), curve.difference, curve.limit, curve.sd)


def _farthest(curve: Judged, walk: SessionWalk, far: Array) -> tuple[CycleStretch, ...]:
    """Return the farthest point of a curve that is not flagged, with where it is half as far out.

    An offset is largest at some point of the cycle by chance.
    """
    places = _places(curve, walk, stretches(far > np.inf, far, flagged=False))
    if curve.difference is None:
        return ()
    phases, told = walk.phases(curve.side), []
    for place in places:
        ends = half_size(curve.difference, round(place.peak_at), curve.limit)
        told.append(replace(place, where=where_of(phases, *ends)))
    return tuple(told)


def _unjudged(curve: Judged, walk: SessionWalk) -> CycleStretch | None:
    """Return where a curve without a verdict is farthest from the reference."""
    if curve.difference is None or curve.limit is None:
        return None
    places = _farthest(curve, walk, np.nan_to_num(np.abs(curve.difference) / curve.limit))
    return places[0] if places else None


def _sentence(title: str, word: str, places: Sequence[CycleStretch], unit: str, reason: str) -> str:
    """Return the verdict in a sentence: size, then certainty, with unit and place.

    SD stand beside what is outside alone: beside any other they would look like a verdict.
    """
    if not places:
        return f"{title}: {word}"
    place = places[0]
    than = f"{direction(place.difference)} than the norm"
    if word == "not shown":
        moment = moment_words(place.peak_at)
        return (
            f"{title}: at most {size_apart(place.difference, place.limit, unit)} {than}"
            f" ({moment});"
            f" not shown, shown from {size_apart(place.limit, place.difference, unit)}"
        )
    size = f"{size_found(place.difference, unit)} {than} ({abs(place.sd):.1f} SD)"
    sentence = f"{title} {place.where}: {size}: {word}"
    if word == "clear":
        return sentence
    return f"{sentence}; {reason or '1 curve in 20 is outside by chance'}"
