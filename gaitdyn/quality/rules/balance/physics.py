"""Rules across instruments: the force of the plates is mass times (acceleration minus gravity).

In every frame in which the whole force on the person is known, the force per mass minus gravity is
the acceleration of the centre of mass. The middle of the hip centres is used for the latter. In 17
trials of 12 laboratories the vertical components correlate by .69 to .99, with a lag within 20 ms,
and the ratio of their standard deviations is .72 to 1.05 if the walk is clear. The sideways ones
correlate by .5 to .9 if 60 frames are known (reports/validation/limits.md).
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.correlation import correlation
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.balance.body_motion import CARRIED, LONG_S, long_runs, partly_loaded
from gaitdyn.quality.rules.steps import to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.rules.timing import beside_peak
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.findings import Finding
from gaitdyn.types.frozen import frozen
from gaitdyn.types.result import Processed
from gaitdyn.types.words import two_digits

MEAN_S, REACH_S = 0.04, 0.15
"""Averaging time of the acceleration; largest lag searched."""

FEWEST, FEWEST_TO_CORRELATE, LEAST_RANGE_M_S2, STEPS_S = 25, 60, 2.0, 1.0
"""Fewest frames for any finding, and for a correlation unless they last 0.6 s. If the acceleration
ranges over less than 2 m/s2, no lag is reported, and directions only from 1 s on."""

CLEAR_RANGE_M_S2, FEW = 4.0, 1.7
"""If the force per mass, which does not depend on the rate, ranges over less than this, or if there
are few frames, a ratio may be 1.7 times further off: .55 in a slow patient, 1.28 in a child in a
turn."""

DIRECTIONS = (("force-along", 0, "along the walk"), ("force-aside", 2, "sideways"))
ALIKE, BETTER = 0.6, 0.15
"""The pelvis represents the body if force and motion correlate by 0.6; a lag counts if it improves
the correlation by 0.15."""


@frozen(eq=False)
class Whole:
    """Force per mass minus gravity, and acceleration: along the walk, up and to the right.

    Attributes
    ----------
    force, acceleration : arrays, shape (n, 3)
        m/s2.
    known : array of bool, shape (n,)
        Frames in which the whole force is known.
    weighed : bool
        Whether the mass is that carried by the plates in these frames, because no step is whole
        with the stated mass: a wrong mass must not hide a wrong rate or sign.
    """

    force: Array
    acceleration: Array
    known: Mask
    weighed: bool = False


def physics_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on force against motion: size, mean, correlation, lag."""
    whole = whole_force(result)
    if whole is None or whole.known.sum() < FEWEST:
        return []
    weighed = long_runs(result) or long_runs(result, partial=True)
    moved = float(np.ptp(whole.acceleration[whole.known, 1]))
    wide = moved >= LEAST_RANGE_M_S2
    count, rate = whole.known.sum(), result.recording.rate_hz
    enough = bool(count >= FEWEST_TO_CORRELATE or count >= LONG_S * rate)
    ranges = float(np.ptp(whole.force[whole.known, 1]))
    clear = enough and not whole.weighed and ranges >= CLEAR_RANGE_M_S2
    findings = size_of_force(whole, rules, weighed=whole.weighed or bool(weighed), clear=clear)
    if enough and (wide or count >= STEPS_S * rate):
        findings += likeness(whole, rules, rate, wide=wide)
    return findings


def whole_force(result: Processed) -> Whole | None:
    """Return force and acceleration of the whole body, or None without plates, mass or a leg."""
    wrenches = [side.wrench for side in result.sides.values() if side.wrench is not None]
    mass, rate = result.subject.mass_kg, result.recording.rate_hz
    if len(wrenches) < 2 or not mass or not (result.contacts):  # noqa: PLR2004  both feet
        return None
    force_G = wrenches[0].force_G + wrenches[1].force_G
    hips = 0.5 * (result.pose.left.r_prox_G[:, 2] + result.pose.right.r_prox_G[:, 2])
    acceleration = np.gradient(np.gradient(hips, 1 / rate, axis=0), 1 / rate, axis=0)
    width = 2 * int(MEAN_S * rate / 2) + 1  # odd: an even mean is half a frame late
    if width > 1:
        ones = np.ones(width) / width
        acceleration = np.stack([np.convolve(a, ones, "same") for a in acceleration.T], axis=1)
    ahead = result.pose.walking_G
    axes = np.stack((ahead, (0.0, 1.0, 0.0), to_right(ahead)))
    acceleration = acceleration @ axes.T
    with np.errstate(invalid="ignore"):
        carried = (force_G[:, 1] > CARRIED * STANDARD_GRAVITY * mass) & np.isfinite(
            acceleration.sum(axis=1)
        )
    known = carried & ~partly_loaded(result, len(carried))
    weighed = known.sum() < FEWEST <= carried.sum()
    if weighed:
        known = carried
        mass = force_G[known, 1].mean() / (STANDARD_GRAVITY + acceleration[known, 1].mean())
    force = force_G @ axes.T / mass - (0.0, STANDARD_GRAVITY, 0.0)
    return Whole(force, acceleration, known, bool(weighed))


