"""Rule on the paths of markers: each is held against what the others of pelvis and leg show.

In a walk the position of one marker is nearly a linear function of the positions of the others
(Gløersen and Federolf 2016, PLoS ONE 11:e0152616). By block inversion the inverse of the covariance
matrix of all coordinates holds this function of every marker. A reflection that joins a path, or a
gap that is filled far from the true course, is off it for a while, also if nothing jumps and no
distance changes.
"""

from __future__ import annotations

from itertools import compress

import numpy as np

from gaitdyn.calibrate.clusters.astray import pairs_of_segments
from gaitdyn.calibrate.ladder.model import segment_of
from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentile
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import known_points, runs, spread_rows
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Findings
from gaitdyn.types.frozen import frozen
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

NOISE_M = 0.002
"""Smaller differences between the paths carry no information (added to the covariance)."""

SAMPLED, FEWEST, MOST_HIDDEN, SMALLEST = 400, 4, 0.1, 6
"""Most rows used for the fit; least rows per coordinate; largest share of frames in which a marker
is hidden; fewest markers."""

BESIDE = {"pelvis": 1, "thigh": 1}
"""Fewest other markers of its segment that place a marker, two elsewhere: a foot that shows one
marker may turn."""

ROUNDS, KEPT, USUAL = 5, 70.0, 4.0
"""The fit is repeated without the frames in which a marker is off by more than this many times its
median; at least this percentage of the frames stays."""

STRANGE, LASTING_S, ENDS_S = 4.0, 0.05, 0.1
"""Where the others are in a position unlike all that were fitted (mean square of their deviation,
in terms of its variance), and near the ends of the trial, nothing is said; shorter runs are
spikes."""


@frozen(eq=False)
class Deviations:
    """How far markers are from where the others place them.

    Attributes
    ----------
    size : array, shape (n, m)
        m; NaN in frames that do not show all markers.
    strange : array, shape (n, m)
        Mean square deviation of the others from their mean, in terms of its variance.
    """

    size: Array
    strange: Array


def marker_paths(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each time at which a marker is far from where the others place it."""
    for side, letter in LETTER.items():
        own = {"pelvis", *(f"{side} {part}" for part in SEGMENTS)}
        places = [i for i, x in enumerate(result.trial.labels) if segment_of(x) in own]
        paths = result.trial.markers_G[:, places]
        shown = known_points(paths).mean(axis=0) >= 1.0 - MOST_HIDDEN
        labels = [result.trial.labels[i] for i in compress(places, shown)]
        if side not in result.sides or len(labels) < SMALLEST:
            continue
        if (found := deviations(paths[:, shown])) is None:
            continue
        off = _off_course(found, rules["marker-unlike"].bound, result.recording.rate_hz)
        pairs = pairs_of_segments(paths[:, shown], labels) if off.any() else []
        for j in np.flatnonzero(off.any(axis=0)).tolist():
            least = BESIDE.get(segment_of(labels[j]).split(" ")[-1], 2)
            held = sum(j in pair for pair in pairs) >= least
            if held and labels[j].startswith(letter):
                yield from _findings(result, found.size, off, (j, labels[j], side), rules)


def _off_course(found: Deviations, bound_m: float, rate_hz: float) -> Mask:
    """Return where markers are too far from where the others place them, shape (n, m)."""
    edge = round(ENDS_S * rate_hz)
    with np.errstate(invalid="ignore"):
        off: Mask = (found.size > bound_m) & (found.strange < STRANGE)
    off[:edge] = False
    off[len(off) - edge :] = False
    return off


def _findings(
    result: Processed, sizes: Array, off: Mask, marker: tuple[int, str, str], rules: Rules
) -> Findings:
    """Return a finding for each run in which one marker is further off than any other."""
    rule, rate, (j, label, side) = rules["marker-unlike"], result.recording.rate_hz, marker
    size = sizes[:, j]
    for start, stop in runs(off[:, j]):
        peak = start + int(size[start:stop].argmax())
        if stop - start < LASTING_S * rate or size[peak] < np.nanmax(sizes[peak]):
            continue
        worst, when = float(size[peak]), times(result, start, stop)
        message = (
            f"{label} is up to {1000 * worst:.0f} mm from where the other markers of pelvis and leg"
            f" place it from {when['start_s']:.2f} to {when['stop_s']:.2f} s: a reflection, another"
            " marker, or a gap that was filled wrongly"
        )
        of_leg = None if segment_of(label) == "pelvis" else side
        yield rule.found(label, message, worst, side=of_leg, **when)


def deviations(points: Array) -> Deviations | None:
    """Return how far each marker is from where the others place it; None if too few frames show it.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        Markers of one leg and the pelvis in a walk, m; NaN in gaps.
    """
    n, m, _ = points.shape
    known = known_points(points).all(axis=1)
    if known.sum() < FEWEST * 3 * m:
        return None
    values = points[known].reshape(-1, 3 * m)
    sample = values[spread_rows(len(values), SAMPLED)]
    used = np.ones(len(sample), bool)
    size, strange = _given_the_others(sample, sample, m)
    for _ in range(ROUNDS):
        share = (size / median(size, axis=0)).max(axis=1)
        before, used = used, share <= max(percentile(share, KEPT), USUAL)
        if (before == used).all():
            break
        size, strange = _given_the_others(sample, sample[used], m)
    if len(sample) < len(values):
        size, strange = _given_the_others(values, sample[used], m)
    whole = np.full((2, n, m), np.nan)
    whole[:, known] = size, strange
    return Deviations(whole[0], whole[1])


def _given_the_others(values: Array, fitted: Array, m: int) -> tuple[Array, Array]:
    """Return size and strangeness of the deviations, shape (n, m), from a fit to some rows."""
    mean = fitted.mean(axis=0)
    spread = fitted - mean
    covariance = spread.T @ spread / (len(fitted) - 1)
    inverse = np.linalg.inv(covariance + NOISE_M**2 * np.eye(3 * m))
    centred = values - mean
    pulled = (centred @ inverse).reshape(-1, m, 3)
    blocks = inverse.reshape(m, 3, m, 3)[range(m), :, range(m)]
    off = (pulled.swapaxes(0, 1) @ np.linalg.inv(blocks)).swapaxes(0, 1)
    total = (centred * pulled.reshape(len(values), -1)).sum(axis=1)
    strange = (total[:, None] - (off * pulled).sum(axis=2)) / (3 * m)
    return lengths(off), strange
