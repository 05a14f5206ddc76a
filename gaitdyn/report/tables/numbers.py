"""Tables of gait parameters and peaks: left and right, beside reference values."""

from __future__ import annotations

import cmath
import math
from collections.abc import Sequence
from functools import cache
from statistics import fmean

from gaitdyn.catalogue.keys import internal_name
from gaitdyn.metrics.healthy import PACE
from gaitdyn.metrics.norms.speed import at_free_speed
from gaitdyn.metrics.parameter_definitions import PARAMETERS
from gaitdyn.metrics.peak_definitions import DEFINITIONS, find_definition
from gaitdyn.metrics.symmetry import symmetry_angle
from gaitdyn.report.contents import TextTable
from gaitdyn.report.first_screen.walk_norms import on_belts
from gaitdyn.report.groups import Group
from gaitdyn.report.numbers import DASH, shown
from gaitdyn.report.strides import kinetic_cycles, rows_of, values_of
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
from gaitdyn.report.tables.reference_column import PUBLISHED, reference_column
from gaitdyn.types.norms import MatchedNorm
from gaitdyn.types.subject import SIDES

_APART = 10.0
_TIMES = "Two times, if more than a tenth of the cycle apart: the first and the last."
_EDGE = (
    "A peak is the largest value in its window, even at the edge of the window; in the first 6 %"
    " of the cycle it may be the impact."
)
_AT_EDGES = ("Power bursts and work", "Moments")
_NO_PEAK = {
    "peak": "the force is largest at an end of that half of stance, which is no peak",
    "valley": "the force does not fall between two peaks",
}
"""Why a number of a whole step is empty, by how it is taken from its curve."""
_EXTERNAL = "Moments are external."
_SYMMETRY = (
    "Symmetry angle after Zifchock et al. 2008: 0 is symmetric, positive if the right side is"
    " larger, a dash if both are 0."
)
_PACE = (
    "Non-dimensional walking speed: free speed, from half way to the children who walked slowly to"
    " half way to those who walked fast. It is the norm of the speed on the first screen, too, and"
    " alone judges it."
)
_OWN_PACE = (
    "On the first screen the range of the speed is this mean \u00b1 2 SD, and the step length has"
    " the norm at the speed of this walk; these judge."
)
_SET_PACE = "The speed is that of the belt, which the operator sets: it has no norm."


def parameter_table(group: Group, matched: MatchedNorm | None = None) -> TextTable:
    """Return the gait parameters of both sides with their symmetry angle.

    Parameters
    ----------
    group : Group
    matched : MatchedNorm, optional
        If its set has gait parameters, those at free speed take the place of the published ones.
    """
    known = reference_column(group, matched and at_free_speed(matched), parameter_lines())
    rows: list[tuple[str, ...]] = []
    notes = [known.note]
    imposed, counts = on_belts(group.trials), cycle_counts(group, kinetic=False)
    for line in parameter_lines():
        left, right = (values_of(group.trials, line.table, line.name, side) for side in SIDES)
        if left or right:
            cells = [
                values_told(values, line, count)
                for values, count in zip((left, right), counts, strict=True)
            ]
            difference = difference_of(left, right, line), _symmetry(left, right, line.unit)
            text = known.texts.get(line.name, "")
            if line.name == PACE and text:
                text = "" if imposed else text
                free = _PACE if known.head == PUBLISHED else _OWN_PACE
                notes.append(_SET_PACE if imposed else free)
            rows.append((line.head, *cells, *difference, text))
    notes.insert(0, f"{spread_note(rows, kinetic=False)} {_SYMMETRY}")
    columns = ("Parameter", *_sides(counts), "Right less left", "Symmetry angle (%)", known.head)
    return TextTable(f"Gait parameters{group.tail}", columns, tuple(rows), tuple(notes))


def _sides(counts: tuple[int, int]) -> tuple[str, str]:
    """Return the heads of both sides with the number of their cycles."""
    left, right = (f"{s.capitalize()} (n {n})" for s, n in zip(SIDES, counts, strict=True))
    return left, right


def _symmetry(left: Sequence[float], right: Sequence[float], unit: str) -> str:
    if unit == "%":  # shares of different cycles: the difference is enough
        return ""
    if not (left and right):
        return DASH
    return shown(symmetry_angle(fmean(left), fmean(right)), 1)


