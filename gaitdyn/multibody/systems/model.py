"""The types of a seed system: its parameters, the settings of a run, and its result."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping
from dataclasses import field
from functools import cache
from importlib.resources import files
from typing import TypeAlias

import numpy as np

from gaitdyn.multibody.simulate import Method, StateCourse, instants, integrate_until
from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

Value: TypeAlias = float | str
EULER_STEP_S = 1e-4
"""Step of Euler's method in seed 000."""


@frozen()
class SystemParameter:
    """A number or a word that ``--set`` changes.

    Attributes
    ----------
    name : str
    default : float or str
    unit : str
        ``1`` for a pure number, empty for a word.
    meaning : str
    positive : bool
        Whether the number must be above zero.
    choices : tuple of str
        Allowed words; empty for a number.
    """

    name: str
    default: Value
    unit: str
    meaning: str
    positive: bool = False
    choices: tuple[str, ...] = ()


@frozen()
class UsualRun:
    """The length and the sampling of a run when none is asked for.

    Attributes
    ----------
    motion : str
        Word of the parameter ``motion`` that has this run; empty if every run is alike.
    duration_s : float
    rate_hz : float, optional
    intervals : int, optional
        Number of intervals of the run, in place of the rate.
    """

    motion: str
    duration_s: float
    rate_hz: float | None
    intervals: int | None

    def rate_of(self, duration_s: float) -> float:
        """Return the rate of a run of this length, Hz."""
        return self.rate_hz or ((self.intervals or 0) / duration_s if duration_s else 0.0)


@frozen()
class Settings:
    """Resolved parameters, and the requested times of a run.

    Attributes
    ----------
    values : mapping
        Every parameter of the system.
    given : frozenset of str
        Names that were set.
    duration_s, rate_hz : float
        Length of the run and samples per second.
    as_published : bool
        Reproduce the printed run with its errors.
    integrator : str, optional
        One of :data:`gaitdyn.multibody.simulate.Method`; ``None`` means the system's default.
    step_s : float, optional
        Step of Euler's method, s; ``None`` means 0.1 ms, the step of seed 000.
    """

    values: Mapping[str, Value]
    given: frozenset[str]
    duration_s: float
    rate_hz: float
    as_published: bool = False
    integrator: Method | None = None
    step_s: float | None = None

    def number(self, name: str) -> float:
        """Return a parameter that is a number."""
        return float(self.values[name])

    def word(self, name: str) -> str:
        """Return a parameter that is a word."""
        return str(self.values[name])

    def times(self) -> Array:
        """Return the times of the run, s."""
        return instants(self.duration_s, self.rate_hz)

    def unused_integrator(self) -> tuple[str, ...]:
        """Return the note on a motion in closed form, for which an integrator was chosen."""
        if self.integrator is None:
            return ()
        return (f"{self.integrator} is not used: this motion is not integrated",)

    def solve(
        self,
        rate: Callable[[float, Array], Array],
        y0: Array,
        t: Array,
        *,
        tolerance: float,
        room: Callable[[Array], float] | None = None,
    ) -> StateCourse:
        """Return the states at given times with the chosen integrator, by default DOP853."""
        method = self.integrator or "DOP853"
        step = (self.step_s or EULER_STEP_S) if method == "euler" else None
        return integrate_until(rate, y0, t, room, method, tolerance=tolerance, step_s=step)


@frozen()
class SeriesColumn:
    """A column of numbers.

    Attributes
    ----------
    name : str
    unit : str
    meaning : str
    """

    name: str
    unit: str
    meaning: str


@frozen(eq=False)
class ExtraTable:
    """Further columns of a run, written to a separate file ``<name>.csv``.

    Attributes
    ----------
    name : str
    columns : tuple of SeriesColumn
    values : array, shape (n, columns)
    """

    name: str
    columns: tuple[SeriesColumn, ...]
    values: Array


