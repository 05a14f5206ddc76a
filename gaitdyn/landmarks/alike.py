"""Separate markers that share a label, using the person, before their words are judged.

Old files cut labels to four letters, and some programs label a cluster with one word; then both
knees are ``GENO`` and four markers of a thigh are ``RTHI``. The side of each follows from the
person: up from the heights of the landmarks, left from the two spines of the pelvis, and forward
because toes are ahead of heels and the front of the pelvis ahead of its back. The identity of each
marker in a cluster follows from its shape: of all assignments of the static cluster to that of the
trial, the one that fits best and rotates least relative to the whole body is used (Kabsch 1976,
Acta Cryst A32:922-923).
"""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.core.rigid import SMALLEST_CLUSTER, rigid_motion
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, spread_rows
from gaitdyn.landmarks.body.persons import expected_heights, sure_names
from gaitdyn.landmarks.body.standing import find_body, quiet_frames
from gaitdyn.landmarks.labels.items import Gathered
from gaitdyn.landmarks.labels.meanings import dialect_of, meaning_of
from gaitdyn.landmarks.labels.reading import LabelWords, read_items
from gaitdyn.landmarks.labels.sided import Sided
from gaitdyn.landmarks.labels.vocabulary import Vocabulary
from gaitdyn.types.arrays import Array
from gaitdyn.types.arrays import Places as Indices
from gaitdyn.types.recording import Recording

Places = dict[int, str]
"""Index of a marker in its file -> its text."""

_SPINES = ("ASIS", "PSIS")
_AHEAD = ((("TOE", "MT1H", "MT2H", "MT5H", "HLX"), ("CAL",)), (("ASIS",), ("PSIS", "SACR", "PEX")))
_LIMBS = {"GTR", "KLE", "KME", "ANL", "ANM", "CAL", "TOE", "MT1H", "MT2H", "MT5H", "HLX", "FIB",
          "TTU", "THX", "SHX", "PAT"}  # fmt: skip
_CLEAR = 0.03
"""Smallest distance ahead of another marker, or from the mid-plane, that is trusted, ASIS
heights."""

_LARGEST_CLUSTER, _SOME_FRAMES = 5, 20
_LARGEST_FITTED, _MOST_ORDERS = 8, 720
"""Most markers of a cluster that is fitted, and most of their orders: all those of six markers."""

_RESIDUAL_M, _TURN_RAD, _GAP = 0.01, 0.7, 0.3
"""A fit costs 1 for a residual of 10 mm, and 1 for 40 degrees relative to the body. The best must
beat the next by 0.3, or the markers are not separated."""


def separated_labels(
    files: list[Recording], gathered: Gathered, vocabulary: Vocabulary, static_index: int
) -> dict[tuple[int, int], str]:
    """Return (file, index) -> text, with side or number for markers that were separated.

    Parameters
    ----------
    files : list of Recording
        Static first, if there is one.
    gathered : Gathered
    vocabulary : Vocabulary
    static_index : int
        Index of the static, -1 without one.
    """
    if not any(item.shared for item in gathered.items):
        return {}
    words = read_items(gathered.items, vocabulary, set())
    for i, item in enumerate(gathered.items):
        if item.shared:
            words[i] = _as_limb(words[i], vocabulary)
    before: list[Places] = []
    texts: list[Places] = []
    for number, recording in enumerate(files):
        item_of = {index: i for i, index in gathered.indices(number).items()}
        sides = _sides(recording, gathered, words, item_of, quiet=number == static_index)
        text_of = {index: gathered.items[i].text for index, i in item_of.items()}
        before.append(text_of)
        texts.append(text_of | {i: f"{text_of[i]} {side}" for i, side in sides.items()})
    _number(files, texts)
    return {
        (number, i): text
        for number, of_file in enumerate(texts)
        for i, text in of_file.items()
        if text != before[number][i]
    }


def _as_limb(words: LabelWords, vocabulary: Vocabulary) -> LabelWords:
    """Return the words of a label, with an unsided label read as if it had a side."""
    if words.sided.side:
        return words
    sided = Sided("left", words.sided.parts)
    return LabelWords(words.sided, meaning_of(sided, vocabulary, dialect_of([sided])), words.group)


