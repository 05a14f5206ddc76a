"""``gaitdyn export``: results in the formats of other programs."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import Annotated, Optional

import typer

from gaitdyn_cli import options as of
from gaitdyn_cli.console import answer, say
from gaitdyn_cli.recorded_inputs import Near, Results, TrialFile


def export(
    results: Results,
    to: Annotated[
        str, typer.Option(help="c3d, trc-mot (OpenSim), mat or parquet.", show_default=False)
    ],
    out: Annotated[
        Optional[Path],
        typer.Option(
            "-o",
            "--out",
            help="File or folder; the current folder when left out.",
            show_default=False,
        ),
    ] = None,
    trial: TrialFile = None,
    near: Near = None,
    force: Annotated[bool, of.FORCE_FILE] = False,
    with_names: Annotated[bool, of.WITH_NAMES] = False,
    quiet: Annotated[bool, of.QUIET] = False,
) -> None:
    """Write the results of a trial in another program's format."""
    from gaitdyn import exchange
    from gaitdyn.errors import UsageError

    if to not in exchange.FORMATS:
        message = f"--to is {to!r}, wanted {' or '.join(exchange.FORMATS)}"
        raise UsageError(message)
    written = exchange.export(
        results, to, out, trial=trial, near=near or (), force=force, with_names=with_names
    )
    if quiet:
        return
    for note in written.notes:
        say(note)
    for path in written.paths:
        answer(f"{to}: {path}")
