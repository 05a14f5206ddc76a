"""Four kinematic loops solved in closed form: v = H(u), and its first and second derivatives.

Document 003 (PyMbs, after Wehage and Haug 1982, J Mech Des 104:247-255) defines for each loop
``v = H(u)``, ``vd = B ud`` and ``vdd = B udd + b'``. Positions come from the intersection of
circles, rates from the closing condition projected so that one bar drops out.
``branch`` selects one of the two intersections.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from gaitdyn.errors import ConstraintRefused
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

_ROUND = 1e-14
"""Share of the longest bar by which a triangle may fail to close through rounding alone."""


class Explicit(Protocol):
    """What a loop with a closed form provides."""

    def dependent(self, u: Array, branch: int) -> Array:
        """Return v = H(u), shape (n, m), of u (n, k); branch is +1 or -1."""
        ...

    def rates(self, u: Array, v: Array) -> Array:
        """Return B of ``vd = B ud``, shape (n, m, k)."""
        ...

    def bias(self, u: Array, v: Array, ud: Array) -> Array:
        """Return b' of ``vdd = B udd + b'``, shape (n, m)."""
        ...


@frozen()
class FourBar:
    """Ground AD along x, crank AB, coupler BC, rocker DC; u = qA, v = (qB, qD).

    C is an intersection of the circles about B (radius l3) and D (radius l4). With the line from B
    to D of length r, C lies at ``x = (r^2 + l3^2 - l4^2) / (2 r)`` along this line and at
    ``y = branch sqrt(l3^2 - x^2)`` to its left.

    Attributes
    ----------
    l1, l2, l3, l4 : float
        AD, AB, BC and DC, m.
    """

    l1: float
    l2: float
    l3: float
    l4: float

    def dependent(self, u: Array, branch: int) -> Array:
        """Return qB, the angle of the coupler to the crank, and qD; both within (-pi, pi]."""
        l3, l4 = self.l3, self.l4
        towards = np.array([self.l1, 0.0]) - self.l2 * _along(u[:, 0])
        r = np.hypot(*towards.T)
        # 16 (area of BCD)^2 by Heron's formula: no digits are lost near a dead centre
        heron = (l3 + l4 - r) * (l3 + l4 + r) * (r - l3 + l4) * (r + l3 - l4)
        scale = max(self.l1, self.l2, l3, l4)
        _refuse_apart(
            heron < -_ROUND * scale * r**3,
            u,
            f"pins B and D must be {abs(l3 - l4):g} to {l3 + l4:g} m apart, they are",
            r,
        )
        along = (r**2 + (l3 - l4) * (l3 + l4)) / 2
        across = branch * np.sqrt(np.maximum(heron, 0.0)) / 2
        left = np.stack((-towards[:, 1], towards[:, 0]), axis=-1)
        reach = (along[:, None] * towards + across[:, None] * left) / (r**2)[:, None]
        rocker = reach - towards
        bend = np.arctan2(reach[:, 1], reach[:, 0]) - u[:, 0]
        bend = np.pi - np.mod(np.pi - bend, 2 * np.pi)
        return np.stack((bend, np.arctan2(rocker[:, 1], rocker[:, 0])), axis=-1)

    def rates(self, u: Array, v: Array) -> Array:
        """Return B."""
        coupler, rocker = self._slopes(u[:, 0], u[:, 0] + v[:, 0], v[:, 1])
        return np.stack((coupler - 1.0, rocker), axis=-1)[..., None]

    def bias(self, u: Array, v: Array, ud: Array) -> Array:
        """Return b'."""
        A, C, D = u[:, 0], u[:, 0] + v[:, 0], v[:, 1]
        coupler, rocker = (slope * ud[:, 0] for slope in self._slopes(A, C, D))
        pull2, pull3, pull4 = self.l2 * ud[:, 0] ** 2, self.l3 * coupler**2, self.l4 * rocker**2
        fold = np.sin(D - C)
        first = (pull2 * np.cos(D - A) + pull3 * np.cos(D - C) - pull4) / (self.l3 * fold)
        second = (pull2 * np.cos(C - A) + pull3 - pull4 * np.cos(D - C)) / (self.l4 * fold)
        return np.stack((first, second), axis=-1)

    def _slopes(self, A: Array, C: Array, D: Array) -> tuple[Array, Array]:
        """Return d/dqA of the coupler's and the rocker's angles with the ground."""
        fold = np.sin(D - C)
        return (
            -self.l2 * np.sin(D - A) / (self.l3 * fold),
            -self.l2 * np.sin(C - A) / (self.l4 * fold),
        )


