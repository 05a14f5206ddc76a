"""Net joint forces and moments, and what they are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.chain import Chain


@dataclass(frozen=True, slots=True, eq=False)
class MomentTerms:
    """The joint moments by cause; the four parts add up to the moment.

    Attributes
    ----------
    inertial, velocity, gravity, external : arrays, shape (n, s, 3)
        Segment axes, N m: from ``m a`` and ``I alpha``; from ``omega x I omega``; from the
        weight; from the external wrench.
    """

    inertial: Array
    velocity: Array
    gravity: Array
    external: Array


@dataclass(frozen=True, eq=False)
class JointLoads:
    """Net load that the proximal segment puts on the distal one (internal), at its joint centre.

    Attributes
    ----------
    force_G : array, shape (n, s, 3)
        G axes, N.
    moment_S : array, shape (n, s, 3)
        About ``r_prox_G``, in the axes of the distal segment, N m.
    chain : Chain
        What the loads were computed from.
    """

    force_G: Array
    moment_S: Array
    chain: Chain
    split: Callable[[Chain], MomentTerms]

    @cached_property
    def terms(self) -> MomentTerms:
        """The moments by cause, computed when first read."""
        return self.split(self.chain)
