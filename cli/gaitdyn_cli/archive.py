"""``gaitdyn archive``: results of many sessions in one file."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, TypeAlias

import typer

from gaitdyn.types.words import counted
from gaitdyn_cli.choices import check_word
from gaitdyn_cli.console import REFUSED, answer, answer_document, say
from gaitdyn_cli.group import command_group
from gaitdyn_cli.options import with_options
from gaitdyn_cli.progress import steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.archive import CurveSet

app = command_group("archive", "add|ls|query|export")

_STEP = 10  # %

_Column: TypeAlias = "Sequence[float | None]"


@app.command("add", help="Add results; adding one again changes nothing.")
@with_options("archive-add")
def add(
    archive: Path,
    results: list[Path],
    replace: bool = False,
    subject: Optional[str] = None,
    session: Optional[str] = None,
    pseudonyms: bool = False,
    wait: float = 30.0,
    verify: bool = False,
    quiet: bool = False,
) -> None:
    """Add results folders, one transaction each."""
    from collections import Counter

    from gaitdyn.archive import add_results
    from gaitdyn.store.made_by import other_versions

    additions = add_results(
        archive,
        results,
        replace=replace,
        subject=subject,
        session=session,
        pseudonyms=pseudonyms,
        wait_s=wait,
        verify=verify,
    )
    outcomes: Counter[str] = Counter()
    processed: list[tuple[str, str]] = []
    with steps("archive", quiet=quiet) as step:
        for added in additions:
            outcomes[added.outcome] += 1
            processed += [(added.folder.name, added.version)] if added.version else []
            message = " ".join(added.message.split())
            if added.outcome == "refused":
                say(f"gaitdyn: {message}")
            elif message and not quiet:
                say(message)
            name = "/".join(added.folder.parts[-2:])
            step(added.at, added.of, f"{name}: {_OUTCOMES[added.outcome]}")
    if not quiet:
        if other := other_versions(processed):
            say(other)
        counts = [f"{count} {_OUTCOMES[word]}" for word, count in outcomes.items()]
        answer(f"{archive}: {', '.join(counts)}")
    if outcomes["refused"]:
        raise typer.Exit(REFUSED)


_OUTCOMES = {
    "added": "added",
    "further": "added alongside older results of the same recording",
    "replaced": "replaced",
    "left out": "left out",
    "known": "already there",
    "refused": "refused",
}


@app.command("ls", help="List subjects, sessions and curves of an archive.")
@with_options("archive-ls")
def ls(archive: Path, where: Optional[str] = None, as_json: bool = False) -> None:
    """List what is in an archive."""
    from gaitdyn.archive import curve_names, parse_where, reading
    from gaitdyn.archive.query import count_rows, read_sessions

    conditions = parse_where(where)
    with reading(archive) as connection:
        sessions = read_sessions(connection, conditions)
        names = curve_names(connection)
        counts = count_rows(connection) if as_json else {}
    if as_json:
        rows = [row._asdict() for row in sessions]
        answer_document({"rows": counts, "sessions": rows, "curves": dict(names)}, allow_nan=False)
        return
    for row in sessions:
        condition = f", {row.conditions}" if row.conditions else ""
        counts = f"{counted(row.trials, 'trial')}, {counted(row.cycles, 'cycle')}"
        answer(f"{row.subject} {row.session}: {counts}{condition}")
    people = len({row.subject for row in sessions})
    cycles = counted(sum(r.cycles for r in sessions), "cycle")
    answer(f"{counted(people, 'subject')}, {counted(len(sessions), 'session')}, {cycles}")
    answer(f"curves: {', '.join(name for name, _ in names) or 'none'}")


@app.command("query", help="Show a curve over all cycles: number, mean and SD.")
@with_options("archive-query")
def query(
    archive: Path,
    curve: Optional[str] = None,
    where: Optional[str] = None,
    changed: bool = False,
    norm: Optional[Path] = None,
    repeats: Optional[Path] = None,
    csv: Optional[Path] = None,
    with_names: bool = False,
    force: bool = False,
    as_json: bool = False,
) -> None:
    """Show mean and SD over cycles at 0, 10, ... 100 %; or the changes of each person."""
    from gaitdyn.errors import UsageError

    if changed == (curve is not None):
        found = "a curve and --changed" if changed else "neither a curve nor --changed"
        message = f"found {found}, wanted one of them; `gaitdyn archive ls` lists the curves"
        raise UsageError(message)
    if curve is None:
        _answer_changes(archive, where, norm, repeats, as_json=as_json)
        return
    if norm is not None or repeats is not None:
        raise UsageError("--norm and --repeats are for --changed; leave them out")
    from gaitdyn.archive import parse_where, read_curves, reading, write_curves
    from gaitdyn.archive.curves import known_counts, mean_and_sd, sd_of_people
    from gaitdyn.archive.exported_names import names_in_archive
    from gaitdyn.archive.mixed import mixed_axes, mixed_conditions, mixed_grounds, mixed_sides
    from gaitdyn.archive.query import grounds_of, sessions_alike
    from gaitdyn.catalogue.keys import key_of

    conditions = parse_where(where)
    with reading(archive) as connection:
        curves = read_curves(connection, curve, conditions)
        names = None if with_names else names_in_archive(connection)
        alike = sessions_alike(connection, conditions)
        grounds = grounds_of(connection, conditions)
    columns = (*mean_and_sd(curves), sd_of_people(curves))
    counts = known_counts(curves)
    if csv is not None:
        write_curves(curves, csv, force=force, names=names)
    say(*alike, *mixed_conditions(row.condition for row in curves.rows), *mixed_grounds(grounds))
    say(*mixed_sides(curves.name, (row.side for row in curves.rows)))
    if key_of(curves.name).is_moment:
        say(*mixed_axes(curves.moments_in))
    if as_json:
        answer_document(_curve_document(curves, counts, columns), allow_nan=False)
        return
    _answer_curve(curves, counts, columns)
    if csv is not None:
        answer(f"curves: {csv}")


def _answer_curve(
    curves: CurveSet, counts: tuple[list[int], list[int]], columns: tuple[_Column, _Column, _Column]
) -> None:
    """Print a curve: mean and SD over the cycles and, of several people, the SD between them.

    Numbers of cycles and people that vary over the cycle stand beside them.
    """
    people = len({row.subject for row in curves.rows})
    cycles = counted(len(curves.rows), "cycle")
    answer(f"{curves.name} ({curves.unit}): {cycles} of {counted(people, 'subject')}")
    if not curves.rows:
        say(
            "no cycle has this curve and meets --where; only the newest result of each recording"
            " counts, unless --where has results=all"
        )
    else:
        heads = ("mean", "SD", "SD people")
        shown = dict(zip(heads, columns[: 2 + (people > 1)], strict=False))
        percents = range(0, len(columns[0]), _STEP)
        known = dict(zip(("cycles", "people"), counts, strict=True))
        known = {head: numbers for head, numbers in known.items() if len({*numbers}) > 1}
        size = max(abs(c[i] or 0.0) for c in shown.values() for i in percents)
        digits = max(0, 3 - math.floor(math.log10(size))) if size else 0
        answer(f"{'%':>4s}{''.join(f'{head:>12s}' for head in (*known, *shown))}")
        for i in percents:
            numbers = "".join(f"{column[i]:12d}" for column in known.values())
            answer(f"{i:4d}{numbers}{''.join(_number(c[i], digits) for c in shown.values())}")


def _answer_changes(
    archive: Path, where: str | None, norm: Path | None, repeats: Path | None, *, as_json: bool
) -> None:
    """Print what changed between the sessions of each person."""
    from gaitdyn.archive import parse_where, reading
    from gaitdyn.archive.changes import session_changes
    from gaitdyn.judge.repeats.file import read_repeats
    from gaitdyn.metrics.norms.files import read_norm

    conditions = parse_where(where)
    reference = None if norm is None else read_norm(norm)
    errors = None if repeats is None else read_repeats(repeats)
    with reading(archive) as connection:
        pairs = session_changes(connection, conditions, norm=reference, repeats=errors)
    if as_json:
        rows = [
            {
                **{key: getattr(pair, key) for key in ("subject", "condition", "first", "second")},
                "clear": [f.sentence for f in pair.findings if f.word == "clear"],
                "possible": [f.sentence for f in pair.findings if f.word == "possible"],
            }
            for pair in pairs
        ]
        answer_document({"changes": rows}, allow_nan=False)
        return
    for pair in pairs:
        condition = f", {pair.condition}" if pair.condition else ""
        answer(
            f"{pair.subject}{condition}: {pair.first} to {pair.second}",
            *(f"  {line}" for line in pair.sentences),
        )
    if not pairs:
        answer("nobody has two sessions in the same condition")


@app.command("export", help="Write an archive as a folder of tables.")
@with_options("archive-export")
def export(
    archive: Path,
    out: Path,
    kind: str = "csv",
    where: Optional[str] = None,
    with_names: bool = False,
) -> None:
    """Write trials, cycles, curves, parameters, peaks and quality."""
    from gaitdyn.archive import export_archive, parse_where, reading
    from gaitdyn.archive.export import FORMATS
    from gaitdyn.archive.exported_names import names_in_archive

    check_word("format", kind, FORMATS)
    conditions = parse_where(where)
    with reading(archive) as connection:
        aliases = {} if with_names else names_in_archive(connection).aliases
        counts = export_archive(connection, out, kind, conditions, with_names=with_names)
    nouns = {"quality": "quality finding"}
    rows = ", ".join(
        counted(count, nouns.get(name, name.removesuffix("s"))) for name, count in counts.items()
    )
    answer(f"{out}: {rows}")
    if aliases:
        say(
            f"{counted(len(aliases), 'pseudonym')} found among the names inside the recordings,"
            f" exported as {next(iter(aliases.values()))} and so on; --with-names keeps them"
        )


def _curve_document(
    curves: CurveSet, counts: tuple[list[int], list[int]], columns: tuple[_Column, _Column, _Column]
) -> dict[str, Any]:
    return {
        "curve": curves.name,
        "unit": curves.unit,
        "cycles": len(curves.rows),
        "subjects": len({row.subject for row in curves.rows}),
        "moments_in": list(curves.moments_in),
        "conditions": sorted({row.condition for row in curves.rows}),
        **dict(zip(("cycles_known", "subjects_known"), counts, strict=True)),
        **dict(zip(("mean", "sd", "sd_people"), map(list, columns), strict=True)),
    }


def _number(value: float | None, digits: int) -> str:
    return f"{'-':>12s}" if value is None else f"{value:12.{digits}f}"
