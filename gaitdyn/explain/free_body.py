"""The free body of one segment in one frame: all forces and moments that act on it.

The forces on a segment are its weight, the ground reaction force and the forces at its distal and
proximal joints; their sum is m a. The sum of all moments about the centre of mass is
I alpha + omega x I omega (Newton-Euler equations, :mod:`gaitdyn.dynamics.stacked`).
"""

from __future__ import annotations

import numpy as np

from gaitdyn.dynamics.inverse import joint_loads
from gaitdyn.dynamics.stacked import stacked_system
from gaitdyn.errors import ResultsRefused
from gaitdyn.explain.chain_at import StoredLeg
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import by_name, frozen

_SIX = 6


@frozen(eq=False)
class FreeBody:
    """One segment in one frame.

    Attributes
    ----------
    side, segment : str
    proximal, distal : str
        Joints; ``distal`` is empty for a foot or hand.
    frame : int
        Frame number in the file.
    mass : float
        kg.
    inertia_S : array, shape (3, 3)
        kg m2 about the centre of mass, segment axes.
    R_GS : array, shape (3, 3)
        Columns are the segment axes in G.
    r_cm_G, r_prox_G, r_dist_G : arrays, shape (3,)
        Centre of mass and joint centres, m; ``r_dist_G`` is NaN for a foot or hand.
    a_cm_G : array, shape (3,)
        m/s2.
    omega_S, alpha_S : arrays, shape (3,)
        rad/s and rad/s2.
    weight_G, ground_G, distal_G, proximal_G : arrays, shape (3,)
        Forces on the segment, N.
    ground_moment_S : array, shape (3,)
        Moment of the ground about the centre of mass, N m, segment axes.
    distal_moment_S, proximal_moment_S : arrays, shape (3,)
        Joint moments on the segment, N m, segment axes.
    system : tuple of arrays
        This segment's rows of ``M qdd = C + G + A f + E``: A, shape (6, 6 s), then M qdd, C, G, E,
        shape (6,), and f, shape (6 s,).
    neighbours : tuple of str
        The segment below (empty at the free end) and the one above.
    joints : tuple of str
        Joints of the unknowns in these rows, from the free end up.
    """

    side: str
    segment: str
    proximal: str
    distal: str
    frame: int
    mass: float
    inertia_S: Array
    R_GS: Array
    r_cm_G: Array
    r_prox_G: Array
    r_dist_G: Array
    a_cm_G: Array
    omega_S: Array
    alpha_S: Array
    weight_G: Array
    ground_G: Array
    distal_G: Array
    proximal_G: Array
    ground_moment_S: Array
    distal_moment_S: Array
    proximal_moment_S: Array
    system: tuple[Array, ...]
    neighbours: tuple[str, str]
    joints: tuple[str, ...]

    @property
    def arm_proximal_G(self) -> Array:
        """Vector from the centre of mass to the proximal joint, m."""
        return self.r_prox_G - self.r_cm_G

    @property
    def arm_distal_G(self) -> Array:
        """Vector from the centre of mass to the distal joint, m; NaN for a foot or hand."""
        return self.r_dist_G - self.r_cm_G

    @property
    def mass_times_acceleration_G(self) -> Array:
        """``m a``, N."""
        return self.mass * self.a_cm_G

    @property
    def inertial_moment_S(self) -> Array:
        """``I alpha``, N m."""
        return self.inertia_S @ self.alpha_S

    @property
    def velocity_moment_S(self) -> Array:
        """``omega x I omega``, N m."""
        return np.cross(self.omega_S, self.inertia_S @ self.omega_S)

    @property
    def proximal_force_moment_S(self) -> Array:
        """Moment of the proximal force about the centre of mass, N m, segment axes."""
        return self.R_GS.T @ np.cross(self.arm_proximal_G, self.proximal_G)

    @property
    def distal_force_moment_S(self) -> Array:
        """Moment of the distal force about the centre of mass, N m; zero for a foot or hand."""
        if not self.distal:
            return np.zeros(3)
        return self.R_GS.T @ np.cross(self.arm_distal_G, self.distal_G)

    @property
    def force_sum_G(self) -> Array:
        """Sum of all forces on the segment, N."""
        return self.weight_G + self.ground_G + self.distal_G + self.proximal_G

    @property
    def moment_sum_S(self) -> Array:
        """Sum of all moments about the centre of mass, N m, segment axes."""
        joints = self.distal_moment_S + self.proximal_moment_S
        forces = self.distal_force_moment_S + self.proximal_force_moment_S
        return joints + forces + self.ground_moment_S

    @property
    def force_residual_G(self) -> Array:
        """Sum of forces minus ``m a``, N: zero except for rounding."""
        return self.force_sum_G - self.mass_times_acceleration_G

    @property
    def moment_residual_S(self) -> Array:
        """Sum of moments minus ``I alpha + omega x I omega``, N m: zero except for rounding."""
        return self.moment_sum_S - self.inertial_moment_S - self.velocity_moment_S

    @property
    def row_residual(self) -> float:
        """Largest residual of the rows of the stacked system, N and N m."""
        A, inertial, velocity, gravity, external, f = self.system
        return float(np.abs(velocity + gravity + A @ f + external - inertial).max())


