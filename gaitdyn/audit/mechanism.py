"""The loads a third time, from generalised coordinates, and the residual of the whole body."""

from __future__ import annotations

from typing import Any

import numpy as np

from gaitdyn.core.runs import blocks_of
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.dynamics.stacked import AT_ONCE
from gaitdyn.dynamics.whole_body import pelvis_motion
from gaitdyn.stages.mechanism import Mechanism, leg_moments, rigid_legs, shown_rows, why_not
from gaitdyn.types.arrays import Array
from gaitdyn.types.generalised import InducedAcceleration
from gaitdyn.types.result import Processed
from gaitdyn.types.subject import SIDES


def third_opinion(result: Processed) -> float:
    """Return the largest difference of the joint moments from those of generalised coordinates.

    Returns
    -------
    float
        Relative to the largest moment, where both are known; NaN if they never are, or if the
        segments do not form a mechanism.
    """
    if why_not(result):
        return float("nan")
    pelvis, worst = pelvis_motion(result.pose, result.recording.rate_hz), np.nan
    for side, leg in rigid_legs(result).items():
        frames = np.flatnonzero(np.isfinite(leg.loads.moment_S).any(axis=(1, 2)))
        off, largest = 0.0, 0.0
        for rows in (frames[block] for block in blocks_of(len(frames), AT_ONCE)):
            moment_S, chain = leg.loads.moment_S[rows], leg.loads.chain.part(rows)
            generalised = sum(leg_moments(pelvis.part(rows), side, chain).values())
            known = np.isfinite(moment_S) & np.isfinite(generalised)
            off = np.abs(moment_S - generalised)[known].max(initial=off)
            largest = np.abs(moment_S[known]).max(initial=largest)
        if largest > 0.0:
            worst = np.fmax(worst, off / largest)
    return float(worst)


def mechanism_document(result: Processed, mechanism: Mechanism | None) -> dict[str, Any] | None:
    """Return residual and superposition as written to ``result.json``; None if not requested."""
    if not result.options.generalised:
        return None
    if mechanism is None:
        return {"computed": False, "reason": why_not(result)}
    if mechanism.residual is None or mechanism.induced is None:
        other = next(side for side in SIDES if side not in mechanism.joints)
        unknown = f"the loads of the {other} leg are not known"
        reason = unknown if other in result.sides else "one leg alone has markers"
        return {"computed": True, "residual": None, "reason": reason}
    mass = result.subject.mass_kg or np.nan
    rows = shown_rows(result) & np.isfinite(mechanism.residual).all(axis=1)
    force = np.linalg.norm(mechanism.residual[rows, :3], axis=1) / (mass * STANDARD_GRAVITY)
    moment = np.linalg.norm(mechanism.residual[rows, 3:], axis=1) / mass
    return {
        "computed": True,
        "residual": {
            "frames": int(rows.sum()),
            "force_rms_bw": _rms(force),
            "force_largest_bw": float(force.max(initial=np.nan if not rows.any() else 0.0)),
            "moment_rms_nm_kg": _rms(moment),
        },
        "superposition_m_s2": superposition(mechanism.induced),
        "long_axis_inertia_changes_moments_by_nm": mechanism.long_axis_change,
    }


def superposition(induced: InducedAcceleration) -> float:
    """Return the largest difference between the sum of all sources and the total, m/s2."""
    parts = np.stack(list(induced.a_com_G.values()))
    off = np.abs(parts.sum(axis=0) - induced.total_G)
    return float(np.nanmax(off)) if np.isfinite(off).any() else float("nan")


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(values**2))) if values.size else float("nan")
