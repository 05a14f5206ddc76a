"""A run of the rest leaves out what passed before, and nothing else."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.passed_before import LONGEST, LeftOut, Written, longest_first


def told(nodeid: str, outcome: str, when: str = "call", **words: Any) -> Any:
    return SimpleNamespace(
        nodeid=nodeid, when=when, outcome=outcome, passed=outcome == "passed", **words
    )


@pytest.fixture
def written(tmp_path: Path) -> Written:
    first = Written(tmp_path / "passed.txt")
    for name in ("whole", "skips", "breaks", "fails", "wrong"):
        first.pytest_runtest_logreport(told(f"tests/{name}.py::setup", "passed", "setup"))
        first.pytest_runtest_logreport(told(f"tests/{name}.py::test[a\\n'b']", "passed"))
    first.pytest_runtest_logreport(told("tests/skips.py::other", "skipped", "setup"))
    first.pytest_runtest_logreport(told("tests/breaks.py::other", "failed", "teardown"))
    first.pytest_runtest_logreport(told("tests/fails.py::other", "failed"))
    first.pytest_runtest_logreport(told("tests/wrong.py::other", "passed", wasxfail="known"))
    slow: Any = SimpleNamespace(nodeid="tests/slow.py::test")
    first.pytest_runtest_logreport(told("tests/slow.py::quick", "passed"))
    first.pytest_deselected([slow])
    return first


@pytest.mark.parametrize(
    ("name", "left_out"),
    [("whole", True), ("skips", None), ("breaks", None), ("fails", None), ("wrong", None),
     ("slow", None), ("never_seen", None)],
)  # fmt: skip
def test_only_a_file_all_of_which_passed_is_not_imported(
    written: Written, tmp_path: Path, name: str, left_out: bool | None
) -> None:
    config: Any = SimpleNamespace(rootpath=tmp_path)
    path = tmp_path / "tests" / f"{name}.py"
    assert LeftOut(written).pytest_ignore_collect(path, config) is left_out


def of_second_run(written: Written, names: list[str]) -> tuple[list[str], list[str]]:
    """Return which tests of some names a second run leaves out, and which it runs, in order."""
    gone: list[Any] = []

    def deselected(items: list[Any]) -> None:
        gone.extend(items)

    config: Any = SimpleNamespace(hook=SimpleNamespace(pytest_deselected=deselected))
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
    LeftOut(written).pytest_collection_modifyitems(config, items)
    return [item.nodeid for item in gone], [item.nodeid for item in items]


def test_of_other_files_the_tests_that_passed_are_left_out(written: Written) -> None:
    names = ["tests/skips.py::test[a\\n'b']", "tests/skips.py::other", "tests/wrong.py::other"]
    assert of_second_run(written, names) == (names[:1], names[1:])


def test_a_run_of_all_begins_with_the_files_that_take_longest() -> None:
    names = ["tests/a.py::one", "tests/b.py::one", f"{LONGEST[0]}::one", f"{LONGEST[0]}::two"]
    items: list[Any] = [SimpleNamespace(nodeid=name) for name in names]
    longest_first(items)
    assert [item.nodeid for item in items] == [*names[2:], *names[:2]]
    root = Path(__file__).parents[2]
    assert [name for name in LONGEST if not (root / name).is_file()] == []
