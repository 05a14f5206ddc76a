"""Find points that are not physical markers: segment axes, model outputs, placeholders."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gaitdyn.core.runs import spread_rows
from gaitdyn.landmarks.labels.derived import (
    COPY_WITH_HEAD,
    COPY_WITH_TAIL,
    ORIGIN,
    PROJECTION,
    copies_of_labels,
    origins,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.arrays import Array

_NAMED, _NUMBERED, _TIPS = ("OALP", "OXYZ"), "0123", "XYZ"
"""Last letters of the points that draw axes, the origin first, the numbers of such points, and the
letters of those without an origin."""
_OUTPUTS = re.compile(r"ANGLE|FORCE|MOMENT|POWER|CENTREOFMASS|CENTEROFMASS|COFM|4X4|GROUND|GLOBAL")
_MIDDLE = re.compile(
    r"^V?_?MID(?!FOOT|DLE|TH|SH|TIB|LEG|META|MT|_?(?:PSI|SIP|EIP))[A-Z_]|SCORE$|PROJ$|VIRTUAL"
)
_DRAWN = re.compile(r"[LR](FE[OP]|TIO)")
_V = re.compile(r"^V[_ .](?!META)", re.IGNORECASE)
_BESIDE_V = "HOIhoi"
"""Beginnings beside which V is no computed point: the right side in Swedish and Finnish, in which V
is the left, and the Roman numeral of the first metatarsal."""
_SACRUM = re.compile(r"^V[_. ]?SA(C|$)", re.IGNORECASE)
_LENGTH = re.compile(r"(LENGTH|VELOCITY)$|^[LR](SEMI|BICEPSFEM|RECTUSFEM|GASTRO|SOLEUS)")
_SAME_M = 1e-6
_SAMPLED_FRAMES = 16
"""Sampled frames in which a point must not move before all frames are checked."""
_SQUARE, _EQUAL = 0.03, 0.03
"""Largest cosine between the arms of drawn axes, and by how much of their mean the arms may differ.
Those of three laboratories: at most 1e-5 and 2e-4; markers of a plate stand in a plane."""
_ALIKE = 0.02
"""By how much of themselves the distances between the tips of drawn axes may differ."""
_EXACT = 0.002
"""Largest cosine between arms that may be of any length: 8, 8 and 79 mm for a sacrum in Vicon."""

OUTPUT = "a computed point or model output"
AXES = "one of four points that draw a segment's axes"
TIPS = "one of three points that draw a segment's axes"
COMPUTED = (OUTPUT, AXES, TIPS, COPY_WITH_TAIL, COPY_WITH_HEAD, ORIGIN, PROJECTION)
"""Why a point was computed from markers."""

PLACEHOLDER = "a placeholder: it never moves and shares its position with others"


@lru_cache(maxsize=32)
def computed(texts: tuple[str, ...]) -> Mapping[int, str]:
    """Return index in the list -> why it is not a marker, from the cleaned labels of a file."""
    reasons: dict[int, str] = {}
    labels = set(texts)
    upper = [re.sub(r"[^0-9A-Z]", "", text.upper()) for text in texts]
    for i, (text, core) in enumerate(zip(texts, upper, strict=True)):
        if _SACRUM.match(text):
            continue
        is_output = _OUTPUTS.search(core) or _MIDDLE.search(text.upper()) or _LENGTH.search(core)
        is_drawn = _V.match(text) and labels.isdisjoint(other + text[1:] for other in _BESIDE_V)
        if is_output or _DRAWN.fullmatch(core) or is_drawn:
            reasons[i] = OUTPUT
    return reasons | copies_of_labels(texts) | origins(texts)


def drawn_axes(texts: tuple[str, ...], points: Array) -> dict[int, str]:
    """Return index -> reason of the points that draw axes: an origin and three arms.

    Four labels with one stem that end in O, A, L, P, in O, X, Y, Z or in 0 to 3 draw axes if the
    three arms from the first stand at right angles and are equally long; markers of a cluster,
    numbered from 0, do not. Those that end in letters may have unlike arms if their right angles
    are exact; three that end in X, Y, Z without an origin are equally far from each other. If
    numbered points draw axes, so do numbers after the label of a marker, which is
    their origin.

    Parameters
    ----------
    texts : tuple of str
        Cleaned labels.
    points : array, shape (n, m, 3)

    Returns
    -------
    dict
    """
    families, single = _families(texts)
    drawn = [
        family
        for family in families
        if _are_axes(points[:, family.corners], lettered=not family.numbered)
    ]
    found = {i for family in drawn for i in family.members}
    if any(family.numbered for family in drawn):
        found |= set(single)
    tips = {i for three in _tips(texts) if _are_tips(points[:, three]) for i in three}
    return dict.fromkeys(sorted(tips), TIPS) | dict.fromkeys(sorted(found), AXES)


class _Family(NamedTuple):
    """Labels of one stem: of each ending the first, the origin before the arms; all of them."""

    corners: tuple[int, ...]
    members: tuple[int, ...]
    numbered: bool


@lru_cache(maxsize=32)
def _families(texts: tuple[str, ...]) -> tuple[list[_Family], list[int]]:
    """Return the families that may draw axes, and the numbered labels after that of a marker."""
    by_stem = _by_stem(texts)
    families = [
        _Family(
            tuple(ends[end][0] for end in name),
            tuple(i for end in name for i in ends[end]),
            name == _NUMBERED,
        )
        for ends in by_stem.values()
        for name in (*_NAMED, _NUMBERED)
        if ends.keys() >= set(name)
    ]
    cores = {stem + end for stem, ends in by_stem.items() for end in ends}
    after = [stem for stem in by_stem if stem in cores]
    return families, [i for stem in after for end in _NUMBERED for i in by_stem[stem].get(end, ())]


def _by_stem(texts: tuple[str, ...]) -> dict[str, dict[str, list[int]]]:
    """Return the beginning of labels -> their last letter or number -> their indices."""
    by_stem: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for i, text in enumerate(texts):
        core = re.sub(r"[^0-9A-Z]", "", text.upper())
        if len(core) > 2:  # noqa: PLR2004
            by_stem[core[:-1]][core[-1]].append(i)
    return by_stem


@lru_cache(maxsize=32)
def _tips(texts: tuple[str, ...]) -> list[tuple[int, ...]]:
    """Return the labels of one stem that end in X, Y and Z, if none of it ends in O."""
    return [
        tuple(ends[end][0] for end in _TIPS)
        for ends in _by_stem(texts).values()
        if ends.keys() >= set(_TIPS) and "O" not in ends
    ]


def _are_tips(tips: Array) -> bool:
    """Return whether three points, shape (n, 3, 3), are equally far from each other."""
    together = np.flatnonzero(np.isfinite(tips[..., 0]).all(axis=1))
    known = tips[together[spread_rows(len(together), _SAMPLED_FRAMES)]]
    sides = np.linalg.norm(known - np.roll(known, 1, axis=1), axis=-1)
    return bool(sides.any() and np.median(np.ptp(sides, axis=1)) <= _ALIKE * np.median(sides))


def _are_axes(corners: Array, *, lettered: bool) -> bool:
    """Return whether points draw axes, shape (n, 4, 3), the origin first.

    Those that are never seen together, or always in one place, are taken for what they are called.
    """
    together = np.flatnonzero(np.isfinite(corners[..., 0]).all(axis=1))
    known = corners[together[spread_rows(len(together), _SAMPLED_FRAMES)]]
    arms = known[:, 1:] - known[:, :1]
    products = arms @ arms.swapaxes(-1, -2)
    lengths = np.sqrt(products[:, range(3), range(3)])
    if not lengths.any():
        return True
    drawn = lengths.all(axis=1)
    if not drawn.any():
        return False
    products, lengths = products[drawn], lengths[drawn]
    between = lengths[:, (0, 0, 1)] * lengths[:, (1, 2, 2)]
    cosines = np.abs(products[:, (0, 0, 1), (1, 2, 2)]) / between
    equal = bool(np.median(np.ptp(lengths, axis=1) / lengths.mean(axis=1)) <= _EQUAL)
    largest = float(np.median(cosines, axis=0).max())
    return (equal and largest <= _SQUARE) or (lettered and largest <= _EXACT)


def placeholders(points: Array) -> list[int]:
    """Return points that never move and share one position with two others.

    Parameters
    ----------
    points : array, shape (n, m, 3)
    """
    if len(points) < 2:  # noqa: PLR2004
        return []
    sample = points[spread_rows(len(points), _SAMPLED_FRAMES)]
    candidates = np.flatnonzero(_spread(sample) <= _SAME_M)
    still = candidates[_spread(points[:, candidates]) <= _SAME_M]
    groups: dict[tuple[float, ...], list[int]] = defaultdict(list)
    for i in still.tolist():
        first = points[np.isfinite(points[:, i, 0]), i][0]
        groups[tuple(np.round(first, 6).tolist())].append(i)
    return [i for group in groups.values() if len(group) > 2 for i in group]  # noqa: PLR2004


def _spread(points: Array) -> Array:
    """Return the largest range of a coordinate of each point; NaN if never visible."""
    visible = np.isfinite(points[..., 0])
    low = np.where(visible[..., None], points, np.inf).min(axis=0)
    high = np.where(visible[..., None], points, -np.inf).max(axis=0)
    with np.errstate(invalid="ignore"):
        return np.where(visible.any(axis=0), (high - low).max(axis=-1), np.nan)