def _sides(
    recording: Recording, gathered: Gathered, words: list[LabelWords], item_of: dict[int, int],
    *, quiet: bool,
) -> Places:  # fmt: skip
    """Return the side of each marker without one in its label, where the person shows it."""
    order = sorted(item_of)
    names = [sure_names(words)[item_of[index]] for index in order]
    sided = [words[item_of[index]].sided.side for index in order]
    groups: dict[str, list[int]] = defaultdict(list)
    for k, index in enumerate(order):
        if not sided[k]:
            groups[gathered.items[item_of[index]].text].append(k)
    points = recording.markers_L[:, order]
    left = _leftward(points, names, list(groups.values()), recording.rate_hz if quiet else None)
    if left is None:
        return {}
    one_leg = not any(s and n in _LIMBS for s, n in zip(sided, names, strict=True))
    sides: Places = {}
    for group in groups.values():
        placed = [k for k in group if np.isfinite(left[k])]
        on_left = [k for k in placed if left[k] > 0]
        clear = all(abs(float(left[k])) > _CLEAR for k in placed)
        halves = 2 * max(len(on_left), len(placed) - len(on_left)) <= len(group)
        whole_group = one_leg and names[group[0]] in _LIMBS and len(on_left) in (0, len(placed))
        if clear and (halves or whole_group):
            sides |= {order[k]: "left" if k in on_left else "right" for k in placed}
    return sides


def _leftward(
    points: Array, names: list[str], groups: list[list[int]], rate_hz: float | None
) -> Array | None:
    """Return how far to the left of the body each marker lies; None if its front is not clear.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    names : list of str
        Of the markers, as far as they are sure.
    groups : list of list of int
        Markers that share a label without a side.
    rate_hz : float or None
        Of a static: only its quiet frames count.
    """
    pairs = [
        (names[g[0]], g)
        for g in groups
        if len(g) == 2 and names[g[0]] in _SPINES  # noqa: PLR2004
    ]
    if not pairs:
        return None
    if rate_hz is not None:
        points = points[quiet_frames(points, rate_hz)]
    _, (one, other) = min(pairs)
    body = find_body(points, expected_heights(names), [(one, other)], [(one, other)])
    if body is None:
        return None
    forward = [_mean(body.ahead, names, a) - _mean(body.ahead, names, b) for a, b in _AHEAD]
    votes = [value for value in forward if np.isfinite(value)]
    if not votes or min(map(abs, votes)) < _CLEAR or len({value > 0 for value in votes}) > 1:
        return None
    return body.outward if votes[0] > 0 else -body.outward


def _mean(values: Array, names: list[str], wanted: tuple[str, ...]) -> float:
    selected = [
        v for v, name in zip(values, names, strict=True) if name in wanted and np.isfinite(v)
    ]
    return float(np.mean(selected)) if selected else np.nan


def _number(files: list[Recording], texts: list[Places]) -> None:
    """Append numbers to the texts of clusters with one label, consistently in both files."""
    groups = [_groups(file_texts) for file_texts in texts]
    for text, members in groups[0].items():
        if len(files) == 1 or text not in groups[1]:
            texts[0] |= {index: f"{text} {k + 1}" for k, index in enumerate(members)}
            continue
        if (order := matching_order(files, texts, members, groups[1][text])) is not None:
            texts[0] |= {index: f"{text} {k + 1}" for k, index in enumerate(members)}
            texts[1] |= {
                index: f"{text} {k + 1}" for index, k in zip(groups[1][text], order, strict=True)
            }
    for text, members in groups[1].items() if len(files) > 1 else ():
        if text not in groups[0]:
            texts[1] |= {index: f"{text} {k + 1}" for k, index in enumerate(members)}


