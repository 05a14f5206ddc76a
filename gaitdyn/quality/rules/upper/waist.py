"""A rule on the waist: its load from feet and plates is that from hands and head.

The two differ by the moment that the whole body lacks: a force that acts 50 mm aside lacks 0.5 N m
per kg. In 7 untouched trials with markers of the whole body their difference about the walking
direction is at most 0.20 N m/kg (root mean square), and about the axis to the right its mean is
-0.41 to -0.02 N m/kg, because the mass of the trunk is taken too far ahead.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gaitdyn.kinematics.angles import ahead_of
from gaitdyn.quality.rules.steps import to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.quality.rules.upper.markers import upper_marker_rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed

SHORTEST_S = 0.5
"""Least time in which the whole load is known."""

VENDOR = "plug-in-gait"
"""The profile whose masses of the trunk are others."""


def waist_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the loads from below and above differ at the waist more than usual.

    Markers of trunk and arms that are in doubt explain the difference: they have their own finding.
    In the plane of the walk a heavy trunk does as well, so that the finding is information there.
    """
    rule, (aside, along) = rules["waist-closure"], lacking(result)
    usual = 0.5 * ((rule.low or 0.0) + rule.bound)
    cause, heavy = "place or moments of a plate or markers of trunk and arms are wrong", False
    if aside > (rule.least or np.inf):
        size, limit = aside, rule.least
        plane = f"{aside:.2f} N m/kg about the walking direction (limit {rule.least:g})"
    elif rule.beyond(along):
        size, limit = along, rule.low if along < usual else rule.limit
        plane = f"{along:+.2f} N m/kg about the axis to the right ({rule.low:g} to {rule.limit:g})"
        cause, heavy = f"{cause}, or the trunk is heavier or further ahead than usual", True
    else:
        return []
    if any(finding.level != "info" for finding in upper_marker_rules(result, rules)):
        return []
    message = (
        f"waist: the moment from feet and plates differs from that from hands and head by {plane}:"
        f" {cause}"
    )
    found = rule.found("waist", message, size, limit=limit)
    return [replace(found, level="info") if heavy else found]


def lacking(result: Processed) -> tuple[float, float]:
    """Return the moment that the body lacks, N m/kg.

    Returns
    -------
    aside, along : float
        Root mean square about the walking direction, and mean about the axis to the right; NaN
        without markers of the whole body, mass or plates, and on belts.
    """
    upper, mass = result.upper, result.subject.mass_kg
    moment: Array | None = None if upper is None else upper.closure_moment_G
    if moment is None or not mass or result.belts or result.options.profile == VENDOR:
        return np.nan, np.nan
    known = np.isfinite(moment).all(axis=1)
    if known.sum() < SHORTEST_S * result.recording.rate_hz:
        return np.nan, np.nan
    ahead = ahead_of(result.pose)
    axes = np.stack((ahead, to_right(ahead)), axis=-2)
    about = (axes @ moment[..., None])[known, :, 0] / mass
    return float(np.sqrt((about[:, 0] ** 2).mean())), float(about[:, 1].mean())