@frozen()
class CrankSlider:
    """Crank at the origin, slider on y = 0, rod between; u = crank, v = (slider, rod).

    The slider is at an intersection of the x axis with the circle about the crank's pin.

    Attributes
    ----------
    l1, l2 : float
        Crank and rod, m.
    """

    l1: float
    l2: float

    def dependent(self, u: Array, branch: int) -> Array:
        """Return the slider's position and the rod's angle: about pi or about 0, by branch."""
        x, y = self.l1 * _along(u[:, 0]).T
        square = (self.l2 - y) * (self.l2 + y)
        _refuse_apart(
            square < -_ROUND * self.l2 * self.l1,
            u,
            f"the rod of {self.l2:g} m must reach the axis, the crank's pin is away from it by",
            np.abs(y),
        )
        across = branch * np.sqrt(np.maximum(square, 0.0))
        tilt = np.arctan2(y, np.abs(across))
        return np.stack((x + across, np.pi - tilt if branch > 0 else tilt), axis=-1)

    def rates(self, u: Array, v: Array) -> Array:
        """Return B."""
        a, b = u[:, 0], v[:, 1]
        turn = self.l1 * np.cos(a) / (self.l2 * np.cos(b))
        return np.stack((self.l2 * np.sin(b) * turn - self.l1 * np.sin(a), turn), -1)[..., None]

    def bias(self, u: Array, v: Array, ud: Array) -> Array:
        """Return b'."""
        a, b = u[:, 0], v[:, 1]
        x, y = self.l1 * _along(a).T * ud[:, 0] ** 2
        cosine, sine = self.l2 * np.cos(b), self.l2 * np.sin(b)
        rate = self.rates(u, v)[:, 1, 0] * ud[:, 0]
        turn = (sine * rate**2 - y) / cosine
        return np.stack((sine * turn + cosine * rate**2 - x, turn), axis=-1)


@frozen()
class Telescope:
    """A four-bar with a telescope as its fourth bar: u = (qA, qB), v = (qD, its length s).

    No circles have to intersect: the line from D to C is the telescope. Branch -1 has it turned
    round with a negative length.

    Attributes
    ----------
    l1, l2, l3 : float
        AD, AB and BC, m.
    """

    l1: float
    l2: float
    l3: float

    def dependent(self, u: Array, branch: int) -> Array:
        """Return qD within (-pi, pi] and the length."""
        C = self.l2 * _along(u[:, 0]) + self.l3 * _along(u[:, 0] + u[:, 1])
        x, y = branch * (C - np.array([self.l1, 0.0])).T
        return np.stack((np.arctan2(y, x), branch * np.hypot(x, y)), axis=-1)

    def rates(self, u: Array, v: Array) -> Array:
        """Return B."""
        first, second = v[:, 0] - u[:, 0], v[:, 0] - u[:, 0] - u[:, 1]
        outer = np.stack((self.l3 * np.cos(second), self.l3 * np.sin(second)), axis=-1)
        inner = np.stack((self.l2 * np.cos(first), self.l2 * np.sin(first)), axis=-1)
        B = np.stack((inner + outer, outer), axis=-1)
        B[:, 0] /= v[:, 1:]
        return B

    def bias(self, u: Array, v: Array, ud: Array) -> Array:
        """Return b'."""
        first, second = v[:, 0] - u[:, 0], v[:, 0] - u[:, 0] - u[:, 1]
        turn, stretch = np.einsum("nij,nj->in", self.rates(u, v), ud)
        inner, outer = self.l2 * ud[:, 0] ** 2, self.l3 * ud.sum(axis=1) ** 2
        along = -inner * np.cos(first) - outer * np.cos(second)
        across = inner * np.sin(first) + outer * np.sin(second)
        length = v[:, 1]
        return np.stack(((across - 2 * stretch * turn) / length, along + length * turn**2), axis=-1)


@frozen()
class Ratio:
    """Two wheels: v = ratio u. There is only one solution, whatever the branch.

    Attributes
    ----------
    ratio : float
    """

    ratio: float

    def dependent(self, u: Array, branch: int) -> Array:
        """Return the angle of the second wheel."""
        del branch
        return self.ratio * u

    def rates(self, u: Array, v: Array) -> Array:
        """Return B."""
        del v
        return np.full((len(u), 1, 1), self.ratio)

    def bias(self, u: Array, v: Array, ud: Array) -> Array:
        """Return b', which is zero."""
        del u, ud
        return np.zeros_like(v)


def _along(angle: Array) -> Array:
    return np.stack((np.cos(angle), np.sin(angle)), axis=-1)


def _refuse_apart(apart: Array, u: Array, wanted: str, distance: Array) -> None:
    if apart.any():
        frame = int(np.argmax(apart))
        raise ConstraintRefused(
            f"the loop does not close in frame {frame}, u = {u[frame]}: {wanted}"
            f" {distance[frame]:.6g} m"
        )
