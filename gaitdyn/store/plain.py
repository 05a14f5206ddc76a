"""Convert values to the plain types of JSON."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

_UNCHANGED = {str, int, bool, type(None)}


def plain(value: Any) -> Any:
    """Return a value as it would be read back from JSON.

    Dataclasses and mappings become dicts, sequences become lists, and non-finite numbers None.

    Parameters
    ----------
    value : Any
        Keys of mappings are texts.

    Examples
    --------
    >>> plain({"sides": ("left", "right"), "speed": math.nan})
    {'sides': ['left', 'right'], 'speed': None}
    """
    kind = type(value)
    if kind in _UNCHANGED:
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if is_dataclass(kind):
        return {name: plain(getattr(value, name)) for name in _names(kind)}
    return value


@lru_cache(maxsize=256)
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
