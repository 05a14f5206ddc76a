"""What an archive keeps of one result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

Number = tuple[str, str, float, float | None]
"""Name, unit, value, % of the cycle."""


@dataclass(frozen=True, slots=True, eq=False)
class CycleRecord:
    """One cycle.

    Attributes
    ----------
    side : str
    number : int
    start_s, stop_s, foot_off_percent, speed, speed_nondimensional : float or None
    kinetics : {"ok", "partial", "skipped"}
        ``ok`` where ankle, knee and hip are, ``skipped`` where none has anything.
    curves : tuple of (name, unit)
    samples : array of float32, shape (len(curves), 101)
    parameters, peaks : tuple of Number
    """

    side: str
    number: int
    start_s: float | None
    stop_s: float | None
    foot_off_percent: float | None
    speed: float | None
    speed_nondimensional: float | None
    kinetics: str
    curves: tuple[tuple[str, str], ...]
    samples: np.ndarray[Any, np.dtype[np.float32]]
    parameters: tuple[Number, ...] = ()
    peaks: tuple[Number, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class TrialRecord:
    """One result.

    Attributes
    ----------
    subject, session : str
        Pseudonym, and name of the session.
    sex : str or None
    trial : dict
        Columns of the table ``trial`` without the keys.
    cycles : tuple of CycleRecord
    quality : tuple
        Level, code, scope, value, limit, message.
    gaitdyn, document : str
        Version, and ``result.json`` in one line.
    """

    subject: str
    session: str
    sex: str | None
    trial: dict[str, Any]
    cycles: tuple[CycleRecord, ...]
    quality: tuple[tuple[Any, ...], ...] = ()
    gaitdyn: str = ""
    document: str = "{}"
