"""A biped that stands on one foot or two and is pushed: contacts of seed 004.

The soles are held by the floor as surfaces. What a real floor can do is printed beside it: each
wrench must lie inside its cone, or the foot would slip, tip or lift and the run ends to be true.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import ConstraintRefused, SimulationRefused
from gaitdyn.multibody.contact import AppliedWrench, support_rows
from gaitdyn.multibody.induced import supported
from gaitdyn.multibody.systems.biped_body import (
    JOINTS,
    SIDES,
    SOLE,
    TRUNK,
    Footing,
    biped,
    foot,
    footing,
    holding,
    outline,
    soles,
)
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    SystemRun,
    coordinate_columns,
)
from gaitdyn.multibody.systems.tree_run import cardan, tree_motion

if TYPE_CHECKING:
    from gaitdyn.multibody.constraint import Constrained
    from gaitdyn.multibody.state import State
    from gaitdyn.multibody.systems.model import Settings, Value
    from gaitdyn.multibody.tree import Tree
    from gaitdyn.types.arrays import Array

_TOLERANCE = 1e-10
_FREE_RATE = 20.0
"""Natural frequency of the held joints of a leg in the air, rad/s, critically damped."""
_STILL = 1e-6
"""Largest velocity of a sole at the start, m/s and rad/s."""


class Stand:
    """A biped on its feet: what acts on it, and how it answers.

    Parameters
    ----------
    asked : Settings
    """

    def __init__(self, asked: Settings) -> None:
        self.tree: Tree = biped(asked.number("mass"), asked.number("g"))
        self.sides = SIDES if asked.word("feet") == "both" else (asked.word("feet")[0].upper(),)
        self.used = _posture(asked)
        self.q0 = self._on_the_floor(asked)
        self.v0 = np.array([asked.number(f"v_{name}") for name in (*_ROOT, *JOINTS)])
        self.push = np.array([asked.number(f"push_{axis}") for axis in "xyz"])
        self.push_s = asked.number("push_s")
        self.tau = np.array([0.0] * 6 + [asked.number(f"tau_{name}") for name in JOINTS])
        self.gains = np.zeros((2, 12))
        still = self.tree.state(self.q0, np.zeros(18))
        if asked.word("control") == "hold":
            self.tau = self.tau + holding(self.tree, still, self.sides)
            self.gains = self._gains(asked, np.diag(self.tree.dynamics(still).M[0])[6:])
        rows = support_rows(self.tree, still, soles(self.sides))
        fastest = float(np.abs(rows.J[0] @ self.v0).max())
        if fastest > _STILL:
            raise SimulationRefused(
                f"the velocities at the start move a foot that stands, by {fastest:.3g} m/s or"
                " rad/s; give it velocities that keep its sole still"
            )

    def _on_the_floor(self, asked: Settings) -> Array:
        """Return the coordinates at the start; without a height given the sole is at y = 0."""
        root = np.array([float(self.used[name]) for name in _ROOT])
        angles = [float(self.used[name]) for name in JOINTS]
        q = np.concatenate((root[:3], cardan(root[3:]), angles))
        if "y" not in asked.given:
            at = self.tree.point(self.tree.state(q, np.zeros(18)), foot(self.sides[0]), SOLE)
            q[1] -= at.x[0, 1]
            self.used["y"] = float(q[1])
        return q

    def _gains(self, asked: Settings, inertia: Array) -> Array:
        """Return stiffness and damping of the joints, shape (2, 12).

        A leg in the air carries its own parts alone: what holds a body up would shake it.
        """
        gains = np.array([[asked.number("stiffness")], [asked.number("damping")]])
        free = np.stack((_FREE_RATE**2 * inertia, 2 * _FREE_RATE * inertia))
        stands = np.array([name[-1] in self.sides for name in JOINTS])
        return np.where(stands, gains, free)

    def force(self, t: Array | float) -> Array:
        """Return the push on the trunk's centre of mass, shape (n, 3), N: one smooth bump."""
        at = np.atleast_1d(np.asarray(t, dtype=float))
        inside = (at >= 0) & (at < self.push_s)
        bump = np.where(inside, np.sin(pi * at / self.push_s) ** 2, 0.0)
        return bump[:, None] * self.push

    def torque(self, q: Array, v: Array) -> Array:
        """Return the torques of the joints, shape (n, 18), zero for the root, N m."""
        tau = np.broadcast_to(self.tau, v.shape).copy()
        tau[:, 6:] -= self.gains[0] * (q[:, 7:] - self.q0[7:]) + self.gains[1] * v[:, 6:]
        return tau

    def answer(self, t: Array | float, state: State, tau: Array) -> Constrained:
        """Return accelerations (n, 18) and the wrenches of the soles (n, 6 feet)."""
        pushed = AppliedWrench("hat", TRUNK, self.force(t), frame="body")
        try:
            return supported(self.tree, state, tau, [pushed, *soles(self.sides)], "refuse")
        except ConstraintRefused as error:
            raise SimulationRefused(
                f"the biped comes to a posture in which its soles have no unique wrench ({error});"
                " ask for a shorter run, or for torques that hold it"
            ) from error

    def rate(self, t: float, q: Array, v: Array) -> tuple[Array, float]:
        """Return the accelerations and the power of torques and push."""
        state, tau = self.tree.state(q, v), self.torque(q, v)
        trunk = self.tree.point(state, "hat", TRUNK).J[0, :3] @ v[0]
        power = tau[0] @ v[0] + self.force(t)[0] @ trunk
        return self.answer(t, state, tau).qdd[0], float(power)


