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
    spans : tuple of (float, float)
        Starts and ends of the steps of which one finding tells; empty if it is of all from start
        to end.
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
    spans: tuple[tuple[float, float], ...] = ()

    def overlaps(self, start_s: float, stop_s: float) -> bool:
        """Return whether it is about any time between two; without times it is about all.

        Examples
        --------
        >>> times = {"start_s": 0, "stop_s": 9, "spans": ((0, 1), (8, 9))}
        >>> two = Finding("warning", "contact-partial", "plate 1", "", **times)
        >>> two.overlaps(0.5, 3.0), two.overlaps(3.0, 7.0)
        (True, False)
        """
        if self.start_s is None or self.stop_s is None:
            return True
        spans = self.spans or ((self.start_s, self.stop_s),)
        return any(start < stop_s and stop > start_s for start, stop in spans)


Findings: TypeAlias = Iterable[Finding]
"""What a rule yields."""
