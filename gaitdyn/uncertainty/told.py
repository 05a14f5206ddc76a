"""How far a long computation is, for whoever shows it."""

from __future__ import annotations

from collections.abc import Callable

Told = Callable[[str, int, int], None]
"""Is called with what is computed, how many parts are done, and of how many."""


def untold(_what: str, _done: int, _of: int) -> None:
    """Tell nobody."""
