"""``emg_channels.csv``, ``emg.csv`` and their dictionary ``emg.json``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.emg.session import in_session_unit
from gaitdyn.io.shipped import shipped_rows
from gaitdyn.quality.rules.muscles import emg_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gaitdyn.tables.csv_files import Block
    from gaitdyn.types.emg import Emg, EmgChannel, EmgCurves
    from gaitdyn.types.result import Processed

CHANNEL_WORDS, CURVE_WORDS = (
    {
        r["column"]: (r["unit"], r["meaning"])
        for r in shipped_rows("emg/columns.csv")
        if r["table"] == t
    }
    for t in ("emg_channels", "emg")
)
"""Columns of ``emg_channels.csv`` and of ``emg.csv`` -> unit and meaning."""


def channel_rows(result: Processed) -> list[tuple[Any, ...]]:
    """Return the rows of ``emg_channels.csv``."""
    emg = emg_of(result)
    return [] if emg is None else rows_of_channels(emg)


def rows_of_channels(emg: Emg) -> list[tuple[Any, ...]]:
    """Return the rows of ``emg_channels.csv`` for channels that were judged."""
    return [_channel_row(emg, channel) for channel in emg.channels]


def _channel_row(emg: Emg, c: EmgChannel) -> tuple[Any, ...]:
    curves = next((x for x in emg.curves if x.channel == c.number), None)
    h = c.health
    return (
        c.number, c.label, c.muscle, c.side, c.unit, float(c.rate_hz), c.status, c.reason,
        h.snr_db, h.median_frequency_hz, h.clipped_share, h.constant_s, h.hum_hz, h.hum_share,
        h.low_share, h.kurtosis, c.strides, c.norm_r, c.other_side_r, c.likest, c.named_by,
        None if curves is None else curves.scale,
        None if curves is None else curves.variance_ratio,
        None if curves is None else curves.variation,
    )  # fmt: skip


def curve_rows(result: Processed) -> list[tuple[Any, ...]]:
    """Return the rows of ``emg.csv``: 101 per muscle and cycle."""
    emg = emg_of(result)
    return [] if emg is None else rows_of_blocks(curve_blocks(emg.curves))


def rows_of_blocks(blocks: Iterable[Block]) -> list[tuple[Any, ...]]:
    """Return the rows of :func:`curve_blocks`; ``on`` is None if unknown."""
    rows: list[tuple[Any, ...]] = []
    for texts, numbers in blocks:
        for number, percent, envelope, on in numbers.tolist():
            is_on = int(on) if math.isfinite(on) else None
            rows.append((*texts, int(number), int(percent), envelope, is_on))
    return rows


def curve_blocks(curves: Iterable[EmgCurves], *before: str) -> Iterator[Block]:
    """Yield the rows of ``emg.csv`` in blocks: side and muscle, and the numbers of every cycle.

    Parameters
    ----------
    curves : iterable of EmgCurves
    *before : str
        Texts before the side.
    """
    for muscle in curves:
        n, k = muscle.envelope.shape
        cycle, percent = np.repeat(muscle.cycles, k), np.tile(np.arange(k), n)
        columns = (cycle, percent, muscle.envelope.ravel(), muscle.on.ravel())
        yield (*before, muscle.side, muscle.muscle), np.stack(columns, axis=1)


def session_blocks(names: Sequence[str], trials: Sequence[Emg]) -> Iterator[Block]:
    """Yield the rows of ``emg.csv`` of a session: trial, then the columns of :data:`CURVE_WORDS`.

    An envelope of 1 is the peak of the mean envelope of this muscle in the session.

    Parameters
    ----------
    names : sequence of str
        Names of the trials.
    trials : sequence of Emg
    """
    for name, curves in zip(names, in_session_unit(trials), strict=True):
        yield from curve_blocks(curves, name)


def emg_dictionary(result: Processed) -> dict[str, Any]:
    """Return ``emg.json``: every column, and the processing; empty without electromyography."""
    emg = emg_of(result)
    if emg is None:
        return {}
    keys = ("unit", "meaning")
    return {
        "emg_channels.csv": {n: dict(zip(keys, w, strict=True)) for n, w in CHANNEL_WORDS.items()},
        "emg.csv": {n: dict(zip(keys, w, strict=True)) for n, w in CURVE_WORDS.items()},
        "processing": emg.processing,
        "norm_group": emg.group,
        "crossed": list(emg.crossed),
    }
