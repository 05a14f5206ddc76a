"""A biped that stands on one or two feet and is pushed: contacts of seed 004.

The floor holds the soles as surfaces. The limits of a real floor are reported as well: each wrench
must lie inside its cone. If it does not, the foot would slip, tip or lift, and the run is no longer
realistic.
"""

from __future__ import annotations

from math import pi

import numpy as np

from gaitdyn.errors import ConstraintRefused, SimulationRefused
from gaitdyn.multibody.constraint import Constrained
from gaitdyn.multibody.contact import AppliedWrench, support_rows
from gaitdyn.multibody.induced import supported
from gaitdyn.multibody.state import State
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
    Settings,
    SystemRun,
    Value,
    coordinate_columns,
)
from gaitdyn.multibody.systems.tree_run import cardan, tree_motion
from gaitdyn.multibody.tree import Tree
from gaitdyn.types.arrays import Array

_TOLERANCE = 1e-10
_FREE_RATE = 20.0
"""Natural frequency of the held joints of a leg in the air, rad/s, critically damped."""
_STILL = 1e-6
"""Largest velocity of a sole at the start that is accepted, m/s and rad/s."""


class Stand:
    """A biped on its feet, with the loads on it and its response to them.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.tree: Tree = biped(settings.number("mass"), settings.number("g"))
        feet = settings.word("feet")
        self.sides = SIDES if feet == "both" else (feet[0].upper(),)
        self.used = _posture(settings)
        self.q0 = self._on_the_floor(settings)
        self.v0 = np.array([settings.number(f"v_{name}") for name in (*_ROOT, *JOINTS)])
        self.push = np.array([settings.number(f"push_{axis}") for axis in "xyz"])
        self.push_s = settings.number("push_s")
        self.tau = np.array([0.0] * 6 + [settings.number(f"tau_{name}") for name in JOINTS])
        self.gains = np.zeros((2, 12))
        still = self.tree.state(self.q0, np.zeros(18))
        if settings.word("control") == "hold":
            self.tau = self.tau + holding(self.tree, still, self.sides)
            self.gains = self._gains(settings, np.diag(self.tree.dynamics(still).M[0])[6:])
        rows = support_rows(self.tree, still, soles(self.sides))
        fastest = float(np.abs(rows.J[0] @ self.v0).max())
        if fastest > _STILL:
            raise SimulationRefused(
                f"the velocities at the start move a standing foot by {fastest:.3g} m/s or rad/s;"
                " choose velocities that keep its sole at rest"
            )

    def _on_the_floor(self, settings: Settings) -> Array:
        """Return the coordinates at the start; if no height is given, the sole is at y = 0."""
        root = np.array([float(self.used[name]) for name in _ROOT])
        angles = [float(self.used[name]) for name in JOINTS]
        q = np.concatenate((root[:3], cardan(root[3:]), angles))
        if "y" not in settings.given:
            sole = self.tree.point(self.tree.state(q, np.zeros(18)), foot(self.sides[0]), SOLE)
            q[1] -= sole.x[0, 1]
            self.used["y"] = float(q[1])
        return q

    def _gains(self, settings: Settings, inertia: Array) -> Array:
        """Return stiffness and damping of the joints, shape (2, 12).

        A leg in the air carries only itself: gains that hold a body up would shake it.
        """
        gains = np.array([[settings.number("stiffness")], [settings.number("damping")]])
        free = np.stack((_FREE_RATE**2 * inertia, 2 * _FREE_RATE * inertia))
        stands = np.array([name[-1] in self.sides for name in JOINTS])
        return np.where(stands, gains, free)

    def force(self, t: Array | float) -> Array:
        """Return the push on the trunk's centre of mass, shape (n, 3), N: one smooth pulse."""
        times = np.atleast_1d(np.asarray(t, dtype=float))
        inside = (times >= 0) & (times < self.push_s)
        bump = np.where(inside, np.sin(pi * times / self.push_s) ** 2, 0.0)
        return bump[:, None] * self.push

    def torque(self, q: Array, v: Array) -> Array:
        """Return the joint torques, shape (n, 18), zero for the root, N m."""
        tau = np.broadcast_to(self.tau, v.shape).copy()
        tau[:, 6:] -= self.gains[0] * (q[:, 7:] - self.q0[7:]) + self.gains[1] * v[:, 6:]
        return tau

    def response(self, t: Array | float, state: State, tau: Array) -> Constrained:
        """Return accelerations (n, 18) and the wrenches of the soles (n, 6 feet)."""
        push = AppliedWrench("hat", TRUNK, self.force(t), frame="body")
        try:
            return supported(self.tree, state, tau, [push, *soles(self.sides)], "refuse")
        except ConstraintRefused as error:
            raise SimulationRefused(
                f"the biped reaches a posture in which its soles have no unique wrench ({error});"
                " choose a shorter run, or torques that hold the posture"
            ) from error

    def rate(self, t: float, q: Array, v: Array) -> tuple[Array, float]:
        """Return the accelerations, and the power of torques and push."""
        state, tau = self.tree.state(q, v), self.torque(q, v)
        trunk = self.tree.point(state, "hat", TRUNK).J[0, :3] @ v[0]
        power = tau[0] @ v[0] + self.force(t)[0] @ trunk
        return self.response(t, state, tau).qdd[0], float(power)


