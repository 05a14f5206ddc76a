"""Non-dimensional numbers after Hof, to compare people of different size."""

from __future__ import annotations

import math

from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.types.frozen import frozen


@frozen()
class HofUnits:
    """One non-dimensional unit in SI units; a number is divided by it.

    Hof 1996, Gait Posture 4:222-223, table 1, with g = 9.80665 m/s2.

    Attributes
    ----------
    leg_length_m : float
        l0; NaN or zero if it is not known, then every unit that contains it is NaN.
    mass_kg : float
        m; 1 for numbers that are already divided by the body mass (N m/kg, W/kg).

    Examples
    --------
    A moment of 1.4 N m/kg on a leg of 0.9 m, and a speed of 1.3 m/s:

    >>> hof = HofUnits(0.9)
    >>> round(1.4 / hof.moment, 4), round(1.3 / hof.speed, 4)
    (0.1586, 0.4376)
    """

    leg_length_m: float
    mass_kg: float = 1.0

    @property
    def length(self) -> float:
        """l0, m."""
        return self.leg_length_m if self.leg_length_m > 0 else math.nan

    @property
    def time(self) -> float:
        """sqrt(l0 / g), s."""
        return math.sqrt(self.length / STANDARD_GRAVITY)

    @property
    def frequency(self) -> float:
        """sqrt(g / l0), 1/s."""
        return math.sqrt(STANDARD_GRAVITY / self.length)

    @property
    def speed(self) -> float:
        """sqrt(g l0), m/s."""
        return math.sqrt(STANDARD_GRAVITY * self.length)

    @property
    def force(self) -> float:
        """Body weight m g, N."""
        return self.mass_kg * STANDARD_GRAVITY

    @property
    def moment(self) -> float:
        """Body weight times leg length, m g l0, N m."""
        return self.force * self.length

    @property
    def work(self) -> float:
        """The same, J."""
        return self.moment

    @property
    def power(self) -> float:
        """Body weight times unit of speed, m g^1.5 l0^0.5, W."""
        return self.force * self.speed
