"""The planar inverted pendulum of seed 002: one link with a torque and a force on its end."""

from __future__ import annotations

from math import cos, pi, sin

import numpy as np

from gaitdyn.multibody.reaching import minjerk
from gaitdyn.multibody.simulate import TIGHT, integrate
from gaitdyn.multibody.systems.equations import of_one_link
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
    coordinate_columns,
)
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen()
class Link:
    """A link on a fixed joint, angles from the horizontal, counter-clockwise.

    Attributes
    ----------
    m, L, d, I, g : float
        Mass (kg), length, distance of the centre of mass from the joint (m), moment of inertia
        about the centre of mass (kg m2), gravity (m/s2).
    force : tuple of float
        On the free end, N.
    """

    m: float
    L: float
    d: float
    I: float  # noqa: E741  the seed's letter
    g: float
    force: tuple[float, float] = (0.0, 0.0)

    def torque(self, q: Array, qdd: Array) -> Array:
        """Return T = Io qdd + m g d cos q + L (Fx sin q - Fy cos q), N m."""
        Fx, Fy = self.force
        gravity = self.m * self.g * self.d * np.cos(q)
        return self._inertia * qdd + gravity + self.L * (Fx * np.sin(q) - Fy * np.cos(q))

    def acceleration(self, q: float, torque: float) -> float:
        """Return the angular acceleration caused by a torque, rad/s2."""
        Fx, Fy = self.force
        outside = self.L * (Fx * sin(q) - Fy * cos(q))
        return (torque - self.m * self.g * self.d * cos(q) - outside) / self._inertia

    def reaction(self, q: Array, qd: Array, qdd: Array) -> Array:
        """Return the force of the joint on the link, shape (n, 2), N; weight is m g (E9)."""
        x = -self.d * (np.sin(q) * qdd + np.cos(q) * qd**2)
        y = self.d * (np.cos(q) * qdd - np.sin(q) * qd**2)
        return self.m * np.stack((x, y + self.g), axis=-1) - np.array(self.force)

    def energy(self, q: Array, qd: Array) -> Array:
        """Return kinetic and potential energy, J, zero at the joint's height."""
        return self._inertia * qd**2 / 2 + self.m * self.g * self.d * np.sin(q)

    @property
    def _inertia(self) -> float:
        return self.I + self.m * self.d**2


def run(settings: Settings) -> SystemRun:
    """Return a motion of the link: from its torque, or with the torque that it needs."""
    numbers = {name: settings.number(name) for name in ("m", "d", "g")}
    link = Link(
        **numbers,
        L=settings.number("l"),
        I=settings.number("i"),
        force=(settings.number("fx"), settings.number("fy")),
    )
    direct = settings.word("motion") == "direct"
    t = settings.times()
    if direct:
        q, qd, qdd, torque, work = _direct(link, settings, t)
    else:
        start, end = np.array([settings.number("q0")]), np.array([settings.number("q1")])
        x, v, a = minjerk(start, end, float(t[-1]), t)
        q, qd, qdd = x[:, 0], v[:, 0], a[:, 0]
        torque = link.torque(q, qdd)
        work = _work(link, (start, end), t)
    forces = np.column_stack((torque, link.reaction(q, qd, qdd)))
    tip = link.L * np.stack((np.cos(q), np.sin(q)), axis=-1)
    return SystemRun(
        t,
        q[:, None],
        qd[:, None],
        link.energy(q, qd),
        coordinate_columns((("rad", "angle to the horizontal, counter-clockwise"),)),
        work,
        (np.stack((np.zeros_like(tip), tip), axis=1),),
        (ExtraTable("loads", _LOADS, forces),),
        () if direct else settings.unused_integrator(),
    )


def _work(link: Link, ends: tuple[Array, Array], t: Array) -> Array:
    """Return the work of torque and force in the smooth movement, shape (n,), J.

    It is the integral of their power, so that the energy checks the torque.
    """
    Fx, Fy = link.force

    def power(time: float, _work: Array) -> Array:
        x, v, a = minjerk(*ends, float(t[-1]), np.array([time]))
        q = x[:, 0]
        outside = link.L * (Fy * np.cos(q) - Fx * np.sin(q))
        return v[:, 0] * (link.torque(q, a[:, 0]) + outside)

    return integrate(power, np.zeros(1), t, tolerance=TIGHT)[:, 0]


def _direct(link: Link, settings: Settings, t: Array) -> tuple[Array, ...]:
    amplitude, frequency = settings.number("amplitude"), settings.number("frequency")

    def torque(t: Array | float) -> Array:
        return amplitude * np.sin(2 * pi * frequency * np.asarray(t))

    def rate(t: float, y: Array) -> Array:
        T = float(torque(t))
        Fx, Fy = link.force
        power = y[1] * (T + link.L * (Fy * cos(y[0]) - Fx * sin(y[0])))
        return np.array([y[1], link.acceleration(y[0], T), power])

    start = np.array([settings.number("q0"), settings.number("qd0"), 0.0])
    y = settings.solve(rate, start, t, tolerance=TIGHT).y
    T = torque(t)
    pairs = zip(y[:, 0].tolist(), T.tolist(), strict=True)
    qdd = np.array([link.acceleration(q, moment) for q, moment in pairs])
    return y[:, 0], y[:, 1], qdd, T, y[:, 2]


_LOADS = (
    SeriesColumn("torque", "N m", "torque of the joint on the link"),
    SeriesColumn("reaction_x", "N", "force of the joint on the link"),
    SeriesColumn("reaction_y", "N", "force of the joint on the link, up"),
)

SYSTEM = SeedSystem(
    "one-link",
    "one link about a fixed joint, a body that sways or a pendulum",
    "002",
    run,
    equations=lambda _: of_one_link(),
)
