"""Rules on the pelvis: markers that form a pelvis, and its level in trial and static."""

from __future__ import annotations

import numpy as np

from gaitdyn.calibrate.plug_in_gait.markers import sacrum
from gaitdyn.core.medians import known_median
from gaitdyn.core.rotations import cross, dot, lengths, unit
from gaitdyn.quality.rules.markers.placement import median_length
from gaitdyn.quality.rules.markers.static_lines import shows_pelvis, stance_of
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Finding
from gaitdyn.types.recording import Recording
from gaitdyn.types.result import Processed
from gaitdyn.types.trial import Trial
from gaitdyn.types.words import signed


def pelvis_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on the shape of the pelvis and its height on either side."""
    if not shows_pelvis(result.trial):
        return []
    alone = [*tilted(result, rules), *twisted(result, rules), *shape(result, rules)]
    return [*alone, *oblique(result, rules)]


def tilted(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the pelvic tilt is outside the range of walking."""
    rule, side = rules["pelvis-tilted"], next(iter(result.sides.values()))
    tilt = known_median(side.angles["pelvis"][:, 0])
    if not rule.beyond(tilt):
        return []
    message = (
        f"the pelvis is tilted by {tilt:.0f} deg (median, forward +; usual {rule.low:g} to"
        f" {rule.bound:g}): a marker is misplaced"
    )
    return [rule.found("pelvis", message, tilt)]


def twisted(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the line of the PSIS is turned relative to that of the ASIS."""
    rule, angle, static = rules["pelvis-twisted"], twist_deg(result.trial), result.static
    was = np.nan if static is None or not shows_pelvis(static) else twist_deg(static)
    subject = f"seen from the front, the line of the PSIS is turned by {abs(angle):.0f} deg against"
    if abs(angle) > rule.bound:
        message = (
            f"{subject} that of the ASIS (limit {rule.bound:g}): one of the four markers is too"
            " high or too low"
        )
        return [rule.found("pelvis", message, abs(angle))]
    least, turned = rule.least or np.inf, abs(angle - was)
    if static is None or not turned > least:
        return []
    message = (
        f"{subject} that of the ASIS, which is {turned:.0f} deg away from the static"
        f" {static.name} (limit {least:g}): one of the four markers was moved up or down"
    )
    return [rule.found("pelvis", message, turned, limit=least)]


def twist_deg(trial: Trial | Recording) -> float:
    """Return the angle between PSIS and ASIS about the fore-aft axis of the pelvis, deg.

    Returns
    -------
    float
        Median over the trial; NaN without both pairs.
    """
    if not {"LPSI", "RPSI"} <= set(trial.labels):
        return np.nan
    left, right, *back = (trial.marker(x) for x in ("LASI", "RASI", "LPSI", "RPSI"))
    axis = unit(0.5 * (left + right) - 0.5 * (back[0] + back[1]))
    front, rear = (_across(pair, axis) for pair in (right - left, back[1] - back[0]))
    angle = np.arctan2(dot(cross(front, rear), axis), dot(front, rear))
    return float(np.degrees(known_median(angle)))


def _across(line: Array, axis: Array) -> Array:
    return line - dot(line, axis) * axis


def shape(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if the pelvis is too deep or too shallow for its width."""
    rule, trial = rules["pelvis-depth"], result.trial
    left, right = trial.marker("LASI"), trial.marker("RASI")
    depth = median_length(0.5 * (left + right) - sacrum(trial))
    width = median_length(right - left)
    part = depth / width
    if not rule.beyond(part):
        return []
    message = (
        f"the pelvis is {1000 * depth:.0f} mm deep from ASIS to sacrum and {1000 * width:.0f} mm"
        " wide: a marker is misplaced or exchanged"
    )
    return [rule.found("pelvis", message, part)]


def oblique(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding if one ASIS is higher than in the static throughout the trial."""
    stance = stance_of(result)
    if stance is None:
        return []
    rule, trial = rules["pelvis-oblique"], result.trial
    now = _rise_deg(trial.marker("RASI") - trial.marker("LASI"), np.array((0.0, 1.0, 0.0)))
    static = stance.static
    was = _rise_deg(static.marker("RASI") - static.marker("LASI"), stance.up)
    if not abs(now - was) > rule.bound:
        return []
    message = (
        f"the line of the ASIS rises by {signed(now, 0)} deg to the right, by {signed(was, 0)} deg"
        f" in the static {static.name}: one of them was moved"
    )
    return [rule.found("pelvis", message, abs(now - was))]


def _rise_deg(line: Array, up: Array) -> float:
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.degrees(known_median(np.arcsin(line @ up / lengths(line)))))
