"""Signals from outside gaitdyn, such as those of a sensor, over the gait cycles of a trial."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.cycles.normalise import find_cycles, resample
from gaitdyn.errors import UsageError
from gaitdyn.types.arguments import told
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.result import Processed

_WANTED = "numbers of shape (samples,) or (samples, signals), or a table of such columns"

Block = tuple[str, int, tuple[str, ...], "Array"]
"""Side, number of a cycle, names of its curves and their values, shape (101, len(names))."""


def own_signals(result: Processed, signal: Any, rate_hz: float | None = None) -> list[Block]:
    """Return signals over 0 to 100 % of every gait cycle of both sides, as :func:`resample` does.

    Parameters
    ----------
    result : Processed
    signal : array, shape (m,) or (m, c), or pandas.DataFrame
        Its first sample is at the first marker frame, its last within the last one. A signal slower
        than the markers may end before that frame; what lies behind its last sample is NaN.
    rate_hz : float, optional
        That of the markers if not given.

    Raises
    ------
    UsageError
        When the signal is none of these, its rate is not positive, or its length is not that of
        the trial.
    """
    names, values = _named(signal)
    marker_hz, n_frames = result.recording.rate_hz, result.recording.n_frames
    per_frame = _rate(marker_hz if rate_hz is None else rate_hz) / marker_hz
    most = n_frames * per_frame + 1
    fewest = min((n_frames - 1) * per_frame + 1, n_frames * per_frame)
    if not math.floor(fewest + 1e-6) <= len(values) <= most:
        raise UsageError(
            f"the signal has {counted(len(values), 'sample')}, wanted"
            f" {round(n_frames * per_frame)} at {per_frame * marker_hz:g} Hz: from the first to the"
            " last frame of the markers"
        )
    cycles = [c for side in result.sides for c in find_cycles(result, side)]
    values = np.pad(values, ((0, 1), (0, 0)), constant_values=np.nan)
    return [
        (c.side, c.number, names, resample(values, c.start_row * per_frame, c.stop_row * per_frame))
        for c in cycles
    ]


def _rate(rate_hz: Any) -> float:
    if not isinstance(rate_hz, (int, float, np.number)) or not 0 < rate_hz < np.inf:
        raise UsageError(f"rate_hz is {told(rate_hz)}, wanted the rate of the signal, Hz")
    return float(rate_hz)


def _named(signal: Any) -> tuple[tuple[str, ...], Array]:
    """Return the names of signals, and the signals as an array of shape (m, c)."""
    try:
        values = np.asarray(signal, dtype=float)
    except (TypeError, ValueError):
        raise UsageError(f"the signal is {_found(signal)}, wanted {_WANTED}") from None
    if values.ndim not in (1, 2) or not values.size:
        raise UsageError(f"the signal has the shape {values.shape}, wanted {_WANTED}")
    given = getattr(signal, "columns", None)
    values = values.reshape(len(values), -1)
    count = values.shape[1]
    numbered = ["signal"] if count == 1 else [f"signal_{i}" for i in range(1, count + 1)]
    return tuple(map(str, numbered if given is None else given)), values


def _found(signal: Any) -> str:
    """Return a signal without numbers as a message shows it; of a table the first such column."""
    for name in getattr(signal, "columns", ()):
        try:
            np.asarray(signal[name], dtype=float)
        except (TypeError, ValueError):
            return f"a table whose column {told(name)} does not hold numbers"
    return told(signal)
