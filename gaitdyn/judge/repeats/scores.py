"""The GPS of unchanged people in two sessions each, beside a file of repeats, and its limits."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, field, fields
from pathlib import Path

import numpy as np

from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.refusals import doubt_of_speeds
from gaitdyn.judge.repeats.numbers import MEASURED, MISSING, read_beside
from gaitdyn.judge.session import FEWEST_STRIDES, SessionWalk
from gaitdyn.judge.settings import doubt_of_settings
from gaitdyn.judge.way import as_walked
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.metrics.scores import SDC_GPS_DEG, GaitScores, Score, free_speed_scores
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError
from gaitdyn.statistics.threshold import simultaneous_threshold
from gaitdyn.tables.csv_files import csv_text, texts_of
from gaitdyn.types.frozen import frozen
from gaitdyn.types.norms import Norm
from gaitdyn.types.subject import SIDES
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted

OVERALL = "overall"
GPS, GPS_OVERALL = "gps", "gps_overall"
"""Keys of the errors of the GPS of a side, and of both together."""

_PUBLISHED = "published, Gait Posture 2023, 99:51-53"


@frozen()
class ScorePair:
    """The GPS of one person in two sessions.

    Attributes
    ----------
    pair : int
        Number of the pair, from 1.
    side : str
        ``left``, ``right`` or ``overall``.
    first, second : float
        GPS of each session against free speed, deg.
    unit : str
    norm, sha256 : str
        Name and hash of the reference set.
    """

    pair: int
    side: str
    first: float
    second: float
    unit: str
    norm: str
    sha256: str


COLUMNS = tuple(field.name for field in fields(ScorePair))


def scores_file(path: Path) -> Path:
    """Return the file of the scores that belongs to a file of repeats."""
    return path.with_name(f"{path.stem}-scores.csv")


def score_pairs(
    pairs: Iterable[tuple[SessionWalk, SessionWalk]], norm: Norm
) -> tuple[list[ScorePair], list[str]]:
    """Return the GPS of both sessions of each pair, and why pairs have none.

    The GPS follows the speed, as sagittal angles do, and needs two strides in each session.

    Parameters
    ----------
    pairs : iterable of (SessionWalk, SessionWalk)
        Two sessions of each unchanged person.
    norm : Norm
    """
    rule = next(rule for rule in curve_rules() if rule.is_angle and rule.by_speed)
    rows: list[ScorePair] = []
    notes = []
    for number, (before, after) in enumerate(pairs, 1):
        doubts = doubt_of_settings(before, after, rule) or doubt_of_speeds(before, after, rule)
        if doubts:
            notes.append(f"pair {number}, gps: {doubts[0].reason}")
            continue
        first, second = (_by_side(_scores(walk, norm)) for walk in (before, after))
        known = [s for s in SIDES if _enough(first[s]) and _enough(second[s])]
        known += [OVERALL] if len(known) == len(SIDES) else []
        rows += [
            ScorePair(
                number, side, first[side].value or math.nan, second[side].value or math.nan,
                "deg", norm.name, norm.sha256,
            )
            for side in known
        ]  # fmt: skip
        if not known:
            reasons = [one[side].reason for one in (first, second) for side in SIDES]
            why = next(filter(None, reasons), "no side has two strides in both sessions")
            notes.append(f"pair {number}, gps: {why}")
    counts = {side: sum(row.side == side for row in rows) for side in (*SIDES, OVERALL)}
    if max(counts.values()) < FEWEST_PAIRS:
        return [], [*notes, f"gps: only {counted(max(counts.values()), 'pair')}, left out"]
    return rows, notes


def _scores(walk: SessionWalk, norm: Norm) -> GaitScores:
    matched = as_walked(match_norm(norm, walk.speed), walk.trials)
    return free_speed_scores(walk.angle_cycles(), matched)


def _by_side(scores: GaitScores) -> dict[str, Score]:
    return {**scores.gps, OVERALL: scores.gps_overall}


def _enough(score: Score) -> bool:
    return score.value is not None and score.cycles >= FEWEST_STRIDES


def scores_text(rows: Iterable[ScorePair]) -> str:
    """Return pairs as CSV, one line each."""
    return csv_text(COLUMNS, texts_of(astuple(row) for row in rows))


def read_score_errors(path: Path) -> dict[str, SessionError]:
    """Return the errors of the GPS of a side and of both, ``SEM^2 = mean(d^2) / 2``, as one point.

    Both sides of a person count as one pair: they have one error, but are not independent.

    Parameters
    ----------
    path : Path
        Of :func:`scores_file`; without it there are no errors.

    Raises
    ------
    NormRefused
        With what is wrong with the file.
    """
    return read_beside(path, COLUMNS, lambda rows: _errors(path.name, rows))


def _errors(file: str, rows: Sequence[Mapping[str, str]]) -> dict[str, SessionError]:
    sets = {row["sha256"] for row in rows}
    if len(sets) != 1 or sets & {"", MISSING} or {row["unit"] for row in rows} != {"deg"}:
        raise ValueError("no reference set or several, or another unit")
    squares: dict[str, dict[str, list[float]]] = {GPS: {}, GPS_OVERALL: {}}
    for row in rows:
        if row["side"] not in (*SIDES, OVERALL):
            raise ValueError(f"the side {row['side']!r}")
        values = [number_in(row[name], np.nan) for name in ("first", "second")]
        if not all(0 < value < 180 for value in values):  # noqa: PLR2004  deg
            raise ValueError(f"pair {row['pair']}: a GPS of {row['first']} and {row['second']}")
        kind = GPS_OVERALL if row["side"] == OVERALL else GPS
        squares[kind].setdefault(row["pair"], []).append((values[1] - values[0]) ** 2)
    return {
        kind: _error(file, sets.copy().pop(), [float(np.mean(own)) for own in people.values()])
        for kind, people in squares.items()
        if len(people) >= FEWEST_PAIRS
    }


def _error(file: str, sha256: str, squares: Sequence[float]) -> SessionError:
    variance, pairs = np.array([float(np.mean(squares)) / 2]), len(squares)
    return SessionError(
        float(variance[0]), 0 * variance, variance, float(pairs), 0.0, 0.0,
        f"{pairs} {MEASURED}, {file}", measured=True, reference=sha256,
    )  # fmt: skip


@frozen()
class GpsLimits:
    """The change of a GPS that a second session causes by itself, and where it is from.

    Attributes
    ----------
    side, overall : float
        Of one side and of both together, deg.
    origin : str
    refused : dict
        Side or ``overall`` -> why a change is not judged.
    """

    side: float = SDC_GPS_DEG
    overall: float = SDC_GPS_DEG
    origin: str = _PUBLISHED
    refused: dict[str, str] = field(default_factory=dict[str, str])


def gps_limits(repeats: Mapping[str, SessionError], norm: Norm | None) -> GpsLimits:
    """Return the smallest detectable changes of the GPS.

    ``t_nu(0.975) sqrt(2) SEM`` from the laboratory's own repeats against the same reference set, nu
    the number of pairs, rounded up to 0.1 deg; otherwise the published one.

    Parameters
    ----------
    repeats : mapping
        Of :func:`gaitdyn.judge.repeats.file.read_repeats`; may be empty.
    norm : Norm or None
        The set behind the scores; without one there are none.
    """
    side, overall = repeats.get(GPS), repeats.get(GPS_OVERALL)
    known = [error for error in (side, overall) if error is not None]
    if norm is None:
        return GpsLimits()
    if not known:
        lacking = "; the repeats have no GPS (gaitdyn repeats build --norm)"
        return GpsLimits(origin=f"{_PUBLISHED}{lacking if repeats else ''}")
    if any(error.reference != norm.sha256 for error in known):
        other = "; the GPS of the repeats is against another reference set"
        return GpsLimits(origin=f"{_PUBLISHED}{other}")
    limits = [SDC_GPS_DEG if error is None else _detectable(error) for error in (side, overall)]
    rest = "" if overall is not None else f"; of both legs together: {_PUBLISHED}"
    return GpsLimits(*limits, origin=f"{known[0].origin}{rest}")


def _detectable(error: SessionError) -> float:
    """Return the smallest detectable change, rounded up to 0.1 deg.

    Examples
    --------
    >>> ten = SessionError(0.25, np.zeros(1), np.array([0.25]), 10.0, 0.0, 0.0, "")
    >>> _detectable(ten)  # 2.228 sqrt(2) 0.5 = 1.575
    1.6
    """
    limit = simultaneous_threshold(0.0, error.nu) * math.sqrt(2 * float(error.band[0]))
    return math.ceil(round(10 * limit, 6)) / 10
