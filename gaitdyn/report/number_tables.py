"""Tables of gait parameters, peaks and scores: left and right, published values, two sessions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.metrics import DEFINITIONS
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.reference_facts import reference_facts
from gaitdyn.metrics.symmetry import symmetry_angle
from gaitdyn.report.contents import Table, decimal, mean_sd, values_of
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.trials import Group

DASH = "\u2013"
_DIGITS = {"deg": 1, "%": 1, "steps/min": 1, "": 3, "m": 3, "s": 3, "J/kg": 3}
_LONG = {"N m s/kg": 3, "N s/kg": 3}
MAIN = (
    "speed",
    "cadence",
    "stride_length",
    "step_length",
    "step_width",
    "foot_off",
    "single_support",
    "double_support",
)
"""The gait parameters of a first page."""

_KINDS = (
    ("Power bursts and work", ("W/kg", "J/kg")),
    ("Moments", ("N m/kg", "N m s/kg")),
    ("Angles", ("deg",)),
    ("Ground force", ("N/kg", "N s/kg")),
)


@dataclass(frozen=True, slots=True)
class Line:
    """One quantity as it stands in a table."""

    table: str
    name: str
    title: str
    unit: str

    @property
    def digits(self) -> int:
        """Decimals that are worth showing."""
        return (_DIGITS | _LONG).get(self.unit, 2)

    @property
    def head(self) -> str:
        """Title and unit."""
        return f"{self.title} ({self.unit})" if self.unit else self.title


def parameter_lines() -> list[Line]:
    """Return the gait parameters in the order of their definitions."""
    return [Line("gait_parameters", p.name, p.title, p.unit) for p in PARAMETERS]


def peak_lines(units: Sequence[str]) -> list[Line]:
    """Return the peaks of some units in the order of their definitions."""
    return [Line("peaks", d.name, d.title, d.unit) for d in DEFINITIONS if d.unit in units]


@cache
def _facts() -> dict[str, str]:
    return {
        fact.quantity: f"{fact.value:g}".replace("-", "\u2212")
        + ("" if fact.sd is None else f" \u00b1 {fact.sd:g}")
        for fact in reference_facts()
    }


def parameter_table(group: Group, names: Sequence[str] = ()) -> Table:
    """Return the gait parameters of both sides, all or those named, with their symmetry angle."""
    rows = []
    for line in parameter_lines():
        if names and line.name not in names:
            continue
        left, right = (values_of(group.trials, line.table, line.name, side) for side in SIDES)
        if left or right:
            cells = [mean_sd(values, line.digits) for values in (left, right)]
            rows.append((line.head, *cells, _symmetry(left, right), _facts().get(line.name, "")))
    columns = ("Parameter", "Left", "Right", "Symmetry angle (%)", "Published")
    notes = (
        (
            "Mean \u00b1 SD over the cycles. Symmetry angle after Zifchock 2008: 0 is symmetric,"
            " positive where the right side is larger, a dash where a side lacks or"
            " both are zero."
        ),
        "Published: Schwartz 2008, 82 children of 4 to 17 years at free speed.",
    )
    return Table(_title("Gait parameters", group), columns, tuple(rows), notes)


def _title(words: str, group: Group) -> str:
    return f"{words}, {group.label}" if group.label else words


def _symmetry(left: Sequence[float], right: Sequence[float]) -> str:
    if not (left and right):
        return DASH
    found = symmetry_angle(fmean(left), fmean(right))
    return DASH if found.refused else decimal(found.value, 1)


def peak_tables(group: Group) -> list[Table]:
    """Return the tables of bursts, moments, angles and ground forces."""
    columns = ("Quantity", "Left", "at %", "Right", "at %", "Published")
    tables = []
    for title, units in _KINDS:
        rows = []
        for line in peak_lines(units):
            cells = [_peak(group, line, side) for side in SIDES]
            if any(value != DASH for value, _ in cells):
                flat = (text for cell in cells for text in cell)
                rows.append((line.head, *flat, _facts().get(line.name, "")))
        if rows:
            tables.append(Table(_title(title, group), columns, tuple(rows)))
    return tables


def _peak(group: Group, line: Line, side: str) -> tuple[str, str]:
    """Return mean and SD of a peak and when it is, in %."""
    times = [
        float(row["percent"])
        for trial in group.trials
        for row in trial.tables[line.table]
        if (row["quantity"], row["side"]) == (line.name, side) and row["value"] and row["percent"]
    ]
    values = values_of(group.trials, line.table, line.name, side)
    return mean_sd(values, line.digits), f"{fmean(times):.0f}" if times else ""


def comparison_tables(groups: Sequence[Group]) -> list[Table]:
    """Return what changed from the first group to each other one."""
    tables = []
    for other in groups[1:]:
        for title, lines in (
            ("Gait parameters", parameter_lines()),
            *((title, peak_lines(units)) for title, units in _KINDS),
        ):
            rows = tuple(row for line in lines if (row := _change(groups[0], other, line)))
            heads = [
                f"{side.capitalize()}, {g.label}" for side in SIDES for g in (groups[0], other)
            ]
            columns = ("Quantity", *heads[:2], "Change", *heads[2:], "Change")
            if rows:
                tables.append(Table(title, columns, rows))
    return tables


def _change(first: Group, other: Group, line: Line) -> tuple[str, ...] | None:
    cells: list[str] = []
    for side in SIDES:
        before, after = (values_of(g.trials, line.table, line.name, side) for g in (first, other))
        cells += [mean_sd(before, line.digits), mean_sd(after, line.digits)]
        both = before and after
        change = fmean(after) - fmean(before) if both else 0.0
        cells.append(decimal(change, line.digits, "+") if both else DASH)
    return None if all(cell == DASH for cell in cells) else (line.head, *cells)


def parameter_words() -> tuple[tuple[str, str], ...]:
    """Return the definitions of the gait parameters."""
    return tuple((p.title, f"{p.text} {p.source}.") for p in PARAMETERS)


def peak_words() -> tuple[tuple[str, str], ...]:
    """Return the definitions of the peaks."""
    return tuple((d.title, f"{d.text} {d.source}.") for d in DEFINITIONS)
