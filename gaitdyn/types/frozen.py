"""Frozen values whose classes are made in a quarter of the time of a frozen dataclass.

A command makes more than a hundred of these classes before it reads a file, and ``dataclass``
compiles up to six methods for each; here a class has an ``__init__`` of its own and shares the
others. ``fields``, ``replace``, ``asdict`` and ``is_dataclass`` take them as dataclasses, which
they are.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = True, repr: bool = True) -> Callable[[type[T]], type[T]]:  # noqa: A002
    """Return the decorator of a class of frozen values with slots.

    Parameters
    ----------
    eq : bool
        Values are equal when their fields are; without it only when they are the same object, as
        befits arrays.
    repr : bool
        Tell all fields; without it the class has its own way.

    Examples
    --------
    >>> @frozen()
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> Point(1.0), Point(1.0) == Point(1.0, 0.0)
    (Point(x=1.0, y=0.0), True)
    """
    shared = {"__setattr__": _refuse, "__delattr__": _refuse}
    shared |= {"__getstate__": _state, "__setstate__": _restore}
    shared |= {"__eq__": _equal, "__hash__": _hash} if eq else {}
    shared |= {"__repr__": _told} if repr else {}

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
