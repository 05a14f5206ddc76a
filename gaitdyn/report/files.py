"""Where a report goes: beside the results, put in place as a whole, never over another's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.store.pages import MARKS
from gaitdyn.store.single_file import put_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.report.report import Report

_NAME = "report"
_COMPARED = "gaitdyn-report"
_ENDINGS = (".html", ".pdf")
_LARGEST = 1 << 30  # bytes of a file that may be ours


def report_files(results: Sequence[Path], out: Path | None, *, pdf: bool) -> list[Path]:
    """Return the files to write.

    Parameters
    ----------
    results : sequence of Path
        What the report is of: one folder has its report in it, several in the current folder.
    out : Path or None
    pdf : bool
        A PDF beside the page; a name that ends in ``.pdf`` gives the PDF alone.

    Raises
    ------
    UsageError
        When the name ends in neither ``.html`` nor ``.pdf``.
    """
    if out is None:
        out = results[0] / f"{_NAME}.html" if len(results) == 1 else Path(f"{_COMPARED}.html")
    if out.suffix.lower() not in _ENDINGS:
        message = f"-o {out.name}: wanted a name that ends in .html or .pdf"
        raise UsageError(message)
    if out.suffix.lower() == ".pdf" or not pdf:
        return [out]
    return [out, out.with_suffix(".pdf")]


def write_report(
    report: Report, files: Sequence[Path], *, force: bool = False, plotly_file: str = ""
) -> list[Path]:
    """Write the page, the PDF or both.

    Parameters
    ----------
    report : Report
    files : sequence of Path
    force : bool
        Replace files that are not ours.
    plotly_file : str
        Where pages find the drawing library, seen from their folder; inlined when empty.

    Raises
    ------
    OutputRefused
        When a file is not ours, or cannot be written.
    """
    for path in files:
        _check(path, force=force)
    for path in files:
        put_in_place(path, _content(report, path.suffix.lower(), plotly_file))
    return list(files)


def _content(report: Report, ending: str, plotly_file: str) -> bytes:
    if ending == ".html":
        from gaitdyn.report.page import page_text

        return page_text(report, plotly_file=plotly_file).encode("utf-8")
    from io import BytesIO

    from gaitdyn.plots.render import write_pdf
    from gaitdyn.report.pdf import pdf_sheets

    stream = BytesIO()
    write_pdf(pdf_sheets(report), stream, f"Gait report: {report.title}")
    return stream.getvalue()


def _check(path: Path, *, force: bool) -> None:
    try:
        folder = path.is_dir()
        known = folder or force or not path.exists()
        ours = known or MARKS[path.suffix.lower()] in plain_bytes(path, _LARGEST)
    except OSError as error:
        raise _refused(path, error) from error
    if folder:
        message = f"{path} is a folder, wanted a file; name another with -o"
        raise OutputRefused(message)
    if not ours:
        message = (
            f"{path} is not a report of gaitdyn; choose another name with -o or replace it with"
            " --force"
        )
        raise OutputRefused(message)


def _refused(path: Path, error: OSError) -> OutputRefused:
    reason = (error.strerror or str(error)).lower()
    return OutputRefused(f"cannot write {path}: {reason}; choose another -o")
