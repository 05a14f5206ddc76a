"""Reference sets as ``.gcd`` text: means and deviations of Vicon Clinical Manager and Polygon.

Layout according to public readers and writers of such files: lines ``#...`` and ``$...`` with their
texts, then for each variable a line ``!Name`` (followed by a number) and one line per point with
mean and deviation, 51 points from 0 to 100 %. The format states no units and no signs. Angles are
in degrees and positive as in Plug-in Gait. Moments are internal, with extensor, abductor (hip),
valgus (knee) and plantarflexor positive, in N m/kg or N mm/kg depending on their size.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.errors import NormRefused
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.metrics.norms.rows import NormRow, bands_of
from gaitdyn.types.arguments import told
from gaitdyn.types.norms import NormGroup
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted

CURVES = {
    row["signal"]: row["curve"]
    for row in shipped_rows("metrics/norm_signals.csv")
    if row["format"] == "gcd"
}
"""Other variables are left out, such as rotation moments, whose sign no public text states."""

POINTS = 51
_PER_NM, _PER_NMM = 10.0, 50.0  # no moment of walking is larger in N m/kg, or that small in N mm/kg

_Point = tuple[int, list[str]]


def gcd_groups(file: str, text: str) -> tuple[NormGroup, ...]:
    """Return the one group of a ``.gcd`` file.

    Parameters
    ----------
    file : str
        Name for messages.
    text : str

    Raises
    ------
    NormRefused
        If the file is of one person's cycles, has a line that is not two numbers, a number of
        points other than 51, or moments in an unknown unit.
    """
    rows: list[NormRow] = []
    names: set[str] = set()
    for line, name, points in _variables(text):
        if name not in CURVES:
            continue
        if name in names:
            message = f"{file} line {line}: found !{name} twice; wanted it once; remove one"
            raise NormRefused(message)
        names.add(name)
        rows += _curve(file, line, name, points)
    if not rows:
        raise NormRefused(
            f"{file}: found no variable such as !HipFlexExt without Left or Right; wanted means"
            " and deviations of a group; a file of one person's cycles is not a reference set"
        )
    factor = _moment_factor(file, rows)
    scaled = [
        replace(row, mean=row.mean * factor, sd=row.sd * factor)
        if key_of(row.curve).is_moment
        else row
        for row in rows
    ]
    ((name, bands),) = bands_of(file, scaled).items()
    return (NormGroup(name, None, bands),)


def _variables(text: str) -> list[tuple[int, str, list[_Point]]]:
    """Return line, name and points of every variable."""
    variables: list[tuple[int, str, list[_Point]]] = []
    skip = True
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if not cells or line[0] == "#":
            continue
        if line[0] == "$":
            skip = True
        elif line[0] == "!":
            variables.append((number, cells[0][1:], []))
            skip = False
        elif not skip:
            variables[-1][2].append((number, cells))
    return variables


def _curve(file: str, line: int, name: str, points: list[_Point]) -> list[NormRow]:
    if len(points) != POINTS:
        message = (
            f"{file} line {line}, !{name}: found {counted(len(points), 'point')}; wanted {POINTS}"
        )
        raise NormRefused(f"{message}, 0, 2, ... 100 %; export the variable again")
    step = 100 / (POINTS - 1)
    rows = []
    for k, (number, cells) in enumerate(points):
        mean, sd = _pair(file, number, name, cells)
        rows.append(NormRow(number, "all", CURVES[name], k * step, mean, sd))
    return rows


def _pair(file: str, number: int, name: str, cells: list[str]) -> tuple[float, float]:
    numbers = [number_in(cell, math.nan) for cell in cells]
    if len(numbers) != 2 or not all(map(math.isfinite, numbers)):  # noqa: PLR2004  mean and deviation
        message = (
            f"{file} line {number}, !{name}: found {told(' '.join(cells))}; wanted two numbers"
        )
        raise NormRefused(f"{message}, mean and deviation; correct the line")
    return numbers[0], numbers[1]


def _moment_factor(file: str, rows: list[NormRow]) -> float:
    """Return 1 for N m/kg or 0.001 for N mm/kg, judged from the largest moment of the file."""
    sizes = np.array([abs(row.mean) for row in rows if key_of(row.curve).is_moment])
    largest = float(sizes.max(initial=0.0))
    if largest <= _PER_NM:
        return 1.0
    if largest >= _PER_NMM:
        return 1e-3
    raise NormRefused(
        f"{file}: found moments up to {largest:g}; wanted N m/kg (up to about 3) or N mm/kg"
        " (some hundreds); write the set in gaitdyn's format, see docs/norms.md"
    )
