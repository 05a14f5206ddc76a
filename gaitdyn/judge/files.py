"""The files ``abnormal.csv``, ``change.csv`` and ``statistics.json``."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.judge.numbers import NumberDifference, number_text
from gaitdyn.statistics.threshold import ALPHA
from gaitdyn.store.single_file import put_in_place, refuse_foreign
from gaitdyn.tables.csv_files import csv_text
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.judge.abnormal import Abnormal
    from gaitdyn.judge.changed import Changes
    from gaitdyn.judge.finding import CurveFinding
    from gaitdyn.judge.group_curves import GroupCurve
    from gaitdyn.judge.groups import GroupDifferences
    from gaitdyn.metrics.scores import GaitScores
    from gaitdyn.statistics.change import ChangeTest
    from gaitdyn.statistics.people import GroupTest

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


def abnormal_statistics(abnormal: Abnormal) -> dict[str, Any]:
    """Return thresholds and their sources."""
    matched, norm = abnormal.norm, abnormal.norm.norm
    curves = []
    for curve in abnormal.curves:
        entry: dict[str, Any] = {
            "side": curve.side, "curve": curve.rule.name, "family": curve.rule.family,
            "strides": curve.strides,
        }  # fmt: skip
        if curve.test is not None:
            entry |= {
                "k": curve.test.threshold, "roughness": curve.test.roughness,
                "roughness_origin": curve.origin, "nu": curve.test.nu,
            }  # fmt: skip
            if math.isfinite(curve.rank_p):
                entry["p_rank"] = curve.rank_p
            between = 0.0 if norm.in_house else curve.rule.between_laboratories
            entry["between_laboratories"] = between
        curves.append(entry)
    return {
        "schema": 1, "gaitdyn": __version__, "question": "abnormal", "alpha": ALPHA,
        "speed_nondimensional": abnormal.speed,
        "norm": {
            "name": norm.name, "sha256": norm.sha256, "source": norm.source,
            "own": norm.in_house, "count": matched.count, "note": matched.note,
        },
        "families": _families(abnormal.findings), "curves": curves,
        "scores": _scores(abnormal.scores),
    }  # fmt: skip


def _scores(scores: GaitScores) -> dict[str, Any]:
    """Return GPS, GDI* and the movement analysis profile, each with quartiles and cycles."""
    profile: dict[str, dict[str, Any]] = {}
    for (side, variable), score in scores.profile.items():
        profile.setdefault(side, {})[variable] = asdict(score)
    gps = {**scores.gps, "overall": scores.gps_overall}
    return {
        "gps": {side: asdict(score) for side, score in gps.items()},
        "gdi_star": {side: asdict(score) for side, score in scores.gdi_star.items()},
        "profile": profile,
    }


def change_statistics(changes: Changes, abnormal: Sequence[Abnormal]) -> dict[str, Any]:
    """Return thresholds, session errors and their sources, and with a norm the scores of both."""
    curves = []
    for curve in changes.curves:
        entry: dict[str, Any] = {
            "side": curve.side, "curve": curve.rule.name, "family": curve.rule.family,
            "planned": curve.planned, "strides": list(curve.counts),
        }  # fmt: skip
        if curve.means is not None and curve.test is not None:
            entry["means"] = list(curve.means)
        if curve.session is not None:
            entry["session_sd"] = float(curve.session.band.mean()) ** 0.5
            entry["session_sd_level"] = curve.session.level**0.5
            entry["session_sd_origin"] = curve.session.origin
            entry["session_nu"] = curve.session.nu
        elif changes.markers_on:
            entry["session_sd"], entry["session_sd_origin"] = 0.0, "no marker was placed again"
        curves.append(entry | _of_test(curve.test))
    return {
        "schema": 1, "gaitdyn": __version__, "question": "changed", "alpha": ALPHA,
        "markers_on": changes.markers_on, "speeds_nondimensional": list(changes.speeds),
        "gps_detectable_deg": None if changes.markers_on else asdict(changes.gps),
        "families": _families(changes.findings), "curves": curves,
    } | ({"scores": [_scores(one.scores) for one in abnormal]} if abnormal else {})  # fmt: skip


def group_statistics(differences: GroupDifferences) -> dict[str, Any]:
    """Return the people, thresholds and degrees of freedom of every curve of two groups."""
    curves = [
        {"curve": c.rule.name, "family": c.rule.family, "people": list(c.people)} | _of_test(c.test)
        for c in differences.curves
    ]
    return {
        "schema": 1, "gaitdyn": __version__, "question": "groups", "alpha": ALPHA,
        "paired": differences.paired, "people": list(differences.people),
        "speeds_nondimensional": list(differences.speeds),
        "families": _families(differences.findings), "curves": curves,
    }  # fmt: skip


def _of_test(test: ChangeTest | GroupTest | None) -> dict[str, float]:
    """Return threshold, roughness and degrees of freedom of a test; empty without one."""
    if test is None:
        return {}
    return {"k": test.threshold, "roughness": test.roughness, "nu": test.nu}


def _families(findings: Sequence[CurveFinding]) -> dict[str, int]:
    """Return the number of judged curves in each family, for Holm's correction."""
    counts: dict[str, int] = {}
    for finding in findings:
        if not finding.planned:
            counts[finding.family] = counts.get(finding.family, 0) + (finding.word != "not judged")
    return counts


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return csv_text(columns, [[_cell(value) for value in row] for row in rows])


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if not math.isfinite(value) else f"{value:.6g}"
    return value
