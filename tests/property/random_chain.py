"""Random chains of segments: any inertia, any turn, joint arms that change frame to frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.spatial.transform import Rotation

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Arguments = dict[str, Any]
CAUSES = ("inertial", "velocity", "gravity", "external")


def inertia(rng: np.random.Generator, s: int) -> Array:
    """Return inertia tensors that real bodies can have, with products of inertia, (s, 3, 3)."""
    L = rng.normal(size=(s, 3, 3)) * 0.3
    second_moments = L @ np.swapaxes(L, -1, -2) + 0.01 * np.eye(3)
    trace = np.trace(second_moments, axis1=-2, axis2=-1)
    return trace[:, None, None] * np.eye(3) - second_moments


def random_chain(rng: np.random.Generator, n: int, s: int) -> Arguments:
    """Return the arguments of inverse_dynamics: nothing planar, a wrench on every segment."""
    return {
        "mass": rng.uniform(0.5, 10.0, s),
        "inertia_S": inertia(rng, s),
        "R_GS": Rotation.random(n * s, rng=rng).as_matrix().reshape(n, s, 3, 3),
        "r_cm_G": rng.normal(size=(n, s, 3)),
        "r_prox_G": rng.normal(size=(n, s, 3)),
        "a_cm_G": rng.normal(size=(n, s, 3)) * 5,
        "omega_S": rng.normal(size=(n, s, 3)) * 3,
        "alpha_S": rng.normal(size=(n, s, 3)) * 20,
        "external_force_G": rng.normal(size=(n, s, 3)) * 100,
        "external_moment_G": rng.normal(size=(n, s, 3)) * 10,
        "gravity_G": rng.normal(size=3) * 6,
    }


def turned(R: Array, v: Array) -> Array:
    """Return R @ v for stacks."""
    return (R @ v[..., None])[..., 0]
