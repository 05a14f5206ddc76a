"""The numerics of the Plug-in Gait model, reproduced exactly: profile ``plug-in-gait``.

Three choices differ from mechanics and are kept on purpose: radii of gyration about the proximal
end used about the centre of mass, an angular velocity from one-sided elements of a finite rotation,
and accelerations from a smoothing spline chosen by generalised cross-validation. Segment lengths,
and therefore inertias, change with every frame. Gravity is 9.81 m/s2.
"""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.calibrate.body.segment_tables import SegmentTable
from gaitdyn.core import splines
from gaitdyn.core.cross_validation import choose_parameter
from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import complete_rows, runs
from gaitdyn.dynamics.leg import make_chain
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.motion import SEGMENTS, LegBody, LegPose
from gaitdyn.types.wrench import FootWrench

VENDOR_GRAVITY = 9.81
"""The vendor's own value, m/s2: with it the joint forces that it stores are found again within 3e-6
N/kg, with the standard 9.80665 within 5e-4 (trial of ``tests/real/test_vendor_numerics.py``)."""

VENDOR_GRAVITY_G = np.array([0.0, -VENDOR_GRAVITY, 0.0])
HALF_WINDOW_S = 0.02
"""Half the interval over which the vendor takes a finite rotation, s."""

LIMB_AXES = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])
_FOOT_AXES = np.array([[0.0, 0, -1], [1, 0, 0], [0, -1, 0]])
VENDOR_AXES = np.stack((_FOOT_AXES, LIMB_AXES, LIMB_AXES))
"""Foot, shank, thigh: columns are the vendor's x, y, z in our segment axes."""


def half_window(rate_hz: float) -> int:
    """Return how many frames before and after a frame the vendor takes a finite rotation.

    Examples
    --------
    >>> [half_window(rate) for rate in (50.0, 100.0, 120.0, 150.0, 240.0, 300.0)]
    [1, 2, 2, 3, 5, 6]
    """
    return max(1, math.floor(HALF_WINDOW_S * rate_hz + 0.5))


def edge_frames(rate_hz: float) -> int:
    """Return how many frames at each end of a block have no kinetics: two half windows.

    Examples
    --------
    >>> [edge_frames(rate) for rate in (100.0, 150.0, 240.0)]
    [4, 6, 10]
    """
    return 2 * half_window(rate_hz)


def vendor_body(
    pose: LegPose, foot_length_m: float, body_mass_kg: float, table: SegmentTable
) -> LegBody:
    """Return masses, centres of mass and inertias from the segment lengths of each frame.

    Parameters
    ----------
    pose : LegPose
    foot_length_m : float
        Mean heel-toe distance of the trial minus half a marker diameter.
    body_mass_kg : float
    table : SegmentTable
        Its radii of gyration are used about the centre of mass.
    """
    rows = [table.row(name) for name in SEGMENTS]
    ankle, knee, hip = np.moveaxis(pose.r_prox_G, 1, 0)
    n = len(ankle)
    foot_cm = ankle + pose.R_GS[:, 0, :, 0] * (rows[0].cm_along * foot_length_m)
    shank_cm = knee + rows[1].cm_along * (ankle - knee)
    thigh_cm = hip + rows[2].cm_along * (knee - hip)
    lengths = np.stack(
        (
            np.full(n, foot_length_m),
            np.linalg.norm(knee - ankle, axis=1),
            np.linalg.norm(hip - knee, axis=1),
        ),
        axis=1,
    )
    mass = np.array([row.mass_fraction for row in rows]) * body_mass_kg
    radii = np.stack([row.radii for row in rows])
    diagonal = mass[:, None] * (radii * lengths[..., None]) ** 2
    return LegBody(
        mass, diagonal[..., None] * np.eye(3), np.stack((foot_cm, shank_cm, thigh_cm), 1)
    )


def one_sided_omega(R_GS: Array, rate_hz: float, *, pelvis: bool = False) -> tuple[Array, Array]:
    """Return angular velocity and acceleration by the vendor's rule, in our segment axes.

    With the rotation Q = R(t-k)' R(t+k) in the vendor's axes, omega = [Q21, Q02, Q10] / (2 k dt),
    not antisymmetrised; alpha is the central difference over 2 k dt of omega in G. k is 20 ms in
    frames (:func:`half_window`): 2 at 100 and 120 Hz.

    Parameters
    ----------
    R_GS : array, shape (n, s, 3, 3)
        Foot, shank, thigh.
    rate_hz : float
    pelvis : bool
        The only segment is the pelvis, which has the axes of the limbs.

    Returns
    -------
    omega_S, alpha_S : arrays, shape (n, s, 3)
        rad/s and rad/s2; NaN in the first and last k (omega) and 2 k frames (alpha).
    """
    axes = VENDOR_AXES[-1:] if pelvis else VENDOR_AXES
    R, k = R_GS @ axes, half_window(rate_hz)
    omega, alpha_G = np.full(R.shape[:-1], np.nan), np.full(R.shape[:-1], np.nan)
    if len(R) <= 2 * k:
        return omega, alpha_G
    turn = np.swapaxes(R[: -2 * k], -1, -2) @ R[2 * k :]
    omega[k:-k] = np.stack((turn[..., 2, 1], turn[..., 0, 2], turn[..., 1, 0]), axis=-1)
    omega *= rate_hz / (2 * k)
    omega_G = rotate(R, omega)
    alpha_G[k:-k] = (omega_G[2 * k :] - omega_G[: -2 * k]) * (rate_hz / (2 * k))
    return rotate(axes, omega), rotate_back(R_GS, alpha_G)


def cross_validated_acceleration(r_G: Array, rate_hz: float) -> Array:
    """Return the second derivative of a GCV smoothing spline, fitted to each run of known frames.

    Parameters
    ----------
    r_G : array, shape (n, 3)
    rate_hz : float

    Returns
    -------
    array, shape (n, 3)
        m/s2.
    """
    acceleration = np.full_like(r_G, np.nan)
    for start, stop in runs(complete_rows(r_G)):
        if stop - start >= splines.SHORTEST:
            block = r_G[start:stop]
            fit = splines.fit(block, choose_parameter(block), 1 / rate_hz)
            acceleration[start:stop] = fit.second
    return acceleration


def vendor_chain(pose: LegPose, body: LegBody, wrench: FootWrench, rate_hz: float) -> Chain:
    """Return the chain of one leg with the vendor's derivatives and gravity."""
    omega, alpha = one_sided_omega(pose.R_GS, rate_hz)
    a_cm = np.stack(
        [cross_validated_acceleration(r, rate_hz) for r in np.moveaxis(body.r_cm_G, 1, 0)], axis=1
    )
    return make_chain(pose, body, wrench, a_cm, omega, alpha, VENDOR_GRAVITY_G)
