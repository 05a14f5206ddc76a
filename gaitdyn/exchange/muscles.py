"""The tables of electromyography as columns, for other programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.tables.emg import (
    CHANNEL_WORDS,
    CURVE_WORDS,
    curve_blocks,
    rows_of_blocks,
    rows_of_channels,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from gaitdyn.types.arrays import Array
    from gaitdyn.types.emg import Emg

CURVE_UNITS = {name: unit for name, (unit, _) in CURVE_WORDS.items()}
"""Columns of ``emg.csv`` -> unit."""


def muscle_columns(emg: Emg | None) -> dict[str, Array | list[str]]:
    """Return ``emg.csv`` as columns, NaN where unknown; nothing without curves.

    Parameters
    ----------
    emg : Emg or None
    """
    return _columns(CURVE_WORDS, [] if emg is None else rows_of_blocks(curve_blocks(emg.curves)))


def channel_columns(emg: Emg | None) -> dict[str, Array | list[str]]:
    """Return ``emg_channels.csv`` as columns, NaN where unknown; nothing without channels.

    Parameters
    ----------
    emg : Emg or None
    """
    return _columns(CHANNEL_WORDS, [] if emg is None else rows_of_channels(emg))


def _columns(
    words: Mapping[str, tuple[str, str]], rows: Sequence[tuple[Any, ...]]
) -> dict[str, Array | list[str]]:
    """Return a table as columns; those without a unit hold texts."""
    if not rows:
        return {}
    return {
        name: np.array([np.nan if value is None else value for value in values], dtype=float)
        if unit
        else [str(value) for value in values]
        for (name, (unit, _)), values in zip(words.items(), zip(*rows, strict=True), strict=True)
    }
