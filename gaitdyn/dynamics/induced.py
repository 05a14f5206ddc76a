"""The acceleration of the body's centre of mass that each joint moment induces.

The equations of motion are linear in their loads. With the rows J of the standing feet ::

    [ M  -J' ] [ qdd ]   [ load  ]
    [ J   0  ] [ w   ] = [ gamma ]

every load by itself gives the acceleration and the ground force that it induces
(Zajac and Gordon 1989, Exerc Sport Sci Rev 17:187-230; Kepple, Siegel and Stanhope 1997, Gait
Posture 6:1-8). A standing foot is held at its centre of pressure, and against spin about the
vertical through it: the four components that a plate measures. The foot may roll about this point.
The trunk is held against the pelvis. The measured accelerations of these points and of the trunk
are sources too, so that all sources together give the measured motion and ground force.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.core.runs import complete_rows
from gaitdyn.dynamics.segment_tree import MeasuredTree, generalised_loads, ground_contacts
from gaitdyn.multibody import State
from gaitdyn.multibody.contact import applied
from gaitdyn.multibody.dynamics import matrices
from gaitdyn.multibody.state import com, point
from gaitdyn.types.arrays import Array, Mask
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import by_name
from gaitdyn.types.generalised import OTHER_SOURCES, InducedAcceleration
from gaitdyn.types.motion import JOINTS

_HELD = [0, 1, 2, 4]
"""Held rows of the six of a point: its velocity, and the spin about y, the vertical of G."""


def induced_accelerations(
    measured: MeasuredTree, chains: Mapping[str, Chain], cop_G: Mapping[str, Array]
) -> InducedAcceleration:
    """Return the acceleration of the centre of mass induced by each source.

    Parameters
    ----------
    measured : MeasuredTree
        With a trunk, and with inertia about every axis of every segment.
    chains : mapping
        Side -> Chain, the same as in :func:`gaitdyn.dynamics.segment_tree.measured_tree`.
    cop_G : mapping
        Side -> centre of pressure, shape (n, 3), m; the foot is held in frames where it is known.

    Returns
    -------
    InducedAcceleration
        Sources: ``left_ankle`` and so on; ``trunk``, its measured rotation against the pelvis;
        ``gravity``; ``velocity``; ``residual`` at the pelvis; and ``contact``, the acceleration
        of the held points and the ground force on a foot that is not held. NaN in frames with
        any unknown value.
    """
    tau = generalised_loads(measured, chains).tau
    names = [f"{side}_{joint}" for side in chains for joint in JOINTS]
    names += OTHER_SOURCES
    n, count = len(tau), len(names)
    a_com, force = np.full((n, count, 3), np.nan), np.full((n, count, 3), np.nan)
    total = np.full((n, 3), np.nan)
    held = {side: complete_rows(cop_G[side]) for side in chains}
    unheld = np.zeros_like(tau)
    for side, chain in chains.items():
        ground = applied(measured.tree, measured.state, ground_contacts(side, chain))
        unheld += np.where(held[side][:, None], 0.0, ground)
    known = complete_rows(tau) & complete_rows(measured.acceleration)
    standing_feet = [feet for k in range(len(chains) + 1) for feet in combinations(chains, k)]
    for feet in standing_feet:
        frames = known.copy()
        for side, standing in held.items():
            frames &= standing if side in feet else ~standing
        if frames.any():
            points = {side: cop_G[side][frames] for side in feet}
            a_com[frames], force[frames], total[frames] = _by_source(
                _part(measured, frames), names, tau[frames], unheld[frames], points
            )
    return InducedAcceleration(
        {name: a_com[:, i] for i, name in enumerate(names)},
        {name: force[:, i] for i, name in enumerate(names)},
        total,
    )


def _part(measured: MeasuredTree, frames: Mask) -> MeasuredTree:
    state = State(**{name: values[frames] for name, values in by_name(measured.state).items()})
    return replace(measured, state=state, acceleration=measured.acceleration[frames])


def _by_source(
    measured: MeasuredTree,
    names: Sequence[str],
    tau: Array,
    unheld: Array,
    points: Mapping[str, Array],
) -> tuple[Array, Array, Array]:
    """Return acceleration of the centre of mass and ground force by source, and the total."""
    tree, state, qdd = measured.tree, measured.state, measured.acceleration
    n, nv = qdd.shape
    M, c, g = matrices(tree, state)
    trunk = measured.rows("trunk_")
    J, bias = _held(measured, trunk, points)
    k, feet = J.shape[1], nv + len(trunk)
    right = np.zeros((n, nv + k, len(names)))
    for i, name in enumerate(names[: -len(OTHER_SOURCES)]):
        rows = measured.rows(f"{name}_")
        right[:, rows, i] = tau[:, rows]
    right[:, nv:feet, -5] = qdd[:, trunk]
    right[:, :nv, -4] = g
    right[:, :nv, -3], right[:, nv:, -3] = -c, -bias
    right[:, :6, -2] = tau[:, :6]
    right[:, :nv, -1], right[:, feet:, -1] = unheld, (rotate(J, qdd) + bias)[:, len(trunk) :]
    kkt = np.zeros((n, nv + k, nv + k))
    kkt[:, :nv, :nv], kkt[:, nv:, :nv] = M, J
    kkt[:, :nv, nv:] = -np.swapaxes(J, 1, 2)
    # M alone is singular: the pelvis carries the trunk but has no mass
    solution = np.linalg.solve(kkt, right)
    centre = com(tree, state)
    a_com = np.swapaxes(centre.J @ solution[:, :nv], 1, 2)
    a_com[:, -3] += centre.bias
    force = np.zeros((n, len(names), 3))
    for row in range(feet, nv + k, len(_HELD)):
        force += np.swapaxes(solution[:, row : row + 3], 1, 2)
    return a_com, force, rotate(centre.J, qdd) + centre.bias


def _held(
    measured: MeasuredTree, trunk: Sequence[int], points: Mapping[str, Array]
) -> tuple[Array, Array]:
    """Return the rows of the trunk and the held points, (n, 3 + 4 feet, nv), and their bias."""
    tree, state = measured.tree, measured.state
    n = len(state.p)
    turning = np.zeros((n, len(trunk), tree.nv))
    turning[:, range(len(trunk)), trunk] = 1.0
    J, bias = [turning], [np.zeros((n, len(trunk)))]
    for side, cop_G in points.items():
        b = tree.index[f"{side}_foot"]
        arm = rotate_back(state.R[:, b], cop_G - state.p[:, b])
        held = point(tree, state, f"{side}_foot", arm)
        J.append(held.J[:, _HELD])
        bias.append(held.bias[:, _HELD])
    return np.concatenate(J, axis=1), np.concatenate(bias, axis=1)
