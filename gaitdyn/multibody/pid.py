"""A PID torque whose error integral is a state variable, integrated with the motion."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
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
