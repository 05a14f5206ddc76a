"""``frozen`` makes what ``dataclass(frozen=True, slots=True)`` makes, in less time."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, replace

import pytest

from gaitdyn.types.frozen import frozen


@frozen()
class Leg:
    """A value with every kind of field."""

    side: str
    length_m: float = 0.9
    words: list[str] = field(default_factory=list[str])
    hidden: int = field(default=3, repr=False, compare=False)
    kept: dict[str, int] = field(default_factory=dict[str, int], init=False)
    number: int = field(default=7, init=False)


@dataclass(frozen=True, slots=True)
class Usual:
    """The same by the standard library."""

    side: str
    length_m: float = 0.9
    words: list[str] = field(default_factory=list[str])
    hidden: int = field(default=3, repr=False, compare=False)
    kept: dict[str, int] = field(default_factory=dict[str, int], init=False)
    number: int = field(default=7, init=False)


@frozen()
class Point:
    """A value whose fields can be hashed."""

    x: float
    y: float = 0.0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError


@frozen(eq=False)
class Own:
    """A value that equals itself alone, with methods of its own."""

    x: float

    def __init__(self, twice: float) -> None:
        object.__setattr__(self, "x", twice / 2)

    def __repr__(self) -> str:
        return f"<{self.x}>"


@frozen()
class Far(Point):
    """A value with the fields of another before its own."""

    z: float = 1.0


def test_it_shows_compares_and_copies_as_the_standard_one() -> None:
    """Fields, their order, defaults, text, ``asdict`` and ``replace``."""
    one, other = Leg("left", words=["a"]), Usual("left", words=["a"])
    assert [(f.name, f.init, f.compare) for f in fields(one)] == [
        (f.name, f.init, f.compare) for f in fields(other)
    ]
    assert repr(one) == repr(other).replace("Usual", "Leg")
    assert asdict(one) == asdict(other)
    assert list(inspect.signature(Leg).parameters) == list(inspect.signature(Usual).parameters)
    changed = replace(one, length_m=1.0)
    assert (changed.length_m, changed.words) == (1.0, ["a"])
    assert one == replace(one, hidden=4)
    assert one != changed
    assert Leg("left").words is not Leg("left").words
    assert one != other


def test_equal_values_have_one_hash_and_others_have_not() -> None:
    """An unknown number equals itself, as in a tuple; a class of its own is another value."""
    unknown = float("nan")
    assert hash(Point(1.0)) == hash(Point(1.0, 0.0))
    assert len({Point(1.0), Point(1.0), Point(2.0)}) == 2
    assert Point(1.0, unknown) == Point(1.0, unknown)
    assert Own(2.0) != Own(2.0)
    assert Far(1.0) != Point(1.0)


def test_a_field_is_neither_set_nor_deleted() -> None:
    """Nor is a name that is no field."""
    point = Point(1.0)
    for name in ("x", "colour"):
        with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
            setattr(point, name, 2.0)
        with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
            delattr(point, name)
    assert not hasattr(point, "__dict__")


@pytest.mark.parametrize("value", [Leg("left", 1.0, ["a"]), Point(1.0), Far(1.0, 2.0, 3.0)])
def test_a_value_comes_back_from_pickle_and_copy(value: object) -> None:
    """Workers of a batch receive options and send findings so."""
    assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301  our own
    assert copy.copy(value) == value
    assert copy.deepcopy(value) == value


def test_methods_of_the_class_are_kept_and_its_check_is_called() -> None:
    """``__init__``, ``__repr__`` and ``__post_init__``."""
    assert repr(Own(3.0)) == "<1.5>"
    with pytest.raises(ValueError, match=r"^$"):
        Point(-1.0)
    with pytest.raises(TypeError, match=r"Point\.__init__\(\) got an unexpected keyword"):
        Point(1.0, colour=2)  # pyright: ignore[reportCallIssue]
    assert repr(Far(1.0)) == "Far(x=1.0, y=0.0, z=1.0)"
