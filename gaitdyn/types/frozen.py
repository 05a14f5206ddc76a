"""Frozen values: dataclasses with slots whose fields are set once.

``dataclass(frozen=True, slots=True)`` writes and compiles up to six functions for each class, which
takes a tenth of the time of a short trial, of two hundred classes. Here ``__init__`` alone is
compiled, because it is called most; the others are the same functions for all classes.
"""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, eq: bool = True) -> Callable[[type[T]], type[T]]:
    """Make a class a dataclass with slots whose fields cannot be set anew.

    It is what ``dataclasses.dataclass(frozen=True, slots=True, eq=eq)`` makes: ``fields``,
    ``replace``, ``asdict`` and pickle take it for one. Methods that the class has are kept.

    Parameters
    ----------
    eq : bool
        Values are equal, and of one hash, when their fields are; without, each is its own. Arrays
        cannot be compared so.

    Examples
    --------
    >>> @frozen()
    ... class Place:
    ...     name: str
    ...     height_m: float = 0.0
    >>> Place("knee", 0.5) == Place("knee", 0.5), Place("hip")
    (True, Place(name='hip', height_m=0.0))
    """

    def make(plain: type[T]) -> type[T]:
        kind = dataclass(init=False, repr=False, eq=False, slots=True)(plain)
        methods: dict[str, Any] = {"__repr__": _repr}
        if eq:
            methods |= _comparison(kind)
        if "__init__" not in vars(plain):
            methods["__init__"] = _initialiser(kind)
        for name, method in methods.items():
            if name not in vars(plain):
                setattr(kind, name, method)
        for name, method in _GUARDS.items():
            setattr(kind, name, method)
        return kind

    return make


def _initialiser(kind: type[Any]) -> Callable[..., None]:
    """Return the ``__init__`` of a class: fields in their order, each put into its slot."""
    known: dict[str, Any] = {"_absent": MISSING}
    arguments, body = ["self"], list[str]()
    for one in fields(kind):
        name, argument, value = one.name, one.name, one.name
        known[f"put_{name}"] = getattr(kind, name).__set__
        if one.default is not MISSING:
            known[f"default_{name}"] = one.default
            argument = f"{name}=default_{name}"
            value = name if one.init else f"default_{name}"
        elif one.default_factory is not MISSING:
            known[f"make_{name}"] = one.default_factory
            argument = f"{name}=_absent"
            value = f"make_{name}() if {name} is _absent else {name}"
            value = value if one.init else f"make_{name}()"
        elif not one.init:
            continue  # set by the class itself
        if one.init:
            arguments.append(argument)
        body.append(f" put_{name}(self, {value})")
    if hasattr(kind, "__post_init__"):
        body.append(" self.__post_init__()")
    exec("\n".join([f"def made({', '.join(arguments)}):", *body, " return"]), known)  # noqa: S102
    made = known["made"]
    made.__name__, made.__qualname__ = "__init__", f"{kind.__qualname__}.__init__"
    return made


def _comparison(kind: type[Any]) -> dict[str, Any]:
    """Return ``__eq__`` and ``__hash__`` of a class: those of its fields as a tuple."""
    names = [one.name for one in fields(kind) if one.compare]
    told: Callable[[Any], tuple[Any, ...]] = (
        attrgetter(*names)
        if len(names) > 1
        else lambda value: tuple([getattr(value, name) for name in names])
    )

    def equal(self: Any, other: object) -> bool:
        return told(self) == told(other) if type(other) is type(self) else NotImplemented

    def digest(self: Any) -> int:
        return hash(told(self))

    return {"__eq__": equal, "__hash__": digest}


def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in fields(self) if f.repr)
    return f"{type(self).__qualname__}({shown})"


def _set(_self: Any, name: str, _value: object) -> None:
    message = f"cannot assign to field {name!r}"
    raise FrozenInstanceError(message)


def _delete(_self: Any, name: str) -> None:
    message = f"cannot delete field {name!r}"
    raise FrozenInstanceError(message)


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


_GUARDS = {
    "__setattr__": _set,
    "__delattr__": _delete,
    "__getstate__": _state,  # by which pickle and copy get past the two above
    "__setstate__": _restore,
}
