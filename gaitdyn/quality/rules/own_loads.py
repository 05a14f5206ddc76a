"""Rules of the audit: do the found loads give the measured motion back, is their work accounted.

The profile plug-in-gait is held to the first rule alone: the vendor's angular velocity is the turn
over four frames and its accelerations come from another spline, so its loads are those of a
motion beside the one it shows (docs/audit.md).
"""

from __future__ import annotations

import numpy as np

from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.audit import Drift, LegAudit, PowerBalance
from gaitdyn.types.findings import Finding
from gaitdyn.types.motion import JOINTS, SEGMENTS

LEAST_W = 1.0
"""Power through a joint below which a share of it says nothing."""


def audit_rules(legs: dict[str, LegAudit], rules: Rules, profile: str) -> list[Finding]:
    """Return the findings about closure and energy of each leg that was audited.

    Parameters
    ----------
    legs : dict
        Side -> LegAudit, of :func:`gaitdyn.audit.audit_of`.
    rules : Rules
    profile : {"default", "plug-in-gait"}
        The vendor's numerics are held to the accelerations alone.
    """
    vendor = profile == "plug-in-gait"
    found: list[Finding] = []
    for side, leg in legs.items():
        found += accelerations_differ(side, leg, rules)
        for segment, joint in zip(SEGMENTS, JOINTS, strict=True) if not vendor else ():
            at = {"side": side, "joint": joint}
            found += windows_drift(f"{side} {segment}", leg.closure[segment], at, rules)
            found += power_is_lost(f"{side} {segment}", leg.energy[segment], at, rules)
            found += centres_slip(f"{side} {segment}", leg.energy[segment], at, rules)
    return found


def accelerations_differ(side: str, leg: LegAudit, rules: Rules) -> list[Finding]:
    """Return a finding where forward dynamics of a frame does not give its accelerations back."""
    rule = rules["closure-frame"]
    value = float(np.fmax(leg.acceleration_m_s2, leg.angular_acceleration_rad_s2))
    if not value > rule.bound:
        return []
    message = f"{side}: the loads give accelerations back that differ by {value:.1g} (m/s2, rad/s2)"
    return [rule.found(side, message, value, side=side)]


def windows_drift(scope: str, drift: Drift, at: dict[str, str], rules: Rules) -> list[Finding]:
    """Return a finding where windows of forward dynamics leave the measured motion."""
    rule = rules["closure-window"]
    if not drift.largest_deg > rule.bound:
        return []
    message = (
        f"{scope}: motion integrated from the loads over 50 ms ends up to {drift.largest_deg:.2g}"
        f" deg off (of {drift.windows} windows): the markers jump, or loads and motion disagree"
    )
    return [rule.found(scope, message, drift.largest_deg, **at)]


def power_is_lost(
    scope: str, balance: PowerBalance, at: dict[str, str], rules: Rules
) -> list[Finding]:
    """Return a finding where power is left over that no slipping joint centre explains."""
    rule = rules["energy-balance"]
    share = balance.rest_w / balance.throughput_w if balance.throughput_w > LEAST_W else 0.0
    if not share > rule.bound:
        return []
    message = (
        f"{scope}: {balance.rest_w:.2g} W of power have no source, {share:.0%} of what passes"
        " through the joint: the markers jump, or loads and motion disagree"
    )
    return [rule.found(scope, message, share, **at)]


def centres_slip(
    scope: str, balance: PowerBalance, at: dict[str, str], rules: Rules
) -> list[Finding]:
    """Return a finding where joint centres that slip against the segment make much power."""
    rule = rules["energy-slip"]
    share = balance.rms_w / balance.throughput_w if balance.throughput_w > LEAST_W else 0.0
    if not share > rule.bound:
        return []
    message = (
        f"{scope}: joint centres that slip against the segment make {balance.rms_w:.2g} W,"
        f" {share:.0%} of what passes through the joint"
    )
    return [rule.found(scope, message, share, **at)]
