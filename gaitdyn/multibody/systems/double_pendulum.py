"""The double pendulum of seed 000: two uniform bars that hang from a pivot."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from gaitdyn.multibody.simulate import TIGHT, Method, integrate
from gaitdyn.multibody.systems.equations import of_double_pendulum
from gaitdyn.multibody.systems.model import (
    EULER_STEP_S,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
)
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

_CHAOTIC_S = 2.0


@frozen()
class Bars:
    """Masses (kg), lengths (m) and gravity (m/s2) of two uniform bars; the seed's by default.

    Attributes
    ----------
    m1, m2, l1, l2, g : float
    printed_G : bool
        Use ``m2 g l2`` in the gravity term of the first bar, as the code of the seed does; its text
        has the correct ``m2 g l1`` (E1).
    """

    m1: float = 1.0
    m2: float = 1.0
    l1: float = 1.0
    l2: float = 0.5
    g: float = 9.81
    printed_G: bool = False

    def mass_matrix(self, theta1: float, theta2: float) -> tuple[float, float, float]:
        """Return M11, M12, M22, kg m2."""
        m2, l1, l2 = self.m2, self.l1, self.l2
        coupling = m2 * l1 * l2 * cos(theta1 - theta2) / 2
        return self.m1 * l1**2 / 3 + m2 * l1**2, coupling, m2 * l2**2 / 3

    def velocity_terms(
        self, theta1: float, theta2: float, omega1: float, omega2: float
    ) -> tuple[float, float]:
        """Return C of ``M qdd = C + G + Q``, N m."""
        k = self.m2 * self.l1 * self.l2 * sin(theta1 - theta2) / 2
        return -k * omega2**2, k * omega1**2

    def gravity_terms(self, theta1: float, theta2: float) -> tuple[float, float]:
        """Return G of ``M qdd = C + G + Q``, N m."""
        lever = self.l2 if self.printed_G else self.l1
        first = -(self.m1 * self.l1 / 2 + self.m2 * lever) * self.g * sin(theta1)
        return first, -self.m2 * self.g * self.l2 / 2 * sin(theta2)

    def acceleration(self, state: Array, Q: tuple[float, float] = (0.0, 0.0)) -> Array:
        """Return the angular accelerations, rad/s2.

        Parameters
        ----------
        state : array, shape (4,)
            theta1, theta2 (rad, from the downward vertical), omega1, omega2 (rad/s).
        Q : tuple of float
            M1 - M12 and M12, N m.
        """
        theta1, theta2, omega1, omega2 = state[:4].tolist()
        a, b, d = self.mass_matrix(theta1, theta2)
        C, G = (
            self.velocity_terms(theta1, theta2, omega1, omega2),
            self.gravity_terms(theta1, theta2),
        )
        first, second = C[0] + G[0] + Q[0], C[1] + G[1] + Q[1]
        determinant = a * d - b * b
        return np.array([d * first - b * second, a * second - b * first]) / determinant

    def energy(self, states: Array) -> Array:
        """Return kinetic and potential energy, J, zero at the pivot's height; (n, 4) -> (n,)."""
        theta1, theta2, omega1, omega2 = states[:, :4].T
        m1, m2, l1, l2 = self.m1, self.m2, self.l1, self.l2
        kinetic = (m1 / 3 + m2) * l1**2 * omega1**2 / 2 + m2 * l2**2 * omega2**2 / 6
        kinetic += m2 * l1 * l2 * np.cos(theta1 - theta2) * omega1 * omega2 / 2
        height1 = -(m1 / 2 + m2) * l1 * np.cos(theta1)
        return kinetic + self.g * (height1 - m2 * l2 / 2 * np.cos(theta2))

    def points(self, states: Array) -> Array:
        """Return pivot, joint and free end, shape (n, 3, 2), m."""
        theta1, theta2 = states[:, 0], states[:, 1]
        joint = self.l1 * np.stack((np.sin(theta1), -np.cos(theta1)), axis=-1)
        end = joint + self.l2 * np.stack((np.sin(theta2), -np.cos(theta2)), axis=-1)
        return np.stack((np.zeros_like(joint), joint, end), axis=1)