def free_body(leg: StoredLeg, segment: int, frame: int) -> FreeBody:
    """Return the free body of one segment in one frame.

    Parameters
    ----------
    leg : StoredLeg
    segment : int
        0 foot or hand, 1 shank or forearm, 2 thigh or upper arm.
    frame : int
        Frame number in the file.

    Raises
    ------
    UsageError
        If the trial has no such frame.
    ResultsRefused
        If a force or moment on the segment is unknown in this frame.
    """
    chain = one_frame(leg.chain, leg.row(frame))
    loads = joint_loads(chain)
    forces, moments, i = loads.force_G[0], loads.moment_S[0], segment
    if not np.isfinite([forces[i], moments[i]]).all():
        raise ResultsRefused(_unknown(leg, chain, segment, frame))
    rows = slice(_SIX * i, _SIX * (i + 1))
    system = stacked_system(chain)
    used = _SIX * (i + 1)  # without the segments above, which may lack a marker
    f = np.stack((forces, moments), axis=1).ravel()[:used]
    parts = (system.inertial, system.velocity, system.gravity, system.external)
    R, below = chain.R_GS[0], i > 0
    turn = R[i].T @ R[i - 1] if below else np.eye(3)
    return FreeBody(
        side=leg.side,
        segment=leg.limb.segments[i].replace("_", " "),
        proximal=leg.limb.joints[i],
        distal=leg.limb.joints[i - 1] if below else "",
        neighbours=_neighbours(leg, i),
        joints=leg.limb.joints[: i + 1],
        frame=frame,
        mass=float(chain.mass[i]),
        inertia_S=(chain.inertia_S[0] if chain.inertia_S.ndim > 3 else chain.inertia_S)[i],  # noqa: PLR2004
        R_GS=R[i],
        r_cm_G=chain.r_cm_G[0, i],
        r_prox_G=chain.r_prox_G[0, i],
        r_dist_G=chain.r_prox_G[0, i - 1] if below else np.full(3, np.nan),
        a_cm_G=chain.a_cm_G[0, i],
        omega_S=chain.omega_S[0, i],
        alpha_S=chain.alpha_S[0, i],
        weight_G=chain.mass[i] * chain.gravity_G,
        ground_G=chain.external_force_G[0, i],
        distal_G=-forces[i - 1] if below else np.zeros(3),
        proximal_G=forces[i],
        ground_moment_S=R[i].T @ chain.external_moment_G[0, i],
        distal_moment_S=-turn @ moments[i - 1] if below else np.zeros(3),
        proximal_moment_S=moments[i],
        system=(system.A[0, rows, :used], *(part[0, rows] for part in parts), f),
    )


def _neighbours(leg: StoredLeg, i: int) -> tuple[str, str]:
    """Return the names of the segments below and above."""
    words = ("", *(x.replace("_", " ") for x in leg.limb.segments), leg.limb.trunk)
    return words[i], words[i + 2]


def one_frame(chain: Chain, row: int) -> Chain:
    """Return the chain in one frame."""
    constant = {"mass", "gravity_G"} | ({"inertia_S"} if chain.inertia_S.ndim == 3 else set())  # noqa: PLR2004
    parts = by_name(chain).items()
    return Chain(**{name: x if name in constant else x[row : row + 1] for name, x in parts})


def _unknown(leg: StoredLeg, chain: Chain, segment: int, frame: int) -> str:
    """Return which value is missing, and the nearest frame that has all values."""
    n = segment + 1
    ground = bool(np.isfinite(chain.external_force_G[0, 0]).all())
    missing = "the ground reaction force" if not ground else "a marker or its derivatives"
    needed = (leg.chain.external_force_G, leg.chain.r_prox_G, leg.chain.a_cm_G, leg.chain.alpha_S)
    known = np.all([np.isfinite(x[:, :n]).all(axis=(1, 2)) for x in needed], axis=0)
    rows = np.flatnonzero(known)
    advice = "no frame is complete"
    if len(rows):
        nearest = leg.frame[rows[np.argmin(np.abs(leg.frame[rows] - frame))]]
        advice = f"the nearest complete frame is {nearest:.0f}"
    name = f"{leg.side}_{leg.limb.segments[segment]}"
    return f"{name}, frame {frame}: {missing} is unknown; {advice}"
