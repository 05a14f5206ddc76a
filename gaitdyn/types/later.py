"""Values of a frozen dataclass that are computed when first read; names imported when asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

T = TypeVar("T")


class Later(Generic[T]):
    """What is computed when first asked for, once, and kept.

    Parameters
    ----------
    compute : callable
        Forgotten, with all that it holds, when it has been called.

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
        if self._compute is not None:
            self._value = self._compute()
            self._compute = None
        return cast("T", self._value)


class Last(Generic[T]):
    """The last answer to a question: asked of the same things again, it is not computed again.

    Examples
    --------
    >>> last, things = Last(), [1.0]
    >>> for _ in range(2):
    ...     _ = last.of((things,), ("sum",), lambda: print("computed"))
    computed
    """

    __slots__ = ("_kept",)

    def __init__(self) -> None:
        self._kept: tuple[tuple[object, ...], tuple[object, ...], T] | None = None

    def of(
        self, things: tuple[object, ...], values: tuple[object, ...], compute: Callable[[], T]
    ) -> T:
        """Return the answer.

        Parameters
        ----------
        things : tuple
            What it is about, the same objects for the same answer: they never change.
        values : tuple
            What it depends on besides, equal for the same answer.
        compute : callable
        """
        kept = self._kept  # looked at once: threads may ask at a time
        if kept is not None and _the_same(kept[0], things) and kept[1] == values:
            return kept[2]
        kept = self._kept = None  # the last one is not needed beside the next
        answer = compute()
        self._kept = things, values, answer
        return answer


def _the_same(one: tuple[object, ...], other: tuple[object, ...]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def later(compute: Callable[[], T]) -> T:
    """Return a stand-in for the value of a field that :func:`computed_late` names."""
    return cast("T", Later(compute))


def computed_late(kind: type[Any], *names: str) -> None:
    """Let fields of a dataclass with slots take a :func:`later`, and compute it when it is read.

    Parameters
    ----------
    kind : type
    *names : str
        ``dataclasses.replace`` reads every field that it is not given, and so computes them:
        :func:`unread` gives them as they are.
    """
    for name in names:
        setattr(kind, name, _Late(getattr(kind, name)))


def unread(value: Any, *names: str) -> dict[str, Any]:
    """Return fields of a value by name, as they are: computed, or to be computed later."""
    found: dict[str, Any] = {}
    for name in names:
        late: _Late = getattr(cast("type[Any]", type(value)), name)
        found[name] = late.slot.__get__(value)
    return found


def imported_late(package: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of a package whose names are imported when they are asked for.

    Parameters
    ----------
    package : str
    homes : mapping
        Name -> the module of the package where it lives, which is called otherwise.
    """

    def found(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f"{package}.{homes[name]}"), name)

    return found


class _Late:
    """Reads a slot, and computes what stands there to be computed."""

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
