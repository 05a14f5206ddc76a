"""Rules on the channels of plates: constant under load, cut off, held, jumping, or drifting."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.baseline import plates_of
from gaitdyn.core.medians import median
from gaitdyn.core.runs import runs
from gaitdyn.quality.rules.plates.drift import drift_rules
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import PlateRecord
from gaitdyn.types.result import Processed

NAMES = ("Fx", "Fy", "Fz", "Mx", "My", "Mz")
COMPOSED, LONGER = (3, 4), 1.5
"""Plate types whose components combine several channels, which conceals a channel that is dead or
cut off. A single channel stays longer at its top: 22 ms in untouched trials."""

CARRIES_N, NO_CHANGE = 50.0, 1e-6
"""On a plate that carries 50 N or more, every channel changes by more than this share of the
largest change."""

ONE_STEP_S, LEVER_M, LEAST_RATE_HZ = 0.15, 0.4, 200.0
"""Contacts of one foot this short a time apart are one step, interrupted. A moment jumps as far as
the force at this lever. Slower samples differ by the rise of the force."""

REPEATED = 0.5
"""Share of loaded samples that repeat all channels of the one before: 0.04 at most in untouched
trials, more where slow forces were written at a faster rate."""

EDGE_S = 0.06
"""The samples of a step are checked from 60 ms after its start, when a heel has struck, to a frame
after its end; on a belt, which the other foot may share, to 60 ms before its end."""


def channel_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on constant, cut-off, held, jumping, drifting channels of plates."""
    used = {p.number for p in result.trial.plates}
    findings: list[Finding] = []
    for plate in result.recording.plates:
        contacts = [c for c in result.contacts if c.plate == plate.number]
        if plate.virtual or plate.number not in used or not contacts:
            continue
        step = max(contacts, key=lambda c: c.peak_N)
        per = result.recording.samples_per_frame
        loaded = plate.channels[step.start * per : step.stop * per]
        if len(loaded) < 2 or step.peak_N < CARRIES_N:  # noqa: PLR2004
            continue
        when = times(result, step.start, step.stop)
        scope = f"plate {plate.number}"
        constant, rule = constant_channels(loaded), rules["channel-constant"]
        if not constant and plate.kind in COMPOSED:
            constant = [f"channel {number} of the plate" for number in plate.still]
        if constant:
            message = (
                f"{scope}: no change of {', '.join(constant)} while the plate is loaded: a channel"
                " is not connected, or another one is named"
            )
            findings.append(rule.found(scope, message, float(len(constant)), **when))
        findings += _cut_off(plate, loaded, result, rules, when)
        findings += [] if constant else _held(plate, loaded, result, rules)
        findings += _jumping(plate, result, rules)
    for wrench in plates_of(result):
        findings += drift_rules(wrench, result, rules)
    return findings


def constant_channels(loaded: np.ndarray) -> list[str]:
    """Return the names of the channels that do not change, from samples of shape (n, 6)."""
    spread = np.ptp(loaded, axis=0)
    return [name for name, s in zip(NAMES, spread, strict=True) if s <= NO_CHANGE * spread.max()]


def _cut_off(
    plate: PlateRecord, loaded: np.ndarray, result: Processed, rules: Rules, when: dict[str, float]
) -> list[Finding]:
    """Return a finding if the vertical force, or a channel behind it, stays at its extreme."""
    rule = rules["channel-cut-off"]
    rate = result.recording.rate_hz * result.recording.samples_per_frame
    vertical = np.abs(loaded[:, 2])
    top = float(vertical.max())
    clipped = runs(vertical >= top * (1 - NO_CHANGE))
    lasted = max((stop - start for start, stop in clipped), default=0) / rate
    limit, what = rule.bound, f"Fz stays at exactly {top:.0f} N"
    if lasted <= limit and plate.kind in COMPOSED:
        lasted, limit = plate.flat / rate, LONGER * limit
        what = "a channel stays at exactly its largest value"
    if lasted <= limit:
        return []
    scope = f"plate {plate.number}"
    message = f"{scope}: {what} for {1000 * lasted:.0f} ms: the amplifier is cut off"
    return [rule.found(scope, message, lasted, limit=limit, **when)]


def _held(plate: PlateRecord, loaded: np.ndarray, result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if most samples only repeat the one before: the forces are steps in time."""
    rule = rules["force-held"]
    rate = result.recording.rate_hz * result.recording.samples_per_frame
    changed = float((np.diff(loaded, axis=0) != 0.0).any(axis=1).mean())
    lasted = 1.0 / (rate * changed)
    if changed > 1.0 - REPEATED or not rule.beyond(lasted):
        return []
    scope = f"plate {plate.number}"
    message = (
        f"{scope}: {100 * (1.0 - changed):.0f} % of the samples repeat the one before in all"
        f" channels: the forces are known only every {1000 * lasted:.0f} ms, and each value comes"
        " too late"
    )
    return [rule.found(scope, message, lasted)]


def _jumping(plate: PlateRecord, result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if force or moment leaps from sample to sample within a step."""
    rule, per = rules["force-jumps"], result.recording.samples_per_frame
    rate = result.recording.rate_hz * per
    if rate < LEAST_RATE_HZ:
        return []
    edge, worst, when = round(EDGE_S * rate), 0.0, {}
    for start, stop in whole_steps(result, plate.number):
        loaded = plate.channels[start * per : stop * per]
        last = stop * per + (-edge if result.belts else per)
        leaps = np.abs(np.diff(plate.channels[start * per + edge : last], n=2, axis=0))
        if not leaps.size:
            continue
        leaps[:, 3:] /= LEVER_M
        largest = float(np.nanmax(leaps)) / (float(median(np.abs(loaded[:, 2]))) or np.inf)
        if largest > worst:
            row = start + (edge + 1 + int(np.nanargmax(leaps.max(axis=1)))) // per
            worst, when = largest, times(result, row, row + 1)
    if not when or not worst > rule.bound:
        return []
    scope = f"plate {plate.number}"
    message = (
        f"{scope}: a channel leaps by {worst:.2f} of the force on the plate from one sample to the"
        f" next at {when['start_s']:.2f} s: a spike or an interruption of the amplifier"
    )
    return [rule.found(scope, message, worst, **when)]


def whole_steps(result: Processed, number: int) -> list[tuple[int, int]]:
    """Return half-open rows of the steps on a plate; one that is interrupted counts as one.

    Parameters
    ----------
    result : Processed
    number : int
        Of the plate.
    """
    own = [c for c in result.contacts if c.plate == number and c.accepted]
    steps: list[tuple[int, int]] = []
    last_side = ""
    for contact in sorted(own, key=lambda c: c.start):
        near = steps and contact.start - steps[-1][1] < ONE_STEP_S * result.recording.rate_hz
        start = steps.pop()[0] if near and contact.side == last_side else contact.start
        steps.append((start, contact.stop))
        last_side = contact.side
    return steps
