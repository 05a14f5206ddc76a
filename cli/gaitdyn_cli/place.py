"""``gaitdyn place``: the markers of one recording placed again, virtually."""

from __future__ import annotations

from pathlib import Path

from gaitdyn_cli.console import answer, say
from gaitdyn_cli.moved import Moved
from gaitdyn_cli.options import with_options
from gaitdyn_cli.progress import steps


@with_options("place")
def place(
    *,
    result: Path,
    out: Path,
    mm: float = 5.0,
    draws: int = 40,
    moved: Moved,
    force: bool = False,
    quiet: bool = False,
) -> None:
    """Estimate the error of placing the markers.

    It is the error of angles and moments between sessions when this person's markers are placed
    again.
    The file is for --repeats of report and compare. It is a lower bound: measured repeats (gaitdyn
    repeats build) also include the day-to-day change of gait.
    """
    from gaitdyn.catalogue.keys import key_of
    from gaitdyn.errors import UsageError
    from gaitdyn.judge.repeats.file import numbers_file, write_repeats
    from gaitdyn.judge.repeats.scores import scores_file
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store.single_file import refuse_existing
    from gaitdyn.uncertainty.leg_curves import stages_of
    from gaitdyn.uncertainty.placing import place_again, placing_errors

    if not (0 < mm <= 50 and 10 <= draws <= 1000):  # noqa: PLR2004  plausible errors; an hour at most
        message = f"--mm {mm:g} --draws {draws}: wanted above 0 to 50 mm and 10 to 1000 draws"
        raise UsageError(message)
    for path in (out, numbers_file(out), scores_file(out)):
        refuse_existing(path, force=force)
    run = moved.run_of(result)
    again = process_trial(run.trial, run.options)
    with steps("place", quiet=quiet, once=True) as step:
        placed = place_again(
            stages_of(again), again, mm, draws, shown=lambda k, of: step(k, of, "virtual sessions")
        )
    errors, units = placing_errors(placed)
    write_repeats(out, errors, units)
    if not any(key_of(name).is_moment for name in errors):
        of_cycles = "no gait cycle has one per body mass from its start to its end"
        in_lab = "those in the axes of the laboratory are not judged"
        say(f"no moments in it: {in_lab if again.options.moments_in == 'lab' else of_cycles}")
    if not quiet:
        for name, error in errors.items():
            digits = 1 if units[name] == "deg" else 3
            size = float(error.band.mean()) ** 0.5
            answer(f"{name}: {size:.{digits}f} {units[name]} per session")
        answer(f"repeats: {out}")
