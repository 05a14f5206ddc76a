"""Belts that carry the feet: how fast the ground moves under a standing foot."""

from __future__ import annotations

import numpy as np

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

STEADY = 0.1
"""A belt whose contacts differ by more than this share of its speed changes its speed."""

CONSTANT = 0.02
"""A belt whose interquartile range is below this share of its speed has one speed. For three
treadmills at a constant speed it was 0.004 to 0.01."""


@frozen(arrays=True)
class BeltContact:
    """One period in which one foot stands on a belt.

    Attributes
    ----------
    side : {"left", "right"}
    start, stop : int
        Half-open interval of rows.
    velocity_G : array, shape (3,)
        Velocity of the foot while it is flat, m/s.
    """

    side: str
    start: int
    stop: int
    velocity_G: Array


@frozen(arrays=True)
class Belt:
    """One belt of a treadmill.

    Attributes
    ----------
    plate : int or None
        Number of the force plate below the belt; None without one.
    velocity_G : array, shape (3,)
        Median over its contacts, m/s.
    iqr_m_s : float
        Interquartile range of the speeds of its contacts.
    contacts : tuple of BeltContact
    """

    plate: int | None
    velocity_G: Array
    iqr_m_s: float
    contacts: tuple[BeltContact, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        """The feet that stand on it."""
        return tuple(sorted({contact.side for contact in self.contacts}))

    @property
    def speed_m_s(self) -> float:
        """Horizontal speed."""
        return horizontal(self.velocity_G)

    @property
    def range_m_s(self) -> tuple[float, float]:
        """Lowest and highest horizontal speed of its contacts."""
        speeds = [horizontal(contact.velocity_G) for contact in self.contacts]
        return min(speeds), max(speeds)

    @property
    def steady(self) -> bool:
        """Whether the speeds of its contacts differ by 10 % or less."""
        low, high = self.range_m_s
        return high - low <= STEADY * self.speed_m_s

    @property
    def constant(self) -> bool:
        """Whether all its contacts have the same speed."""
        return self.steady and self.iqr_m_s <= CONSTANT * self.speed_m_s

    @property
    def name(self) -> str:
        """Name of the belt in messages."""
        return " and ".join(self.sides) + " belt" if self.plate is None else f"plate {self.plate}"


def horizontal(velocity_G: Array) -> float:
    """Return the horizontal part of a velocity, m/s."""
    return float(np.hypot(velocity_G[0], velocity_G[2]))
