"""The quantities of the tables of gait parameters and peaks: one line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.peak_definitions import DEFINITIONS, find_definition
from gaitdyn.report.groups import Group
from gaitdyn.report.numbers import DASH, decimal, mean_sd
from gaitdyn.report.strides import kinetic_cycles
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

_SPREAD = "n cycles: mean \u00b1 SD; of two cycles the mean and both values."
_OTHER = " Another n stands beside its value."
_WHOLE = " Only cycles whose moments are known from 0 to 100 %, with the whole foot on plates."

_DIGITS = {"deg": 1, "%": 1, "steps/min": 1, "": 3, "1": 3, "m": 3, "s": 3, "J/kg": 3}
_LONG = {"N m s/kg": 3, "N s/kg": 3}
PEAK_KINDS = (
    ("Power bursts and work", ("W/kg", "J/kg")),
    ("Moments", ("N m/kg", "N m s/kg")),
    ("Angles", ("deg",)),
    ("Ground force", ("N/kg", "N s/kg")),
)
"""Title and units of each table of peaks."""


@frozen()
class TableLine:
    """One quantity as a line of a table."""

    table: str
    name: str
    title: str
    unit: str

    @property
    def digits(self) -> int:
        """Decimals to show."""
        return digits_of(self.unit)

    @property
    def head(self) -> str:
        """Title and unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


def parameter_lines() -> list[TableLine]:
    """Return the gait parameters in the order of their definitions."""
    return [TableLine("gait_parameters", p.name, p.title, p.unit) for p in PARAMETERS]


def peak_lines(units: Sequence[str], group: Group) -> list[TableLine]:
    """Return the peaks of some units in the order of their definitions.

    Those of external moments have the names and titles of that convention.
    """
    stored = {row["quantity"] for trial in group.trials for row in trial.tables["peaks"]}
    names = {internal_name(name): name for name in stored}
    fitted = [find_definition(names.get(d.name, d.name)) for d in DEFINITIONS if d.unit in units]
    return [TableLine("peaks", d.name, d.title, d.unit) for d in fitted]


def digits_of(unit: str) -> int:
    """Return how many decimals to show of a unit."""
    return (_DIGITS | _LONG).get(unit, 2)


def cycle_counts(group: Group, *, kinetic: bool) -> tuple[int, int]:
    """Return the number of cycles of the left and of the right side behind a table.

    Parameters
    ----------
    group : Group
    kinetic : bool
        Only those with moments from 0 to 100 %.
    """
    left, right = (
        sum(
            len(kinetic_cycles(trial, side))
            if kinetic
            else sum(curves.cycle.side == side for curves in trial.cycles)
            for trial in group.trials
        )
        for side in SIDES
    )
    return left, right


def values_told(values: Sequence[float], line: TableLine, count: int) -> str:
    """Return mean and SD of some cycles, with their number if it is not that of their column."""
    words = mean_sd(values, line.digits)
    return f"{words} (n {len(values)})" if values and len(values) != count else words


def spread_note(rows: Iterable[Sequence[str]], *, kinetic: bool) -> str:
    """Return what is said below a table of :func:`values_told`."""
    other = any("(n " in cell for row in rows for cell in row[1:])
    return f"{_SPREAD}{_OTHER * other}{_WHOLE * kinetic}"


def difference_of(first: Sequence[float], second: Sequence[float], line: TableLine) -> str:
    """Return the second mean minus the first with its sign, a dash if one is not known.

    Parameters
    ----------
    first, second : sequence of float
        In the unit of ``line``.
    line : TableLine
        Sets the decimals.
    """
    if not (first and second):
        return DASH
    return decimal(fmean(second) - fmean(first), line.digits, "+")
