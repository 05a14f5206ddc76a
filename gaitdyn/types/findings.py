"""What a run noticed about its data: the rows of quality.csv."""

from __future__ import annotations

from typing import Literal

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
        What it is about: a file, a marker, ``plate 2``, ``left``.
    value, limit : float or None
        The number found and the number it was held against.
    message : str
        One sentence for a person.
    side, cycle, joint : str, int, str or None
        What the doubt is about; None is all of them.
    start_s, stop_s : float or None
        When, on the clock of the recording.
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
