"""Where a report goes: beside the results, put in place as a whole, never over another's file."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn.io.plain_files import plain_bytes
from gaitdyn.plots.clinic.figure import figure_sheet
from gaitdyn.store.pages import MARKS, is_our_page
from gaitdyn.store.single_file import put_in_place

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Sheet
    from gaitdyn.report.report import Report


_NAME = "report"
_COMPARED = "gaitdyn-report"
_ENDINGS = (".html", ".pdf")
_FIGURES = (".svg", ".png")
ANNEX = "-annex.pdf"
"""What is added to the name of a PDF for the engineer's."""

_LARGEST = 1 << 30  # bytes of a file that may be ours


def report_files(results: Sequence[Path], out: Path | None, *, pdf: bool) -> list[Path]:
    """Return the files to write.

    Parameters
    ----------
    results : sequence of Path
        What the report is of: one folder has its report in it, several in the current folder.
    out : Path or None
    pdf : bool
        A PDF beside the page; a name that ends in ``.pdf`` gives the PDF alone, one that ends in
        ``.svg`` or ``.png`` figures alone.

    Raises
    ------
    UsageError
        When the name ends in anything else.
    """
    if out is None:
        out = results[0] / f"{_NAME}.html" if len(results) == 1 else Path(f"{_COMPARED}.html")
    if out.suffix.lower() in _FIGURES:
        return [out]
    if out.suffix.lower() not in _ENDINGS:
        raise UsageError(
            f"-o {out.name}: wanted a name that ends in .html or .pdf, or in .svg or .png for"
            " figures"
        )
    if out.suffix.lower() == ".pdf" or not pdf:
        return [out]
    return [out, out.with_suffix(".pdf")]


def write_report(
    report: Report, files: Sequence[Path], *, force: bool = False, aside: bool = False
) -> list[Path]:
    """Write the page, the PDF or both; beside a PDF its annex, beside all the tables of verdicts.

    The tables have the name of a report that was named before theirs: ``a-abnormal.csv``. A page
    or PDF of ours that has the same name is made again, so that the two agree.

    Parameters
    ----------
    report : Report
    files : sequence of Path
    force : bool
        Replace files that are not ours.
    aside : bool
        Their folder is one that is put in place as a whole: they are written as they are.

    Raises
    ------
    OutputRefused
        When a file is not ours, or cannot be written.
    """
    from gaitdyn.judge.together import write_judgement

    place, own = files[0].parent, files[0].stem
    before = "" if own in (_NAME, _COMPARED) else f"{own}-"
    tables = partial(write_judgement, place, report.judgement, force=force, before=before)
    if len(files) == 1 and files[0].suffix.lower() in _FIGURES:
        drawn = _write_figures(report, files[0], force=force)
        return [*drawn, *tables()]
    files = files if aside else [*files, *_twins(files)]
    every = [part for path in files for part in with_annex(path)]
    for path in every:
        _check(path, force=force)
    for path in every:
        content = _content(report, path.suffix.lower() if path in files else ANNEX)
        if aside:
            path.write_bytes(content)
        else:
            put_in_place(path, content)
    return [*every, *tables()]


def _twins(files: Sequence[Path]) -> list[Path]:
    """Return the page or PDF that an earlier report of the same name left beside this one."""
    found = [files[0].with_suffix(ending) for ending in _ENDINGS]
    return [path for path in found if path not in files and is_our_page(path)]


def _write_figures(report: Report, path: Path, *, force: bool) -> list[Path]:
    """Write the figures of a report, each under a name of its own."""
    found = {
        path.with_name(f"{path.stem}-{kind}{path.suffix}"): sheet
        for kind, sheet in report_figures(report).items()
    }
    for one in found:
        _check(one, force=force)
    for one, sheet in found.items():
        put_in_place(one, figure_bytes(sheet, one.suffix.lower(), one.stem))
    return list(found)


def with_annex(path: Path) -> list[Path]:
    """Return a file and, beside a PDF, its annex for the engineer.

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
        from gaitdyn.report.page import page_text

        return page_text(report).encode("utf-8")
    from gaitdyn.report.annex import annex_sheets
    from gaitdyn.report.clinic_pdf import clinic_sheets

    sheets = annex_sheets if ending == ANNEX else clinic_sheets
    return _pdf(sheets(report), f"Gait report: {report.title}")


def _pdf(sheets: Sequence[Sheet], title: str) -> bytes:
    """Return sheets as PDF, by a slower way where our type lacks a letter of a name."""
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
        raise _refused(path, error) from error
    if folder:
        raise OutputRefused(f"{path} is a folder, wanted a file; name another with -o")
    if not ours:
        raise OutputRefused(
            f"{path} is not a report of gaitdyn; choose another name with -o or replace it with"
            " --force"
        )


def _refused(path: Path, error: OSError) -> OutputRefused:
    reason = (error.strerror or str(error)).lower()
    return OutputRefused(f"cannot write {path}: {reason}; choose another -o")


PRINT_DPI = 300
MARK = "<!-- gaitdyn -->"


def report_figures(report: Report) -> dict[str, Sheet]:
    """Return the end of a file's name -> figure: ``kinematics``, ``kinetics``, numbered by group.

    Parameters
    ----------
    report : Report
    """
    found = {}
    for i, view in enumerate(report.views, 1):
        tail = f"-{i}" if len(report.views) > 1 else ""
        found[f"kinematics{tail}"] = figure_sheet(view.kinematics, view.drawn)
        if view.has_loads:
            found[f"kinetics{tail}"] = figure_sheet(view.kinetics, view.drawn)
    return found


def figure_bytes(sheet: Sheet, ending: str, name: str) -> bytes:
    """Return the bytes of a figure, ``.svg`` or ``.png`` of 300 dpi."""
    if ending == ".svg":
        from gaitdyn.plots.svg import svg_text

        return f"{svg_text(sheet, name)}\n{MARK}\n".encode()
    from gaitdyn.plots.png import png_bytes

    return png_bytes(sheet, PRINT_DPI)
