"""Sizes and runs of the kinematic loops of seed 003 under constant torques."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.multibody.loop import Pin
from gaitdyn.multibody.simulate import TIGHT, integrate
from gaitdyn.multibody.systems.model import Parameter, Run, coordinate_columns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.multibody.loop import Loop
    from gaitdyn.multibody.systems.model import Settings
    from gaitdyn.types.arrays import Array


def size_parameters(sizes: Mapping[str, float]) -> tuple[Parameter, ...]:
    """Return the masses, whose names begin with m, and the lengths of a loop as parameters.

    Parameters
    ----------
    sizes : mapping
        Name, as in the function of the loop -> default, kg or m.
    """
    return tuple(
        Parameter(
            name,
            value,
            "kg" if name.startswith("m") else "m",
            "see the function of the loop",
            positive=True,
        )
        for name, value in sizes.items()
    )


def loop_run(
    loop: Loop,
    asked: Settings,
    starts: tuple[Array, Array, Array],
    tau: Array,
    units: tuple[str, ...],
    duration_s: float,
) -> Run:
    """Return the motion of a loop; all coordinates are integrated, the gap is a note.

    Parameters
    ----------
    loop : Loop
    asked : Settings
    starts : (u, ud, v0)
        Independent coordinates and velocities, and a guess of the dependent coordinates.
    tau : array, shape (nv,)
        Constant torques and forces of the joints, N m or N.
    units : tuple of str
        Of the coordinates.
    duration_s : float
        When none was asked for.
    """
    u, ud, v0 = starts
    q0 = loop.close(u, v0, 1)
    qd0 = loop.velocities(q0, ud)
    n = q0.shape[1]
    t = asked.times(duration_s, 1000.0 if duration_s < 1 else 100.0)

    def rate(_t: float, y: Array) -> Array:
        q, qd = y[None, :n], y[None, n : 2 * n]
        return np.concatenate((qd[0], loop.forward(q, qd, tau)[0], [tau @ qd[0]]))

    y = integrate(rate, np.concatenate((q0[0], qd0[0], [0.0])), t, tolerance=TIGHT)
    q, qd = y[:, :n], y[:, n : 2 * n]
    gap = float(np.abs(loop.equations(q, qd).h).max())
    columns = coordinate_columns(tuple(zip(units, loop.coordinates, strict=True)))
    energy = loop.tree.energy(loop.tree.state(q, qd)).total
    notes = (f"largest gap of the loop {gap:.1e}",)
    return Run(t, q, qd, energy, columns, y[:, -1], outline(loop, q), notes=notes)


def outline(loop: Loop, q: Array) -> tuple[Array, ...]:
    """Return the bodies from the world to either end of the closing pin, shape (n, points, 2), m.

    Parameters
    ----------
    loop : Loop
        Without a pin there is nothing to draw.
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
