"""Four kinematic loops with their parameters: the loops of PyMbs.

Thin uniform bars in the plane of x and y. Every function documents its coordinates, which of them
are independent, and the meaning of ``branch=1``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gaitdyn.multibody import closed_form
from gaitdyn.multibody.body import Body
from gaitdyn.multibody.loop import Gear, Loop, Pin
from gaitdyn.multibody.tree import Tree

DEFAULT_GRAVITY = (0.0, -9.81, 0.0)


def _bar(name: str, parent: str | None, mass: float, length: float, p: Sequence[float]) -> Body:
    """Return a thin uniform bar along its x axis that turns about z."""
    inertia = np.diag([0.0, 1.0, 1.0]) * (mass * length**2 / 12.0)
    com = np.array([0.5 * length, 0.0, 0.0])
    return Body(name, parent, "revolute", mass, com, inertia, np.array(p, dtype=float))


def four_bar(
    l1: float = 1.0,
    l2: float = 4.0,
    l3: float = 4.0,
    l4: float = 5.0,
    m2: float = 1.0,
    m3: float = 1.0,
    m4: float = 1.0,
    gravity: Sequence[float] = DEFAULT_GRAVITY,
) -> Loop:
    """Return four bars A, B, C, D: ground AD along x, crank AB, coupler BC, rocker DC.

    Coordinates: qA absolute, qB relative to the crank, qD absolute; u = qA. On branch +1, C is on
    the left of the line from B to D.

    Parameters
    ----------
    l1, l2, l3, l4 : float
        AD, AB, BC and DC, m.
    m2, m3, m4 : float
        Of the three thin uniform bars, kg.
    gravity : sequence of float
        m/s2.
    """  # fmt: skip
    bodies = [
        _bar("crank", None, m2, l2, (0.0, 0.0, 0.0)),
        _bar("coupler", "crank", m3, l3, (l2, 0.0, 0.0)),
        _bar("rocker", None, m4, l4, (l1, 0.0, 0.0)),
    ]
    pin = Pin(("coupler", (l3, 0.0, 0.0)), ("rocker", (l4, 0.0, 0.0)))
    form = closed_form.FourBar(l1, l2, l3, l4)
    return Loop("four-bar", ("qA", "qB", "qD"), Tree(bodies, gravity), pin, 1, -1, form)


def crank_slider(
    l1: float = 0.5,
    l2: float = 2.0,
    m1: float = 5.0,
    m2: float = 5.0,
    m3: float = 10.0,
    gravity: Sequence[float] = DEFAULT_GRAVITY,
) -> Loop:
    """Return a crank at the origin, a rod, and a slider on the x axis.

    Coordinates: angle of the crank, position of the slider, angle of the rod from the slider's pin
    to the crank's; u = angle of the crank. On branch +1 the slider is on the +x side of the
    crank's pin.

    Parameters
    ----------
    l1, l2 : float
        Crank and rod, thin and uniform, m.
    m1, m2, m3 : float
        Crank, rod and slider, kg.
    gravity : sequence of float
        m/s2.
    """  # fmt: skip
    slider = Body("slider", None, "prismatic", m3, axis=np.array([1.0, 0.0, 0.0]))
    bodies = [
        _bar("crank", None, m1, l1, (0.0, 0.0, 0.0)),
        slider,
        _bar("rod", "slider", m2, l2, (0.0, 0.0, 0.0)),
    ]
    pin = Pin(("crank", (l1, 0.0, 0.0)), ("rod", (l2, 0.0, 0.0)))
    names = ("q_crank", "x_slider", "q_rod")
    form = closed_form.CrankSlider(l1, l2)
    return Loop("crank-slider", names, Tree(bodies, gravity), pin, 1, -1, form)


def four_bar_transmission(
    l1: float = 0.05,
    l2: float = 0.06,
    l3: float = 0.065,
    m2: float = 0.6,
    m3: float = 0.65,
    m4a: float = 0.6,
    l4a: float = 0.02,
    m4b: float = 0.6,
    l4b: float = 0.02,
    gravity: Sequence[float] = DEFAULT_GRAVITY,
) -> Loop:
    """Return a four-bar loop whose fourth bar is a telescope from D to C: two degrees of freedom.

    Coordinates: qA absolute, qB relative to the first bar, qD absolute, length sDC of the
    telescope; u = (qA, qB). The length is positive on branch +1.

    Parameters
    ----------
    l1, l2, l3 : float
        AD, AB and BC, m.
    m2, m3 : float
        Bars AB and BC, thin and uniform, kg.
    m4a, l4a, m4b, l4b : float
        Tube that begins at D and rod that begins or ends at C, thin and uniform, kg and m.
    gravity : sequence of float
        m/s2.
    """  # fmt: skip
    along = np.array([1.0, 0.0, 0.0])
    rod = Body(
        "rod", "tube", "prismatic", m4b, 0.5 * l4b * along,
        np.diag([0.0, 1.0, 1.0]) * (m4b * l4b**2 / 12.0), axis=along,
    )  # fmt: skip
    bodies = [
        _bar("first", None, m2, l2, (0.0, 0.0, 0.0)),
        _bar("second", "first", m3, l3, (l2, 0.0, 0.0)),
        _bar("tube", None, m4a, l4a, (l1, 0.0, 0.0)),
        rod,
    ]
    pin = Pin(("second", (l3, 0.0, 0.0)), ("rod", (0.0, 0.0, 0.0)))
    names = ("qA", "qB", "qD", "sDC")
    tree = Tree(bodies, gravity)
    form = closed_form.Telescope(l1, l2, l3)
    return Loop("four-bar-transmission", names, tree, pin, 2, -1, form)


def transmission(J1: float = 0.02, J2: float = 0.35, ratio: float = -0.25) -> Loop:
    """Return two wheels with a fixed ratio of their angles: q2 = ratio q1; u = q1.

    Parameters
    ----------
    J1, J2 : float
        Moments of inertia of the wheels about their axes, kg m2.
    ratio : float
        Negative for wheels that turn in opposite directions.
    """
    wheels = [
        Body(name, None, "revolute", 0.0, inertia=np.diag([0.0, 0.0, J]))
        for name, J in (("first", J1), ("second", J2))
    ]
    tree = Tree(wheels, (0.0, 0.0, 0.0))
    form = closed_form.Ratio(ratio)
    return Loop("transmission", ("q1", "q2"), tree, Gear(0, 1, ratio), 1, 0, form)
