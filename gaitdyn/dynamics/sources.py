"""The joint moments split by cause and by the segment that causes them.

The stacked system ``A f = M qdd - C - G - E`` is linear in its right-hand side. Each segment
contributes four parts in its six rows: inertial, velocity, gravity and external. Every part
is taken as a right-hand side by itself; the solutions add up to the moment.
"""

from __future__ import annotations

import numpy as np

from gaitdyn.dynamics.stacked import stacked_system
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.loads import SourceTerms


def source_terms(chain: Chain) -> SourceTerms:
    """Return the part of every joint moment that each segment causes, by cause.

    Returns
    -------
    SourceTerms
        In the axes of the distal segment, N m. A segment above a joint does not contribute to it.

    Notes
    -----
    4 s right-hand sides of the stacked system (R. N. Watanabe, "Matrix formalism of the
    Newton-Euler equations"): ``[M qdd, -C, -G, -E]`` of each segment.
    """
    n, s = chain.n_frames, chain.n_segments
    system = stacked_system(chain)
    causes = (system.inertial, -system.velocity, -system.gravity, -system.external)
    parts = np.stack(causes, axis=-1).reshape(n, s, 6, len(causes))
    right = np.zeros((n, s, 6, s, len(causes)))
    for j in range(s):
        right[:, j, :, j] = parts[:, j]
    f = solve_unit_lower(system.A, right.reshape(n, 6 * s, s * len(causes)))
    moment_S = f.reshape(n, s, 2, 3, s, len(causes))[:, :, 1]
    return SourceTerms(np.moveaxis(moment_S, 2, -1))


def solve_unit_lower(A: Array, b: Array) -> Array:
    """Return f with ``A f = b`` for matrices that are unit lower triangular by 3 x 3 blocks.

    Solved block row by block row: ``f_k = b_k - sum_(j < k) A_kj f_j``. A NaN reaches its rows
    and those below them in the system, which belong to the joints above.

    Parameters
    ----------
    A : array, shape (n, m, m)
        Of :func:`gaitdyn.dynamics.stacked.stacked_system`.
    b : array, shape (n, m, k)
        Right-hand sides.

    Returns
    -------
    array, shape (n, m, k)
    """
    f = b.copy()
    for row in range(3, b.shape[1], 3):
        f[:, row : row + 3] -= A[:, row : row + 3, :row] @ f[:, :row]
    return f
