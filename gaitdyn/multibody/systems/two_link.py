"""Arm movements of seed 002: torques of a reaching arm, and the movement that they reproduce."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from math import pi

import numpy as np

from gaitdyn.multibody.causes import Terms
from gaitdyn.multibody.reaching import ik2, ik2_rates, minjerk, minjerk_jerk
from gaitdyn.multibody.simulate import StateCourse
from gaitdyn.multibody.systems.arm import COLUMNS, Arm, moments_of, seed_arm
from gaitdyn.multibody.systems.arm_muscles import EXAMPLE, muscle_table
from gaitdyn.multibody.systems.equations import of_two_link
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
)
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

HANGING, ENDING = np.array([-pi / 2, 0.0]), np.array([0.0, pi / 2])
"""Joint angles at the start and the end of every movement, rad."""

_FROM = 0.05
"""Share of the duration, starting from full extension, in which the torques are not used."""


@frozen(eq=False)
class Movement:
    """A movement and the torques that it needs: arrays of shape (n, 2), NaN where undefined."""

    t: Array
    q: Array
    qd: Array
    qdd: Array
    terms: Terms


def _path_ends(arm: Arm) -> tuple[Array, Array]:
    """Return the finger tip at the start and the end of its path, m."""
    return np.array([0.0, -arm.l1 - arm.l2]), np.array([arm.l1, arm.l2])


def endpoint_kinematics(arm: Arm, duration_s: float, t: Array) -> tuple[Array, Array, Array]:
    """Return q, qd, qdd of the finger tip's smoothest path from hanging to the forearm upright.

    The path starts at full extension, where the arm is singular: joint rates are zero, and joint
    accelerations grow as t^-1/2 and are NaN at t = 0 (E13). The rates are exact, from the inverse
    Jacobian; the seed differentiates the angles numerically.

    Parameters
    ----------
    arm : Arm
    duration_s : float
    t : array, shape (n,)
        s.
    """
    x, v, a = minjerk(*_path_ends(arm), duration_s, t)
    q = ik2(arm.l1, arm.l2, x)
    q[t == 0] = HANGING
    qd, qdd = np.zeros_like(q), np.full_like(q, np.nan)
    moved = t > 0
    qd[moved], qdd[moved] = ik2_rates(arm.l1, arm.l2, q[moved], v[moved], a[moved])
    return q, qd, qdd


def joint_kinematics(duration_s: float, t: Array) -> tuple[Array, Array, Array]:
    """Return q, qd, qdd of the same movement with the smoothest joint angles; never singular."""
    return minjerk(HANGING, ENDING, duration_s, t)


def published_kinematics(arm: Arm, duration_s: float, t: Array) -> tuple[Array, Array, Array]:
    """Return q, qd, qdd as the seed computes them: angles, then ``np.gradient`` twice."""
    q = ik2(arm.l1, arm.l2, minjerk(*_path_ends(arm), duration_s, t)[0])
    dt = duration_s / (len(t) - 1)
    qd = np.gradient(q, dt, axis=0)
    return q, qd, np.gradient(qd, dt, axis=0)


def movement(
    arm: Arm, kinematics: Callable[[Array], tuple[Array, Array, Array]], t: Array, force: Array
) -> Movement:
    """Return a movement with its torques.

    Parameters
    ----------
    arm : Arm
    kinematics : callable
        Returns q, qd, qdd for times (n,).
    t : array, shape (n,)
        s.
    force : array, shape (2,)
        On the finger tip, N.
    """
    q, qd, qdd = kinematics(t)
    return Movement(t, q, qd, qdd, arm.terms(q, qd, qdd, force))


def forward(
    arm: Arm,
    kinematics: Callable[[Array], tuple[Array, Array, Array]],
    inverse: Movement,
    force: Array,
    solve: Callable[..., StateCourse],
) -> Array:
    """Return q, qd and work of forward dynamics with the torques of inverse dynamics, (n, 5).

    Seed 002 proposes this "to cast out nines".

    Parameters
    ----------
    arm : Arm
    kinematics : callable
        Gives the torque at any time.
    inverse : Movement
        Its first sample is the start.
    force : array, shape (2,)
        N.
    solve : callable
        The integrator, :meth:`.Settings.solve`.
    """

    def rate(t: float, y: Array) -> Array:
        q, qd, qdd = kinematics(np.array([t]))
        tau = arm.terms(q, qd, qdd, force).tau[0]
        still = arm.terms(y[:2], y[2:4], np.zeros(2), force)
        forward_qdd = arm.response(y[:2], tau, still)
        return np.concatenate((y[2:4], forward_qdd, [(tau - still.E) @ y[2:4]]))

    start = np.concatenate((inverse.q[0], inverse.qd[0], [0.0]))
    return solve(rate, start, inverse.t, tolerance=1e-12).y


def run(settings: Settings) -> SystemRun:
    """Return a reaching movement, its torques, and the result of forward dynamics with them."""
    kind = settings.word("motion")
    arm, force = _arm(settings), np.array([settings.number("fx"), settings.number("fy")])
    t = settings.times()
    whole = float(t[-1])
    if settings.as_published and kind != "joint":
        motion, notes = _published(arm, whole, t, force)
        notes += settings.unused_integrator()
        work = np.full(len(t), np.nan)
    else:
        along_path = partial(endpoint_kinematics, arm, whole)
        kinematics = partial(joint_kinematics, whole) if kind == "joint" else along_path
        motion = movement(arm, kinematics, t, force)
        work, notes = _closed(arm, kinematics, motion, force, settings)
    reactions = np.hstack(arm.reactions(motion.q, motion.qd, motion.qdd, force))
    tables = [
        ExtraTable("terms", _TERMS, moments_of(motion.terms)),
        ExtraTable("reactions", _REACTIONS, reactions),
        _path(arm, kind, motion, whole),
    ]
    if settings.word("muscles") == "yes":
        tables.append(muscle_table(motion.terms.tau))
        notes.append(EXAMPLE)
    return SystemRun(
        t,
        motion.q,
        motion.qd,
        arm.energy(motion.q, motion.qd),
        COLUMNS,
        work,
        (arm.points(motion.q),),
        tuple(tables),
        tuple(notes),
        {name: getattr(arm, name) for name in (*_BODY, "g")},
    )


def _published(arm: Arm, duration_s: float, t: Array, force: Array) -> tuple[Movement, list[str]]:
    """Return the movement as the seed computes it, and notes on it.

    The moment of the finger tip's force at the shoulder is left out (E11).
    """
    motion = movement(arm, partial(published_kinematics, arm, duration_s), t, force)
    if not force.any():
        return motion, [_PUBLISHED]
    E = motion.terms.E.copy()
    E[:, 0] = 0.0
    note = (
        "as published the force on the finger tip is left out at the shoulder (E1 = 0);"
        f" its correct moment there is up to {np.abs(motion.terms.E[:, 0]).max():.2f} N m"
    )
    return replace(motion, terms=replace(motion.terms, E=E)), [_PUBLISHED, note]


def _path(arm: Arm, kind: str, motion: Movement, duration_s: float) -> ExtraTable:
    """Return angular accelerations, and the jerk of the joint angles or of the finger tip."""
    if kind == "joint":
        jerk = minjerk_jerk(HANGING, ENDING, duration_s, motion.t)
        unit, axes = "rad/s3", ("1", "2")
    else:
        jerk = minjerk_jerk(*_path_ends(arm), duration_s, motion.t)
        unit, axes = "m/s3", ("x", "y")
    columns = [SeriesColumn(f"qdd_{i}", "rad/s2", f"second derivative of q{i}") for i in (1, 2)]
    quantity = "the joint angle" if kind == "joint" else "the finger tip"
    columns += [SeriesColumn(f"jerk_{i}", unit, f"third derivative of {quantity}") for i in axes]
    return ExtraTable("path", tuple(columns), np.hstack((motion.qdd, jerk)))


def _closed(
    arm: Arm,
    kinematics: Callable[[Array], tuple[Array, Array, Array]],
    motion: Movement,
    force: Array,
    settings: Settings,
) -> tuple[Array, list[str]]:
    """Return the work of the torques, and notes on the result of forward dynamics."""
    kind = settings.word("motion")
    first = 0 if kind == "joint" else int(np.searchsorted(motion.t, _FROM * motion.t[-1]))
    rows = slice(first, None)
    part = Movement(motion.t[rows], motion.q[rows], motion.qd[rows], motion.qdd[rows], motion.terms)
    simulated = forward(arm, kinematics, part, force, settings.solve)
    work = np.full(len(motion.t), np.nan)
    work[first:] = simulated[:, 4]
    off = float(np.abs(simulated[:, :2] - part.q).max())
    after = "" if kind == "joint" else f" from {part.t[0]:g} s on"
    notes = [f"forward dynamics with these torques{after} reproduces the angles to {off:.1e} rad"]
    return work, [*notes, _SINGULAR] if kind != "joint" else notes


def _arm(settings: Settings) -> Arm:
    printed = settings.as_published or settings.word("segments") == "seed"
    numbers = dict(seed_arm(settings.number("height"), settings.number("mass"), printed=printed))
    numbers |= {name: settings.number(name) for name in numbers if name in settings.given}
    level = settings.word("motion") == "horizontal"
    return Arm(**numbers, g=0.0 if level else settings.number("g"))


_PUBLISHED = (
    "as published: angles differentiated twice by np.gradient, Dempster's forearm and hand applied"
    " to the length to the finger tip"
)
_SINGULAR = (
    "the movement starts at full extension: accelerations and torques are not defined at t = 0"
    " and grow as t^-1/2 towards it"
)

_TERMS = tuple(
    SeriesColumn(f"{letter}{joint}", "N m", f"{word}, {where}")
    for letter, word in (
        ("tau", "torque"),
        ("M", "inertial part"),
        ("C", "centripetal and Coriolis part"),
        ("G", "gravity part"),
        ("E", "part of the force on the finger tip"),
    )
    for joint, where in ((1, "shoulder"), (2, "elbow"))
)
_REACTIONS = tuple(
    SeriesColumn(f"F{joint}_{axis}", "N", f"force of the {text}, {axis}")
    for joint, text in ((1, "trunk on the upper arm"), (2, "upper arm on the forearm"))
    for axis in "xy"
)
_BODY = dict(seed_arm())

SYSTEM = SeedSystem(
    "two-link",
    "a planar arm that reaches from hanging to forearm upright",
    "002",
    run,
    printed=True,
    equations=lambda _: of_two_link(),
)
