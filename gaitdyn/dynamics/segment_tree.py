"""The measured segments of pelvis and legs as one tree of bodies.

The pelvis is the root with six coordinates, and every joint is a ball. Its velocities are the
components of the angular velocity of the distal against the proximal segment in distal axes, so
that its generalised loads are the components of the joint moment in these axes. A trunk without
markers stays upright over the middle of the hips and does not rotate. A trunk with markers is
thorax, head and arms, each on a ball joint.

The Jacobians are those of the positions that were measured in each frame. Joint centres that shift
in their segments, as skin lets them, stay where they were measured. Motion that no rigid tree can
make becomes part of the bias accelerations.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np

from gaitdyn.core.rotations import cross, rotate, rotate_back
from gaitdyn.multibody import AppliedWrench, Body, State, Terms, Tree
from gaitdyn.multibody.dynamics import inverse
from gaitdyn.types.arrays import Array
from gaitdyn.types.chain import Chain
from gaitdyn.types.frozen import frozen
from gaitdyn.types.generalised import PelvisMotion, Trunk, UpperTree
from gaitdyn.types.motion import JOINTS, SEGMENTS

_ROOT = ("pelvis_x", "pelvis_y", "pelvis_z", "pelvis_about_x", "pelvis_about_y", "pelvis_about_z")
_AXES = ("x", "y", "z")


@frozen(eq=False)
class MeasuredTree:
    """A tree in the motion that was measured.

    Attributes
    ----------
    tree : Tree
        Pelvis first, then thigh, shank and foot of each leg; the origin of a segment is its
        centre of mass, that of the pelvis the middle of the hip centres.
    state : State
    acceleration : array, shape (n, nv)
        Of the generalised coordinates.
    names : tuple of str
        Of the coordinates: ``pelvis_x`` to ``pelvis_about_z``, then ``left_hip_x`` and so on.
    """

    tree: Tree
    state: State
    acceleration: Array
    names: tuple[str, ...]

    def rows(self, beginning: str) -> list[int]:
        """Return the numbers of the coordinates whose names begin with a text."""
        return [i for i, name in enumerate(self.names) if name.startswith(beginning)]


def measured_tree(
    pelvis: PelvisMotion, chains: Mapping[str, Chain], trunk: Trunk | UpperTree | None = None
) -> MeasuredTree:
    """Return pelvis and legs as a tree, moving as their chains do.

    Parameters
    ----------
    pelvis : PelvisMotion
    chains : mapping
        Side -> Chain of foot, shank and thigh, rigid: their inertia does not change with time.
    trunk : Trunk or UpperTree, optional
        The body that the pelvis carries on ball joints; the names of its coordinates begin with
        ``trunk_``. Nothing if not given.
    """
    bodies, names = [_root(trunk)], list(_ROOT)
    if isinstance(trunk, UpperTree):
        for part in trunk.parts:
            bodies.append(Body(part.name, part.parent, "ball", part.mass, inertia=part.inertia))
            names += [f"trunk_{part.name}_{axis}" for axis in _AXES]
    elif trunk is not None:
        bodies.append(Body("trunk", "pelvis", "ball", trunk.mass, inertia=trunk.inertia))
        names += [f"trunk_{axis}" for axis in _AXES]
    for side, chain in chains.items():
        bodies += _leg_bodies(side, chain)
        names += [f"{side}_{joint}_{axis}" for joint in reversed(JOINTS) for axis in _AXES]
    tree = Tree(bodies, next(iter(chains.values())).gravity_G)
    state, acceleration = _motion(tree, pelvis, chains, trunk)
    return MeasuredTree(tree, state, acceleration, tuple(names))


def _root(trunk: Trunk | UpperTree | None) -> Body:
    """Return the pelvis; it has mass only if the trunk above it was measured."""
    if isinstance(trunk, UpperTree):
        return Body("pelvis", None, "free", trunk.mass, trunk.centre_P, trunk.inertia)
    return _bare_pelvis()


@cache
def _bare_pelvis() -> Body:
    return Body("pelvis", None, "free")


def _leg_bodies(side: str, chain: Chain) -> list[Body]:
    names = [f"{side}_{segment}" for segment in SEGMENTS]
    return [
        Body(name, parent, "ball", float(chain.mass[i]), inertia=chain.inertia_S[i])
        for i, name, parent in zip((2, 1, 0), names[::-1], ("pelvis", *names[:0:-1]), strict=True)
    ]


@frozen(eq=False)
class _BodyKinematics:
    """The measured motion of a body in G: axes, position, first and second derivatives."""

    R: Array
    position: Array
    turning: Array
    linear: Array
    angular: Array
    joint: Array


def _motion(
    tree: Tree, pelvis: PelvisMotion, chains: Mapping[str, Chain], trunk: Trunk | UpperTree | None
) -> tuple[State, Array]:
    """Return the state and the accelerations of the coordinates."""
    measured = _measured_bodies(pelvis, chains, trunk)
    bodies, n = [measured[body.name] for body in tree.bodies], len(pelvis.R_GP)
    R, p, turning, linear, angular, joints = (
        np.stack([getattr(body, name) for body in bodies], axis=1)
        for name in ("R", "position", "turning", "linear", "angular", "joint")
    )
    rates, changes = _relative(R, turning, angular, list(tree.parents[1:]))
    each = (n, tree.nv - 6)  # also of no frame at all
    velocity = np.concatenate((pelvis.v_G, pelvis.omega_P, rates.reshape(each)), axis=1)
    acceleration = np.concatenate((pelvis.a_G, pelvis.alpha_P, changes.reshape(each)), axis=1)
    J_w, J_p = np.zeros((2, n, len(bodies), 3, tree.nv))
    J_p[:, :, :, :3] = np.eye(3)
    turned_by = [[b] for b in range(len(bodies))]  # each body: by its joint and all before that
    for b, parent in enumerate(tree.parents[1:], start=1):
        turned_by[b] += turned_by[parent]
    pairs = [(b, a) for b, before in enumerate(turned_by) for a in before]
    beyond, by = np.transpose(pairs)
    turned = _turned(R.take(by, 1), p.take(beyond, 1) - joints.take(by, 1))
    for k, (b, a) in enumerate(pairs):
        about = slice(tree.v_at[a].stop - 3, tree.v_at[a].stop)
        J_w[:, b, :, about], J_p[:, b, :, about] = R[:, a], turned[:, k]
    aw, ap = angular - _along(J_w, acceleration), linear - _along(J_p, acceleration)
    return State(R, p, turning, _along(J_p, velocity), aw, ap, J_w, J_p), acceleration


def _measured_bodies(
    pelvis: PelvisMotion, chains: Mapping[str, Chain], trunk: Trunk | UpperTree | None
) -> dict[str, _BodyKinematics]:
    R, middle = pelvis.R_GP, pelvis.r_G
    turning, angular = rotate(R, pelvis.omega_P), rotate(R, pelvis.alpha_P)
    bodies = {"pelvis": _BodyKinematics(R, middle, turning, pelvis.a_G, angular, middle)}
    if isinstance(trunk, UpperTree):
        for part in trunk.parts:
            arrays = part.R, part.place, part.turning, part.linear, part.angular, part.joint
            bodies[part.name] = _BodyKinematics(*arrays)
    elif trunk is not None:
        still, centre = np.zeros_like(middle), middle + np.array([0.0, trunk.height_m, 0.0])
        upright = np.broadcast_to(np.eye(3), R.shape)
        bodies["trunk"] = _BodyKinematics(upright, centre, still, pelvis.a_G, still, middle)
    for side, chain in chains.items():
        turning, angular = rotate(chain.R_GS, chain.omega_S), rotate(chain.R_GS, chain.alpha_S)
        for i in range(chain.n_segments):
            arrays = chain.R_GS, chain.r_cm_G, turning, chain.a_cm_G, angular, chain.r_prox_G
            bodies[f"{side}_{SEGMENTS[i]}"] = _BodyKinematics(*(values[:, i] for values in arrays))
    return bodies


def _relative(R: Array, turning: Array, angular: Array, parents: list[int]) -> tuple[Array, Array]:
    """Return the angular velocity of each body but the root to its parent, and its derivative.

    In the axes of the body: ``R'(omega_b - omega_p)`` and ``R'(alpha_b - alpha_p - omega_b x
    (omega_b - omega_p))``, with all quantities on the right in G.
    """
    own, difference = turning[:, 1:].copy(), turning[:, 1:] - turning.take(parents, 1)
    rate = angular[:, 1:] - angular.take(parents, 1) - cross(own, difference)
    axes = R[:, 1:].copy()  # einsum is slow on slices
    return rotate_back(axes, difference), rotate_back(axes, rate)


def _turned(R: Array, arms: Array) -> Array:
    """Return the velocities of the ends of arms for unit rates about the columns of R."""
    return np.stack([cross(R[..., i], arms) for i in range(3)], axis=-1)


def _along(J: Array, rates: Array) -> Array:
    """Return ``J qd`` of every body, shape (n, bodies, 3)."""
    return rotate(J, rates[:, None])


def generalised_loads(measured: MeasuredTree, chains: Mapping[str, Chain]) -> Terms:
    """Return the generalised loads of the measured motion, split by cause: ``tau = M + C + G + E``.

    Parameters
    ----------
    measured : MeasuredTree
    chains : mapping
        Side -> Chain, the same as in :func:`measured_tree`.

    Returns
    -------
    Terms
        Arrays of shape (n, nv), columns in the order of ``measured.names``: first the three of the
        residual force at the pelvis in G, N; then the three of the residual moment about the middle
        of the hip centres in pelvis axes, N m; then the joint moments in distal axes, N m.
    """
    contacts = [contact for item in chains.items() for contact in ground_contacts(*item)]
    return inverse(measured.tree, measured.state, measured.acceleration, contacts)


def ground_contacts(side: str, chain: Chain) -> list[AppliedWrench]:
    """Return the external wrenches of a leg, each at the centre of mass of a loaded segment."""
    loaded = np.any((chain.external_force_G, chain.external_moment_G), axis=(0, 1, 3))
    return [
        AppliedWrench(
            f"{side}_{SEGMENTS[i]}",
            chain.r_cm_G[:, i],
            chain.external_force_G[:, i],
            chain.external_moment_G[:, i],
        )
        for i in np.flatnonzero(loaded)
    ]
