"""Peaks of two results of one recording, over the cycles that both know."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gaitdyn.store import StoredTrial

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
