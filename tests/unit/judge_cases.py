"""Stored trials made up of drawn strides, for tests of verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gaitdyn.judge.curves import curve_rules
from gaitdyn.metrics.peaks import peaks
from gaitdyn.store import StoredTrial
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.norms import Band, MatchedNorm, Norm, NormGroup

PERCENT = np.arange(101.0)
NAMES = tuple(rule.name for rule in curve_rules())
UNITS = tuple(
    "deg" if r.is_angle else "N m/kg" if "moment" in r.name else "W/kg" if "power" in r.name
    else "N/kg"
    for r in curve_rules()
)  # fmt: skip
SD = np.array([5.0 if unit == "deg" else 0.15 for unit in UNITS])
STRIDE = np.array([1.5 if unit == "deg" else 0.05 for unit in UNITS])
EVENTS = {"opposite_foot_off": 10.0, "opposite_foot_strike": 50.0, "foot_off": 60.0}
KNEE = "knee_angle_flexion"
BUMP = np.exp(-(((PERCENT - 72) / 8) ** 2))


def shape(name: str) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The norm's mean of a curve."""
    size = 20.0 if UNITS[NAMES.index(name)] == "deg" else 0.5
    return size * np.sin(2 * np.pi * PERCENT / 100 + NAMES.index(name))


@cache
def shapes() -> np.ndarray[Any, np.dtype[np.float64]]:
    """The norm's means of all curves, shape (101, curves), read-only."""
    values = np.stack([shape(name) for name in NAMES], axis=1)
    values.setflags(write=False)
    return values


def options(**words: Any) -> dict[str, Any]:
    return {
        "condition": "", "profile": "default", "filter": "spline", "cutoff_hz": 10.0,
        "force_cutoff_hz": 10.0, "hip_centre": "model", "offsets": "static",
        "moments_in": "distal", "anthropometry": "dempster-winter", **words,
    }  # fmt: skip


def trial(
    seed: int = 0,
    *,
    name: str = "walk01",
    static: str = "static A",
    strides: int = 5,
    offsets: dict[str, Any] | None = None,
    speed: float | None = 0.4,
    verdict: str = "pass",
    leg_m: float = 0.9,
    subject: str | None = None,
    foot_off: float = 60.0,
    heading: float = 0.0,
    leave: tuple[str, ...] = (),
    model: str = "plug-in-gait",
    **words: Any,
) -> StoredTrial:
    """A trial whose strides lie about the norm by ``offsets`` (side and curve -> values)."""
    rng = np.random.default_rng(seed)
    cycles, rows = [], []
    for side in ("left", "right"):
        for number in range(1, strides + 1):
            cycle = Cycle(side, number, 100.0 * number, 100.0 * number + 100, foot_off, heading)
            noise = rng.standard_normal(len(NAMES)) + 0.3 * np.sin(
                PERCENT[:, None] / 8 + rng.uniform(0, 6, len(NAMES))
            )
            values = shapes() + STRIDE * noise
            for curve, added in (offsets or {}).items():
                own, _, column = curve.partition(" ")
                if own == side:
                    values[:, NAMES.index(column)] += added
            for column in leave:
                values[:, NAMES.index(column)] = np.nan
            cycles.append(CycleCurves(cycle, NAMES, UNITS, values))
            told = {**EVENTS, "foot_off": foot_off}
            if speed is not None:
                told["speed_nondimensional"] = speed
                told["speed"] = speed * (9.80665 * leg_m) ** 0.5
            rows += [
                {
                    "side": side, "cycle": str(number), "quantity": key, "value": str(value),
                    "unit": "%" if "foot" in key else "",
                }
                for key, value in told.items()
            ]  # fmt: skip
    document: dict[str, Any] = {
        "inputs": [
            {"role": "trial", "name": f"{name}.c3d", "sha256": f"{name} {seed} {static}"},
            {"role": "static", "name": "static.c3d", "sha256": static},
        ],
        "options": options(**words),
        "subject": {"id": subject, "left": {"leg_length_m": leg_m},
                    "right": {"leg_length_m": leg_m}},
        "model": {"name": model, "rungs": [], "axes": {}},
        "verdict": verdict,
        "verdicts": [
            {"side": side, "quantity": quantity, "word": verdict, "cycles": strides, "reasons": []}
            for side in ("left", "right")
            for quantity in ("kinematics", "kinetics")
        ],
        "status": [],
    }  # fmt: skip
    view = {"cycles": [None] * len(cycles), "moments": {}}
    tables = {"gait_parameters": rows, "peaks": [], "quality": [], "contacts": [], "events": []}
    return StoredTrial(Path(name), name, document, view, tuple(cycles), tables)


def group(
    speed: float | None, count: int | None, more: float = 0.0, leave: tuple[str, ...] = ()
) -> NormGroup:
    bands = {
        name: Band(PERCENT, shape(name) + more, np.full(101, SD[i]), UNITS[i], count=count)
        for i, name in enumerate(NAMES)
        if name not in leave
    }
    return NormGroup("free", speed, bands)


def norm(count: int | None = 40, *, own: bool = True, leave: tuple[str, ...] = ()) -> MatchedNorm:
    found = group(0.4, count, leave=leave)
    return MatchedNorm(Norm("own.csv", "a test", "", (found,), own), "", found.bands)


def of(found, side, curve, planned=""):
    (one,) = (f for f in found.findings if (f.side, f.curve, f.planned) == (side, curve, planned))
    return one


def after(seed=9, **words):
    """A second session: markers placed anew."""
    usual: dict[str, Any] = {"static": "static B", "name": "walk02"}
    return trial(seed, **(usual | words))


def with_peaks(one: StoredTrial) -> StoredTrial:
    """The trial with the rows of ``peaks.csv`` that its curves have; strides of one second."""
    rows = [
        {
            "side": q.side, "cycle": str(q.cycle), "quantity": q.name, "value": repr(q.value),
            "unit": q.unit, "percent": "" if q.percent is None else repr(q.percent),
        }
        for q in peaks(one.cycles, 100.0)
        if np.isfinite(q.value)
    ]  # fmt: skip
    return replace(one, tables=one.tables | {"peaks": rows})


def people(seed, n, word, **words):
    rng = np.random.default_rng(seed)
    found = []
    for i in range(n):
        own = {
            f"{side} {name}": SD[j] * rng.standard_normal() * 0.5
            for j, name in enumerate(NAMES)
            for side in ("left", "right")
        }
        own = {key: value + words.get("added", {}).get(key, 0.0) for key, value in own.items()}
        found.append(trial(seed + i, subject=f"{word}{i}", strides=3, offsets=own))
    return found
