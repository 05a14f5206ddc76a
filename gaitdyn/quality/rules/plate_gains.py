"""Rules of a plate against itself: moments that fit the forces, channels without noise."""

from __future__ import annotations

import numpy as np

from gaitdyn.clean.baseline import clean_plate
from gaitdyn.core.rotations import cross
from gaitdyn.events.contacts import centre_of_pressure
from gaitdyn.quality.rules.noise import ORDER, noises
from gaitdyn.quality.rules.steps import times
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Places
from gaitdyn.types.contacts import Contact
from gaitdyn.types.findings import Finding
from gaitdyn.types.result import Processed
from gaitdyn.types.wrench import PlateWrench

LOADED_N, SHORTEST_S = 150.0, 0.15
"""A free moment is looked at where the plate carries so much, for so long or longer."""

TURNING_N_M, ALIKE = 6.0, 0.9
"""The shear forces must turn the foot about the plate's centre by so much (SD), and the free
moment must go with it so well (correlation), before its slope says anything."""

LEAST_SAMPLES, LEAST_RATE_HZ = 50, 200.0


def gain_rules(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings about plates whose moments, shear forces or samples do not fit.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    found: list[Finding] = []
    for plate in result.trial.plates:
        own = [c for c in result.contacts if c.plate == plate.number and c.accepted]
        if own and not plate.virtual:
            found += _twist_follows(result, clean_plate(plate).wrench, own, rules)
            found += _noisy(result, plate.number, max(own, key=lambda c: c.peak_N), rules)
    return found


def _twist_follows(
    result: Processed, plate: PlateWrench, own: list[Contact], rules: Rules
) -> list[Finding]:
    """Return a finding where the free moment of a plate goes with the turn of its shear forces."""
    rule, loaded = rules["twist-with-shear"], plate.force_G @ plate.normal_G > LOADED_N
    for contact in own:
        rows = np.flatnonzero(loaded[contact.start : contact.stop]) + contact.start
        if len(rows) < SHORTEST_S * result.recording.rate_hz:
            continue
        slope = free_moment_slope(plate, rows)
        if not abs(slope) > rule.bound:
            continue
        scope = f"plate {plate.number}"
        message = (
            f"{scope}: the free moment is {slope:+.2f} of what the shear forces turn about the"
            " plate's centre: the gain of its vertical moment or of a shear force is wrong"
        )
        at = {"side": contact.side, **times(result, contact.start, contact.stop)}
        return [rule.found(scope, message, abs(slope), **at)]
    return []


def free_moment_slope(plate: PlateWrench, rows: Places) -> float:
    """Return by how much the free moment changes with the turning moment of the shear forces.

    The vertical moment about the plate's centre is that of the shear forces at the centre of
    pressure and the free moment. Where each is measured with its own gain, the difference of the
    gains goes into the free moment.

    Parameters
    ----------
    plate : PlateWrench
    rows : array of int
        Loaded rows.

    Returns
    -------
    float
        0 where the shear forces turn too little, or the free moment does not go with them.
    """
    force, moment, up = plate.force_G[rows], plate.moment_G[rows], plate.normal_G
    arm = centre_of_pressure(force, moment, np.zeros(3), up)  # from the plate's centre
    turn = cross(arm, force) @ up
    twist = moment @ up - turn
    turn, twist = turn - turn.mean(), twist - twist.mean()
    size, own = float(np.sqrt((turn**2).mean())), float(np.sqrt((twist**2).mean()))
    if not size > TURNING_N_M or not own > 0:
        return 0.0
    slope = float((turn * twist).mean()) / size**2
    return slope if abs(slope) * size > ALIKE * own else 0.0


def _noisy(result: Processed, number: int, step: Contact, rules: Rules) -> list[Finding]:
    """Return the findings about samples of a loaded plate that jump from one to the next."""
    per = result.recording.samples_per_frame
    record = next(p for p in result.recording.plates if p.number == number)
    loaded = record.channels[step.start * per : step.stop * per]
    if len(loaded) < LEAST_SAMPLES or result.recording.rate_hz * per < LEAST_RATE_HZ:
        return []
    noise = noises(np.diff(loaded, n=ORDER, axis=0)[:, :, None])
    peak = float(np.ptp(loaded[:, 2]))
    scope = f"plate {number}"
    found: list[Finding] = []
    values = {
        "plate-noise": float(noise[2]) / peak,
        "cop-noise": float(noise[3:5].max()) / peak,
    }
    words = {
        "plate-noise": f"the vertical force jumps by {noise[2]:.0f} N (SD) from sample to sample",
        "cop-noise": (
            f"moments jump by {noise[3:5].max():.1f} N m (SD) from sample to sample, the centre of"
            f" pressure by {1000 * values['cop-noise']:.0f} mm"
        ),
    }
    for code, value in values.items():
        if value > rules[code].bound:
            at = {"side": step.side, **times(result, step.start, step.stop)}
            found.append(rules[code].found(scope, f"{scope}: {words[code]}", value, **at))
    return found
