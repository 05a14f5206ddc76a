"""How two results folders differ: every table, number by number."""

from __future__ import annotations

import csv
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.private import without_private
from gaitdyn.store.whole import listed, read_sealed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

TOLERANCE = 1e-9
"""Largest difference that counts as none, of the largest value of its column."""

_TABLES = (
    "timeseries.csv",
    "terms.csv",
    "generalised.csv",
    "induced.csv",
    "cycles.csv",
    "stances.csv",
    "gait_parameters.csv",
    "peaks.csv",
    "events.csv",
    "contacts.csv",
    "quality.csv",
    "emg_channels.csv",
    "emg.csv",
)
_DOCUMENTS = ("result.json", "timeseries.json")
_PASSED_OVER = ("gaitdyn", "platform", "log", "files", "seal")
"""Keys of ``result.json`` that tell how a run went, not what it found."""

_KEYS = (
    "frame",
    "side",
    "cycle",
    "stance",
    "percent",
    "quantity",
    "event",
    "plate",
    "code",
    "scope",
)


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file of two folders.

    Attributes
    ----------
    file : str
    largest : float
        Largest difference of two numbers, infinite where a number or a text stands against another
        text or nothing.
    part : float
        That difference over the largest value of its column.
    column, where : str
        Where it is: ``left_knee_power``, ``frame 131``; empty without a difference.
    note : str
        What else differs; empty when nothing does.
    """

    file: str
    largest: float = 0.0
    part: float = 0.0
    column: str = ""
    where: str = ""
    note: str = ""

    def within(self, tolerance: float = TOLERANCE) -> bool:
        """Return whether the file is the same within a tolerance."""
        return not self.note and self.part <= tolerance


def folder_differences(old: Path, new: Path) -> list[FileDifference]:
    """Return one difference a table and document of the older folder.

    Parameters
    ----------
    old, new : Path
        Results folders.
    """
    told = _told(old)
    found: list[FileDifference] = []
    for names, compare in ((_TABLES, _table), (_DOCUMENTS, _document), (("motion.npz",), _motion)):
        there = [name for name in names if name in told or (old / name).exists()]
        found += [_compared(compare, old / name, new / name) for name in there]
    return found


def not_compared(folder: Path) -> list[str]:
    """Return the tables of a results folder that a second run does not make, as of sweeps."""
    return sorted(x for x in _told(folder) if x.endswith((".csv", ".parquet")) and x not in _TABLES)


def _told(folder: Path) -> set[str]:
    """Return the files that a results folder says it has."""
    try:
        return {entry["name"] for entry in listed(read_sealed(folder / DOCUMENT))}
    except (OSError, ValueError):
        return set()


def _compared(
    compare: Callable[[Path, Path], FileDifference], old: Path, new: Path
) -> FileDifference:
    """Return how two files differ, also where the older one is gone or damaged."""
    if not old.is_file():
        note = "is not a file" if old.exists() else "is missing in the results"
        return FileDifference(old.name, math.inf, math.inf, note=note)
    try:
        return compare(old, new)
    except (OSError, ValueError, LookupError, TypeError, EOFError, csv.Error, BadZipFile) as error:
        note = f"cannot be read in the results ({type(error).__name__})"
        return FileDifference(old.name, math.inf, math.inf, note=note)


def _table(old: Path, new: Path) -> FileDifference:
    if not new.is_file():
        return FileDifference(old.name, math.inf, math.inf, note="is not written any more")
    if old.read_bytes() == new.read_bytes():
        return FileDifference(old.name)
    (names, before), (others, after) = _rows(old), _rows(new)
    common = [name for name in names if name in others]
    changed = [*(n for n in names if n not in common), *(n for n in others if n not in common)]
    note = f"columns {', '.join(changed)} are in one only" if changed else ""
    if len(before) != len(after):
        count = f"{len(before)} rows, now {len(after)}"
        return FileDifference(
            old.name, math.inf, math.inf, note="; ".join(x for x in (count, note) if x)
        )
    worst = FileDifference(old.name, note=note)
    for name in common:
        i, j = names.index(name), others.index(name)
        pairs = [(row[i], other[j]) for row, other in zip(before, after, strict=True)]
        largest, part, at = _worst([a for a, _ in pairs], [b for _, b in pairs])
        if part > worst.part:
            where = _where(names, before[at])
            worst = FileDifference(old.name, largest, part, name, where, note)
    return worst


def _rows(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return (rows[0], rows[1:]) if rows else ([], [])


def _worst(before: Sequence[str], after: Sequence[str]) -> tuple[float, float, int]:
    """Return the largest difference of a column, its part of the largest value, and its row."""
    numbers = [_number(text) for text in before]
    scale = max((abs(x) for x in numbers if x is not None), default=0.0)
    largest, at = 0.0, 0
    for i, (a, b) in enumerate(zip(before, after, strict=True)):
        if a == b:
            continue
        x, y = numbers[i], _number(b)
        distance = math.inf if x is None or y is None else abs(x - y)
        if distance > largest:
            largest, at = distance, i
    return largest, largest / scale if scale else (math.inf if largest else 0.0), at


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _where(names: Sequence[str], row: Sequence[str]) -> str:
    told = dict(zip(names, row, strict=True))
    if "frame" in told and "event" not in told:
        return f"frame {told['frame']}"
    return " ".join(told[key] for key in _KEYS if told.get(key))


def _document(old: Path, new: Path) -> FileDifference:
    before, after = (_plain_document(path) for path in (old, new))
    changed = sorted(
        key for key in before.keys() | after.keys() if before.get(key) != after.get(key)
    )
    if not changed:
        return FileDifference(old.name)
    shown = ", ".join(changed[:5]) + (" and more" if len(changed) > 5 else "")  # noqa: PLR2004
    return FileDifference(old.name, note=f"other {shown}")


def _plain_document(path: Path) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    if path.name == DOCUMENT:
        document = without_private(document)
        return {key: value for key, value in document.items() if key not in _PASSED_OVER}
    return document


def _motion(old: Path, new: Path) -> FileDifference:
    worst = FileDifference(old.name)
    with np.load(old) as before, np.load(new) as after:
        if set(before.files) != set(after.files):
            return FileDifference(old.name, math.inf, math.inf, note="other arrays")
        for name in before.files:
            a, b = before[name], after[name]
            if a.shape != b.shape or (a.dtype.kind == "U" and (a != b).any()):
                return FileDifference(old.name, math.inf, math.inf, name, note=f"other {name}")
            if a.dtype.kind == "U" or np.array_equal(a, b, equal_nan=True):
                continue
            lost = np.isnan(a) != np.isnan(b)
            largest = math.inf if lost.any() else float(np.nanmax(np.abs(a - b)))
            part = largest / max(float(np.nanmax(np.abs(a))), 1e-300)
            if part > worst.part:
                worst = FileDifference(old.name, largest, part, name)
    return worst
