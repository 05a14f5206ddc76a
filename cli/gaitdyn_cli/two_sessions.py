"""Two sessions compared by ``gaitdyn compare``: what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.errors import ResultsRefused, UsageError
from gaitdyn_cli.console import answer, answer_document, answer_written

if TYPE_CHECKING:
    from pathlib import Path

    from gaitdyn.judge.changed import Changes


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
        message = (
            f"{path}: found the conditions {told}; wanted one; name the folders of the trials"
            " of one condition, or make the report of both sessions"
        )
        raise ResultsRefused(message)
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
