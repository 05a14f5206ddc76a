"""``gaitdyn compare-groups``: two groups of people, or the same people twice."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotations
from typing import Optional

from gaitdyn_cli.console import answer, answer_document, answer_written, say
from gaitdyn_cli.options import with_options


@with_options("compare-groups")
def compare_groups(
    first: Path,
    second: Path,
    paired: bool = False,
    out: Optional[Path] = None,
    force: bool = False,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Show where two groups of people differ.

    Each person counts once, as the mean of both legs.
    People are identified by their pseudonyms; each group needs five or more different people, or
    with --paired the same. Turning strides and failed trials are left out.
    """
    from gaitdyn.archive import result_folders
    from gaitdyn.judge.files import ABNORMAL_COLUMNS, place_rows, write_groups
    from gaitdyn.judge.first_page import first_sentences
    from gaitdyn.judge.groups import find_group_differences
    from gaitdyn.store import read_trial
    from gaitdyn.store.made_by import other_versions
    from gaitdyn.store.plain import plain

    groups = [[read_trial(folder) for folder in result_folders(path)] for path in (first, second)]
    differences = find_group_differences(*groups, paired=paired)
    other = other_versions(trial.made_by for group in groups for trial in group)
    if other and not quiet:
        say(other)
    if as_json:
        rows = [dict(zip(ABNORMAL_COLUMNS, row, strict=True)) for row in place_rows(differences)]
        answer_document({"findings": plain(rows)}, allow_nan=False)
    elif not quiet:
        answer(*first_sentences(differences))
    if out is not None:
        answer_written(write_groups(out, differences, force=force), shown=not quiet and not as_json)