def _groups(texts: Places) -> dict[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for index, text in sorted(texts.items()):
        groups[text].append(index)
    return {t: g for t, g in groups.items() if SMALLEST_CLUSTER <= len(g) <= _LARGEST_CLUSTER}


def matching_order(
    files: list[Recording], texts: list[Places], static: list[int], trial: list[int]
) -> tuple[int, ...] | None:
    """Return the static marker that each trial marker corresponds to; None if unclear.

    It is also unclear for more than eight markers: their orders are too many.

    Parameters
    ----------
    files : list of Recording
        Static and trial.
    texts : list of dict
        Index -> text of the other markers, which show the rotation of the body.
    static, trial : list of int
        Indices of the markers of the cluster.
    """
    if not len(trial) <= len(static) <= _LARGEST_FITTED:
        return None
    frames = _some_frames(files[1], trial)
    quiet = files[0].markers_L[quiet_frames(files[0].markers_L, files[0].rate_hz)]
    shape, moved = known_medians(quiet[:, static]), files[1].markers_L[frames][:, trial]
    if not len(frames) or not np.isfinite(shape).all():
        return None
    R_body = _body_turn(files, texts, quiet, frames)
    costs: list[tuple[float, tuple[int, ...]]] = []
    for order in _likely_orders(shape, moved):
        R, _, residual = rigid_motion(shape[list(order)], moved)
        turn = np.einsum("nij,nij->n", R, R_body)  # trace of R_body^T R
        angle = np.arccos(np.clip((turn - 1.0) / 2.0, -1.0, 1.0))
        misfit = np.sqrt(np.mean(residual**2, axis=1))
        cost = misfit / _RESIDUAL_M + angle / _TURN_RAD
        if np.isfinite(cost).any():
            costs.append((float(np.nanmean(cost)), order))
    costs.sort()
    clear = len(costs) == 1 or (len(costs) > 1 and costs[1][0] - costs[0][0] > _GAP)
    return costs[0][1] if costs and clear else None


def _likely_orders(shape: Array, moved: Array) -> list[tuple[int, ...]]:
    """Return all orders of the static markers or, of too many, those with the nearest distances."""
    orders = np.array(list(permutations(range(len(shape)), moved.shape[1])))
    if len(orders) > _MOST_ORDERS:
        apart = lengths(shape[:, None] - shape)[orders[:, :, None], orders[:, None]]
        off = np.abs(apart - known_medians(lengths(moved[:, :, None] - moved[:, None])))
        orders = orders[np.argsort(off.sum(axis=(1, 2)), kind="stable")[:_MOST_ORDERS]]
    return list(map(tuple, orders.tolist()))


def misfit_m(files: list[Recording], pairs: list[tuple[int, int]]) -> float:
    """Return the rms distance of trial markers from their shape in the static, m.

    Parameters
    ----------
    files : list of Recording
        Static and trial.
    pairs : list of (int, int)
        Index in the static, index in the trial.
    """
    static, trial = map(list, zip(*pairs, strict=True))
    quiet = files[0].markers_L[quiet_frames(files[0].markers_L, files[0].rate_hz)]
    frames = _some_frames(files[1], trial)
    moved = files[1].markers_L[frames][:, trial]
    residuals = rigid_motion(known_medians(quiet[:, static]), moved)[2]
    return float(np.sqrt(np.mean(residuals**2))) if len(frames) else np.inf


def _some_frames(trial: Recording, markers: list[int]) -> Indices:
    """Return up to twenty frames in which all markers are visible."""
    complete = np.flatnonzero(known_points(trial.markers_L[:, markers]).all(axis=1))
    return complete[spread_rows(len(complete), _SOME_FRAMES)]


def _body_turn(files: list[Recording], texts: list[Places], quiet: Array, frames: Indices) -> Array:
    """Return the rotation of the whole body relative to its static, shape (f, 3, 3)."""
    unique = [{t: index for index, t in f.items() if list(f.values()).count(t) == 1} for f in texts]
    common = sorted(unique[0].keys() & unique[1].keys())
    template = known_medians(quiet[:, [unique[0][t] for t in common]])
    known = np.isfinite(template).all(axis=1)
    points = files[1].markers_L[frames][:, [unique[1][t] for t in common]]
    return rigid_motion(template[known], points[:, known])[0]
