"""Free speed and step length at a speed expected of healthy walkers of the same leg length."""

from __future__ import annotations

import math

import numpy as np

from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.types.frozen import frozen

SCHWARTZ_SPEEDS = {
    "very_slow": 0.172,
    "slow": 0.290,
    "free": 0.429,
    "fast": 0.560,
    "very_fast": 0.694,
}
"""Mean v / sqrt(g L) of the five groups of Schwartz et al. 2008 (J Biomech 41:1639-1650)."""

PACE = "speed_nondimensional"
"""Name of v / sqrt(g L) in the tables."""

STEP_SPEEDS = tuple(SCHWARTZ_SPEEDS.values())
STEP_LENGTHS = (0.510, 0.640, 0.760, 0.850, 0.922)
STEP_SD = (0.071, 0.056, 0.044, 0.056, 0.073)
"""Step length per leg length at these speeds, 51 to 82 children (the same, supplement)."""


@frozen()
class Expected:
    """Mean and SD between healthy people; if ``log``, of the natural logarithm of the value."""

    mean: float
    sd: float
    log: bool = False

    def z(self, value: float) -> float:
        """Return the distance of a value from the mean, SD."""
        return ((math.log(value) if self.log else value) - self.mean) / self.sd

    def at(self, z: float) -> float:
        """Return the value that is ``z`` SD from the mean.

        Examples
        --------
        >>> Expected(2.0, 0.5).at(1.0), Expected(0.0, 1.0, log=True).at(0.0)
        (2.5, 1.0)
        """
        value = self.mean + z * self.sd
        return math.exp(value) if self.log else value


def expected_speed(leg_length_m: float) -> Expected:
    """Return the free walking speed, m/s, for a leg length.

    ``v = 0.429 sqrt(g L)``. Two SD reach halfway to the means of the children who walked slowly or
    fast in the source (Schwartz, Rozumalski and Trost 2008). The SD printed in the source, 0.026,
    is that within a group formed by speed, not that between people.

    Examples
    --------
    >>> round(expected_speed(0.8).mean, 2), round(expected_speed(0.8).at(-2), 2)
    (1.2, 1.01)
    """
    unit, pace = HofUnits(leg_length_m).speed, free_pace()
    return Expected(pace.mean * unit, pace.sd * unit)


def free_pace() -> Expected:
    """Return the free walking speed v / sqrt(g L), as in :func:`expected_speed`.

    Examples
    --------
    >>> [round(free_pace().at(z), 3) for z in (-2.0, 2.0)]
    [0.361, 0.496]
    """
    fact = next(f for f in reference_facts() if f.quantity == PACE)
    two_sd = (SCHWARTZ_SPEEDS["fast"] - SCHWARTZ_SPEEDS["slow"]) / 4
    return Expected(fact.value, two_sd / 2)


def beyond_children(speed_nondimensional: float) -> str:
    """Return ``below`` or ``above`` for a speed outside the five groups of the source, or nothing.

    Examples
    --------
    >>> beyond_children(0.12), beyond_children(0.172), beyond_children(0.694), beyond_children(0.8)
    ('below', '', '', 'above')
    """
    rounding = 1e-9
    if speed_nondimensional < STEP_SPEEDS[0] - rounding:
        return "below"
    return "above" if speed_nondimensional > STEP_SPEEDS[-1] + rounding else ""


def expected_step_length(leg_length_m: float, speed_m_s: float) -> Expected:
    """Return the step length, m, for a leg length at a walking speed.

    Mean and SD are interpolated between the five speeds of the source; outside their range, see
    :func:`beyond_children`, those of the outermost speed are used.

    Examples
    --------
    >>> step = expected_step_length(0.8, 1.2)
    >>> round(step.mean, 2), round(step.sd, 4)
    (0.61, 0.0352)
    """
    v = speed_m_s / HofUnits(leg_length_m).speed
    mean = float(np.interp(v, STEP_SPEEDS, STEP_LENGTHS))
    sd = float(np.interp(v, STEP_SPEEDS, STEP_SD))
    return Expected(mean * leg_length_m, sd * leg_length_m)


def expected_peak(quantity: str, speed: float | None = None) -> Expected | None:
    """Return a peak of ``peaks.csv`` in healthy children; None if it is not published.

    The mean is that of the peaks of single children, which is larger than the peak of their mean
    curve: they do not reach it at the same time.

    Parameters
    ----------
    quantity : str
        In internal names.
    speed : float, optional
        v / sqrt(g L), that of free walking if it is not given.

    Examples
    --------
    >>> expected_peak("ankle_moment_plantarflexion_max")
    Expected(mean=1.22, sd=0.23, log=False)
    """
    rows = [row for row in shipped_rows("gait_reference/peaks.csv") if row["quantity"] == quantity]
    if not rows:
        return None
    v = SCHWARTZ_SPEEDS["free"] if speed is None else speed
    told = {
        row["number"]: float(np.interp(v, STEP_SPEEDS, [float(row[g]) for g in SCHWARTZ_SPEEDS]))
        for row in rows
    }
    return Expected(told["mean"], told["sd"])


@frozen()
class Fact:
    """One published value, as ``gaitdyn norms list --json`` prints it.

    Attributes
    ----------
    quantity : str
        As in ``gait_parameters.csv`` and ``peaks.csv`` if it is there.
    value : float
    sd : float or None
        Between people; None if it is not stated.
    unit, source : str
    """

    quantity: str
    value: float
    sd: float | None
    unit: str
    source: str


def reference_facts() -> tuple[Fact, ...]:
    """Return the facts that ship with gaitdyn, in the order of their file.

    Examples
    --------
    >>> {fact.quantity: fact.value for fact in reference_facts()}["foot_off"]
    59.0
    """
    return tuple(
        Fact(
            row["quantity"],
            float(row["value"]),
            float(row["sd"]) if row["sd"] else None,
            row["unit"],
            row["source"],
        )
        for row in shipped_rows("gait_reference/facts.csv")
    )
