"""``gaitdyn repeats``: a laboratory's own error of a session."""

from __future__ import annotations

from pathlib import Path
from typing import Optional

from gaitdyn_cli.console import answer, say
from gaitdyn_cli.group import command_group
from gaitdyn_cli.options import with_options

app = command_group("repeats", "build")


@app.command("build", help="Estimate the error between sessions from pairs of sessions.")
@with_options("repeats-build")
def build(
    sessions: list[Path], out: Path, norm: Optional[Path] = None, force: bool = False
) -> None:
    """Write the SD between sessions of every curve and number, from ten pairs or more."""
    from gaitdyn.archive import result_folders
    from gaitdyn.errors import UsageError
    from gaitdyn.judge.repeats.file import numbers_file, write_repeats
    from gaitdyn.judge.repeats.own_error import (
        build_numbers,
        build_repeats,
        build_scores,
        notes_on_numbers,
    )
    from gaitdyn.judge.repeats.scores import scores_file
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.store import read_trial
    from gaitdyn.store.single_file import refuse_existing
    from gaitdyn.types.words import counted, two_digits

    if len(sessions) % 2:
        raise UsageError(
            f"found {counted(len(sessions), 'session')}; wanted pairs: FIRST SECOND of each person"
        )
    for path in (out, numbers_file(out), scores_file(out)):
        refuse_existing(path, force=force)
    reference = None if norm is None else read_norm(norm)
    trials = [[read_trial(folder) for folder in result_folders(path)] for path in sessions]
    pairs = list(zip(trials[::2], trials[1::2], strict=True))
    errors, units, notes = build_repeats(pairs)
    scores, of_scores = ([], []) if reference is None else build_scores(pairs, reference)
    say(*dict.fromkeys((*notes, *notes_on_numbers(pairs), *of_scores)))
    for name, error in errors.items():
        size = float(error.band.mean()) ** 0.5
        answer(f"{name}: {two_digits(size)} {units[name]} per session, {error.nu:.0f} pairs")
    numbers = build_numbers(pairs)
    write_repeats(out, errors, units, numbers, scores)
    answer(f"repeats: {out}")
    if numbers:
        answer(f"gait parameters and peaks: {numbers_file(out)}")
    if scores:
        answer(f"GPS: {scores_file(out)}")
