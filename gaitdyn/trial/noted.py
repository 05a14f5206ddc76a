"""Change the notes of a result without changing its values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gaitdyn.trial.result import Result
from gaitdyn.types.later import unread


def with_notes(result: Result, **fields: Any) -> Result:
    """Return a result with some notes replaced; values that were computed already are kept.

    Parameters
    ----------
    result : Result
    **fields
        Fields on which no number depends, such as ``log`` and ``visit``.
    """
    changed = replace(result, **fields, **unread(result, "upper", "noticed", "judged"))
    changed.kept.update(result.kept)
    return changed
