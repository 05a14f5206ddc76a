"""What ``result.json`` has to look like before anything of it is used."""

from __future__ import annotations

import re
from typing import Any

SCHEMA = 1
"""Version of ``result.json``; documents of a later one are refused."""

_TEXT = (str,)
_MAYBE_TEXT = (str, type(None))
_NUMBER = (int, float)
_MAYBE_NUMBER = (int, float, type(None))
_WHOLE = (int,)

_SHAPE: dict[str, Any] = {
    "schema": _WHOLE,
    "gaitdyn": _TEXT,
    "inputs": [{"role": _TEXT, "name": _TEXT, "sha256": _TEXT}],
    "options": {
        "static": _MAYBE_TEXT,
        "subject_prefix": _MAYBE_TEXT,
        "condition": _TEXT,
        "profile": _TEXT,
        "names": _TEXT,
        "model": _TEXT,
        "anthropometry": _TEXT,
        "moments_in": _TEXT,
        "convention": _TEXT,
        "cutoff_hz": _MAYBE_NUMBER,
        "force_cutoff_hz": _MAYBE_NUMBER,
    },
    "subject": {
        "id": _MAYBE_TEXT,
        "sex": _MAYBE_TEXT,
        "age_years": _MAYBE_NUMBER,
        "mass_kg": _MAYBE_NUMBER,
        "height_m": _MAYBE_NUMBER,
    },
    "model": {"name": _TEXT, "sides": [_TEXT]},
    "file": {"rate_hz": _NUMBER, "first_frame": _WHOLE, "frames": _WHOLE},
    "verdict": _TEXT,
    "status": [{"side": _TEXT, "cycle": _WHOLE, "joint": _TEXT, "status": _TEXT}],
}
"""Keys that are read, and of what type they are; a list has many of its one entry."""

_LISTS = {
    "verdicts": {"side": _TEXT, "quantity": _TEXT, "word": _TEXT},
    "findings": {"level": _TEXT, "code": _TEXT, "scope": _TEXT, "message": _TEXT},
}
"""Lists that older results do not have."""

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
    _check(document, _SHAPE, "")
    for key, shape in _LISTS.items():
        if document.get(key) is not None:
            _check(document[key], [shape], key)
    if document["verdict"] not in _VERDICTS:
        message = f"result.json has the verdict {document['verdict'][:40]!r}"
        raise ValueError(message)
    _check_inputs(document["inputs"])


def _check(found: Any, shape: Any, at: str) -> None:
    """Hold a value against its shape; ``at`` is where it stands."""
    if isinstance(shape, tuple):
        plain = isinstance(found, shape) and (not isinstance(found, bool) or bool in shape)
        if not plain:
            _refuse(found, at)
    elif isinstance(shape, list):
        if not isinstance(found, list):
            _refuse(found, at)
        for i, inner in enumerate(found):
            _check(inner, shape[0], f"{at}[{i}]")
    else:
        if not isinstance(found, dict):
            _refuse(found, at)
        for key, inner in shape.items():
            if key not in found:
                message = f"result.json lacks {f'{at}.{key}'.lstrip('.')}"
                raise ValueError(message)
            _check(found[key], inner, f"{at}.{key}".lstrip("."))


def _refuse(found: Any, at: str) -> None:
    message = f"result.json has a {type(found).__name__} as {at or 'a whole'}"
    raise ValueError(message)


def _check_inputs(inputs: list[dict[str, str]]) -> None:
    """Refuse names that lead anywhere else, and hashes that are none."""
    for entry in inputs:
        name = entry["name"]
        if not _PLAIN.fullmatch(name) or name in {".", ".."} or not name.strip("*"):
            message = f"result.json names an input that is no plain file name: {name[:60]!r}"
            raise ValueError(message)
        if not _HASH.fullmatch(entry["sha256"]):
            message = f"result.json has no SHA-256 of {name}"
            raise ValueError(message)
    if not any(entry["role"] == "trial" for entry in inputs):
        message = "result.json names no trial"
        raise ValueError(message)
