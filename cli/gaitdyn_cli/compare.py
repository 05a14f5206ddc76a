"""``gaitdyn compare``: our numbers beside the vendor's, or beside a second result."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import TYPE_CHECKING, Any, Optional

from gaitdyn.errors import FileRefused, UsageError
from gaitdyn_cli.choices import Given
from gaitdyn_cli.console import answer, answer_document, answer_written, say
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.compare import Comparison
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
    from gaitdyn_cli.two_sessions import (
        answer_changes,
        changes_of,
        is_session,
        refuse_for_trials,
    )

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


def _two(first: Path, second: Path, given: dict[str, Any]) -> Comparison:
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
) -> Comparison:
    """Process a trial and compare it with what the vendor stored in it."""
    from gaitdyn.compare import compare_vendor, own_of_result
    from gaitdyn.pipeline import process_trial
    from gaitdyn.types.options import Options

    if inputs["trial"] is not None:
        message = "--trial is for results; name the C3D file alone"
        raise UsageError(message)
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
) -> Comparison:
    """Compare stored curves with the vendor's; with options of processing, a new run's."""
    from gaitdyn.compare import compare_vendor, own_of_result, own_of_stored
    from gaitdyn.exchange.source import trial_of
    from gaitdyn.io.recording import read_recording
    from gaitdyn.store import read_trial

    stored = read_trial(folder)
    trial = trial_of(stored, inputs["trial"]) if inputs["trial"] else None
    again: Result | None = None
    try:
        again = _again(folder, inputs, near, prefix, given)
    except FileRefused:
        if given or prefix or any(inputs.values()):  # asked for: no result without it
            raise
    if again is not None:
        own = own_of_result(again) if given else own_of_stored(stored, again)
        return compare_vendor(again.recording, own)
    recording = read_recording(trial or trial_of(stored, near=near), prefix)
    return compare_vendor(recording, own_of_stored(stored, None))


def _again(
    folder: Path,
    inputs: dict[str, Path | None],
    near: list[Path],
    prefix: str | None,
    given: dict[str, Any],
) -> Result:
    from dataclasses import replace

    from gaitdyn.pipeline import process_trial
    from gaitdyn.provenance import recorded_run

    run = recorded_run(folder, inputs, near, prefix)
    plain: dict[str, Any] = {"names": "gaitdyn"} | given
    return process_trial(run.trial, replace(run.options, **plain))


def _print_table(found: Comparison) -> None:
    from gaitdyn.compare.words import convention_line, table_lines, two_result_lines

    answer(found.title)
    for note in found.notes:
        answer(note)
    for convention in found.conventions:
        answer(f"your file: {convention_line(convention)}")
    lines = table_lines(found.rows) if found.conventions else two_result_lines(found)
    for line in lines:
        answer(line)


def _print_json(found: Comparison) -> None:
    from dataclasses import asdict

    from gaitdyn.compare.words import convention_line

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
    rows = [
        {key: None if value != value else value for key, value in asdict(row).items()}  # noqa: PLR0124
        for row in found.rows
    ]
    document = {
        "title": found.title,
        "first": found.first,
        "second": found.second,
        "conventions": conventions,
        "notes": list(found.notes),
        "peaks": [one._asdict() for one in found.peaks],
        "rows": rows,
    }
    answer_document(document, allow_nan=False)
