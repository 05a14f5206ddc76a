"""Find and empty loads of waist, neck and arms that are impossible in the task."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.core.rotations import lengths
from gaitdyn.core.runs import widened
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Mask
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed
    from gaitdyn.types.upper import JointWrench, UpperBody

_OF_LEGS = ("moment-implausible", "power-implausible", "force-implausible")
"""Rules of the legs whose limits also apply here: hips carry the whole body, arms a twentieth."""

UPPER = "upper-load-implausible"
"""The rule that tells of them: with another limit they are emptied from there, switched off not at
all."""

ANYWAY = "; published anyway (--publish-anyway)"

SPREAD_S = 0.3
"""Loads within this time of an impossible one are emptied: a filtered jump spreads that far."""


def implausible(joint: JointWrench, mass_kg: float, rules: Rules) -> tuple[float, Mask]:
    """Return the largest load as a share of its limit for legs, and the frames too far beyond it.

    These are a mask of shape (n,).
    """
    sizes = lengths(joint.moment_G), np.abs(joint.power), lengths(joint.force_G)
    parts = [
        np.where(joint.published & np.isfinite(size), size / mass_kg / rules[code].bound, 0.0)
        for code, size in zip(_OF_LEGS, sizes, strict=True)
    ]
    share = np.max(parts, axis=0)
    return float(share.max(initial=0.0)), share > rules[UPPER].bound


def upper_load_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each joint above the hips whose loads are impossible in the task."""
    upper, mass, rule = result.upper, result.subject.mass_kg, rules[UPPER]
    rules = rules.of_task(result.task)
    done = ANYWAY if result.options.publish_anyway else "; left empty"
    findings: list[Finding] = []
    for name, joint in upper.joints.items() if upper is not None and mass else ():
        share, beyond = implausible(joint, mass or np.nan, rules)
        if not beyond.any():
            continue
        scope = name.replace("_", " ")
        where = {"side": side} if (side := scope.split(" ")[0]) in SIDES else {}
        message = (
            f"{scope}: loads up to {share:.1f} times what a joint of the legs has, in"
            f" {beyond.sum()} of {joint.published.sum()} frames{done}"
        )
        findings.append(rule.found(scope, message, share, **where))
    count = int(_open(upper, mass, rules).sum()) if upper is not None and mass else 0
    if count:
        where = f"{counted(count, 'frame')}{done}"
        message = f"waist: the loads from below and above do not meet in {where}"
        findings.append(rule.found("waist", message))
    return findings


def plausible_upper(upper: UpperBody, result: Processed, rules: Rules) -> UpperBody:
    """Return the upper body without impossible loads and without those within 0.3 s of them."""
    mass, rules = result.subject.mass_kg, rules.of_task(result.task)
    if result.options.publish_anyway or not mass or rules[UPPER].level == "off":
        return upper
    reach, joints = round(SPREAD_S * result.recording.rate_hz), dict(upper.joints)
    for name, joint in joints.items():
        _, beyond = implausible(joint, mass, rules)
        if beyond.any():
            joints[name] = replace(joint, published=joint.published & ~widened(beyond, reach))
    force, moment = upper.closure_force_G, upper.closure_moment_G
    if force is not None and moment is not None:
        keep = np.where(widened(_open(upper, mass, rules), reach), np.nan, 1.0)[:, None]
        force, moment = force * keep, moment * keep
    return replace(upper, joints=joints, closure_force_G=force, closure_moment_G=moment)


def _open(upper: UpperBody, mass_kg: float, rules: Rules) -> Mask:
    """Return the frames in which the closure error at the waist exceeds any load of the task."""
    beyond = np.zeros(len(upper.pose.R_GT), bool)
    parts = ((_OF_LEGS[0], upper.closure_moment_G), (_OF_LEGS[2], upper.closure_force_G))
    for code, values in parts:
        if values is not None:
            with np.errstate(invalid="ignore"):
                beyond |= lengths(values) / mass_kg > rules[code].bound
    return beyond
