"""Show that no sign and no term of the mechanics can change unseen.

usage: python benchmarks/mutations.py [WORD ...]

Each row of mutations.toml, and each term and sign that mutation_terms.py finds in the files named
there, is a small change that would make results wrong. The tree is copied, each change is made in
a copy by itself, and the tests of that file are run until one fails, first the one that the page
names from the time before. A change that no test sees survives, and the exit code is then 1. With
WORDs only the changes whose file or name holds them all; without, reports/validation/mutations.md
is written.
"""

from __future__ import annotations

import os
import py_compile
import shutil
import sys
import tempfile
import time
import tomllib
from collections import Counter
from multiprocessing import Pipe
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, NamedTuple

from usage import help_shown

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import forked_tests
import mutation_rows
import mutation_terms
import page

DATA = Path(__file__).with_suffix(".toml")
COPIED = ("gaitdyn", "cli", "data", "docs", "tests", "benchmarks", "pyproject.toml")
JOBS = os.cpu_count() or 1
PAGE = page.FOLDER / "mutations.md"


class Mutation(NamedTuple):
    """What is changed, where, the text of the whole file after it, the tests that should see it."""

    name: str
    file: str
    text: str
    tests: list[str]
    made: bool = False
    """By mutation_terms.py: it is a program, and where it stops that is seen."""
    likely: str = ""
    """The test that saw it the time before."""


class Run(NamedTuple):
    """A fork at work: its change, its copy and where its outcome will come from."""

    mutation: Mutation
    copy: Path
    pipe: Connection
    child: int


def mutations(data: dict[str, Any]) -> tuple[list[Mutation], list[str]]:
    """Return all changes, and what is wrong with rows that do not fit their file."""
    found, wrong = [], []
    for file, table in data["file"].items():
        text = (page.ROOT / file).read_text(encoding="utf-8")
        for symbol, name, old, new in table["rows"]:
            try:
                new_text = mutation_rows.changed(text, symbol, old, new)
            except ValueError as error:
                wrong.append(f"{file}: {name}: {error}")
            else:
                found.append(Mutation(name, file, new_text, table["tests"]))
    files = sorted({p for pattern in data["terms"] for p in page.ROOT.glob(pattern)})
    for path in files:
        file, text = path.relative_to(page.ROOT).as_posix(), path.read_text(encoding="utf-8")
        tests = data["file"].get(file, {"tests": data["tests"]})["tests"]
        for change in mutation_terms.changes(text):
            name = f"`{change.name}`"
            if [file, change.name] not in [row[:2] for row in data["no_change"]]:
                new = mutation_terms.applied(text, change)
                found.append(Mutation(name, file, new, tests, made=True))
    return found, wrong


def seen_before(every: list[Mutation]) -> list[Mutation]:
    """Return the changes with the tests that the page names, where they are among theirs."""
    text = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    rows = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| "))
    named = {(row[0], row[1]): row[2] for row in rows if len(row) == 3 and "::" in row[2]}
    found = []
    for one in every:
        by = named.get((one.file.removeprefix("gaitdyn/"), one.name), "")
        found.append(one._replace(likely=by if by.partition("::")[0] in one.tests else ""))
    return found


def copy_tree(folder: Path) -> Path:
    """Return a copy of the tree, compiled by content, with ../shared beside it."""
    copy = folder / "main"
    copy.mkdir(parents=True)
    for name in COPIED:
        source = page.ROOT / name
        if source.is_dir():
            shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, copy / name)
    for path in (copy / "gaitdyn").rglob("*.py"):
        py_compile.compile(str(path), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH)
    if page.SHARED.is_dir():
        (folder / "shared").symlink_to(page.SHARED.resolve())
    return copy


def started(mutation: Mutation, copy: Path, *, keep: bool = False) -> Run:
    """Make a change in a copy and start its tests."""
    if mutation.file:
        (copy / mutation.file).write_text(mutation.text, encoding="utf-8")
    mine, theirs = Pipe(duplex=False)
    child = forked_tests.forked(copy, mutation.tests, theirs, mutation.likely, keep=keep)
    theirs.close()
    return Run(mutation, copy, mine, child)


def ended(run: Run) -> tuple[str, str]:
    """Take the outcome of a fork, and the change out of its copy again."""
    try:
        outcome = run.pipe.recv()
    except EOFError:
        outcome = "failed", f"no end within {forked_tests.SECONDS} s"
    run.pipe.close()
    os.waitpid(run.child, 0)
    if run.mutation.file:
        shutil.copy2(page.ROOT / run.mutation.file, run.copy / run.mutation.file)
    return outcome


