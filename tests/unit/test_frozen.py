"""Frozen values that are made fast are dataclasses all the same."""

from __future__ import annotations

import pickle
import re
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gaitdyn.types.frozen import frozen

ROOT = Path(__file__).parents[2]


@frozen()
class Fast:
    """As a dataclass."""

    name: str
    size: float = 1.0
    parts: list[int] = field(default_factory=list[int])
    hidden: str = field(default="", compare=False, repr=False)
    kept: dict[str, Any] = field(default_factory=dict[str, Any], init=False, compare=False)

    def __post_init__(self) -> None:
        if self.size < 0:
            raise ValueError(self.name)


@dataclass(frozen=True, slots=True)
class Slow:
    """The model of the fast one."""

    name: str
    size: float = 1.0
    parts: list[int] = field(default_factory=list[int])
    hidden: str = field(default="", compare=False, repr=False)
    kept: dict[str, Any] = field(default_factory=dict[str, Any], init=False, compare=False)


@frozen(eq=False)
class Child(Fast):
    """With one field more."""

    more: int = 3


@frozen()
class One:
    """With one field alone."""

    value: Any


@frozen()
class Empty:
    """Without a field."""


def test_a_frozen_value_is_a_dataclass_that_tells_and_compares_as_one() -> None:
    fast, slow = Fast("a", parts=[1]), Slow("a", parts=[1])
    assert is_dataclass(fast)
    assert repr(fast) == repr(slow).replace("Slow", "Fast")
    assert asdict(fast) == asdict(slow)
    assert [f.name for f in fields(fast)] == [f.name for f in fields(slow)]
    assert fast == Fast("a", 1.0, [1], hidden="other")
    assert fast != Fast("b", parts=[1])
    assert fast != slow
    assert replace(fast, size=2.0) == Fast("a", 2.0, [1])
    assert fast.kept is not Fast("a").kept
    assert Fast("a").parts is not Fast("a").parts
    with pytest.raises(TypeError, match="unhashable"):
        hash(fast)
    assert not hasattr(fast, "__dict__")


def test_a_frozen_value_cannot_be_changed_and_checks_itself() -> None:
    fast = Fast("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'size'"):
        fast.size = 2.0  # pyrefly: ignore[read-only]
    with pytest.raises(FrozenInstanceError):
        del fast.size  # pyrefly: ignore[read-only]
    with pytest.raises(ValueError, match="a"):
        Fast("a", -1.0)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        Fast()  # pyrefly: ignore[missing-argument]


def test_a_frozen_value_travels_between_processes_and_is_inherited() -> None:
    fast = Fast("a", 2.0, [1])
    assert pickle.loads(pickle.dumps(fast)) == fast  # noqa: S301
    child = Child("a", more=4)
    assert (child.name, child.more, child.size) == ("a", 4, 1.0)


def test_a_field_without_a_default_behind_one_with_it_is_refused() -> None:
    """The default of the first was that of the last."""
    with pytest.raises(TypeError, match="non-default argument 'second' follows default argument"):

        @frozen()
        class Wrong:  # pyright: ignore[reportUnusedClass]
            first: int = 1
            second: int  # pyright: ignore[reportGeneralTypeIssues]  # pyrefly: ignore


def test_a_value_with_one_field_is_equal_to_itself_whatever_that_holds() -> None:
    nothing, points = One(float("nan")), One(np.zeros(3))
    assert nothing == nothing  # noqa: PLR0124
    assert (points == points) is True  # noqa: PLR0124
    assert One(1.0) == One(1.0)
    assert One(1.0) != One(2.0)
    assert hash(One(1.0)) == hash(One(1.0))
    assert Empty() == Empty()
    assert hash(Empty()) == hash(Empty())
    assert Empty() != One(1.0)


def test_all_frozen_values_with_slots_are_made_fast() -> None:
    """Each other one costs a start a third of a millisecond."""
    others = {
        path.relative_to(ROOT / "gaitdyn").as_posix()
        for path in (ROOT / "gaitdyn").rglob("*.py")
        if re.search(
            r"^ *@dataclass\(frozen=True, slots=True", path.read_text("utf-8"), re.MULTILINE
        )
    }
    has_an_order = "types/recording.py"
    assert {name for name in others if not name.startswith("synthetic/")} == {has_an_order}
