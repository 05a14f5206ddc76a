"""Rules of the samples of a marker: how noisy they are, and how many were seen."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import complete_rows
from gaitdyn.quality.sides import side_of

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

ORDER, SLOWEST_HZ = 6, 45.0
"""The sixth difference leaves nothing of a movement below a tenth of the rate; a slower recording
holds the movement itself in it."""

FEWEST = 20


def noise_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about noise and about markers that are mostly filled."""
    rows = {label: i for i, label in enumerate(result.recording.labels)}
    found: list[Finding] = []
    for j, label in enumerate(result.trial.labels):
        if label not in rows:
            continue
        raw = result.recording.markers_L[:, rows[label]]
        found += _noise(label, raw, result, rules)
        found += _filled(label, raw, result.trial.markers_G[:, j], rules)
    return found


def noise_of(path: Array) -> float:
    """Return the standard deviation of the white noise of a path, its largest component, m.

    The median size of the sixth difference, of which white noise of 1 has the standard deviation
    sqrt(binomial(12, 6)).

    Parameters
    ----------
    path : array, shape (n, 3)
    """
    sharp = np.diff(path, n=ORDER, axis=0)
    sharp = sharp[complete_rows(sharp)]
    if len(sharp) < FEWEST:
        return 0.0
    return float(1.4826 * median(np.abs(sharp), axis=0).max() / np.sqrt(comb(2 * ORDER, ORDER)))


def _noise(label: str, raw: Array, result: Processed, rules: Rules) -> list[Finding]:
    rule = rules["marker-noise"]
    if result.recording.rate_hz < SLOWEST_HZ:
        return []
    size = noise_of(raw)
    if size <= rule.bound:
        return []
    message = f"{label}: noise of {1000 * size:.1f} mm (standard deviation) from frame to frame"
    return [rule.found(label, message, size, side=side_of(label))]


def _filled(label: str, raw: Array, shown: Array, rules: Rules) -> list[Finding]:
    rule, known = rules["marker-sparse"], complete_rows(shown)
    if not known.any():
        return []
    share = float((~complete_rows(raw) & known).sum() / known.sum())
    if share <= rule.bound:
        return []
    message = f"{label}: {share:.0%} of the frames shown were filled, not seen"
    return [rule.found(label, message, share, side=side_of(label))]
