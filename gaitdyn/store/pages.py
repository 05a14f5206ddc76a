"""Recognise pages, PDFs and pictures that gaitdyn wrote, and whether they are complete."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection
from pathlib import Path

MARKS = {
    ".html": b'<meta name="generator" content="gaitdyn',
    ".pdf": b"/Creator (gaitdyn)",
    ".svg": b"<!-- gaitdyn -->",
    ".png": b"Software\x00gaitdyn",
}
"""Bytes that identify a page written by gaitdyn."""

NAMES = ("report.html", "report.pdf", "report-annex.pdf")
"""Pages that ``gaitdyn report`` writes into a results folder."""

_ENDS = {".html": b"</html>", ".pdf": b"%%EOF"}
TABLES = {
    "abnormal.csv": b"side,curve,phase,",
    "change.csv": b"side,curve,level,",
    "statistics.json": b'{\n "schema"',
}
"""Tables that ``gaitdyn report`` writes with its page -> how they begin; all end with a newline."""

MADE_AGAIN = (*NAMES, *TABLES)
"""Files of a report that a report with another reference set replaces."""

_END_BYTES = 1 << 16  # bytes at both ends that are read


def is_our_page(path: Path) -> bool:
    """Return whether a file is a page that gaitdyn wrote."""
    mark = MARKS.get(path.suffix.lower())
    return mark is not None and any(mark in part for part in _ends(path))


def is_whole_page(path: Path) -> bool:
    """Return whether a file of a results folder is a complete file of a report by gaitdyn.

    ``gaitdyn report`` may replace such a file, while the list of files in the results still
    describes the earlier one.
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
    """Return the tables that an earlier report by gaitdyn left in a folder.

    Parameters
    ----------
    folder : Path
    before : str
        Prefix of their names, such as ``a-``.
    but : collection of str
        Names, with prefix, that belong to the current report.
    """
    paths = {folder / f"{before}{name}": name for name in TABLES if before + name not in but}
    return [path for path, name in paths.items() if _is_table(name, *_ends(path))]


def report_files(folder: Path) -> list[Path]:
    """Return the report that gaitdyn wrote into a folder, with its PDF and tables."""
    pages = [folder / name for name in NAMES if is_our_page(folder / name)]
    return [*pages, *older_tables(folder)]


def remove_report(folder: Path) -> None:
    """Remove the report that gaitdyn wrote into a folder, with its PDF and tables."""
    for path in report_files(folder):
        path.unlink()


def _ends(path: Path) -> tuple[bytes, bytes]:
    """Return the first and the last bytes of a regular file; nothing for other files."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b"", b""
        with path.open("rb") as stream:
            start = stream.read(_END_BYTES)
            stream.seek(-min(_END_BYTES, stream.seek(0, os.SEEK_END)), os.SEEK_END)
            return start, stream.read(_END_BYTES)
    except OSError:
        return b"", b""
