"""Pages and PDFs of ours: made again at any time, told by their mark, whole when they end well."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

MARKS = {
    ".html": b'<meta name="generator" content="gaitdyn',
    ".pdf": b"/Creator (gaitdyn)",
    ".svg": b"<!-- gaitdyn -->",
    ".png": b"Software\x00gaitdyn",
}
"""What tells a page of ours from another's."""

NAMES = ("report.html", "report.pdf", "report-annex.pdf")
"""Pages that ``gaitdyn report`` puts into a results folder."""

_ENDS = {".html": b"</html>", ".pdf": b"%%EOF"}
TABLES = {
    "abnormal.csv": b"side,curve,phase,",
    "change.csv": b"side,curve,level,",
    "statistics.json": b'{\n "schema"',
}
"""What ``gaitdyn report`` writes beside its page, and how each begins; it ends with its line."""

MADE_AGAIN = (*NAMES, *TABLES)
"""What a report of another reference set puts in the place of the one before."""

_NEAR = 1 << 16  # bytes at both ends that are looked at


def is_our_page(path: Path) -> bool:
    """Return whether a file is a page that gaitdyn wrote."""
    return MARKS.get(path.suffix.lower(), b"\0") in b"\0".join(_ends(path))


def is_whole_page(path: Path) -> bool:
    """Return whether a file is of a report in a results folder, of ours and not cut off.

    ``gaitdyn report`` writes it anew beside results, whose list of files knows the one before.
    """
    if path.name not in MADE_AGAIN:
        return False
    start, end = _ends(path)
    if path.name in TABLES:
        return _is_table(path.name, start, end)
    mark = MARKS[path.suffix.lower()]
    return (mark in start or mark in end) and end.rstrip().endswith(_ENDS[path.suffix.lower()])


def _is_table(name: str, start: bytes, end: bytes) -> bool:
    return start.startswith(TABLES[name]) and end.endswith(b"\n")


def older_tables(folder: Path, before: str = "", but: Collection[str] = ()) -> list[Path]:
    """Return the tables of verdicts of ours that an earlier report left in a folder.

    Parameters
    ----------
    folder : Path
    before : str
        What stands before their names, such as ``a-``.
    but : collection of str
        Names, with what stands before them, that are of the report at hand.
    """
    own = {folder / f"{before}{name}": name for name in TABLES if before + name not in but}
    return [path for path, name in own.items() if _is_table(name, *_ends(path))]


def remove_report(folder: Path) -> None:
    """Remove the report of ours of a folder, with its PDF and tables: its results are no more."""
    pages = [folder / name for name in NAMES if is_our_page(folder / name)]
    for path in (*pages, *older_tables(folder)):
        path.unlink()


def _ends(path: Path) -> tuple[bytes, bytes]:
    """Return the first and the last bytes of a regular file; nothing of any other."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b"", b""
        with path.open("rb") as stream:
            start = stream.read(_NEAR)
            stream.seek(-min(_NEAR, stream.seek(0, os.SEEK_END)), os.SEEK_END)
            return start, stream.read(_NEAR)
    except OSError:
        return b"", b""
