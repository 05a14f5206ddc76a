"""Six muscles of the two-link arm that share its torques with the least stress: an example.

Moment arms and cross-sections are constant round numbers of the magnitude given in anatomy books,
not those of a person; they illustrate the method.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.multibody.muscles import least_stress, muscle_torques
from gaitdyn.multibody.systems.model import ExtraTable, SeriesColumn
from gaitdyn.types.arrays import Array

NAMES = (
    "shoulder_flexor", "shoulder_extensor", "elbow_flexor", "elbow_extensor", "both_flexor",
    "both_extensor",
)  # fmt: skip
R = np.array([[0.045, -0.045, 0.0, 0.0, 0.03, -0.03], [0.0, 0.0, 0.03, -0.022, 0.035, -0.022]])
"""Moment arms -dL/dq about shoulder and elbow, m: flexors turn towards larger angles."""
AREA = np.array([25.0, 20.0, 15.0, 18.0, 6.0, 8.0]) * 1e-4
"""Physiological cross-sectional areas, m2."""
EXAMPLE = (
    "moment arms and cross-sections of the six muscles are round numbers of an example, not of a"
    " person or a study"
)
MOST_STRESS = 1.0e6
"""Pa; above most published specific tensions, so that the printed fast movement is feasible."""


def muscle_table(torque: Array) -> ExtraTable:
    """Return the tensions of the six muscles, and the difference of R F from the torque.

    Parameters
    ----------
    torque : array, shape (n, 2)
        N m; unknown rows stay unknown.
    """
    force = np.full((len(torque), len(NAMES)), np.nan)
    for i in np.flatnonzero(np.isfinite(torque).all(axis=1)):
        force[i] = least_stress(R, torque[i], AREA, MOST_STRESS)
    left = muscle_torques(R, force) - torque
    columns = [SeriesColumn(name, "N", "tension of the muscle") for name in NAMES]
    columns += [SeriesColumn(f"left_{i}", "N m", "R F - tau") for i in (1, 2)]
    return ExtraTable("muscles", tuple(columns), np.hstack((force, left)))
