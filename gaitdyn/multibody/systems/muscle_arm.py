"""The arm of seed 002 driven by Hill-type muscles: excitations in, movement out.

Two monoarticular muscles at each of the two joints, as sketched in the document. Maximum forces
and optimal fibre lengths are those of anterior and posterior deltoid, brachialis and
lateral head of triceps of Holzbaur et al. (2005, Ann Biomed Eng 33:829-840); the constant moment
arms are round numbers.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.multibody.hill import Muscles, activation_rate
from gaitdyn.multibody.systems.arm import COLUMNS, Arm, seed_arm
from gaitdyn.multibody.systems.model import (
    ExtraTable,
    SeedSystem,
    SeriesColumn,
    Settings,
    SystemRun,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.types.arrays import Array

    Rate = Callable[[float, Array], Array]

NAMES = ("shoulder_flexor", "shoulder_extensor", "elbow_flexor", "elbow_extensor")
MUSCLES = Muscles(
    strongest=np.array([1142.6, 259.9, 987.3, 624.3]),
    optimal=np.array([0.0976, 0.1367, 0.0858, 0.1138]),
    arms=np.array([[0.035, -0.05, 0.0, 0.0], [0.0, 0.0, 0.03, -0.022]]),
    rest=np.array([-pi / 4, pi / 3]),
)
_TOLERANCE = 1e-12


def run(settings: Settings) -> SystemRun:
    """Return the movement that follows if excitations are added to those of a held posture."""
    arm = Arm(**seed_arm(), g=settings.number("g"))
    q0 = np.array([settings.number("q1"), settings.number("q2")])
    zero = np.zeros(2)
    held = MUSCLES.holding(q0, arm.terms(q0, zero, zero, zero).G)
    extra = np.array([settings.number(name) for name in NAMES])
    on, off = settings.number("on"), settings.number("off")

    def excitation(t: Array | float) -> Array:
        pulse = np.where((np.asarray(t) >= on) & (np.asarray(t) < off), 1.0, 0.0)
        return np.clip(held + pulse[..., None] * extra, 0.0, 1.0)

    def rate(t: float, y: Array) -> Array:
        q, qd, a = y[:2], y[2:4], y[4:8]
        torque = MUSCLES.arms @ MUSCLES.forces(a, q, qd)
        qdd = arm.acceleration(q, qd, torque, zero)
        return np.concatenate((qd, qdd, activation_rate(excitation(t), a), [torque @ qd]))

    t = settings.times()
    y = _pieces(settings, rate, np.concatenate((q0, zero, held, [0.0])), t, (on, off))
    q, qd, a = y[:, :2], y[:, 2:4], y[:, 4:8]
    force = MUSCLES.forces(a, q, qd)
    torque = force @ MUSCLES.arms.T
    values = np.hstack((excitation(t), a, MUSCLES.lengths(q), force, torque))
    return SystemRun(
        t, q, qd, arm.energy(q, qd), COLUMNS, y[:, 8], (arm.points(q),),
        (ExtraTable("muscles", _TABLE, values),), (_NOTE,), {**seed_arm()},
    )  # fmt: skip


def _pieces(
    settings: Settings, rate: Rate, start: Array, t: Array, breaks: tuple[float, float]
) -> Array:
    """Return the states, integrated separately between the steps of the excitations."""
    inner = sorted({edge for edge in breaks if t[0] < edge < t[-1]})
    out, state = [start[None]], start
    for low, high in zip([t[0], *inner], [*inner, t[-1]], strict=True):
        wanted = t[(t > low) & (t <= high)]
        times = np.unique(np.concatenate(([low], wanted, [high])))
        # a step is right-continuous; the last stage before it must not use the value after it
        y = settings.solve(_before(rate, high), state, times, tolerance=_TOLERANCE).y
        out.append(y[np.isin(times, wanted)])
        state = y[-1]
    return np.vstack(out)


def _before(rate: Rate, end: float) -> Rate:
    """Return the rates of an interval, without the value at its end."""
    last = float(np.nextafter(end, -np.inf))
    return lambda t, y: rate(min(t, last), y)


_NOTE = (
    "excitations hold the initial posture with the least sum of squared activations; the values"
    " set are added from on to off. Tendons are rigid; moment arms are constant, round numbers"
)

_TABLE = tuple(
    SeriesColumn(f"{key}_{name}", unit, text)
    for key, unit, text in (
        ("excitation", "1", "excitation"),
        ("activation", "1", "activation"),
        ("length", "1", "fibre length over the optimal one"),
        ("force", "N", "tension"),
    )
    for name in NAMES
) + tuple(SeriesColumn(f"torque_{i}", "N m", "torque of the muscles") for i in (1, 2))

SYSTEM = SeedSystem("muscle-arm", "the arm moved by Hill-type muscles", "002", run)
