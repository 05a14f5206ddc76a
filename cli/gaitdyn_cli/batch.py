"""``gaitdyn batch``: all trials of sessions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Optional

import typer

from gaitdyn_cli.choices import REPORTS, check_report, given_options
from gaitdyn_cli.console import answer, say

SOME_FAILED = 3


def batch(
    sessions: Annotated[
        list[Path],
        typer.Argument(
            help="Folders of C3D files, or folders of such folders.", show_default=False
        ),
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder for the results.")] = Path(
        "gaitdyn-results"
    ),
    jobs: Annotated[
        Optional[int], typer.Option(help="Processes; one a core when left out.", min=1)
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
    report: Annotated[str, typer.Option(help="none, html, pdf or both.")] = "html",
    norm: Annotated[
        Optional[Path], typer.Option(help="Reference set of the reports: CSV or .gcd.")
    ] = None,
    figures: Annotated[bool, typer.Option(help="Draw figures.")] = False,
    profile: Annotated[
        Optional[str], typer.Option(help="default or plug-in-gait.", show_default=False)
    ] = None,
    model: Annotated[
        Optional[str],
        typer.Option(help="auto, the name of a marker model, or FILE.toml.", show_default=False),
    ] = None,
    mass: Annotated[
        Optional[float], typer.Option(help="Body mass of every subject, kg.", show_default=False)
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what failed as one JSON document.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing but errors.")] = False,
) -> int:
    """Process all trials of sessions: one folder a trial, a page a session, an index."""
    check_report(report)
    options = given_options(profile=profile, model=model, mass_kg=mass)
    from gaitdyn.batch import BatchSettings, run_batch
    from gaitdyn.metrics.norm_files import read_norm
    from gaitdyn_cli.progress import progress

    if norm is not None:
        read_norm(norm)
    settings = BatchSettings(
        out=out,
        jobs=jobs or os.cpu_count() or 1,
        dask=dask,
        reports=REPORTS[report],
        figures=figures,
        norm=norm,
        options=options,
        force=force,
    )
    with progress(quiet=quiet) as listener:
        failures = run_batch(sessions, settings, listener)
    if as_json:
        import json
        from dataclasses import asdict

        answer(json.dumps([asdict(f) for f in failures], indent=1, ensure_ascii=False))
    elif not quiet:
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
