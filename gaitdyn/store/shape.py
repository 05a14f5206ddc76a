"""Check the structure of ``result.json`` before any of it is used."""

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
    "whole": (int,),
    "whole or null": (int, type(None)),
    "flag": (bool,),
    "flag or null": (bool, type(None)),
    "list": (list,),
    "object or null": (dict, type(None)),
    "text, number or null": (str, int, float, type(None)),
}
_SHAPES: dict[str, Any] = json.loads(
    (files("gaitdyn") / "store" / "shape.json").read_text("utf-8")
)  # fmt: skip
"""Keys that are read, and their types, for the whole document and for ``audit`` if it exists.

A list contains any number of values of the type of its first entry. :data:`ANY` stands for keys of
any name. A list or object with :data:`NOTHING` may be null. A type that is not among the kinds
lists the words of which a text is one.
"""

_LATER = ("verdicts", "findings", "task")
"""Keys that older results lack."""

_HASH = re.compile(r"[0-9a-f]{64}")
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


def _check(value: Any, shape: Any, place: str) -> None:
    """Check a value against its shape; ``place`` is its position in the document."""
    if isinstance(shape, str):
        kinds = _KINDS.get(shape, (str,))
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            _refuse(value, place)
        if shape not in _KINDS and value not in shape.split(", "):
            raise ValueError(
                f"result.json has {str(value)[:40]!r} as {place}, wanted one of {shape}"
            )
    elif isinstance(shape, list):
        if value is None and NOTHING in shape:
            return
        for i, inner in enumerate(_of_kind(value, list, place)):
            _check(inner, shape[0], f"{place}[{i}]")
    elif value is not None or NOTHING not in shape:
        _check_keys(_of_kind(value, dict, place), shape, place)


def _check_keys(values: dict[str, Any], shape: dict[str, Any], place: str) -> None:
    """Check the values of an object against their shapes."""
    wanted = dict.fromkeys(values, shape[ANY]) if ANY in shape else shape
    for key, inner in wanted.items():
        inner_place = f"{place}.{key}".lstrip(".")
        if key in values:
            _check(values[key], inner, inner_place)
        elif key not in _LATER:
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
        if not _HASH.fullmatch(entry["sha256"]):
            raise ValueError(f"result.json has no SHA-256 of {name}")
    if not any(entry["role"] == "trial" for entry in inputs):
        raise ValueError("result.json names no trial")
