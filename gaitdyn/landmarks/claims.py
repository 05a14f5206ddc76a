"""List the landmarks each marker may be, weighing its words and its position."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from gaitdyn.landmarks.assign import MarkerClaim
from gaitdyn.landmarks.body.arm_centres import drop_centres_of_arms
from gaitdyn.landmarks.body.arm_lengths import drop_along_arms
from gaitdyn.landmarks.body.bounds import is_out_of_reach
from gaitdyn.landmarks.body.case import Case
from gaitdyn.landmarks.body.centres import APART, LEVEL, apart, drop_centres
from gaitdyn.landmarks.body.evidence import PlaceFit
from gaitdyn.landmarks.body.persons import pairs_of
from gaitdyn.landmarks.labels.clusters import by_place, ray_of, twins
from gaitdyn.landmarks.labels.meanings import WHOLE
from gaitdyn.landmarks.labels.reading import stem_codes

_SERIES = 0.7
_IN_PLACE = -1.7
"""Least score of a sure word in its place, which a twin elsewhere does not take away."""
_TWIN = 0.8
_RAY = 0.6
_HEADS = {1: "MT1H", 2: "TOE", 3: "TOE", 5: "MT5H"}
_TWINS = {
    ("KME", "KLE"): (0.42, 0.57),
    ("ANM", "ANL"): (0.02, 0.15),
    ("MT1H", "MT5H"): (-0.02, 0.08),
}
"""Medial and lateral landmark of a pair -> range of heights of both."""
_ELBOW, _ASIDE = (1.0, 1.3), 0.14
"""Range of heights of the elbows of arms that hang, and least distance from the mid-plane."""


def claims_of(case: Case) -> list[MarkerClaim]:
    """Return every landmark that an item may be; left and right of one core are judged together."""
    codes = [dict(words.meaning.codes) for words in case.words]
    _add_series(case, codes)
    _add_twins(case, codes)
    _add_elbows(case, codes)
    drop_centres(case, codes)
    drop_centres_of_arms(case, codes)
    drop_along_arms(case, codes)
    fits: list[dict[str, PlaceFit]] = []
    scores: list[dict[str, float]] = []
    for i, item_codes in enumerate(codes):
        for code in [code for code in item_codes if is_out_of_reach(case, i, code)]:
            del item_codes[code]
        fits.append({code: case.fit(i, code) for code in item_codes})
        for code in [c for c, fit in fits[i].items() if not fit.known and _one_letter(case, i)]:
            del item_codes[code]
        scores.append({c: math.log(w) - fits[i][c].penalty for c, w in item_codes.items() if w > 0})
    partner = _partners(case)
    claims: list[MarkerClaim] = []
    for i, (item_codes, words) in enumerate(zip(codes, case.words, strict=True)):
        files, total = frozenset(case.items[i].index), sum(words.meaning.codes.values())
        twin = partner.get(i, i)
        for code, weight in item_codes.items():
            score = scores[i][code]
            has_both = twin != i and code in scores[twin]
            alone = words.meaning.exact and weight >= WHOLE and score >= _IN_PLACE
            if has_both and fits[i][code].known == fits[twin][code].known:
                both = (score + scores[twin][code]) / 2
                score = max(score, both) if alone else both
            whole = max(weight, total)
            claims.append(MarkerClaim(i, files, words.sided.side, code, weight, whole, score))
    return claims


def _one_letter(case: Case, i: int) -> bool:
    """Return whether a label is one letter, without a side: alone it names nothing."""
    sided = case.words[i].sided
    return len(sided.core) == 1 and not sided.side


def _partners(case: Case) -> dict[int, int]:
    pairs = pairs_of(case.words, list(range(len(case.items))))
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def _add_series(case: Case, codes: list[dict[str, float]]) -> None:
    """Add the segment of each series, from its words and its mean height."""
    groups: dict[int, list[int]] = defaultdict(list)
    for i, words in enumerate(case.words):
        if words.group >= 0:
            groups[words.group].append(i)
    for members in groups.values():
        positions = [position for i in members if (position := case.position(i)) is not None]
        height = (
            float(np.mean([position.height for position in positions])) if positions else math.nan
        )
        outward = (
            float(np.mean([position.outward for position in positions])) if positions else math.nan
        )
        votes = by_place(height, outward)
        stem = stem_codes(case.words[members[0]].sided)
        cores = [case.words[i].sided.core for i in members]
        if "FTX" in votes and _add_rays(members, cores, codes):
            continue
        for code in {*votes, *stem}:
            weight = _SERIES * max(votes.get(code, 0.0), stem.get(code, 0.0))
            if votes and stem and code not in votes:
                weight *= 0.5
            for i in members:
                codes[i][code] = max(weight, codes[i].get(code, 0.0))


def _add_rays(members: list[int], cores: list[str], codes: list[dict[str, float]]) -> bool:
    """Add metatarsal heads if the numbers are those of metatarsals; return whether they are."""
    rays = [ray_of(core, cores) for core in cores]
    for i, ray in zip(members, rays, strict=True):
        if (code := _HEADS.get(ray)) is not None:
            codes[i][code] = max(_RAY, codes[i].get(code, 0.0))
    return any(rays)


def _add_twins(case: Case, codes: list[dict[str, float]]) -> None:
    """Add condyles, malleoli or metatarsals for pairs of M and L at one height.

    Only if neither is a known spelling.
    """
    sided = [words.sided for words in case.words]
    for medial, lateral in twins(sided):
        if case.words[medial].meaning.exact or case.words[lateral].meaning.exact:
            continue
        low, high = sorted((case.height(medial), case.height(lateral)))
        if not high - low < LEVEL:
            continue
        for pair, (bottom, top) in _TWINS.items():
            between = apart(case, medial, lateral)
            if bottom <= low and high <= top and APART[0] <= between <= APART[1]:
                codes[medial][pair[0]] = max(_TWIN, codes[medial].get(pair[0], 0.0))
                codes[lateral][pair[1]] = max(_TWIN, codes[lateral].get(pair[1], 0.0))


def _add_elbows(case: Case, codes: list[dict[str, float]]) -> None:
    """Add both sides of an elbow for pairs of I and E beside it, as ``EPI`` and ``EPE``."""
    for medial, lateral in twins([words.sided for words in case.words], "IE"):
        places = [case.position(i) for i in (medial, lateral)]
        if case.words[medial].meaning.exact or case.words[lateral].meaning.exact:
            continue
        if all(p and _ELBOW[0] < p.height < _ELBOW[1] and p.outward > _ASIDE for p in places):
            codes[medial]["ELM"] = max(_TWIN, codes[medial].get("ELM", 0.0))
            codes[lateral]["ELL"] = max(_TWIN, codes[lateral].get("ELL", 0.0))
