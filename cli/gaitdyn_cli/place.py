"""``gaitdyn place``: the markers of one recording placed anew, virtually."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import Annotated

import typer

from gaitdyn_cli import options as of
from gaitdyn_cli.choices import check_new
from gaitdyn_cli.console import answer
from gaitdyn_cli.progress import steps
from gaitdyn_cli.recorded_inputs import Near, Prefix, StaticFile, SubjectFile, TrialFile


def place(
    result: Annotated[
        Path, typer.Argument(help="Results folder of a trial with a static.", show_default=False)
    ],
    out: Annotated[Path, typer.Option("-o", "--out", help="CSV to write.", show_default=False)],
    mm: Annotated[float, typer.Option(help="SD of a marker's position along the skin, mm.")] = 5.0,
    draws: Annotated[int, typer.Option(help="Number of virtual sessions.")] = 40,
    trial: TrialFile = None,
    static: StaticFile = None,
    subject: SubjectFile = None,
    near: Near = None,
    subject_prefix: Prefix = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
    quiet: Annotated[bool, of.QUIET] = False,
) -> None:
    """Estimate the error of a session that putting this person's markers on again would make.

    The file serves --repeats of report and compare, for angles. It is a lower bound: own repeats
    (gaitdyn repeats build) also hold the day-to-day change of gait.
    """
    from gaitdyn.errors import UsageError
    from gaitdyn.judge.repeats import write_repeats
    from gaitdyn.pipeline import process_trial
    from gaitdyn.provenance.rerun import recorded_run
    from gaitdyn.uncertainty.leg_curves import stages_of
    from gaitdyn.uncertainty.placing import place_again, placing_errors

    if not (0 < mm <= 50 and 10 <= draws <= 1000):  # noqa: PLR2004  what a hand and an hour can do
        message = f"--mm {mm:g} --draws {draws}: wanted above 0 to 50 mm and 10 to 1000 draws"
        raise UsageError(message)
    check_new(out, force=force)
    named = {"trial": trial, "static": static, "subject": subject}
    run = recorded_run(result, named, near or [], subject_prefix)
    found = process_trial(run.trial, run.options)
    with steps("place", quiet=quiet, once=True) as step:
        placed = place_again(
            stages_of(found), found, mm, draws, shown=lambda k, of: step(k, of, "virtual sessions")
        )
    errors, units = placing_errors(placed)
    write_repeats(out, errors, units)
    if not quiet:
        for name, one in errors.items():
            answer(f"{name}: {float(one.band.mean()) ** 0.5:.2g} {units[name]} a session")
        answer(f"repeats: {out}")
