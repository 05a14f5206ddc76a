"""Inverse dynamics of a chain of segments: the core function of the package."""

from __future__ import annotations

from typing import Any, Literal

from numpy.typing import ArrayLike

from gaitdyn.dynamics.plausible import check_chain
from gaitdyn.dynamics.stacked import solve_stacked
from gaitdyn.dynamics.substitution import solve_by_substitution
from gaitdyn.dynamics.terms import moment_terms
from gaitdyn.errors import UsageError
from gaitdyn.types.arguments import told
from gaitdyn.types.chain import Chain
from gaitdyn.types.loads import JointLoads

Method = Literal["substitution", "stacked"]


def joint_loads(chain: Chain, method: Method = "substitution") -> JointLoads:
    """Return the net joint forces and moments of a chain.

    Parameters
    ----------
    chain : Chain
    method : {"substitution", "stacked"}
        Block forward substitution, or one 6 s x 6 s solve per frame. They give the same numbers.

    Raises
    ------
    UsageError
        If ``method`` is neither of the two.
    """
    solvers = {"substitution": solve_by_substitution, "stacked": solve_stacked}
    if method not in tuple(solvers):  # which compares, and so takes also what has no hash
        raise UsageError(f"method is {told(method)}, wanted 'substitution' or 'stacked'")
    force, moment = solvers[method](chain)
    force.flags.writeable = moment.flags.writeable = False
    return JointLoads(force, moment, chain, moment_terms)


def inverse_dynamics(
    mass: ArrayLike,
    inertia_S: ArrayLike,
    R_GS: ArrayLike,
    r_cm_G: ArrayLike,
    r_prox_G: ArrayLike,
    a_cm_G: ArrayLike,
    omega_S: ArrayLike,
    alpha_S: ArrayLike,
    external_force_G: ArrayLike,
    external_moment_G: ArrayLike,
    gravity_G: ArrayLike,
    method: Method = "substitution",
) -> JointLoads:
    """Return the net joint forces and moments of a chain of segments.

    Segments are ordered from distal to proximal (foot, shank, thigh); the distal joint of
    segment i is the proximal joint of segment i - 1.

    Parameters
    ----------
    mass : array, shape (s,)
        kg.
    inertia_S : array, shape (s, 3, 3)
        kg m2 about the centre of mass, in segment axes; (n, s, 3, 3) if it changes in time.
    R_GS : array, shape (n, s, 3, 3)
        Columns are the segment axes in G: ``v_G = R_GS @ v_S``.
    r_cm_G, r_prox_G : array, shape (n, s, 3)
        Centre of mass and proximal joint centre in G, m.
    a_cm_G : array, shape (n, s, 3)
        Acceleration of the centre of mass in G, without gravity, m/s2.
    omega_S, alpha_S : array, shape (n, s, 3)
        Angular velocity and acceleration in segment axes, rad/s and rad/s2.
    external_force_G, external_moment_G : array, shape (n, s, 3)
        Wrench on each segment in G, moment about its centre of mass (free moment included),
        N and N m.
    gravity_G : array, shape (3,)
        m/s2, for example ``(0, -9.80665, 0)``.
    method : {"substitution", "stacked"}
        Forward substitution, or building and solving the 6 s x 6 s system of every frame.

    Returns
    -------
    JointLoads
        ``force_G`` and ``moment_S``, shape (n, s, 3): proximal on distal, at ``r_prox_G``;
        ``terms``: the same moments by cause, computed when first read. A NaN affects only its
        frame, and there its segment and those above it.

    Raises
    ------
    ArrayShapeError
        If shapes do not match, or an array has other elements than real numbers.
    ChainRefused
        If ``R_GS`` is not a rotation, a mass is not above zero, an inertia is not symmetric or
        has a negative principal moment (zero about the long axis is allowed), or lengths look like
        millimetres.
    UsageError
        If ``method`` is unknown.

    See Also
    --------
    gaitdyn.Result.save : ``intermediate=True`` writes these arguments of a trial.

    Notes
    -----
    Newton-Euler equations in the stacked form of Watanabe ("Matrix formalism of the Newton-Euler
    equations"); see :mod:`gaitdyn.dynamics.stacked`.

    Examples
    --------
    A foot of 1 kg held still 0.1 m in front of the ankle needs its weight, 9.81 N upwards, and a
    dorsiflexing moment of 0.981 N m about the axis to the right:

    >>> import numpy as np
    >>> zero = np.zeros((1, 1, 3))
    >>> loads = inverse_dynamics(
    ...     mass=[1.0],
    ...     inertia_S=[np.eye(3)],
    ...     R_GS=[[np.eye(3)]],
    ...     r_cm_G=zero,
    ...     r_prox_G=[[[-0.1, 0, 0]]],
    ...     a_cm_G=zero,
    ...     omega_S=zero,
    ...     alpha_S=zero,
    ...     external_force_G=zero,
    ...     external_moment_G=zero,
    ...     gravity_G=(0, -9.81, 0),
    ... )
    >>> loads.force_G[0, 0].round(3).tolist(), loads.moment_S[0, 0].round(3).tolist()
    ([0.0, 9.81, 0.0], [0.0, 0.0, 0.981])
    """
    given: tuple[Any, ...] = (  # a chain makes arrays of them
        mass, inertia_S, R_GS, r_cm_G, r_prox_G, a_cm_G, omega_S, alpha_S,
        external_force_G, external_moment_G, gravity_G,
    )  # fmt: skip
    chain = Chain(*given)
    check_chain(chain)
    return joint_loads(chain, method)
