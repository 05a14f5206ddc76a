"""Find points whose labels are those of others: computed copies, projections, segment origins."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import spread_rows
from gaitdyn.landmarks.words import lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

_CENTRE = re.compile(r"JC|JOINTCENT|HIPCENT|KNEECENT|ANKLECENT|(KNEE|ANKLE|HIP|ELBOW)JOINT$")
_TAIL = re.compile(r"^(?P<stem>.+)_(?P<affix>[A-Za-z]{2,4})$")
_HEAD = re.compile(r"^(?P<affix>[A-Za-z]{2,4})_(?P<stem>.+)$")
_FAMILIES_WANTED = 3
_PLACES = {"LATERAL", "MEDIAL", "ANTERIOR", "POSTERIOR", "PROXIMAL", "DISTAL", "MIDDLE"}
_BARE = {"HEAD", "THORAX", "PELVIS"}
"""Segments whose origins have bare words where all of them are labels."""
_TRUNK, _NO_TRUNK = {"RPV", "RTA"}, {"LPV", "LTA"}
_SEGMENTS = {
    "RPV", "RTA", "RHE", "RTH", "LTH", "RSK", "LSK", "RFT", "LFT", "RAR", "LAR", "RFA", "LFA",
    "RHA", "LHA",
}  # fmt: skip
"""Segments of Visual3D, of which those of the trunk have the letter of the right side."""
_LONGEST, _SAMPLED_FRAMES, _THROWN = 8, 64, 2
_NO_PLANE = -1, 0.0
_SAME_M, _APART_M = 1e-5, 0.005
"""Largest distance of a projection from its plane and from the line to its marker, and the smallest
one from its marker."""

COPY_WITH_TAIL = "a computed copy: most labels with this ending also exist without it"
COPY_WITH_HEAD = "a computed copy: most labels with this beginning also exist without it"
ORIGIN = "the origin of a segment"
PROJECTION = "in a plane on which markers were thrown, as on the floor"


def is_centre(core: str) -> bool:
    """Return whether a core names a joint centre."""
    return bool(_CENTRE.search(core))


def copies_of_labels(texts: Sequence[str]) -> dict[int, str]:
    """Find the labels with an ending or a beginning that mostly also exist without it.

    Those that name a joint centre or the side of a joint are excluded: ``L_Knee_Med`` and
    ``L_Knee`` are different points.
    """
    labels = set(texts)
    copies: dict[int, str] = {}
    for pattern, reason in ((_HEAD, COPY_WITH_HEAD), (_TAIL, COPY_WITH_TAIL)):
        by_affix: dict[str, list[tuple[int, bool]]] = defaultdict(list)
        for i, text in enumerate(texts):
            match = pattern.match(text)
            if match and not _names_other_point(match["affix"].upper()):
                by_affix[match["affix"]].append((i, match["stem"] in labels))
        for members in by_affix.values():
            doubled = sum(exists for _, exists in members)
            if doubled >= _FAMILIES_WANTED and 2 * doubled > len(members):
                copies |= {i: reason for i, _ in members}
    return copies


def _names_other_point(affix: str) -> bool:
    """Return whether an ending or a beginning names another point than the label without it."""
    return is_centre(affix) or not _PLACES.isdisjoint(lexicon().get(affix, ()))


def origins(texts: Sequence[str]) -> dict[int, str]:
    """Find the origins of segments: ``Head``, ``Thorax`` and ``Pelvis``, or ``RPV`` beside ``RTA``.

    If ``LPV`` or ``LTA`` is there, too, they are markers of two sides.
    """
    upper = [text.upper() for text in texts]
    labels = set(upper)
    found = _BARE if labels >= _BARE else set[str]()
    if labels >= _TRUNK and labels.isdisjoint(_NO_TRUNK):
        found = found | _SEGMENTS
    return {i: ORIGIN for i, text in enumerate(upper) if text in found} if found else {}


def projections(texts: tuple[str, ...], points: Array) -> list[int]:
    """Return the points in a plane on which two others are thrown whose labels theirs contain.

    Parameters
    ----------
    texts : tuple of str
        Cleaned labels.
    points : array, shape (n, m, 3)
    """
    pairs = _longer(texts)
    if not pairs:
        return []
    sample = points[spread_rows(len(points), _SAMPLED_FRAMES)]
    planes = Counter(_plane_of(sample[:, i], sample[:, k]) for i, k in pairs)
    found: set[int] = set()
    for (axis, level), count in planes.items():
        if axis < 0 or count < _THROWN:
            continue
        off = np.abs(sample[..., axis] - level)
        flat = (np.nan_to_num(off) <= _SAME_M).all(axis=0) & np.isfinite(off).any(axis=0)
        found.update(np.flatnonzero(flat).tolist())
    return sorted(found)


def _plane_of(point: Array, marker: Array) -> tuple[int, float]:
    """Return axis and level of the plane on which a marker is thrown to a point, or axis -1."""
    both = np.isfinite(point[:, 0]) & np.isfinite(marker[:, 0])
    if not both.any():
        return _NO_PLANE
    apart = np.abs(point[both] - marker[both]).max(axis=0)
    axis = int(np.argmax(apart))
    level = point[both, axis]
    in_plane = np.ptp(level) <= _SAME_M and np.delete(apart, axis).max() <= _SAME_M
    return (axis, round(float(level[0]), 5)) if in_plane and apart[axis] >= _APART_M else _NO_PLANE


@lru_cache(maxsize=32)
def _longer(texts: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return the labels that are another one with a few letters before or after it, and that."""
    at = {text: i for i, text in enumerate(texts)}
    return [
        (i, at[short])
        for i, text in enumerate(texts)
        for k in range(1, min(_LONGEST, len(text) - 1) + 1)
        for short in (text[:-k], text[k:])
        if short in at
    ]
