"""What ``result.json`` has to look like before anything of it is used."""

from __future__ import annotations

import re
from typing import Any, NoReturn, TypeVar

ANY, NOTHING = "*", "?"
SCHEMA = 1
"""Version of ``result.json``; documents of a later one are refused."""

T = TypeVar("T")
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
        **dict.fromkeys(("static", "subject_prefix", "subject", "quality"), _MAYBE_TEXT),
        **dict.fromkeys(("up", "forward"), _MAYBE_TEXT),
        **dict.fromkeys(("model", "profile", "anthropometry", "filter"), _TEXT),
        **dict.fromkeys(("condition", "names", "moments_in", "convention", "baseline"), _TEXT),
        **dict.fromkeys(("offsets", "hip_centre", "flat_foot", "uncertainty"), _TEXT),
        **dict.fromkeys(("cutoff_hz", "force_cutoff_hz"), _MAYBE_NUMBER),
        **dict.fromkeys(("longest_gap_s", "gravity_m_s2"), _NUMBER),
        **dict.fromkeys(("audit", "terms", "generalised", "publish_anyway"), (bool,)),
        **dict.fromkeys(("rename", "assign", "events", "leave_out", "reasons"), (list,)),
    },
    "subject": {
        "id": _MAYBE_TEXT,
        "sex": _MAYBE_TEXT,
        "age_years": _MAYBE_NUMBER,
        "mass_kg": _MAYBE_NUMBER,
        "height_m": _MAYBE_NUMBER,
        "sources": {ANY: _TEXT},
        "left": {NOTHING: True, ANY: (str, int, float, type(None))},
        "right": {NOTHING: True, ANY: (str, int, float, type(None))},
    },
    "model": {
        "name": _TEXT,
        "sides": [_TEXT],
        "rungs": [
            {
                **dict.fromkeys(("side", "place", "rung", "seen_in", "rule", "source"), _TEXT),
                "landmarks": [_TEXT],
                "angle_deg": _MAYBE_NUMBER,
                "moment_nm_kg": _MAYBE_NUMBER,
                "coarse": (bool,),
            }
        ],
        "axes": {ANY: {"shank": _TEXT}},
        "offsets_rad": {ANY: {ANY: _MAYBE_NUMBER}},
        "flat_foot": {ANY: (bool, type(None))},
        "inter_asis_m": _MAYBE_NUMBER,
        "marker_diameter_m": _MAYBE_NUMBER,
        "lengths_m": {ANY: {ANY: _MAYBE_NUMBER}},
    },
    "file": {
        "rate_hz": _NUMBER,
        "analog_per_frame": _WHOLE,
        "first_frame": _WHOLE,
        "frames": _WHOLE,
        "units": {ANY: _TEXT},
        "forward": _MAYBE_TEXT,  # null where no marker model tells them
        "up": _MAYBE_TEXT,
        "R_GL": [[_NUMBER], NOTHING],
        "walking_direction_G": [_MAYBE_NUMBER, NOTHING],
        "plates": [{"number": _WHOLE, "type": _WHOLE, "problem": _MAYBE_TEXT}],
    },
    "task": _TEXT,
    "verdict": _TEXT,
    "verdicts": [
        {
            **dict.fromkeys(("side", "quantity", "word"), _TEXT),
            "cycles": _WHOLE,
            "reasons": [_TEXT],
        }
    ],
    "status": [
        {
            **dict.fromkeys(("side", "joint", "status", "code", "reason", "verdict"), _TEXT),
            "cycle": _WHOLE,
            "reasons": [_TEXT],
        }
    ],
    "findings": [
        {
            **dict.fromkeys(("level", "code", "scope", "message", "action"), _TEXT),
            **dict.fromkeys(("value", "limit", "start_s", "stop_s"), _MAYBE_NUMBER),
            **dict.fromkeys(("side", "joint"), _MAYBE_TEXT),
            **dict.fromkeys(("cycle", "first_frame", "last_frame"), (int, type(None))),
        }
    ],
    "kinetics": _TEXT,
    "audit": (dict, type(None)),
    "generalised": (dict, type(None)),
    "methods": {ANY: _TEXT},
    "log": [_TEXT],
}
"""Keys that are read, and of what type they are.

A list has many of its first entry, :data:`ANY` stands for keys of any name, and where
:data:`NOTHING` is there the whole may be null.
"""

_LATER = ("verdicts", "findings", "task")
"""Keys that older results do not have."""

_AUDIT = {
    **dict.fromkeys(("second_opinion", "third_opinion"), _MAYBE_NUMBER),
    **dict.fromkeys(("closure", "energy"), (dict, type(None))),
}
"""Of ``audit``, where there is one."""

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
    if document["audit"] is not None:
        _check(document["audit"], _AUDIT, "audit")
    if document["verdict"] not in _VERDICTS:
        message = f"result.json has the verdict {document['verdict'][:40]!r}"
        raise ValueError(message)
    _check_inputs(document["inputs"])


def _check(found: Any, shape: Any, at: str) -> None:
    """Hold a value against its shape; ``at`` is where it stands."""
    if isinstance(shape, tuple):
        if not isinstance(found, shape) or (isinstance(found, bool) and bool not in shape):
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
            message = f"result.json lacks {place}"
            raise ValueError(message)


def _of_kind(found: Any, kind: type[T], at: str) -> T:
    if not isinstance(found, kind):
        _refuse(found, at)
    return found


def _refuse(found: Any, at: str) -> NoReturn:
    message = f"result.json has a {type(found).__name__} as {at or 'a whole'}"
    raise ValueError(message)


def _check_inputs(inputs: list[dict[str, str]]) -> None:
    """Refuse names that lead anywhere else, and hashes that are none."""
    for entry in inputs:
        name = entry["name"]
        if not _PLAIN.fullmatch(name) or name in {".", ".."} or not name.strip("*"):
            message = f"result.json names an input that is not a plain file name: {name[:60]!r}"
            raise ValueError(message)
        if not _HASH.fullmatch(entry["sha256"]):
            message = f"result.json has no SHA-256 of {name}"
            raise ValueError(message)
    if not any(entry["role"] == "trial" for entry in inputs):
        message = "result.json names no trial"
        raise ValueError(message)