@frozen(eq=False)
class SystemRun:
    """The motion of a system.

    Attributes
    ----------
    time_s : array, shape (n,)
    q, qd : arrays, shape (n, k)
        Coordinates and their derivatives.
    energy_j : array, shape (n,)
        Kinetic and potential energy.
    columns : tuple of SeriesColumn
        Columns of q, then of qd.
    work_j : array, shape (n,)
        Work of torques, friction and external forces since the start; NaN where unknown.
    sticks : tuple of array, shape (n, points, 2) or (n, points, 3)
        Lines that draw the bodies, m: across and up, or x, y, z.
    tables : tuple of ExtraTable
    notes : tuple of str
        Remarks on the run, one line each.
    used : mapping
        Parameters that differ from the settings because the run derived them.
    up : int
        Index of the axis x, y or z that points up, for lines in space.
    further : ExtraTable, optional
        Columns of the same file that follow the energy.
    """

    time_s: Array
    q: Array
    qd: Array
    energy_j: Array
    columns: tuple[SeriesColumn, ...]
    work_j: Array
    sticks: tuple[Array, ...] = ()
    tables: tuple[ExtraTable, ...] = ()
    notes: tuple[str, ...] = ()
    used: Mapping[str, Value] = field(default_factory=dict)
    up: int = 1
    further: ExtraTable | None = None

    def imbalance_j(self) -> Array:
        """Return the energy beyond that at the start and the work since then, J."""
        balance = self.energy_j - self.work_j
        known = balance[np.isfinite(balance)]
        return balance - known[0] if known.size else balance


@frozen()
class SeedSystem:
    """A system of the seed documents, as a runnable example.

    Attributes
    ----------
    name : str
    about : str
        One line.
    document : str
        Number of the seed document.
    run : callable
        Returns the motion for given settings.
    printed : bool
        Whether the document prints a run that ``as_published`` reproduces.
    integrated : bool
        Whether the motion comes from an integrator that can be chosen.
    equations : callable, optional
        Returns file name -> text of the equations for given settings. The ``.md`` one is printed.
    """

    name: str
    about: str
    document: str
    run: Callable[[Settings], SystemRun]
    printed: bool = False
    integrated: bool = True
    equations: Callable[[Settings], Mapping[str, str]] | None = None

    @property
    def parameters(self) -> tuple[SystemParameter, ...]:
        """The parameters that ``--set`` changes: rows of ``resources/systems/parameters.csv``."""
        return tuple(_parameter(*row) for name, *row in _rows("parameters") if name == self.name)

    @property
    def usual_runs(self) -> tuple[UsualRun, ...]:
        """The runs when no length and no rate is asked for: rows of ``resources/systems/runs.csv``.

        There is one, or one per word of the parameter ``motion``.
        """
        return tuple(_usual_run(*row) for name, *row in _rows("runs") if name == self.name)


@cache
def _rows(name: str) -> list[list[str]]:
    table = files("gaitdyn").joinpath("resources", "systems", f"{name}.csv")
    return list(csv.reader(table.read_text(encoding="utf-8").splitlines()))


def _parameter(
    name: str, default: str, unit: str, meaning: str, positive: str, choices: str
) -> SystemParameter:
    words = tuple(choices.split("|")) if choices else ()
    value = default if words else float(default)
    return SystemParameter(name, value, unit, meaning, positive == "yes", words)


def _usual_run(motion: str, duration_s: str, rate_hz: str, intervals: str) -> UsualRun:
    rate, count = float(rate_hz) if rate_hz else None, int(intervals) if intervals else None
    return UsualRun(motion, float(duration_s), rate, count)


def coordinate_columns(words: tuple[tuple[str, str], ...]) -> tuple[SeriesColumn, ...]:
    """Return the columns q1..qk and qd1..qdk from units and meanings of the coordinates."""
    positions = [SeriesColumn(f"q{i}", unit, text) for i, (unit, text) in enumerate(words, 1)]
    rates = [
        SeriesColumn(f"qd{i}", "1/s" if unit == "1" else f"{unit}/s", f"derivative of q{i}")
        for i, (unit, _) in enumerate(words, 1)
    ]
    return (*positions, *rates)
