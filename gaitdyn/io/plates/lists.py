"""Read which plates a file has, and which analog channels and frames of zero belong to each.

Some files state fewer plates or types than they list, count channels from 0, or list them plate by
plate: the numbers show what is meant.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.io.c3d.records import TEXT
from gaitdyn.io.plates.types import CHANNELS, PlateRefused
from gaitdyn.types.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gaitdyn.io.c3d.parameters import Parameters
    from gaitdyn.types.arrays import Array


def plate_types(params: Parameters) -> list[int]:
    """Return the type of each plate in use; 0 if the file does not state it.

    Without FORCE_PLATFORM:USED all plates in TYPE are in use; without TYPE, all in CORNERS.
    """
    used, listed = params.number("FORCE_PLATFORM", "USED"), _listed_types(params)
    if used is None or not math.isfinite(used):
        return listed
    untyped = [0] * (_numbers(params, "CORNERS").size // 12 - len(listed))
    return [*listed, *untyped][: max(0, int(used))]


def unused_plates(params: Parameters) -> str:
    """Return a note on plates that TYPE lists beyond USED; empty if there is none."""
    used, listed = len(plate_types(params)), _listed_types(params)
    if not any(listed[used:]):
        return ""
    rest = "the others are not read" if used else "none is read"
    return f"FORCE_PLATFORM:USED is {used}, TYPE has {counted(len(listed), 'plate')}: {rest}"


def _listed_types(params: Parameters) -> list[int]:
    kinds, corners = (_numbers(params, name) for name in ("TYPE", "CORNERS"))
    return whole_numbers(kinds) or [0] * (corners.size // 12)


def whole_numbers(values: Iterable[float]) -> list[int]:
    """Return numbers of a file as integers; 0 for one that is not finite.

    Examples
    --------
    >>> whole_numbers([2.0, float("nan"), float("inf")])
    [2, 0, 0]
    """
    return [int(value) if math.isfinite(value) else 0 for value in values]


def column(params: Parameters, name: str, k: int, rows: int) -> Array:
    """Return column k of a FORCE_PLATFORM parameter.

    Raises
    ------
    PlateRefused
        When it is missing or too short.
    """
    record, flat = params.record("FORCE_PLATFORM", name), _numbers(params, name)
    if record is None or record.kind == TEXT:
        raise PlateRefused(f"FORCE_PLATFORM:{name} is missing")
    if flat.size < rows * (k + 1):
        raise PlateRefused(f"FORCE_PLATFORM:{name} has no values for this plate")
    return flat[rows * k : rows * (k + 1)]


def plate_channels(params: Parameters) -> list[int]:
    """Return the analog channels, from 0, assigned to plates; some may not exist."""
    named, first = _numbers(params, "CHANNEL"), _first_channel(params)
    return [int(number) - first for number in named if np.isfinite(number)]


def channels_of(params: Parameters, k: int, kind: int) -> Array:
    """Return the channels of plate k, from 0.

    Raises
    ------
    PlateRefused
        When fewer channels are listed than the type has.
    """
    wanted = CHANNELS[kind]
    table = params.get("FORCE_PLATFORM", "CHANNEL")
    shape = () if table is None or isinstance(table, list) else np.shape(table)
    rows = wanted if len(shape) == 1 else (*shape, 0)[0]
    if rows >= wanted:
        numbers = column(params, "CHANNEL", k, rows)
    elif len(shape) == 2 and shape[1] >= wanted and k < rows:  # noqa: PLR2004
        numbers = _plates_first(np.asarray(table))[k]
    else:
        raise PlateRefused(f"FORCE_PLATFORM:CHANNEL lists fewer than {wanted} channels")
    return np.array(whole_numbers(numbers[:wanted])) - _first_channel(params)


def _plates_first(table: Array) -> Array:
    """Return a list of channels that has a row per plate, against the definition.

    Its numbers are stored in the order of the definition, or in that of its dimensions: the
    channels of a plate follow each other.
    """
    stored = np.ravel(table, order="F").reshape(table.shape)
    by_size = (rows for rows in (stored, table) if (np.diff(rows, axis=1) == 1).all())
    found = next(by_size, None)
    if found is None:
        raise PlateRefused("FORCE_PLATFORM:CHANNEL lists the channels in an unknown order")
    return found


def _first_channel(params: Parameters) -> int:
    """Return the number of the first channel: 1, or 0 if only the first channel listed is 0."""
    named = _numbers(params, "CHANNEL")
    from_zero = named.size > 1 and named[0] == 0 and bool((named[1:] > 0).all())
    return 0 if from_zero else 1


def tare_frames(params: Parameters, k: int, frames: int) -> slice | None:
    """Return the frames, from 0, whose mean is the zero of plate k; None if there are none.

    FORCE_PLATFORM:ZERO has the first and the last of them, from 1, for all plates. A first of 0
    would mean 1 by the C3D format user guide, but the loads of the program that writes it are not
    tared. ZEROS has a pair per plate (HAS-Motion, Visual3D documentation, "FP ZEROS").
    """
    pairs = _numbers(params, "ZEROS")[2 * k :][:2]
    first, last = whole_numbers([*(pairs if pairs.any() else _numbers(params, "ZERO")), 0, 0][:2])
    return slice(first - 1, last) if 1 <= first <= last <= frames else None


def _numbers(params: Parameters, name: str) -> Array:
    """Return the numbers of a FORCE_PLATFORM parameter in storage order; empty if missing."""

    def read() -> Array:
        values = params.get("FORCE_PLATFORM", name, [])
        if isinstance(values, list):
            return np.zeros(0)
        return np.ravel(np.asarray(values, dtype=float), order="F")

    return params.once(f"FORCE_PLATFORM:{name}", read)
