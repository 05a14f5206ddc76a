"""Passes: the parts of a trial between which nobody is in view.

A person who walks out of view and back makes two passes in one recording. Between them no marker is
lost, and the last strike of one pass and the first of the next close no stride.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.runs import known_points, runs
from gaitdyn.events.alternation import CYCLE_S
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording
from gaitdyn.types.result import Processed


def pauses(markers_G: Array, rate_hz: float) -> list[tuple[int, int]]:
    """Return the runs of rows between passes: no marker for as long as the shortest stride.

    Parameters
    ----------
    markers_G : array, shape (n, m, 3)
        NaN where not visible.
    rate_hz : float
    """
    seen = np.asarray(known_points(markers_G).any(axis=1))
    rows = np.flatnonzero(seen)
    return [
        (start, stop)
        for start, stop in runs(~seen)
        if rows.size and rows[0] < start < rows[-1] and stop - start >= CYCLE_S[0] * rate_hz
    ]


def pauses_of(result: Processed) -> list[tuple[int, int]]:
    """Return the :func:`pauses` of a processed trial, determined once."""
    markers_G, rate_hz = result.trial.markers_G, result.recording.rate_hz
    return result.once("pauses", lambda: pauses(markers_G, rate_hz))


def lost_within(known: Mask, between: list[tuple[int, int]]) -> Mask:
    """Return the rows of the gaps of a marker within passes: known on both sides, no pause inside.

    Parameters
    ----------
    known : array of bool, shape (n,)
    between : list of (start, stop)
        From :func:`pauses`.
    """
    lost, rows = np.zeros(len(known), bool), np.flatnonzero(known)
    for start, stop in runs(~known):
        at_end = not rows.size or start < rows[0] or stop > rows[-1]
        if not at_end and not any(a < stop and start < b for a, b in between):
            lost[start:stop] = True
    return lost


def pass_around(between: list[tuple[int, int]], row: float, n: int) -> tuple[int, int]:
    """Return the rows, half-open, of the pass in which a row lies.

    Parameters
    ----------
    between : list of (start, stop)
        From :func:`pauses`.
    row : float
    n : int
        Number of rows of the trial.

    Examples
    --------
    >>> pass_around([(40, 90), (200, 260)], 120.5, 300), pass_around([], 10.0, 300)
    ((90, 200), (0, 300))
    """
    begins = max((stop for _, stop in between if stop <= row), default=0)
    return begins, min((start for start, _ in between if start > row), default=n)


def passes_found(between: list[tuple[int, int]], recording: Recording) -> list[Finding]:
    """Return the finding for each pause."""
    first, rate = recording.first_frame - 1, recording.rate_hz
    return [
        Finding(
            "info", "passes", recording.name,
            f"nobody is in view from {(a + first) / rate:.2f} to {(b - 1 + first) / rate:.2f} s:"
            " two passes; no stride spans both",
            round((b - a) / rate, 3),
        )
        for a, b in between
    ]  # fmt: skip
