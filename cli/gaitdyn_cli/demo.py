"""``gaitdyn demo``: a synthetic session with known truth, processed and compared with it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn_cli.choices import REPORTS, check_word
from gaitdyn_cli.console import answer, say
from gaitdyn_cli.options import with_options
from gaitdyn_cli.report import report_writer

if TYPE_CHECKING:
    from gaitdyn.synthetic import Recording


@with_options("demo")
def demo(
    out: Path = Path("gaitdyn-demo"),
    noise: float = 0.5,
    rate: float = 100.0,
    figures: bool = True,
    report: str = "html",
    force: bool = False,
) -> None:
    """Write a synthetic session with known truth and process it."""
    from gaitdyn.errors import OutputRefused, UsageError
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.synthetic import Recording, Walker, walk
    from gaitdyn.tables.agreement import agreement, known_truth
    from gaitdyn.tables.columns import run_curves

    for option, value, low, high in (("rate", rate, 20, 1000), ("noise", noise, 0, 50)):
        if not low <= value <= high:
            raise UsageError(f"--{option} is {value:g}, wanted {low} to {high}")
    check_word("report", report, REPORTS)
    session, results = out / "session", out / "results"
    if session.exists() and not force:
        message = f"{session} already exists; choose another folder with -o or add --force"
        raise OutputRefused(message)
    recording = Recording(rate_hz=rate, marker_noise_mm=noise, force_noise_n=2.0 * noise)
    _write(session, recording)
    trial = session / "walk01.c3d"
    say(f"wrote a synthetic session: {session}")
    folder = ResultsFolder.prepare(results, trial, force=force)
    result = process_trial(trial)
    say(*result.log)
    write_report = report_writer(report)
    write_more = None if write_report is None else (lambda path: write_report(path, result))
    write_results(folder, result, figures=figures, write_more=write_more)
    truth = known_truth(walk(Walker(), recording))
    answer(f"{'quantity':16s} {'RMSE':>9s} {'largest':>9s}  against the known truth")
    for row in agreement(run_curves(result), truth):
        name = row.name.replace("center", "centre")
        answer(f"{name:16s} {row.rmse:9.3f} {row.largest:9.3f}  {row.unit}")
    answer(f"results: {folder.path}")


def _write(session: Path, recording: Recording) -> None:
    from gaitdyn.errors import OutputRefused
    from gaitdyn.synthetic import Walker, write_session
    from gaitdyn.types.words import cannot_write

    try:
        write_session(session, Walker(), recording, trials=1)
    except OSError as error:
        raise OutputRefused(cannot_write(session, error)) from error
