"""Rules on smoothing before export: a filter that took a part of the motion or of the force.

The ratio of the sizes of a derivative and of the one before it is the frequency at which a signal
ends. Noise and the impact at foot strike raise it; only a filter lowers it. A slow walk has fewer
strides per second, so that the motion of the feet is measured per stride.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from gaitdyn.core.medians import median
from gaitdyn.core.runs import known_points, runs
from gaitdyn.cycles.normalise import find_cycles
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.result import Processed

FOOT = tuple(side + role for side in "LR" for role in ("HEE", "TOE", "ANK", "MT5"))
LONG_S, AROUND_S = 1.0, 0.1
"""Shortest known path of a marker; time around a step in which the force of its plate is used."""

JERK, SECOND = 3, 2
"""Derivatives by which a path and a force are judged, with the one after."""

FAST_HZ, SLOW_HZ = (27.0, 40.0), (8.0, 12.0)
"""Bands by which a low-pass filter of a force is told, whatever its noise: the upper one has a
fourteenth of the lower one's size or more in untouched walks, a seventeenth or less after two poles
at 10.5 Hz."""


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


def one_way_filter(result: Processed, delay_s: float, rules: Rules) -> list[Finding]:
    """Return a finding if the forces lag because they were low-passed by a filter in one direction.

    A filter of two poles, as in an amplifier, delays the force by 1.41 / (2 pi f): 21 ms at 10.5
    Hz. A filter that runs there and back, as in software, does not.

    Parameters
    ----------
    result : Processed
    delay_s : float
        Lag of the plates behind the motion, s.
    rules : Rules
    """
    rule = rules["plates-filtered"]
    reason = filter_words(result, rules) if rule.beyond(delay_s) else ""
    if not reason:
        return []
    message = f"the plates lag the markers by {1000.0 * delay_s:.0f} ms{reason}"
    return [rule.found("plates", message, delay_s)]


def filter_words(result: Processed, rules: Rules) -> str:
    """Return words on a low-pass filter as the cause of a lag; empty if nothing points to one."""
    share, least = fast_share(result), rules["plates-filtered"].least or 0.0
    if not share < least:
        return ""
    (low, high), (slow_low, slow_high) = FAST_HZ, SLOW_HZ
    return (
        f", and {low:g} to {high:g} Hz are nearly absent from their forces ({share:.3f} of"
        f" {slow_low:g} to {slow_high:g} Hz, usual {least:g} or more): a low-pass filter may have"
        " delayed them"
    )


def fast_share(result: Processed) -> float:
    """Return the size of fast changes of the vertical forces in terms of slow ones, median.

    NaN without a step, or if the forces have too few samples per second.
    """
    rate = result.recording.rate_hz * result.recording.samples_per_frame
    if rate < 3.0 * FAST_HZ[1]:
        return np.nan
    shares = [_band(force, FAST_HZ, rate) / _band(force, SLOW_HZ, rate)
              for _, _, force in _forces(result)]  # fmt: skip
    return float(median(np.array(shares))) if shares else np.nan


def _band(force: Array, band_hz: tuple[float, float], rate_hz: float) -> float:
    """Return the root mean square of the spectrum of a step in a band, N s."""
    spectrum = np.abs(np.fft.rfft(force - force[[0, -1]].mean(), max(len(force), 8 * int(rate_hz))))
    hz = np.linspace(0.0, rate_hz / 2.0, len(spectrum))
    inside = (hz >= band_hz[0]) & (hz < band_hz[1])
    return float(np.sqrt(np.square(spectrum[inside]).mean())) / rate_hz


def _smoothed_plates(result: Processed, rules: Rules) -> Findings:
    rule = rules["plate-smoothed"]
    rate = result.recording.rate_hz * result.recording.samples_per_frame
    for plate, step, force in _forces(result):
        if plate.virtual:
            continue
        hz = end_hz(force[:, None], SECOND, rate)
        if rule.beyond(hz):
            scope = f"plate {plate.number}"
            message = (
                f"{scope}: the vertical force ends at {hz:.1f} Hz (usual {rule.low:g} Hz or more):"
                " it was smoothed before export, and strike, foot-off and peaks are rounded"
            )
            where = {"side": step.side, **times(result, step.start, step.stop)}
            yield rule.found(scope, message, hz, **where)


def _forces(result: Processed) -> Iterator[tuple[PlateRecord, Contact, Array]]:
    """Yield each plate with a step, its step with the largest force, and the vertical force there.

    The force is in plate axes, shape (k,), N, and begins and ends shortly beside the step.
    """
    recording = result.recording
    per, around = recording.samples_per_frame, round(AROUND_S * recording.rate_hz)
    for plate in recording.plates:
        contacts = [c for c in result.contacts if c.plate == plate.number and c.accepted]
        if contacts:
            step = max(contacts, key=lambda c: c.peak_N)
            rows = slice(max(0, step.start - around) * per, (step.stop + around) * per)
            yield plate, step, plate.channels[rows, 2]
