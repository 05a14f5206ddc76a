"""One person whose markers have two prefixes: the same markers twice, in the same places."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.io.labels import (
    PAIRS_OF_A_BODY,
    asked_for,
    mask,
    one_subject,
    output_labels,
    point_labels,
    prefix_of,
    several,
    strip_prefix,
    subject_note,
    subjects_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.io.c3d.parameters import Parameters
    from gaitdyn.types.arrays import Array, Mask

_SAME = 0.005
"""Largest median distance of two copies of a marker, as a share of the extent of all of them: 5 mm
of 1 m. The feet of two people are further apart."""


def named_points(
    params: Parameters, points: Array, wanted: str | None, file: str
) -> tuple[list[str], Mask, tuple[str, ...]]:
    """Return the name of each point without its prefix, which points are model outputs, and notes.

    Parameters
    ----------
    params : Parameters
    points, wanted, file
        As in :func:`names_of_subject`.
    """
    labels, outputs = point_labels(params, points.shape[1]), output_labels(params)
    names, notes = names_of_subject(labels, outputs, points, wanted, file)
    is_output = np.array([x in outputs or strip_prefix(x) in outputs for x in labels], bool)
    return names, is_output, notes


def names_of_subject(
    labels: list[str], outputs: set[str], points: Array, wanted: str | None, file: str
) -> tuple[list[str], tuple[str, ...]]:
    """Return labels without prefix, as :func:`gaitdyn.io.labels.one_subject`, and notes.

    Parameters
    ----------
    labels, outputs, wanted, file
        As there.
    points : array, shape (n_frames, n_points, 3)
        Of the file, or of some of its frames, in any unit.
    """
    labels, notes = of_one_person(labels, outputs, points, wanted)
    names = one_subject(labels, outputs, wanted, file)
    return names, (*notes, *subject_note(labels, outputs, wanted))


def of_one_person(
    labels: list[str], outputs: set[str], points: Array, wanted: str | None
) -> tuple[list[str], tuple[str, ...]]:
    """Return labels in which the prefixes of one person are one, and a note if there were two.

    Some programs export a marker as it was labelled beside the same one as it was recorded. Copies
    of a marker then have one label, as where no prefix tells them apart.

    Parameters
    ----------
    labels : list of str
    outputs : set of str
        Labels of model outputs, which stay as they are.
    points : array, shape (n_frames, n_points, 3)
        Of these labels, in any unit.
    wanted : str or None
        Prefix of the requested subject, see :func:`gaitdyn.io.labels.one_subject`.

    Examples
    --------
    >>> labels = ["LASI", "RASI", "LANK", "RANK", "LKNE", "RKNE", "LTOE", "RTOE"]
    >>> both = [*labels, *(f"Ann:{x}" for x in labels)]
    >>> places = np.tile(np.eye(8)[:, :3].cumsum(axis=0), (1, 2, 1))
    >>> of_one_person(both, set(), places, None) == (
    ...     [f"Ann:{x}" for x in (*labels, *labels)],
    ...     ("markers of A*n, labels without prefix lie in the same places: those of one person",),
    ... )
    True
    >>> places[:, 8:] += 0.5
    >>> of_one_person(both, set(), places, None) == (both, ())
    True
    """
    subjects = subjects_of(labels, outputs)
    if not several(labels, subjects):
        return labels, ()
    at = {
        prefix: {
            strip_prefix(x): i
            for i, x in enumerate(labels)
            if prefix_of(x) == prefix and x not in outputs
        }
        for prefix in subjects
    }
    of: dict[str, str] = {}
    for prefix in dict.fromkeys((*(asked_for(subjects, wanted) if wanted else ()), *subjects)):
        firsts = (x for x in of if of[x] == x and _in_one_place(at[x], at[prefix], points))
        of[prefix] = next(firsts, prefix)
    named = [
        x if x in outputs else _under(of.get(prefix_of(x), prefix_of(x)), x, at) for x in labels
    ]
    return named, tuple(
        f"markers of {', '.join(mask(x) if x else 'labels without prefix' for x in same)} lie in"
        " the same places: those of one person"
        for first in subjects
        if len(same := [x for x in subjects if of[x] == first]) > 1
    )


def _under(prefix: str, label: str, at: Mapping[str, Mapping[str, int]]) -> str:
    """Return a label under the prefix of its person; one without stays if the person lacks it."""
    name = strip_prefix(label)
    if prefix == prefix_of(label) or not (prefix_of(label) or name in at[prefix]):
        return label
    return f"{prefix}:{name}" if prefix else name


def _in_one_place(one: Mapping[str, int], other: Mapping[str, int], points: Array) -> bool:
    """Return whether the markers of a body that two subjects share lie in the same places."""
    shared = sorted(one.keys() & other.keys())
    a, b = points[:, [one[x] for x in shared]], points[:, [other[x] for x in shared]]
    apart = known_medians(lengths(a - b))
    known = apart[np.isfinite(apart)]
    if len(known) < 2 * PAIRS_OF_A_BODY:
        return False
    extent = known_median((np.fmax.reduce(a, axis=1) - np.fmin.reduce(a, axis=1)).max(axis=1))
    return bool(known.max() <= _SAME * extent)
