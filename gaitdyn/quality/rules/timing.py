"""Rules on time: the rate agrees with other statements, plates and markers are synchronous."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from gaitdyn.clean.leaps import largest_bend
from gaitdyn.core.medians import median
from gaitdyn.core.runs import runs
from gaitdyn.events.stance import stance_from_speed
from gaitdyn.quality.rules.balance.body_motion import long_runs
from gaitdyn.quality.rules.smoothed import filter_words, one_way_filter
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.words import counted

REACH_S, ALIKE = 0.08, 0.8
"""Largest delay searched; least correlation of force and acceleration."""

USUAL_S, ANOTHER_S = np.array((0.01, 0.025)), 0.15
"""Time by which plates with a common clock lag the markers of the foot at foot strike and foot-off,
medians of 60 steps; a foot further off stands longer than its load."""

_FRAMES = 1.2
"""Frames by which the steps of two plates differ at least that are not alike."""


def timing_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on the rate of the markers and the delay of the plates."""
    return [*stated_rates(result, rules), *low_rate(result, rules), *delayed_plates(result, rules)]


def stated_rates(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the rate differs from that of the cameras or does not fit the static's.

    Recording a static at half or twice the rate is deliberate; rates such as 50 and 60 Hz in one
    session are a mistake. Every derivative is then wrong by their ratio.
    """
    rule, rate, static = rules["rate-differs"], result.recording.rate_hz, result.static
    stated: list[tuple[str, float, bool]] = [
        ("TRIAL:CAMERA_RATE", result.recording.camera_rate_hz, False)
    ]
    if static is not None:
        stated.append((f"that of the static {static.name}", static.rate_hz, True))
    for source, stated_hz, multiples in stated:
        ratio = max(rate, stated_hz) / min(rate, stated_hz) if stated_hz > 0 else 1.0
        off = abs(ratio - (round(ratio) if multiples else 1.0))
        if off > rule.bound:
            message = (
                f"POINT:RATE is {rate:g} Hz, {source} {stated_hz:g} Hz: one of them is wrong, and"
                " so is every speed, moment and power"
            )
            return [rule.found("rate", message, off)]
    return []


def low_rate(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the rate is too low for the noise and the jumps of markers to be seen."""
    rule, rate = rules["rate-low"], result.recording.rate_hz
    if rate >= rule.bound:
        return []
    message = (
        f"the markers have {rate:g} Hz: jumps of less than {1000 * largest_bend(rate):.0f} mm and"
        " noise look like motion at this rate, and accelerations are coarse"
    )
    return [rule.found("rate", message, rate)]


def delayed_plates(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the plates lag or lead the markers.

    The vertical force is m (g + a), so it has the shape of the acceleration of the centre of mass,
    which is approximated by that of the pelvis. The delay is that of the best correlation.
    """
    rule, rate = rules["plates-delayed"], result.recording.rate_hz
    long = long_runs(result)
    if not long:
        return _behind_feet(result, rules)
    run = max(long, key=lambda run: len(run.force))
    delay, alike = best_delay(run.force, run.acceleration, rate)
    if alike < ALIKE or abs(delay) <= rule.bound:
        filtered = one_way_filter(result, delay, rules) if alike >= ALIKE else []
        return filtered or _behind_feet(result, rules)
    word = "lag" if delay > 0 else "lead"
    message = (
        f"the plates {word} the markers by {1000 * abs(delay):.0f} ms (vertical force against the"
        f" pelvis' acceleration, correlation {alike:.2f})"
    )
    if delay > 0:
        message += filter_words(result, rules)
    return [rule.found("plates", message, abs(delay))]


def _behind_feet(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if strikes and foot-offs on the plates all lag or lead those of the feet."""
    rule, of_plates = rules["plates-delayed"], step_lags(result)
    lags = [lag for _, lag in of_plates]
    delay = median(np.array(lags)) if lags else 0.0
    if not abs(delay) > (rule.least or np.inf):
        return _one_behind_feet(of_plates, result.recording.rate_hz, rules)
    message = (
        f"the plates {'lag' if delay > 0 else 'lead'} the feet by {1000 * abs(delay):.0f} ms or"
        f" more, at foot strike and foot-off alike (median of {counted(len(lags), 'step')})"
    )
    return [rule.found("plates", message, abs(delay), limit=rule.least)]


def _one_behind_feet(lags: list[tuple[str, float]], rate_hz: float, rules: Rules) -> list[Finding]:
    """Return a finding for each plate whose steps all lag or lead the feet, unlike the others'."""
    rule, findings = rules["plate-delayed"], list[Finding]()
    of_plates = {plates: median(np.array([x for name, x in lags if name == plates]))
                 for plates in dict(lags)}  # fmt: skip
    for plates, delay in of_plates.items():
        others = [lag for name, lag in of_plates.items() if name != plates]
        usual = median(np.array(others)) if others else delay
        limit, off, more = rule.least or np.inf, delay, " or more"
        if not abs(delay) > limit and abs(delay) >= abs(usual):
            limit, off = max(rule.bound, _FRAMES / rate_hz), delay - usual
            more = " more than those of other plates"
        if abs(off) > limit:
            message = (
                f"the force of {plates} {'lags' if delay > 0 else 'leads'} the foot by"
                f" {1000 * abs(off):.0f} ms{more}, at foot strike and foot-off alike: its samples"
                " come from another board or clock"
            )
            findings.append(rule.found(plates, message, abs(off), limit=limit))
    return findings


def step_lags(result: Processed) -> list[tuple[str, float]]:
    """Return the plates under each whole step and the time by which they lag its foot, s.

    It is the smaller of the lags at foot strike and at foot-off, 0 if one lags and the other leads:
    a foot that drags or slides is late at one end only.
    """
    rate, lags = result.recording.rate_hz, list[tuple[str, float]]()
    whole = [step for step in steps(result) if step.whole]
    feet: dict[str, tuple[Array, Array]] = {}
    for side in {step.side for step in whole}:
        heel, toe = (point - result.travel.get(side, 0.0) for point in result.feet[side])
        feet[side] = heel, toe
    still = {side: runs(stance_from_speed(*foot, rate)) for side, foot in feet.items()}
    for step in whole:
        heel, toe = feet[step.side]
        ends = [r for r in still[step.side] if r[0] < step.stop and r[1] > step.start]
        if len(ends) != 1 or ends[0][0] == 0 or ends[0][1] == len(heel):
            continue
        around = slice(min(step.start, ends[0][0]) - 1, max(step.stop, ends[0][1]) + 1)
        if not np.isfinite(heel[around] + toe[around]).all():
            continue  # a marker that is missing looks like one that moves
        strike, off = (np.array((step.start, step.stop)) - ends[0]) / rate - USUAL_S
        if max(abs(strike), abs(off)) < ANOTHER_S:
            least = float(np.sign(strike) * min(abs(strike), abs(off)) * (strike * off > 0))
            lags.append((step.plates, least))
    return lags


def best_delay(force: Array, acceleration: Array, rate_hz: float) -> tuple[float, float]:
    """Return the lag of a force behind an acceleration, s, and their correlation at this lag.

    Parameters
    ----------
    force, acceleration : arrays, shape (n,)
    rate_hz : float
    """
    reach, n = round(REACH_S * rate_hz), len(force)
    if n <= 3 * reach:
        return 0.0, 0.0
    rows = np.arange(reach, n - reach)
    lags = np.arange(-reach, reach + 1)
    moved = sliding_window_view(acceleration, len(rows))[::-1]
    a, b = force[rows] - force[rows].mean(), moved - moved.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = b @ a / (np.linalg.norm(b, axis=1) * np.linalg.norm(a))
    best = int(np.nanargmax(alike)) if np.isfinite(alike).any() else reach
    return float((lags[best] + beside_peak(alike, best)) / rate_hz), float(alike[best])


def beside_peak(values: Array, best: int) -> float:
    """Return the offset of the peak from the largest value, in samples, from a parabola."""
    if not 0 < best < len(values) - 1:
        return 0.0
    left, top, right = values[best - 1 : best + 2]
    bent = left - 2 * top + right
    return float(0.5 * (left - right) / bent) if bent < 0 else 0.0
