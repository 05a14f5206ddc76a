"""Compute the peaks of a trial under other settings, means over the cycles, and their panels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gaitdyn.pipeline import process_loaded
from gaitdyn.stages.body import SubjectBody
from gaitdyn.stages.motion import Motion
from gaitdyn.stages.session import session_again, thinning_of
from gaitdyn.tables.answers import cycle_curves_of, peaks_of
from gaitdyn.trial import Result
from gaitdyn.types.later import unread
from gaitdyn.types.options import Options
from gaitdyn.types.result import Processed
from gaitdyn.types.uncertainty import PeakTable
from gaitdyn.uncertainty.leg_curves import stages_of

PeakMeans = dict[tuple[str, str], float]
"""(side, quantity) -> mean over the cycles in which it is known."""


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
    if thinning_of(options) != thinning_of(base.options):
        session = session_again(session, options)
    result = process_loaded(session, options, body, motion=motion)
    return replace(result, events=base.events, **unread(result, "upper", "noticed", "judged"))
