"""Frozen dataclasses whose classes take a quarter of the usual time to create.

A command creates more than a hundred of these classes before it reads a file, and ``dataclass``
compiles up to six methods for each. These classes compile only ``__init__`` and share the other
methods. They are dataclasses: ``fields``, ``replace``, ``asdict`` and ``is_dataclass`` work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import CodeType, FunctionType
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")

_LONGEST = 60


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = True, arrays: bool = False) -> Callable[[type[T]], type[T]]:
    """Return a decorator for classes of frozen values with slots.

    Parameters
    ----------
    eq : bool
        Values are equal if their fields are. Without it they are equal only if they are the same
        object, as is appropriate for arrays.
    arrays : bool
        The fields are arrays: no ``eq``, and the ``repr`` shows their shapes.

    Examples
    --------
    >>> @frozen()
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> Point(1.0), Point(1.0) == Point(1.0, 0.0)
    (Point(x=1.0, y=0.0), True)
    >>> @frozen(arrays=True)
    ... class Path:
    ...     points: object
    ...     sides: dict[str, int]
    >>> import numpy as np
    >>> Path(np.zeros((4, 3)), {"left": 1})
    Path(points=array(4, 3), sides={left})
    """
    shared = {"__setattr__": _refuse, "__delattr__": _refuse}
    shared |= {"__getstate__": _state, "__setstate__": _restore}
    shared |= {"__repr__": _brief_repr if arrays else _full_repr}

    def decorate(kind: type[T]) -> type[T]:
        defined = vars(kind)
        value = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
        methods = shared | (_comparison(value) if eq and not arrays else {})
        for name, method in methods.items():
            if name not in defined:
                setattr(value, name, method)
        if "__init__" not in defined:
            setattr(value, "__init__", _init_of(value))  # noqa: B010
        return value

    return decorate


def by_name(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, without the deep copies of ``asdict``."""
    return {f.name: getattr(value, f.name) for f in fields(value)}


def _init_of(kind: Any) -> Any:
    """Return the ``__init__`` of a class, with one statement per field."""
    values: dict[str, Any] = {}
    names: list[str] = ["self"]
    defaults: list[Any] = []
    statements: list[tuple[int, bool, str]] = []
    for i, f in enumerate(fields(kind)):
        factory = f.default_factory is not MISSING
        default = f.default_factory if factory else f.default
        values[f"put_{i}"] = getattr(kind, f.name).__set__  # of its slot: not object.__setattr__
        values[f"default_{i}"] = default
        made = f"default_{i}()" if factory else f"default_{i}"
        if f.init:
            if defaults and default is MISSING:  # defaults are those of the last arguments
                raise TypeError(f"non-default argument {f.name!r} follows default argument")
            names.append(f.name)
            defaults += [default] if default is not MISSING else []
            given = f"{made} if a{i} is default_{i} else a{i}" if factory else f"a{i}"
            statements.append((i, True, given))
        elif default is not MISSING:
            statements.append((i, False, made))
    code = _code_of(tuple(statements), hasattr(kind, "__post_init__"))
    init = FunctionType(code.replace(co_varnames=tuple(names)), values, "__init__", tuple(defaults))
    init.__qualname__ = f"{kind.__qualname__}.__init__"
    init.__annotations__ = {f.name: f.type for f in fields(kind) if f.init}
    return init


@cache
def _code_of(statements: tuple[tuple[int, bool, str], ...], is_checked: bool) -> CodeType:
    """Return the code of an ``__init__`` whose fields have numbers for names.

    Compiling takes most of the time, and many classes differ in the names of their fields alone.

    Parameters
    ----------
    statements : tuple
        Of each field that is set: its number, whether it is an argument, and its value.
    is_checked : bool
        Whether ``__post_init__`` follows.
    """
    arguments = ["self", *(f"a{i}" for i, is_argument, _ in statements if is_argument)]
    lines = ["pass", *(f"put_{i}(self, {value})" for i, _, value in statements)]
    lines += ["self.__post_init__()"] if is_checked else []
    made: dict[str, Any] = {}
    exec(f"def __init__({', '.join(arguments)}):\n " + "\n ".join(lines), made)  # noqa: S102
    return made["__init__"].__code__


def _refuse(_value: Any, name: str, *_: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(value: Any) -> list[Any]:
    return [getattr(value, f.name) for f in fields(value)]


def _restore(value: Any, state: list[Any]) -> None:
    for f, part in zip(fields(value), state, strict=True):
        object.__setattr__(value, f.name, part)


def _comparison(kind: Any) -> dict[str, Any]:
    """Return ``__eq__`` and ``__hash__`` of a class, by the fields that are compared."""
    names = [f.name for f in fields(kind) if f.compare]
    # always a tuple: tuples of the same object are equal, though it may be NaN or an array
    names += ["__class__"] * max(2 - len(names), 0)
    compared = cast("Callable[[Any], Any]", attrgetter(*names))

    def equal(value: Any, other: object) -> bool:
        same = other.__class__ is value.__class__
        return compared(value) == compared(other) if same else NotImplemented

    def hashed(value: Any) -> int:
        return hash(compared(value))

    return {"__eq__": equal, "__hash__": hashed}


def _full_repr(value: Any) -> str:
    parts = (f"{f.name}={getattr(value, f.name)!r}" for f in fields(value) if f.repr)
    return f"{type(value).__qualname__}({', '.join(parts)})"


def _brief_repr(value: Any) -> str:
    parts = (f"{name}={_short(part)}" for name, part in by_name(value).items())
    return f"{type(value).__name__}({', '.join(parts)})"


def _short(part: Any) -> str:
    """Return one field in short, with shapes instead of numbers."""
    if getattr(part, "ndim", 0):
        return f"array{part.shape}"
    if isinstance(part, dict):
        return "{" + ", ".join(map(str, cast("dict[Any, Any]", part))) + "}"
    if isinstance(part, tuple | list):
        return f"{len(cast('tuple[Any, ...]', part))} items"
    if is_dataclass(part):
        return f"<{type(part).__name__}>"
    text = repr(part)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
