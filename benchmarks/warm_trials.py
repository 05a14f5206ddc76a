"""What one more trial costs a batch that runs, beside a loop that is slower where trials are.

usage: python benchmarks/warm_trials.py [--against FOLDER]

Copies the synthetic walk of ``data`` as sessions of twenty and, where ../shared is there, the
whole-body files of its McGill folder; each copy has another number behind its data, so that no two
are one file. ``gaitdyn batch`` runs on a session of six walks, and on that session and a whole set:
the difference is what warm trials take. The processor time is put beside that of the textbook's
inverse dynamics as a Python loop, taken before and after: both are Python that calls numpy on small
arrays, and the limits of trials per second were set on a machine whose loop is on record. The unit
is rough: where the loop is twice as fast, trials are not, which also wait for memory, the disk and
the system. With ``--against`` another tree of gaitdyn takes turns with this one. Prints the section
that benchmarks/batch.py puts on its page.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import suppress
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import page
from yardstick import LOOP_PAGE, LOOP_US, loop_us

if TYPE_CHECKING:
    from collections.abc import Callable

WHOLE_BODY = "corpus", "gait", "McGill"
TURNS = 2
"""How often times are compared; the turn with the least ratio counts."""
PER_SESSION = 20
FIRST = 6
"""Walks of the session with which both batches begin: their programs load what they need."""
WALKS = 6
"""Of a person whose files are a session."""
PERSON = slice(0, 6)
"""Where the name of a file says whose it is."""
KINDS = {"tables alone": ("--report", "none"), "with a page": ("--report", "html")}
LIMITS = {"tables alone": 12, "with a page": 9}
"""Trials per second and core."""
BATCHES = "few", "many"
"""Folders whose times are compared."""
PR_SET_CHILD_SUBREAPER = 36
"""Of Linux."""


class Warm(NamedTuple):
    """Processor time of a warm trial, ms, and of a frame of the loop beside it, us."""

    trial_ms: float
    loop_us: float

    @property
    def frames(self) -> float:
        """Frames of the loop in the time of a trial."""
        return 1000 * self.trial_ms / self.loop_us


def adopt_orphans() -> None:
    """Let this process inherit, and so wait for, processes whose parents end before them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_all() -> None:
    """Wait for every child, so that its processor time counts."""
    with suppress(ChildProcessError):
        while True:
            os.wait()


def processor_s(tree: Path, sessions: Path, *words: str) -> tuple[float, int]:
    """Return the processor time of a batch by a tree of gaitdyn, s, and its trials."""
    command = [sys.executable, "-P", "-m", "gaitdyn_cli.app", "batch", str(sessions), "--jobs", "1"]
    with tempfile.TemporaryDirectory() as out:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        whole = [*command, "-o", out, "--quiet", *words]
        subprocess.run(whole, env=environment(tree), check=True)
        wait_for_all()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = len(list(Path(out).glob("*/*/result.json")))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def a_session_each(place: Path, number: int, people: int | None = None) -> None:
    """Write a session of each of these people: the static, and the last walk several times."""
    files = sorted(page.SHARED.joinpath(*WHOLE_BODY).glob("*.c3d"))
    of_each = groupby(files, key=lambda file: file.name[PERSON])
    for person, own in islice(of_each, people):
        static, *_, walk = own
        session = place / f"{person}-{number:04d}"
        write_copy(static, session / static.name, number)
        for i in range(WALKS):
            write_copy(walk, session / f"{walk.stem}-{i}.c3d", number * WALKS + i)


