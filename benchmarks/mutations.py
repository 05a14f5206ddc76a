"""Show that no sign and no term of the mechanics can change unseen.

usage: python benchmarks/mutations.py [WORD ...]

Each row of mutations.toml, and each term and sign that mutation_terms.py finds in the files named
there, is a small change that would make results wrong. Each is made by itself in a fork that has
all imported, and the tests of that file are run until one fails, first the one that the page names
from the time before. What no test sees so, and what stands outside of functions, is written into a
copy of the tree and tried again there. The tests that saw a change must pass without any. A change
that no test sees then survives, and the exit code is 1. With WORDs only the changes whose file or
name holds them all; without, reports/validation/mutations.md is written.
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
from functools import partial
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any, NamedTuple

from usage import help_shown

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import forked_tests
import mutation_rows
import mutation_terms
import page
from forked_tests import STOPS, Collected, Fork, Outcome, first_failure_in, forked, with_collected
from swapped_code import Functions, compiled, live_functions, swapped

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
    """Return the changes with the tests that the page names, where they are among theirs.

    A file that has moved since is not on the page: its changes are known by their names alone.
    """
    text = PAGE.read_text(encoding="utf-8") if PAGE.is_file() else ""
    rows = (line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| "))
    named: dict[tuple[str, ...], str] = {}
    for file, name, by in (row for row in rows if len(row) == 3):
        named[file, name] = named[(name,)] = by.partition(STOPS)[0]
    found = []
    for one in every:
        by = named.get((one.file.removeprefix("gaitdyn/"), one.name)) or named.get((one.name,), "")
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


class Warm:
    """Where a change is taken by a fork of this process, which has all tests collected."""

    def __init__(self, tests: Collected, functions: Functions) -> None:
        self._tests, self._functions = tests, functions

    def start(self, mutation: Mutation) -> Fork:
        """Start the tests of a change; ``passed`` where the change cannot be taken so."""
        old = (page.ROOT / mutation.file).read_text(encoding="utf-8")
        module = mutation.file.removesuffix(".py").replace("/", ".")
        compiled(old, module)  # once for all changes of a file: the forks have it

        def work() -> Outcome:
            if not swapped(self._functions, module, old, mutation.text):
                return "passed", "not taken"
            return self._tests.first_failure(mutation.tests, mutation.likely)

        return forked(work)

    def end(self, mutation: Mutation) -> None:
        """Nothing was written."""

    def fit(self, tests: list[str]) -> Fork:
        """Start tests without any change."""
        return forked(partial(self._tests.first_failure, tests))


class Cold:
    """Where a change is written into a copy of the tree, which a fork imports."""

    def __init__(self, copy: Path) -> None:
        self.copy = copy

    def start(self, mutation: Mutation) -> Fork:
        """Make a change and start its tests."""
        (self.copy / mutation.file).write_text(mutation.text, encoding="utf-8")
        return forked(partial(first_failure_in, self.copy, mutation.tests, mutation.likely))

    def end(self, mutation: Mutation) -> None:
        """Take the change out again."""
        shutil.copy2(page.ROOT / mutation.file, self.copy / mutation.file)

    def fit(self, tests: list[str]) -> Fork:
        """Start tests without any change."""
        return forked(partial(first_failure_in, self.copy, tests))


Place = Warm | Cold
Tried = tuple[Mutation, str, str]
"""A change, its outcome, and by which test or error."""


def tried(chosen: list[Mutation], places: list[Place]) -> list[Tried]:
    """Try all changes, as many at once as there are places."""
    waiting, free, found = list(reversed(chosen)), list(places), []
    running: list[tuple[Fork, Place, Mutation]] = []
    while waiting or running:
        while waiting and free:
            mutation, place = waiting.pop(), free.pop()
            running.append((place.start(mutation), place, mutation))
        ready = wait([fork.pipe for fork, _, _ in running])
        for one in [one for one in running if one[0].pipe in ready]:
            fork, place, mutation = one
            outcome, by = fork.outcome()
            place.end(mutation)
            if mutation.made and outcome == "no program":
                outcome = "failed"
            running.remove(one)
            free.append(place)
            found.append((mutation, outcome, by))
    return found


def unfit(places: list[Place], tests: list[str]) -> list[str]:
    """Run the tests without any change, a part in each place; return what fails."""
    parts = [tests[i :: len(places)] for i in range(len(places))]
    forks = [place.fit(part) for place, part in zip(places, parts, strict=True) if part]
    return [name for outcome, name in [one.outcome() for one in forks] if outcome != "passed"]


def needed(chosen: list[Mutation]) -> list[str]:
    """Return the files of tests of all changes."""
    return sorted({test for mutation in chosen for test in mutation.tests})


def witnesses(found: list[Tried]) -> list[str]:
    """Return the tests that saw the changes; all of a change where no test is named."""
    seen = [(one, by.partition(STOPS)[0]) for one, outcome, by in found if outcome != "passed"]
    unnamed = needed([one for one, name in seen if "::" not in name])
    return sorted({name for _, name in seen if "::" in name}.union(unnamed))


def warm(chosen: list[Mutation]) -> tuple[list[Tried], list[str]]:
    """Try all changes in forks that have everything imported; or which tests fail without any."""

    def all_of_them(tests: Collected) -> tuple[list[Tried], list[str]]:
        functions = live_functions()
        places: list[Place] = [Warm(tests, functions) for _ in range(JOBS)]
        found = tried(chosen, places)
        return found, unfit(places, witnesses(found))

    return with_collected(needed(chosen), all_of_them) or ([], ["nothing could be collected"])


def cold(chosen: list[Mutation]) -> tuple[list[Tried], list[str]]:
    """Do so in copies of the tree: they tell also what a change does while it is imported."""
    with tempfile.TemporaryDirectory() as folder:
        copies = [copy_tree(Path(folder) / str(i)) for i in range(min(JOBS, len(chosen)))]
        places: list[Place] = [Cold(copy) for copy in copies]
        found = tried(chosen, places)
        return found, unfit(places, witnesses(found))


def told(found: Tried) -> Tried:
    """Print an outcome and return it in the words of the page."""
    mutation, outcome, by = found
    word = {"passed": "SURVIVED", "failed": "killed", "no program": "BROKEN"}[outcome]
    print(f"{word:8s} {Path(mutation.file).stem:14s} {mutation.name:60s} {by}", flush=True)
    return mutation, word, by


def write_page(found: list[Tried], seconds: float) -> None:
    """Write reports/validation/mutations.md."""
    counts = Counter(outcome for _, outcome, _ in found)
    rows = [
        (m.file.removeprefix("gaitdyn/"), m.name, by if outcome == "killed" else f"**{outcome}**")
        for m, outcome, by in sorted(found, key=lambda f: f[0].file)  # in the order of the source
    ]
    lines = [
        "# What tests see of a wrong term or sign",
        "",
        f"{len(found)} small changes of the mechanics, each made by itself in a fork of the",
        "tests or, outside of functions or if no test sees it there, in a copy of the tree:",
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
    print("\n".join(wrong))
    forked_tests.load_heavy()
    found, bad = warm(chosen)
    left = [mutation for mutation, outcome, _ in found if outcome == "passed"]
    if left:
        print(f"{len(chosen)} changes, {len(left)} of them to be tried in a copy", flush=True)
        again, bad = cold(left)
        found = [one for one in found if one[1] != "passed"] + again
    if bad or len(found) != len(chosen):
        print(f"the tests fail without any change: {', '.join(bad) or 'some were not tried'}")
        return 1
    found = [told(one) for one in sorted(found, key=lambda one: chosen.index(one[0]))]
    unseen = len(wrong) + sum(outcome != "killed" for _, outcome, _ in found)
    seconds = time.perf_counter() - begin
    print(f"{len(chosen)} changes, {unseen} of them not seen, {seconds:.0f} s")
    if len(chosen) == len(every):
        write_page(found, seconds)
    return 1 if unseen else 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
