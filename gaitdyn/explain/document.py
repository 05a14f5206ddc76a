"""The free body as plain values, for ``--json``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.explain.words import unknowns

if TYPE_CHECKING:
    from gaitdyn.explain.free_body import FreeBody

_UNITS = {
    "r_cm_G": "m",
    "r_prox_G": "m",
    "r_dist_G": "m",
    "arm_proximal_G": "m",
    "arm_distal_G": "m",
    "a_cm_G": "m/s2",
    "omega_S": "rad/s",
    "alpha_S": "rad/s2",
    "inertia_S": "kg m2",
    "R_GS": "1",
    "weight_G": "N",
    "ground_G": "N",
    "distal_G": "N",
    "proximal_G": "N",
    "force_sum_G": "N",
    "mass_times_acceleration_G": "N",
    "force_residual_G": "N",
    "ground_moment_S": "N m",
    "distal_force_moment_S": "N m",
    "distal_moment_S": "N m",
    "proximal_force_moment_S": "N m",
    "proximal_moment_S": "N m",
    "moment_sum_S": "N m",
    "inertial_moment_S": "N m",
    "velocity_moment_S": "N m",
    "moment_residual_S": "N m",
}
_SYSTEM = ("A", "M_qdd", "C", "G", "E", "f")


def free_body_document(body: FreeBody) -> dict[str, Any]:
    """Return a free body as plain values; what there is not is null.

    Parameters
    ----------
    body : FreeBody
    """
    values = {
        name: {"unit": unit, "basis": name.rpartition("_")[2], "value": _plain(getattr(body, name))}
        for name, unit in _UNITS.items()
    }
    values["R_GS"]["basis"] = "S to G"
    system = {n: _plain(v) for n, v in zip(_SYSTEM, body.system, strict=True)}
    return {
        "side": body.side,
        "segment": body.segment,
        "frame": body.frame,
        "proximal_joint": body.proximal,
        "distal_joint": body.distal or None,
        "mass": {"unit": "kg", "value": body.mass},
        **values,
        "system": {"unknowns": unknowns(body), **system, "largest_residual": body.row_residual},
    }


def _plain(values: np.ndarray) -> Any:
    return None if np.isnan(values).any() else values.tolist()
