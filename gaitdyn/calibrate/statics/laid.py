"""How far the markers of a static lie from where they lie on the body in the trial."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from gaitdyn.calibrate.statics.objects import labels_of_objects
from gaitdyn.core.medians import known_median, known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import spread_rows
from gaitdyn.landmarks import with_bare_labels
from gaitdyn.landmarks.labels.label import is_unlabelled
from gaitdyn.types.arrays import Array
from gaitdyn.types.recording import Recording

STEADY_M, LIMB_M, FEWEST_PAIRS = 0.004, 0.6, 6
"""Distances under 0.6 m that vary by no more than 4 mm in the trial are within a segment."""
SAMPLED, SEEN_FRAMES = 24, 8

ELSEWHERE_M, MOSTLY_M = 0.014, 0.005
"""Distances of a static of another person or set of markers differ from those of the trial by more
than 14 mm on average and 5 mm in the median, so that one misplaced marker does not exclude a
static. In 15 walks of the corpus their own static reaches 9.9 and 5.1 mm, never both limits, and
4 mm more if the markers were placed again. Of 31 statics of others that would pass if no file named
anybody, 28 are beyond both limits."""


def misfit_m(trial: Recording, static: Recording) -> float:
    """Return the mean difference of the distances of markers of one segment, m; NaN if unknown."""
    off = _differences(trial, static)
    return float(off.mean()) if len(off) else np.nan


def laid_elsewhere(trial: Recording, static: Recording) -> str:
    """Return by how much the markers lie elsewhere on the body than in the trial, in words.

    Empty if they lie as in the trial, or if fewer than six distances can be compared.

    Parameters
    ----------
    trial, static : Recording
        With the labels of their files, or both under our names.
    """
    off = _differences(trial, static)
    if not len(off) or off.mean() <= ELSEWHERE_M or known_median(off) <= MOSTLY_M:
        return ""
    return (
        f"another person or marker set: distances within segments differ by {1000 * off.mean():.0f}"
        f" mm on average, limit {1000 * ELSEWHERE_M:.0f}"
    )


def _differences(trial: Recording, static: Recording) -> Array:
    """Return the differences of the distances of markers of one segment, m; none if too few.

    Points that nobody named are different ones in different files, and objects are elsewhere.
    """
    once = [{x for x, n in Counter(r.labels).items() if n == 1} for r in (trial, static)]
    both, bare = once[0] & once[1], with_bare_labels(trial).labels  # numbers may be described
    both -= labels_of_objects(trial)
    pairs = zip(trial.labels, bare, strict=True)
    shared = [label for label, told in pairs if label in both and not is_unlabelled(told)]
    (walked, spread, seen), (stood, _, _) = (_distances(r, shared) for r in (trial, static))
    with np.errstate(invalid="ignore"):
        rigid = (spread < STEADY_M) & (walked < LIMB_M) & (seen >= SEEN_FRAMES)
    off = np.abs(walked - stood)[np.triu(rigid, 1)]
    off = off[np.isfinite(off)]
    return off if len(off) >= FEWEST_PAIRS else off[:0]


def _distances(recording: Recording, labels: Sequence[str]) -> tuple[Array, Array, Array]:
    """Return median, median deviation and number of the distances of all pairs of some markers."""
    rows = spread_rows(recording.n_frames, SAMPLED)
    points = recording.markers_L[rows][:, [recording.labels.index(x) for x in labels]]
    apart = lengths(points[:, :, None] - points[:, None])
    middle = known_medians(apart)
    return middle, known_medians(np.abs(apart - middle)), np.isfinite(apart).sum(axis=0)
