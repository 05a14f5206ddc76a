"""The files ``abnormal.csv``, ``change.csv`` and ``statistics.json``."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.judge.groups.numbers import NumberDifference, number_text
from gaitdyn.judge.statistics_document import (
    abnormal_statistics,
    change_statistics,
    group_statistics,
)
from gaitdyn.store.single_file import put_in_place, refuse_foreign
from gaitdyn.tables.csv_files import csv_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.judge.abnormal import Abnormal
    from gaitdyn.judge.changes.changed import Changes
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.judge.groups.curves import GroupCurve
    from gaitdyn.judge.groups.two import GroupDifferences

ABNORMAL, CHANGE, STATISTICS = "abnormal.csv", "change.csv", "statistics.json"
GROUPS, NUMBERS, GROUP_CURVES = "groups.csv", "groups-numbers.csv", "groups-curves.csv"
GROUP_COLUMNS = (
    "curve", "unit", "percent", "mean_first", "sd_first", "mean_second", "sd_second", "difference",
    "limit",
)  # fmt: skip
_NONE = np.full(101, np.nan)
ABNORMAL_COLUMNS = (
    "side", "curve", "phase", "start", "end", "peak_at", "difference", "unit", "sd", "p",
    "p_holm", "word", "reason",
)  # fmt: skip
CHANGE_COLUMNS = (
    "side", "curve", "level", "level_limit", "shape_peak", "shape_at", "shape_limit", "start",
    "end", "p", "p_holm", "planned", "word", "reason",
)  # fmt: skip


def write_abnormal(folder: Path, abnormal: Abnormal, *, force: bool, before: str) -> list[Path]:
    """Write ``abnormal.csv`` and ``statistics.json`` of a session against a reference set.

    Parameters
    ----------
    folder : Path
    abnormal : Abnormal
    force : bool
        Replace files of these names that gaitdyn did not write.
    before : str
        A prefix of both names, such as ``walk01-``.
    """
    names = before + ABNORMAL, before + STATISTICS
    refuse_table(folder, ABNORMAL, before, force=force)
    text = _table(ABNORMAL_COLUMNS, place_rows(abnormal.findings))
    return _put(folder, names, text, abnormal_statistics(abnormal))


def write_changes(
    folder: Path, changes: Changes, *, abnormal: Sequence[Abnormal] = (), force: bool,
    before: str = "",
) -> list[Path]:  # fmt: skip
    """Write ``change.csv`` and ``statistics.json`` of two sessions.

    Parameters
    ----------
    folder : Path
    changes : Changes
    abnormal : sequence of Abnormal
        Both sessions against a reference set, for their scores.
    force : bool
        Replace files of these names that gaitdyn did not write.
    before : str
        A prefix of both names, such as ``walk01-``.
    """
    names = before + CHANGE, before + STATISTICS
    refuse_table(folder, CHANGE, before, force=force)
    text = _table(CHANGE_COLUMNS, change_rows(changes.findings))
    return _put(folder, names, text, change_statistics(changes, abnormal))


def _put(folder: Path, names: tuple[str, str], text: str, statistics: dict[str, Any]) -> list[Path]:
    """Write a table and its statistics next to it."""
    paths = [folder / name for name in names]
    put_in_place(paths[0], text.encode())
    document = json.dumps(statistics, indent=1, ensure_ascii=False, allow_nan=False)
    put_in_place(paths[1], f"{document}\n".encode())
    return paths


def refuse_table(folder: Path, table: str, before: str, *, force: bool) -> None:
    """Refuse to replace a table or its statistics if gaitdyn did not write them.

    Parameters
    ----------
    folder : Path
    table : {"abnormal.csv", "change.csv"}
    before : str
        A prefix of both names.
    force : bool
        Replace them nevertheless.
    """
    columns = {ABNORMAL: ABNORMAL_COLUMNS, CHANGE: CHANGE_COLUMNS}[table]
    _refuse_foreign(folder, (before + table, before + STATISTICS), columns, force=force)


def _refuse_foreign(
    folder: Path, names: Sequence[str], columns: Sequence[str], *, force: bool
) -> None:
    """Refuse to replace files of these names that gaitdyn did not write."""
    for name, begins in zip(names, (",".join(columns), '{\n "schema"'), strict=False):
        refuse_foreign(folder / name, begins, force=force)


def write_groups(folder: Path, differences: GroupDifferences, *, force: bool = False) -> list[Path]:
    """Write ``groups.csv`` and ``groups-statistics.json`` of two groups, their numbers and curves.

    Parameters
    ----------
    folder : Path
    differences : GroupDifferences
    force : bool
        Replace a file of this name that gaitdyn did not write.
    """
    names = GROUPS, f"groups-{STATISTICS}"
    others = {
        NUMBERS: number_text(NumberDifference, differences.numbers),
        GROUP_CURVES: _table(GROUP_COLUMNS, _group_rows(differences.curves)),
    }
    _refuse_foreign(folder, names, ABNORMAL_COLUMNS, force=force)
    for name, text in others.items():
        _refuse_foreign(folder, (name,), text.split("\n")[0].split(","), force=force)
    text = _table(ABNORMAL_COLUMNS, place_rows(differences.findings))
    written = _put(folder, names, text, group_statistics(differences))
    for name, text in others.items():
        put_in_place(folder / name, text.encode())
    return [*written, *(folder / name for name in others)]


def _group_rows(curves: Sequence[GroupCurve]) -> list[tuple[Any, ...]]:
    """Return 101 rows of :data:`GROUP_COLUMNS` per curve."""
    rows: list[tuple[Any, ...]] = []
    for curve in curves:
        columns = [
            column
            for people in (curve.first, curve.second)
            for column in (
                people.mean(axis=0) if len(people) else _NONE,
                people.std(axis=0, ddof=1) if len(people) > 1 else _NONE,
            )
        ]
        test = curve.test
        columns += [_NONE, _NONE] if test is None else [test.difference, test.limit]
        table = np.stack(columns, axis=1).tolist()
        rows += [(curve.rule.name, curve.unit, i, *cells) for i, cells in enumerate(table)]
    return rows


def place_rows(findings: Sequence[CurveFinding]) -> list[tuple[Any, ...]]:
    """Return a row of :data:`ABNORMAL_COLUMNS` per stretch beyond the band, or for the curve."""
    return [
        (f.side, f.curve, *size, f.p, f.p_holm, f.word, f.reason)
        for f in findings
        for size in [
            (p.phase, p.start, p.end, p.peak_at, p.difference, f.unit, p.sd) for p in f.places
        ]
        or [(None, None, None, None, None, f.unit, None)]
    ]


def change_rows(findings: Sequence[CurveFinding]) -> list[tuple[Any, ...]]:
    """Return a row of :data:`CHANGE_COLUMNS` per finding."""
    return [_change_row(finding) for finding in findings]


def _change_row(finding: CurveFinding) -> tuple[Any, ...]:
    tail = (finding.p, finding.p_holm, finding.planned, finding.word, finding.reason)
    if not finding.places:
        level = finding.level, finding.level_limit  # of a number; a curve without a place has none
        return (finding.side, finding.curve, *level, *(None,) * 5, *tail)
    place = finding.places[0]
    peak = int(max(range(101), key=lambda i: _far(finding, i)))
    shape = (float(finding.difference[peak]), peak, float(finding.limit[peak]))
    head = (finding.side, finding.curve, finding.level, finding.level_limit)
    return (*head, *shape, place.start, place.end, *tail)


def _far(finding: CurveFinding, i: int) -> float:
    ratio = abs(float(finding.difference[i])) / float(finding.limit[i])
    return ratio if math.isfinite(ratio) else -1.0


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return csv_text(columns, [[_cell(value) for value in row] for row in rows])


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if not math.isfinite(value) else f"{value:.6g}"
    return value
