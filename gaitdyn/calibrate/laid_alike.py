"""Tell in which of several statics the markers lie on the body as in a trial."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import known_medians
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import spread_rows

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.calibrate.static_doubts import Candidate
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.recording import Recording

LAID_M, STEADY_M, LIMB_M, FEWEST_PAIRS = 0.002, 0.004, 0.6, 6
"""Markers lie alike if their distances differ by no more than 2 mm beyond those of the best static.
Distances under 0.6 m that vary by 4 mm in the trial are within a segment."""
SAMPLED, SEEN_FRAMES = 24, 8


def laid_alike(trial: Recording, statics: Sequence[Candidate]) -> list[Candidate]:
    """Return the statics in which the markers lie on the body as in the trial.

    The distances of markers that keep them in the trial are compared. In 21 trials of the corpus
    they differ by 2 to 10 mm on average from the static of the person, by 1.7 times as much or more
    from that of another person, and by 4 mm more once the markers had been placed again.
    """
    if len(statics) <= 1:
        return list(statics)
    off = [_misfit_m(trial, static.sample) for static in statics]
    best = min((m for m in off if np.isfinite(m)), default=np.nan)
    return [s for s, m in zip(statics, off, strict=True) if not m > best + LAID_M]


def _misfit_m(trial: Recording, static: Recording) -> float:
    """Return the mean difference of the distances of markers of one segment, m; NaN if unknown."""
    shared = [x for x in trial.labels if trial.labels.count(x) == 1 and static.labels.count(x) == 1]
    (walked, spread, seen), (stood, _, _) = (_distances(r, shared) for r in (trial, static))
    with np.errstate(invalid="ignore"):
        rigid = (spread < STEADY_M) & (walked < LIMB_M) & (seen >= SEEN_FRAMES)
    off = np.abs(walked - stood)[np.triu(rigid, 1)]
    off = off[np.isfinite(off)]
    return float(off.mean()) if len(off) >= FEWEST_PAIRS else np.nan


def _distances(recording: Recording, labels: Sequence[str]) -> tuple[Array, Array, Array]:
    """Return median, median deviation and number of the distances of all pairs of some markers."""
    rows = spread_rows(recording.n_frames, SAMPLED)
    points = recording.markers_L[rows][:, [recording.labels.index(x) for x in labels]]
    apart = lengths(points[:, :, None] - points[:, None])
    middle = known_medians(apart)
    return middle, known_medians(np.abs(apart - middle)), np.isfinite(apart).sum(axis=0)
