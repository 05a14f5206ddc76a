"""``gaitdyn norms``: reference sets."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional

from gaitdyn.types.words import counted, some_of
from gaitdyn_cli.console import answer, answer_document, say
from gaitdyn_cli.group import command_group
from gaitdyn_cli.options import with_options
from gaitdyn_cli.progress import steps

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable
    from sqlite3 import Connection

    from gaitdyn.types.norms import MatchedNorm, Norm

app = command_group("norms", "build|list|show")


@app.command("list", help="List the shipped sets and values, or the sets in a folder.")
@with_options("norms-list")
def list_norms(folder: Optional[Path] = None, as_json: bool = False) -> None:
    """List the shipped facts or, for a folder, the files that are reference sets."""
    from dataclasses import asdict

    from gaitdyn.metrics.healthy import reference_facts
    from gaitdyn.metrics.norms.files import read_norm, shipped_norms

    facts = [asdict(fact) for fact in reference_facts()]
    sets, others = _sets(folder) if folder else ([], [])
    if as_json:
        answer_document({"facts": facts, "shipped": list(shipped_norms()), "sets": sets})
        return
    if not folder:
        answer("Reference sets shipped with gaitdyn, for --norm NAME")
        for name in shipped_norms():
            norm = read_norm(name)
            answer(f"  {name}: {', '.join(group.name for group in norm.groups)}")
            answer(f"    {norm.source}")
        answer("Published values")
        for fact in facts:
            spread = "" if fact["sd"] is None else f" ± {fact['sd']:g}"
            unit = "" if fact["unit"] == "1" else f" {fact['unit']}"
            answer(f"  {fact['quantity']}: {fact['value']:g}{spread}{unit}")
            answer(f"    {fact['source']}")
        return
    for entry in sets:
        if entry["name"] in others:
            continue
        groups = ", ".join(group["name"] for group in entry["groups"])
        answer(f"{entry['name']}: {groups}" if groups else f"not read: {entry['problem']}")
    if others:
        answer(f"other tables, not reference sets: {', '.join(others)}")
    if not sets:
        answer("no .csv or .gcd file in the folder")


@app.command("show", help="Show groups, speeds and curves of a reference set.")
@with_options("norms-show")
def show(file: Path, speed: Optional[float] = None, as_json: bool = False) -> None:
    """Show the contents of a reference set and the curves that it lacks."""
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.metrics.norms.speed import match_norm
    from gaitdyn.types.norms import people_told

    _check_speed(speed)
    norm = read_norm(file)
    matched = match_norm(norm, speed) if speed is not None else None
    document = _norm_document(norm, matched)
    if as_json:
        answer_document(document)
        return
    answer(f"{norm.name}: {norm.source}")
    answer(f"people: {_people(norm)}")
    for of_norm, group in zip(norm.groups, document["groups"], strict=True):
        people = people_told(of_norm.bands)
        count = f"n {people}" if people else "number of people not stated"
        pace = "speed not stated" if group["speed"] is None else f"v/sqrt(gL) {group['speed']:.3f}"
        contents = _contents(len(group["curves"]), len(group["numbers"]))
        answer(f"group {group['name']}: {count}, {pace}, {contents}")
    answer(f"curves: {', '.join(document['curves'])}")
    answer(f"lacks: {', '.join(document['lacks']) or 'nothing'}")
    if matched:
        answer(f"matched: {matched.note}")


@app.command("build", help="Make a reference set from control sessions or an archive.")
@with_options("norms-build")
def build(
    out: Path,
    results: Optional[list[Path]] = None,
    archive: Optional[Path] = None,
    where: Optional[str] = None,
    groups: Optional[str] = None,
    source: str = "",
    curves: bool = False,
    force: bool = False,
) -> None:
    """Write mean, SD and number of people of every speed group."""
    import numpy as np

    from gaitdyn.archive import build_norm, parse_where, write_norm
    from gaitdyn.errors import UsageError
    from gaitdyn.metrics.norms.speed_groups import parse_groups
    from gaitdyn.store.single_file import refuse_existing
    from gaitdyn.types.norms import people_told

    if bool(results) == (archive is not None):
        found = "found both" if results else "found neither"
        raise UsageError(f"`gaitdyn norms build` needs results folders or --archive; {found}")
    conditions = parse_where(where)
    parse_groups(groups, np.ones(1))  # before many results are read
    refuse_existing(out, force=force)
    with _controls(results or [], archive) as connection:
        built = build_norm(connection, conditions, groups, source)
    norm = write_norm(built, out, force=force, curves=curves)
    say(*built.notes)
    for group in norm.groups:
        pace = "speed not known" if group.speed is None else f"v/sqrt(gL) {group.speed:.3f}"
        people = people_told(group.bands)
        contents = _contents(len(group.bands), len(group.numbers))
        answer(f"group {group.name}: n {people}, {pace}, {contents}")
    answer(f"norm: {out}")


@contextmanager
def _controls(results: list[Path], archive: Path | None) -> Generator[Connection]:
    """Yield an archive, or results folders as a temporary one in memory."""
    from gaitdyn.archive import add_folders, in_memory, reading, result_folders
    from gaitdyn.errors import ResultsRefused

    if archive is not None:
        with reading(archive) as connection:
            yield connection
        return
    folders = [folder for path in results for folder in result_folders(path)]
    again, told = list[str](), list[str]()
    with in_memory() as connection, steps("norms", once=True) as step:
        for added in add_folders(connection, folders):
            if added.outcome == "refused":
                raise ResultsRefused(added.message)
            again += ["/".join(added.folder.parts[-2:])] if added.outcome == "further" else []
            if added.outcome == "left out":  # what to do is for an archive
                told.append(added.message.partition(";")[0])
            step(added.at, added.of, "the reference set")
        if again:
            told.append(
                f"of several results of one recording the last one counts: {some_of(again)}"
            )
        say(*dict.fromkeys(told))
        yield connection


def _people(norm: Norm) -> str:
    """Return ages, conditions and marker models of the people, and the axes of their moments."""
    from gaitdyn.metrics.norms.ages import ages_words

    known = (
        "ages not stated" if norm.ages is None else ages_words(*norm.ages),
        f"condition {', '.join(norm.conditions)}" if norm.conditions else "",
        f"ground {', '.join(norm.grounds)}" if norm.grounds else "",
        f"model {', '.join(norm.models)}" if norm.models else "",
        f"moments in {norm.moments_in} axes",
        f"shanks aligned with {norm.shank}" if norm.shank else "",
    )
    return "; ".join(words for words in known if words)


def _contents(curves: int, numbers: int) -> str:
    """Return how many curves, gait parameters and peaks a group has."""
    peaks = f", {numbers} gait parameters and peaks" if numbers else ""
    return f"{counted(curves, 'curve')}{peaks}"


def _check_speed(speed: float | None) -> None:
    from gaitdyn.errors import UsageError

    if speed is not None and not 0 < speed < float("inf"):
        raise UsageError(f"--speed {speed:g}: wanted v / sqrt(g L) above 0, such as 0.43")


def _sets(folder: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """Describe each CSV or .gcd file of a folder, or state why it is not read.

    The second value has the names of those that are other tables.
    """
    from gaitdyn.errors import NormRefused, NotANorm
    from gaitdyn.metrics.norms.files import read_norm
    from gaitdyn.metrics.norms.people import ENDING

    if not folder.is_dir():
        found = "a file" if folder.is_file() else "no such folder"
        raise NormRefused(f"{folder}: found {found}; wanted a folder with .csv or .gcd files")
    sets: list[dict[str, Any]] = []
    others: list[str] = []
    for path in sorted(folder.iterdir()):
        if path.suffix.lower() not in {".csv", ".gcd"} or path.name.endswith(ENDING):
            continue
        try:
            sets.append({**_norm_document(read_norm(path), None), "problem": ""})
        except NormRefused as error:
            sets.append({"name": path.name, "groups": [], "problem": str(error)})
            others += [path.name] if isinstance(error, NotANorm) else []
    return sets, others


def _norm_document(norm: Norm, matched: MatchedNorm | None) -> dict[str, Any]:
    """Return the contents of a reference set and what it lacks, as plain values."""
    from dataclasses import asdict

    from gaitdyn.metrics.norms.curve_names import UNITS

    groups = [
        {
            "name": g.name,
            "speed": g.speed,
            "count": g.count,
            "curves": _in_order(g.bands),
            "numbers": {name: asdict(number) for name, number in g.numbers.items()},
        }
        for g in norm.groups
    ]
    present = _in_order({name for group in norm.groups for name in group.bands})
    document: dict[str, Any] = {
        "name": norm.name,
        "source": norm.source,
        "sha256": norm.sha256,
        "ages": norm.ages,
        "conditions": norm.conditions,
        "grounds": norm.grounds,
        "models": norm.models,
        "moments_in": norm.moments_in,
        "shank": norm.shank,
        "groups": groups,
        "curves": present,
        "lacks": [name for name in UNITS if name not in present],
    }
    if matched:
        curves = _in_order(matched.bands)
        document["matched"] = {"note": matched.note, "count": matched.count, "curves": curves}
    return document


def _in_order(names: Iterable[str]) -> list[str]:
    from gaitdyn.metrics.norms.curve_names import UNITS

    return sorted(names, key=list(UNITS).index)
