"""Reference sets in gaitdyn's format, see docs/norms.md."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from gaitdyn.errors import NormRefused
from gaitdyn.metrics.norms.curve_names import UNITS, advice
from gaitdyn.metrics.norms.numbers import numbers_of
from gaitdyn.metrics.norms.rows import CsvLine, NormRow, bands_of, csv_lines
from gaitdyn.types.arguments import told
from gaitdyn.types.norms import DISTAL, NormGroup

COLUMNS = ("group", "speed", "count", "curve", "percent", "mean", "sd", "unit")
ROUGHNESS = "roughness"
"""Optional column: L of the people's curves, the same on every line of a curve."""

OWN = "laboratory: own"
"""Comment in a set that was built from the results of the user's laboratory."""

_OF_BOTH_LEGS = re.compile(r"^# source: .*, \d+ subjects, \d+ cycles, profile ", re.MULTILINE)
"""First line of a set that gaitdyn 0.1 built: its SD are those of the mean of both legs."""

MODEL, CONDITION, MOMENTS, AGES, SHANK = "model", "condition", "moments in", "ages", "shank"
SETTINGS, GROUND = "settings", "ground"
"""Comments on the people of a set and how they were processed, ``# model: plug-in-gait``."""

AXES = ("distal", "proximal", "jcs", "jcs-dual")
"""Axes that moments of reference sets can be in, as in ``--moments-in``."""


@lru_cache(maxsize=8)
def gaitdyn_groups(file: str, text: str) -> tuple[NormGroup, ...]:
    """Return the groups of a file in gaitdyn's format; the pages of a batch read the same one.

    Parameters
    ----------
    file : str
        Name for messages.
    text : str

    Raises
    ------
    NormRefused
        With the line, the column, what was found and what was wanted; or a set of gaitdyn 0.1.
    """
    if _OF_BOTH_LEGS.search(text) and not is_in_house(text):
        raise NormRefused(
            f"{file}: found a set built by gaitdyn 0.1; wanted the SD of one leg, and these are of"
            " the mean of both, which is narrower; build it again with gaitdyn norms build"
        )
    rows: list[NormRow] = []
    numbers: list[CsvLine] = []
    speeds: dict[str, float | None] = {}
    first: dict[tuple[str, str], NormRow] = {}
    for line in csv_lines(file, text):
        group, speed = _group(line), _speed(line)
        if speeds.setdefault(group, speed) != speed:
            wanted = "the same on every line of a group"
            raise line.wrong("speed", told(line.cells["speed"]), wanted)
        if not line.cells["percent"]:
            numbers.append(line)
            continue
        row = _row(line)
        of_curve = first.setdefault((row.group, row.curve), row)
        for column in ("count", ROUGHNESS):
            if getattr(row, column) != getattr(of_curve, column):
                wanted = "the same on every line of a curve"
                raise line.wrong(column, told(line.cells[column]), wanted)
        rows.append(row)
    of_group, bands = numbers_of(numbers), bands_of(file, rows)
    for line in (line for line in numbers if line.cells["group"] not in bands):
        raise line.wrong("group", line.cells["group"], "a group with curves")
    return tuple(
        NormGroup(name, speeds[name], bands[name], of_group.get(name, {})) for name in bands
    )


def comments_of(text: str, key: str) -> list[str]:
    r"""Return the texts of the comment lines ``# key: ...``.

    A spreadsheet fills them up with empty cells, whose commas do not belong to the text.

    Examples
    --------
    >>> comments_of("# source: own laboratory\n# source: 2020-2024,,,\ngroup,speed", "source")
    ['own laboratory', '2020-2024']
    """
    lines = (line.strip("# ,") for line in text.splitlines() if line.startswith("#"))
    parts = (line.partition(":") for line in lines)
    return [text.strip() for name, _, text in parts if name.lower() == key and text.strip()]


def source_of(text: str) -> str:
    """Return the text of the comment lines ``# source: ...``."""
    return " ".join(comments_of(text, "source"))


def models_of(text: str) -> tuple[str, ...]:
    r"""Return the marker models named in the comment lines ``# model: ...``.

    Examples
    --------
    >>> models_of("# source: own\n# model: plug-in-gait, cgm2\ngroup,speed")
    ('plug-in-gait', 'cgm2')
    """
    named = (name.strip() for part in comments_of(text, MODEL) for name in part.split(","))
    return tuple(name for name in named if name)


def settings_in(text: str) -> dict[str, tuple[str, ...]]:
    r"""Return the options with which the people of a set were processed.

    Examples
    --------
    >>> settings_in("# settings: --cutoff 10; --force-cutoff 6 or none\ngroup,speed")
    {'--cutoff': ('10',), '--force-cutoff': ('6', 'none')}
    """
    parts = (
        part.split(maxsplit=1) for line in comments_of(text, SETTINGS) for part in line.split(";")
    )
    return {part[0]: tuple(part[1].split(" or ")) for part in parts if len(part) > 1}


def settings_words(settings: Mapping[str, Sequence[str]]) -> str:
    """Return options as :func:`settings_in` reads them."""
    return "; ".join(f"{option} {' or '.join(values)}" for option, values in settings.items())


def moments_in(file: str, text: str) -> str:
    """Return the axes of the moments of a set, ``distal`` if it names none.

    Raises
    ------
    NormRefused
        If it names several, or axes that are not known.
    """
    named = {words.removesuffix("axes").strip().lower() for words in comments_of(text, MOMENTS)}
    if len(named) > 1 or named - set(AXES):
        raise NormRefused(
            f"{file}: found moments in {' and '.join(sorted(named))} axes; wanted one of"
            f" {', '.join(AXES)}; correct the line '# {MOMENTS}:'"
        )
    return next(iter(named), DISTAL)


def is_in_house(text: str) -> bool:
    r"""Return whether a file is marked as built in the user's laboratory.

    Examples
    --------
    >>> (
    ...     is_in_house("# source: here\n# laboratory: own\ngroup"),
    ...     is_in_house("# source: there\ngroup"),
    ... )
    (True, False)
    """
    name, _, ours = OWN.partition(": ")
    return any(whose.lower() == ours for whose in comments_of(text, name))


def _row(line: CsvLine) -> NormRow:
    cells = line.cells
    curve = cells["curve"]
    if curve not in UNITS:
        raise line.wrong("curve", told(curve), advice(curve))
    if cells["unit"] != UNITS[curve]:
        raise line.wrong("unit", told(cells["unit"]), UNITS[curve])
    percent, mean, sd = (line.number_in(column) for column in ("percent", "mean", "sd"))
    rough = line.number_in(ROUGHNESS) if cells.get(ROUGHNESS) else None
    if rough is not None and rough < 0:
        raise line.wrong(ROUGHNESS, f"{rough:g}", "0 or more, or nothing")
    return NormRow(line.number, cells["group"], curve, percent, mean, sd, rough, line.count())


def _group(line: CsvLine) -> str:
    if not line.cells["group"]:
        raise line.wrong("group", "nothing", "a name, such as free")
    return line.cells["group"]


def _speed(line: CsvLine) -> float | None:
    if not line.cells["speed"]:
        return None
    value = line.number_in("speed")
    if not 0 < value < 1.5:  # noqa: PLR2004  people run from about 0.7 on
        raise line.wrong("speed", f"{value:g}", "v / sqrt(g L), without unit, such as 0.43")
    return value