def size_of_force(
    whole: Whole, rules: Rules, *, weighed: bool, clear: bool = False
) -> list[Finding]:
    """Return findings if the variation or the mean of the force does not fit the motion.

    The variation is relative to the mean force on the plates, so that neither the mass nor a gain
    matters. What remains is time and length, which a wrong rate or unit changes.

    Parameters
    ----------
    whole : Whole
    rules : Rules
    weighed : bool
        Whether ``force-against-mass`` already weighs the body over a long run.
    clear : bool
        Whether there are enough frames and acceleration for the limits without tolerance.
    """
    up, motion = whole.force[whole.known, 1], whole.acceleration[whole.known, 1]
    findings: list[Finding] = []
    rule = rules["force-against-acceleration"]
    moved, g = float(motion.std()), STANDARD_GRAVITY
    by_weight = (g + float(motion.mean())) / (g + float(up.mean()))
    ratio = by_weight * float(up.std()) / moved if moved > 0 else np.inf
    loose = 1.0 if clear else FEW
    low = (rule.low or 0.0) / loose
    if not low <= ratio <= rule.bound * loose:
        message = (
            f"the vertical force varies {two_digits(ratio)} times as much as weight and"
            " acceleration of the pelvis imply: the rate of the markers or the unit of the points"
            " is wrong"
        )
        limit = loose * rule.bound if ratio > 1.0 else low
        findings.append(rule.found("plates", message, ratio, limit=limit))
    rule = rules["force-mean"]
    off = float((up - motion).mean())
    if abs(off) > rule.bound and not weighed:
        message = (
            f"the plates carry {abs(off):.1f} N/kg {'more' if off > 0 else 'less'} than body mass"
            f" and motion imply (limit {rule.bound:g}), over"
            f" {len(up)} frames: the mass or the gain is wrong"
        )
        findings.append(rule.found("plates", message, abs(off)))
    return findings


def likeness(whole: Whole, rules: Rules, rate_hz: float, *, wide: bool = True) -> list[Finding]:
    """Return findings if the force does not follow the motion, or only with a lag if ``wide``.

    The pelvis represents the body only if its vertical motion has the shape of the force, with or
    without a lag. Otherwise there is no finding.
    """
    reach = round(REACH_S * rate_hz)
    shifts = np.arange(-reach, reach + 1)
    courses = np.where(whole.known[:, None], whole.force, np.nan).T, whole.acceleration.T
    values = np.array([_correlation(courses, 1, int(k)) for k in shifts])
    best = int(np.nanargmax(values)) if np.isfinite(values).any() else reach
    now = float(values[reach])
    if not values[best] >= ALIKE:
        return []
    findings: list[Finding] = []
    if now >= ALIKE:
        for code, axis, word in DIRECTIONS:
            value = _correlation(courses, axis, 0)
            if value < rules[code].bound:
                message = (
                    f"the force {word} does not follow the motion of the pelvis (correlation"
                    f" {value:.2f}), the force upward does ({now:.2f}): signs or axes of the"
                    " plates are wrong"
                )
                findings.append(rules[code].found("plates", message, value))
    rule, lag = rules["force-lag"], (shifts[best] + beside_peak(values, best)) / rate_hz
    if wide and abs(lag) > rule.bound and values[best] > now + BETTER:
        message = (
            f"the plates {'lag' if lag > 0 else 'lead'} the markers by {1000 * abs(lag):.0f} ms"
            f" (vertical force and acceleration of the pelvis: correlation {values[best]:.2f},"
            f" {now:.2f} as recorded)"
        )
        findings.append(rule.found("plates", message, abs(lag)))
    return findings


def _correlation(courses: tuple[Array, Array], axis: int, later: int) -> float:
    """Return the correlation of force with the acceleration ``later`` frames before."""
    force, acceleration = courses[0][axis, max(0, later) :], courses[1][axis, max(0, -later) :]
    n = min(len(force), len(acceleration))
    return correlation(force[:n], acceleration[:n], FEWEST)
