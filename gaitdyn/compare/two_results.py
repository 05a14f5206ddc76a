"""Compare two gaitdyn results: the columns of ``timeseries.csv`` and the peaks."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

import numpy as np

from gaitdyn.compare.agreement import CurvePair, SourceComparison, compare_column
from gaitdyn.errors import ResultsRefused
from gaitdyn.exchange.curves import read_curves
from gaitdyn.metrics.norms.curve_names import LOAD_UNITS
from gaitdyn.store import StoredTrial
from gaitdyn.store.setting_words import setting_words
from gaitdyn.types.options import Options
from gaitdyn.types.subject import SIDE_OF, SIDES


def compare_results(first: StoredTrial, second: StoredTrial) -> SourceComparison:
    """Compare the curves of two results in frames with the same number.

    Parameters
    ----------
    first, second : StoredTrial

    Raises
    ------
    ResultsRefused
        If they are from two recordings, or have no frame or no column in common.
    """
    _refuse_two_recordings(first, second)
    ours, theirs = read_curves(first.path), read_curves(second.path)
    frame, rows, other_rows = np.intersect1d(ours.frame, theirs.frame, return_indices=True)
    names = [name for name in ours.names if name in theirs.names]
    if not len(frame) or not names:
        lacking = "frames" if not len(frame) else "columns"
        raise ResultsRefused(
            f"{second.path}: found no {lacking} in common with {first.path}; name two results of"
            " one recording with the same --names"
        )
    first_row = int(rows[0])
    cycles = [curves.cycle for curves in first.cycles] if first_row == 0 else []
    drawn, apart = [], list[str]()
    for name in names:
        columns = (
            ours.values[rows, ours.names.index(name)],
            theirs.values[other_rows, theirs.names.index(name)],
        )
        side = name.split("_")[0] if name.startswith(SIDES) else SIDE_OF.get(name[:1], "")
        row = compare_column(name, side, ours.unit(name), columns, frame, cycles)
        if row is not None:
            drawn.append(CurvePair(row, *columns))
        elif any(np.isfinite(column).any() for column in columns):
            apart.append(name)
    changed = [name for name in (*ours.names, *theirs.names) if name not in names]
    notes = [f"columns in only one result: {', '.join(changed)}"] if changed else []
    notes += [f"columns that no frame shows in both results: {', '.join(apart)}"] if apart else []
    settings = other_settings(first.document, second.document)
    notes += [f"{key}: {one} and {two}" for key, (one, two) in settings.items()]
    return SourceComparison(
        " and ".join(_distinct_names(first.path, second.path)), "first", "second", tuple(drawn), (),
        tuple(notes), ours.time_s[rows], compare_peaks(first, second),
    )  # fmt: skip


def _distinct_names(first: Path, second: Path) -> tuple[str, str]:
    """Return the names of two folders with as many parent folders as make them differ.

    Examples
    --------
    >>> _distinct_names(Path("/c10/walk01"), Path("/c6/walk01"))
    ('c10/walk01', 'c6/walk01')
    """
    first_parts, second_parts = first.resolve().parts, second.resolve().parts
    depth = min(len(first_parts), len(second_parts))
    count = next((n for n in range(1, depth + 1) if first_parts[-n] != second_parts[-n]), 1)
    return "/".join(first_parts[-count:]), "/".join(second_parts[-count:])


def _refuse_two_recordings(first: StoredTrial, second: StoredTrial) -> None:
    """Refuse results of two recordings: equal frame numbers mean nothing then."""
    inputs = [
        {x["sha256"]: x["name"] for x in trial.document["inputs"] if x["role"] == "trial"}
        for trial in (first, second)
    ]
    if all(inputs) and not set(inputs[0]) & set(inputs[1]):
        names = [next(iter(names_by_hash.values())) for names_by_hash in inputs]
        raise ResultsRefused(
            f"{second.path}: found a result of another recording ({names[0]} and {names[1]});"
            " wanted two results of one; compare two recordings over the gait cycle with"
            " gaitdyn report --compare"
        )


def other_settings(one: dict[str, Any], two: dict[str, Any]) -> dict[str, tuple[str, str]]:
    """Return in words the settings, and the gaitdyn version, in which two results differ.

    Parameters
    ----------
    one, two : dict
        Contents of ``result.json``.
    """
    keys = Options.__dataclass_fields__
    first, second = ({**doc["options"], "gaitdyn": doc["gaitdyn"]} for doc in (one, two))
    values = {key: (first.get(key), second.get(key)) for key in (*keys, "gaitdyn")}
    return {
        key: (setting_words(key, before), setting_words(key, after))
        for key, (before, after) in values.items()
        if before != after
    }


class PeakRow(NamedTuple):
    """Mean of a peak over the cycles, or stances, of a side that are known in both results."""

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
        Results of one recording.
    """
    first_peaks, second_peaks = _peaks(first), _peaks(second)
    differing = []
    for (side, name, unit), peaks in first_peaks.items():
        others = second_peaks.get((side, name, unit), {})
        both = [(value, others[key]) for key, value in peaks.items() if key in others]
        if any(a != b for a, b in both):
            means = (fmean(values) for values in zip(*both, strict=True))
            differing.append(PeakRow(name, side, unit, len(both), *means))
    return tuple(differing)


_Cycle = tuple[str, int, int]
"""The number of a cycle; of stances outside cycles, which have none, place and count."""


def _peaks(trial: StoredTrial) -> dict[tuple[str, str, str], dict[_Cycle, float]]:
    """Return side, name and unit of each moment and power -> cycle or stance -> its peak."""
    peaks: dict[tuple[str, str, str], dict[_Cycle, float]] = {}
    rows = [row for row in trial.tables["peaks"] if row["unit"] in LOAD_UNITS]
    counts = Counter((row["side"], row["quantity"], row["cycle"]) for row in rows)
    seen: Counter[tuple[str, str, str]] = Counter()
    for row in rows:
        one = row["side"], row["quantity"], row["cycle"]
        own = peaks.setdefault((*one[:2], row["unit"]), {})
        if row["value"]:
            own[one[2], seen[one], counts[one]] = float(row["value"])
        seen[one] += 1
    return peaks
