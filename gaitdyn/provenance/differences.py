"""Compare two results folders, every table number by number."""

from __future__ import annotations

import csv
import json
import math
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.store.binary import UNREADABLE
from gaitdyn.store.folder import DOCUMENT
from gaitdyn.store.private import without_private
from gaitdyn.store.whole import listed, read_sealed
from gaitdyn.types.frozen import frozen
from gaitdyn.types.words import counted

TOLERANCE = 1e-9
"""Largest difference that counts as equal, relative to the largest value of its column."""

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
_DOCUMENTS = (
    "result.json",
    "timeseries.json",
    "terms.json",
    "generalised.json",
    "induced.json",
    "cycles.json",
    "emg.json",
)
_RUN_KEYS = ("gaitdyn", "platform", "log", "files", "seal")
"""Keys of ``result.json`` that describe the run, not its results."""

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


@frozen()
class FileDifference:
    """The difference of one file between two folders.

    Attributes
    ----------
    file : str
    largest : float
        Largest difference of two numbers; infinite if a number or text has another text or
        nothing as its counterpart.
    part : float
        That difference divided by the largest value of its column.
    column, where : str
        Position of the difference: ``left_knee_power``, ``frame 131``; empty if there is none.
    note : str
        Other differences; empty if there are none.
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
    """Return one difference for each table and document of the older folder.

    Parameters
    ----------
    old, new : Path
        Results folders.
    """
    listed_files = _listed_files(old)
    differences: list[FileDifference] = []
    for names, compare in ((_TABLES, _table), (_DOCUMENTS, _document), (("motion.npz",), _motion)):
        present = [name for name in names if name in listed_files or (old / name).exists()]
        differences += [_compared(compare, old / name, new / name) for name in present]
    return differences


def not_compared(folder: Path) -> list[str]:
    """Return the tables of a results folder that a second run does not write, such as sweeps."""
    return sorted(
        x for x in _listed_files(folder) if x.endswith((".csv", ".parquet")) and x not in _TABLES
    )


def _listed_files(folder: Path) -> set[str]:
    """Return the names of the files that a results folder lists."""
    try:
        return {entry["name"] for entry in listed(read_sealed(folder / DOCUMENT))}
    except (OSError, ValueError):
        return set()


def _compared(
    compare: Callable[[Path, Path], FileDifference], old: Path, new: Path
) -> FileDifference:
    """Return how two files differ, even if the older one is missing or damaged."""
    if not old.is_file():
        note = "is not a file" if old.exists() else "is missing in the results"
        return FileDifference(old.name, math.inf, math.inf, note=note)
    try:
        return compare(old, new)
    except (*UNREADABLE, csv.Error, zlib.error) as error:
        note = f"cannot be read in the results ({type(error).__name__})"
        return FileDifference(old.name, math.inf, math.inf, note=note)


def _table(old: Path, new: Path) -> FileDifference:
    if not new.is_file():
        return FileDifference(old.name, math.inf, math.inf, note="is no longer written")
    if old.read_bytes() == new.read_bytes():
        return FileDifference(old.name)
    (names, before), (others, after) = _rows(old), _rows(new)
    common = [name for name in names if name in others]
    changed = [*(n for n in names if n not in common), *(n for n in others if n not in common)]
    note = f"in one only: {', '.join(changed)}" if changed else ""
    if len(before) != len(after):
        count = f"{counted(len(before), 'row')}, now {len(after)}"
        return FileDifference(
            old.name, math.inf, math.inf, note="; ".join(x for x in (count, note) if x)
        )
    worst = FileDifference(old.name, note=note)
    for name in common:
        i, j = names.index(name), others.index(name)
        pairs = [(row[i], other[j]) for row, other in zip(before, after, strict=True)]
        largest, part, row = _worst([a for a, _ in pairs], [b for _, b in pairs])
        if part > worst.part:
            where = _where(names, before[row])
            worst = FileDifference(old.name, largest, part, name, where, note)
    return worst


def _rows(path: Path) -> tuple[list[str], list[list[str]]]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return (rows[0], rows[1:]) if rows else ([], [])


def _worst(before: Sequence[str], after: Sequence[str]) -> tuple[float, float, int]:
    """Return the largest difference of a column, its ratio to the largest value, and its row."""
    numbers = [_number(text) for text in before]
    scale = max((abs(x) for x in numbers if x is not None), default=0.0)
    largest, row = 0.0, 0
    for i, (a, b) in enumerate(zip(before, after, strict=True)):
        if a == b:
            continue
        x, y = numbers[i], _number(b)
        distance = math.inf if x is None or y is None else abs(x - y)
        if distance > largest:
            largest, row = distance, i
    return largest, largest / scale if scale else (math.inf if largest else 0.0), row


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _where(names: Sequence[str], row: Sequence[str]) -> str:
    cells = dict(zip(names, row, strict=True))
    if "frame" in cells and "event" not in cells:
        return f"frame {cells['frame']}"
    return " ".join(cells[key] for key in _KEYS if cells.get(key))


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
    if not isinstance(document, dict):
        return {}
    if path.name == DOCUMENT:
        document = without_private(document)
        return {key: value for key, value in document.items() if key not in _RUN_KEYS}
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
            part = largest / max(float(np.nanmax(np.abs(a), initial=0.0)), 1e-300)
            if part > worst.part:
                worst = FileDifference(old.name, largest, part, name)
    return worst
