"""``gaitdyn report``: a page and a PDF from results."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Optional

import typer

from gaitdyn.errors import UsageError
from gaitdyn_cli import options as of
from gaitdyn_cli.choices import REPORTS
from gaitdyn_cli.console import answer

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.trial import Result


def report(
    results: Annotated[
        list[Path],
        typer.Argument(
            help="Results folders of trials, or one or two folders of them (sessions).",
            show_default=False,
        ),
    ],
    pdf: Annotated[bool, typer.Option("--pdf", help="A PDF, too.")] = False,
    norm: Annotated[
        Optional[Path], typer.Option(help="Reference set: CSV or .gcd, see gaitdyn norms.")
    ] = None,
    compare: Annotated[
        bool, typer.Option("--compare", help="Compare two trials instead of pooling them.")
    ] = False,
    out: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            "--out",
            help="File to write: .html or .pdf; .svg or .png for figures.",
            show_default=False,
        ),
    ] = None,
    force: Annotated[bool, of.FORCE_FILE] = False,
    quiet: Annotated[bool, of.QUIET] = False,
) -> None:
    """Make the report of a trial, of a session, or of two sessions compared.

    A folder that `gaitdyn process` wrote is a trial; a folder of such folders is a session, whose
    trials are pooled. Two sessions, or two trials with --compare, are drawn on the same axes. The
    report of one folder is written into it, of several into the current folder.
    """
    from gaitdyn.metrics.norm_files import read_norm
    from gaitdyn.report import make_report, read_groups, report_files, write_report

    files = report_files(results, out, pdf=pdf)
    reference = None if norm is None else read_norm(norm)
    found = make_report(read_groups(results, compare=compare), reference)
    for path in write_report(found, files, force=force):
        if not quiet:
            answer(f"report: {path}")


def report_writer(kind: str, norm: Path | None = None) -> Callable[[Path, Result], None] | None:
    """Return what puts the report of one result into its folder, None for no report.

    Parameters
    ----------
    kind : {"none", "html", "pdf", "both"}
    norm : Path, optional
        Reference set; read at once, so that a bad file is refused before anything is computed.
    """
    if not REPORTS[kind]:
        if norm is not None:
            message = "--norm is for the report; add --report html, pdf or both"
            raise UsageError(message)
        return None
    from gaitdyn.metrics.norm_files import read_norm
    from gaitdyn.report import make_report, pooled, write_report
    from gaitdyn.store.stored import trial_of_result

    found = None if norm is None else read_norm(norm)

    def write(place: Path, result: Result) -> None:
        report = make_report(pooled([trial_of_result(result, place)]), found)
        write_report(report, [place / name for name in REPORTS[kind]])

    return write
