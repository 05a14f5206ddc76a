"""Labels of a walk that are of no person: words for objects, and points that lie still."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.percentiles import percentile
from gaitdyn.core.runs import spread_rows
from gaitdyn.landmarks import with_bare_labels
from gaitdyn.landmarks.labels.items import of_objects

if TYPE_CHECKING:
    from gaitdyn.types.recording import Recording

_STILL_M, _WALKED_M = 0.01, 0.3
"""A point that stays within 10 mm while a fifth of all go further than 0.3 m lies on the floor."""
_MOST, _SAMPLED = 80.0, 24


def labels_of_objects(walk: Recording) -> set[str]:
    """Return the labels of points that tell nothing about the person, nor which static is theirs.

    A walking aid or a stick is elsewhere when the person stands, and the corners of a plate are
    marked in one file and not in another.

    Parameters
    ----------
    walk : Recording
        With the labels of its file.
    """
    named = {walk.labels[i] for i in of_objects(with_bare_labels(walk).labels)}
    points = walk.markers_L[spread_rows(walk.n_frames, _SAMPLED)]
    with np.errstate(invalid="ignore"):
        extent = np.linalg.norm(np.fmax.reduce(points) - np.fmin.reduce(points), axis=1)
    seen = np.isfinite(points[..., 0]).sum(axis=0) > 1
    if not seen.any() or percentile(extent[seen], _MOST) < _WALKED_M:
        return named
    return named | {walk.labels[i] for i in np.flatnonzero(seen & (extent < _STILL_M))}
