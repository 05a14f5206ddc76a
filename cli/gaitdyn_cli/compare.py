"""``gaitdyn compare``: our numbers against the vendor's or those of a second result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from gaitdyn.errors import FileRefused, UsageError
from gaitdyn_cli.choices import Given
from gaitdyn_cli.console import answer, answer_document, answer_written, say
from gaitdyn_cli.moved import Moved
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.compare import SourceComparison
    from gaitdyn.judge.changes.changed import Changes
    from gaitdyn.types.recording import Recording


@with_options("compare", defaults=False)
def compare(
    *,
    what: Path,
    other: Optional[Path] = None,
    norm: Optional[Path] = None,
    repeats: Optional[Path] = None,
    planned: Optional[list[str]] = None,
    given: Given,
    moved: Moved,
    out: Optional[Path] = None,
    verify: bool = False,
    force: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Compare two results, or one with the vendor.

    The vendor's values are those stored in the same file. With a second result of the same
    recording, the two results are compared; for two sessions (folders of trials), the changes are
    shown, given the error of a session.
    """
    from gaitdyn.compare import write_comparison
    from gaitdyn.compare.files import check_folder

    if out is not None:
        check_folder(out, force=force)
    if other is not None and any(moved):
        message = "--trial, --static, --subject, --near and --subject-prefix are for one result"
        raise UsageError(f"{message}; leave them out to compare two")
    if verify:
        _verify(what, other)
    if other is not None and is_session(what, other):
        changes = changes_of((what, other), norm, repeats, planned or [], given, quiet=quiet)
        answer_changes(changes, out, force=force, as_json=as_json, quiet=quiet)
        return
    refuse_for_trials(norm, repeats, planned)
    if other is not None:
        comparison = _two_results(what, other, given)
    elif what.is_dir():
        comparison = _of_results(what, moved, given)
    else:
        comparison = _of_trial(what, moved, given, quiet=quiet)
    # files first: the reader of the output may leave, as head does
    written = [] if out is None else write_comparison(comparison, out, force=force)
    if as_json:
        _print_json(comparison)
    elif not quiet:
        _print_table(comparison)
    answer_written(written, shown=not quiet and not as_json)


def _verify(*folders: Path | None) -> None:
    """Refuse results with a changed file; those of a session are all checked."""
    from gaitdyn.archive import result_folders
    from gaitdyn.store.stored_document import read_document

    for folder in folders:
        for results in result_folders(folder) if folder is not None and folder.is_dir() else ():
            read_document(results, "hashes")


def _two_results(first: Path, second: Path, given: Given) -> SourceComparison:
    from gaitdyn.compare import compare_results
    from gaitdyn.store import read_trial

    if given:
        message = "two results are compared as stored; leave out the processing options"
        raise UsageError(message)
    return compare_results(read_trial(first), read_trial(second))


def _of_trial(trial: Path, moved: Moved, given: Given, *, quiet: bool) -> SourceComparison:
    """Process a trial as `process` does and compare it with what the vendor stored in it."""
    from gaitdyn.compare import compare_with_vendor
    from gaitdyn.pipeline import process_trial
    from gaitdyn.session import plan_lines, plan_trial

    if moved.trial is not None:
        raise UsageError("--trial is for results; name the C3D file alone")
    paths: Given = {role: str(path) for role, path in moved.named.items()}
    prefix = moved.subject_prefix
    paths |= {} if prefix is None else {"subject_prefix": prefix}
    plan = plan_trial(trial, _comparable(given | paths))
    options = plan.options
    result = process_trial(trial, options)
    if not quiet:
        say(*filter(None, (*plan_lines(plan), *result.log, result.no_kinetics)))
    return compare_with_vendor(
        result, result.recording, options, lambda other: process_trial(trial, other)
    )


def _of_results(folder: Path, moved: Moved, given: Given) -> SourceComparison:
    """Compare results, or with processing options those of a new run, with the vendor's."""
    from dataclasses import replace

    from gaitdyn.compare import compare_vendor, compare_with_vendor, result_vectors
    from gaitdyn.pipeline import process_trial
    from gaitdyn.trial import read_results

    try:
        run = moved.run_of(folder)
    except FileRefused:
        if given:  # the user needs the new run
            raise
        return compare_vendor(_recording(folder, moved), result_vectors(read_results(folder)))
    options = replace(run.options, **_comparable(given))
    result = process_trial(run.trial, options) if given else read_results(folder)
    recording = result.recording if given else _recording(folder, moved)
    return compare_with_vendor(
        result, recording, options, lambda other: process_trial(run.trial, other)
    )


def _comparable(given: Given) -> Given:
    """Return the given options with those that a comparison with the vendor needs."""
    fields: Given = {"names": "gaitdyn", "generalised": False} | given
    if fields.get("profile") == "plug-in-gait":  # which has hip centres and knee axes of its own
        fields |= {"hip_centre": "model", "functional": ()}
    return fields