def tried(chosen: list[Mutation], copies: list[Path]) -> list[tuple[Mutation, str, str]]:
    """Try all changes, as many at once as there are copies, and print each outcome."""
    words = {"passed": "SURVIVED", "failed": "killed", "no program": "BROKEN"}
    waiting, running, found = list(reversed(chosen)), [], []
    while waiting or running:
        while waiting and copies:
            running.append(started(waiting.pop(), copies.pop()))
        ready = wait([run.pipe for run in running])
        for run in [r for r in running if r.pipe in ready]:
            outcome, by = ended(run)
            if run.mutation.made and outcome == "no program":
                outcome, by = "failed", f"stops: {by}"
            running.remove(run)
            copies.append(run.copy)
            found.append((run.mutation, words[outcome], by))
            stem = Path(run.mutation.file).stem
            print(f"{words[outcome]:8s} {stem:14s} {run.mutation.name:60s} {by}", flush=True)
    return found


def fit(copies: list[Path], needed: list[str]) -> str:
    """Run the tests without any change, a part in each copy; return which failed, or nothing.

    What was compiled on the way is there in all copies afterwards.
    """
    nothing = Mutation("nothing", "", "", [])
    parts = [needed[i :: len(copies)] for i in range(len(copies))]
    runs = [
        started(nothing._replace(tests=part), copy, keep=True)
        for copy, part in zip(copies, parts, strict=True)
        if part
    ]
    bad = [name for outcome, name in map(ended, runs) if outcome != "passed"]
    for one in copies:
        for made in one.rglob("__pycache__/*.pyc"):
            for other in copies:
                to = other / made.relative_to(one)
                if not to.exists():
                    to.parent.mkdir(exist_ok=True)
                    shutil.copy2(made, to)
    return ", ".join(bad)


def write_page(found: list[tuple[Mutation, str, str]], seconds: float) -> None:
    """Write reports/validation/mutations.md."""
    counts = Counter(outcome for _, outcome, _ in found)
    rows = [
        (m.file.removeprefix("gaitdyn/"), m.name, by if outcome == "killed" else f"**{outcome}**")
        for m, outcome, by in sorted(found, key=lambda f: f[0].file)  # in the order of the source
    ]
    lines = [
        "# What tests see of a wrong term or sign",
        "",
        f"{len(found)} small changes of the mechanics, each made by itself in a copy of the tree:",
        f"{counts['killed']} were noticed by a test, {counts['SURVIVED']} survived and",
        f"{counts['BROKEN']} made no program. It took {seconds:.0f} s.",
        "Rows in words are from benchmarks/mutations.toml; rows in code are made by",
        "benchmarks/mutation_terms.py of every sum, minus, cross product, transpose and rotation",
        "in `dynamics`, `kinematics` and the plates of `io`. `gone`: the term is dropped;",
        "`turned`: its sign is changed. Changes that change nothing stand in the toml with the",
        "reason.",
        "",
        *page.stamp("python benchmarks/mutations.py", "pytest", "hypothesis", "pin", "mujoco"),
        *page.table(("file", "what is changed", "noticed by"), rows),
    ]
    page.write("mutations", lines)


def main() -> int:
    """Try the chosen changes, print the table, write the page."""
    begin, data = time.perf_counter(), tomllib.loads(DATA.read_text(encoding="utf-8"))
    every, wrong = mutations(data)
    chosen = [
        m for m in seen_before(every) if all(word in f"{m.file} {m.name}" for word in sys.argv[1:])
    ]
    forked_tests.load_heavy()
    print("\n".join(wrong))
    with tempfile.TemporaryDirectory() as folder:
        copies = [copy_tree(Path(folder) / str(i)) for i in range(JOBS)]
        needed = sorted({test for m in chosen for test in m.tests})
        if name := fit(copies, needed):
            print(f"the tests fail without any change: {name}")
            return 1
        found = sorted(tried(chosen, copies), key=lambda f: chosen.index(f[0]))
    bad = len(wrong) + sum(outcome != "killed" for _, outcome, _ in found)
    seconds = time.perf_counter() - begin
    print(f"{len(chosen)} changes, {bad} of them not seen, {seconds:.0f} s")
    if len(chosen) == len(every):
        write_page(found, seconds)
    return 1 if bad else 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
