"""``abnormal.csv``, ``change.csv`` and ``statistics.json``."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from gaitdyn.errors import OutputRefused
from gaitdyn.statistics.threshold import ALPHA
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.csv_files import csv_text
from gaitdyn.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.judge.abnormal import Abnormal
    from gaitdyn.judge.changed import Changes
    from gaitdyn.judge.finding import CurveFinding

ABNORMAL, CHANGE, STATISTICS = "abnormal.csv", "change.csv", "statistics.json"
GROUPS = "groups.csv"
ABNORMAL_COLUMNS = (
    "side", "curve", "phase", "start", "end", "peak_at", "difference", "unit", "sd", "p",
    "p_holm", "word", "reason",
)  # fmt: skip
CHANGE_COLUMNS = (
    "side", "curve", "level", "level_limit", "shape_peak", "shape_at", "shape_limit", "start",
    "end", "p", "p_holm", "planned", "word", "reason",
)  # fmt: skip


def write_abnormal(
    folder: Path, found: Abnormal, *, force: bool = False, before: str = ""
) -> list[Path]:
    """Write ``abnormal.csv`` and ``statistics.json`` of a session against a reference set.

    Parameters
    ----------
    folder : Path
    found : Abnormal
    force : bool
        Replace files of these names that gaitdyn did not write.
    before : str
        Put before both names, such as ``walk01-``.

    Returns
    -------
    list of Path
    """
    names = before + ABNORMAL, before + STATISTICS
    _refuse_foreign(folder, names, ABNORMAL_COLUMNS, force=force)
    return _put(folder, names, abnormal_text(found), abnormal_statistics(found))


def write_changes(
    folder: Path, found: Changes, *, force: bool = False, before: str = ""
) -> list[Path]:
    """Write ``change.csv`` and ``statistics.json`` of two sessions.

    Parameters
    ----------
    folder : Path
    found : Changes
    force : bool
        Replace files of these names that gaitdyn did not write.
    before : str
        Put before both names, such as ``walk01-``.

    Returns
    -------
    list of Path
    """
    names = before + CHANGE, before + STATISTICS
    _refuse_foreign(folder, names, CHANGE_COLUMNS, force=force)
    return _put(folder, names, change_text(found), change_statistics(found))


def _put(folder: Path, names: tuple[str, str], text: str, statistics: dict[str, Any]) -> list[Path]:
    """Write a table and its statistics beside it."""
    found = [folder / name for name in names]
    put_in_place(found[0], text.encode())
    put_in_place(found[1], _json(statistics))
    return found


def _refuse_foreign(
    folder: Path, names: Sequence[str], columns: Sequence[str], *, force: bool
) -> None:
    """Refuse to write over files of these names that somebody else wrote."""
    for name, begins in zip(names, (",".join(columns), '{\n "schema"'), strict=True):
        path = folder / name
        if path.is_file() and not force and not path.read_bytes().startswith(begins.encode()):
            raise OutputRefused(
                f"{path} was not written by gaitdyn; choose another place or replace it with"
                " --force"
            )


def write_groups(folder: Path, found: Sequence[CurveFinding], *, force: bool = False) -> list[Path]:
    """Write ``groups.csv`` of two groups of people.

    Parameters
    ----------
    folder : Path
    found : sequence of CurveFinding
    force : bool
        Replace a file of this name that gaitdyn did not write.

    Returns
    -------
    list of Path
    """
    _refuse_foreign(folder, (GROUPS, STATISTICS), ABNORMAL_COLUMNS, force=force)
    put_in_place(folder / GROUPS, group_text(found).encode())
    return [folder / GROUPS]


def abnormal_text(found: Abnormal) -> str:
    """Return ``abnormal.csv``: a row a stretch beyond the band, or one a curve."""
    return group_text(found.findings)


def group_text(findings: Sequence[CurveFinding]) -> str:
    """Return a row a stretch beyond the band, or one a curve."""
    rows: list[Sequence[Any]] = []
    for one in findings:
        tail = (one.p, one.p_holm, one.word, one.reason)
        if not one.places:
            rows.append((one.side, one.curve, "", "", "", "", "", one.unit, "", *tail))
        for p in one.places:
            place = (p.phase, p.start, p.end, p.peak_at, p.difference, one.unit, p.sd)
            rows.append((one.side, one.curve, *place, *tail))
    return _table(ABNORMAL_COLUMNS, rows)


def change_text(found: Changes) -> str:
    """Return ``change.csv``: a row a curve, the planned ones first."""
    return _table(CHANGE_COLUMNS, [_change_row(one) for one in found.findings])


def _change_row(one: CurveFinding) -> tuple[Any, ...]:
    tail = (one.p, one.p_holm, one.planned, one.word, one.reason)
    if not one.places:
        return (one.side, one.curve, *("",) * 7, *tail)
    place = one.places[0]
    at = int(max(range(101), key=lambda i: _far(one, i)))
    shape = (float(one.difference[at]), at, float(one.limit[at]))
    head = (one.side, one.curve, one.level, one.level_limit)
    return (*head, *shape, place.start, place.end, *tail)


def _far(one: CurveFinding, i: int) -> float:
    part = abs(float(one.difference[i])) / float(one.limit[i])
    return part if math.isfinite(part) else -1.0


def abnormal_statistics(found: Abnormal) -> dict[str, Any]:
    """Return thresholds and where they are from."""
    curves = [
        {
            "side": one.side, "curve": one.rule.name, "family": one.rule.family,
            "strides": one.strides,
            **(
                {}
                if one.test is None
                else {
                    "k": one.test.threshold, "roughness": one.test.roughness,
                    "roughness_origin": one.origin, "nu": one.test.nu,
                    **({"p_rank": one.rank_p} if math.isfinite(one.rank_p) else {}),
                    "between_laboratories": 0.0
                    if found.norm.norm.own
                    else one.rule.between_laboratories,
                }
            ),
        }
        for one in found.curves
    ]  # fmt: skip
    norm = found.norm
    return {
        "schema": 1, "gaitdyn": __version__, "question": "abnormal", "alpha": ALPHA,
        "speed_nondimensional": found.speed,
        "norm": {
            "name": norm.norm.name, "sha256": norm.norm.sha256, "source": norm.norm.source,
            "own": norm.norm.own, "count": norm.count, "note": norm.note,
        },
        "families": _families(found.findings), "curves": curves,
    }  # fmt: skip


def change_statistics(found: Changes) -> dict[str, Any]:
    """Return thresholds, errors of a session and where they are from."""
    curves = []
    for one in found.curves:
        entry: dict[str, Any] = {
            "side": one.side, "curve": one.rule.name, "family": one.rule.family,
            "planned": one.planned, "strides": list(one.counts),
        }  # fmt: skip
        if one.session is not None:
            entry["session_sd"] = float(one.session.band.mean()) ** 0.5
            entry["session_sd_level"] = one.session.level**0.5
            entry["session_sd_origin"] = one.session.origin
            entry["session_nu"] = one.session.nu
        elif found.markers_on:
            entry["session_sd"], entry["session_sd_origin"] = 0.0, "no marker was placed anew"
        if one.test is not None:
            entry |= {"k": one.test.threshold, "roughness": one.test.roughness, "nu": one.test.nu}
        curves.append(entry)
    return {
        "schema": 1, "gaitdyn": __version__, "question": "changed", "alpha": ALPHA,
        "markers_on": found.markers_on, "speeds_nondimensional": list(found.speeds),
        "families": _families(found.findings), "curves": curves,
    }  # fmt: skip


def _families(findings: Sequence[CurveFinding]) -> dict[str, int]:
    """Return how many curves of each family were judged: Holm counts these."""
    found: dict[str, int] = {}
    for one in findings:
        if not one.planned:
            found[one.family] = found.get(one.family, 0) + (one.word != "not judged")
    return found


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    return csv_text(columns, [[_cell(value) for value in row] for row in rows])


def _cell(value: Any) -> Any:
    if isinstance(value, float):
        return "" if not math.isfinite(value) else f"{value:.6g}"
    return value


def _json(document: dict[str, Any]) -> bytes:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    return f"{text}\n".encode()
