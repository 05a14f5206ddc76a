"""Labels become landmarks: words propose, the standing person confirms, refutes or decides."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.landmarks.assign import Claim, assign
from gaitdyn.landmarks.checks import check
from gaitdyn.landmarks.clusters import by_height, twins
from gaitdyn.landmarks.evidence import NOWHERE, Fit, Ground, ground_of
from gaitdyn.landmarks.items import Gathered, Item, gather
from gaitdyn.landmarks.outcome import outcome
from gaitdyn.landmarks.places import places
from gaitdyn.landmarks.reading import Words, read_items, stem_codes
from gaitdyn.landmarks.standing import Body, find_body, quiet_frames
from gaitdyn.landmarks.vocabulary import Vocabulary, shipped_vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.landmarks import BodySide, Resolution
    from gaitdyn.types.recording import Recording

_SURE_WORD = 0.45
_SERIES = 0.7
_ENOUGH = 8
_SEEN = 0.1
_TWIN = 0.7
_CLUSTERS = {"THX", "SHX", "FTX", "PEX"}
_PELVIS = {"ASIS", "PSIS", "ILC"}
_KNEE_TWINS, _ANKLE_TWINS = (0.42, 0.57), (0.02, 0.15)
_APART = (0.05, 0.17)
_LEVEL = 0.045


@dataclass(slots=True)
class Case:
    """All that is known while labels are judged.

    Attributes
    ----------
    files : list of Recording
        Static first, when there is one.
    still : int
        Number of the static among them, -1 without one.
    gathered : Gathered
    words : list of Words
        Of each item.
    bodies : list of Body or None
        Of each file, by item.
    grounds : list of Ground
    rare : list of dict
        Of each file: item -> frames, where they are less than a tenth of those with a person.
    fits : dict
        (item, code) -> how well its place fits, once asked for.
    """

    files: list[Recording]
    still: int
    gathered: Gathered
    words: list[Words]
    bodies: list[Body | None]
    grounds: list[Ground]
    rare: list[dict[int, int]]
    fits: dict[tuple[int, str], Fit]

    @property
    def items(self) -> list[Item]:
        """The markers to be named."""
        return self.gathered.items

    def fit(self, i: int, code: str) -> Fit:
        """Return how the place of an item fits a landmark: in the static, else in the trial."""
        if (i, code) not in self.fits:
            ways = (self.grounds[n].fit(i, code) for n in self.items[i].at if i not in self.rare[n])
            self.fits[i, code] = next((fit for fit in ways if fit.known), NOWHERE)
        return self.fits[i, code]

    def height(self, i: int) -> float:
        """Return the height of an item in ASIS heights, NaN when not known."""
        for number in self.items[i].at:
            seen = self.grounds[number].seen(i)
            if seen is not None:
                return seen.height
        return math.nan


def resolve(
    trial: Recording,
    static: Recording | None = None,
    rename: Mapping[str, str] | None = None,
    vocabulary: Vocabulary | None = None,
) -> tuple[Resolution, Resolution | None]:
    """Return what the labels of a trial, and of its static, mean.

    Both files are judged together: a label that is in both means the same, and the place in the
    static counts before that in the trial.

    Parameters
    ----------
    trial : Recording
    static : Recording, optional
        Of the same person with the same markers.
    rename : mapping, optional
        Label -> our name or another label, from the user.
    vocabulary : Vocabulary, optional
        Spellings; without it those that ship with gaitdyn.

    Returns
    -------
    (Resolution, Resolution or None)
        Of the trial and of the static.
    """
    files = [trial] if static is None else [static, trial]
    rename = rename or {}
    gathered = gather(files, rename)
    words = read_items(gathered.items, vocabulary or shipped_vocabulary(), set(rename.values()))
    still = 0 if static is not None else -1
    case = Case(files, still, gathered, words, [], [], [], {})
    _look(case)
    claims = _claims(case)
    won = assign(claims)
    findings = check(case, won)
    parts = [outcome(case, number, won, claims, findings) for number in range(len(files))]
    return parts[-1], parts[0] if static is not None else None


def _look(case: Case) -> None:
    """Find the person in each file from the names that are sure."""
    top = _sure_names(case.words)
    sides: list[BodySide] = [words.sided.side for words in case.words]
    for number, recording in enumerate(case.files):
        here = [i for i, item in enumerate(case.items) if number in item.at]
        at = [case.items[i].at[number] for i in here]
        points = recording.markers_L[:, at]
        rare = _rare(points, here)
        case.rare.append(rare)
        if number == case.still:
            points = points[quiet_frames(points, recording.rate_hz)]
        expected = np.array([places()[top[i]].height if top[i] in places() else np.nan for i in here])
        expected[[_is_loose(top[i]) or i in rare for i in here]] = np.nan
        pairs = _pairs(case.words, here)
        pelvis = [(a, b) for a, b in pairs if top[here[a]] in _PELVIS]
        found = find_body(points, expected, pelvis, pairs)
        body = None if found is None else _by_item(found, here, len(case.items))
        case.bodies.append(body)
        mine = [code if number in item.at and i not in rare else "" for i, (code, item) in enumerate(zip(top, case.items, strict=True))]
        case.grounds.append(ground_of(body, sides, mine, moving=number != case.still))


def _sure_names(words: list[Words]) -> list[str]:
    """Return the code that each name surely means: known spellings, read ones when they are few."""
    exact = [_top(w, _SURE_WORD) if w.meaning.exact else "" for w in words]
    if sum(bool(code) for code in exact) >= _ENOUGH:
        return exact
    return [_top(w, _SURE_WORD) for w in words]


def _rare(points: Array, here: list[int]) -> dict[int, int]:
    """Return item -> frames of the markers seen in less than a tenth of the frames with a person."""
    known = np.isfinite(points[..., 0])
    person = known.sum(axis=1) >= min(3, len(here))
    frames = known[person].sum(axis=0)
    least = _SEEN * int(person.sum())
    return {i: int(n) for i, n in zip(here, frames, strict=True) if n < least}


def _is_loose(code: str) -> bool:
    """Return whether a landmark stands at no height of its own."""
    return code in places() and places()[code].height_sd > 0.08  # noqa: PLR2004


def _top(words: Words, least: float) -> str:
    """Return the code that a word surely means, or nothing."""
    codes = words.meaning.codes
    best = max(codes, key=lambda code: codes[code], default="")
    return best if best and codes[best] >= least else ""


def _pairs(words: list[Words], here: list[int]) -> list[tuple[int, int]]:
    """Return left and right of each core that stands for one marker of a side."""
    found: dict[tuple[str, str], list[int]] = defaultdict(list)
    for k, i in enumerate(here):
        if words[i].sided.side:
            found[words[i].sided.core, words[i].sided.side].append(k)
    return [
        (left[0], right[0])
        for (core, side), left in found.items()
        if side == "left" and len(left) == 1 and len(right := found.get((core, "right"), [])) == 1
    ]


def _by_item(body: Body, here: list[int], count: int) -> Body:
    out = [np.full(count, np.nan) for _ in range(3)]
    for array, values in zip(out, (body.height, body.outward, body.ahead), strict=True):
        array[here] = values
    wide = [np.full((len(body.to_left), count), np.nan) for _ in range(2)]
    for array, values in zip(wide, (body.to_left, body.to_front), strict=True):
        array[:, here] = values
    return Body(body.standing, *out, *wide)


def _claims(case: Case) -> list[Claim]:
    """Return every landmark that an item may be; both sides of one core are judged together."""
    codes = [dict(words.meaning.codes) for words in case.words]
    _add_series(case, codes)
    _add_twins(case, codes)
    scores: list[dict[str, float]] = []
    for i, found in enumerate(codes):
        scores.append({c: math.log(w) - case.fit(i, c).penalty for c, w in found.items() if w > 0})
    partner = _partners(case)
    claims: list[Claim] = []
    for i, found in enumerate(codes):
        for code, weight in found.items():
            score = scores[i][code]
            both = i in partner and case.fit(i, code).known == case.fit(partner[i], code).known
            if both and code in scores[partner[i]]:
                score = (score + scores[partner[i]][code]) / 2
            side = case.words[i].sided.side
            claims.append(Claim(i, frozenset(case.items[i].at), side, code, weight, score))
    return claims


def _partners(case: Case) -> dict[int, int]:
    pairs = _pairs(case.words, list(range(len(case.items))))
    return {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def _add_series(case: Case, codes: list[dict[str, float]]) -> None:
    """Let the words and the mean height of a series vote for its segment."""
    groups: dict[int, list[int]] = defaultdict(list)
    for i, words in enumerate(case.words):
        if words.group >= 0:
            groups[words.group].append(i)
    for members in groups.values():
        heights = [case.height(i) for i in members]
        known = [h for h in heights if math.isfinite(h)]
        votes = by_height(float(np.mean(known))) if known else {}
        said = stem_codes(case.words[members[0]].sided)
        for code in {*votes, *said}:
            weight = _SERIES * max(votes.get(code, 0.0), said.get(code, 0.0))
            if votes and said and code not in votes:
                weight *= 0.5
            for i in members:
                codes[i][code] = max(weight, codes[i].get(code, 0.0))


def _add_twins(case: Case, codes: list[dict[str, float]]) -> None:
    """Let pairs of M and L at one height be condyles or malleoli where no word says more."""
    sided = [words.sided for words in case.words]
    for medial, lateral in twins(sided):
        if case.words[medial].meaning.exact or case.words[lateral].meaning.exact:
            continue
        low, high = sorted((case.height(medial), case.height(lateral)))
        if not high - low < _LEVEL:
            continue
        for (bottom, top), pair in ((_KNEE_TWINS, ("KME", "KLE")), (_ANKLE_TWINS, ("ANM", "ANL"))):
            apart = _apart(case, medial, lateral)
            if bottom <= low and high <= top and _APART[0] <= apart <= _APART[1]:
                codes[medial][pair[0]] = max(_TWIN, codes[medial].get(pair[0], 0.0))
                codes[lateral][pair[1]] = max(_TWIN, codes[lateral].get(pair[1], 0.0))


def _apart(case: Case, medial: int, lateral: int) -> float:
    """Return how far the lateral one stands outside the medial one, ASIS heights."""
    for ground in case.grounds:
        one, other = ground.seen(medial), ground.seen(lateral)
        if one is not None and other is not None:
            return other.outward - one.outward
    return math.nan
