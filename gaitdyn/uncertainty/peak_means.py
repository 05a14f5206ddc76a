"""Compute the peaks of a trial under other settings, means over the cycles, and their panels."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.pipeline import process_loaded
from gaitdyn.plots.panels import Panel
from gaitdyn.stages.session import session_again
from gaitdyn.tables.answers import cycle_curves_of, peaks_of
from gaitdyn.types.uncertainty import PeakTable
from gaitdyn.uncertainty.leg_curves import stages_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.stages.body import SubjectBody
    from gaitdyn.stages.motion import Motion
    from gaitdyn.trial import Result
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.options import Options
    from gaitdyn.types.result import Processed

PeakMeans = dict[tuple[str, str], float]
"""(side, quantity) -> mean over the cycles in which it is known."""

_COLUMNS = 4


def peak_means(result: Processed) -> PeakMeans:
    """Return the mean over the cycles of every quantity of ``peaks.csv``; NaN if all are unknown.

    Strides that turn are left out, unless all strides turn.
    """
    by_key: dict[tuple[str, str], list[float]] = {}
    turning = {(c.cycle.side, c.cycle.number) for c in cycle_curves_of(result) if c.cycle.turning}
    peaks = peaks_of(result)
    for peak in [p for p in peaks if (p.side, p.cycle) not in turning] or peaks:
        by_key.setdefault((peak.side, peak.name), []).append(peak.value)
    return {
        key: float(np.mean(finite)) if (finite := [v for v in values if np.isfinite(v)]) else np.nan
        for key, values in by_key.items()
    }


def peak_units(result: Processed) -> dict[str, str]:
    """Return the unit of every quantity of ``peaks.csv``."""
    return {peak.name: peak.unit for peak in peaks_of(result)}


def peak_table(
    settings: Sequence[tuple[Any, ...]], series: Sequence[PeakMeans], units: dict[str, str]
) -> PeakTable:
    """Return the peaks under several settings as one table.

    Parameters
    ----------
    settings : sequence of tuple
    series : sequence of PeakMeans
        One per setting.
    units : dict
        Of :func:`peak_units`.
    """
    peaks = tuple(dict.fromkeys(key for means in series for key in means))
    values = [[means.get(key, np.nan) for key in peaks] for means in series]
    return PeakTable(
        tuple(settings),
        peaks,
        tuple(units[name] for _, name in peaks),
        np.array(values, dtype=float).reshape(len(series), len(peaks)),
    )


def result_under(
    base: Result, options: Options, body: SubjectBody | None = None, motion: Motion | None = None
) -> Result:
    """Return the result of the same recordings and cycles under other options.

    Parameters
    ----------
    base : Result
        Its foot strikes and foot-offs are kept, so that the numbers are for the same time spans.
    options : Options
    body : SubjectBody, optional
        If the options do not change the body.
    motion : Motion, optional
        If they do not change the motion.
    """
    session = stages_of(base).session
    if (options.profile == "default") != (base.options.profile == "default"):
        session = session_again(session, options)
    return replace(process_loaded(session, options, body, motion=motion), events=base.events)


def peak_grid(
    series: Sequence[PeakMeans], x: Array, units: dict[str, str]
) -> tuple[tuple[tuple[Panel, ...], ...], list[CurveStrip]]:
    """Return panels of the peaks of moments and powers, and a strip for each side.

    Parameters
    ----------
    series : sequence of PeakMeans
        One per setting.
    x : array, shape (k,)
        Positions of the settings on the horizontal scale.
    units : dict
        Of :func:`peak_units`.
    """
    names = [n for n in units if _is_load(n) and units[n].endswith("/kg")]
    strips = []
    for side in dict.fromkeys(side for side, _ in series[0]):
        values = np.array([[peaks.get((side, name), np.nan) for name in names] for peaks in series])
        strips.append(CurveStrip(side, x, tuple(names), values, ()))
    panels = [
        Panel(name, name.replace("_", " "), units[name], _limits(strips, name), "", "")
        for name in names
        if any(np.isfinite(strip.curve(name)).any() for strip in strips)
    ]
    rows = [tuple(panels[i : i + _COLUMNS]) for i in range(0, len(panels), _COLUMNS)]
    return tuple(rows), strips


def _is_load(name: str) -> bool:
    key = key_of(name)
    return key.is_moment or key.is_power_part


def _limits(strips: Sequence[CurveStrip], name: str) -> tuple[float, float]:
    """Return limits around the values, with at least a tenth of their size between them."""
    values = np.concatenate([strip.curve(name) for strip in strips])
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    margin = max(0.1 * max(abs(low), abs(high)), 0.1 * (high - low), 1e-3)
    return low - margin, high + margin
