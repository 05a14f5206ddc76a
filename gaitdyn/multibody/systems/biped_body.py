"""The biped of seed 004: a floating trunk, and two legs of six joints each with their feet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.core.rotations import rotate, rotate_back
from gaitdyn.multibody.body import Body
from gaitdyn.multibody.cones import wrench_margin
from gaitdyn.multibody.contact import Support, support_rows
from gaitdyn.multibody.state import State
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

SIDES = ("R", "L")
JOINTS = tuple(
    f"{joint}_{side}"
    for side in SIDES
    for joint in ("hip_flex", "hip_abd", "hip_rot", "knee", "ankle_flex", "ankle_inv")
)
"""The twelve driven joints in tree order; the foot is the body of the last joint of its side."""
SOLE = np.array([0.06, -0.07, 0.0])
"""Centre of the sole from the ankle, in the foot's axes, m."""
HALF = (0.12, 0.04)
"""Half length and half width of the sole, m."""
CORNERS = tuple(SOLE + np.array([x * HALF[0], 0.0, z * HALF[1]]) for x in (1, -1) for z in (1, -1))
TRUNK = np.array([0.0, 0.3, 0.0])
"""Centre of mass of head, arms and trunk above the middle of the hips, m."""
THIGH, SHANK, HIP = 0.42, 0.43, 0.09
"""Lengths, and the distance of a hip from the middle, m."""
_MASS = 70.0
_PARTS = {
    "hat": (0.678, TRUNK, (1.9, 0.9, 1.6)),
    "thigh": (0.1, np.array([0.0, -0.433 * THIGH, 0.0]), (0.12, 0.025, 0.12)),
    "shank": (0.0465, np.array([0.0, -0.433 * SHANK, 0.0]), (0.05, 0.006, 0.05)),
    "foot": (0.0145, np.array([0.05, -0.04, 0.0]), (0.001, 0.004, 0.004)),
}
"""Share of the body mass, centre of mass (m), principal inertia for a body of 70 kg (kg m2)."""
_TO_CONE = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])
"""From the foot's axes (y up) to those of the wrench cone (z up)."""


def biped(mass: float = _MASS, g: float = 9.81) -> Tree:
    """Return the tree of 18 velocities, y up, x forward, z to the right.

    A free root ``hat``; every leg turns at the hip about z, x, y, at the knee about z, and at the
    ankle about z, x. Hips and ankles are chains of massless bodies.

    Parameters
    ----------
    mass : float
        Body mass, kg; inertias scale with it.
    g : float
        m/s2, along -y.
    """
    x, y, z = np.eye(3)

    def part(kind: str, name: str, parent: str, axis: Array, p: Array) -> Body:
        share, com, inertia = _PARTS[kind]
        moments = np.diag(inertia) * mass / _MASS
        return Body(name, parent, "revolute", share * mass, com, moments, p, axis)

    share, com, inertia = _PARTS["hat"]
    bodies = [Body("hat", None, "free", share * mass, com, np.diag(inertia) * mass / _MASS)]
    none, knee, ankle = np.zeros(3), np.array([0.0, -THIGH, 0.0]), np.array([0.0, -SHANK, 0.0])
    for side, sign in zip(SIDES, (1.0, -1.0), strict=True):
        hip = np.array([0.0, 0.0, sign * HIP])
        bodies += [
            Body(f"hip_flex_{side}", "hat", "revolute", p=hip, axis=z),
            Body(f"hip_abd_{side}", f"hip_flex_{side}", "revolute", axis=x),
            part("thigh", f"hip_rot_{side}", f"hip_abd_{side}", y, none),
            part("shank", f"knee_{side}", f"hip_rot_{side}", z, knee),
            Body(f"ankle_flex_{side}", f"knee_{side}", "revolute", p=ankle, axis=z),
            part("foot", f"ankle_inv_{side}", f"ankle_flex_{side}", x, none),
        ]
    return Tree(bodies, [0.0, -g, 0.0])


def foot(side: str) -> str:
    """Return the name of the body that is the foot of a side."""
    return f"ankle_inv_{side}"


def soles(sides: Sequence[str]) -> list[Support]:
    """Return the soles of the given sides as surfaces held by the floor."""
    return [Support(foot(side), SOLE, name=side) for side in sides]


def holding(tree: Tree, state: State, sides: Sequence[str]) -> Array:
    """Return the joint torques that hold a posture at rest on its soles, shape (nv,), N m.

    The floor carries the body by forces at the corners of the soles; those with the least Euclidean
    norm are taken. Forces alone have one unit, so the shares of the two feet do not depend on it.
    The rows of the root give the forces, the other rows then the torques.

    Parameters
    ----------
    tree : Tree
    state : State
        A single frame.
    sides : sequence of str
    """
    corners = [Support(foot(side), corner, "point") for side in sides for corner in CORNERS]
    J, g = support_rows(tree, state, corners).J[0], tree.dynamics(state).g[0]
    forces = np.linalg.lstsq(J[:, :6].T, -g[:6], rcond=None)[0]
    tau = -(g + J.T @ forces)
    tau[:6] = 0.0
    return tau


@frozen(eq=False)
class Footing:
    """The floor reaction under one foot: arrays over frames.

    Attributes
    ----------
    wrench : array, shape (n, 6)
        Force and moment on the foot at the centre of its sole, world axes, N and N m.
    pressure : array, shape (n, 2)
        Centre of pressure from the centre of the sole, forward and to the right, m.
    margin : array, shape (n,)
        Least slack of the wrench cone over the normal force; below zero the foot would slip, tip
        or lift.
    """

    wrench: Array
    pressure: Array
    margin: Array


def footing(tree: Tree, state: State, side: str, wrench: Array, mu: float) -> Footing:
    """Return centre of pressure and margin of the wrench on a foot.

    Parameters
    ----------
    tree : Tree
    state : State
    side : str
    wrench : array, shape (n, 6)
        At the centre of the sole, world axes.
    mu : float
        Coefficient of friction.
    """
    R = state.R[:, tree.index[foot(side)]]
    local = [rotate(_TO_CONE, rotate_back(R, part)) for part in (wrench[:, :3], wrench[:, 3:])]
    force, moment = local
    normal = np.where(force[:, 2] > 0, force[:, 2], np.nan)
    pressure = np.stack((-moment[:, 1], -moment[:, 0]), axis=-1) / normal[:, None]
    margin = wrench_margin(np.hstack(local), *HALF, mu) / np.abs(force[:, 2])
    return Footing(wrench, pressure, margin)


def outline(tree: Tree, state: State) -> tuple[Array, ...]:
    """Return trunk, hips and legs with their soles as lines, shape (n, points, 3) each, m."""
    hips = [state.p[:, tree.index[f"hip_flex_{side}"]] for side in SIDES]
    top = tree.point(state, "hat", 2 * TRUNK).x
    lines = [np.stack((top, state.p[:, 0]), axis=1), np.stack(hips, axis=1)]
    for side, hip in zip(SIDES, hips, strict=True):
        knee, ankle = (state.p[:, tree.index[f"{joint}_{side}"]] for joint in ("knee", "ankle_inv"))
        ends = [SOLE + np.array([x * HALF[0], 0.0, 0.0]) for x in (-1, 1)]
        heel, toe = (tree.point(state, foot(side), end).x for end in ends)
        lines.append(np.stack((hip, knee, ankle, heel, toe, ankle), axis=1))
    return tuple(lines)
