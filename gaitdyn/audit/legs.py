"""The audit of a whole trial: the loads of every leg with kinetics, solved a second time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gaitdyn.audit.closure import WINDOW_S, accelerations_back, window_drifts
from gaitdyn.audit.energy import power_residuals
from gaitdyn.audit.mechanism import third_opinion
from gaitdyn.core.percentiles import percentiles
from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.stacked import AT_ONCE, StackedSystem, solve_stacked, stacked_system
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.audit import Drift, LegAudit, PowerBalance
from gaitdyn.types.frozen import by_name
from gaitdyn.types.loads import JointLoads
from gaitdyn.types.motion import SEGMENTS
from gaitdyn.types.result import Processed

SPLINE_ENDS = 2
"""Frames at either end of a run of known loads that the energy balance leaves out."""


def audit_of(result: Processed) -> dict[str, LegAudit]:
    """Return the audit of each leg that has kinetics; empty if the options turn it off.

    It is computed once, on the first call: it takes a quarter of the time of a trial in memory.
    """
    return result.once("audit", lambda: _audit(result) if result.options.audit else {})


def _audit(result: Processed) -> dict[str, LegAudit]:
    legs: dict[str, tuple[JointLoads, Mask]] = {}
    for side, leg in result.sides.items():
        if leg.kinetics is not None:
            loads = leg.kinetics.loads
            if result.pose.planar:  # the components outside the plane were removed from them
                loads = joint_loads(loads.chain)
            legs[side] = loads, leg.kinetics.published
    return dict(zip(legs, audit_legs(list(legs.values()), result.recording.rate_hz), strict=True))


def audit_legs(legs: Sequence[tuple[JointLoads, Mask]], rate_hz: float) -> list[LegAudit]:
    """Return second opinion, closure and energy audit of the legs of one trial.

    Parameters
    ----------
    legs : sequence of (JointLoads, array of bool, shape (n, 3))
        With the frames in which the load of each joint may be shown.
    rate_hz : float
    """
    drifts = window_drifts(legs, rate_hz)
    each = zip(legs, power_residuals([loads for loads, _ in legs], rate_hz), drifts, strict=True)
    return [_leg(*leg, np.stack(power), leg_drifts) for leg, power, leg_drifts in each]


def _leg(
    loads: JointLoads, published: Mask, powers: Array, drifts: Sequence[tuple[Array, Array]]
) -> LegAudit:
    system = stacked_system(loads.chain) if loads.chain.n_frames <= AT_ONCE else None
    linear, angular = accelerations_back(loads, system)
    compared = published & within_runs(np.asarray(np.isfinite(powers).all(axis=0)))
    balances = [power_balance(*powers[:, rows, i]) for i, rows in enumerate(compared.T)]
    return LegAudit(
        second_opinion(loads, system),
        linear,
        angular,
        {name: drift(*ends) for name, ends in zip(SEGMENTS, drifts, strict=True)},
        dict(zip(SEGMENTS, balances, strict=True)),
    )


def within_runs(known: Mask) -> Mask:
    """Return the known rows except the first and last ones of each run.

    The rate of change of the energy is the derivative of a spline, which is free at its ends: there
    the balance shows the spline, not the loads.

    Parameters
    ----------
    known : array of bool, shape (n, s)

    Examples
    --------
    >>> within_runs(np.array([[True] * 6 + [False] + [True] * 4]).T)[:, 0].astype(int)
    array([0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0])
    """
    wide, n = np.pad(known, ((SPLINE_ENDS, SPLINE_ENDS), (0, 0))), len(known)
    return np.logical_and.reduce([wide[i : i + n] for i in range(2 * SPLINE_ENDS + 1)])


def drift(angle_deg: Array, distance_mm: Array) -> Drift:
    """Return the summary of the window ends of a segment."""
    if not angle_deg.size:
        return Drift(0, *[float("nan")] * 6)
    turned, moved = (percentiles(ends, 50, 95, 100) for ends in (angle_deg, distance_mm))
    return Drift(angle_deg.size, *turned, *moved)


def power_balance(residual_w: Array, proximal_w: Array, slip_w: Array) -> PowerBalance:
    """Return the summary of the powers of a segment, shape (n,) each; NaN is ignored."""
    known = np.isfinite(residual_w + proximal_w + slip_w)
    if not known.any():
        return PowerBalance(0, *[float("nan")] * 4)
    missing = residual_w[known]
    rms = [
        float(np.sqrt(np.mean(power**2)))
        for power in (missing, missing + slip_w[known], proximal_w[known])
    ]
    return PowerBalance(missing.size, rms[0], float(np.abs(missing).max()), *rms[1:])


def audit_document(result: Processed) -> dict[str, Any] | None:
    """Return the audit as written to ``result.json``; None without kinetics or if turned off."""
    legs = audit_of(result)
    if not legs:
        return None

    def largest(name: str) -> float:
        return float(np.fmax.reduce([getattr(leg, name) for leg in legs.values()]))

    return {
        "second_opinion": largest("second_opinion"),
        "third_opinion": third_opinion(result),
        "closure": {
            "window_s": WINDOW_S,
            "acceleration_m_s2": largest("acceleration_m_s2"),
            "angular_acceleration_rad_s2": largest("angular_acceleration_rad_s2"),
            **{side: {n: by_name(d) for n, d in leg.closure.items()} for side, leg in legs.items()},
        },
        "energy": {
            side: {name: by_name(balance) for name, balance in leg.energy.items()}
            for side, leg in legs.items()
        },
    }


def second_opinion(loads: JointLoads, system: StackedSystem | None = None) -> float:
    """Return the largest difference of the loads from one stacked solution per frame.

    Parameters
    ----------
    loads : JointLoads
        Solved by substitution.
    system : StackedSystem, optional
        Of their chain, if already computed.

    Returns
    -------
    float
        Of forces relative to the largest force, or of moments relative to the largest moment,
        whichever is larger, where both solutions are known; NaN if they never are.
    """
    worst = np.nan
    for load, solved in zip(
        (loads.force_G, loads.moment_S), solve_stacked(loads.chain, system), strict=True
    ):
        known = np.isfinite(load) & np.isfinite(solved)
        if known.any():
            scale = np.abs(solved[known]).max() or 1.0
            worst = np.fmax(worst, np.abs(load[known] - solved[known]).max() / scale)
    return float(worst)
