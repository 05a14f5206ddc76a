"""Rules on the samples of a marker: their noise, and the share that was measured."""

from __future__ import annotations

from math import comb

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.percentiles import percentiles
from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import complete_rows, known_points
from gaitdyn.quality.rules.markers.placement import SEGMENTS
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.sides import side_of
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.marker_model import PELVIS_MARKERS
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import LETTER

ORDER, SLOWEST_HZ = 6, 45.0
"""The sixth difference removes movement below a tenth of the rate; in a slower recording it still
contains movement."""

FEWEST = 20
PART_S, SEEN = 1.0, 0.6
"""A marker is as noisy as its noisiest part of this length with at least this share known."""

SLIPPING = {x + role for x in LETTER.values() for roles in SEGMENTS.values() for role in roles}
SLIPPING |= set(PELVIS_MARKERS)
OPPOSITE, CLEAR, BESIDE = 0.8, 6.0, 3
"""Markers checked for a step; least cosine of the samples' deviations before and after it; its size
in terms of their 95th percentile, 4.8 at most in 33 untouched trials without a step; samples known
before and after it, so that a marker that is about to vanish does not count."""


def noise_rules(result: Processed, rules: Rules) -> Findings:
    """Return the findings on noise and on markers that are mostly filled."""
    rows = {label: i for i, label in enumerate(result.recording.labels)}
    markers = [(j, label) for j, label in enumerate(result.trial.labels) if label in rows]
    raw = result.recording.markers_L[:, [rows[label] for _, label in markers]]
    known = known_points(raw)
    filtered = result.trial.markers_G[:, [j for j, _ in markers]]
    shown = known_points(filtered)
    sizes = noise_sizes(raw, known, result.recording.rate_hz)
    filled = (~known & shown).sum(axis=0) / np.maximum(shown.sum(axis=0), 1)
    off = raw @ result.trial.R_GL.T - filtered
    furthest = np.fmax.reduce(lengths(off), axis=0)
    for k, (_, label) in enumerate(markers):
        yield from _noise(label, sizes[k], rules)
        yield from _filled(label, float(filled[k]), rules)
        if label in SLIPPING and 2.0 * furthest[k] > rules["marker-slipped"].bound:
            yield from _slipped(result, label, off[:, k], rules)


def noise_sizes(raw: Array, known: Mask, rate_hz: float) -> list[float]:
    """Return the noise of each marker, m; markers without a gap are computed together.

    Parameters
    ----------
    raw : array, shape (n, m, 3)
        m.
    known : array of bool, shape (n, m)
    rate_hz : float
    """
    if rate_hz < SLOWEST_HZ:
        return [0.0] * raw.shape[1]
    whole: Mask = np.all(known, axis=0)
    sharp = _parts(np.diff(raw[:, whole], n=ORDER, axis=0), rate_hz)
    at_once = iter(np.max([noises(part) for part in sharp], axis=0).tolist() if whole.any() else ())
    return [
        next(at_once) if w else noise_of(raw[:, k], rate_hz) for k, w in enumerate(whole.tolist())
    ]


def _parts(sharp: Array, rate_hz: float) -> list[Array]:
    """Return sixth differences in parts of about a second, at least one."""
    return np.array_split(sharp, max(1, round(len(sharp) / (PART_S * rate_hz))))


def noises(sharp: Array) -> Array:
    """Return the noise of each marker from its sixth differences, shape (n, m, 3), none missing."""
    if len(sharp) < FEWEST:
        return np.zeros(sharp.shape[1])
    middle = median(np.abs(sharp).transpose(1, 2, 0), axis=2).max(axis=1)
    return 1.4826 * middle / np.sqrt(comb(2 * ORDER, ORDER))


def noise_of(path: Array, rate_hz: float) -> float:
    """Return the standard deviation of the white noise of a path, for its largest component, m.

    It is that of the whole path or of its noisiest second, whichever is larger, and follows from
    the median size of the sixth difference, whose standard deviation is sqrt(binomial(12, 6)) for
    white noise of 1.

    Parameters
    ----------
    path : array, shape (n, 3)
    rate_hz : float
    """
    sharp = np.diff(path, n=ORDER, axis=0)
    known = [part[complete_rows(part)] for part in (sharp, *_parts(sharp, rate_hz))]
    least = SEEN * min(len(sharp), PART_S * rate_hz)
    return max(
        float(noises(part[:, None])[0])
        for i, part in enumerate(known)
        if i == 0 or len(part) >= least
    )


def _noise(label: str, size: float, rules: Rules) -> list[Finding]:
    rule = rules["marker-noise"]
    if size <= rule.bound:
        return []
    message = f"{label}: noise of {1000 * size:.1f} mm (standard deviation) from frame to frame"
    return [rule.found(label, message, size, side=side_of(label))]


def _filled(label: str, share: float, rules: Rules) -> list[Finding]:
    rule = rules["marker-sparse"]
    if share <= rule.bound:
        return []
    message = f"{label}: {100 * share:.0f} % of the frames shown were filled, not measured"
    return [rule.found(label, message, share, side=side_of(label))]


def _slipped(result: Processed, label: str, off: Array, rules: Rules) -> Findings:
    """Return a finding if a marker steps aside from one frame to the next."""
    rule, (row, size) = rules["marker-slipped"], step_of(off)
    if size > rule.bound:
        when = times(result, row, len(off))
        message = (
            f"{label}: steps by {1000 * size:.0f} mm or more from one frame to the next at"
            f" {when['start_s']:.2f} s: it slipped, became another marker, or was another one for a"
            " few frames"
        )
        yield rule.found(label, message, size, side=side_of(label), **when)


def step_of(off: Array) -> tuple[int, float]:
    """Return the first row after the largest step of a path, and its least size, m.

    A filter rounds a step: the samples lie on one side of its curve before and on the other side
    after it, by as much. The size is 0 if other samples of the path are nearly as far off.

    Parameters
    ----------
    off : array, shape (n, 3)
        Samples minus the filtered path, m.
    """
    size = lengths(off)
    before, after = size[:-1], size[1:]
    with np.errstate(invalid="ignore"):
        across = np.einsum("ij,ij->i", off[:-1], off[1:]) < -OPPOSITE * before * after
    least, known = np.where(across, np.minimum(before, after), 0.0), np.isfinite(size)
    unknown_near = np.convolve(~known, np.ones(2 * BESIDE, bool))
    least[unknown_near[BESIDE : BESIDE + len(least)]] = 0.0
    row = int(np.argmax(least))
    clear = known.any() and least[row] > CLEAR * percentiles(size[known], 95.0)[0]
    return row + 1, 2.0 * float(least[row]) if clear else 0.0
