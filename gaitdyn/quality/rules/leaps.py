"""Rule on moments that leap for a few frames: noise or an impact that the filter has left."""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Findings
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.result import Processed
from gaitdyn.types.words import two_digits

BESIDE = 2
"""Frames on either side that give the median of a moment."""

SLOWEST_HZ = 75.0
"""In a slower recording the moment itself changes as much within the frames of the median."""


def leap_rules(result: Processed, rules: Rules) -> Findings:
    """Yield a finding for each leg with a joint moment that leaps and returns within a few frames.

    A joint moment of walking changes slowly, also at foot strike once the impact is filtered.
    """
    rule, mass, rate_hz = rules["moment-leaps"], result.subject.mass_kg, result.recording.rate_hz
    if not mass or rate_hz < SLOWEST_HZ:
        return
    for name, side in result.sides.items():
        if side.kinetics is None:
            continue
        kinetics = side.kinetics
        moments = np.where(kinetics.published[:, :, None], kinetics.loads.moment_S, np.nan) / mass
        size = leaps(moments.reshape(len(moments), -1), rule.bound).reshape(moments.shape)
        rows = np.flatnonzero((size > rule.bound).any(axis=(1, 2)))
        if not rows.size:
            continue
        row, joint = np.unravel_index(size.max(axis=2).argmax(), size.shape[:2])
        largest, scope = float(size[row, joint].max()), f"{name} {JOINTS[joint]}"
        when = times(result, int(rows[0]), int(rows[-1]) + 1)
        message = (
            f"{scope}: the moment leaps by {two_digits(largest)} N m/kg and back within a few"
            f" frames (most at {result.recording.time_of(int(row)):.2f} s): noise or a jump of"
            " markers, or an impact, that the filter keeps"
        )
        yield rule.found(scope, message, largest, side=name, **when)


def leaps(curves: Array, least: float) -> Array:
    """Return how far each sample lies from the median of itself and two on either side.

    Parameters
    ----------
    curves : array, shape (n, m)
        NaN where not known.
    least : float
        Leaps that cannot reach this size are not computed.

    Returns
    -------
    array, shape (n, m)
        In the unit of the curves; 0 next to unknown samples, and where the curve is steady.

    Examples
    --------
    >>> leaps(np.array([[0.0], [0.1], [1.2], [0.3], [0.4]]), 0.5).ravel().round(1).tolist()
    [0.0, 0.0, 0.9, 0.0, 0.0]
    """
    size = np.zeros_like(curves)
    steps = np.abs(np.diff(curves, axis=0))
    for column in np.flatnonzero(np.fmax.reduce(steps, axis=0, initial=0.0) > least / BESIDE):
        curve = curves[:, column]
        for start, stop in runs(np.isfinite(curve)):
            if stop - start > 2 * BESIDE:
                near = np.lib.stride_tricks.sliding_window_view(curve[start:stop], 2 * BESIDE + 1)
                inner = slice(start + BESIDE, stop - BESIDE)
                size[inner, column] = np.abs(curve[inner] - median(near, axis=1))
    return size
