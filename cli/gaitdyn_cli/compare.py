"""``gaitdyn compare``: our numbers beside the vendor's, or beside a second result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from gaitdyn.errors import FileRefused, ResultsRefused, UsageError
from gaitdyn_cli.choices import Given
from gaitdyn_cli.console import answer, answer_document, answer_written, say
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.compare import SourceComparison
    from gaitdyn.judge.changed import Changes
    from gaitdyn.trial import Result


@with_options("compare", defaults=False)
def compare(
    *,
    what: Path,
    other: Optional[Path] = None,
    norm: Optional[Path] = None,
    repeats: Optional[Path] = None,
    planned: Optional[list[str]] = None,
    given: Given,
    trial: Optional[Path] = None,
    static: Optional[Path] = None,
    subject: Optional[Path] = None,
    near: Optional[list[Path]] = None,
    subject_prefix: Optional[str] = None,
    out: Optional[Path] = None,
    verify: bool = False,
    force: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Compare with the values that the vendor stored in the same file, or with a second result.

    Of two sessions (folders of trials) it says what changed, with the error of a session.
    """
    from gaitdyn.compare import write_comparison
    from gaitdyn.compare.files import check_folder

    if out is not None:
        check_folder(out, force=force)
    inputs = {"trial": trial, "static": static, "subject": subject}
    if verify:
        _verified(what, other)
    if other is not None and is_session(what, other):
        told = changes_of((what, other), norm, repeats, planned or [], given)
        answer_changes(told, out, force=force, as_json=as_json, quiet=quiet)
        return
    refuse_for_trials(norm, repeats, planned)
    if other is not None:
        found = _two(what, other, given)
    elif what.is_dir():
        found = _of_results(what, inputs, near or [], subject_prefix, given)
    else:
        found = _of_trial(what, inputs, subject_prefix, given, quiet=quiet)
    if as_json:
        _print_json(found)
    elif not quiet:
        _print_table(found)
    if out is not None:
        written = write_comparison(found, out, force=force)
        answer_written(written, shown=not quiet and not as_json)


def _verified(*folders: Path | None) -> None:
    """Refuse results one of whose files was changed."""
    from gaitdyn.store.stored import read_document

    for folder in folders:
        if folder is not None and folder.is_dir():
            read_document(folder, "hashes")


def _two(first: Path, second: Path, given: dict[str, Any]) -> SourceComparison:
    from gaitdyn.compare import compare_results
    from gaitdyn.store import read_trial

    if given:
        message = "two results are compared as they are; leave out the options of processing"
        raise UsageError(message)
    return compare_results(read_trial(first), read_trial(second))


def _of_trial(
    trial: Path,
    inputs: dict[str, Path | None],
    prefix: str | None,
    given: dict[str, Any],
    *,
    quiet: bool,
) -> SourceComparison:
    """Process a trial and compare it with what the vendor stored in it."""
    from gaitdyn.compare import compare_vendor, own_of_result
    from gaitdyn.pipeline import process_trial
    from gaitdyn.types.options import Options

    if inputs["trial"] is not None:
        raise UsageError("--trial is for results; name the C3D file alone")
    paths = {r: str(p) for r, p in inputs.items() if p is not None}
    result = process_trial(trial, Options(**given, **paths, subject_prefix=prefix))  # pyright: ignore[reportArgumentType]
    if not quiet:
        for line in (*result.log, result.no_kinetics):
            say(line) if line else None
    return compare_vendor(result.recording, own_of_result(result))