def peak_tables(group: Group, matched: MatchedNorm | None = None) -> list[TextTable]:
    """Return the tables of bursts, moments, angles and ground forces.

    Loads are over the cycles with complete moments, angles over all cycles.

    Parameters
    ----------
    group : Group
    matched : MatchedNorm, optional
        If its set has peaks, these take the place of the published ones.
    """
    tables = []
    for title, units in PEAK_KINDS:
        lines = peak_lines(units, group)
        known = reference_column(group, matched, lines)
        kinetic = units != ("deg",)
        counts = cycle_counts(group, kinetic=kinetic)
        left, right = _sides(counts)
        rows = []
        for line in lines:
            cells = [
                _peak(group, line, side, count, kinetic=kinetic)
                for side, count in zip(SIDES, counts, strict=True)
            ]
            if any(value != DASH for value, _ in cells):
                flat = (text for cell in cells for text in cell)
                rows.append((line.head, *flat, known.texts.get(line.name, "")))
        if rows:
            columns = ("Quantity", left, "at %", right, "at %", known.head)
            notes = [spread_note(rows, kinetic=kinetic)]
            notes += [_TIMES] if any("; " in row[i] for row in rows for i in (2, 4)) else []
            notes += [_EDGE] if title in _AT_EDGES else []
            notes += _without_peak(group, lines)
            notes += [_EXTERNAL] if any(x.name != internal_name(x.name) for x in lines) else []
            notes += [known.note] if any(row[-1] for row in rows) else []
            tables.append(TextTable(f"{title}{group.tail}", columns, tuple(rows), tuple(notes)))
    return tables


def _without_peak(group: Group, lines: Sequence[TableLine]) -> list[str]:
    """Return a note on each peak or valley that a whole step does not have, with its cycles."""
    kinds = {line.name: find_definition(line.name).take for line in lines}
    titles = {line.name: line.title for line in lines if kinds[line.name] in _NO_PEAK}
    empty: dict[str, list[str]] = {name: [] for name in titles}
    for trial in group.trials:
        whole = {(side, str(n)) for side in SIDES for n in kinetic_cycles(trial, side)}
        named = f"{trial.name} " * (len(group.trials) > 1)
        for row in trial.tables["peaks"]:
            if (
                row["quantity"] in empty
                and not row["value"]
                and (row["side"], row["cycle"]) in whole
            ):
                empty[row["quantity"]].append(f"{named}{row['side']} cycle {row['cycle']}")
    return [
        f"{titles[name]}: none in {', '.join(cycles)}: {_NO_PEAK[kinds[name]]}."
        for name, cycles in empty.items()
        if cycles
    ]


def _peak(
    group: Group, line: TableLine, side: str, count: int, *, kinetic: bool
) -> tuple[str, str]:
    """Return mean and SD of a peak and its time, %."""
    rows = rows_of(group.trials, line.table, line.name, side, kinetic=kinetic)
    times = [float(row["percent"]) for row in rows if row["percent"]]
    return values_told([float(row["value"]) for row in rows], line, count), when(times)


def when(percent: Sequence[float]) -> str:
    """Return the circular mean of times in the cycle, %.

    Peaks further apart than a tenth of the cycle are not one peak: the first and last are given.

    Examples
    --------
    >>> when([54.0, 56.0]), when([99.0, 1.0, 2.0]), when([4.0, 16.0]), when([])
    ('55', '1', '4; 16', '')
    >>> when([50.0, 50.0, 58.0])  # less than a tenth apart, if not about their mean
    '53'
    """
    if not percent:
        return ""
    turns = [cmath.exp(2j * math.pi * p / 100) for p in percent]
    mean = cmath.phase(sum(turns)) / (2 * math.pi) * 100 % 100
    beside = [(p - mean + 50) % 100 for p in percent]
    if max(beside) - min(beside) > _APART:
        return f"{min(percent):.0f}; {max(percent):.0f}"
    return f"{mean:.0f}"


@cache
def parameter_words() -> tuple[tuple[str, str], ...]:
    """Return the definitions of the gait parameters."""
    return tuple((p.title, f"{p.text} {p.source}.") for p in PARAMETERS)


@cache
def peak_words() -> tuple[tuple[str, str], ...]:
    """Return the definitions of the peaks."""
    return tuple((d.title, f"{d.text} {d.source}.") for d in DEFINITIONS)