def _recording(folder: Path, moved: Moved) -> Recording:
    """Return the recording of results, which has the vendor's outputs."""
    from gaitdyn.exchange.source import recording_of, trial_of
    from gaitdyn.store import read_trial

    stored = read_trial(folder, "read")
    trial = trial_of(stored, moved.trial, moved.near or ())
    return recording_of(stored, trial, moved.subject_prefix)


def _print_table(comparison: SourceComparison) -> None:
    from gaitdyn.compare.words import convention_line, table_lines, two_result_lines

    conventions = (f"your file: {convention_line(c)}" for c in comparison.conventions)
    lines = table_lines(comparison.rows) if comparison.conventions else two_result_lines(comparison)
    answer(comparison.title, *comparison.notes, *conventions, *lines)


def _print_json(comparison: SourceComparison) -> None:
    from gaitdyn.compare.words import convention_line
    from gaitdyn.store.plain import plain

    conventions = [
        {
            "quantity": c.quantity.name,
            "words": convention_line(c),
            "unit": c.unit,
            "labelled": c.labelled,
            "factor": c.factor,
            "axes": c.axes,
            "order": {part: [i + 1 for i in order] for part, order in c.order.items()},
            "signs": {label: list(signs) for label, signs in c.signs.items()},
            "misfit": c.misfit,
        }
        for c in comparison.conventions
    ]
    document = {
        "title": comparison.title,
        "first": comparison.first,
        "second": comparison.second,
        "conventions": conventions,
        "notes": list(comparison.notes),
        "peaks": [peak._asdict() for peak in comparison.peaks],
        "rows": plain(list(comparison.rows)),
    }
    answer_document(document, allow_nan=False)


def is_session(*paths: Path) -> bool:
    """Return whether one of the folders contains results folders without being one."""
    from gaitdyn.store.folder import DOCUMENT

    return any(
        not (path / DOCUMENT).is_file() and any(path.glob(f"*/{DOCUMENT}")) for path in paths
    )


def refuse_for_trials(*given: object) -> None:
    """Refuse options that are only for two sessions."""
    if any(given):
        message = "--norm, --repeats and --planned are for two sessions; name two folders of trials"
        raise UsageError(message)


def changes_of(
    paths: tuple[Path, Path], norm: Path | None, repeats: Path | None, planned: list[str],
    given: dict[str, Any], *, quiet: bool,
) -> Changes:  # fmt: skip
    """Return what changed between two sessions, each of one condition."""
    from gaitdyn.judge.changes.changed import find_changes
    from gaitdyn.judge.repeats.file import read_repeats
    from gaitdyn.judge.session_trials import refuse_shared
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.store.made_by import other_versions

    if given:
        message = "two sessions are compared as stored; leave out the processing options"
        raise UsageError(message)
    before, after = (_trials(path) for path in paths)
    refuse_shared([before, after])
    if (other := other_versions(trial.made_by for trial in (*before, *after))) and not quiet:
        say(other)
    return find_changes(
        before, after, norm=None if norm is None else read_norm(norm),
        repeats=None if repeats is None else read_repeats(repeats), planned=planned,
    )  # fmt: skip


def _trials(path: Path) -> list[Any]:
    from gaitdyn.archive import result_folders
    from gaitdyn.judge.session_trials import one_condition
    from gaitdyn.store import read_trial

    trials = [read_trial(folder) for folder in result_folders(path)]
    one_condition(trials, str(path), "; gaitdyn report compares sessions of several")
    return trials


def answer_changes(
    changes: Changes, out: Path | None, *, force: bool, as_json: bool, quiet: bool
) -> None:
    """Print the findings and the judged curves, and write ``change.csv`` if a folder is given."""
    from gaitdyn.judge.changes.table import change_lines
    from gaitdyn.judge.files import CHANGE_COLUMNS, change_rows, write_changes
    from gaitdyn.judge.first_page import change_sentences
    from gaitdyn.store.plain import plain

    written = [] if out is None else write_changes(out, changes, force=force)
    if as_json:
        rows = [
            {**dict(zip(CHANGE_COLUMNS, row, strict=True)), "sentence": finding.sentence}
            for finding, row in zip(changes.findings, change_rows(changes.findings), strict=True)
        ]
        whose = {
            "markers_on": changes.markers_on,
            "whose": changes.whose.sentence,
            "recorded_once": changes.recorded_once,
            "lowered": list(changes.lowered),
        }
        answer_document({**whose, "findings": plain(rows)}, allow_nan=False)
    elif not quiet:
        answer(*change_sentences(changes))
        answer(*([] if changes.whose.two else change_lines(changes.findings)))
        if out is None and not changes.whose.two:
            say("all curves, with their reasons: -o FOLDER writes change.csv; or --json")
    answer_written(written, shown=not quiet and not as_json)
