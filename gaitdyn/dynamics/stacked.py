"""The stacked Newton-Euler system of a chain, block by block as in the matrix formalism.

For every segment, from the foot up, the force equation is written in G and the moment equation
about the centre of mass in segment axes. With the unknowns f = [F_A^G, M_A^F, F_K^G, M_K^S, ...]
the equations read::

    M qdd = C + G + A f + E

    [ I               .          .              .  ]   [F_A^G]
    [ R_F S(r_A/F)    I          .              .  ]   [M_A^F]
    [-I               .          I              .  ] . [F_K^G]
    [-R_S S(r_A/S)  -R_S R_F^-1  R_S S(r_K/S)   I  ]   [M_K^S]

(R. N. Watanabe, "Matrix formalism of the Newton-Euler equations", inverse dynamics of the lower
limb after Erdemir et al. 2007, Clin Biomech 22:131-154). His R_F takes G into the foot: it is the
transpose of R_GF. His E lacks the free moment of the plate, which the external moment includes. A
is unit lower triangular by blocks, so forward substitution is the usual recursion
(:mod:`gaitdyn.dynamics.substitution`), and no inverse is ever needed.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back, skew
from gaitdyn.core.runs import blocks_of, known_within
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import frozen

AT_ONCE = 1 << 14
"""Frames whose systems are built at once: those of a leg take 50 MB."""


@frozen(eq=False)
class StackedSystem:
    """The blocks of ``M qdd = C + G + A f + E``.

    Attributes
    ----------
    A : array, shape (n, 6 s, 6 s)
        Coefficients of the joint forces (G axes) and moments (segment axes).
    inertial : array, shape (n, 6 s)
        ``M qdd``: m a and I alpha.
    velocity : array, shape (n, 6 s)
        ``C``: - omega x I omega.
    gravity : array, shape (n, 6 s)
        ``G``: m g.
    external : array, shape (n, 6 s)
        ``E``: external force, external moment about the centre of mass in segment axes.
    """

    A: Array
    inertial: Array
    velocity: Array
    gravity: Array
    external: Array

    @property
    def right_hand_side(self) -> Array:
        """``M qdd - C - G - E``, shape (n, 6 s)."""
        return self.inertial - self.velocity - self.gravity - self.external


def times_inertia(chain: Chain, v_S: Array) -> Array:
    """Return ``I v`` of every segment, shape (n, s, 3), segment axes."""
    if chain.inertia_S.ndim > 3:  # noqa: PLR2004
        return rotate(chain.inertia_S, v_S)
    by_segment = v_S.swapaxes(0, 1) @ chain.inertia_S.swapaxes(-1, -2)
    return by_segment.swapaxes(0, 1)


def stacked_system(chain: Chain) -> StackedSystem:
    """Build the stacked system of a chain with any number of segments."""
    n, s = chain.n_frames, chain.n_segments
    A = np.zeros((n, s, 2, 3, s, 2, 3))
    R_SG = np.swapaxes(chain.R_GS, -1, -2)
    S_prox = R_SG @ skew(chain.r_prox_G - chain.r_cm_G)
    S_dist = R_SG[:, 1:] @ skew(chain.r_prox_G[:, :-1] - chain.r_cm_G[:, 1:])
    for i in range(s):
        A[:, i, 0, :, i, 0] = A[:, i, 1, :, i, 1] = np.eye(3)
        A[:, i, 1, :, i, 0] = S_prox[:, i]
        if i > 0:
            A[:, i, 0, :, i - 1, 0] = -np.eye(3)
            A[:, i, 1, :, i - 1, 0] = -S_dist[:, i - 1]
            A[:, i, 1, :, i - 1, 1] = -R_SG[:, i] @ chain.R_GS[:, i - 1]
    momentum = times_inertia(chain, chain.omega_S)
    zero = np.zeros((n, s, 3))
    weight = np.broadcast_to(chain.mass[:, None] * chain.gravity_G, (n, s, 3))

    def rows(force: Array, moment: Array) -> Array:
        return np.stack((force, moment), axis=2).reshape(n, 6 * s)

    return StackedSystem(
        A=A.reshape(n, 6 * s, 6 * s),
        inertial=rows(chain.mass[:, None] * chain.a_cm_G, times_inertia(chain, chain.alpha_S)),
        velocity=rows(zero, -cross(chain.omega_S, momentum)),
        gravity=rows(weight, zero),
        external=rows(chain.external_force_G, rotate_back(chain.R_GS, chain.external_moment_G)),
    )


def solve_stacked(chain: Chain, system: StackedSystem | None = None) -> tuple[Array, Array]:
    """Solve the stacked system, one linear system per frame.

    Frames with a missing value are solved up to the first segment that lacks it, as by
    substitution.

    Parameters
    ----------
    chain : Chain
    system : StackedSystem, optional
        Of the chain, if it has been built already; without it, those of a long chain are built one
        block of frames after the other.

    Returns
    -------
    force_G, moment_S : arrays, shape (n, s, 3)
        N in G axes, N m in segment axes.
    """
    n, s = chain.n_frames, chain.n_segments
    if system is None and n > AT_ONCE:
        parts = [solve_stacked(chain.part(rows)) for rows in blocks_of(n, AT_ONCE)]
        force_G, moment_S = (np.concatenate(each) for each in zip(*parts, strict=True))
        return force_G, moment_S
    system = system or stacked_system(chain)
    b = system.right_hand_side
    known = known_within(system.A) & np.isfinite(b)
    rows = np.minimum.accumulate(known, axis=1)
    complete = rows.reshape(n, s, 6).all(axis=2).sum(axis=1)
    f = np.full((n, 6 * s), np.nan)
    for count in sorted(set(complete[complete > 0].tolist())):
        frames, size = complete == count, 6 * count
        A, right = system.A[frames, :size, :size], b[frames, :size, None]
        f[frames, :size] = np.linalg.solve(A, right)[..., 0]
    f = f.reshape(n, s, 2, 3)
    return f[:, :, 0], f[:, :, 1]
