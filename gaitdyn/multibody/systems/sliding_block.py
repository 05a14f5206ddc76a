"""The block of seed 004 that slides or sticks on a table under a constant push."""

from __future__ import annotations

import numpy as np

from gaitdyn.multibody.cones import sliding_block
from gaitdyn.multibody.systems.model import SeedSystem, Settings, SystemRun, coordinate_columns
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen


@frozen()
class FrictionBlock:
    """A block with Coulomb friction: mass (kg), coefficients of friction, gravity (m/s2).

    Raises
    ------
    ConstraintRefused
        If friction is negative, or static friction is below sliding friction.
    """

    m: float = 5.0
    mu_k: float = 0.4
    mu_s: float = 0.4
    g: float = 9.81

    def __post_init__(self) -> None:
        """Refuse numbers that no block can have."""
        self.acceleration(0.0, 0.0)

    def acceleration(self, push: float, v: float) -> float:
        """Return the acceleration, m/s2.

        The seed's ``m a = u - mu m g`` is valid for v > 0 only (E24); the law is that of
        :func:`gaitdyn.multibody.cones.sliding_block`.

        Parameters
        ----------
        push : float
            N.
        v : float
            m/s.

        Examples
        --------
        >>> (
        ...     round(FrictionBlock().acceleration(20.0, -1.0), 3),
        ...     FrictionBlock().acceleration(10.0, 0.0),
        ... )
        (7.924, 0.0)
        """
        return float(sliding_block(push, v, self.m, self.mu_k, self.mu_s, self.g))

    def stops_s(self, push: float, v: float) -> float:
        """Return when the block stops under a constant push, s; infinity if it never does.

        Examples
        --------
        >>> round(FrictionBlock().stops_s(10.0, 1.0), 4), FrictionBlock().stops_s(30.0, 1.0)
        (0.5198, inf)
        """
        a = self.acceleration(push, v)
        return -v / a if v * a < 0 else np.inf

    def motion(self, push: float, x: float, v: float, t: Array) -> tuple[Array, Array, Array]:
        """Return position, velocity and sliding distance at given times, exactly.

        The acceleration is constant until the block stops, and constant afterwards.

        Parameters
        ----------
        push : float
            N, constant.
        x, v : float
            At the start, m and m/s.
        t : array, shape (n,)
            s.
        """
        a, stops_s = self.acceleration(push, v), self.stops_s(push, v)
        before = np.minimum(t, stops_s)
        position, speed = x + v * before + a * before**2 / 2, v + a * before
        slid = np.abs(position - x)
        after = np.maximum(t - stops_s, 0.0)
        again = self.acceleration(push, 0.0)
        speed = np.where(t >= stops_s, again * after, speed)
        return position + again * after**2 / 2, speed, slid + abs(again) * after**2 / 2


def run(settings: Settings) -> SystemRun:
    """Return the motion of the block."""
    block = FrictionBlock(*(settings.number(name) for name in ("m", "mu_k", "mu_s", "g")))
    push, x0, v0 = (settings.number(name) for name in ("u", "x0", "v0"))
    t = settings.times()
    x, v, slid = block.motion(push, x0, v0, t)
    work = push * (x - x0) - block.mu_k * block.m * block.g * slid
    corners = np.array([[-0.1, 0.0], [0.1, 0.0], [0.1, 0.15], [-0.1, 0.15], [-0.1, 0.0]])
    outline = corners + np.stack((x, np.zeros_like(x)), axis=-1)[:, None]
    stays = block.acceleration(push, 0.0) == 0.0
    rests_s = (block.stops_s(push, v0) if v0 else 0.0) if stays else np.inf
    notes = (f"the block is at rest from {rests_s:.4g} s on",) if rests_s <= t[-1] else ()
    return SystemRun(
        t,
        x[:, None],
        v[:, None],
        block.m * v**2 / 2,
        coordinate_columns((("m", "position along the push"),)),
        work,
        (outline,),
        notes=notes,
    )


SYSTEM = SeedSystem(
    "sliding-block",
    "a block on a table with friction under a constant push",
    "004",
    run,
    integrated=False,
)
