"""Find points whose labels are those of others: computed copies, projections, segment origins."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import spread_rows
from gaitdyn.io.labels import mask
from gaitdyn.landmarks.labels.words import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gaitdyn.types.arrays import Array

_CENTRE = re.compile(r"JC|JOINTCENT|HIPCENT|KNEECENT|ANKLECENT|(KNEE|ANKLE|HIP|ELBOW)JOINT$")
_TAIL = re.compile(r"^(?P<stem>.+)_(?P<affix>[A-Za-z]{2,4})$")
_HEAD = re.compile(r"^(?P<affix>[A-Za-z]{2,4})[_. -](?P<stem>.+)$")
_GAP = re.compile(r"(?<=.)[_. -](?=.)")
_FAMILIES_WANTED = 3
_PLACES = {"LATERAL", "MEDIAL", "ANTERIOR", "POSTERIOR", "PROXIMAL", "DISTAL", "MIDDLE"}
_BARE = {"HEAD", "THORAX", "PELVIS"}
"""Segments whose origins have bare words where all of them are labels."""
_TRUNK, _NO_TRUNK = {"RPV", "RTA"}, {"LPV", "LTA"}
_SEGMENTS = {
    "RPV", "RTA", "RHE", "RTH", "LTH", "RSK", "LSK", "RFT", "LFT", "RAR", "LAR", "RFA", "LFA",
    "RHA", "LHA", "RTO", "LTO",
}  # fmt: skip
"""Segments of Visual3D, of which those of the trunk have the letter of the right side."""
_LONGEST, _SAMPLED_FRAMES, _THROWN = 8, 16, 2
_SAME_M, _APART_M = 1e-5, 0.005
"""Largest distance of a projection from its plane and from the line to its marker, and the smallest
one from its marker."""
_ELSEWHERE_M = 0.3
"""Distance from the markers of its name beyond which half of what is told by its beginning is no
copy; centres and filtered points lie within 0.15."""

COPY_WITH_TAIL = "a computed copy: most labels with this ending also exist without it"
COPY_WITH_HEAD = "a computed copy: most labels with this beginning also exist without it"
OTHERS = "of another person or object: most labels with this beginning also exist without it"
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


def of_others(texts: Sequence[str], copies: Mapping[int, str], points: Array) -> dict[int, str]:
    """Return which copies told by a beginning are of another person, being far from their markers.

    Parameters
    ----------
    texts : sequence of str
        Cleaned labels.
    copies : mapping
        Of :func:`copies_of_labels`, among others.
    points : array, shape (n, m, 3)

    Returns
    -------
    dict
        Index -> :data:`OTHERS`.
    """
    stems_of: dict[str, dict[int, str]] = defaultdict(dict)
    for i, reason in copies.items():
        if reason == COPY_WITH_HEAD and (match := _HEAD.match(texts[i])):
            stems_of[match["affix"]][i] = match["stem"]
    return dict.fromkeys(_far_from_markers(texts, stems_of.values(), points), OTHERS)


def _far_from_markers(
    texts: Sequence[str], groups: Iterable[Mapping[int, str]], points: Array
) -> list[int]:
    """Return the labels, by index, of the groups (index -> label without its beginning) far away.

    A group is far from the markers of its name by the median of their distances.
    """
    at = {text: i for i, text in enumerate(texts)}
    rows = spread_rows(len(points), _SAMPLED_FRAMES)[:, None]
    found: list[int] = []
    for stems in groups:
        copied = [i for i, stem in stems.items() if stem in at]  # none if all are copies by ending
        markers = [at[stems[i]] for i in copied]
        far = known_median(lengths(points[rows, copied] - points[rows, markers]))
        if far > _ELSEWHERE_M:
            found += stems
    return found


def of_people_beside(labels: Sequence[str], points: Array) -> dict[int, str]:
    """Return index -> name, of any length, that begins the label of a marker far from its namesake.

    It is for labels whose meaning a marker model tells: where words are read, a word for a side or
    a place may stand before a label, too (:func:`of_others`).

    Parameters
    ----------
    labels : sequence of str
    points : array, shape (n, m, 3)

    Examples
    --------
    >>> labels = ["LHEE", "LTOE", "LANK", "Anna_LHEE", "Anna_LTOE", "Anna_LANK"]
    >>> away = np.repeat([0.0, 1.2], 3)[None, :, None] * [1.0, 0.0, 0.0]
    >>> of_people_beside(labels, away), of_people_beside(labels, 0.0 * away)
    ({3: 'Anna_', 4: 'Anna_', 5: 'Anna_'}, {})
    """
    known = set(labels)
    heads = Counter(
        label[: gap.end()]
        for label in labels
        for gap in _GAP.finditer(label)
        if label[gap.end() :] in known
    )
    found: dict[int, str] = {}
    for head in (head for head, doubled in heads.items() if doubled >= _FAMILIES_WANTED):
        stems = {i: x.removeprefix(head) for i, x in enumerate(labels) if x.startswith(head)}
        if 2 * heads[head] > len(stems):
            found |= dict.fromkeys(_far_from_markers(labels, [stems], points), head)
    return found


def with_name_masked(label: str, head: str = "") -> str:
    """Return a label with the name that begins it masked.

    Parameters
    ----------
    label : str
        As the file has it: accents, or what all its labels share, may stand before and in the name.
    head : str
        The name and what separates it; by default all up to the last separator, or the whole label
        if it has none.

    Examples
    --------
    >>> with_name_masked("Ann_LHEE"), with_name_masked("Robert B.LHEE", "Robert B.")
    ('A*n_LHEE', 'R******B.LHEE')
    >>> with_name_masked("S1_Zo\u00eb_LHEE"), with_name_masked("Ann_")
    ('S****\u00eb_LHEE', 'A**_')
    """
    if not head:
        *_, last = (0, *(gap.end() for gap in _GAP.finditer(label)))
        head = label[:last]
    return f"{mask(head[:-1])}{head[-1]}{label.removeprefix(head)}" if head else mask(label)


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
    longer, shorter = _longer(texts)
    if not longer:
        return []
    rows = spread_rows(len(points), _SAMPLED_FRAMES)[:, None]
    thrown = points[rows, longer]
    apart = np.fmax.reduce(np.abs(thrown - points[rows, shorter]), axis=0, initial=0.0)
    _, second, largest = np.sort(apart, axis=1).T
    planes: Counter[tuple[int, float]] = Counter()
    for k in np.flatnonzero((second <= _SAME_M) & (largest >= _APART_M)).tolist():
        axis = int(np.argmax(apart[k]))
        if (level := _level(thrown[:, k, axis])) is not None:
            planes[axis, level] += 1
    levels = [plane for plane, count in planes.items() if count >= _THROWN]
    found = [
        i
        for axis, level in levels
        for i in range(len(texts))
        if (at := _level(points[:, i, axis])) is not None and abs(at - level) <= _SAME_M
    ]
    return sorted(found)


def _level(heights: Array) -> float | None:
    """Return the one height of a point that never leaves it, rounded; None of any other."""
    known = heights[np.isfinite(heights)]
    return round(float(known[0]), 5) if known.size and np.ptp(known) <= _SAME_M else None


@lru_cache(maxsize=32)
def _longer(texts: tuple[str, ...]) -> tuple[list[int], list[int]]:
    """Return the labels that are another one with a few letters before or after it, and those."""
    at = {text: i for i, text in enumerate(texts)}
    pairs = [
        (i, at[short])
        for i, text in enumerate(texts)
        for k in range(1, min(_LONGEST, len(text) - 1) + 1)
        for short in (text[:-k], text[k:])
        if short in at
    ]
    return [i for i, _ in pairs], [k for _, k in pairs]
