"""Run tests against a changed source, each change in a fork of its own.

Warm: of a process that has imported and collected all that is needed; the fork takes the changed
functions (``swapped_code``). Cold: the fork has the heavy packages loaded and imports a copy of the
tree in which the change was written.
"""

from __future__ import annotations

import importlib
import os
import re
import signal
import sys
import warnings
from collections import defaultdict
from itertools import pairwise
from multiprocessing import Pipe
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import hypothesis
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from multiprocessing.connection import Connection
    from pathlib import Path

HEAVY = (
    "numpy", "scipy.linalg", "scipy.spatial.transform", "scipy.optimize", "hypothesis.strategies",
    "_hypothesis_pytestplugin", "ezc3d", "pinocchio", "mujoco",
)  # fmt: skip
SECONDS, PATIENCE = 180, 10
"""Of processor time that a fork may take, and how many times as long by the clock."""
PROFILE = "fails once"
"""Of hypothesis: what makes a test fail is neither made smaller nor kept."""
REWRITE = "ignore::pytest.PytestAssertRewriteWarning"  # of plugins that are loaded already
FREED = "ignore::pytest.PytestUnraisableExceptionWarning"  # at the end of a fork: of no test
WORDS = (
    "-x", "-q", "-p", "no:cacheprovider", "-W", REWRITE, "-W", FREED, "-m", "slow or not slow",
    "--hypothesis-profile", PROFILE, "--tb", "native",
)  # fmt: skip
"""Of pytest; its own tracebacks look for the source among all modules, in every fork anew."""
NO_PROGRAM = re.compile(
    r"^(?:E +)?((?:Name|Import|Attribute|Syntax|Type|Index|UnboundLocal)Error.*)", re.MULTILINE
)
STOPS = " stops: "
"""Between a test and the error of a program that stops in it."""

T = TypeVar("T")
Outcome = tuple[str, str]
"""``passed``, ``failed`` or ``no program`` (code that cannot run), and the test that failed."""


def load_heavy() -> None:
    """Import what every fork would import; what is not installed is left to the tests."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in HEAVY:
            try:
                importlib.import_module(name)
            except ImportError:
                continue
    hypothesis.settings.register_profile(
        PROFILE,
        deadline=None,
        database=None,
        derandomize=True,
        phases=(hypothesis.Phase.explicit, hypothesis.Phase.generate),
    )


class Watcher:
    """Keeps the first test that fails and what pytest says of it."""

    def __init__(self) -> None:
        self.name, self.text = "", ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the report of a failed test."""
        self._keep(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Keep the report of a file that cannot be imported."""
        self._keep(report)

    def _keep(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.name:
            self.name = report.nodeid.removeprefix("tests/")
            self.text = str(report.longrepr)

    def outcome(self) -> Outcome | None:
        """Return what a failed test means, None where none failed."""
        if slip := NO_PROGRAM.search(self.text):
            return "no program", f"{self.name}{STOPS}{slip[1]}"
        return ("failed", self.name) if self.name else None


class Collected(Watcher):
    """Tests that this process has imported and collected, to be run in forks of it."""

    def __init__(self, then: Callable[[Collected], object]) -> None:
        super().__init__()
        self._then, self._items = then, defaultdict[str, list[pytest.Item]](list)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do what is to be done with the tests, instead of running them."""
        from tests.command_server import open_doors

        for item in session.items:
            name = item.nodeid.removeprefix("tests/")
            self._items[name].append(item)
            self._items[name.partition("::")[0]].append(item)
        open_doors()
        self._then(self)
        return True

    def first_failure(self, tests: list[str], likely: str = "") -> Outcome:
        """Run tests, by file or by name, in this process until one fails, first the likely one."""
        items = [item for name in tests for item in self._items[name]]
        items.sort(key=lambda item: item.nodeid != f"tests/{likely}")
        for item, following in pairwise([*items, None]):
            assert item is not None  # noqa: S101  for the types alone
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if told := self.outcome():
                return told
        return "passed", "passed"


def with_collected(tests: list[str], then: Callable[[Collected], T]) -> T | None:
    """Import and collect files of tests in a fork and do there what is to be done with them.

    This process stays without them: it can still be forked for a copy of the tree.
    """
    mine, theirs = Pipe(duplex=False)
    child = os.fork()
    if child:
        theirs.close()
        try:
            return mine.recv()
        except EOFError:
            return None
        finally:
            os.waitpid(child, 0)
    collected = Collected(lambda tests: theirs.send(then(tests)))
    try:
        pytest.main([*WORDS, *(f"tests/{name}" for name in tests)], plugins=[collected])
    finally:
        os._exit(0)


def first_failure_in(copy: Path, tests: list[str], likely: str = "") -> Outcome:
    """Run tests of a copy of the tree in this process until one fails, first the likely test.

    What is compiled is kept in the copy.
    """
    os.chdir(copy)
    sys.dont_write_bytecode = False
    os.environ["PYTHONPATH"] = os.pathsep.join((str(copy), str(copy / "cli")))
    sys.path[:0] = [str(copy), str(copy / "cli")]
    if likely and (told := _tried([likely]))[1] and told[0] != "passed":
        return told
    outcome, name = _tried(tests)
    return outcome, name or outcome


def _tried(names: list[str]) -> Outcome:
    """Return the outcome of tests and the first that fails; empty where none did."""
    watcher = Watcher()
    code = pytest.main([*WORDS, *(f"tests/{name}" for name in names)], plugins=[watcher])
    return watcher.outcome() or ("passed" if code == pytest.ExitCode.OK else "failed", "")


class Fork(NamedTuple):
    """A fork at work, and where its outcome will come from."""

    pipe: Connection
    child: int

    def outcome(self) -> Outcome:
        """Wait for its end; one that takes too long or dies has failed."""
        try:
            told = self.pipe.recv()
        except EOFError:
            told = "failed", f"no end within {SECONDS} s of processor time"
        self.pipe.close()
        os.waitpid(self.child, 0)
        return told


def forked(work: Callable[[], Outcome]) -> Fork:
    """Start some work in a fork of this process."""
    mine, theirs = Pipe(duplex=False)
    child = os.fork()
    if child:
        theirs.close()
        return Fork(mine, child)
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    signal.alarm(PATIENCE * SECONDS)
    try:
        theirs.send(work())
    except BaseException as stop:  # noqa: BLE001  a fork must not go on as its parent
        theirs.send(("no program", repr(stop)))
    os._exit(0)
