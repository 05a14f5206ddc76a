"""Where a report is written: next to the results, as whole files, never over another's file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.plots.clinic.figure import figure_sheet
from gaitdyn.store.pages import MARKS, is_our_page
from gaitdyn.store.single_file import put_in_place
from gaitdyn.types.words import cannot_write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.report.report import Report


_NAME = "report"
_COMPARED = "gaitdyn-report"
_ENDINGS = (".html", ".pdf")
_FIGURES = (".svg", ".png")
ANNEX = "-annex.pdf"
"""Replaces the ending of a PDF's name for the engineer's annex."""

_LARGEST = 1 << 30  # bytes of a file that may be ours


def report_files(results: Sequence[Path], out: Path | None, *, pdf: bool) -> list[Path]:
    """Return the files to write.

    Parameters
    ----------
    results : sequence of Path
        The folders of the report: for one the report is in it, for several in the current folder.
    out : Path or None
    pdf : bool
        Also write a PDF. A name that ends in ``.pdf`` gives the PDF alone, one that ends in
        ``.svg`` or ``.png`` figures alone.

    Raises
    ------
    UsageError
        If the name ends in anything else.
    """
    if out is None:
        out = results[0] / f"{_NAME}.html" if len(results) == 1 else Path(f"{_COMPARED}.html")
    if out.suffix.lower() in _FIGURES:
        return [out]
    if out.suffix.lower() not in _ENDINGS:
        raise UsageError(
            f"{out.name or out}: wanted a name that ends in .html or .pdf, or in .svg or .png for"
            " figures"
        )
    if out.suffix.lower() == ".pdf" or not pdf:
        return [out]
    return [out, out.with_suffix(".pdf")]


def write_report(
    report: Report, files: Sequence[Path], *, force: bool = False, direct: bool = False
) -> list[Path]:
    """Write the page, the PDF with its annex, or both, and the tables of verdicts.

    If the report was given a name, it precedes those of the tables: ``a-abnormal.csv``. An earlier
    gaitdyn page or PDF of the same name is written again, so that the two agree.

    Parameters
    ----------
    report : Report
    files : sequence of Path
    force : bool
        Replace files that gaitdyn did not write.
    direct : bool
        Write directly, for a folder that is put in place as a whole later.

    Raises
    ------
    OutputRefused
        If a file was not written by gaitdyn, page or table, before any is written; or if one
        cannot be written.
    """
    from gaitdyn.judge.together import refuse_tables, write_judgement

    is_figure = len(files) == 1 and files[0].suffix.lower() in _FIGURES
    figures = _figures(report, files[0]) if is_figure else {}
    files = files if direct or is_figure else [*files, *_twins(files)]
    paths = list(figures) or [part for path in files for part in with_annex(path)]
    for path in paths:
        _check(path, force=force)
    folder, name = files[0].parent, files[0].stem
    before = "" if name in (_NAME, _COMPARED) else f"{name}-"
    refuse_tables(folder, report.judgement, force=force, before=before)
    for path in paths:
        ending = path.suffix.lower()
        if path in figures:
            content = figure_bytes(figures[path], ending, path.stem)
        else:
            content = _content(report, ending if path in files else ANNEX)
        if direct:
            path.write_bytes(content)
        else:
            put_in_place(path, content)
    return [*paths, *write_judgement(folder, report.judgement, force=force, before=before)]


def _twins(files: Sequence[Path]) -> list[Path]:
    """Return the page or PDF that an earlier report of the same name left in the folder."""
    names = [files[0].with_suffix(ending) for ending in _ENDINGS]
    return [path for path in names if path not in files and is_our_page(path)]


def _figures(report: Report, path: Path) -> dict[Path, Sheet]:
    """Return each figure of a report with its own file."""
    return {
        path.with_name(f"{path.stem}-{kind}{path.suffix}"): sheet
        for kind, sheet in report_figures(report).items()
    }


def with_annex(path: Path) -> list[Path]:
    """Return a file and, for a PDF, its annex for the engineer.

    Examples
    --------
    >>> [part.name for part in with_annex(Path("report.pdf"))]
    ['report.pdf', 'report-annex.pdf']
    """
    if path.suffix.lower() != ".pdf":
        return [path]
    return [path, path.with_name(f"{path.stem}{ANNEX}")]


def _content(report: Report, ending: str) -> bytes:
    if ending == ".html":
        from gaitdyn.report.page.document import page_text

        return page_text(report).encode("utf-8")
    from gaitdyn.report.paper.annex import annex_sheets
    from gaitdyn.report.paper.clinic import clinic_sheets

    sheets = annex_sheets if ending == ANNEX else clinic_sheets
    return _pdf(sheets(report), f"Gait report: {report.title}")


def _pdf(sheets: Sequence[Sheet], title: str) -> bytes:
    """Return sheets as PDF, more slowly if our font lacks a letter."""
    from gaitdyn.plots.pdf import has_letters, pdf_bytes

    if has_letters(sheets):
        return pdf_bytes(sheets, title)
    from io import BytesIO

    from gaitdyn.plots.render import write_pdf

    stream = BytesIO()
    write_pdf(sheets, stream, title)
    return stream.getvalue()


def _check(path: Path, *, force: bool) -> None:
    try:
        folder = path.is_dir()
        known = folder or force or not path.exists()
        ours = known or MARKS[path.suffix.lower()] in plain_bytes(path, _LARGEST)
    except OSError as error:
        raise OutputRefused(cannot_write(path, error)) from error
    if folder:
        raise OutputRefused(f"{path} is a folder, wanted a file; name another with -o")
    if not ours:
        raise OutputRefused(
            f"{path} is not a report of gaitdyn; choose another name with -o or replace it with"
            " --force"
        )


PRINT_DPI = 300
MARK = "<!-- gaitdyn -->"


def report_figures(report: Report) -> dict[str, Sheet]:
    """Return file name ending -> figure: ``kinematics``, ``kinetics``, numbered by group."""
    figures = {}
    for i, view in enumerate(report.views, 1):
        tail = f"-{i}" if len(report.views) > 1 else ""
        figures[f"kinematics{tail}"] = figure_sheet(view.kinematics, view.drawn)
        if view.has_loads:
            figures[f"kinetics{tail}"] = figure_sheet(view.kinetics, view.drawn)
    return figures


def figure_bytes(sheet: Sheet, ending: str, name: str) -> bytes:
    """Return the bytes of a figure, ``.svg`` or ``.png`` of 300 dpi."""
    if ending == ".svg":
        from gaitdyn.plots.svg import svg_text

        return f"{svg_text(sheet, name)}\n{MARK}\n".encode()
    from gaitdyn.plots.png import png_bytes

    return png_bytes(sheet, PRINT_DPI)
