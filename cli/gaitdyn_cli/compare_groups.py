"""``gaitdyn compare-groups``: two groups of people, or the same people twice."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Optional

from gaitdyn.errors import UsageError
from gaitdyn_cli.console import answer, answer_document, answer_written, say
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.store import StoredTrial


@with_options("compare-groups")
def compare_groups(
    first: Path,
    second: Path,
    paired: bool = False,
    conditions: Optional[list[str]] = None,
    out: Optional[Path] = None,
    force: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Show where two groups of people differ.

    Each person counts once, as the mean of both legs.
    People are identified by their pseudonyms; each group needs five or more people, different
    ones or, with --paired, the same, and results of one condition. Turning strides and failed
    trials are left out.
    """
    from gaitdyn.judge.files import ABNORMAL_COLUMNS, place_rows, write_groups
    from gaitdyn.judge.first_page import first_sentences
    from gaitdyn.judge.groups.two import compare_people
    from gaitdyn.store.made_by import other_versions
    from gaitdyn.store.plain import plain

    words = conditions or []
    if len(words) > 2:  # noqa: PLR2004
        raise UsageError(f"found {len(words)} conditions; wanted one for both groups, or one each")
    of_groups = (*words, *words)[:2] or (None, None)
    groups = [
        _trials(path, condition) for path, condition in zip((first, second), of_groups, strict=True)
    ]
    differences = compare_people(*groups, paired=paired)
    other = other_versions(trial.made_by for group in groups for trial in group)
    if other and not quiet:
        say(other)
    if not quiet:
        say(*differences.notes)
    # files first: the reader of the output may leave, as head does
    written = [] if out is None else write_groups(out, differences, force=force)
    if as_json:
        found = place_rows(differences.findings)
        rows = [dict(zip(ABNORMAL_COLUMNS, row, strict=True)) for row in found]
        answer_document({"findings": plain(rows), "people": differences.people}, allow_nan=False)
    elif not quiet:
        answer(differences.sentence, *first_sentences(differences.findings))
    answer_written(written, shown=not quiet and not as_json)


def _trials(path: Path, condition: str | None) -> list[StoredTrial]:
    """Return the trials of a group, those of one condition if it is given."""
    from gaitdyn.archive import result_folders
    from gaitdyn.store import read_trial

    trials = [read_trial(folder) for folder in result_folders(path)]
    names = {trial.condition: trial.condition or "none" for trial in trials}
    if condition is not None and condition not in names:
        listed = ", ".join(sorted(names.values()))
        raise UsageError(f"--condition {condition}: {path.name} has no such trial, only {listed}")
    return [trial for trial in trials if condition in (None, trial.condition)]
