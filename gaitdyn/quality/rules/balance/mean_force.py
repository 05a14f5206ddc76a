"""Rules on the mean horizontal force: over a run it is the mass times the change in velocity.

A twentieth of the weight in a horizontal channel changes the speed of a walk by half a metre per
second in each second. The velocity is that of the body as far as the legs show it. Plates that lie
in opposite directions may cancel, so that each plate is also judged by itself: the velocity that
the forces do not explain, against the load that each plate has carried until then.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.balance.momentum import (
    body_centre,
    fit_by_plates,
    moving_runs,
    plate_forces,
)
from gaitdyn.quality.rules.steps import to_right
from gaitdyn.quality.rules.table import Rules
from gaitdyn.types.arrays import Array
from gaitdyn.types.findings import Findings
from gaitdyn.types.result import Processed

ENDS = 3
"""Frames at either end of a run whose mean velocity counts."""

FITS_M_S, CARRIED_S = 0.05, 0.2
"""Largest standard deviation of the velocity about the fit of the plates; least time for which a
plate carries the whole body in a run, or its equal, to be judged."""


def mean_force_rules(result: Processed, rules: Rules) -> Findings:
    """Return findings if forces would change the speed otherwise than it changes; not on belts."""
    ahead = result.pose.walking_G
    if result.belts or len(result.feet) < 2:  # noqa: PLR2004  a belt may be inclined
        return
    sideways = to_right(ahead)
    ways = {"along the walk": ahead, "sideways": sideways}
    rule, why = rules["force-against-speed"], (
        "a channel has an offset or a part of another channel, or axes are tilted"
    )  # fmt: skip
    for words, way in ways.items():
        shares = vertical_shares(result, way)
        told = {plates: share for plates, share in shares.items() if abs(share) > (rule.least or 1)}
        for plates, share in told.items():
            message = (
                f"{plates}: its force {words} contains {100 * abs(share):.1f} % of its vertical"
                f" force, as the velocity of the body shows: {why}"
            )
            yield rule.found(plates, message, abs(share), limit=rule.least)
        off = acceleration_error(result, way)
        if not told and abs(off) > rule.bound:
            message = (
                f"the forces {words} would change the speed by {abs(off):.2f} m/s more in each"
                f" second than it changes: {why}, or somebody pushes or pulls"
            )
            yield rule.found("plates", message, abs(off))


def acceleration_error(result: Processed, way: Array) -> float:
    """Return the mean acceleration by the forces less that of the body, m/s2.

    Parameters
    ----------
    result : Processed
    way : array, shape (3,)
        Horizontal direction.

    Returns
    -------
    float
        NaN without a run of 0.8 s in which the whole force is known.
    """
    gained, lasted, rate = 0.0, 0.0, result.recording.rate_hz
    for run, velocity in moving_runs(result, body_centre(result) @ way):
        time = len(velocity) / rate
        force = sum(force @ way for force in plate_forces(result, run).values())
        gained += float(np.mean(force)) * STANDARD_GRAVITY / float(run.force.mean()) * time
        gained -= float(velocity[-ENDS:].mean() - velocity[:ENDS].mean())
        lasted += time
    return gained / lasted if lasted else float("nan")


def vertical_shares(result: Processed, way: Array) -> dict[str, float]:
    """Return the share of the vertical force that each plate shows in a horizontal direction.

    Parameters
    ----------
    result : Processed
    way : array, shape (3,)

    Returns
    -------
    dict
        Plates in words -> share, for the plates of runs in which forces and velocity agree.
    """
    rate, found = result.recording.rate_hz, dict[str, float]()
    for run, velocity in moving_runs(result, body_centre(result) @ way):
        forces, mass = plate_forces(result, run), float(run.force.mean()) / STANDARD_GRAVITY
        carried = [np.cumsum(force[:, 1]) / rate / mass for force in forces.values()]
        given = np.sum([np.cumsum(force @ way) for force in forces.values()], axis=0) / rate / mass
        shares, fitted = fit_by_plates(velocity - given, carried)
        if shares is not None and float(np.std(velocity - given - fitted)) < FITS_M_S:
            found |= {
                plates: -float(share)
                for plates, share, load in zip(forces, shares, carried, strict=True)
                if load[-1] >= CARRIED_S * STANDARD_GRAVITY
            }
    return found
