"""What stated errors and other settings do to the loads of a trial, as kept with its results."""

from __future__ import annotations

from typing import Any

from gaitdyn.types.arrays import Array
from gaitdyn.types.frozen import frozen

BANDS, CUTOFFS, SWEEP = "bands", "cut-offs", "sweep"
"""Names under which a result keeps them."""


@frozen(arrays=True)
class Bands:
    """The 95 % bands of moments and powers.

    Attributes
    ----------
    names : tuple of str
        Of the curves, without the side.
    half : dict
        (side, cycle) -> half-widths, shape (101, len(names)), N m/kg and W/kg.
    document : dict
        Contents of ``uncertainty.json``.
    """

    names: tuple[str, ...]
    half: dict[tuple[str, int], Array]
    document: dict[str, Any]


@frozen(arrays=True)
class PeakTable:
    """Peaks under several settings, means over the cycles.

    Attributes
    ----------
    settings : tuple of tuple
        One per row.
    peaks : tuple of (str, str)
        Side and quantity, one per column.
    units : tuple of str
        One per column.
    values : array, shape (len(settings), len(peaks))
        NaN where a peak is unknown.
    """

    settings: tuple[tuple[Any, ...], ...]
    peaks: tuple[tuple[str, str], ...]
    units: tuple[str, ...]
    values: Array


@frozen(arrays=True)
class CutoffPeaks:
    """Peaks by cut-off.

    Attributes
    ----------
    table : PeakTable
        A setting is ``matched``, ``markers``, ``forces`` or ``chosen``, and the cut-offs of markers
        and forces in Hz.
    document : dict
        Contents of ``sensitivity.json``.
    """

    table: PeakTable
    document: dict[str, Any]


@frozen(arrays=True)
class SweptPeaks:
    """Peaks under other settings.

    Attributes
    ----------
    table : PeakTable
        A setting is its key and its word.
    base : array, shape (len(table.peaks),)
        Under the options of the run itself; NaN where unknown.
    left_out : tuple of (str, str)
        ``key=word`` of a setting that this trial does not allow, and the reason.
    """

    table: PeakTable
    base: Array
    left_out: tuple[tuple[str, str], ...] = ()
