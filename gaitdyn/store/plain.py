"""Values as a JSON document has them."""

from __future__ import annotations

import math
from dataclasses import fields, is_dataclass
from functools import lru_cache
from typing import Any

_AS_THEY_ARE = {str, int, bool, type(None)}


def plain(value: Any) -> Any:
    """Return a value as JSON would give it back.

    Frozen values and mappings become dicts, sequences lists, a number that is not finite None.

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
    if kind in _AS_THEY_ARE:
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
    return tuple(one.name for one in fields(kind))
