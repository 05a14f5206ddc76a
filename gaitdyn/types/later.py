"""Fields of frozen dataclasses computed when first read, and names imported when first used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Later(Generic[T]):
    """A value that is computed once, when first requested, and kept.

    Parameters
    ----------
    compute : callable
        Released, with everything that it references, after its call.

    Examples
    --------
    >>> later = Later(lambda: print("computed") or 3)
    >>> later.now() + later.now()
    computed
    6
    """

    __slots__ = ("_compute", "_value")

    def __init__(self, compute: Callable[[], T]) -> None:
        self._compute: Callable[[], T] | None = compute
        self._value: T | None = None

    def now(self) -> T:
        """Return the value."""
        compute = self._compute  # read only once: threads may call at the same time
        if compute is not None:
            self._value = compute()
            self._compute = None
        return cast("T", self._value)

    def __getstate__(self) -> tuple[T]:
        """Return the value, for pickling: what computes it may be a local function."""
        return (self.now(),)

    def __setstate__(self, state: tuple[T]) -> None:
        """Restore the value."""
        self._compute, self._value = None, state[0]


class Last(Generic[T]):
    """A cache of the last answer: repeated for the same objects, it is not computed again.

    Examples
    --------
    >>> last, things = Last(), [1.0]
    >>> for _ in range(2):
    ...     _ = last.of((things,), ("sum",), lambda: print("computed"))
    computed
    """

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: tuple[tuple[object, ...], tuple[object, ...], T] | None = None

    def of(
        self, things: tuple[object, ...], values: tuple[object, ...], compute: Callable[[], T]
    ) -> T:
        """Return the answer.

        Parameters
        ----------
        things : tuple
            Objects that the answer depends on, compared by identity; they must not change.
        values : tuple
            Other values that it depends on, compared by equality.
        compute : callable
        """
        last = self._last  # read only once: threads may call at the same time
        if last is not None and _same_objects(last[0], things) and last[1] == values:
            return last[2]
        last = self._last = None  # release the old answer before computing the next
        answer = compute()
        self._last = things, values, answer
        return answer


def _same_objects(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    return len(first) == len(second) and all(a is b for a, b in zip(first, second, strict=True))


def later(compute: Callable[[], T]) -> T:
    """Return a stand-in for the value of a field that :func:`computed_late` names."""
    return cast("T", Later(compute))


def computed_late(kind: type[Any], *names: str) -> None:
    """Let fields of a dataclass with slots hold a :func:`later`, computed when the field is read.

    Parameters
    ----------
    kind : type
    *names : str
        Names of the fields. ``dataclasses.replace`` reads every field that it is not given, and so
        computes them; :func:`unread` returns them without computing.
    """
    for name in names:
        setattr(kind, name, _Late(getattr(kind, name)))


def unread(value: Any, *names: str) -> dict[str, Any]:
    """Return fields of a value by name without computing those that are not computed yet."""
    stored: dict[str, Any] = {}
    for name in names:
        late: _Late = getattr(cast("type[Any]", type(value)), name)
        stored[name] = late.slot.__get__(value)
    return stored


def imported_late(package: str, **homes: Sequence[str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names are imported on first use.

    Parameters
    ----------
    package : str
    **homes : sequence of str
        Module of the package -> the names that it defines; none may be that of a module.
    """
    home_of = {name: home for home, names in homes.items() for name in names}

    def attribute(name: str) -> Any:
        if name not in home_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{home_of[name]}"), name)

    return attribute


class _Late:
    """Descriptor that reads a slot, and computes its value if that is still pending."""

    __slots__ = ("slot",)

    def __init__(self, slot: Any) -> None:
        self.slot = slot

    def __get__(self, owner: Any, kind: type[Any] | None = None) -> Any:
        if owner is None:
            return self
        value = self.slot.__get__(owner)
        if isinstance(value, Later):
            value = cast("Later[Any]", value).now()
            self.slot.__set__(owner, value)
        return value

    def __set__(self, owner: Any, value: Any) -> None:
        self.slot.__set__(owner, value)
