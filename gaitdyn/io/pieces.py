"""Join the points of one label that are pieces of one path, as programs write unmerged tracks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.runs import known_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.types.arrays import Array

_STEP_M, _FASTEST_M_S = 0.02, 6.0
"""A marker goes no further from one piece to the next: twins of a joint are further apart."""


def join_pieces(
    labels: Sequence[str], descriptions: Sequence[str], markers_L: Array, rate_hz: float
) -> tuple[str, ...]:
    """Join points of one label of which never two are seen at once, in place; return notes.

    The first point takes the whole path, the others are left unseen.

    Parameters
    ----------
    labels, descriptions : sequence of str
        One per point.
    markers_L : array, shape (n_frames, n_points, 3)
        m; NaN where a point is not seen.
    rate_hz : float
    """
    names = list(zip(labels, descriptions, strict=True))
    notes = []
    for name, times in Counter(names).items():
        if times > 1 and name[0][:1].isalpha():
            found = [i for i, other in enumerate(names) if other == name]
            if _one_path(markers_L[:, found], rate_hz):
                first, *others = found
                seen = known_points(markers_L[:, found])
                frames = np.flatnonzero(seen.any(axis=1))
                which = np.array(found)[seen[frames].argmax(axis=1)]
                markers_L[frames, first] = markers_L[frames, which]
                markers_L[:, others] = np.nan
                notes.append(f"{name[0]}: {times} points of this label are pieces of one path")
    return tuple(notes)


def _one_path(pieces: Array, rate_hz: float) -> bool:
    """Return whether points are never seen at once, and each goes on where another ended."""
    seen = known_points(pieces)
    if (seen.sum(axis=1) > 1).any() or not seen.any(axis=0).all():
        return False
    frames, which = np.nonzero(seen)
    at = pieces[frames, which]
    changes = np.flatnonzero(np.diff(which))
    steps = np.linalg.norm(at[changes + 1] - at[changes], axis=-1)
    time_s = (frames[changes + 1] - frames[changes]) / rate_hz
    return bool((steps <= _STEP_M + _FASTEST_M_S * time_s).all())
