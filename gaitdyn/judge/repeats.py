"""A laboratory's own session error, from repeats: unchanged people measured twice."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.judge.curves import CurveRule, curve_rules
from gaitdyn.judge.numbers import NumberError, number_errors, number_text
from gaitdyn.judge.refusals import NO_SPEED, Doubt, doubt_of_settings
from gaitdyn.judge.session import FEWEST_STRIDES, SessionWalk, one_condition, walk_of
from gaitdyn.judge.whose import check_persons
from gaitdyn.metrics.norm_speed import SAME_SPEED
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError, error_of_pairs
from gaitdyn.store.single_file import put_in_place
from gaitdyn.store.stored import StoredTrial
from gaitdyn.tables.csv_files import csv_text
from gaitdyn.types.arrays import Array
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

COLUMNS = (
    "curve", "pairs", "level_sd", "shape_roughness", "band_roughness", "percent", "shape_sd",
    "band_sd", "unit", "origin",
)  # fmt: skip
_POINTS = 101
_FEW = "no side has two whole strides in both sessions"
_MOST_NAMED = 3
"""Number of curves that a note names."""

_MEASURED = "own repeats"
"""The end of the origin of errors that were measured on people."""


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
            doubts = doubt_of_settings(before, after, rule) or _doubt_of_speed(before, after, rule)
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
        origin = f"{len(samples)} {_MEASURED}"
        errors[rule.name] = error_of_pairs(samples, rule.level_of_strides, origin)
    notes = [_pair_note(number, reason, names) for (number, reason), names in left_out.items()]
    return errors, units, [*sorted(notes), *few]


def _pair_note(number: int, reason: str, names: Sequence[str]) -> str:
    listed = ", ".join(names) if len(names) <= _MOST_NAMED else counted(len(names), "curve")
    return f"pair {number}, {listed}: {reason}"


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


def numbers_file(path: Path) -> Path:
    """Return the file of the numbers that belongs to a file of repeats."""
    return path.with_name(f"{path.stem}-numbers.csv")


def _doubt_of_speed(before: SessionWalk, after: SessionWalk, rule: CurveRule) -> list[Doubt]:
    """Return a doubt if a curve depends on the speed, and the speeds differ or are not known."""
    first, second = before.speed, after.speed
    if not rule.by_speed:
        return []
    if first is None or second is None:
        return [Doubt(NO_SPEED)]
    if abs(second - first) <= SAME_SPEED:
        return []
    return [Doubt(f"the speed differs, {first:.2f} and {second:.2f} of sqrt(g L)")]


def _check_pairs(pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]]) -> None:
    """Refuse pairs that are not two sessions of one person and condition, or not independent."""
    seen: set[str] = set()
    for number, (first, second) in enumerate(pairs, 1):
        whose = check_persons(first, second)
        if whose.two:
            raise NormRefused(
                f"pair {number}: found two people ({whose.differences}); wanted two sessions of one"
                " person; name the folders as FIRST SECOND FIRST SECOND ..."
            )
        trials = (*first, *second)
        one_condition(trials, f"pair {number}")
        once = {str(i): f"subject {i}" for t in trials if (i := t.document["subject"].get("id"))}
        inputs = [x for t in trials for x in t.document["inputs"] if x["role"] == "trial"]
        named = [(x["sha256"], x["name"]) for x in inputs]
        twice = [name for key, name in (*once.items(), *named) if key in seen]
        twice += [name for i, (key, name) in enumerate(named) if (key, name) in named[:i]]
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
    numbers: Sequence[NumberError] = (),
) -> None:  # fmt: skip
    """Write ``repeats.csv`` and put it in place, with the table of the numbers beside it.

    Parameters
    ----------
    path : Path
    errors, units : mapping
        Of :func:`build_repeats`.
    numbers : sequence of NumberError
    """
    put_in_place(path, repeats_text(errors, units).encode())
    if numbers:
        put_in_place(numbers_file(path), number_text(NumberError, numbers).encode())


def read_repeats(path: Path) -> dict[str, SessionError]:
    """Return the session errors from a file of :func:`write_repeats`.

    Parameters
    ----------
    path : Path

    Raises
    ------
    NormRefused
        With what is wrong with the file.
    """
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path.name}: cannot be read; wanted a file of gaitdyn repeats build"
        raise NormRefused(message) from error
    by_curve: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        by_curve.setdefault(row.get("curve") or "", []).append(row)
    try:
        return {name: _error(path.name, lines) for name, lines in by_curve.items()}
    except (KeyError, TypeError, ValueError) as error:
        raise NormRefused(
            f"{path.name}: found lines that gaitdyn repeats build did not write ({error}); wanted"
            f" the columns {','.join(COLUMNS)}, {_POINTS} lines per curve; build it again"
        ) from error


def _error(file: str, rows: Sequence[Mapping[str, str]]) -> SessionError:
    shape = np.array([float(row["shape_sd"]) for row in rows]) ** 2
    band = np.array([float(row["band_sd"]) for row in rows]) ** 2
    pairs = float(rows[0]["pairs"])
    if len(rows) != _POINTS or pairs < FEWEST_PAIRS or not np.isfinite(shape + band).all():
        raise ValueError(f"{rows[0]['curve']}: {len(rows)} lines of {pairs:g} pairs")
    return SessionError(
        float(rows[0]["level_sd"]) ** 2, shape, band, pairs,
        float(rows[0]["shape_roughness"]), float(rows[0]["band_roughness"]),
        f"{rows[0]['origin']}, {file}", measured=rows[0]["origin"].endswith(_MEASURED),
    )  # fmt: skip
