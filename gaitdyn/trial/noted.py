"""A result with other words beside the same values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gaitdyn.types.later import unread

if TYPE_CHECKING:
    from gaitdyn.trial.result import Result


def noted(result: Result, **words: Any) -> Result:
    """Return a result with fields changed on which no number depends; its answers stay.

    Parameters
    ----------
    result : Result
    **words
        Such as ``log`` and ``visit``.
    """
    found = replace(result, **words, **unread(result, "upper", "noticed", "judged"))
    found.kept.update(result.kept)
    return found
