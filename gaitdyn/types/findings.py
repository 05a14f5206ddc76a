"""Observations of a run about its data: the rows of quality.csv."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from gaitdyn.types.frozen import frozen

Level = Literal["info", "warning", "error"]


@frozen()
class Finding:
    """One observation.

    Attributes
    ----------
    level : {"info", "warning", "error"}
    code : str
        Stable short name, such as ``plate-baseline``.
    scope : str
        Subject of the finding: a file, a marker, ``plate 2``, ``left``.
    value, limit : float or None
        The number found and the limit that it was compared with.
    message : str
        One sentence for a person.
    side, cycle, joint : str, int, str or None
        What the finding applies to; None means all of them.
    start_s, stop_s : float or None
        Start and end, on the clock of the recording.
    """

    level: Level
    code: str
    scope: str
    message: str
    value: float | None = None
    limit: float | None = None
    side: str | None = None
    cycle: int | None = None
    joint: str | None = None
    start_s: float | None = None
    stop_s: float | None = None


Findings: TypeAlias = Iterable[Finding]
"""What a rule yields."""
