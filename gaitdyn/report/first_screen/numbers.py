"""The numbers of a first screen: speed, step length, scores, and the events of the cycle."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING

from gaitdyn.judge.way import not_ahead
from gaitdyn.metrics.healthy import Expected
from gaitdyn.metrics.norms.speed import at_free_speed
from gaitdyn.metrics.scores import GDI_STAR_A, GDI_STAR_B, GaitScores, Score
from gaitdyn.report.first_screen.spoken_of import norm_gps
from gaitdyn.report.first_screen.walk_norms import (
    CHILDREN,
    OF_FORWARD,
    NumberNorm,
    WalkNorms,
    of_children,
    on_belts,
    whose,
)
from gaitdyn.report.strides import mean_of
from gaitdyn.store.persons import known_subject
from gaitdyn.types.frozen import frozen
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from gaitdyn.report.groups import Group
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.norms import MatchedNorm


@frozen()
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
        The norm, or why there is none.
    source : str
        Whose the norm is.
    reach : int
        How many SD the range in the norm's words reaches; 0 without a range.
    """

    title: str
    note: str
    digits: int
    values: dict[str, float | None]
    norm: Expected | None
    norm_words: str = ""
    source: str = ""
    reach: int = 0

    @property
    def z_values(self) -> dict[str, float | None]:
        """Side -> the distance of its value from the norm, SD; None if not known."""
        norm = self.norm
        return {
            side: None if value is None or norm is None else norm.z(value)
            for side, value in self.values.items()
        }


@frozen()
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
    subject = known_subject(group.trials)
    lengths = [(subject.get(side) or {}).get("leg_length_m") for side in SIDES]
    known = [length for length in lengths if length]
    return fmean(known) if known else None


def age_of(trials: Sequence[StoredTrial]) -> float | None:
    """Return the age of the subject, years."""
    age: float | None = known_subject(trials).get("age_years")
    return age


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
            *_walk_rows(group, None),
            NumberRow("Stance", "% of the cycle", 0, _means(group, "foot_off"), None),
            NumberRow("Cadence", "steps per minute", 0, _means(group, "cadence"), None),
        )
    gps, gdi = (_unless_refused(score, refused) for score in (scores.gps, scores.gdi_star))
    refused_norm = OF_FORWARD if not_ahead(group.trials) else None
    known = norm is not None and norm.norm.of_schwartz
    mean = None if norm is None else norm_gps(at_free_speed(norm).bands)
    own = NumberNorm(None, "" if mean is None else f"{mean:.1f}", whose(norm))
    return (
        *_walk_rows(group, norm),
        _row("GPS", "deg, low is good", 1, gps, refused_norm or (_GPS_NORM if known else own)),
        _row(
            "GDI*",
            "from GPS, not GDI",
            0,
            gdi,
            refused_norm or (_GDI_NORM if known else _OTHER_SCALE),
        ),
    )


def _unless_refused(
    scores: Mapping[str, Score], refused: Collection[str]
) -> dict[str, float | None]:
    return {side: None if side in refused else scores[side].value for side in SIDES}


def _row(
    title: str, note: str, digits: int, values: dict[str, float | None], norm: NumberNorm
) -> NumberRow:
    source = norm.source if norm.words else ""
    return NumberRow(title, note, digits, values, norm.norm, norm.words, source, norm.reach)


def _walk_rows(group: Group, norm: MatchedNorm | None) -> list[NumberRow]:
    """Return speed and step length with their norms."""
    speed, step = _means(group, "speed"), _means(group, "step_length")
    known = [value for value in speed.values() if value is not None]
    norms = WalkNorms(
        norm, age_of(group.trials), leg_length(group), fmean(known) if known else None,
        ahead=not not_ahead(group.trials), imposed=on_belts(group.trials),
    )  # fmt: skip
    of_speed, of_step = norms.of_speed, norms.of_step_length
    pace = "m/s" if of_speed.norm is None else "m/s, free speed"
    unit = "m" if of_step.norm is None else "m, at this speed"
    return [
        _row("Speed", pace, 2, speed, of_speed),
        _row("Step length", unit, 2, step, of_step),
    ]


def whose_words(numbers: Sequence[NumberRow], age_years: float | None) -> str:
    """Return whose the norms of the numbers are, and that the person may be no child.

    Examples
    --------
    >>> from dataclasses import replace
    >>> row = NumberRow("Speed", "m/s", 2, {}, None, "1.2", CHILDREN)
    >>> whose_words([row], 9.0), whose_words([row], None)
    ('norm: children, Schwartz 2008', 'norm: children, Schwartz 2008; age not given')
    >>> whose_words([row, replace(row, title="GPS", source="own controls")], 9.0)
    'speed: children, Schwartz 2008; GPS: own controls'
    """
    by_source: dict[str, list[str]] = {}
    for row in numbers:
        if row.source:
            title = row.title.removesuffix(" length")
            by_source.setdefault(row.source, []).append(title if title.isupper() else title.lower())
    told = [f"{', '.join(titles)}: {source}" for source, titles in by_source.items()]
    if len(by_source) == 1:
        told = [f"norm: {next(iter(by_source))}"]
    return "; ".join([*told, *of_children(by_source, age_years)])


def ranges_words(numbers: Sequence[NumberRow]) -> str:
    """Return how far the ranges in brackets beside the numbers reach; empty without any.

    Examples
    --------
    >>> ranges_words([NumberRow("Speed", "m/s", 2, {}, None, "1.25 (1.07-1.43)", "own", reach=2)])
    'in brackets: speed \u00b1 2 SD'
    """
    told = [
        f"{row.title if row.title.isupper() else row.title.lower()} \u00b1 {row.reach} SD"
        for row in numbers
        if row.reach
    ]
    return f"in brackets: {', '.join(told)}" if told else ""


HEALTHY_GPS = Expected(GDI_STAR_A, GDI_STAR_B, log=True)
"""The GPS of the controls of Schwartz, Rozumalski and Baker 2013 against their own mean. It is
lognormal (:mod:`gaitdyn.metrics.scores`); its root mean square, 5.7 deg, is that of the set of
Schwartz 2008 at free speed, 5.8, and it says nothing of other sets."""


def gps_words() -> str:
    """Return the median of the GPS of healthy children and its range of one SD."""
    low, middle, high = (HEALTHY_GPS.at(k) for k in (-1, 0, 1))
    return f"{middle:.1f} ({low:.1f}\u2013{high:.1f})"


_GPS_NORM = NumberNorm(HEALTHY_GPS, gps_words(), CHILDREN, reach=1)
_GDI_NORM = NumberNorm(Expected(100.0, 10.0), "100 \u00b1 10", CHILDREN)
_OTHER_SCALE = NumberNorm(None, "not comparable")
"""The constants of GDI* belong to the people of one set."""
