"""The peaks of a trial under other settings: means over the cycles, and panels that show them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.pipeline import process_loaded
from gaitdyn.plots.panels import Panel
from gaitdyn.stages.session import session_again
from gaitdyn.tables.answers import cycle_curves_of, peaks_of
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
    """Return the mean over the cycles of every number of ``peaks.csv``; NaN where none is known.

    Strides that turn are left out, unless all do.
    """
    found: dict[tuple[str, str], list[float]] = {}
    turning = {(c.cycle.side, c.cycle.number) for c in cycle_curves_of(result) if c.cycle.turning}
    every = peaks_of(result)
    for one in [p for p in every if (p.side, p.cycle) not in turning] or every:
        found.setdefault((one.side, one.name), []).append(one.value)
    return {
        key: float(np.mean(known)) if (known := [v for v in values if np.isfinite(v)]) else np.nan
        for key, values in found.items()
    }


def peak_units(result: Processed) -> dict[str, str]:
    """Return the unit of every number of ``peaks.csv``."""
    return {one.name: one.unit for one in peaks_of(result)}


def result_under(
    base: Result, options: Options, body: SubjectBody | None = None, motion: Motion | None = None
) -> Result:
    """Return a result under other options, of the same recordings, in the cycles of the base.

    Parameters
    ----------
    base : Result
        Its strikes and offs are kept, so that the numbers are of the same stretches of time.
    options : Options
    body : SubjectBody, optional
        Where the options leave the body as it is.
    motion : Motion, optional
        Where they leave the motion as it is.
    """
    session = stages_of(base).session
    if (options.profile == "default") != (base.options.profile == "default"):
        session = session_again(session, options)
    found = process_loaded(session, options, body, motion=motion)
    return replace(found, events=base.events)


def peak_grid(
    series: Sequence[PeakMeans], at: Array, units: dict[str, str]
) -> tuple[tuple[tuple[Panel, ...], ...], list[CurveStrip]]:
    """Return panels of the peaks of moments and powers, and a strip a side.

    Parameters
    ----------
    series : sequence of PeakMeans
        One a setting.
    at : array, shape (k,)
        Where the settings stand on the horizontal scale.
    units : dict
        Of :func:`peak_units`.
    """
    names = [n for n in units if _is_load(n) and units[n].endswith("/kg")]
    strips = []
    for side in dict.fromkeys(side for side, _ in series[0]):
        values = np.array([[one.get((side, name), np.nan) for name in names] for one in series])
        strips.append(CurveStrip(side, at, tuple(names), values, ()))
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
    room = max(0.1 * max(abs(low), abs(high)), 0.1 * (high - low), 1e-3)
    return low - room, high + room