def run(settings: Settings) -> SystemRun:
    """Return the motion of the biped, with the wrenches under its feet."""
    stand = Stand(settings)
    tree, t = stand.tree, settings.times()
    q, v, work = tree_motion(
        settings, tree, (stand.q0, stand.v0), t, stand.rate, tolerance=_TOLERANCE
    )
    state = tree.state(q, v)
    tau = stand.torque(q, v)
    qdd, w = stand.response(t, state, tau)
    feet = {
        side: footing(tree, state, side, w[:, 6 * i : 6 * i + 6], settings.number("mu"))
        for i, side in enumerate(stand.sides)
    }
    centre = tree.com(state)
    loads = np.hstack([np.column_stack((f.wrench, f.pressure, f.margin)) for f in feet.values()])
    motion = np.hstack((v, qdd, tau[:, 6:], stand.force(t), centre.x))
    sole_paths = (tree.point(state, foot(side), SOLE).x for side in feet)
    shift = max(float(np.ptp(x, axis=0).max()) for x in sole_paths)
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
    for side, load in feet.items():
        name = {"R": "right foot", "L": "left foot"}[side]
        forward, right = 1e3 * load.pressure[0]
        where = (
            f"centre of pressure {forward:.1f} mm in front of the sole's centre and {right:.1f} mm"
            " to its right"
        )
        if np.isnan(forward):
            where = "no centre of pressure, as the floor pulls"
        notes.append(
            f"{name} at the start: {load.wrench[0, 1]:.1f} N upwards, {where},"
            f" margin of its wrench cone {load.margin[0]:.4f} of the normal force"
        )
        out = np.flatnonzero(~(load.margin >= 0))
        if out.size:
            notes.append(
                f"{name} leaves its wrench cone at {t[out[0]]:g} s (least margin"
                f" {np.nanmin(load.margin):.4f}): from then on it would slip, tip or lift, and"
                " this run, in which it is held, is not realistic"
            )
        else:
            least = int(np.argmin(load.margin))
            notes.append(
                f"{name} stays inside its wrench cone, least margin {load.margin[least]:.4f} at"
                f" {t[least]:g} s"
            )
    return tuple(notes)


_ROOT = ("x", "y", "z", "rx", "ry", "rz")
_BENT = {"hip_flex": 0.25, "knee": -0.6, "ankle_flex": 0.35}
_LIFTED = {"hip_flex": 0.5, "knee": -1.0, "ankle_flex": 0.3}
_LEAN = 0.1
"""Lean of trunk and standing leg that brings the centre of mass over the foot, rad."""


def _posture(settings: Settings) -> dict[str, Value]:
    """Return root and joint angles as given; by default bent legs with the mass over the feet."""
    feet = settings.word("feet")
    wanted = {name: settings.number(name) for name in (*_ROOT, *JOINTS)}
    for side, word, sign in (("R", "right", 1.0), ("L", "left", -1.0)):
        angles = dict(_BENT if feet in ("both", word) else _LIFTED)
        if feet == word:
            angles["ankle_inv"] = -sign * _LEAN
            if "rx" not in settings.given:
                wanted["rx"] = sign * _LEAN
        for joint, angle in angles.items():
            if f"{joint}_{side}" not in settings.given:
                wanted[f"{joint}_{side}"] = angle
    return dict(wanted)


def _contact_columns(side: str) -> tuple[SeriesColumn, ...]:
    word = {"R": "right", "L": "left"}[side]
    location = f"on the {word} foot at the centre of its sole, world axes"
    from_centre = f"centre of pressure of the {word} foot from the centre of its sole"
    return (
        *(SeriesColumn(f"F{axis}_{side}", "N", f"force {location}") for axis in "xyz"),
        *(SeriesColumn(f"M{axis}_{side}", "N m", f"moment {location}") for axis in "xyz"),
        SeriesColumn(f"cop_forward_{side}", "m", from_centre),
        SeriesColumn(f"cop_right_{side}", "m", from_centre),
        SeriesColumn(f"margin_{side}", "1", "least slack of the wrench cone over the normal force"),
    )


_COORDINATES = (
    *(("m", f"position of the middle of the hips, {axis}") for axis in "xyz"),
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
    *(SeriesColumn(f"tau_{name}", "N m", "joint torque") for name in JOINTS),
    *(SeriesColumn(f"push_{axis}", "N", "push on the trunk's centre of mass") for axis in "xyz"),
    *(SeriesColumn(f"com_{axis}", "m", "centre of mass") for axis in "xyz"),
)

SYSTEM = SeedSystem("biped", "a biped that stands on one foot or two and is pushed", "004", run)
