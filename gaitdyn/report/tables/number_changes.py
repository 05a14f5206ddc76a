"""Tables of the changes of gait parameters and peaks between compared groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gaitdyn.report.contents import TextTable
from gaitdyn.report.groups import STRAIGHT, Group
from gaitdyn.report.numbers import DASH
from gaitdyn.report.strides import values_of
from gaitdyn.report.tables.lines import (
    PEAK_KINDS,
    TableLine,
    cycle_counts,
    difference_of,
    parameter_lines,
    peak_lines,
    spread_note,
    values_told,
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
        kinetic = all(_of_loads(line) for own in lines for line in own)
        counts = [cycle_counts(group, kinetic=kinetic) for group in groups]
        values = [
            [_values(group, line, count) for line in own]
            for group, own, count in zip(groups, lines, counts, strict=True)
        ]
        for first, other in compared:
            changes = map(_change, lines[first], values[first], values[other])
            rows = tuple(row for row in changes if row)
            names = [groups[i].label or STRAIGHT for i in (first, other)]
            heads = [
                f"{side.capitalize()}, {name} (n {counts[i][at]})"
                for at, side in enumerate(SIDES)
                for i, name in zip((first, other), names, strict=True)
            ]
            columns = ("Quantity", *heads[:2], "Change", *heads[2:], "Change")
            if rows:
                ends = " to ".join(names)
                notes = (spread_note(rows, kinetic=kinetic),)
                tables.append(TextTable(f"{title}, {ends}", columns, rows, notes))
    return tables


def _of_loads(line: TableLine) -> bool:
    return line.table == "peaks" and line.unit != "deg"


def _values(
    group: Group, line: TableLine, counts: tuple[int, int]
) -> list[tuple[list[float], str]]:
    """Return the values of each side, and their mean and SD in words."""
    found: list[tuple[list[float], str]] = []
    for side, count in zip(SIDES, counts, strict=True):
        values = values_of(group.trials, line.table, line.name, side, kinetic=_of_loads(line))
        found.append((values, values_told(values, line, count)))
    return found


def _change(
    line: TableLine,
    first: Sequence[tuple[list[float], str]],
    other: Sequence[tuple[list[float], str]],
) -> tuple[str, ...] | None:
    cells: list[str] = []
    for (before, told_before), (after, told_after) in zip(first, other, strict=True):
        cells += [told_before, told_after, difference_of(before, after, line)]
    return None if all(cell == DASH for cell in cells) else (line.head, *cells)
