"""Markers of trunk, head and arms that step aside in a walk and stay there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.clean.smoothing import smooth
from gaitdyn.core.rotations import lengths
from gaitdyn.quality.rules.markers.noise import step_of
from gaitdyn.stages.motion import marker_filter
from gaitdyn.types.task import WALKING

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import Processed

ALIKE, CAME_BACK = 0.5, 0.2
"""Steps of a path at least this share of its largest count with it; if what remains of their sum is
below the second share of the largest, the marker was elsewhere for a few frames and came back. Such
frames are left out before anything is computed. 21 untouched walks step by 1.4 mm at most."""


def slipped_above(
    result: Processed, labels: list[str], raw: Array, limit_m: float
) -> list[tuple[str, str]]:
    """Return the markers that step by more than a limit from one frame to the next, and stay.

    Parameters
    ----------
    result : Processed
    labels : list of str
    raw : array, shape (n, m, 3)
        Their paths as recorded, m.
    limit_m : float
    """
    filter_ = marker_filter(result.options, result.recording.rate_hz)
    if result.task != WALKING or filter_.cutoff_hz is None or not labels:
        return []
    off = raw - smooth(raw, filter_)[0]
    problems = list[tuple[str, str]]()
    for k, label in enumerate(labels):
        row, size = lasting_step(off[:, k], limit_m)
        if size > limit_m:
            why = f"steps by {1000 * size:.0f} mm or more from one frame to the next at"
            when = f"{result.recording.time_of(row):.2f} s"
            problems.append((label, f"{why} {when}: it slipped or became another marker"))
    return problems


def lasting_step(off: Array, least_m: float) -> tuple[int, float]:
    """Return the first row after the largest step of a path, and its size, m; 0 if it comes back.

    Parameters
    ----------
    off : array, shape (n, 3)
        Samples minus the filtered path, m.
    least_m : float
        Smaller steps are not looked at.
    """
    row, size = step_of(off)
    if size <= least_m:
        return row, 0.0
    jumps = np.diff(off, axis=0)
    far = np.nan_to_num(lengths(jumps))
    largest = far[row - 1]
    stays = float(np.linalg.norm(jumps[far >= ALIKE * largest].sum(axis=0)))
    return row, size if stays > CAME_BACK * largest else 0.0
