"""``gaitdyn report``: a page and a PDF from results."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional

from gaitdyn.errors import UsageError
from gaitdyn_cli.choices import REPORTS
from gaitdyn_cli.console import answer, say
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from collections.abc import Callable

    from gaitdyn.report.report import Report
    from gaitdyn.trial import Result


@with_options("report")
def report(
    results: list[Path],
    pdf: bool = False,
    norm: Optional[Path] = None,
    compare: bool = False,
    repeats: Optional[Path] = None,
    planned: Optional[list[str]] = None,
    pool_persons: bool = False,
    with_names: bool = False,
    out: Optional[Path] = None,
    verify: bool = False,
    force: bool = False,
    quiet: bool = False,
) -> None:
    """Make the report of trials or sessions.

    It is about one trial or one session, or compares two or more sessions.
    A folder written by `gaitdyn process` is a trial; a folder of such folders is a session, whose
    trials are pooled. Two sessions, or two trials with --compare, are drawn on the same axes. In a
    series of up to eight, each is compared with the first, and scores are drawn over time. The
    report of one folder is written into it, that of several into the current folder. Next to it are
    statistics.json and abnormal.csv (with a reference set) or change.csv (for two sessions); with
    -o a.html they are called a-abnormal.csv and so on.
    """
    from gaitdyn.judge.repeats.file import read_repeats
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.report import make_report, read_groups, report_files, write_report

    files = report_files(results, out, pdf=pdf)
    reference = None if norm is None else read_norm(norm)
    groups = read_groups(results, compare=compare, pool_persons=pool_persons, verify=verify)
    own_error = None if repeats is None else read_repeats(repeats)
    document = make_report(
        groups, reference, with_names=with_names, repeats=own_error, planned=planned or []
    )
    written = write_report(document, files, force=force)
    if quiet:
        return
    for path in written:
        answer(f"{'table' if path.suffix in ('.csv', '.json') else 'report'}: {path}")
    if norm is None:
        suggest_norm(document)


def suggest_norm(report: Report) -> None:
    """Suggest the children's set if the age fits; a norm is never used unless it is named."""
    from gaitdyn.metrics.norms.ages import fitting_set

    ages = [t.document["subject"].get("age_years") for g in report.groups for t in g.trials]
    say(*filter(None, [fitting_set(ages)]))


def report_writer(
    kind: str,
    norm: Path | None = None,
    *,
    with_names: bool = False,
    seen: Callable[[Report], None] | None = None,
) -> Callable[[Path, Result], None] | None:
    """Return a function that writes the report of one result into its folder, or None.

    Parameters
    ----------
    kind : {"none", "html", "pdf", "both"}
    norm : Path, optional
        Reference set, read at once so that a bad file is refused before any computation.
    with_names : bool
        Keep names of people in file names and conditions.
    seen : callable, optional
        Gets the report as it was written.
    """
    if not REPORTS[kind]:
        if norm is not None:
            raise UsageError("--norm is for the report; add --report html, pdf or both")
        return None
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.report import make_report, pooled, write_report
    from gaitdyn.store.stored import trial_of_result

    reference = None if norm is None else read_norm(norm)

    def write(folder: Path, result: Result) -> None:
        groups = pooled([trial_of_result(result, folder)])
        report = make_report(groups, reference, with_names=with_names)
        write_report(report, [folder / name for name in REPORTS[kind]])
        if seen is not None:
            seen(report)

    return write
