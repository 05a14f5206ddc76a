"""Check the structure of ``result.json`` and ``session.json`` before any of it is used."""

from __future__ import annotations

import json
import os
import re
from importlib.resources import files
from typing import Any, NoReturn, TypeVar

ANY, NOTHING = "*", "?"
SCHEMA = 1
"""Version of ``result.json``; documents of a later one are refused."""

T = TypeVar("T")
_KINDS: dict[str, tuple[type, ...]] = {
    "text": (str,),
    "text or null": (str, type(None)),
    "number": (int, float),
    "number or null": (int, float, type(None)),
    "size": (int, float),
    "size or null": (int, float, type(None)),
    "whole": (int,),
    "whole or null": (int, type(None)),
    "text or whole": (str, int),
    "flag": (bool,),
    "flag or null": (bool, type(None)),
    "list": (list,),
    "object or null": (dict, type(None)),
}
_SIZES = ("size", "size or null")
"""Numbers that are not negative."""

_SHAPES: dict[str, Any] = json.loads(
    (files("gaitdyn") / "store" / "shape.json").read_text("utf-8")
)  # fmt: skip
"""Keys that are read, and their types: of ``result.json``, its ``audit``, and ``session.json``.

A list contains values of the type of its first entry, as many as a number after it says. A key that
ends in :data:`NOTHING` may be missing. :data:`ANY` stands for keys of any name. A list or object
with :data:`NOTHING` may be null. A type that is not among the kinds lists the words of which a text
is one.
"""

_LARGEST = 1e30
"""No measurement is as large as this."""

HASH = re.compile(r"[0-9a-f]{64}")
SESSION = "session.json"
"""What ``gaitdyn batch`` writes into the folder of a session."""

_PLAIN = re.compile(r"[^/\x00]{1,255}" if os.sep == "/" else r"[^/\\\x00]{1,255}")


def check_document(document: dict[str, Any]) -> None:
    """Refuse a document with another structure.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.

    Raises
    ------
    ValueError
        With what was found, and where.
    """
    version = document.get("schema")
    if isinstance(version, int) and version > SCHEMA:
        message = f"version {version} of result.json, wanted {SCHEMA}: a newer gaitdyn wrote it"
        raise ValueError(message)
    _check(document, _SHAPES["result"], "")
    if document["audit"] is not None:
        _check(document["audit"], _SHAPES["audit"], "audit")
    _check_inputs(document["inputs"])


def is_session(document: Any) -> bool:
    """Return whether a document has the structure of a ``session.json`` with its trials."""
    try:
        _check(document, _SHAPES["session"], "")
    except ValueError:
        return False
    return True


def _check(value: Any, shape: Any, place: str) -> None:
    """Check a value against its shape; ``place`` is its position in the document."""
    if isinstance(shape, str):
        _check_value(value, shape, place)
    elif isinstance(shape, list):
        if value is None and NOTHING in shape:
            return
        values = _of_kind(value, list, place)
        counts = [count for count in shape[1:] if isinstance(count, int)]
        if counts and len(values) != counts[0]:
            message = f"result.json has {len(values)} values as {place}, wanted {counts[0]}"
            raise ValueError(message)
        for i, inner in enumerate(values):
            _check(inner, shape[0], f"{place}[{i}]")
    elif value is not None or NOTHING not in shape:
        _check_keys(_of_kind(value, dict, place), shape, place)


def _check_value(value: Any, kind: str, place: str) -> None:
    """Check a text, a number or null."""
    kinds = _KINDS.get(kind, (str,))
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        _refuse(value, place)
    if isinstance(value, int | float) and not abs(value) < _LARGEST:
        raise ValueError(f"result.json has a number that is unknown or too large as {place}")
    if kind in _SIZES and isinstance(value, int | float) and value < 0:
        raise ValueError(f"result.json has {value:g} as {place}, wanted nothing below 0")
    if kind not in _KINDS and value not in kind.split(", "):
        raise ValueError(f"result.json has {str(value)[:40]!r} as {place}, wanted one of {kind}")


def _check_keys(values: dict[str, Any], shape: dict[str, Any], place: str) -> None:
    """Check the values of an object against their shapes."""
    named = {word: inner for word, inner in shape.items() if word != NOTHING}
    wanted = dict.fromkeys(values, shape[ANY]) if ANY in shape else named
    for word, inner in wanted.items():
        key = word if ANY in shape else word.removesuffix(NOTHING)
        inner_place = f"{place}.{key}".lstrip(".")
        if key in values:
            _check(values[key], inner, inner_place)
        elif key == word:
            raise ValueError(f"result.json lacks {inner_place}")


def _of_kind(value: Any, kind: type[T], place: str) -> T:
    if not isinstance(value, kind):
        _refuse(value, place)
    return value


def _refuse(value: Any, place: str) -> NoReturn:
    raise ValueError(f"result.json has type {type(value).__name__} as {place or 'a whole'}")


def _check_inputs(inputs: list[dict[str, str]]) -> None:
    """Refuse names that are not plain file names, and hashes that are not SHA-256."""
    for entry in inputs:
        name = entry["name"]
        if not _PLAIN.fullmatch(name) or name in {".", ".."} or not name.strip("*"):
            message = f"result.json names an input that is not a plain file name: {name[:60]!r}"
            raise ValueError(message)
        if not HASH.fullmatch(entry["sha256"]):
            raise ValueError(f"result.json has no SHA-256 of {name}")
    if not any(entry["role"] == "trial" for entry in inputs):
        raise ValueError("result.json names no trial")
