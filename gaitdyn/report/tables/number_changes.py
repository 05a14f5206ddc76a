"""Tables of the changes of gait parameters and peaks between compared groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaitdyn.report.contents import TextTable
from gaitdyn.report.groups import STRAIGHT, Group
from gaitdyn.report.numbers import DASH, mean_sd
from gaitdyn.report.strides import values_of
from gaitdyn.report.tables.lines import (
    PEAK_KINDS,
    TableLine,
    difference_of,
    parameter_lines,
    peak_lines,
)
from gaitdyn.types.subject import SIDES


def parameter_changes(
    groups: Sequence[Group], compared: Sequence[tuple[int, int]]
) -> list[TextTable]:
    """Return the changes of the gait parameters between compared groups."""
    return _changes(groups, compared, [("Gait parameters", [parameter_lines()] * len(groups))])


def peak_changes(groups: Sequence[Group], compared: Sequence[tuple[int, int]]) -> list[TextTable]:
    """Return the changes of the peaks between compared groups."""
    kinds = ((title, [peak_lines(units, group) for group in groups]) for title, units in PEAK_KINDS)
    return _changes(groups, compared, kinds)


def _changes(
    groups: Sequence[Group],
    compared: Sequence[tuple[int, int]],
    kinds: Iterable[tuple[str, list[list[TableLine]]]],
) -> list[TextTable]:
    """Return the changes between compared groups, in the words of the earlier one.

    ``kinds`` are titles and the lines of each group: those of external moments have other names.
    """
    tables = []
    for title, lines in kinds if compared else ():
        values = [
            [_values(group, line) for line in own] for group, own in zip(groups, lines, strict=True)
        ]
        for first, other in compared:
            changes = map(_change, lines[first], values[first], values[other])
            rows = tuple(row for row in changes if row)
            names = [groups[i].label or STRAIGHT for i in (first, other)]
            heads = [f"{side.capitalize()}, {name}" for side in SIDES for name in names]
            columns = ("Quantity", *heads[:2], "Change", *heads[2:], "Change")
            if rows:
                ends = " to ".join(names)
                tables.append(TextTable(f"{title}, {ends}", columns, rows))
    return tables


def _values(group: Group, line: TableLine) -> list[tuple[list[float], str]]:
    """Return the values of each side, and their mean and SD in words."""
    kinetic = line.table == "peaks" and line.unit != "deg"
    sides = (values_of(group.trials, line.table, line.name, s, kinetic=kinetic) for s in SIDES)
    return [(values, mean_sd(values, line.digits)) for values in sides]


def _change(
    line: TableLine,
    first: Sequence[tuple[list[float], str]],
    other: Sequence[tuple[list[float], str]],
) -> tuple[str, ...] | None:
    cells: list[str] = []
    for (before, told_before), (after, told_after) in zip(first, other, strict=True):
        cells += [told_before, told_after, difference_of(before, after, line)]
    return None if all(cell == DASH for cell in cells) else (line.head, *cells)
