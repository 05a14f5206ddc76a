"""A module that is imported takes the functions of a changed source, or says that it cannot."""

from __future__ import annotations

import importlib
import sys
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
pytestmark = pytest.mark.skipif(
    not BENCHMARKS.is_dir(), reason="benchmarks are not in a source distribution"
)
NUMBERS = count()
SOURCE = """
from functools import cache

LIMIT = 2

def below(x, limit=LIMIT):
    return x < limit

@cache
def twice(x):
    return 2 * x

class Box:
    def side(self, x):
        return [abs(y) for y in (x, -x)]

alike = [lambda x: x, lambda x: x]
"""
AT_IMPORT = {
    "constant": ("LIMIT = 2", "LIMIT = 3"),
    "default": ("limit=LIMIT", "limit=7"),
    "decorator": ("@cache\n", ""),
    "class": ("class Box", "class Crate"),
    "two-alike": ("lambda x: x]", "lambda x: -x]"),
    "nothing": ("2 * x", "2  *  x"),
}


@pytest.fixture(scope="module")
def held() -> Iterator[tuple[Any, Any, list[ModuleType]]]:
    """Import SOURCE under as many names as there are tests; find all functions once.

    To find them is to look at everything that all tests of this process hold.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        code = importlib.import_module("swapped_code")
        # those of an earlier time may live still
        boxes = [ModuleType(f"box_{next(NUMBERS)}") for _ in range(3 + len(AT_IMPORT))]
        for box in boxes:
            patch.setitem(sys.modules, box.__name__, box)
            exec(compile(SOURCE, box.__name__, "exec"), box.__dict__)  # noqa: S102
        yield code, code.live_functions(), boxes


@pytest.fixture
def taken(held: tuple[Any, Any, list[ModuleType]]) -> Callable[[str, str], tuple[bool, Any]]:
    """Change a piece of the text of a module, return whether it was taken and the module."""
    code, functions, boxes = held

    def change(old: str, new: str) -> tuple[bool, Any]:
        assert old in SOURCE
        module = boxes.pop()  # of this test alone
        text = SOURCE.replace(old, new)
        return code.swapped(functions, module.__name__, SOURCE, text), module

    return change


def test_a_function_that_is_held_by_others_changes_with_its_module(taken: Any) -> None:
    done, module = taken("x < limit", "x > limit")
    assert done
    assert module.below(3)


def test_a_wrapped_function_changes(taken: Any) -> None:
    done, module = taken("2 * x", "3 * x")
    assert done
    assert module.twice(5) == 15


def test_a_method_changes_whose_loop_was_changed(taken: Any) -> None:
    done, module = taken("abs(y)", "y")
    assert done
    assert module.Box().side(1) == [1, -1]


@pytest.mark.parametrize(("old", "new"), AT_IMPORT.values(), ids=AT_IMPORT)
def test_what_is_done_at_import_cannot_be_taken(taken: Any, old: str, new: str) -> None:
    done, module = taken(old, new)
    assert not done
    assert module.twice(5) == 10
    assert module.below(1)
