"""Rules on the consistency of a plate: moments that fit the forces, channels without noise."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.baseline import plates_of
from gaitdyn.core.rotations import cross
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.quality.rules.markers.noise import ORDER, noises
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Places
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding, Findings
from gaitdyn.types.result import Processed
from gaitdyn.types.wrench import PlateWrench

LOADED_N, SHORTEST_S = 150.0, 0.15
"""A free moment is checked while the plate carries 150 N or more, for at least 0.15 s."""

TURNING_M, ALIKE = 0.011, 0.9
"""The slope is used only if the moment of the shear forces about the plate's centre has an SD of
the mean load times 11 mm (7 N m at 65 kg), and the free moment correlates with it by 0.9. A healthy
free moment grows with the load, and its slope against a smaller moment is up to 2."""

LEAST_SAMPLES, LEAST_RATE_HZ = 50, 200.0


def gain_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on plates whose moments, shear forces or samples are inconsistent."""
    findings: list[Finding] = []
    for plate in plates_of(result):
        contacts = [c for c in result.contacts if c.plate == plate.number and c.accepted]
        if contacts and not plate.virtual:
            findings += _twist_follows(result, plate, contacts, rules)
            findings += _noisy(result, plate.number, max(contacts, key=lambda c: c.peak_N), rules)
    return findings


def _twist_follows(
    result: Processed, plate: PlateWrench, contacts: list[Contact], rules: Rules
) -> list[Finding]:
    """Return a finding if the free moment of a plate follows the moment of its shear forces."""
    rule, loaded = rules["twist-with-shear"], plate.force_G @ plate.normal_G > LOADED_N
    for contact in contacts:
        rows = np.flatnonzero(loaded[contact.start : contact.stop]) + contact.start
        if len(rows) < SHORTEST_S * result.recording.rate_hz:
            continue
        slope = free_moment_slope(plate, rows)
        if not abs(slope) > rule.bound:
            continue
        scope = f"plate {plate.number}"
        message = (
            f"{scope}: the free moment is {slope:+.2f} of the moment of the shear forces about the"
            " plate's centre: the gain of its vertical moment or of a shear force is wrong"
        )
        where = {"side": contact.side, **times(result, contact.start, contact.stop)}
        return [rule.found(scope, message, abs(slope), **where)]
    return []


def free_moment_slope(plate: PlateWrench, rows: Places) -> float:
    """Return the slope of the free moment against the moment of the shear forces.

    The vertical moment about the plate's centre is the sum of the moment of the shear forces at the
    centre of pressure and the free moment. If their gains differ, the difference appears in the
    free moment.

    Parameters
    ----------
    plate : PlateWrench
    rows : array of int
        Loaded rows.

    Returns
    -------
    float
        0 if the moment of the shear forces is too small, or the free moment does not follow it.
    """
    force, moment, up = plate.force_G[rows], plate.moment_G[rows], plate.normal_G
    arm = centre_of_pressure(force, moment, np.zeros(3), up)  # from the plate's centre
    turn = cross(arm, force) @ up
    twist = moment @ up - turn
    turn, twist = turn - turn.mean(), twist - twist.mean()
    size, twisting = float(np.sqrt((turn**2).mean())), float(np.sqrt((twist**2).mean()))
    if not size > TURNING_M * float((force @ up).mean()) or not twisting > 0:
        return 0.0
    slope = float((turn * twist).mean()) / size**2
    return slope if abs(slope) * size > ALIKE * twisting else 0.0


def _noisy(result: Processed, number: int, step: Contact, rules: Rules) -> Findings:
    """Return the findings on the sample-to-sample noise of a loaded plate."""
    per = result.recording.samples_per_frame
    record = next(p for p in result.recording.plates if p.number == number)
    loaded = record.channels[step.start * per : step.stop * per]
    if len(loaded) < LEAST_SAMPLES or result.recording.rate_hz * per < LEAST_RATE_HZ:
        return
    noise = noises(np.diff(loaded, n=ORDER, axis=0)[:, :, None])
    change = float(np.ptp(loaded[:, 2]))
    peak = max(change, step.peak_N) if change else np.inf  # no change, no noise
    scope = f"plate {number}"
    values = {"plate-noise": float(noise[2]) / peak, "cop-noise": float(noise[3:5].max()) / peak}
    words = {
        "plate-noise": f"the vertical force jumps by {noise[2]:.0f} N (SD) from sample to sample",
        "cop-noise": (
            f"moments jump by {noise[3:5].max():.1f} N m (SD) from sample to sample, the centre of"
            f" pressure by {1000 * values['cop-noise']:.0f} mm"
        ),
    }
    for code, value in values.items():
        if value > rules[code].bound:
            where = {"side": step.side, **times(result, step.start, step.stop)}
            yield rules[code].found(scope, f"{scope}: {words[code]}", value, **where)
