"""What ``result.json`` has to look like before anything of it is used."""

from __future__ import annotations

import json
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
"""Keys that are read, and of what type they are: of the whole, and of ``audit`` where there is one.

A list has many of its first entry, :data:`ANY` stands for keys of any name, and where
:data:`NOTHING` is there the whole may be null.
"""

_LATER = ("verdicts", "findings", "task")
"""Keys that older results do not have."""

_HASH = re.compile(r"[0-9a-f]{64}")
_PLAIN = re.compile(r"[^/\\\x00]{1,255}")
_VERDICTS = ("pass", "check", "fail")


def check_document(document: dict[str, Any]) -> None:
    """Refuse a document that has another shape.

    Parameters
    ----------
    document : dict
        Contents of ``result.json``.

    Raises
    ------
    ValueError
        In words: what was found, and where.
    """
    version = document.get("schema")
    if isinstance(version, int) and version > SCHEMA:
        message = f"version {version} of result.json, wanted {SCHEMA}: a newer gaitdyn wrote it"
        raise ValueError(message)
    _check(document, _SHAPES["result"], "")
    if document["audit"] is not None:
        _check(document["audit"], _SHAPES["audit"], "audit")
    if document["verdict"] not in _VERDICTS:
        raise ValueError(f"result.json has the verdict {document['verdict'][:40]!r}")
    _check_inputs(document["inputs"])


def _check(found: Any, shape: Any, at: str) -> None:
    """Hold a value against its shape; ``at`` is where it stands."""
    if isinstance(shape, str):
        kinds = _KINDS[shape]
        if not isinstance(found, kinds) or (isinstance(found, bool) and bool not in kinds):
            _refuse(found, at)
    elif isinstance(shape, list):
        if found is None and NOTHING in shape:
            return
        for i, inner in enumerate(_of_kind(found, list, at)):
            _check(inner, shape[0], f"{at}[{i}]")
    elif found is not None or NOTHING not in shape:
        _check_keys(_of_kind(found, dict, at), shape, at)


def _check_keys(found: dict[str, Any], shape: dict[str, Any], at: str) -> None:
    """Hold the values of an object against their shapes."""
    wanted = dict.fromkeys(found, shape[ANY]) if ANY in shape else shape
    for key, inner in wanted.items():
        place = f"{at}.{key}".lstrip(".")
        if key in found:
            _check(found[key], inner, place)
        elif key not in _LATER:
            raise ValueError(f"result.json lacks {place}")


def _of_kind(found: Any, kind: type[T], at: str) -> T:
    if not isinstance(found, kind):
        _refuse(found, at)
    return found


def _refuse(found: Any, at: str) -> NoReturn:
    raise ValueError(f"result.json has a {type(found).__name__} as {at or 'a whole'}")


def _check_inputs(inputs: list[dict[str, str]]) -> None:
    """Refuse names that lead anywhere else, and hashes that are none."""
    for entry in inputs:
        name = entry["name"]
        if not _PLAIN.fullmatch(name) or name in {".", ".."} or not name.strip("*"):
            message = f"result.json names an input that is not a plain file name: {name[:60]!r}"
            raise ValueError(message)
        if not _HASH.fullmatch(entry["sha256"]):
            raise ValueError(f"result.json has no SHA-256 of {name}")
    if not any(entry["role"] == "trial" for entry in inputs):
        raise ValueError("result.json names no trial")
