"""The row of a trial in a summary, with measures of certainty: bands, closure, energy."""

from __future__ import annotations

from collections.abc import Iterator
from math import isfinite
from statistics import fmean
from typing import Any

import numpy as np

from gaitdyn.catalogue.keys import key_of
from gaitdyn.dynamics.leg import STANDARD_GRAVITY
from gaitdyn.report.contents import missing_kinetics
from gaitdyn.report.strides import kinetic_cycles, mean_of
from gaitdyn.store.headings import by_heading
from gaitdyn.store.stored import StoredTrial
from gaitdyn.types.subject import SIDES
from gaitdyn.types.task import WALKING

CERTAINTY = ("worst", "moment_band", "closure_deg", "energy_share")
"""Worst reason; mean width of the 95 % bands at peak moments, N m/kg; largest angular error after a
50 ms window of forward dynamics, deg; largest power lost to slipping joint centres, as a share of
the power through the joint."""


def certainty_row(trial: StoredTrial) -> dict[str, Any]:
    """Return the columns :data:`CERTAINTY` of one trial; unknown numbers are None."""
    audit = trial.document.get("audit") or {}
    drifts = [d["largest_deg"] for d in _segments(audit.get("closure"))]
    shares = [
        e["rms_w"] / e["throughput_w"]
        for e in _segments(audit.get("energy"))
        if e["rms_w"] is not None and e["throughput_w"]
    ]
    return {
        "worst": worst_reason(trial),
        "moment_band": moment_band(trial),
        "closure_deg": max((d for d in drifts if d is not None), default=None),
        "energy_share": max(shares, default=None),
    }


def worst_reason(trial: StoredTrial) -> str | None:
    """Return why the verdict is not ``pass``: an error, a warning, or missing kinetics."""
    if trial.document["verdict"] == "pass":
        return None
    rows = trial.tables["quality"]
    for level in ("error", "warning"):
        for row in rows:
            if row["level"] == level:
                return f"{row['code']}: {row['message']}"
    kinetics = str(trial.document.get("kinetics") or "computed")
    if kinetics != "computed":
        return kinetics
    return next(iter(missing_kinetics(trial)), None)


def moment_band(trial: StoredTrial) -> float | None:
    """Return the mean width of the bands of a trial at its peak moments, N m/kg.

    The full width of the 95 % band is taken at the percent of the cycle of each peak moment.
    """
    bands = trial.bands
    if bands is None:
        return None
    widths: list[float] = []
    for peak in trial.tables["peaks"]:
        name = peak["quantity"]
        curve = max((x for x in bands.names if name.startswith(f"{x}_")), key=len, default="")
        if not key_of(name).is_moment or not peak["percent"] or not curve:
            continue
        half = bands.half.get((peak["side"], int(peak["cycle"] or 0)))
        if half is not None:
            at = half[round(float(peak["percent"])), bands.names.index(curve)]
            widths += [2.0 * float(at)] if isfinite(at) else []
    return fmean(widths) if widths else None


def _segments(part: Any) -> Iterator[dict[str, Any]]:
    """Yield the entries of all segments of both sides."""
    for side in part.values() if isinstance(part, dict) else ():
        if isinstance(side, dict):
            yield from side.values()


PARAMETERS = ("speed", "cadence", "stride_length", "step_length", "foot_off")
"""Gait parameters of a summary: means over the cycles of a side."""

COLUMNS = (
    "condition",
    "model",
    "task",
    "verdict",
    "warnings",
    *CERTAINTY,
    *(f"{side}_{word}" for side in SIDES for word in ("cycles", "kinetic_cycles", *PARAMETERS)),
    *(f"{side}_carried_kg" for side in SIDES),
)


def trial_row(trial: StoredTrial) -> dict[str, Any]:
    """Return the columns :data:`COLUMNS` of one trial, from its straight strides if it has any."""
    trial = by_heading(trial)[0]
    row: dict[str, Any] = {
        "condition": trial.condition,
        "model": trial.document["model"]["name"],
        "task": trial.document.get("task", WALKING),
        "verdict": trial.document["verdict"],
        "warnings": sum(r["level"] != "info" for r in trial.tables["quality"]),
        **certainty_row(trial),
    }
    for side in SIDES:
        row[f"{side}_cycles"] = sum(c.cycle.side == side for c in trial.cycles)
        row[f"{side}_kinetic_cycles"] = len(kinetic_cycles(trial, side))
        for name in PARAMETERS:
            row[f"{side}_{name}"] = mean_of((trial,), "gait_parameters", name, side)
    return row | {f"{side}_carried_kg": carried_kg(trial, side) for side in SIDES}


def carried_kg(trial: StoredTrial, side: str) -> float | None:
    """Return the mean vertical force under a foot over its kinetic cycles, as a mass.

    That of both feet is the body mass, whatever mass was stated; None if no cycle is known. The
    mean is over time: the strikes at both ends of a cycle count half each.
    """
    whole, mass = kinetic_cycles(trial, side), trial.document["subject"]["mass_kg"]
    means = [
        float(np.trapezoid(force)) / (len(force) - 1)
        for cycle in trial.cycles
        if cycle.cycle.side == side and cycle.cycle.number in whole
        for force in (cycle.curve("grf_y"),)
    ]
    known = [mean for mean in means if isfinite(mean)]
    return fmean(known) * mass / STANDARD_GRAVITY if known and mass else None