@frozen()
class Pid:
    """M = proportional (setpoint - angle) - derivative rate + integral z, dz/dt = setpoint - angle.

    Seed 000 sums the error again in every step with ``np.trapz``, which numpy 2.4 no longer has
    and which makes the run time quadratic in its length (E4). As a state the integral is free.

    Attributes
    ----------
    setpoint : float
        rad.
    proportional, derivative, integral : float
        N m/rad, N m s/rad, N m/(rad s); the seed's are 30, 2 and 3.

    Examples
    --------
    >>> Pid(1.0).torque(0.5, 0.25, 0.1)
    14.8
    """

    setpoint: float
    proportional: float = 30.0
    derivative: float = 2.0
    integral: float = 3.0

    def torque(self, angle: float, rate: float, z: float) -> float:
        """Return the torque, N m.

        Parameters
        ----------
        angle, rate : float
            rad, rad/s.
        z : float
            Integral of the error so far, rad s.
        """
        error = self.setpoint - angle
        return self.proportional * error - self.derivative * rate + self.integral * z

    def error(self, angle: float) -> float:
        """Return dz/dt, rad."""
        return self.setpoint - angle


def motion(
    bars: Bars,
    start: Array,
    t: Array,
    *,
    pid: Pid | None = None,
    method: Method = "DOP853",
    step_s: float = EULER_STEP_S,
) -> Array:
    """Return the states theta1, theta2, omega1, omega2, error integral, work; shape (n, 6).

    Parameters
    ----------
    bars : Bars
    start : array, shape (4,)
        theta1, theta2, omega1, omega2.
    t : array, shape (n,)
        s.
    pid : Pid, optional
        Controller of the elbow torque; no torque if not given.
    method : str
        DOP853 with a tolerance of 3e-14, or another; ``euler`` is the seed's method.
    step_s : float
        Step of Euler's method; the seed's is 0.1 ms.
    """
    half = step_s / 2 if method == "euler" else 0.0
    first = pid.error(float(start[1])) if pid else 0.0

    def rate(_t: float, y: Array) -> Array:
        # the seed sums the error by trapezoids: Euler's sum lacks half a step of the ends
        trapezoid = y[4] + half * (pid.error(y[1]) - first) if pid else 0.0
        torque = pid.torque(y[1], y[3], trapezoid) if pid else 0.0
        error = pid.error(y[1]) if pid else 0.0
        qdd = bars.acceleration(y, (-torque, torque))
        return np.array([y[2], y[3], qdd[0], qdd[1], error, torque * (y[3] - y[2])])

    start = np.concatenate((start, (0.0, 0.0)))
    step = step_s if method == "euler" else None
    return integrate(rate, start, t, method, tolerance=TIGHT, step_s=step)


def run(settings: Settings) -> SystemRun:
    """Return the motion of the double pendulum."""
    masses = {name: settings.number(name) for name in ("m1", "m2", "l1", "l2", "g")}
    bars = Bars(**masses, printed_G=settings.as_published)
    start = np.array([settings.number(n) for n in ("theta1", "theta2", "omega1", "omega2")])
    pid = Pid(settings.number("setpoint")) if settings.word("control") == "pid" else None
    t = settings.times()
    method = settings.integrator or ("euler" if settings.as_published else "DOP853")
    step = settings.step_s or EULER_STEP_S
    states = motion(bars, start, t, pid=pid, method=method, step_s=step)
    return SystemRun(
        t,
        states[:, :2],
        states[:, 2:4],
        bars.energy(states),
        _COLUMNS,
        states[:, 5],
        (bars.points(states),),
        notes=_notes(settings, float(t[-1])),
    )


def _notes(settings: Settings, end_s: float) -> tuple[str, ...]:
    notes = []
    step = 1e3 * (settings.step_s or EULER_STEP_S)
    if settings.as_published:
        euler = f"explicit Euler with {step:g} ms"
        method = euler if settings.integrator in (None, "euler") else settings.integrator
        notes.append(
            f"as published: {method}, and m2 g l2 instead of m2 g l1 in the gravity term of the"
            " first bar; energy is that of the true system"
        )
    elif settings.integrator == "euler":
        notes.append(
            f"the corrected equations with the document's integrator, explicit Euler of {step:g}"
            " ms: the drift shows the energy that it adds"
        )
    elif end_s > _CHAOTIC_S and settings.word("control") == "none":
        notes.append(
            "the motion is chaotic: with the seed's values two good solvers agree to 1e-8 until"
            " 2 s and 1e-5 at 10 s; at 20 s they differ by 0.004 rad or more"
        )
    return tuple(notes)


_COLUMNS = (
    SeriesColumn("theta1", "rad", "angle of the first bar from the downward vertical"),
    SeriesColumn("theta2", "rad", "angle of the second bar from the downward vertical"),
    SeriesColumn("omega1", "rad/s", "derivative of theta1"),
    SeriesColumn("omega2", "rad/s", "derivative of theta2"),
)

SYSTEM = SeedSystem(
    "double-pendulum",
    "two uniform bars that hang from a pivot",
    "000",
    run,
    printed=True,
    equations=lambda _: of_double_pendulum(),
)
