"""Rules across instruments: the force of the plates is mass times (acceleration less gravity).

In every frame in which the whole force on the person is known, the force per mass less gravity is
the acceleration of the centre of mass. The middle of the hip centres stands for it: of 17 trials of
12 laboratories the vertical ones correlate by .69 to .99, with a lag within 20 ms, and their
standard deviations have a ratio of .72 to 1.05 where the walk is clear; to the side they correlate
by .5 to .9 where 60 frames are known (reports/validation/limits.md).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.body_motion import CARRIED, LONG_S, long_runs
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.rules.timing import beside_peak
from gaitdyn.types.arrays import Array, Mask, Places
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

MEAN_S, REACH_S = 0.04, 0.15
"""The acceleration is a mean over this long; lags are looked for this far."""

FEWEST, FEWEST_TO_CORRELATE, LEAST_RANGE_M_S2, STEPS_S = 25, 60, 2.0, 1.0
"""Frames without which nothing is told, and without which no correlation is unless they last
0.6 s; one of a motion that hardly accelerates tells no lag, and its directions from 1 s on."""

CLEAR_RANGE_M_S2, FEW = 4.0, 1.7
"""Where the force per mass ranges over less, which no rate changes, or fewer frames tell, a ratio
may be so many times further off: a slow patient's was .55, a child's in a turn 1.28."""

ALIKE, BETTER = 0.6, 0.15
"""The pelvis stands for the body where force and motion correlate by this; a lag counts where
they do so by this much better with it than without."""


@dataclass(frozen=True, slots=True, eq=False)
class Whole:
    """Force per mass less gravity and acceleration along the walk, up and to the right.

    Attributes
    ----------
    force, acceleration : arrays, shape (n, 3)
        m/s2.
    known : array of bool, shape (n,)
        Frames in which the whole force is.
    weighed : bool
        The mass is what the plates carry over these frames, because by the stated one no step is
        whole: a wrong mass must not hide a wrong rate or sign.
    """

    force: Array
    acceleration: Array
    known: Mask
    weighed: bool = False


def physics_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about force against motion: size, mean, likeness, lag."""
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
    found = size_of_force(whole, rules, weighed=whole.weighed or bool(weighed), clear=clear)
    if enough and (wide or count >= STEPS_S * rate):
        found += likeness(whole, rules, rate, wide=wide)
    return found


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
    axes = np.stack((ahead, (0.0, 1.0, 0.0), np.cross(ahead, (0.0, 1.0, 0.0))))
    acceleration = acceleration @ axes.T
    with np.errstate(invalid="ignore"):
        carried = (force_G[:, 1] > CARRIED * STANDARD_GRAVITY * mass) & np.isfinite(
            acceleration.sum(axis=1)
        )
    known = carried.copy()
    for contact in result.contacts:
        if contact.verdict == "partial":
            known[contact.start : contact.stop] = False
    weighed = known.sum() < FEWEST <= carried.sum()
    if weighed:
        known = carried
        mass = force_G[known, 1].mean() / (STANDARD_GRAVITY + acceleration[known, 1].mean())
    force = force_G @ axes.T / mass - (0.0, STANDARD_GRAVITY, 0.0)
    return Whole(force, acceleration, known, bool(weighed))


def size_of_force(
    whole: Whole, rules: Rules, *, weighed: bool, clear: bool = False
) -> list[Finding]:
    """Return findings where the force varies or is on average as no motion of this mass asks.

    How it varies is told in parts of what the plates carry on average, so that neither the mass
    nor a gain enters: what is left is time and length, as a wrong rate or unit changes them.

    Parameters
    ----------
    whole : Whole
    rules : Rules
    weighed : bool
        ``force-against-mass`` weighs the body over a long run already.
    clear : bool
        There are frames and acceleration enough for the limits as they stand.
    """
    up, own = whole.force[whole.known, 1], whole.acceleration[whole.known, 1]
    found: list[Finding] = []
    rule = rules["force-against-acceleration"]
    moved, g = float(own.std()), STANDARD_GRAVITY
    by_weight = (g + float(own.mean())) / (g + float(up.mean()))
    ratio = by_weight * float(up.std()) / moved if moved > 0 else np.inf
    loose = 1.0 if clear else FEW
    low = (rule.low or 0.0) / loose
    if not low <= ratio <= rule.bound * loose:
        message = (
            f"the vertical force varies {ratio:.2g} times as much as weight and acceleration of the"
            " pelvis say: the rate of the markers or the unit of the points is wrong"
        )
        limit = loose * rule.bound if ratio > 1.0 else low
        found.append(rule.found("plates", message, ratio, limit=limit))
    rule = rules["force-mean"]
    off = float((up - own).mean())
    if abs(off) > rule.bound and not weighed:
        message = (
            f"the plates carry {off:+.1f} N/kg more than body mass and motion say, over"
            f" {len(up)} frames: the mass or the gain is wrong"
        )
        found.append(rule.found("plates", message, abs(off)))
    return found


def likeness(whole: Whole, rules: Rules, rate_hz: float, *, wide: bool = True) -> list[Finding]:
    """Return findings where the force does not go with the motion, or only later where ``wide``.

    The pelvis stands for the body only where its vertical motion has the shape of the force, now
    or some time later; where it has not, nothing can be told.
    """
    reach = round(REACH_S * rate_hz)
    shifts = np.arange(-reach, reach + 1)
    rows = np.flatnonzero(whole.known)
    values = np.array([_correlation(whole, rows, 1, int(k)) for k in shifts])
    best = int(np.nanargmax(values)) if np.isfinite(values).any() else reach
    now = float(values[reach])
    if not values[best] >= ALIKE:
        return []
    found: list[Finding] = []
    if now >= ALIKE:
        for code, axis, word in (("force-along", 0, "along the walk"), ("force-aside", 2, "aside")):
            value = _correlation(whole, rows, axis, 0)
            if value < rules[code].bound:
                message = (
                    f"the force {word} does not go with the motion of the pelvis (correlation"
                    f" {value:.2f}), the force upward does ({now:.2f}): signs or axes of the"
                    " plates are wrong"
                )
                found.append(rules[code].found("plates", message, value))
    rule, lag = rules["force-lag"], (shifts[best] + beside_peak(values, best)) / rate_hz
    if wide and abs(lag) > rule.bound and values[best] > now + BETTER:
        message = (
            f"the plates {'lag' if lag > 0 else 'lead'} the markers by {1000 * abs(lag):.0f} ms"
            f" (vertical force and acceleration of the pelvis: correlation {values[best]:.2f},"
            f" {now:.2f} as recorded)"
        )
        found.append(rule.found("plates", message, abs(lag)))
    return found


def _correlation(whole: Whole, rows: Places, axis: int, later: int) -> float:
    """Return the correlation of force in rows with the acceleration ``later`` frames before."""
    before = rows - later
    rows, before = (part[(before >= 0) & (before < len(whole.known))] for part in (rows, before))
    force, own = whole.force[rows, axis], whole.acceleration[before, axis]
    good = np.isfinite(force) & np.isfinite(own)
    force, own = force[good], own[good]
    if len(force) < FEWEST:
        return np.nan
    a, b = force - force.mean(), own - own.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0 else np.nan