def run(asked: Settings) -> SystemRun:
    """Return how the biped stands, with the wrenches under its feet."""
    stand = Stand(asked)
    tree, t = stand.tree, asked.times(1.0, 100.0)
    q, v, work = tree_motion(asked, tree, (stand.q0, stand.v0), t, stand.rate, tolerance=_TOLERANCE)
    state = tree.state(q, v)
    tau = stand.torque(q, v)
    qdd, w = stand.answer(t, state, tau)
    feet = {
        side: footing(tree, state, side, w[:, 6 * i : 6 * i + 6], asked.number("mu"))
        for i, side in enumerate(stand.sides)
    }
    centre = tree.com(state)
    loads = np.hstack([np.column_stack((f.wrench, f.pressure, f.margin)) for f in feet.values()])
    motion = np.hstack((v, qdd, tau[:, 6:], stand.force(t), centre.x))
    places = (tree.point(state, foot(side), SOLE).x for side in feet)
    shift = max(float(np.ptp(x, axis=0).max()) for x in places)
    return SystemRun(
        t,
        q,
        tree.qdot(q, v),
        tree.energy(state).total,
        coordinate_columns(_COORDINATES),
        work,
        outline(tree, state),
        (
            ExtraTable("contact", tuple(c for side in feet for c in _contact_columns(side)), loads),
            ExtraTable("motion", _MOTION, motion),
        ),
        (*_notes(t, feet), f"the soles drift by {shift:.1e} m in the run"),
        stand.used,
    )


def _notes(t: Array, feet: dict[str, Footing]) -> tuple[str, ...]:
    notes = []
    for side, held in feet.items():
        name = {"R": "right foot", "L": "left foot"}[side]
        place = 1e3 * held.pressure[0]
        notes.append(
            f"{name} at the start: {held.wrench[0, 1]:.1f} N up, centre of pressure"
            f" {place[0]:.1f} mm before and {place[1]:.1f} mm to the right of the sole's centre,"
            f" margin of its wrench cone {held.margin[0]:.4f} of the normal force"
        )
        out = np.flatnonzero(~(held.margin >= 0))
        if out.size:
            notes.append(
                f"{name} leaves its wrench cone at {t[out[0]]:g} s (least margin"
                f" {np.nanmin(held.margin):.4f}): from there on it would slip, tip or lift, and"
                " this run, which holds it, is not what happens"
            )
        else:
            least = int(np.argmin(held.margin))
            notes.append(
                f"{name} stays inside its wrench cone, least margin {held.margin[least]:.4f} at"
                f" {t[least]:g} s"
            )
    return tuple(notes)


_ROOT = ("x", "y", "z", "rx", "ry", "rz")
_BENT = {"hip_flex": 0.25, "knee": -0.6, "ankle_flex": 0.35}
_LIFTED = {"hip_flex": 0.5, "knee": -1.0, "ankle_flex": 0.3}
_LEAN = 0.1
"""Turn of trunk and standing leg that brings the centre of mass over the foot, rad."""


def _posture(asked: Settings) -> dict[str, Value]:
    """Return root and joint angles: as given, or bent legs with the mass over the feet."""
    feet = asked.word("feet")
    wanted = {name: asked.number(name) for name in (*_ROOT, *JOINTS)}
    for side, word, sign in (("R", "right", 1.0), ("L", "left", -1.0)):
        stands = feet in ("both", word)
        own: dict[str, float] = dict(_BENT if stands else _LIFTED)
        if feet == word:
            own["ankle_inv"] = -sign * _LEAN
            if "rx" not in asked.given:
                wanted["rx"] = sign * _LEAN
        for joint, angle in own.items():
            if f"{joint}_{side}" not in asked.given:
                wanted[f"{joint}_{side}"] = angle
    return dict(wanted)


def _contact_columns(side: str) -> tuple[SeriesColumn, ...]:
    word = {"R": "right", "L": "left"}[side]
    at = f"on the {word} foot at the centre of its sole, world axes"
    from_centre = f"centre of pressure of the {word} foot from the centre of its sole"
    return (
        *(SeriesColumn(f"F{axis}_{side}", "N", f"force {at}") for axis in "xyz"),
        *(SeriesColumn(f"M{axis}_{side}", "N m", f"moment {at}") for axis in "xyz"),
        SeriesColumn(f"cop_forward_{side}", "m", from_centre),
        SeriesColumn(f"cop_right_{side}", "m", from_centre),
        SeriesColumn(f"margin_{side}", "1", "least slack of the wrench cone over the normal force"),
    )


_COORDINATES = (
    *(("m", f"place of the middle of the hips, {axis}") for axis in "xyz"),
    *(("1", f"quaternion of the trunk, {part}") for part in "xyzw"),
    *(("rad", f"angle of {name}") for name in JOINTS),
)
_FREEDOMS = (
    *((name, "m") for name in ("x", "y", "z")),
    *((name, "rad") for name in ("rx", "ry", "rz")),
    *((name, "rad") for name in JOINTS),
)
_MOTION = (
    *(SeriesColumn(f"v_{name}", f"{unit}/s", "velocity") for name, unit in _FREEDOMS),
    *(SeriesColumn(f"qdd_{name}", f"{unit}/s2", "acceleration") for name, unit in _FREEDOMS),
    *(SeriesColumn(f"tau_{name}", "N m", "torque of the joint") for name in JOINTS),
    *(SeriesColumn(f"push_{axis}", "N", "push on the trunk's centre of mass") for axis in "xyz"),
    *(SeriesColumn(f"com_{axis}", "m", "centre of mass") for axis in "xyz"),
)

SYSTEM = SeedSystem("biped", "a biped that stands on one foot or two and is pushed", "004", run)
