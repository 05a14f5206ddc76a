"""Frozen values as an outline in JSON and arrays of numbers, and back."""

from __future__ import annotations

import math
from array import array
from dataclasses import fields, is_dataclass
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

_HOMES = ("gaitdyn.types.", "gaitdyn.quality.", "gaitdyn.dynamics.")
"""Packages of the classes and functions that a file may name."""

_PLAIN = {type(None), bool, int, str}
"""Types that JSON represents directly."""

_SMALL = 4096
"""Size of a small array; small arrays are joined, since every write has a fixed cost."""


class OutlineWriter:
    """Encodes values as JSON and a list of number arrays."""

    def __init__(self) -> None:
        self._large: list[np.ndarray[Any, Any]] = []
        self._small = array("d")  # after the last large array
        self._length = 0
        self._seen: dict[object, tuple[int, Any]] = {}

    def numbers(self) -> list[np.ndarray[Any, Any]]:
        """Return the arrays so far, with small ones joined."""
        if self._small:
            self._large.append(np.frombuffer(self._small))
            self._small = array("d")
        return self._large

    def encoded(self, value: Any) -> Any:
        """Return a value as JSON; floats and arrays go to the number arrays."""
        kind = type(value)
        if kind in _PLAIN:
            return value
        if kind is float:
            self._small.append(value)
            self._length += 1
            return {"array": self._length - 1, "shape": [], "kind": "<f8", "number": True}
        if isinstance(value, (float, np.generic)):
            return self._array(np.asarray(value)) | {"number": True}
        if isinstance(value, (list, tuple)):
            name = "list" if isinstance(value, list) else "tuple"
            return {name: [x if type(x) in _PLAIN else self.encoded(x) for x in value]}
        if isinstance(value, dict):
            return {"dict": [[self.encoded(k), self.encoded(v)] for k, v in value.items()]}
        return self._shared(value)

    def _shared(self, value: Any) -> dict[str, Any]:
        """Return an array, a function or a frozen value; the second time, only its number."""
        which = _which(value)
        if which in self._seen:
            return {"same": self._seen[which][0]}
        self._seen[which] = number, _ = len(self._seen), value
        if isinstance(value, np.ndarray):
            return self._array(value) | {"is": number}
        if is_dataclass(value):
            encoded, inside = self.encoded, {}
            for name in _given(type(value)):
                inner = getattr(value, name)
                inside[name] = inner if type(inner) in _PLAIN else encoded(inner)
            return {"class": _home(type(value)), "fields": inside, "is": number}
        return {"function": _home(value), "is": number}

    def _array(self, value: np.ndarray[Any, Any]) -> dict[str, Any]:
        start, self._length = self._length, self._length + value.size
        if value.dtype.kind not in "fbiu":
            raise TypeError(f"an array of {value.dtype} cannot be written")
        if value.size < _SMALL:
            self._small.frombytes(np.ascontiguousarray(value, dtype=float).tobytes())
        else:
            self.numbers().append(value)
        return {"array": start, "shape": list(value.shape), "kind": value.dtype.str}


def _which(value: Any) -> object:
    """Return what is the same for a value in several places, and for views of the same numbers."""
    if type(value) is not np.ndarray or not value.size:
        return id(value)
    array: Any = value
    return array.__array_interface__["data"][0], array.shape, array.strides, array.dtype.str


class OutlineReader:
    """Decodes the output of :class:`OutlineWriter`.

    Parameters
    ----------
    numbers : array, shape (n,)
        All numbers of the file, which the outline refers to.
    """

    def __init__(self, numbers: np.ndarray[Any, Any]) -> None:
        self._numbers = numbers
        self._known: dict[int, Any] = {}

    def value(self, encoded: Any) -> Any:
        """Return the value that JSON encodes."""
        if not isinstance(encoded, dict):
            return encoded
        if "same" in encoded:
            return self._known[encoded["same"]]
        if "list" in encoded or "tuple" in encoded:
            parts = [self.value(x) for kind in ("list", "tuple") for x in encoded.get(kind, ())]
            return parts if "list" in encoded else tuple(parts)
        if "dict" in encoded:
            return {self.value(k): self.value(v) for k, v in encoded["dict"]}
        value = self._made(encoded)
        if "is" in encoded:
            self._known[encoded["is"]] = value
        return value

    def _made(self, encoded: dict[str, Any]) -> Any:
        if "array" in encoded:
            array = self._array(encoded["array"], encoded["shape"], np.dtype(encoded["kind"]))
            return array.item() if encoded.get("number") else array
        if "function" in encoded:
            return _named(encoded["function"])
        inside = {name: self.value(inner) for name, inner in encoded["fields"].items()}
        kind: Any = _named(encoded["class"])
        known = inside.keys() & _given(kind)  # an older version may have written more
        return kind(**{name: inside[name] for name in known})

    def _array(self, start: int, shape: list[int], kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
        """Return an array after checking that it lies within the numbers of the file."""
        size = math.prod(shape)
        fits = min((start, *shape)) >= 0 and start + size <= len(self._numbers)
        if not fits or kind.kind not in "fbiu":
            message = f"an array of {shape} {kind} from {start}, of {len(self._numbers)} numbers"
            raise ValueError(message)
        return self._numbers[start : start + size].reshape(shape).astype(kind, copy=False)


@lru_cache(maxsize=256)
def _given(kind: type) -> tuple[str, ...]:
    """Return the names of the fields that a class is built from."""
    return tuple(f.name for f in fields(kind) if f.init)


@lru_cache(maxsize=256)
def _home(value: Any) -> str:
    """Return module and name of a class or function of gaitdyn.

    Raises
    ------
    TypeError
        If it is not one.
    """
    name = f"{getattr(value, '__module__', '')}:{getattr(value, '__qualname__', '')}"
    if not name.startswith(_HOMES):
        raise TypeError(f"{value!r} is not part of results")
    return name


def _named(name: str) -> Callable[..., Any]:
    """Return a class or function of gaitdyn by module and name.

    Raises
    ------
    ValueError
        If it is in any other package.
    """
    module, _, inside = name.partition(":")
    if not module.startswith(_HOMES) or "." in inside:
        raise ValueError(f"{name} is not part of results")
    return getattr(import_module(module), inside)
