"""A rule on gaps that another program filled with a curve: the marker was not seen there.

A polynomial has no differences above its degree: those of a spline that closes a gap vanish to the
rounding of the stored numbers, while a marker that is seen has those of its noise, or at least of
its movement. A recording that was smoothed afterwards hides curves of the fifth degree.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import comb

import numpy as np

from gaitdyn.calibrate.ladder.model import is_role
from gaitdyn.core.medians import known_medians
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.sides import side_of
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Findings
from gaitdyn.types.result import Processed

ORDERS = (4, 6)
"""Differences that a cubic, and a polynomial of the fifth degree, do not have."""

VANISHING, BELOW_OTHERS, LEAST = 0.02, 0.025, 6
"""Largest difference of a filled sample in terms of the marker's median, and in terms of what the
other markers' are at that time; successive samples. No such run of a marker in an untouched walk
lasts 0.1 s, nor 0.15 s after a Butterworth filter at 3 to 12 Hz, at which 0.05 of the others is
passed by some (benchmarks/filled_gaps.py), but for gaps that were really filled."""

ROUNDINGS = 3.0
"""Differences of numbers stored in single precision vanish below this many standard deviations of
their rounding."""

JOINED = 3
"""Samples between two curves that are one: a spline has a knot there."""

FEWEST = 6
"""Markers below which the others do not show what is usual."""


def interpolation_rules(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each long gap of a marker that was filled with a curve.

    Parameters
    ----------
    result : Processed
        Markers as recorded.
    rules : Rules
    """
    recording, rule = result.recording, rules["marker-interpolated"]
    own = [i for i, label in enumerate(recording.labels) if is_role(label)]
    if len(own) < FEWEST:
        return
    for k, start, stop in drawn_curves(recording.markers_L[:, own], recording.rate_hz, rule.bound):
        label, when = recording.labels[own[k]], times(result, start, stop)
        message = (
            f"{label} follows a drawn curve from {when['start_s']:.2f} to {when['stop_s']:.2f} s:"
            " a gap was filled, and the marker was not seen"
        )
        lasting = (stop - start) / recording.rate_hz
        yield rule.found(label, message, lasting, side=side_of(label), **when)


def drawn_curves(points: Array, rate_hz: float, longest_s: float) -> Iterator[tuple[int, int, int]]:
    """Yield marker, first row, and row after the last, of paths that are polynomials.

    Parameters
    ----------
    points : array, shape (n, m, 3)
        Markers of a walk as stored, m; NaN where not visible.
    rate_hz : float
    longest_s : float
        Curves up to this duration are not told, s.

    Yields
    ------
    tuple of int
        The samples that a curve of the lowest degree lies through, without those at its ends, which
        were measured.
    """
    filled = np.zeros(points.shape[:2], bool)
    for order in ORDERS:
        for k, start, stop in _vanishing(points, order):
            filled[start:stop, k] = True
    for k in np.flatnonzero(filled.any(axis=0)).tolist():
        for start, stop in runs(~filled[:, k]):
            if start > 0 and stop < len(points) and stop - start <= JOINED:
                filled[start:stop, k] = True
        for start, stop in runs(filled[:, k]):
            if (stop - start) / rate_hz > longest_s:
                yield k, start, stop


def _vanishing(points: Array, order: int) -> Iterator[tuple[int, int, int]]:
    """Yield marker and rows where differences of an order vanish and those of others do not."""
    if len(points) <= order + LEAST:
        return
    sizes = np.abs(np.diff(points, n=order, axis=0)).max(axis=2)
    largest = np.fmax.reduce(np.abs(points), axis=(0, 2))
    step = np.spacing(largest.astype(np.float32)).astype(float) / np.sqrt(12.0)
    rounding = ROUNDINGS * step * np.sqrt(comb(2 * order, order))
    usual = known_medians(sizes)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = sizes / np.maximum(usual, rounding)
        others = known_medians(share.T)[:, None]
        low = (sizes < np.maximum(rounding, VANISHING * usual)) & (
            sizes < BELOW_OTHERS * others * usual
        )
    moving = np.abs(np.diff(points, axis=0)).max(axis=2) > rounding
    for k in np.flatnonzero(low.any(axis=0)).tolist():
        for start, stop in runs(low[:, k]):
            if stop - start >= LEAST and moving[start : stop + order - 1, k].all():
                yield k, start + 1, stop + order - 1
