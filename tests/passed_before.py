"""The gate runs the tests twice, the second time with more installed: what passed is left out then.

``GAITDYN_TESTS_PASSED`` names the file that the first run writes; with ``GAITDYN_TESTS_REST`` a run
leaves out what is in it. A file of tests all of which passed is not even imported.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pytest

PASSED, REST = (os.environ.get(f"GAITDYN_TESTS_{name}") for name in ("PASSED", "REST"))
if "PYTEST_XDIST_WORKER" in os.environ:
    for _name in ("PASSED", "REST"):  # not for what a test starts
        os.environ.pop(f"GAITDYN_TESTS_{_name}", None)


LONGEST = (
    "tests/real/test_fuzz.py", "tests/docs/test_code_blocks.py", "tests/cli/test_batch.py",
    "tests/cli/test_writers.py", "tests/property/test_laboratories.py",
    "tests/unit/test_uncertainty.py", "tests/unit/test_symbolic.py",
    "tests/unit/test_symbolic_bodies.py", "tests/unit/test_whole_results.py",
)  # fmt: skip
"""Files of slow tests that both runs begin with: one that is begun last keeps the others waiting
for its end."""


def file_of(nodeid: str) -> str:
    """Return the file of a test."""
    return nodeid.partition("::")[0]


def longest_first(items: list[pytest.Item]) -> None:
    """Put the tests of long files first."""
    items.sort(key=lambda item: file_of(item.nodeid) not in LONGEST)


class Written:
    """The tests that passed and the files that hold others, as a first run writes them down."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, kind: Literal["passed", "others"], what: Iterable[str]) -> None:
        """Write more of a kind: tests that passed, or files that hold others."""
        lines = "".join(f"{kind} {one!r}\n" for one in what)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(lines)

    def of(self, kind: Literal["passed", "others"]) -> set[str]:
        """Return what was written of a kind, as ``repr`` gives it."""
        lines = self._path.read_text(encoding="utf-8").splitlines()
        return {line.partition(" ")[2] for line in lines if line.startswith(f"{kind} ")}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write down how a test ended; what went wrong around a test counts as another end."""
        if report.when == "call" and report.passed and not hasattr(report, "wasxfail"):
            self.add("passed", [report.nodeid])
        elif report.when == "call" or not report.passed:
            self.add("others", [file_of(report.nodeid)])

    def pytest_deselected(self, items: list[pytest.Item]) -> None:
        """Write down the files of tests that are not run."""
        self.add("others", sorted({file_of(item.nodeid) for item in items}))


class WrittenByWorker(Written):
    """What a worker alone knows: how tests end, the process that has the workers writes."""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Leave it to the other."""


class LeftOut:
    """A second run, without what passed in the first."""

    def __init__(self, written: Written) -> None:
        self._passed = written.of("passed")
        others = written.of("others")
        files = {repr(file_of(one[1:])) for one in self._passed}
        self._done = files - others

    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Do not import a file of which every test passed."""
        path = collection_path
        if path.suffix == ".py" and path.is_relative_to(config.rootpath):
            return repr(path.relative_to(config.rootpath).as_posix()) in self._done or None
        return None

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out the tests that passed of the other files."""
        done = [item for item in items if repr(item.nodeid) in self._passed]
        config.hook.pytest_deselected(items=done)
        items[:] = [item for item in items if repr(item.nodeid) not in self._passed]


def plugin_of(config: pytest.Config) -> object | None:
    """Return what a run does about the tests that passed, None where it does nothing."""
    if not PASSED:
        return None
    path, worker = Path(PASSED), getattr(config, "workerinput", None)
    if REST:
        return LeftOut(Written(path)) if path.exists() else None
    if worker is None:
        return None if path.exists() else Written(path)
    return WrittenByWorker(path) if worker["workerid"] == "gw0" else None
