"""Rules on the loads: mass against force, peak force of steps, devices."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.balance.body_motion import LONG_S, PlateSupport, long_runs
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES

MASS = "mass_kg"
"""Scope of a body mass that is wrong: a file states the one that the plates carry."""

EARLY_S, LATE_S = 0.08, 0.03
"""Foot-offs found from markers are up to 70 ms early and strikes up to 30 ms late, by the events of
files: a foot beside the plates may still, or already, carry a part of the body."""


def mass_and_force_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on mass, peak forces and devices."""
    return [*force_of_walking(result, rules), *peak_force(result, rules), *devices(result, rules)]


def force_of_walking(result: Processed, rules: Rules) -> Findings:
    """Return findings if the force in walking does not fit the mass or the force in the static.

    Over a run in which all standing feet are on plates, the mean vertical force is
    m (g + mean acceleration of the centre of mass). The acceleration of the pelvis is used. Without
    a mass, the finding says what this one would be.
    """
    mass, standing_n = result.subject.mass_kg, result.static_force_n
    if mass is not None and result.no_kinetics:
        return
    carried = carried_in_walking(result)
    if carried is None:
        if standing_n is None and mass is not None:
            yield _without_reference(rules)
        return
    weighed, lasted = carried
    if mass is None:
        message = (
            f"the plates carry {weighed:.1f} kg over {lasted:.1f} s of walking: if the person used"
            f" no aid and cannot be weighed, --mass {weighed:.1f} is right to about 5 %"
        )
        yield rules["mass-from-walking"].found("subject", message, weighed)
        return
    off, rule = weighed / mass - 1.0, rules["force-against-mass"]
    if abs(off) > rule.bound:
        others = stated_masses(result, weighed, rules)
        cause = f"the mass or the gain is wrong{_beside(off)}"
        message = (
            f"body mass {mass:.1f} kg, but the plates carry {weighed:.1f} kg over {lasted:.1f} s of"
            f" walking ({100 * off:+.0f} %)"
        )
        message += f", and {others}: the mass is wrong" if others else f": {cause}"
        yield rule.found(MASS if others else _doubted(off), message, abs(off))
    if standing_n is None:
        return
    standing = standing_n / STANDARD_GRAVITY
    off, rule = weighed / standing - 1.0, rules["force-against-static"]
    if abs(off) > rule.bound:
        message = (
            f"the plates carry {weighed:.1f} kg over {lasted:.1f} s of walking, but {standing:.1f}"
            f" kg in the static ({100 * off:+.0f} %){_taken(result)}: the gain is wrong in one of"
            f" them{_beside(off) or ', or a foot stood partly beside the plates in the static'}"
        )
        yield rule.found(_doubted(off), message, abs(off))


class Carried(NamedTuple):
    """The mass that the plates carry over a run of walking, and how long the run is."""

    kg: float
    seconds: float


def carried_in_walking(result: Processed) -> Carried | None:
    """Return the mass that the plates carry over the longest run; None without a long one."""
    return result.once("carried in walking", lambda: _carried(result))


def _carried(result: Processed) -> Carried | None:
    rate = result.recording.rate_hz
    long = [_certain(result, x) for x in long_runs(result) or long_runs(result, partial=True)]
    long = [run for run in long if len(run.force) >= LONG_S * rate]
    if not long:
        return None
    run = max(long, key=lambda run: len(run.force))
    weighed = float(run.force.mean() / (STANDARD_GRAVITY + run.acceleration.mean()))
    return Carried(weighed, len(run.force) / rate)


def stated_masses(result: Processed, weighed: float, rules: Rules) -> str:
    """Return which files state the mass that the plates carry instead of the one that is used."""
    files = {"static": result.static, "trial": result.recording}
    stated = {name: file.subject.mass_kg for name, file in files.items() if file is not None}
    bound = rules["force-against-mass"].bound
    near = {name: m for name, m in stated.items() if m and abs(m / weighed - 1.0) <= bound}
    if not near:
        return ""
    masses = " and ".join(f"{mass:.1f}" for mass in dict.fromkeys(near.values()))
    return f"the {' and the '.join(near)} state{'s' * (len(near) == 1)} {masses} kg"


def _taken(result: Processed) -> str:
    """Return that the mass is the static's, if it is."""
    own = result.subject.sources.get("mass_kg") == "static force"
    return ", whose mass is used" if own else ""


def _certain(result: Processed, run: PlateSupport) -> PlateSupport:
    """Return a run without the ends at which a foot may stand beside the plates."""
    if all(event.source != "kinematic" for event in result.events):
        return run
    rate = result.recording.rate_hz
    inner = slice(round(EARLY_S * rate), len(run.force) - round(LATE_S * rate))
    return replace(run, force=run.force[inner], acceleration=run.acceleration[inner])


def _doubted(off: float) -> str:
    """Return the scope in doubt: a foot off the plates makes them carry less, never more."""
    return "subject" if off < 0 else "plates"


def _beside(off: float) -> str:
    return ", a foot stands beside the plates, or an aid carries the rest" if off < 0 else ""


def _without_reference(rules: Rules) -> Finding:
    message = (
        "no static on plates and no long walk on plates: a wrong mass or wrongly scaled forces"
        " cannot be detected"
    )
    return rules["no-force-reference"].found("subject", message)


def peak_force(result: Processed, rules: Rules) -> Findings:
    """Return a finding for each step whose peak force is outside the range of walking."""
    rule, mass = rules["peak-force"], result.subject.mass_kg
    for step in steps(result) if mass else ():
        peak = float(step.force_G[:, 1].max()) / (STANDARD_GRAVITY * (mass or np.nan))
        low = rule.low if rule.low is not None and step.whole else -np.inf
        if not low <= peak <= rule.bound:
            message = (
                f"{step.plates}: the {step.side} step peaks at {peak:.2f} of the body weight"
                f" (usual {rule.low:g} to {rule.bound:g}): mass or gain is wrong, or a foot is"
                " partly beside the plate"
            )
            yield rule.found(step.plates, message, peak, **step.when(result))


def devices(result: Processed, rules: Rules) -> list[Finding]:
    """Return a finding for each side with a device named in the subject file."""
    named = [(side, result.subject.leg(side).device) for side in SIDES]
    return [
        rules["device"].found(
            side,
            f"{side}: {device}, according to the subject file; its mass and what it carries are"
            " not in the model, interpret the kinetics of this side with care",
            side=side,
        )
        for side, device in named
        if device
    ]
