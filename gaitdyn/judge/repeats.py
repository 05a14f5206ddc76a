"""A laboratory's own error of a session, from repeats: people seen twice who did not change."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.errors import NormRefused
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.refusals import doubt_of_settings
from gaitdyn.judge.session import walk_of
from gaitdyn.statistics.session_error import FEWEST_PAIRS, SessionError, error_of_pairs
from gaitdyn.store.single_file import put_in_place
from gaitdyn.tables.csv_files import csv_text
from gaitdyn.types.subject import SIDES
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Array

COLUMNS = (
    "curve", "pairs", "level_sd", "shape_roughness", "band_roughness", "percent", "shape_sd",
    "band_sd", "unit", "origin",
)  # fmt: skip
_POINTS = 101
_OWN = "own repeats"
"""How the origin of errors ends that were measured on people."""


def build_repeats(
    pairs: Sequence[tuple[Sequence[StoredTrial], Sequence[StoredTrial]]],
) -> tuple[dict[str, SessionError], dict[str, str], list[str]]:
    """Return the error of a session of every curve that ten pairs or more have.

    A person counts once for a curve: of the two sides the differences stand for one pair each
    half as sure, so the side with more strides is taken.

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
        Of fewer than ten pairs.
    """
    if len(pairs) < FEWEST_PAIRS:
        raise NormRefused(
            f"found {counted(len(pairs), 'pair')} of sessions; wanted {FEWEST_PAIRS} or more, from"
            " 15 on they are useful; record more people twice"
        )
    walks = [(walk_of(first), walk_of(second)) for first, second in pairs]
    errors, units, notes = {}, {}, []
    for rule in curve_rules():
        own: list[tuple[Array, Array]] = []
        for number, (before, after) in enumerate(walks, 1):
            doubts = doubt_of_settings(before, after, rule)
            if doubts:
                notes.append(f"pair {number}, {rule.name}: {doubts[0].reason}")
                continue
            sides = [(before.strides(side, rule), after.strides(side, rule)) for side in SIDES]
            first, second = max(sides, key=lambda s: min(len(s[0].values), len(s[1].values)))
            if min(len(first.values), len(second.values)) > 1:
                own.append((first.values, second.values))
                units[rule.name] = first.unit
        if len(own) < FEWEST_PAIRS:
            notes.append(f"{rule.name}: {len(own)} pairs only, left out")
            continue
        told = f"{len(own)} {_OWN}"
        errors[rule.name] = error_of_pairs(own, rule.level_of_strides, told)
    return errors, units, notes


def repeats_text(errors: Mapping[str, SessionError], units: Mapping[str, str]) -> str:
    """Return ``repeats.csv``: 101 lines a curve, in its own unit."""
    rows = []
    for name, one in errors.items():
        head = (name, f"{one.nu:g}", f"{one.level**0.5:.6g}",
                f"{one.shape_roughness:.6g}", f"{one.band_roughness:.6g}")  # fmt: skip
        for percent in range(_POINTS):
            shape, band = one.shape[percent] ** 0.5, one.band[percent] ** 0.5
            tail = f"{shape:.6g}", f"{band:.6g}", units[name], one.origin
            rows.append((*head, percent, *tail))
    return csv_text(COLUMNS, rows)


def write_repeats(
    path: Path, errors: Mapping[str, SessionError], units: Mapping[str, str]
) -> None:  # fmt: skip
    """Write ``repeats.csv`` and put it in place.

    Parameters
    ----------
    path : Path
    errors, units : mapping
        Of :func:`build_repeats`.
    """
    put_in_place(path, repeats_text(errors, units).encode())


def read_repeats(path: Path) -> dict[str, SessionError]:
    """Return the errors of a session that :func:`write_repeats` wrote.

    Parameters
    ----------
    path : Path

    Raises
    ------
    NormRefused
        With what is wrong in the file.
    """
    try:
        rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        message = f"{path.name}: cannot be read; wanted a file of gaitdyn repeats build"
        raise NormRefused(message) from error
    found: dict[str, list[dict[str, str]]] = {}
    for row in rows:
        found.setdefault(row.get("curve") or "", []).append(row)
    try:
        return {name: _error(path.name, own) for name, own in found.items()}
    except (KeyError, TypeError, ValueError) as error:
        raise NormRefused(
            f"{path.name}: found lines that gaitdyn repeats build did not write ({error}); wanted"
            f" the columns {','.join(COLUMNS)}, {_POINTS} lines a curve; build it again"
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
        f"{rows[0]['origin']}, {file}", measured=rows[0]["origin"].endswith(_OWN),
    )  # fmt: skip
