"""``gaitdyn process``: one trial."""

from __future__ import annotations

import gc
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from gaitdyn_cli.choices import Given, check_outputs, check_sweeps
from gaitdyn_cli.console import answer, answer_json, say
from gaitdyn_cli.options import with_options
from gaitdyn_cli.report import report_writer, suggest_norm

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Sequence

    from gaitdyn.report.report import Report
    from gaitdyn.session import TrialPlan
    from gaitdyn.store import ResultsFolder
    from gaitdyn.trial import Result
    from gaitdyn.types.options import Options

    Writer = Callable[[Path, Result], None]

_COLLECT_AFTER = 200_000
"""Objects made before garbage is collected: imports alone make half as many, none of it garbage."""

_LONG_BYTES = 50_000_000
"""Recordings of this size or more show their progress."""


@with_options("process")
def process(
    *,
    trial: Path,
    given: Given,
    sensitivity: bool = False,
    sweep: Optional[list[str]] = None,
    table_format: str = "csv",
    report: str = "none",
    norm: Optional[Path] = None,
    with_names: bool = False,
    figures: bool = True,
    intermediate: bool = False,
    out: Path = Path("gaitdyn-results"),
    force: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Process one trial."""
    gc.set_threshold(_COLLECT_AFTER)
    check_outputs(table_format, report)
    check_sweeps(sweep or ())
    from gaitdyn.session import plan_trial
    from gaitdyn.store import write_results
    from gaitdyn.store.removed import own_files, removed_words

    plan = plan_trial(trial, given)
    reports: list[Report] = []
    write_report = report_writer(report, norm, with_names=with_names, seen=reports.append)
    writers = [w for w in (write_report, _tables_writer(table_format)) if w is not None]
    repeat = _repeated(plan.options, sweep or (), sensitivity=sensitivity, quiet=quiet)
    folder = _folder(trial, plan.options, norm, out, force=force, quiet=quiet)
    before = own_files(folder.path)
    result = _processed(trial, plan, quiet=quiet)
    folder.check(result.recording.sha256)
    repeat(result)
    write_more = partial(_write_more, result, writers)
    document = write_results(
        folder, result, figures=figures, intermediate=intermediate, write_more=write_more
    )
    if not quiet:
        say(*filter(None, [removed_words(folder.path, before)]))
        _say_changes(result)
        if reports and norm is None:
            suggest_norm(reports[0])
    if as_json or not quiet:
        _answer_results(result, document, folder.path, reports, as_json=as_json)


def _folder(
    trial: Path, options: Options, norm: Optional[Path], out: Path, *, force: bool, quiet: bool
) -> ResultsFolder:
    """Return the folder of the results, locked; none of the inputs may lie in it."""
    from gaitdyn.store import ResultsFolder
    from gaitdyn.types.option_rows import files_of, recordings_named

    inputs = [*recordings_named(options).values(), *files_of(options).values()]
    inputs += [] if norm is None else [norm]
    return ResultsFolder.prepare(out, trial, inputs, force=force, say=None if quiet else say)


def _processed(trial: Path, plan: TrialPlan, *, quiet: bool) -> Result:
    """Return the result with its findings; print what was chosen."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.quality.rules import findings_of
    from gaitdyn.session import plan_lines
    from gaitdyn.trial.noted import with_notes

    with stages(trial, quiet=quiet) as on_step:
        result = with_notes(process_trial(trial, plan.options, on_step), visit=plan.visit)
        findings_of(result)
    if not quiet:
        _print_log(plan_lines(plan), result)
    return result


def _write_more(result: Result, writers: Sequence[Writer], path: Path) -> None:
    for write in writers:
        write(path, result)


def _tables_writer(table_format: str) -> Optional[Writer]:
    """Return what writes the tables in another format than CSV."""
    if table_format != "parquet":
        return None
    from gaitdyn.exchange.parquet import tables_writer

    return tables_writer()


def _answer_results(
    result: Result, document: dict[str, Any], path: Path, reports: list[Report], *, as_json: bool
) -> None:
    """Print the summary of a run, or its ``result.json``."""
    from gaitdyn.store import document_text
    from gaitdyn.store.run_lines import run_lines

    if as_json:
        answer_json(document_text(document).rstrip())
        return
    lines = run_lines(result, document, reports[0].remarks if reports else None)
    answer(*lines, f"results: {path}")


def _repeated(
    options: Options, sweep: Sequence[str], *, sensitivity: bool, quiet: bool
) -> Callable[[Result], None]:
    """Return a function that computes with other settings what is wanted, which takes minutes."""
    if options.uncertainty == "none" and not sensitivity and not sweep:
        return lambda _: None
    from gaitdyn.uncertainty.on_demand import keepers_of

    step_progress = StepProgress(wanted=not quiet)
    keepers = keepers_of(options, sensitivity=sensitivity, sweeps=sweep, told=step_progress)

    def repeat(result: Result) -> None:
        with step_progress:
            for keep in keepers if result.sides else ():
                keep(result)

    return repeat


class StepProgress(ExitStack):
    """Progress of long computations: a bar, or a line at the start of each."""

    def __init__(self, *, wanted: bool) -> None:
        super().__init__()
        self._wanted = wanted
        self._bar: Optional[Callable[[int, int, str], None]] = None

    def __call__(self, what: str, done: int, of: int) -> None:
        """Show the progress of a computation."""
        if not self._wanted:
            return
        if self._bar is None:
            from gaitdyn_cli.progress import steps

            self._bar = self.enter_context(steps("step", once=True))
        self._bar(done, of, what)


@contextmanager
def stages(trial: Path, *, quiet: bool) -> Generator[Optional[Callable[[str], None]]]:
    """Yield a function that shows the progress on a long recording; None for a short one."""
    if quiet or not trial.is_file() or trial.stat().st_size < _LONG_BYTES:
        yield None
        return
    from gaitdyn.pipeline import STEPS
    from gaitdyn_cli.progress import steps

    with steps("step", quiet=quiet) as step:
        yield lambda name: step(STEPS.index(name) + 1, len(STEPS), name)


def _print_log(planned: list[str], result: Result) -> None:
    from gaitdyn.quality.rules import findings_of

    in_summary = {f.message for f in findings_of(result) if f.level != "info"}
    for line in (*planned, *result.log):
        if line not in in_summary:  # those are printed below the verdict
            say(line)
    if result.no_kinetics:
        say(result.no_kinetics)


def _say_changes(result: Result) -> None:
    """Report what other settings change most, and which of them this trial does not allow."""
    from gaitdyn.types.uncertainty import CUTOFFS, SWEEP

    if not result.kept.keys() & {CUTOFFS, SWEEP}:
        return
    from gaitdyn.uncertainty.largest_changes import sensitivity_lines, sweep_lines

    for name, lines in ((SWEEP, sweep_lines), (CUTOFFS, sensitivity_lines)):
        say(*(lines(result.kept[name]) if name in result.kept else ()))
