"""Frozen values whose classes are made in a quarter of the time of a frozen dataclass.

A command makes more than a hundred of these classes before it reads a file, and ``dataclass``
compiles up to six methods for each; here a class has an ``__init__`` of its own and shares the
others. ``fields``, ``replace``, ``asdict`` and ``is_dataclass`` take them as dataclasses, which
they are.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

_LONGEST = 60


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = True, arrays: bool = False) -> Callable[[type[T]], type[T]]:
    """Return the decorator of a class of frozen values with slots.

    Parameters
    ----------
    eq : bool
        Values are equal when their fields are; without it only when they are the same object, as
        befits arrays.
    arrays : bool
        The fields are arrays: no ``eq``, and the text of a value tells their shapes.

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
    shared |= {"__eq__": _equal, "__hash__": _hash} if eq and not arrays else {}
    shared |= {"__repr__": _in_brief if arrays else _told}

    def made(kind: type[T]) -> type[T]:
        own = vars(kind)
        value = dataclass(init=False, repr=False, eq=False, slots=True)(kind)
        for name, method in shared.items():
            if name not in own:
                setattr(value, name, method)
        if "__init__" not in own:
            setattr(value, "__init__", _init_of(value))  # noqa: B010
        return value

    return made


def by_name(value: Any) -> dict[str, Any]:
    """Return the fields of a dataclass by name, as they are: ``asdict`` would copy them deeply."""
    return {one.name: getattr(value, one.name) for one in fields(value)}


def _init_of(kind: Any) -> Any:
    """Return the ``__init__`` of a class: one statement a field."""
    known: dict[str, Any] = {"put": object.__setattr__}
    arguments, lines = ["self"], ["pass"]
    for one in fields(kind):
        name, default, value = one.name, f"default_{one.name}", one.name
        if one.default is not MISSING:
            known[default] = one.default
        if one.default_factory is not MISSING:
            known[default] = one.default_factory
            value = (
                f"{default}() if {name} is {default} else {name}" if one.init else f"{default}()"
            )
        if one.init:
            arguments.append(f"{name}={default}" if default in known else name)
        if one.init or default in known:
            lines.append(f"put(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    exec(f"def __init__({', '.join(arguments)}):\n " + "\n ".join(lines), known)  # noqa: S102
    made = known["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    made.__annotations__ = {one.name: one.type for one in fields(kind) if one.init}
    return made


def _refuse(_value: Any, name: str, *_: Any) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _state(value: Any) -> list[Any]:
    return [getattr(value, one.name) for one in fields(value)]


def _restore(value: Any, state: list[Any]) -> None:
    for one, part in zip(fields(value), state, strict=True):
        object.__setattr__(value, one.name, part)


def _compared(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, one.name) for one in fields(value) if one.compare)


def _equal(value: Any, other: object) -> bool:
    if other.__class__ is not value.__class__:
        return NotImplemented
    return _compared(value) == _compared(other)


def _hash(value: Any) -> int:
    return hash(_compared(value))


def _told(value: Any) -> str:
    parts = (f"{one.name}={getattr(value, one.name)!r}" for one in fields(value) if one.repr)
    return f"{type(value).__qualname__}({', '.join(parts)})"


def _in_brief(value: Any) -> str:
    parts = (f"{name}={_short(part)}" for name, part in by_name(value).items())
    return f"{type(value).__name__}({', '.join(parts)})"


def _short(part: Any) -> str:
    """Return one field in short: shapes in the place of numbers."""
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