def write_copy(file: Path, to: Path, number: int) -> None:
    """Copy a recording so that no two copies are one file: one block behind the data, not read."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(file.read_bytes() + number.to_bytes(4, "little") + bytes(508))


def usual_walks(place: Path, number: int, walks: int = PER_SESSION) -> None:
    """Write a session of copies of the synthetic walk of ``data`` with its static."""
    data, session = page.ROOT / "data", place / f"S{number:04d}"
    write_copy(data / "static.c3d", session / "static.c3d", number)
    for i in range(walks):
        write_copy(data / "walk01.c3d", session / f"walk{i:02d}.c3d", number * PER_SESSION + i)


USUAL = "usual walk, twenty a session"
SETS: dict[str, tuple[Callable[..., None], int]] = {
    USUAL: (usual_walks, FIRST),
    "whole body, six walks a session": (a_session_each, 1),
}
"""Files -> what writes a set of them, and how many walks or people both batches begin with."""


def two_batches(place: Path, files: str) -> None:
    """Write the folders of both batches: a session, and that session with a set of files."""
    write, first = SETS[files]
    for name in BATCHES:
        write(place / name, 0, first)
    write(place / BATCHES[1], 1)


def warm(trees: list[Path], place: Path, words: tuple[str, ...]) -> list[Warm]:
    """Return the cost of a warm trial by each tree: that of many trials less that of few."""
    found = []
    for tree in trees:
        before = loop_us()
        few, many = (processor_s(tree, place / name, *words) for name in BATCHES)
        each = 1000 * (many[0] - few[0]) / (many[1] - few[1])
        found.append(Warm(each, (before + loop_us()) / 2))
    return found


def warm_trials(trees: list[Path], sets: list[str]) -> dict[tuple[str, str], list[Warm]]:
    """Return files and output -> the cost of a warm trial by each tree."""
    workers = ProcessPoolExecutor(2, initializer=adopt_orphans)
    with tempfile.TemporaryDirectory() as name, workers as pool:
        turns: dict[tuple[str, str], list[Future[list[Warm]]]] = {}
        for files in sets:
            place = Path(name) / files
            two_batches(place, files)
            for kind, words in KINDS.items():
                turns[files, kind] = [pool.submit(warm, trees, place, words) for _ in range(TURNS)]
        found = {case: [turn.result() for turn in of] for case, of in turns.items()}
    return {
        case: [min(each, key=lambda one: one.frames) for each in zip(*of, strict=True)]
        for case, of in found.items()
    }


def limit_frames(kind: str) -> float:
    """Return the most frames of the loop that a trial may take."""
    return 1e6 / LIMITS[kind] / LOOP_US


def section(against: Path | None = None) -> list[str]:
    """Return the section on warm trials, that on whole bodies only where their files are."""
    sets = list(SETS) if page.need_shared(*WHOLE_BODY) else [USUAL]
    found = warm_trials([page.ROOT, *([] if against is None else [against])], sets)
    head = ("files", "output", "ms a trial", "trials/s and core", "us a frame of the loop",
            "frames a trial", "limit", "of the other tree's")  # fmt: skip
    rows = [
        (*what, f"{one.trial_ms:.0f}", f"{1000 / one.trial_ms:.1f}", f"{one.loop_us:.0f}",
         f"{one.frames:.0f}", f"{limit_frames(what[1]):.0f}",
         f"{one.frames / other[0].frames:.2f}" if other else "")
        for what, (one, *other) in found.items()
    ]  # fmt: skip
    told = "" if against is None else f" The other tree is {revision(against)}."
    tables, paged = (LIMITS[kind] for kind in KINDS)
    return [
        "",
        "## A warm trial, beside a Python loop",
        "",
        "Processor time of one more trial, planning and all processes included; the whole-body",
        "files are McGill's (trunk, arms, electromyography). The loop is that of",
        "[speed](speed.md), before and after each turn: a slower machine takes longer for both.",
        f"The limits ({tables} trials per second and core with tables, {paged} with a page) are in",
        f"its frames, of which one took {LOOP_US} us on the machine where they were set (speed.md",
        f"in {LOOP_PAGE}). The unit is rough: where the loop is twice as fast, trials are not,",
        "which also wait for memory, disk and system.",
        f"The better of {TURNS} turns, two batches at a time.{told}",
        "",
        *page.table(head, rows),
    ]


def revision(tree: Path) -> str:
    """Return which commit a tree is."""
    words = ["git", "-C", str(tree), "log", "-1", "--format=%h of %cs"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


def environment(tree: Path) -> dict[str, str]:
    """Return the environment of a command of a tree of gaitdyn."""
    path = [str(tree), str(tree / "cli"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", type=Path, help="another tree of gaitdyn, for a ratio")
    against = parser.parse_args().against
    print("\n".join(section(against and against.resolve())))


if __name__ == "__main__":
    main()
