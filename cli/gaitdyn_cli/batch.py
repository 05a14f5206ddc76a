"""``gaitdyn batch``: all trials of sessions."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Optional

from gaitdyn_cli.choices import REPORTS, Given, check_outputs, check_sweeps
from gaitdyn_cli.console import answer, answer_document, say
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.batch import BatchSettings
    from gaitdyn.batch.outcome import Outcome
    from gaitdyn_cli.progress import Progress

SOME_FAILED = 3


@with_options("batch")
def batch(
    *,
    sessions: list[Path],
    out: Path = Path("gaitdyn-results"),
    jobs: Optional[int] = None,
    dask: Optional[str] = None,
    force: bool = False,
    verify: bool = False,
    table_format: str = "csv",
    report: str = "html",
    norm: Optional[Path] = None,
    pseudonyms: bool = False,
    with_names: bool = False,
    figures: bool = False,
    given: Given,
    sensitivity: bool = False,
    sweep: Optional[list[str]] = None,
    as_json: bool = False,
    quiet: bool = False,
) -> int:
    """Process all trials of sessions: a folder per trial, a page per session, an index."""
    check_outputs(table_format, report)
    check_sweeps(sweep or ())
    from gaitdyn.batch import BatchSettings

    settings = BatchSettings(
        out=out,
        jobs=jobs or _cores(),
        dask=dask,
        reports=REPORTS[report],
        figures=figures,
        norm=_checked(norm, table_format),
        options=given,
        force=force,
        sensitivity=sensitivity,
        sweeps=tuple(sweep or ()),
        verify=verify,
        pseudonyms=pseudonyms,
        with_names=with_names,
        tables=table_format,
    )
    failures, listener = _run(sessions, settings, quiet=quiet)
    if as_json:
        answer_document([asdict(failure) for failure in failures], indent=1)
    elif not quiet:
        _answer_batch(listener, sessions)
        if all(failure.session for failure in failures):  # the index could be written
            answer(f"results: {out / 'index.html'}")
    _say_failures(failures)
    return SOME_FAILED if failures else 0


def _cores() -> int:
    """Return the number of processors that this process may use: on a cluster not all there are."""
    usable = getattr(os, "sched_getaffinity", None)  # of Linux
    return len(usable(0)) if usable else os.cpu_count() or 1


def _run(
    sessions: list[Path], settings: BatchSettings, *, quiet: bool
) -> tuple[list[Outcome], Progress]:
    """Return the trials that failed, and what heard of all of them."""
    from gaitdyn.batch import run_batch
    from gaitdyn_cli.progress import progress

    with progress(quiet=quiet) as listener:
        try:
            return run_batch(sessions, settings, listener), listener
        except KeyboardInterrupt:
            say(f"{listener.counts['done']} done; the same command does the others")
            raise


def _checked(norm: Optional[Path], table_format: str) -> Optional[Path]:
    """Return the file of a reference set once it and the format of the tables can be used."""
    if norm is not None:
        from gaitdyn.metrics.norms.files import norm_path, read_norm

        read_norm(norm)
        norm = norm_path(norm)
    if table_format == "parquet":
        from gaitdyn.types.extras import import_extra

        import_extra("pyarrow.parquet", "--format parquet")
    return norm


def _answer_batch(listener: Progress, sessions: list[Path]) -> None:
    """Print what was done, the folders that were left out, and the sessions without a trial."""
    from gaitdyn.session.contents import folders_of_exports, linked_folders
    from gaitdyn.session.plan import NO_TRIAL

    for folder in [left_out for path in sessions for left_out in folders_of_exports(path)]:
        say(f"{folder} is left out: `gaitdyn export` wrote its recordings")
    for link in linked_folders(sessions):
        say(f"{link} is left out: it is a link to another folder; name it to process it")
    for name in listener.without_trials:
        say(f"{name}: {NO_TRIAL}; `gaitdyn info` shows why")
    answer(listener.summary())


def _say_failures(failures: list[Outcome]) -> None:
    """Print one line per failed trial or session with the reason."""
    if not failures:
        return
    rows = [
        (
            f"{f.session}/{f.file}" if f.name else f.session or f.file,
            f.reason.removeprefix(f"{f.file}: "),
        )
        for f in failures
    ]
    from gaitdyn.types.words import counted

    width = min(max(len(name) for name, _ in rows), 48)
    trials = sum(bool(f.name) for f in failures)
    sessions = sum(bool(f.session and not f.name) for f in failures)
    counts = {"trial": trials, "session": sessions, "page": len(rows) - trials - sessions}
    what = " and ".join(counted(count, noun) for noun, count in counts.items() if count)
    say(f"{what} failed:")
    for name, why in rows:
        say(f"  {name:{width}s}  {why}")
