"""Labels that several markers share: told apart by the person, before their words are judged.

Old files cut labels to four letters, and some programs label a cluster with one word; then both
knees are ``GENO`` and four markers of a thigh are ``RTHI``. Which side each is on follows from the
person: up from the heights of the landmarks, left from the two spines of the pelvis, and forward
from what stands ahead of what (toes of heels, front of the pelvis of its back). Which marker of a
cluster is which follows from its shape: of all ways to lay the cluster of the static on that of the
trial the one that fits, and turns least against the whole body (Kabsch 1976, Acta Cryst A32:922).
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.core.rigid import SMALLEST_CLUSTER, rigid_motion
from gaitdyn.core.runs import known_points, spread_rows
from gaitdyn.landmarks.look import heights_of, sure_names
from gaitdyn.landmarks.meanings import dialect_of, meaning_of
from gaitdyn.landmarks.reading import LabelWords, read_items
from gaitdyn.landmarks.sided import Sided
from gaitdyn.landmarks.standing import find_body, quiet_frames

if TYPE_CHECKING:
    from gaitdyn.landmarks.items import Gathered
    from gaitdyn.landmarks.vocabulary import Vocabulary
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.arrays import Places as Indices
    from gaitdyn.types.recording import Recording

Places = dict[int, str]
"""Place of a marker in its file -> its text."""

_SPINES = ("ASIS", "PSIS")
_AHEAD = ((("TOE", "MT1H", "MT2H", "MT5H", "HLX"), ("CAL",)), (("ASIS",), ("PSIS", "SACR", "PEX")))
_LIMBS = {"GTR", "KLE", "KME", "ANL", "ANM", "CAL", "TOE", "MT1H", "MT2H", "MT5H", "HLX", "FIB",
          "TTU", "THX", "SHX", "PAT"}  # fmt: skip
_CLEAR = 0.03
"""ASIS heights by which one stands ahead of the other, or beside the middle."""

_LARGEST_CLUSTER, _SOME_FRAMES = 5, 20
_RESIDUAL_M, _TURN_RAD, _GAP = 0.01, 0.7, 0.3
"""A fit costs 1 for a residual of 10 mm and for 40 degrees against the body; the best must be
better by 0.3 than the next, or nothing is told apart."""


def told_apart(
    files: list[Recording], gathered: Gathered, vocabulary: Vocabulary, still: int
) -> dict[tuple[int, int], str]:
    """Return (file, place) -> text with side or number, of markers that were told apart.

    Parameters
    ----------
    files : list of Recording
        Static first, when there is one.
    gathered : Gathered
    vocabulary : Vocabulary
    still : int
        Number of the static, -1 without one.
    """
    if not any(item.twice for item in gathered.items):
        return {}
    words = [
        _as_limb(w, vocabulary) if item.twice else w
        for w, item in zip(
            read_items(gathered.items, vocabulary, set()), gathered.items, strict=True
        )
    ]
    texts: list[Places] = []
    for number, recording in enumerate(files):
        here = {item.at[number]: i for i, item in enumerate(gathered.items) if number in item.at}
        sides = _sides(recording, gathered, words, here, quiet=number == still)
        said = {at: gathered.items[i].text for at, i in here.items()}
        texts.append(
            {at: f"{text} {sides[at]}" if at in sides else text for at, text in said.items()}
        )
    _number(files, texts)
    return {(number, at): text for number, found in enumerate(texts) for at, text in found.items()}


def _as_limb(words: LabelWords, vocabulary: Vocabulary) -> LabelWords:
    """Return what a label without side would mean with one."""
    if words.sided.side:
        return words
    sided = Sided("left", words.sided.parts)
    return LabelWords(words.sided, meaning_of(sided, vocabulary, dialect_of([sided])), words.group)


def _sides(
    recording: Recording, gathered: Gathered, words: list[LabelWords], here: dict[int, int],
    *, quiet: bool,
) -> Places:  # fmt: skip
    """Return the side of each marker that has none in its label, where the person shows it."""
    order = sorted(here)
    names = [sure_names(words)[here[at]] for at in order]
    sided = [words[here[at]].sided.side for at in order]
    groups: dict[str, list[int]] = defaultdict(list)
    for k, at in enumerate(order):
        if not sided[k]:
            groups[gathered.items[here[at]].text].append(k)
    pairs = [
        (names[g[0]], g)
        for g in groups.values()
        if len(g) == 2 and names[g[0]] in _SPINES  # noqa: PLR2004
    ]
    if not pairs:
        return {}
    points = recording.markers_L[:, order]
    if quiet:
        points = points[quiet_frames(points, recording.rate_hz)]
    _, (one, other) = min(pairs)
    body = find_body(points, heights_of(names), [(one, other)], [(one, other)])
    if body is None:
        return {}
    forward = [_mean(body.ahead, names, a) - _mean(body.ahead, names, b) for a, b in _AHEAD]
    known = [value for value in forward if np.isfinite(value)]
    if not known or min(map(abs, known)) < _CLEAR or len({value > 0 for value in known}) > 1:
        return {}
    outward = body.outward if known[0] > 0 else -body.outward
    one_leg = not any(s and n in _LIMBS for s, n in zip(sided, names, strict=True))
    found: Places = {}
    for group in groups.values():
        left = [k for k in group if outward[k] > 0]
        clear = min(abs(float(outward[k])) for k in group) > _CLEAR
        alone = one_leg and names[group[0]] in _LIMBS and len(left) in (0, len(group))
        if clear and (2 * len(left) == len(group) or alone):
            found |= {order[k]: "left" if k in left else "right" for k in group}
    return found


def _mean(values: Array, names: list[str], wanted: tuple[str, ...]) -> float:
    own = [v for v, name in zip(values, names, strict=True) if name in wanted and np.isfinite(v)]
    return float(np.mean(own)) if own else np.nan


def _number(files: list[Recording], texts: list[Places]) -> None:
    """Put numbers behind the texts of clusters with one label, alike in both files."""
    groups = [_groups(found) for found in texts]
    for text, places in groups[0].items():
        if len(files) == 1 or text not in groups[1]:
            texts[0] |= {at: f"{text} {k + 1}" for k, at in enumerate(places)}
            continue
        order = laid_on(files, texts, places, groups[1][text])
        if order is not None:
            texts[0] |= {at: f"{text} {k + 1}" for k, at in enumerate(places)}
            texts[1] |= {
                at: f"{text} {k + 1}" for at, k in zip(groups[1][text], order, strict=True)
            }
    for text, places in groups[1].items() if len(files) > 1 else ():
        if text not in groups[0]:
            texts[1] |= {at: f"{text} {k + 1}" for k, at in enumerate(places)}


def _groups(texts: Places) -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    for at, text in sorted(texts.items()):
        found[text].append(at)
    return {t: g for t, g in found.items() if SMALLEST_CLUSTER <= len(g) <= _LARGEST_CLUSTER}


def laid_on(
    files: list[Recording], texts: list[Places], static: list[int], trial: list[int]
) -> tuple[int, ...] | None:
    """Return which marker of the static each of the trial is; None where it is not clear.

    Parameters
    ----------
    files : list of Recording
        Static and trial.
    texts : list of dict
        Place -> text of the other markers, which tell how the body is turned.
    static, trial : list of int
        Places of the markers of the cluster.
    """
    if len(trial) > len(static):
        return None
    frames = _some_frames(files[1], trial)
    quiet = files[0].markers_L[quiet_frames(files[0].markers_L, files[0].rate_hz)]
    shape, moved = known_medians(quiet[:, static]), files[1].markers_L[frames][:, trial]
    if not len(frames) or not np.isfinite(shape).all():
        return None
    R_body = _body_turn(files, texts, quiet, frames)
    costs: list[tuple[float, tuple[int, ...]]] = []
    for order in permutations(range(len(static)), len(trial)):
        R, _, residual = rigid_motion(shape[list(order)], moved)
        turn = np.einsum("nij,nij->n", R, R_body)  # trace of R_body^T R
        angle = np.arccos(np.clip((turn - 1.0) / 2.0, -1.0, 1.0))
        off = np.sqrt(np.mean(residual**2, axis=1))
        cost = off / _RESIDUAL_M + angle / _TURN_RAD
        if np.isfinite(cost).any():
            costs.append((float(np.nanmean(cost)), order))
    costs.sort()
    clear = len(costs) == 1 or (len(costs) > 1 and costs[1][0] - costs[0][0] > _GAP)
    return costs[0][1] if costs and clear else None


def misfit_m(files: list[Recording], pairs: list[tuple[int, int]]) -> float:
    """Return how far markers of a trial are from the shape they have in its static, rms, m.

    Parameters
    ----------
    files : list of Recording
        Static and trial.
    pairs : list of (int, int)
        Place in the static, place in the trial.
    """
    static, trial = map(list, zip(*pairs, strict=True))
    quiet = files[0].markers_L[quiet_frames(files[0].markers_L, files[0].rate_hz)]
    frames = _some_frames(files[1], trial)
    residual = rigid_motion(known_medians(quiet[:, static]), files[1].markers_L[frames][:, trial])[
        2
    ]
    return float(np.sqrt(np.mean(residual**2))) if len(frames) else np.inf


def _some_frames(trial: Recording, places: list[int]) -> Indices:
    """Return up to twenty frames in which all markers are seen."""
    seen = np.flatnonzero(known_points(trial.markers_L[:, places]).all(axis=1))
    return seen[spread_rows(len(seen), _SOME_FRAMES)]


def _body_turn(files: list[Recording], texts: list[Places], quiet: Array, frames: Indices) -> Array:
    """Return how the whole body is turned against its static, shape (f, 3, 3)."""
    once = [{t: at for at, t in f.items() if list(f.values()).count(t) == 1} for f in texts]
    common = sorted(once[0].keys() & once[1].keys())
    template = known_medians(quiet[:, [once[0][t] for t in common]])
    known = np.isfinite(template).all(axis=1)
    points = files[1].markers_L[frames][:, [once[1][t] for t in common]]
    return rigid_motion(template[known], points[:, known])[0]
