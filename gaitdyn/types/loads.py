"""Net joint forces and moments, and their parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted


@frozen(arrays=True)
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


CAUSES = ("inertial", "velocity", "gravity", "external")
"""Order of the causes in :class:`SourceTerms`."""

CAUSE_WORDS = ("inertial", "velocity", "gravity", "ground")
SOURCE_WORDS = ("from_foot", "from_shank", "from_thigh", "from_ground")
"""Last words of the columns of ``terms.csv``; the columns of each tuple add up to the moment."""

PARTS = (*CAUSE_WORDS, *SOURCE_WORDS)


@frozen(arrays=True)
class SourceTerms:
    """The joint moments by cause and by the segment that causes them; they add up to the moment.

    Attributes
    ----------
    moment_S : array, shape (n, s, s, 4, 3)
        Axes are frame, joint, source segment, cause of :data:`CAUSES` and component, in the axes of
        the segment below the joint, N m. Zero if the source is above the joint.
    """

    moment_S: Array

    def by_cause(self) -> dict[str, Array]:
        """Return inertial, velocity, gravity and external parts, shape (n, s, 3) each."""
        parts = self.moment_S.sum(axis=2)
        return {cause: parts[:, :, k] for k, cause in enumerate(CAUSES)}

    def by_segment(self) -> Array:
        """Return the parts due to mass and motion of each segment.

        Returns
        -------
        array, shape (n, s joints, s sources, 3)
        """
        return self.moment_S[:, :, :, :3].sum(axis=3)


@dataclass(frozen=True, eq=False, repr=False)
class JointLoads:
    """Net load of the proximal on the distal segment (internal), at the joint centre.

    Attributes
    ----------
    force_G : array, shape (n, s, 3)
        G axes, N.
    moment_S : array, shape (n, s, 3)
        About ``r_prox_G``, in the axes of the distal segment, N m.
    chain : Chain
        What the loads were computed from.
    split : callable
        Computes ``terms`` from the chain.
    """

    force_G: Array
    moment_S: Array
    chain: Chain
    split: Callable[[Chain], MomentTerms]

    def __repr__(self) -> str:
        """Return the numbers of frames and joints, and the names of the attributes."""
        n, s, _ = self.force_G.shape
        size = f"{counted(n, 'frame')}, {counted(s, 'joint')}"
        return f"<JointLoads of {size}: .force_G, .moment_S, .terms, .chain>"

    def part(self, frames: slice) -> JointLoads:
        """Return the loads in some of their frames."""
        chain = self.chain.part(frames)
        return replace(
            self, force_G=self.force_G[frames], moment_S=self.moment_S[frames], chain=chain
        )

    @cached_property
    def terms(self) -> MomentTerms:
        """The moments by cause, computed when first read."""
        return self.split(self.chain)
