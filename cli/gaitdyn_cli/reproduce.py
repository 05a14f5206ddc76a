"""``gaitdyn reproduce``: run results again from the inputs and options that they record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn_cli.console import REFUSED, answer, answer_document
from gaitdyn_cli.moved import Moved
from gaitdyn_cli.options import with_options

if TYPE_CHECKING:
    from gaitdyn.provenance.reproduce import Reproduction
    from gaitdyn.provenance.rerun import RecordedRun


@with_options("reproduce")
def reproduce(
    *,
    results: Path,
    moved: Moved,
    tolerance: float = 1e-9,
    as_json: bool = False,
    quiet: bool = False,
) -> int:
    """Run a result again and show differences.

    The run uses the recorded inputs and options.
    The exit code is 0 if every table is the same within the tolerance, otherwise 1. Tables of
    --uncertainty, --sensitivity, --sweep and a reference set are not compared.
    """
    from gaitdyn.provenance.reproduce import reproduce as run_again

    run = moved.run_of(results)
    again = run_again(run)
    if as_json:
        _print_json(run, again, tolerance)
    elif not quiet:
        _print_table(run, again, tolerance)
    return 0 if again.same(tolerance) else REFUSED


def _print_table(run: RecordedRun, again: Reproduction, tolerance: float) -> None:
    for entry in run.stored.document["inputs"]:
        answer(f"{entry['role']:8s} {entry['name']}  sha256 {entry['sha256'][:12]}, the same")
    for program, then, now in again.versions:
        answer(f"{program} was {then}, is {now}")
    if any(program == "gaitdyn" for program, _, _ in again.versions):
        answer("what changed between the versions of gaitdyn is in CHANGELOG.md")
    answer(f"{'file':20s} {'largest difference':>18s}  where")
    for x in again.differences:
        where = " ".join(text for text in (x.column, x.where, x.note) if text)
        answer(f"{x.file:20s} {x.largest:18.3g}  {where}".rstrip())
    if again.not_compared:
        answer(f"not compared, made in addition to the run: {', '.join(again.not_compared)}")
    same = again.same(tolerance)
    answer("the same" if same else f"different: more than {tolerance:g} of a column's largest")


def _print_json(run: RecordedRun, again: Reproduction, tolerance: float) -> None:
    from gaitdyn.store.plain import plain

    document = {
        "same": again.same(tolerance),
        "tolerance": tolerance,
        "inputs": run.stored.document["inputs"],
        "versions": [dict(zip(("what", "then", "now"), v, strict=True)) for v in again.versions],
        "not_compared": list(again.not_compared),
        "files": [{**plain(x), "same": x.within(tolerance)} for x in again.differences],
    }
    answer_document(document, allow_nan=False)
