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
        l0; NaN or zero if it is not known, then every unit is NaN.

    Examples
    --------
    A speed of 1.3 m/s on a leg of 0.9 m:

    >>> round(1.3 / HofUnits(0.9).speed, 4)
    0.4376
    """

    leg_length_m: float

    @property
    def length(self) -> float:
        """l0, m."""
        return self.leg_length_m if self.leg_length_m > 0 else math.nan

    @property
    def frequency(self) -> float:
        """sqrt(g / l0), 1/s."""
        return math.sqrt(STANDARD_GRAVITY / self.length)

    @property
    def speed(self) -> float:
        """sqrt(g l0), m/s."""
        return math.sqrt(STANDARD_GRAVITY * self.length)
