"""Two results of ours, column by column of ``timeseries.csv``, and their peaks."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  of the example
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gaitdyn.compare.agreement import CurvePair, SourceComparison, compare_column
from gaitdyn.errors import ResultsRefused
from gaitdyn.exchange.curves import read_curves
from gaitdyn.types.options import Options
from gaitdyn.types.subject import SIDE_OF

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.store import StoredTrial


_SIDES = ("left", "right")


def compare_results(first: StoredTrial, second: StoredTrial) -> SourceComparison:
    """Return the curves of two results beside each other, frames with the same number together.

    Parameters
    ----------
    first, second : StoredTrial

    Raises
    ------
    ResultsRefused
        When they are of two recordings, or have no frame or no column in common.
    """
    _refuse_two_recordings(first, second)
    one, two = read_curves(first.path), read_curves(second.path)
    frame, rows, others = np.intersect1d(one.frame, two.frame, return_indices=True)
    names = [name for name in one.names if name in two.names]
    if not len(frame) or not names:
        lacking = "frames" if not len(frame) else "columns"
        raise ResultsRefused(
            f"{second.path}: found no {lacking} that {first.path} has too; name two results of one"
            " recording with the same --names"
        )
    first_row = int(rows[0])
    cycles = [curves.cycle for curves in first.cycles] if first_row == 0 else []
    drawn = []
    for name in names:
        columns = (
            one.values[rows, one.names.index(name)],
            two.values[others, two.names.index(name)],
        )
        side = name.split("_")[0] if name.startswith(_SIDES) else SIDE_OF.get(name[:1], "")
        row = compare_column(name, side, one.unit(name), columns, frame, cycles)
        if row is not None:
            drawn.append(CurvePair(row, *columns))
    changed = [name for name in (*one.names, *two.names) if name not in names]
    notes = [f"columns of one only: {', '.join(changed)}"] if changed else []
    other = other_settings(first.document, second.document)
    notes += [f"{key}: {one} and {two}" for key, (one, two) in other.items()]
    return SourceComparison(
        " and ".join(told_apart(first.path, second.path)), "first", "second", tuple(drawn), (),
        tuple(notes), one.time_s[rows], compare_peaks(first, second),
    )  # fmt: skip


def told_apart(first: Path, second: Path) -> tuple[str, str]:
    """Return the names of two folders, with as many of the folders above as tell them apart.

    Examples
    --------
    >>> told_apart(Path("/c10/walk01"), Path("/c6/walk01"))
    ('c10/walk01', 'c6/walk01')
    """
    one, two = first.resolve().parts, second.resolve().parts
    deep = min(len(one), len(two))
    up = next((n for n in range(1, deep + 1) if one[-n] != two[-n]), 1)
    return "/".join(one[-up:]), "/".join(two[-up:])


def _refuse_two_recordings(first: StoredTrial, second: StoredTrial) -> None:
    """Refuse results whose frames have nothing but their numbers in common."""
    inputs = [
        {one["sha256"]: one["name"] for one in trial.document["inputs"] if one["role"] == "trial"}
        for trial in (first, second)
    ]
    if all(inputs) and not set(inputs[0]) & set(inputs[1]):
        names = [next(iter(one.values())) for one in inputs]
        raise ResultsRefused(
            f"{second.path}: found a result of another recording ({names[0]} and {names[1]});"
            " wanted two results of one; two recordings are compared over the gait cycle with"
            " gaitdyn report --compare"
        )


def other_settings(one: dict[str, Any], two: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Return the settings and the version that differ, of both.

    Parameters
    ----------
    one, two : dict
        Contents of ``result.json``.
    """
    keys = Options.__dataclass_fields__
    first, second = ({**told["options"], "gaitdyn": told["gaitdyn"]} for told in (one, two))
    found = {key: (first.get(key), second.get(key)) for key in (*keys, "gaitdyn")}
    return {key: pair for key, pair in found.items() if pair[0] != pair[1]}


_UNITS = ("N m/kg", "W/kg")


class PeakRow(NamedTuple):
    """The mean of a peak over the cycles of a side that two results know."""

    name: str
    side: str
    unit: str
    cycles: int
    first: float
    second: float


def compare_peaks(first: StoredTrial, second: StoredTrial) -> tuple[PeakRow, ...]:
    """Return the peaks of moments and powers that differ, in the order of the first table.

    Parameters
    ----------
    first, second : StoredTrial
        Of one recording.
    """
    one, two = _peaks(first), _peaks(second)
    units = {(r["side"], r["quantity"]): r["unit"] for r in first.tables["peaks"]}
    found = []
    for (side, name), unit in units.items():
        both = [(one[k], two[k]) for k in one if k[:2] == (side, name) and k in two]
        if unit in _UNITS and any(a != b for a, b in both):
            ends = (fmean(values) for values in zip(*both, strict=True))
            found.append(PeakRow(name, side, unit, len(both), *ends))
    return tuple(found)


def _peaks(trial: StoredTrial) -> Mapping[tuple[str, str, str], float]:
    return {
        (row["side"], row["quantity"], row["cycle"]): float(row["value"])
        for row in trial.tables["peaks"]
        if row["value"]
    }
