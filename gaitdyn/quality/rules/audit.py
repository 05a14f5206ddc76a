"""Rules on the audit: the loads must reproduce the measured motion, and their work must balance.

Only the first rule applies to the profile plug-in-gait: the vendor's angular velocity is the
rotation over four frames and its accelerations come from another spline, so that its loads are
those of a slightly different motion (docs/audit.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.audit.closure import WINDOW_S
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.audit import Drift, LegAudit, PowerBalance
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.motion import JOINTS, SEGMENTS
from gaitdyn.types.words import two_digits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.types.result import Processed

LEAST_W = 1.0
"""With less power through a joint than this, shares of it are meaningless."""

RESOLVED_HZ, ORDER = 80.0, 4
"""At lower rates the limit of the energy balance grows with the fourth power of the time between
frames, as the error of the splines through the energy does: 0.018 in whole trials at 50 Hz."""

ADULT_PER_S, MOST_TIMES = 173.0, 10.0
"""Rate at which an error grows in the quickest foot of the untouched trials, and the largest factor
of the limit of the windows. A segment of length L between the weight of the body and the ground is
an upside-down pendulum: a small error of its angle grows as exp(t sqrt(M g L / I)), and in the foot
of a small child by a few times more than in an adult's."""


def audit_rules(
    legs: dict[str, LegAudit],
    rules: Rules,
    profile: str,
    rate_hz: float = RESOLVED_HZ,
    growth_per_s: Mapping[str, Array] | None = None,
) -> list[Finding]:
    """Return the findings on closure and energy of each audited leg.

    Parameters
    ----------
    legs : dict
        Side -> LegAudit, of :func:`gaitdyn.audit.legs.audit_of`.
    rules : Rules
    profile : {"default", "plug-in-gait"}
        For the vendor's numerics only the accelerations are checked.
    rate_hz : float
    growth_per_s : mapping, optional
        Side -> rate of growth of an error in each segment, from :func:`growth_rates`; without it,
        that of an adult.
    """
    coarse = max(1.0, RESOLVED_HZ / rate_hz) ** ORDER
    vendor = profile == "plug-in-gait"
    findings: list[Finding] = []
    for side, leg in legs.items():
        rates = (growth_per_s or {}).get(side, np.full(len(SEGMENTS), ADULT_PER_S))
        times = np.exp(WINDOW_S * np.fmax(rates - ADULT_PER_S, 0.0)).clip(max=MOST_TIMES)
        limits = dict(zip(SEGMENTS, rules["closure-window"].bound * times, strict=True))
        findings += accelerations_differ(side, leg, rules)
        for segment, joint in zip(SEGMENTS, JOINTS, strict=True) if not vendor else ():
            where = {"side": side, "joint": joint}
            scope, balance = f"{side} {segment}", leg.energy[segment]
            limit = float(limits[segment])
            findings += windows_drift(scope, leg.closure[segment], where, rules, limit)
            findings += power_is_off(scope, balance, where, rules, coarse)
    return findings


def growth_rates(result: Processed) -> dict[str, Array]:
    """Return the rates at which an error grows in the segments of each leg, shape (3,), 1/s.

    It is sqrt(M g L / I) with the body mass M, the segment's length L and its largest moment of
    inertia I.
    """
    weight, rates = STANDARD_GRAVITY * (result.subject.mass_kg or np.nan), dict[str, Array]()
    for side, leg in result.sides.items():
        if leg.kinetics is not None:
            inertia = leg.kinetics.loads.chain.inertia_S
            principal = np.einsum("...ii->...i", inertia).reshape(-1, len(SEGMENTS), 3)
            lengths = np.asarray(result.calibration.lengths_m[side])
            rates[side] = np.sqrt(weight * lengths / np.fmax.reduce(principal.max(axis=-1)))
    return rates


def accelerations_differ(side: str, leg: LegAudit, rules: Rules) -> Findings:
    """Return a finding if forward dynamics of a frame does not reproduce its accelerations."""
    rule = rules["closure-frame"]
    value = float(np.fmax(leg.acceleration_m_s2, leg.angular_acceleration_rad_s2))
    if value > rule.bound:
        message = f"{side}: accelerations from the loads differ by {value:.1g} (m/s2, rad/s2)"
        yield rule.found(side, message, value, side=side)


def windows_drift(
    scope: str, drift: Drift, where: dict[str, str], rules: Rules, limit: float
) -> list[Finding]:
    """Return a finding if windows of forward dynamics leave the measured motion."""
    if not drift.largest_deg > limit:
        return []
    message = (
        f"{scope}: motion integrated from the loads over 50 ms ends up to"
        f" {two_digits(drift.largest_deg)} deg off (of {drift.windows} windows): the markers jump,"
        " or loads and motion disagree"
    )
    rule = rules["closure-window"]
    return [rule.found(scope, message, drift.largest_deg, limit=limit, **where)]


_POWER_WORDS = {
    "energy-balance": "{watt} W of power have no source, {share:.0f} % of what passes through the"
    " joint: the markers jump, or loads and motion disagree",
    "energy-slip": "joint centres that slip against the segment make {watt} W, {share:.0f} % of"
    " what passes through the joint",
}


def power_is_off(
    scope: str, balance: PowerBalance, where: dict[str, str], rules: Rules, coarse: float
) -> Findings:
    """Return a finding each on power without a source and on power that slipping centres make."""
    if not balance.throughput_w > LEAST_W:
        return
    sizes = (("energy-balance", balance.rest_w, coarse), ("energy-slip", balance.rms_w, 1.0))
    for code, watt, times in sizes:
        share, limit = watt / balance.throughput_w, times * rules[code].bound
        if share > limit:
            words = _POWER_WORDS[code].format(watt=two_digits(watt), share=100 * share)
            yield rules[code].found(scope, f"{scope}: {words}", share, limit=limit, **where)
