"""The kinematic loops of seed 003 as systems: parameters, and runs under constant torques."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature

import numpy as np

from gaitdyn.errors import ConstraintRefused
from gaitdyn.multibody.loop import Loop, Pin
from gaitdyn.multibody.simulate import TIGHT, StateCourse
from gaitdyn.multibody.state import centres
from gaitdyn.multibody.systems.equations import of_loop
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
    coordinate_columns,
)
from gaitdyn.multibody.wrenches import joint_wrenches
from gaitdyn.types.arrays import Array

_NEAR = 0.02
"""Fold below which all coordinates are integrated, because u alone is a poor coordinate."""


def loop_system(
    name: str, about: str, make: Callable[..., Loop], units: tuple[str, ...]
) -> SeedSystem:
    """Return a loop of seed 003 as a system.

    Parameters
    ----------
    name, about : str
    make : callable
        Returns the loop for the sizes by name, and for ``gravity`` if the system has ``g``. Of the
        system's other parameters, ``q1``, ``qd1`` and so on are the initial values of its
        independent coordinates, and those that begin with ``tau`` are constant torques on the
        first coordinates.
    units : tuple of str
        Of all coordinates, ``rad`` or ``m``.
    """

    def loop(settings: Settings) -> Loop:
        sizes = {x: settings.number(x) for x in signature(make).parameters if x in settings.values}
        weight = {"gravity": (0.0, -settings.number("g"), 0.0)} if "g" in settings.values else {}
        return make(**sizes, **weight)

    def run(settings: Settings) -> SystemRun:
        built = loop(settings)
        u, ud = (
            np.array([settings.number(f"{letter}{i}") for i in range(1, built.u + 1)])
            for letter in ("q", "qd")
        )
        torques = [settings.number(name) for name in settings.values if name.startswith("tau")]
        tau = np.zeros(len(units))
        tau[: len(torques)] = torques
        return loop_run(built, settings, (u, ud), tau, units)

    return SeedSystem(name, about, "003", run, equations=lambda settings: of_loop(loop(settings)))


def loop_run(
    loop: Loop, settings: Settings, starts: tuple[Array, Array], tau: Array, units: tuple[str, ...]
) -> SystemRun:
    """Return the motion of a loop by integration of its independent coordinates, v = H(u).

    A run that meets a dead centre ends there; a note reports the time and the posture.

    Parameters
    ----------
    loop : Loop
        With a closed form.
    settings : Settings
        ``branch`` is one of its words if the loop has two branches.
    starts : (u, ud)
        Independent coordinates and velocities.
    tau : array, shape (nv,)
        Constant joint torques and forces, N m or N.
    units : tuple of str
        Of the coordinates.
    """
    branch = int(settings.word("branch")) if "branch" in settings.values else 1
    side = branch * loop.sense or 1
    t = settings.times()
    q, qd, work, folded = _free(loop, settings, starts, (tau, branch, side), t)
    stopped = False
    if folded is not None:
        start = np.concatenate((q[-1], qd[-1], work[-1:]))
        rest = _folded(loop, settings, start, (tau, side), np.append(folded, t[t > folded]))
        n, wanted = loop.tree.nv, np.isin(rest.t, t)
        wanted[-1] = True
        rows = rest.y[wanted]
        t = np.concatenate((t[: len(q) - 1], rest.t[wanted]))
        q, qd = np.vstack((q[:-1], rows[:, :n])), np.vstack((qd[:-1], rows[:, n:-1]))
        work, stopped = np.append(work[:-1], rows[:, -1]), rest.stopped
    pinned = isinstance(loop.closure, Pin)
    if pinned:  # a closed form gives the angles within one turn
        turning = [i for i, unit in enumerate(units) if unit == "rad" and i >= loop.u]
        q[:, turning] = np.unwrap(q[:, turning], axis=0)
    gap = float(np.abs(loop.equations(q, qd).h).max())
    notes = [f"largest gap of the loop {gap:.1e} {'m' if pinned else 'rad'}"]
    if stopped:
        notes.insert(0, _dead_centre(loop, t, q))
    energy = loop.tree.energy(loop.tree.state(q, qd)).total
    columns = coordinate_columns(tuple(zip(units, loop.coordinates, strict=True)))
    return SystemRun(
        t, q, qd, energy, columns, work, outline(loop, q), notes=tuple(notes),
        further=_loads(loop, q, qd, tau, units),
    )  # fmt: skip


def _free(
    loop: Loop,
    settings: Settings,
    starts: tuple[Array, Array],
    given: tuple[Array, int, int],
    t: Array,
) -> tuple[Array, Array, Array, float | None]:
    """Return q, qd and work by u and ``v = H(u)``, and the time at which the loop nearly folds."""
    (u, ud), (tau, branch, side) = starts, given
    k = loop.u
    loop.velocities(loop.close(u, branch=branch), ud)  # refuses a start that is impossible

    def posture(y: Array) -> tuple[Array, Array]:
        q = np.concatenate((y[:, :k], loop.dependent(y[:, :k], branch)), axis=1)
        return q, loop.velocities(q, y[:, k : 2 * k])

    def rate(_t: float, y: Array) -> Array:
        try:
            q, qd = posture(y[None])
            qdd = loop.forward(q, qd, tau)[0]
        except ConstraintRefused:
            return np.full_like(y, np.nan)  # beyond the dead centre: the solver shortens its step
        return np.concatenate((y[k : 2 * k], qdd[:k], [tau @ qd[0]]))

    def room(y: Array) -> float:
        try:
            return float(side * loop.fold(posture(y[None])[0])[0]) - _NEAR
        except ConstraintRefused:
            return -_NEAR

    start = np.concatenate((u, ud, [0.0]))
    if room(start) <= 0:
        q, qd = posture(start[None])
        return q, qd, np.zeros(1), float(t[0])
    course = settings.solve(rate, start, t, tolerance=TIGHT, room=room)
    q, qd = posture(course.y)
    return q, qd, course.y[:, -1], float(course.t[-1]) if course.stopped else None


def _folded(
    loop: Loop, settings: Settings, start: Array, given: tuple[Array, int], t: Array
) -> StateCourse:
    """Return all coordinates, velocities and work by multipliers, up to a dead centre."""
    tau, side = given
    n = loop.tree.nv

    def rate(_t: float, y: Array) -> Array:
        q, qd = y[None, :n], y[None, n : 2 * n]
        return np.concatenate((qd[0], loop.multipliers(q, qd, tau).qdd[0], [tau @ qd[0]]))

    def room(y: Array) -> float:
        return float(side * loop.fold(y[None, :n])[0])

    return settings.solve(rate, start, t, tolerance=TIGHT, room=room)


def _dead_centre(loop: Loop, t: Array, q: Array) -> str:
    names = ", ".join(f"q{i} = {value:.4f} rad" for i, value in enumerate(q[-1, : loop.u], start=1))
    return (
        f"the loop meets a dead centre after {t[-1]:.4f} s, at {names}; the motion was written up"
        " to this instant, which is its last row"
    )


def _loads(loop: Loop, q: Array, qd: Array, tau: Array, units: tuple[str, ...]) -> ExtraTable:
    """Return accelerations, multipliers, centres of mass and joint forces of a motion."""
    tree = loop.tree
    qdd, w = loop.multipliers(q, qd, tau)
    state = tree.state(q, qd)
    centre = centres(tree, state)
    a = np.einsum("nbik,nk->nbi", centre.J, qdd) + centre.bias
    joints = joint_wrenches(tree, state, qdd, loop.closure.contacts(tree, w))
    pinned = isinstance(loop.closure, Pin)
    columns = [
        SeriesColumn(f"qdd{i}", f"{unit}/s2", f"second derivative of q{i}")
        for i, unit in enumerate(units, 1)
    ]
    columns += [
        SeriesColumn(f"lambda{i}", "N" if pinned else "N m", f"multiplier of the cut joint, {text}")
        for i, text in enumerate(_cut_words(loop), 1)
    ]
    values = [qdd, w]
    for b, body in enumerate(tree.bodies):
        if pinned:
            parent = body.parent or "ground"
            for letter, unit, meaning, part in (
                ("", "m", "position of the centre of mass", centre.x),
                ("v", "m/s", "velocity of the centre of mass", centre.v),
                ("a", "m/s2", "acceleration of the centre of mass", a),
                ("f", "N", f"force of the {parent} on the {body.name}", joints.force),
            ):
                values.append(part[:, b, :2])
                columns += [
                    SeriesColumn(f"{body.name}_{letter}{axis}", unit, meaning) for axis in "xy"
                ]
        values.append(joints.moment[:, b, 2:])
        text = f"moment on the {body.name} in its joint, about its origin"
        columns.append(SeriesColumn(f"{body.name}_m", "N m", text))
    return ExtraTable("further", tuple(columns), np.hstack(values))


def _cut_words(loop: Loop) -> tuple[str, ...]:
    if isinstance(loop.closure, Pin):
        first, second = loop.closure.first[0], loop.closure.second[0]
        return tuple(f"force of the {second} on the {first}, {axis}" for axis in "xy")
    return ("torque of the gear on the second wheel",)


def outline(loop: Loop, q: Array) -> tuple[Array, ...]:
    """Return the bodies from the world to each end of the closing pin, shape (n, points, 2), m.

    Parameters
    ----------
    loop : Loop
        Without a pin there are no lines.
    q : array, shape (n, nv)
    """
    if not isinstance(loop.closure, Pin):
        return ()
    tree = loop.tree
    state = tree.state(q, np.zeros_like(q))
    lines = []
    for body, point in (loop.closure.first, loop.closure.second):
        chain = [tree.point(state, body, point).x]
        b = tree.index[body]
        while b >= 0:
            chain.insert(0, state.p[:, b])
            b = tree.parents[b]
        lines.append(np.stack(chain, axis=1)[..., :2])
    return tuple(lines)
