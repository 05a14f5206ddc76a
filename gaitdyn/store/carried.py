"""Files that others put into a results folder: moved to the new one, never lost."""

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
"""Those with a list of what was written with them; the first that is whole tells."""

_TABLES = "timeseries|terms|generalised|induced|uncertainty|sensitivity|sweep"
_KNOWN = re.compile(
    rf"(result|batch|simulation|view|visit|statistics|({_TABLES}))\.json|(values|motion)\.npz"
    rf"|({_TABLES}|cycles|stances|gait_parameters|peaks|emg|emg_channels|events|contacts|quality"
    r"|abnormal|change)\.(csv|parquet)|figures/[^/]+\.(png|svg)"
)
_EXPORT = re.compile(r"export\.json|(trials|cycles|curves|parameters|peaks|quality)\.(csv|parquet)")
"""Names that results and exports of archives have, where no list can be read: older, damaged."""


def own_files(folder: Path) -> set[str]:
    """Return the files of a results folder that gaitdyn wrote, seen from it."""
    own = {"batch.json", "result.json"}
    own |= {name for name in PAGES if is_our_page(folder / name)}
    own |= {path.name for path in older_tables(folder)}
    known = _EXPORT if (folder / "export.json").is_file() else _KNOWN
    for name in DOCUMENTS:
        try:
            entries = listed(read_sealed(folder / name))
        except (OSError, ValueError):
            continue
        return own | {name} | {entry["name"] for entry in entries}
    return own | {name for name in _names(folder) if known.fullmatch(name)}


def carry_over(old: Path, new: Path) -> None:
    """Move what gaitdyn did not write from an old results folder to the new one.

    Parameters
    ----------
    old, new : Path
        Where the new one has such a name, the moved file's name gets ``(kept)``.

    Raises
    ------
    OSError
        When one cannot be moved; it stays where it is.
    """
    if old.is_symlink() or not old.is_dir():
        return
    own = own_files(old)
    _carry(old, new, "", own)


def _carry(old: Path, new: Path, above: str, own: set[str]) -> None:
    for entry in sorted(os.scandir(old), key=lambda e: e.name):
        name = above + entry.name
        target = new / entry.name
        ours = any(x.startswith(f"{name}/") for x in own)
        if entry.is_dir(follow_symlinks=False) and (ours or target.is_dir()):
            _carry(old / entry.name, target, f"{name}/", own)
        elif name not in own:
            new.mkdir(exist_ok=True)
            (old / entry.name).rename(_free(target))


def _free(target: Path) -> Path:
    """Return a name that nothing has."""
    found, number = target, 1
    while os.path.lexists(found):
        words = "kept" if number == 1 else f"kept {number}"
        found = target.with_name(f"{target.stem} ({words}){target.suffix}")
        number += 1
    return found


def _names(folder: Path) -> Iterator[str]:
    for top, _, names in os.walk(folder):
        inside = os.path.relpath(top, folder).replace(os.sep, "/")
        for name in names:
            yield name if inside == "." else f"{inside}/{name}"
