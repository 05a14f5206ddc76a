"""Rules of the samples of a marker: how noisy they are, and how many were seen."""

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
"""The sixth difference leaves nothing of a movement below a tenth of the rate; a slower recording
holds the movement itself in it."""

FEWEST = 20


def noise_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about noise and about markers that are mostly filled."""
    rows = {label: i for i, label in enumerate(result.recording.labels)}
    at = [(j, label) for j, label in enumerate(result.trial.labels) if label in rows]
    raw = result.recording.markers_L[:, [rows[label] for _, label in at]]
    seen = known_points(raw)
    shown = known_points(result.trial.markers_G[:, [j for j, _ in at]])
    sizes = noise_sizes(raw, seen, result.recording.rate_hz)
    found: list[Finding] = []
    for k, (_, label) in enumerate(at):
        found += _noise(label, sizes[k], rules)
        found += _filled(label, seen[:, k], shown[:, k], rules)
    return found


def noise_sizes(raw: Array, seen: Mask, rate_hz: float) -> list[float]:
    """Return the noise of each of the markers, m; those without a gap at once.

    Parameters
    ----------
    raw : array, shape (n, m, 3)
        m.
    seen : array of bool, shape (n, m)
    rate_hz : float
    """
    if rate_hz < SLOWEST_HZ:
        return [0.0] * raw.shape[1]
    whole: Mask = np.all(seen, axis=0)
    at_once = iter(noises(np.diff(raw[:, whole], n=ORDER, axis=0)).tolist() if whole.any() else ())
    return [next(at_once) if one else noise_of(raw[:, k]) for k, one in enumerate(whole.tolist())]


def noises(sharp: Array) -> Array:
    """Return the noise of each marker from its sixth differences, shape (n, m, 3), none missing."""
    if len(sharp) < FEWEST:
        return np.zeros(sharp.shape[1])
    middle = median(np.abs(sharp).transpose(1, 2, 0), axis=2).max(axis=1)
    return 1.4826 * middle / np.sqrt(comb(2 * ORDER, ORDER))


def noise_of(path: Array) -> float:
    """Return the standard deviation of the white noise of a path, its largest component, m.

    The median size of the sixth difference, of which white noise of 1 has the standard deviation
    sqrt(binomial(12, 6)).

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


def _filled(label: str, seen: Mask, shown: Mask, rules: Rules) -> list[Finding]:
    rule = rules["marker-sparse"]
    if not shown.any():
        return []
    share = float((~seen & shown).sum() / shown.sum())
    if share <= rule.bound:
        return []
    message = f"{label}: {share:.0%} of the frames shown were filled, not seen"
    return [rule.found(label, message, share, side=side_of(label))]
