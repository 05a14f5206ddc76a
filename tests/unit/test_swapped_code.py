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
    from collections.abc import Callable

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


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], tuple[bool, Any]]:
    """Import SOURCE, change a piece of its text, return whether it was taken and the module."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    code = importlib.import_module("swapped_code")

    def change(old: str, new: str) -> tuple[bool, Any]:
        assert old in SOURCE
        module = ModuleType(f"box_{next(NUMBERS)}")  # those of other tests may live still
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(compile(SOURCE, module.__name__, "exec"), module.__dict__)  # noqa: S102
        functions = code.live_functions()
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


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("LIMIT = 2", "LIMIT = 3"),
        ("limit=LIMIT", "limit=7"),
        ("@cache\n", ""),
        ("class Box", "class Crate"),
        ("lambda x: x]", "lambda x: -x]"),
        ("2 * x", "2  *  x"),
    ],
    ids=["constant", "default", "decorator", "class", "two-alike", "nothing"],
)
def test_what_is_done_at_import_cannot_be_taken(taken: Any, old: str, new: str) -> None:
    done, module = taken(old, new)
    assert not done
    assert module.twice(5) == 10
    assert module.below(1)
