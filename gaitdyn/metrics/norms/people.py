"""The curves of the people of a reference set, in a file next to it: ``NAME.people.csv``.

People are numbered, not named. There is one line per leg and curve: its mean at 0, 1, ... 100 %.
"""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.cycles.normalise import POINTS
from gaitdyn.errors import NormRefused
from gaitdyn.io.plain_files import plain_text
from gaitdyn.metrics.norms.build import SignalStrides, legs_of
from gaitdyn.metrics.norms.curve_names import UNITS
from gaitdyn.metrics.norms.rows import LARGEST
from gaitdyn.types.arrays import locked
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import system_reason

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gaitdyn.metrics.norms.speed_groups import SpeedGroup
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.norms import PeoplesCurves

ENDING = ".people.csv"
_NUMBERS = re.compile(r"[-+.,eE0-9 ]*")
"""Numbers as gaitdyn writes them: neither ``1_000`` nor ``nan``, which Python reads as well."""

COLUMNS = ("group", "person", "side", "curve", *(f"p{i}" for i in range(POINTS)))


def people_file(norm: Path) -> Path:
    """Return the path of the people's curves of a reference set.

    Examples
    --------
    >>> from pathlib import Path
    >>> people_file(Path("lab/controls.csv")).name
    'controls.people.csv'
    """
    return norm.with_name(norm.stem + ENDING)


def people_text(signals: Mapping[str, SignalStrides], groups: Sequence[SpeedGroup]) -> str:
    """Return the curves of every leg.

    Parameters
    ----------
    signals : mapping
        Name -> SignalStrides.
    groups : sequence of SpeedGroup
    """
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    order: dict[str, int] = {}
    for group in groups:
        for name, strides in signals.items():
            in_group = strides.of(group)
            if not in_group.people:
                continue
            legs = legs_of(in_group)
            for (person, side), mean in zip(legs.names, legs.values, strict=True):
                number = order.setdefault(person, len(order) + 1)
                cells = (f"{value:.6g}" for value in mean)
                writer.writerow((group.name, number, side, name, *cells))
    return stream.getvalue()


def read_people(norm: Path) -> PeoplesCurves:
    """Return (group, curve, side) -> curves of the people, shape (n, 101); empty without a file.

    Parameters
    ----------
    norm : Path
        The reference set.

    Raises
    ------
    NormRefused
        If the file next to it was not written by gaitdyn.
    """
    path = people_file(norm)
    if not path.is_file():
        return {}
    curves_of: dict[tuple[str, str, str], list[Array]] = {}
    try:
        for number, cells in _lines(plain_text(path)):
            group, _, side, curve, *texts = cells
            values = _values(texts) if side in SIDES else None
            largest = LARGEST.get(UNITS.get(curve, ""), 0.0)
            if values is None or not np.abs(values).max() <= largest:
                raise ValueError(f"no curve of a leg in line {number}")  # noqa: TRY301
            curves_of.setdefault((group, curve, side), []).append(values)
        return {key: locked("people", curves, (None, POINTS)) for key, curves in curves_of.items()}
    except (OSError, ValueError, csv.Error) as error:
        raise NormRefused(
            f"{path.name}: found {system_reason(error)}; wanted the people's curves that"
            " `gaitdyn norms build --curves` wrote; build them again or move the file away"
        ) from error


def _values(texts: list[str]) -> Array | None:
    """Return the numbers of a line, None if a cell is none; a set has a million of them."""
    if not all(texts) or not _NUMBERS.fullmatch(",".join(texts)):
        return None
    try:
        return np.array(texts, dtype=np.float64)
    except ValueError:
        return None


def _lines(text: str) -> list[tuple[int, list[str]]]:
    """Return number and cells of the lines below the header, which must have our columns."""
    rows = [row for row in enumerate(csv.reader(text.splitlines()), 1) if row[1]]
    if not rows or tuple(rows[0][1]) != COLUMNS or any(len(x) != len(COLUMNS) for _, x in rows):
        raise ValueError("other columns")
    return rows[1:]
