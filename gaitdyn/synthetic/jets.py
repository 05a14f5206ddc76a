"""Quantities together with their exact first and second time derivatives.

A jet is (x, dx/dt, d2x/dt2). Sums, products and rotations of jets follow the product and chain
rules, so that a position or a rotation built from closed-form angles has closed-form velocity and
acceleration. No finite differences are used.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from gaitdyn.synthetic.arrays import Array

Axis = Literal["x", "y", "z"]

_GENERATOR = {
    "x": np.array([[0.0, 0, 0], [0, 0, -1], [0, 1, 0]]),
    "y": np.array([[0.0, 0, 1], [0, 0, 0], [-1, 0, 0]]),
    "z": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 0]]),
}
_PLANE = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}
"""The two axes in the plane of a rotation about the third, in the direction of rotation."""


@dataclass(frozen=True, eq=False)
class Jet:
    """A quantity and its first two time derivatives, which are computed when first needed.

    Parameters
    ----------
    value : array, shape (n_times, ...)
        The quantity, SI units.
    first, second : array, shape (n_times, ...), or function that returns it
        Its first and its second time derivative, per s, per s^2.
    """

    value: Array
    first: Array | Callable[[], Array]
    second: Array | Callable[[], Array]

    @cached_property
    def rate(self) -> Array:
        """The first time derivative, per s."""
        return self.first() if callable(self.first) else self.first

    @cached_property
    def accel(self) -> Array:
        """The second time derivative, per s^2."""
        return self.second() if callable(self.second) else self.second

    def __add__(self, other: Jet) -> Jet:
        """Return the sum of two jets."""
        return Jet(
            self.value + other.value,
            lambda: self.rate + other.rate,
            lambda: self.accel + other.accel,
        )

    def __sub__(self, other: Jet) -> Jet:
        """Return the difference of two jets."""
        return self + other * -1.0

    def __mul__(self, factor: float) -> Jet:
        """Return the jet scaled by a constant."""
        return self.through(lambda part: part * factor)

    def __matmul__(self, other: Jet) -> Jet:
        """Return the matrix product of two jets of matrices (product rule, twice)."""
        return Jet(
            self.value @ other.value,
            lambda: self.rate @ other.value + self.value @ other.rate,
            lambda: (
                self.accel @ other.value + 2.0 * self.rate @ other.rate + self.value @ other.accel
            ),
        )

    def apply(self, constant: Array) -> Jet:
        """Return this jet of matrices times a constant vector or matrix.

        Parameters
        ----------
        constant : array, shape (3,) or (3, 3)
            Components in the basis from which the matrices transform.
        """
        return self.through(lambda part: part @ constant)

    def through(self, linear: Callable[[Array], Array]) -> Jet:
        """Return a linear function of the jet, applied to value and derivatives.

        Parameters
        ----------
        linear : function
            Of an array of shape (n_times, ...).
        """
        return Jet(linear(self.value), lambda: linear(self.rate), lambda: linear(self.accel))

    def plus(self, constant: Array | float) -> Jet:
        """Return the jet with a constant added to its value."""
        return Jet(self.value + constant, lambda: self.rate, lambda: self.accel)


def fourier_rows(rows: Array, phase: Array, phase_rate: float) -> list[Jet]:
    """Return Fourier series of one phase as jets in time; sines and cosines are computed only once.

    x = c0 + sum_k (a_k cos k phase + b_k sin k phase), phase = phase_rate t + constant.

    Parameters
    ----------
    rows : array, shape (n, 1 + 2 m)
        One row of coefficients per series: c0, a_1, b_1, a_2, b_2, ...
    phase : array, shape (n_times,)
        rad.
    phase_rate : float
        rad/s.

    Examples
    --------
    >>> (jet,) = fourier_rows(np.array([[1.0, 0.0, 2.0]]), np.array([0.0]), 3.0)
    >>> float(jet.value[0]), float(jet.rate[0]), float(jet.accel[0])
    (1.0, 6.0, 0.0)
    """
    order = np.arange(1, 1 + rows.shape[1] // 2)
    angle, speed = np.outer(phase, order), order * phase_rate
    cos, sin = np.cos(angle), np.sin(angle)

    def jet(row: Array) -> Jet:
        a, b = row[1::2], row[2::2]
        return Jet(
            row[0] + cos @ a + sin @ b,
            lambda: cos @ (b * speed) - sin @ (a * speed),
            lambda: -cos @ (a * speed**2) - sin @ (b * speed**2),
        )

    return [jet(row) for row in rows]


def turn(axis: Axis, angle: Jet) -> Jet:
    """Return the active rotation about one coordinate axis as a jet of matrices.

    Parameters
    ----------
    axis : {"x", "y", "z"}
        Axis of the rotation.
    angle : Jet, shape (n_times,)
        rad, right-handed.

    Notes
    -----
    With K the generator of the axis: dR/dt = K R q', d2R/dt2 = K^2 R q'^2 + K R q''.
    """
    generator = _GENERATOR[axis]
    R_AB = fixed_turn(axis, angle.value)

    def accel() -> Array:
        first, second = generator @ R_AB, generator @ generator @ R_AB
        return second * angle.rate[:, None, None] ** 2 + first * angle.accel[:, None, None]

    return Jet(R_AB, lambda: generator @ R_AB * angle.rate[:, None, None], accel)


def fixed_turn(axis: Axis, angle: Array | float) -> Array:
    """Return the active rotation matrix about one coordinate axis.

    Parameters
    ----------
    axis : {"x", "y", "z"}
        Axis of the rotation.
    angle : array, shape (...), or float
        rad, right-handed.

    Returns
    -------
    array, shape (..., 3, 3)
        I + sin K + (1 - cos) K^2.
    """
    q = np.asarray(angle, dtype=float)
    first, second = _PLANE[axis]
    along = 3 - first - second
    out = np.zeros((*q.shape, 3, 3))
    out[..., along, along] = 1.0
    out[..., first, second] = -np.sin(q)
    out[..., second, first] = -out[..., first, second]
    out[..., first, first] = out[..., second, second] = 1.0 - (1.0 - np.cos(q))
    return out


def angular_motion(R_GS: Jet) -> tuple[Array, Array]:
    """Return angular velocity and acceleration of a segment, in segment axes.

    skew(omega) = R^T R', skew(alpha) = R^T R'' + R'^T R'.

    Parameters
    ----------
    R_GS : Jet, shape (n_times, 3, 3)
        Columns are the segment axes in G.

    Returns
    -------
    omega_S, alpha_S : array, shape (n_times, 3)
        rad/s and rad/s^2.
    """
    inverse = np.swapaxes(R_GS.value, -1, -2)
    inverse_rate = np.swapaxes(R_GS.rate, -1, -2)
    return (_vee(inverse @ R_GS.rate), _vee(inverse @ R_GS.accel + inverse_rate @ R_GS.rate))


def _vee(skew: Array) -> Array:
    """Return the vector of a skew-symmetric matrix."""
    return np.stack([skew[..., 2, 1], skew[..., 0, 2], skew[..., 1, 0]], axis=-1)
