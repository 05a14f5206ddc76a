"""Why a curve is not judged, or its verdict lowered, and how values are told in such reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gaitdyn.types.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@frozen()
class Doubt:
    """Why a verdict is refused or lowered.

    Attributes
    ----------
    reason : str
    refuses : bool
        Whether the curve is not judged at all; otherwise it is at most "possible".
    """

    reason: str
    refuses: bool = True


def values_of(values: Iterable[Any]) -> tuple[str, ...]:
    """Return values as texts, each once, in order; nothing is an empty text."""
    return tuple(sorted({_told(value) for value in values}))


def _told(value: Any) -> str:
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def joined(values: Sequence[str]) -> str:
    """Return the texts of :func:`values_of` as one."""
    return "/".join(value or "none" for value in values)
