"""A laboratory's own session error, from repeats: unchanged people measured twice."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.io.plain_files import plain_text
from gaitdyn.judge.axes import doubt_of_axes
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.doubt import Doubt
from gaitdyn.judge.number_errors import NumberError, number_errors, number_notes
from gaitdyn.judge.numbers import number_text
from gaitdyn.judge.recordings import recordings_of, same_recording
from gaitdyn.judge.refusals import doubt_of_speeds
from gaitdyn.judge.repeated_numbers import MEASURED, read_number_errors
from gaitdyn.judge.repeated_scores import (
    ScorePair,
    read_score_errors,
    score_pairs,
    scores_file,
    scores_text,
)
from gaitdyn.judge.session import FEWEST_STRIDES
from gaitdyn.judge.session_trials import one_condition, walk_of
from gaitdyn.judge.settings import doubt_of_settings
from gaitdyn.judge.whose import check_persons
from gaitdyn.metrics.curve_names import UNITS
from gaitdyn.metrics.norm_rows import LARGEST
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError, error_of_pairs
from gaitdyn.store.persons import stated_id
from gaitdyn.store.single_file import put_in_place
from gaitdyn.store.stored import StoredTrial
from gaitdyn.tables.csv_files import csv_text
from gaitdyn.types.arguments import told
from gaitdyn.types.arrays import Array
from gaitdyn.types.norms import Norm
from gaitdyn.types.subject import SIDES
from gaitdyn.types.texts import number_in
from gaitdyn.types.words import counted, system_reason

COLUMNS = (
    "curve", "pairs", "level_sd", "shape_roughness", "band_roughness", "percent", "shape_sd",
    "band_sd", "unit", "origin",
)  # fmt: skip
_NUMBERS = (
    "percent", "level_sd", "shape_roughness", "band_roughness", "shape_sd", "band_sd", "pairs",
)  # fmt: skip
_OF_CURVE = ("pairs", "level_sd", "shape_roughness", "band_roughness", "origin")
_POINTS = 101
_FEW = "no side has two whole strides in both sessions"
_MOST_NAMED = 3
"""Number of curves that a note names."""


def build_repeats(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> tuple[dict[str, SessionError], dict[str, str], list[str]]:
    """Return the session error of every curve that ten pairs or more have.

    A person counts once for a curve. The two sides of a person are not independent pairs, so the
    side with more strides is used.

    Parameters
    ----------
    pairs : sequence of (trials, trials)
        First and second session of each person.

    Returns
    -------
    errors : dict
        Curve -> SessionError.
    units : dict
    notes : list of str
        What was left out, and why.

    Raises
    ------
    NormRefused
        For fewer than ten pairs, a pair of two people, of one static, and a person or recording
        that occurs twice.
    ResultsRefused
        For a pair of two conditions.
    """
    if len(pairs) < FEWEST_PAIRS:
        raise NormRefused(
            f"found {counted(len(pairs), 'pair')} of sessions; wanted {FEWEST_PAIRS} or more, 15 to"
            " be useful; record more people twice"
        )
    _check_pairs(pairs)
    walks = [(walk_of(first), walk_of(second)) for first, second in pairs]
    errors, units, few = {}, {}, []
    left_out: dict[tuple[int, str], list[str]] = {}
    for rule in curve_rules():
        samples: list[tuple[Array, Array]] = []
        for number, (before, after) in enumerate(walks, 1):
            doubts = (
                doubt_of_settings(before, after, rule)
                or doubt_of_axes((*before.trials, *after.trials), rule)
                or doubt_of_speeds(before, after, rule)
            )
            sides = [(before.strides(side, rule), after.strides(side, rule)) for side in SIDES]
            first, second = max(sides, key=lambda s: min(len(s[0].values), len(s[1].values)))
            if min(len(first.values), len(second.values)) < FEWEST_STRIDES:
                doubts = doubts or [Doubt(_FEW)]
            if not doubts:
                samples.append((first.values, second.values))
                units[rule.name] = first.unit
            elif any(strides.unit for two in sides for strides in two):
                left_out.setdefault((number, doubts[0].reason), []).append(rule.name)
        if len(samples) < FEWEST_PAIRS:
            few.append(f"{rule.name}: only {counted(len(samples), 'pair')}, left out")
            continue
        origin = f"{len(samples)} {MEASURED}"
        errors[rule.name] = error_of_pairs(samples, rule.level_of_strides, origin)
    notes = [_pair_note(number, reason, names) for (number, reason), names in left_out.items()]
    return errors, units, [*sorted(notes), *few]


def _pair_note(number: int, reason: str, names: Sequence[str]) -> str:
    listed = ", ".join(names) if len(names) <= _MOST_NAMED else counted(len(names), "curve")
    return f"pair {number}, {listed}: {reason}"


def notes_on_numbers(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> list[str]:
    """Return which pairs :func:`build_numbers` leaves out of some numbers, and why."""
    return number_notes((walk_of(first), walk_of(second)) for first, second in pairs)


def build_numbers(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> list[NumberError]:
    """Return the error between sessions of gait parameters and peaks.

    Parameters
    ----------
    pairs : sequence of (trials, trials)
        As for :func:`build_repeats`, which refuses what are no repeats.
    """
    return number_errors((walk_of(first), walk_of(second)) for first, second in pairs)


def build_scores(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]], norm: Norm
) -> tuple[list[ScorePair], list[str]]:
    """Return the GPS of both sessions of each pair, and which pairs have none.

    Parameters
    ----------
    pairs : sequence of (trials, trials)
        As for :func:`build_repeats`, which refuses what are no repeats.
    norm : Norm
    """
    return score_pairs(((walk_of(first), walk_of(second)) for first, second in pairs), norm)


def numbers_file(path: Path) -> Path:
    """Return the file of the numbers that belongs to a file of repeats."""
    return path.with_name(f"{path.stem}-numbers.csv")


def _check_pairs(pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]]) -> None:
    """Refuse pairs that are not two sessions of one person and condition, or not independent."""
    seen: set[tuple[str, str]] = set()
    for number, (first, second) in enumerate(pairs, 1):
        whose = check_persons(first, second)
        if whose.two:
            raise NormRefused(
                f"pair {number}: found two people ({whose.differences}); wanted two sessions of one"
                " person; name the folders as FIRST SECOND FIRST SECOND ..."
            )
        trials = (*first, *second)
        one_condition(trials, f"pair {number}")
        ids = {i for t in trials if (i := stated_id(t.document))}
        once = {(i, "subject"): f"subject {i}" for i in sorted(ids)}
        named = [item for trial in trials for item in recordings_of(trial).items()]
        twice = [name for key, name in (*once.items(), *named) if key in seen]
        twice += [name for i, (key, name) in enumerate(named) if (key, name) in named[:i]]
        again = [t for t in second if any(same_recording(one, t) for one in first)]
        twice += [name for trial in again for name in recordings_of(trial).values()]
        if twice:
            raise NormRefused(
                f"pair {number}: found {twice[0]} a second time; wanted another person in every"
                " pair, and other recordings in every session"
            )
        statics = [walk_of(session).hashes("static") for session in (first, second)]
        if statics[0] & statics[1]:
            raise NormRefused(
                f"pair {number}: found one static for both sessions, so the markers stayed on;"
                " wanted sessions for which they were placed anew, each with its own static"
            )
        seen |= {*once, *(key for key, _ in named)}


def repeats_text(errors: Mapping[str, SessionError], units: Mapping[str, str]) -> str:
    """Return ``repeats.csv``: 101 lines per curve, in the unit of the curve."""
    rows = []
    for name, error in errors.items():
        head = (name, f"{error.nu:g}", f"{error.level**0.5:.6g}",
                f"{error.shape_roughness:.6g}", f"{error.band_roughness:.6g}")  # fmt: skip
        for percent in range(_POINTS):
            shape, band = error.shape[percent] ** 0.5, error.band[percent] ** 0.5
            tail = f"{shape:.6g}", f"{band:.6g}", units[name], error.origin
            rows.append((*head, percent, *tail))
    return csv_text(COLUMNS, rows)


def write_repeats(
    path: Path, errors: Mapping[str, SessionError], units: Mapping[str, str],
    numbers: Sequence[NumberError] = (), scores: Sequence[ScorePair] = (),
) -> None:  # fmt: skip
    """Write ``repeats.csv`` and put it in place, with the tables of numbers and scores beside it.

    Tables beside an older file of this name are removed: they are not of these repeats.

    Parameters
    ----------
    path : Path
    errors, units : mapping
        Of :func:`build_repeats`.
    numbers : sequence of NumberError
    scores : sequence of ScorePair
    """
    for beside in (numbers_file(path), scores_file(path)):
        beside.unlink(missing_ok=True)
    put_in_place(path, repeats_text(errors, units).encode())
    if numbers:
        put_in_place(numbers_file(path), number_text(NumberError, numbers).encode())
    if scores:
        put_in_place(scores_file(path), scores_text(scores).encode())


def read_repeats(path: Path) -> dict[str, SessionError]:
    """Return the session errors from a file of :func:`write_repeats`, by curve.

    The tables of numbers and scores beside it, if there are any, have those of peaks and the GPS.

    Parameters
    ----------
    path : Path

    Raises
    ------
    NormRefused
        With what is wrong with the file.
    """
    try:
        text = plain_text(path)
    except OSError as error:
        message = f"{path.name}: {system_reason(error)}; wanted a file of gaitdyn repeats build"
        raise NormRefused(message) from error
    try:
        errors = _errors(path.name, list(filter(None, csv.reader(text.splitlines()))))
    except (ValueError, csv.Error) as error:
        raise NormRefused(
            f"{path.name}: found lines that gaitdyn repeats build did not write ({error}); wanted"
            f" the columns {','.join(COLUMNS)}, {_POINTS} lines per curve; build it again"
        ) from error
    beside = read_number_errors(numbers_file(path)), read_score_errors(scores_file(path))
    return {**errors, **beside[0], **beside[1]}


def _errors(file: str, rows: list[list[str]]) -> dict[str, SessionError]:
    """Return the errors in the rows of a file, of which the first has the names of the columns."""
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ValueError("other columns")
    by_curve: dict[str, list[dict[str, str]]] = {}
    for cells in rows[1:]:
        row: dict[str, str] = dict(zip(COLUMNS, cells, strict=True))
        by_curve.setdefault(row["curve"], []).append(row)
    if not by_curve:
        raise ValueError("no curve")
    return {name: _error(file, name, lines) for name, lines in by_curve.items()}


def _error(file: str, name: str, rows: Sequence[Mapping[str, str]]) -> SessionError:
    """Return the error of a curve after checking each of its lines."""
    of_curve = {tuple(row[column] for column in _OF_CURVE) for row in rows}
    if len(of_curve) > 1 or {row["unit"] for row in rows} != {UNITS.get(name)}:
        raise ValueError(f"{told(name)}: lines that differ, or another unit")
    numbers = np.array([[number_in(row[column], np.nan) for column in _NUMBERS] for row in rows])
    percent, level, shape_roughness, band_roughness, shape, band, pairs = numbers.T
    valid = np.isfinite(numbers).all() and numbers.min() >= 0 and pairs[0] >= FEWEST_PAIRS
    if not valid or not np.array_equal(percent, np.arange(_POINTS)):
        raise ValueError(f"{name}: {counted(len(rows), 'line')} of {pairs[0]:g} pairs")
    largest = max(level.max(), shape.max(), band.max())
    if largest > LARGEST[UNITS[name]]:
        raise ValueError(f"{name}: an SD of {largest:g} {UNITS[name]}")
    origin = rows[0]["origin"]
    return SessionError(
        float(level[0]) ** 2, shape**2, band**2, float(pairs[0]),
        float(shape_roughness[0]), float(band_roughness[0]),
        f"{origin}, {file}", measured=origin.endswith(MEASURED),
    )  # fmt: skip
