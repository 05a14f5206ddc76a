"""Rules on the samples of a marker: their noise, and the share that was measured."""

from __future__ import annotations

from math import comb

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows, known_points
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.sides import side_of
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

ORDER, SLOWEST_HZ = 6, 45.0
"""The sixth difference removes movement below a tenth of the rate; in a slower recording it still
contains movement."""

FEWEST = 20


def noise_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on noise and on markers that are mostly filled."""
    rows = {label: i for i, label in enumerate(result.recording.labels)}
    markers = [(j, label) for j, label in enumerate(result.trial.labels) if label in rows]
    raw = result.recording.markers_L[:, [rows[label] for _, label in markers]]
    known = known_points(raw)
    shown = known_points(result.trial.markers_G[:, [j for j, _ in markers]])
    sizes = noise_sizes(raw, known, result.recording.rate_hz)
    findings: list[Finding] = []
    for k, (_, label) in enumerate(markers):
        findings += _noise(label, sizes[k], rules)
        findings += _filled(label, known[:, k], shown[:, k], rules)
    return findings


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
    at_once = iter(noises(np.diff(raw[:, whole], n=ORDER, axis=0)).tolist() if whole.any() else ())
    return [next(at_once) if w else noise_of(raw[:, k]) for k, w in enumerate(whole.tolist())]


def noises(sharp: Array) -> Array:
    """Return the noise of each marker from its sixth differences, shape (n, m, 3), none missing."""
    if len(sharp) < FEWEST:
        return np.zeros(sharp.shape[1])
    middle = median(np.abs(sharp).transpose(1, 2, 0), axis=2).max(axis=1)
    return 1.4826 * middle / np.sqrt(comb(2 * ORDER, ORDER))


def noise_of(path: Array) -> float:
    """Return the standard deviation of the white noise of a path, for its largest component, m.

    It follows from the median size of the sixth difference, whose standard deviation is
    sqrt(binomial(12, 6)) for white noise of 1.

    Parameters
    ----------
    path : array, shape (n, 3)
    """
    sharp = np.diff(path, n=ORDER, axis=0)
    return float(noises(sharp[complete_rows(sharp)][:, None])[0])


def _noise(label: str, size: float, rules: Rules) -> list[Finding]:
    rule = rules["marker-noise"]
    if size <= rule.bound:
        return []
    message = f"{label}: noise of {1000 * size:.1f} mm (standard deviation) from frame to frame"
    return [rule.found(label, message, size, side=side_of(label))]


def _filled(label: str, known: Mask, shown: Mask, rules: Rules) -> list[Finding]:
    rule = rules["marker-sparse"]
    if not shown.any():
        return []
    share = float((~known & shown).sum() / shown.sum())
    if share <= rule.bound:
        return []
    message = f"{label}: {share:.0%} of the frames shown were filled, not measured"
    return [rule.found(label, message, share, side=side_of(label))]
