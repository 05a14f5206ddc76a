"""Run tests against a changed copy of the tree, in a fork that has the heavy packages loaded."""

from __future__ import annotations

import importlib
import os
import re
import signal
import sys
import warnings
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from pathlib import Path

HEAVY = (
    "numpy", "scipy.linalg", "scipy.spatial.transform", "scipy.optimize", "hypothesis.strategies",
    "_hypothesis_pytestplugin", "ezc3d", "pinocchio", "mujoco",
)  # fmt: skip
SECONDS = 180
PROFILE = "fails once"
"""Of hypothesis: what makes a test fail is neither made smaller nor kept."""
REWRITE = "ignore::pytest.PytestAssertRewriteWarning"  # of plugins that are loaded already
NO_PROGRAM = re.compile(
    r"^E +((?:Name|Import|Attribute|Syntax|Type|Index|UnboundLocal)Error.*)", re.MULTILINE
)


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


def first_failure(
    copy: Path, tests: list[str], likely: str = "", *, keep: bool = False
) -> tuple[str, str]:
    """Return ``passed``, ``failed`` or ``no program``, and the first failing test, in this process.

    ``no program``: the change made code that cannot run; nothing was seen of it. The ``likely``
    test, which saw the change before, is tried first; where it passes or is not there all are.
    """
    os.chdir(copy)
    sys.dont_write_bytecode = not keep
    os.environ["PYTHONPATH"] = os.pathsep.join((str(copy), str(copy / "cli")))
    sys.path[:0] = [str(copy), str(copy / "cli")]
    if likely and (told := _tried([likely]))[1] and told[0] != "passed":
        return told
    outcome, name = _tried(tests)
    return outcome, name or outcome


def _tried(names: list[str]) -> tuple[str, str]:
    """Return the outcome of tests and the first that fails; empty where none did."""
    watcher = Watcher()
    words = ["-x", "-q", "-p", "no:cacheprovider", "-W", REWRITE, "-m", "slow or not slow"]
    words += ["--hypothesis-profile", PROFILE, *(f"tests/{name}" for name in names)]
    code = pytest.main(words, plugins=[watcher])
    if slip := NO_PROGRAM.search(watcher.text):
        return "no program", slip[1]
    return ("passed" if code == pytest.ExitCode.OK else "failed"), watcher.name


def forked(
    copy: Path, tests: list[str], pipe: Connection, likely: str = "", *, keep: bool = False
) -> int:
    """Fork, run the tests, send the outcome; return the process id to the parent."""
    child = os.fork()
    if child:
        return child
    quiet = os.open(os.devnull, os.O_WRONLY)
    os.dup2(quiet, 1)
    os.dup2(quiet, 2)
    signal.alarm(SECONDS)
    try:
        pipe.send(first_failure(copy, tests, likely, keep=keep))
    except BaseException as stop:  # noqa: BLE001  a fork must not go on as its parent
        pipe.send(("no program", repr(stop)))
    os._exit(0)