def _of_results(
    folder: Path,
    inputs: dict[str, Path | None],
    near: list[Path],
    prefix: str | None,
    given: dict[str, Any],
) -> SourceComparison:
    """Compare stored curves with the vendor's; with options of processing, a new run's."""
    from dataclasses import replace

    from gaitdyn.compare import compare_vendor, own_of_result, own_of_stored
    from gaitdyn.exchange.source import trial_of
    from gaitdyn.io.recording import read_recording
    from gaitdyn.pipeline import process_trial
    from gaitdyn.provenance.rerun import recorded_run
    from gaitdyn.store import read_trial

    stored = read_trial(folder)
    trial = trial_of(stored, inputs["trial"]) if inputs["trial"] else None
    again: Result | None = None
    try:
        run = recorded_run(folder, inputs, near, prefix)
        plain: dict[str, Any] = {"names": "gaitdyn"} | given
        again = process_trial(run.trial, replace(run.options, **plain))
    except FileRefused:
        if given or prefix or any(inputs.values()):  # asked for: no result without it
            raise
    if again is not None:
        own = own_of_result(again) if given else own_of_stored(stored, again)
        return compare_vendor(again.recording, own)
    recording = read_recording(trial or trial_of(stored, near=near), prefix)
    return compare_vendor(recording, own_of_stored(stored, None))


def _print_table(found: SourceComparison) -> None:
    from gaitdyn.compare.words import convention_line, table_lines, two_result_lines

    answer(found.title)
    for note in found.notes:
        answer(note)
    for convention in found.conventions:
        answer(f"your file: {convention_line(convention)}")
    lines = table_lines(found.rows) if found.conventions else two_result_lines(found)
    for line in lines:
        answer(line)


def _print_json(found: SourceComparison) -> None:
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
        for c in found.conventions
    ]
    document = {
        "title": found.title,
        "first": found.first,
        "second": found.second,
        "conventions": conventions,
        "notes": list(found.notes),
        "peaks": [one._asdict() for one in found.peaks],
        "rows": plain(list(found.rows)),
    }
    answer_document(document, allow_nan=False)


def is_session(*paths: Path) -> bool:
    """Return whether one of the folders holds results folders and is none itself."""
    from gaitdyn.store.folder import DOCUMENT

    return any(
        not (path / DOCUMENT).is_file() and any(path.glob(f"*/{DOCUMENT}")) for path in paths
    )


def refuse_for_trials(*given: object) -> None:
    """Refuse options that are for two sessions only."""
    if any(given):
        message = "--norm, --repeats and --planned are for two sessions; name two folders of trials"
        raise UsageError(message)


def changes_of(
    paths: tuple[Path, Path], norm: Path | None, repeats: Path | None, planned: list[str],
    given: dict[str, Any],
) -> Changes:  # fmt: skip
    """Return what changed between two sessions, each of one condition."""
    from gaitdyn.judge.changed import find_changes
    from gaitdyn.judge.repeats import read_repeats
    from gaitdyn.judge.session import refuse_shared
    from gaitdyn.metrics.norm_files import read_norm

    if given:
        message = "two sessions are compared as they are; leave out the options of processing"
        raise UsageError(message)
    before, after = (_trials(path) for path in paths)
    refuse_shared([before, after])
    return find_changes(
        before, after, norm=None if norm is None else read_norm(norm),
        repeats=None if repeats is None else read_repeats(repeats), planned=planned,
    )  # fmt: skip


def _trials(path: Path) -> list[Any]:
    from gaitdyn.archive import result_folders
    from gaitdyn.store import read_trial

    trials = [read_trial(folder) for folder in result_folders(path)]
    conditions = sorted({trial.condition for trial in trials})
    if len(conditions) > 1:
        told = ", ".join(name or "none" for name in conditions)
        raise ResultsRefused(
            f"{path}: found the conditions {told}; wanted one; name the folders of the trials"
            " of one condition, or make the report of both sessions"
        )
    return trials


def answer_changes(
    found: Changes, out: Path | None, *, force: bool, as_json: bool, quiet: bool
) -> None:
    """Print the findings, and write ``change.csv`` where a folder is named."""
    from gaitdyn.judge.files import write_changes
    from gaitdyn.judge.first_page import change_sentences

    if as_json:
        rows = [
            {"side": f.side, "curve": f.curve, "word": f.word, "sentence": f.sentence}
            for f in found.findings
        ]
        whose = found.whose.sentence
        answer_document({"markers_on": found.markers_on, "whose": whose, "findings": rows})
    elif not quiet:
        for line in change_sentences(found):
            answer(line)
    if out is not None:
        answer_written(write_changes(out, found, force=force), shown=not quiet and not as_json)
