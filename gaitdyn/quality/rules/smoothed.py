"""Rules on smoothing before export: a filter that took a part of the motion or of the force.

The ratio of the sizes of a derivative and of the one before it is the frequency at which a signal
ends. Noise and the impact at foot strike raise it; only a filter lowers it. A slow walk has fewer
strides per second, so that the motion of the feet is measured per stride.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import known_points, runs
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed

FOOT = tuple(side + role for side in "LR" for role in ("HEE", "TOE", "ANK", "MT5"))
LONG_S, AROUND_S = 1.0, 0.1
"""Shortest known path of a marker; time around a step in which the force of its plate is used."""

JERK, SECOND = 3, 2
"""Derivatives by which a path and a force are judged, with the one after."""


def smoothing_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on markers and plates that were smoothed too much before export."""
    return [*_smoothed_markers(result, rules), *_smoothed_plates(result, rules)]


def end_hz(signal: Array, order: int, rate_hz: float) -> float:
    """Return the frequency at which a signal ends, Hz; infinite if it does not change.

    Parameters
    ----------
    signal : array, shape (n, m)
    order : int
        Of the lower one of the two derivatives.
    rate_hz : float
    """
    lower, upper = (np.diff(signal, n=n, axis=0) for n in (order, order + 1))
    size = float(np.square(lower).sum(axis=1).mean())
    above = float(np.square(upper).sum(axis=1).mean())
    return float(np.sqrt(above / size)) * rate_hz / (2.0 * np.pi) if size > 0.0 else np.inf


def foot_end_hz(result: Processed) -> float:
    """Return the frequency at which the motion of the foot markers ends, median, Hz.

    NaN if no marker is known for a second.
    """
    recording, ends = result.recording, list[float]()
    for label in FOOT:
        if recording.has(label):
            path = recording.marker(label)
            known = runs(known_points(path))
            start, stop = max(known, key=lambda run: run[1] - run[0], default=(0, 0))
            if stop - start >= LONG_S * recording.rate_hz:
                ends.append(end_hz(path[start:stop], JERK, recording.rate_hz))
    return float(median(np.array(ends))) if ends else np.nan


def _smoothed_markers(result: Processed, rules: Rules) -> list[Finding]:
    rule, rate = rules["marker-smoothed"], result.recording.rate_hz
    cycles = [cycle for side in result.sides for cycle in find_cycles(result, side)]
    strides = [(cycle.stop_row - cycle.start_row) / rate for cycle in cycles]
    hz = foot_end_hz(result) if strides else np.nan
    per_stride = hz * float(median(np.array(strides))) if strides else np.nan
    if not rule.beyond(per_stride):
        return []
    message = (
        f"the motion of the foot markers ends at {hz:.1f} Hz, {per_stride:.1f} per stride (usual"
        f" {rule.low:g} or more): they were smoothed before export, and angles and moments have"
        " lost part of their peaks"
    )
    return [rule.found("markers", message, per_stride)]


def _smoothed_plates(result: Processed, rules: Rules) -> Findings:
    rule, per = rules["plate-smoothed"], result.recording.samples_per_frame
    rate = result.recording.rate_hz
    around = round(AROUND_S * rate)
    for plate in result.recording.plates:
        contacts = [c for c in result.contacts if c.plate == plate.number and c.accepted]
        if plate.virtual or not contacts:
            continue
        step = max(contacts, key=lambda c: c.peak_N)
        rows = slice(max(0, step.start - around) * per, (step.stop + around) * per)
        hz = end_hz(plate.channels[rows, 2:3], SECOND, rate * per)
        if rule.beyond(hz):
            scope = f"plate {plate.number}"
            message = (
                f"{scope}: the vertical force ends at {hz:.1f} Hz (usual {rule.low:g} or more): it"
                " was smoothed before export, and strike, foot-off and peaks are rounded"
            )
            where = {"side": step.side, **times(result, step.start, step.stop)}
            yield rule.found(scope, message, hz, **where)
