"""A short text of a value for a notebook: shapes in the place of numbers."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any, cast

import numpy as np

_LONGEST = 60


def brief(self: Any) -> str:
    """Return name and fields of a dataclass, arrays by their shapes; used as its ``__repr__``.

    Parameters
    ----------
    self : dataclass instance

    Examples
    --------
    >>> print(brief_part(np.zeros((4, 3))), brief_part({"left": 1}), brief_part((1, 2)))
    array(4, 3) {left} 2 items
    """
    names = [one.name for one in fields(self)]
    parts = ", ".join(f"{name}={brief_part(getattr(self, name))}" for name in names)
    return f"{type(self).__name__}({parts})"


def brief_part(part: Any) -> str:
    """Return one field in short."""
    if isinstance(part, np.ndarray):
        shape: tuple[int, ...] = np.shape(cast("Any", part))
        return f"array{shape}"
    if isinstance(part, dict):
        return "{" + ", ".join(map(str, cast("dict[Any, Any]", part))) + "}"
    if isinstance(part, tuple | list):
        return f"{len(cast('tuple[Any, ...]', part))} items"
    if is_dataclass(part):
        return f"<{type(part).__name__}>"
    text = repr(part)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
