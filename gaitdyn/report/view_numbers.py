"""The numbers of a first screen: speed, step length, scores, and the events of the cycle."""

from __future__ import annotations

from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.metrics.healthy import Expected, expected_speed, expected_step_length
from gaitdyn.metrics.norm_ages import ADULT_YEARS
from gaitdyn.metrics.norm_speed import at_free_speed
from gaitdyn.metrics.scores import GDI_STAR_A, GDI_STAR_B, GaitScores
from gaitdyn.report.strides import mean_of
from gaitdyn.report.view_words import norm_gps
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.norms import MatchedNorm


@dataclass(frozen=True, slots=True)
class NumberRow:
    """One of the four numbers.

    Attributes
    ----------
    title, note : str
    digits : int
    values : dict
        Side -> value or None.
    norm : Expected or None
    norm_words : str
    """

    title: str
    note: str
    digits: int
    values: dict[str, float | None]
    norm: Expected | None
    norm_words: str = ""

    @property
    def z_values(self) -> dict[str, float | None]:
        """Side -> the distance of its value from the norm, SD; None if not known."""
        norm = self.norm
        return {
            side: None if value is None or norm is None else norm.z(value)
            for side, value in self.values.items()
        }


@dataclass(frozen=True, slots=True)
class CycleEvents:
    """Mean times of events in the cycle of one side, %; None if not known."""

    foot_off: float | None = None
    opposite_foot_off: float | None = None
    opposite_strike: float | None = None


def _means(group: Group, name: str) -> dict[str, float | None]:
    """Return the mean of a gait parameter over the cycles of each side."""
    return {side: mean_of(group.trials, "gait_parameters", name, side) for side in SIDES}


def events_of(group: Group, side: str) -> CycleEvents:
    """Return the mean times of events in the cycles of a side, %."""
    names = ("foot_off", "opposite_foot_off", "opposite_foot_strike")
    return CycleEvents(*(mean_of(group.trials, "gait_parameters", name, side) for name in names))


def leg_length(group: Group) -> float | None:
    """Return the mean leg length of the subject, m."""
    subject = group.trials[0].document["subject"]
    lengths = [(subject.get(side) or {}).get("leg_length_m") for side in SIDES]
    known = [length for length in lengths if length]
    return fmean(known) if known else None


def age_of(trials: Sequence[StoredTrial]) -> float | None:
    """Return the age of the subject, years."""
    age: float | None = trials[0].document["subject"].get("age_years")
    return age


def is_adult(group: Group) -> bool:
    """Return whether the subject is known to be an adult."""
    return (age_of(group.trials) or 0.0) >= ADULT_YEARS


def number_rows(
    group: Group,
    scores: GaitScores | None,
    norm: MatchedNorm | None = None,
    *,
    refused: Collection[str] = (),
) -> tuple[NumberRow, ...]:
    """Return speed and step length, then GPS and GDI* or without scores stance and cadence.

    Parameters
    ----------
    group : Group
    scores : GaitScores or None
    norm : MatchedNorm or None
        Behind the scores.
    refused : collection of str
        Sides whose angles must not be used; they get no score.
    """
    if scores is None:
        return (
            *_walk_rows(group),
            NumberRow("Stance", "% of the cycle", 0, _means(group, "foot_off"), None),
            NumberRow("Cadence", "steps per minute", 0, _means(group, "cadence"), None),
        )
    rows = _walk_rows(group)
    if not leg_length(group) and not is_adult(group):
        rows = [replace(row, norm_words=_NO_LENGTH) for row in rows]
    gps, gdi = (
        {side: None if side in refused else score[side].value for side in SIDES}
        for score in (scores.gps, scores.gdi_star)
    )
    known = norm is not None and norm.norm.of_schwartz
    mean = None if norm is None else norm_gps(at_free_speed(norm).bands)
    words = "" if mean is None else f"{mean:.1f}"
    scale = (Expected(100.0, 10.0), "100 \u00b1 10") if known else (None, "")
    return (
        *rows,
        NumberRow("GPS", "deg, low is good", 1, gps, *(_GPS_NORM if known else (None, words))),
        NumberRow("GDI*", "from GPS, not GDI", 0, gdi, *scale),
    )


def _walk_rows(group: Group) -> list[NumberRow]:
    """Return speed and step length; their norms are of children."""
    speed, step = _means(group, "speed"), _means(group, "step_length")
    if is_adult(group):
        return [
            NumberRow("Speed", "m/s", 2, speed, None, _NO_ADULTS),
            NumberRow("Step length", "m", 2, step, None, _NO_ADULTS),
        ]
    length = leg_length(group)
    known = [value for value in speed.values() if value is not None]
    free = expected_speed(length) if length else None
    step_norm = expected_step_length(length, fmean(known)) if length and known else None
    unit = "m" if step_norm is None else "m, at this speed"
    return [
        NumberRow("Speed", "m/s", 2, speed, free, _reach(free, 2)),
        NumberRow("Step length", unit, 2, step, step_norm, _plus_minus(step_norm, 2)),
    ]


def whose_words(numbers: Sequence[NumberRow]) -> str:
    """Return whose the norms of the numbers are: those of speed and step are not the set's own."""
    if all(row.norm is None for row in numbers):
        return ""
    own = any(row.title == "GPS" and row.norm is None for row in numbers)
    return f"{'speed, step' if own else 'norm'}: children, Schwartz 2008"


_NO_LENGTH = "leg length not given"
_NO_ADULTS = "no norm of adults"
"""Replace the norm of the speed."""

HEALTHY_GPS = Expected(GDI_STAR_A, GDI_STAR_B, log=True)
"""The GPS of the controls of Schwartz, Rozumalski and Baker 2013 against their own mean. It is
lognormal (:mod:`gaitdyn.metrics.scores`); its root mean square, 5.7 deg, is that of the set of
Schwartz 2008 at free speed, 5.8, and it says nothing of other sets."""


def gps_words() -> str:
    """Return the median of the GPS of healthy children and its range of one SD."""
    low, middle, high = (HEALTHY_GPS.at(k) for k in (-1, 0, 1))
    return f"{middle:.1f} ({low:.1f}\u2013{high:.1f})"


_GPS_NORM = HEALTHY_GPS, gps_words()


def _reach(norm: Expected | None, digits: int) -> str:
    """Return the mean and the range of two SD."""
    if norm is None:
        return ""
    low, high = (f"{norm.at(z):.{digits}f}" for z in (-2.0, 2.0))
    return f"{norm.mean:.{digits}f} ({low}\u2013{high})"


def _plus_minus(norm: Expected | None, digits: int) -> str:
    return "" if norm is None else f"{norm.mean:.{digits}f} \u00b1 {norm.sd:.{digits}f}"
