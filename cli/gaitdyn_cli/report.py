"""``gaitdyn report``: a page and a PDF from results."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import Annotated, Optional

import typer

from gaitdyn_cli.console import answer


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
        typer.Option("-o", "--out", help="File to write: .html or .pdf.", show_default=False),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace a file that gaitdyn did not write.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
) -> None:
    """Make the report of a trial, of a session, or of two sessions compared."""
    from gaitdyn.report import make_report, matched_norm, read_groups, report_files, write_report

    groups = read_groups(results, compare=compare)
    files = report_files(results, out, pdf=pdf)
    found = make_report(groups, None if norm is None else matched_norm(norm, groups))
    for path in write_report(found, files, force=force):
        if not quiet:
            answer(f"report: {path}")
