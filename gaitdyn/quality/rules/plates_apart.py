"""Rules on one plate against the others: its time and its gain.

The whole vertical force is m (g + a) in every frame, so that the plates weigh the same body in
turns. The acceleration of the pelvis, plus gravity, is fitted with the force of each plate and its
rate of change. A plate with the gain k enters with 1 / (k m), and one whose samples are late needs
its rate of change times the delay. Plates are compared with each other, which needs no mass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.quality.rules.body_motion import long_runs
from gaitdyn.quality.rules.steps import steps
from gaitdyn.quality.rules.timing import ALIKE

if TYPE_CHECKING:
    from gaitdyn.quality.rules.body_motion import PlateSupport
    from gaitdyn.quality.rules.table import Rules
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.findings import Finding
    from gaitdyn.types.result import Processed

MEAN_S = 0.04
"""Averaging time of force and acceleration."""


def plates_apart(result: Processed, rules: Rules) -> list[Finding]:
    """Return the findings on a plate whose time or gain differs from that of the others.

    Parameters
    ----------
    result : Processed
    rules : Rules
    """
    long = long_runs(result)
    fit = fitted_plates(result, max(long, key=lambda run: len(run.force))) if long else {}
    if len(fit) < 2:  # noqa: PLR2004  one plate has no others
        return []
    findings: list[Finding] = []
    plate, late = _furthest({plate: lag for plate, (_, lag) in fit.items()})
    rule = rules["plate-delayed"]
    if abs(late) > rule.bound:
        message = (
            f"the force of {plate} {'lags' if late > 0 else 'leads'} that of the other plates by"
            f" {1000 * abs(late):.0f} ms, judging by the motion of the pelvis"
        )
        findings.append(rule.found(plate, message, abs(late)))
    plate, more = _furthest({plate: gain for plate, (gain, _) in fit.items()})
    rule = rules["plate-unlike"]
    if abs(more) > rule.bound:
        message = (
            f"the force of {plate} is {abs(more):.0%} too {'large' if more > 0 else 'small'} beside"
            " that of the other plates, judging by the motion of the pelvis: the gain of one of"
            " them is wrong, or a part of the load is not on them"
        )
        findings.append(rule.found(plate, message, abs(more)))
    return findings


def _furthest(values: dict[str, float]) -> tuple[str, float]:
    """Return the plate whose value differs most from the mean of the others, and by how much."""
    whole, others = sum(values.values()), len(values) - 1
    apart = {plate: value - (whole - value) / others for plate, value in values.items()}
    return max(apart.items(), key=lambda item: (round(abs(item[1]), 6), abs(values[item[0]])))


def fitted_plates(result: Processed, run: PlateSupport) -> dict[str, tuple[float, float]]:
    """Return the gain of each plate and its lag behind the pelvis, s.

    Parameters
    ----------
    result : Processed
    run : PlateSupport

    Returns
    -------
    dict
        Plate, or the plates under one step, in words -> gain as a share of the mean gain of all,
        lag. Empty if the plates cannot be told apart, or their force does not follow the pelvis.
    """
    rate = result.recording.rate_hz
    own: dict[str, Array] = {}
    for step in steps(result):
        if step.start < run.stop and step.stop > run.start:
            force = own.setdefault(step.plates, np.zeros(result.recording.n_frames))
            force[step.start : step.stop] += step.force_G[:, 1]
    forces = [_smooth(force[run.start : run.stop], rate) for force in own.values()]
    motion = STANDARD_GRAVITY + _smooth(run.acceleration, rate)
    terms = np.column_stack((*forces, *(np.gradient(force, 1 / rate) for force in forces)))
    fit, _, rank, _ = np.linalg.lstsq(terms, motion, rcond=None)
    if rank < len(fit) or not np.corrcoef(terms @ fit, motion)[0, 1] >= ALIKE:
        return {}
    by_weight, by_change = fit.reshape(2, -1)
    gains = 1.0 / by_weight
    pairs = zip(gains / gains.mean(), by_change / by_weight, strict=True)
    return {plate: (float(gain), float(lag)) for plate, (gain, lag) in zip(own, pairs, strict=True)}


def _smooth(signal: Array, rate_hz: float) -> Array:
    """Return a signal averaged over 40 ms, without its ends."""
    width = 2 * int(MEAN_S * rate_hz / 2) + 1
    return np.convolve(signal, np.ones(width) / width, "valid")
