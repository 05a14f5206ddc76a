"""``gaitdyn batch``: all trials of sessions."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Optional

import typer

from gaitdyn_cli import options as of
from gaitdyn_cli.choices import REPORTS, Given, check_outputs, check_sweeps, with_settings
from gaitdyn_cli.console import answer, answer_document, say

SOME_FAILED = 3


@with_settings("batch")
def batch(
    *,
    sessions: Annotated[
        list[Path],
        typer.Argument(
            help="Folders of recordings, or folders of such folders.", show_default=False
        ),
    ],
    out: Annotated[Path, of.OUT_FOLDER] = Path("gaitdyn-results"),
    jobs: Annotated[
        Optional[int], typer.Option(help="Number of processes; one per core when left out.", min=1)
    ] = None,
    dask: Annotated[
        Optional[str], typer.Option(help="Scheduler of a Dask cluster, such as tcp://host:8786.")
    ] = None,
    force: Annotated[
        bool,
        typer.Option(
            "--force/--resume", help="Do everything again, or only what is missing or has changed."
        ),
    ] = False,
    verify: Annotated[bool, of.VERIFY] = False,
    table_format: Annotated[str, of.FORMAT] = "csv",
    report: Annotated[str, of.REPORT] = "html",
    norm: Annotated[
        Optional[Path], typer.Option(help="Reference set for the reports: CSV or .gcd.")
    ] = None,
    pseudonyms: Annotated[bool, of.PSEUDONYMS] = False,
    with_names: Annotated[bool, of.WITH_NAMES] = False,
    figures: Annotated[bool, of.FIGURES] = False,
    given: Given,
    sensitivity: Annotated[bool, of.SENSITIVITY] = False,
    sweep: Annotated[Optional[list[str]], of.SWEEP] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what failed as one JSON document.")
    ] = False,
    quiet: Annotated[bool, of.QUIET] = False,
) -> int:
    """Process all trials of sessions: a folder per trial, a page per session, an index."""
    check_outputs(table_format, report)
    check_sweeps(sweep or ())
    from gaitdyn.batch import BatchSettings, run_batch
    from gaitdyn_cli.progress import progress

    if norm is not None:
        from gaitdyn.metrics.norm_files import norm_path, read_norm

        read_norm(norm)
        norm = norm_path(norm)
    if table_format == "parquet":
        from gaitdyn.exchange.parquet import require_pyarrow

        require_pyarrow("--format parquet")
    settings = BatchSettings(
        out=out,
        jobs=jobs or os.cpu_count() or 1,
        dask=dask,
        reports=REPORTS[report],
        figures=figures,
        norm=norm,
        options=given,
        force=force,
        sensitivity=sensitivity,
        sweeps=tuple(sweep or ()),
        verify=verify,
        pseudonyms=pseudonyms,
        with_names=with_names,
        tables=table_format,
    )
    with progress(quiet=quiet) as listener:
        failures = run_batch(sessions, settings, listener)
    if as_json:
        answer_document([asdict(failure) for failure in failures], indent=1)
    elif not quiet:
        from gaitdyn.session.plan import NO_TRIAL

        for name in listener.without_trials:
            say(f"{name}: {NO_TRIAL}; `gaitdyn info` shows why")
        answer(listener.summary())
        answer(f"results: {out / 'index.html'}")
    for line in _table(failures):
        say(line)
    return SOME_FAILED if failures else 0


def _table(failures: list) -> list[str]:  # pyright: ignore[reportMissingTypeArgument]
    """Return what failed and why, a line each."""
    if not failures:
        return []
    rows = [
        (f"{f.session}/{f.file}" if f.name else f.session or f.file, f.reason) for f in failures
    ]
    width = min(max(len(name) for name, _ in rows), 48)
    word = "trial" if len(rows) == 1 else "trials"
    return [f"{len(rows)} {word} failed:", *(f"  {name:{width}s}  {why}" for name, why in rows)]
