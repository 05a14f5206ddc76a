"""Move files that gaitdyn did not write from an old results folder to the new one."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from gaitdyn.store.pages import NAMES as PAGES
from gaitdyn.store.pages import is_our_page, older_tables
from gaitdyn.store.whole import listed, read_sealed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DOCUMENTS = ("batch.json", "result.json", "simulation.json", "export.json")
"""Documents with a list of the files written with them; the first undamaged one is used."""

_TABLES = "timeseries|cycles|terms|generalised|induced|uncertainty|sensitivity|sweep"
_RESULTS = re.compile(
    rf"(result|batch|simulation|view|visit|statistics|({_TABLES}))\.json|(values|motion)\.npz"
    rf"|({_TABLES}|stances|gait_parameters|peaks|emg|emg_channels|events|contacts|quality"
    r"|abnormal|change)\.(csv|parquet)|figures/[^/]+\.(png|svg)"
)
_EXPORT = re.compile(r"export\.json|(trials|cycles|curves|parameters|peaks|quality)\.(csv|parquet)")
"""File names of results and of archive exports, used if no list can be read (older, damaged)."""


def _written_files(folder: Path) -> set[str]:
    """Return the files of a results folder that gaitdyn wrote, relative to the folder."""
    written = {"batch.json", "result.json"}
    written |= {name for name in PAGES if is_our_page(folder / name)}
    written |= {path.name for path in older_tables(folder)}
    for name in DOCUMENTS:
        try:
            entries = listed(read_sealed(folder / name))
        except (OSError, ValueError):
            continue
        return written | {name} | {entry["name"] for entry in entries}
    pattern = _EXPORT if (folder / "export.json").is_file() else _RESULTS
    return written | {name for name in _names(folder) if pattern.fullmatch(name)}


def carry_over(old: Path, new: Path) -> None:
    """Move what gaitdyn did not write from an old results folder to the new one.

    Parameters
    ----------
    old, new : Path
        If the new folder has a file of the same name, ``(kept)`` is added to the moved file's name.

    Raises
    ------
    OSError
        When a file cannot be moved; it stays where it is.
    """
    if not old.is_symlink() and old.is_dir():
        _carry(old, new, "", _written_files(old))


def _carry(old: Path, new: Path, prefix: str, written: set[str]) -> None:
    for entry in sorted(os.scandir(old), key=lambda e: e.name):
        name = prefix + entry.name
        target = new / entry.name
        ours = any(x.startswith(f"{name}/") for x in written)
        if entry.is_dir(follow_symlinks=False) and (ours or target.is_dir()):
            _carry(old / entry.name, target, f"{name}/", written)
        elif name not in written:
            new.mkdir(exist_ok=True)
            (old / entry.name).rename(_unused(target))


def _unused(target: Path) -> Path:
    """Return a path that does not exist yet."""
    path, number = target, 1
    while os.path.lexists(path):
        words = "kept" if number == 1 else f"kept {number}"
        path = target.with_name(f"{target.stem} ({words}){target.suffix}")
        number += 1
    return path


def _names(folder: Path) -> Iterator[str]:
    for top, _, names in os.walk(folder):
        subfolder = os.path.relpath(top, folder).replace(os.sep, "/")
        for name in names:
            yield name if subfolder == "." else f"{subfolder}/{name}"
