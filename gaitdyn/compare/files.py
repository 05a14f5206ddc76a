"""Write ``compare.csv`` and ``compare.png``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gaitdyn.compare.picture import comparison_sheet
from gaitdyn.errors import OutputRefused
from gaitdyn.store.pages import is_our_page
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.csv_files import csv_text, safe_cell

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.compare.agreement import SourceComparison

TABLE, PICTURE = "compare.csv", "compare.png"

_NAMES = (
    *("quantity", "side", "unit", "frames", "known_in_one"),
    *("rmse", "r", "largest", "frame", "percent"),
)


def write_comparison(
    comparison: SourceComparison, folder: Path, *, force: bool = False
) -> list[Path]:
    """Write the table and the picture of a comparison.

    Parameters
    ----------
    comparison : SourceComparison
    folder : Path
        Created if it does not exist.
    force : bool
        Replace files that gaitdyn did not write.

    Returns
    -------
    list of Path

    Raises
    ------
    OutputRefused
        If the folder is a file, or contains files of these names that gaitdyn did not write.
    """
    from gaitdyn.plots.png import png_bytes

    check_folder(folder, force=force)
    put_in_place(folder / TABLE, table_text(comparison).encode())
    put_in_place(folder / PICTURE, png_bytes(comparison_sheet(comparison)))
    return [folder / TABLE, folder / PICTURE]


def check_folder(folder: Path, *, force: bool) -> None:
    """Refuse a folder whose files of these names gaitdyn did not write.

    Raises
    ------
    OutputRefused
    """
    if folder.exists() and not folder.is_dir():
        raise OutputRefused(f"-o {folder} is a file, wanted a folder; name another")
    for name in (TABLE, PICTURE):
        refuse_foreign(folder / name, force=force)


def refuse_foreign(
    path: Path, *, force: bool, advice: str = "name another file or replace it with --force"
) -> None:
    """Refuse anything but a file and, without ``force``, a file that gaitdyn did not write.

    Parameters
    ----------
    path : Path
    force : bool
    advice : str
        What the user can do about a file of others.

    Raises
    ------
    OutputRefused
    """
    if path.is_dir():
        raise OutputRefused(f"{path} is a folder, wanted a file; name another")
    if path.exists() and not path.is_file():
        raise OutputRefused(f"{path} is a pipe or a device, wanted a file; name another")
    if path.is_file() and not force and not _is_ours(path):
        raise OutputRefused(f"{path} was not written by gaitdyn; {advice}")


def _is_ours(path: Path) -> bool:
    """Return whether gaitdyn wrote a picture or a table of a comparison."""
    return is_our_page(path) or path.read_bytes().startswith(",".join(_NAMES).encode())


def table_text(comparison: SourceComparison) -> str:
    """Return ``compare.csv``; an unknown number is an empty cell."""
    first, second = ("gaitdyn", "vendor") if comparison.conventions else ("gaitdyn_1", "gaitdyn_2")
    rows = []
    for row in comparison.rows:
        numbers = (row.rmse, row.r, row.largest, row.frame, row.percent, row.first, row.second)
        texts = ["" if math.isnan(x) else f"{x:.10g}" for x in numbers]
        cells = (row.name, row.side, row.unit, row.frames, row.alone, *texts)
        rows.append([safe_cell(cell) for cell in cells])
    return csv_text([*_NAMES, first, second], rows)
