"""What the page draws: curves of every cycle, panels, norm, moving figures, as one document."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.catalogue.keys import key_of, swapped_name
from gaitdyn.core.packing import fitting_unit, squeeze, unpack_floats, unpack_whole
from gaitdyn.cycles import representative_cycle
from gaitdyn.cycles.normalise import POINTS
from gaitdyn.metrics.nondimensional import HofUnits
from gaitdyn.plots.marks import COLOUR, SECOND_COLOUR
from gaitdyn.plots.panels import JOINT_FORCES, KINEMATICS, KINETICS, fitting_panel
from gaitdyn.report.contents import kinetic_cycles
from gaitdyn.report.trust_data import trust_data
from gaitdyn.types.options import CHOICES
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.panels import Grid, Panel
    from gaitdyn.report.groups import Group
    from gaitdyn.report.report import Report
    from gaitdyn.store.stored import StoredTrial
    from gaitdyn.types.arrays import Array
    from gaitdyn.types.cycles import CycleCurves
    from gaitdyn.types.norms import MatchedNorm

GRIDS: dict[str, Grid] = {
    "kinematics": KINEMATICS,
    "kinetics": KINETICS,
    "forces": JOINT_FORCES,
}
UNIT = 1e-5
"""What curves are rounded to on the page: deg, N m/kg, W/kg, N/kg."""

_FIGURE_HZ = 60.0
_DIGITS = 5


def page_data(report: Report) -> dict[str, Any]:
    """Return the document that the page's program draws.

    Parameters
    ----------
    report : Report

    Returns
    -------
    dict
        ``grids``, ``names`` (of the curves, in the order in which they are packed), ``cycles``,
        ``trials``, ``groups``, ``norm``, ``trust``, ``colours``, ``chosen``.
    """
    groups = report.groups
    names = _names(groups)
    trials = [(g, trial) for g, group in enumerate(groups) for trial in group.trials]
    typical = [curves for group in groups for curves in typical_cycles(group)]
    cycles: list[Any] = []
    rows: list[Array] = []
    for t, (g, trial) in enumerate(trials):
        for told, curves in zip(_cycles(trial, names, (g, t), rows), trial.cycles, strict=True):
            told["representative"] = any(curves is one for one in typical)
            cycles.append(told)
    options = trials[0][1].document["options"]
    return {
        "grids": {name: _grid(grid) for name, grid in GRIDS.items()},
        "axes": list(CHOICES["moments_in"]),
        "names": names,
        "groups": [group.label for group in groups],
        "trials": [_trial(trial, g) for g, trial in trials],
        "cycles": cycles,
        **_squeezed(rows),
        "norm": None if report.norm is None else _norm(report.norm),
        "profile": report.profile,
        "trust": trust_data(report),
        "colours": [COLOUR, SECOND_COLOUR],
        "chosen": {"axes": options["moments_in"], "convention": options["convention"]},
    }


def _squeezed(rows: Sequence[Array]) -> dict[str, Any]:
    if not rows:
        return {"curves": None, "unit": UNIT}
    curves = np.concatenate(rows)
    unit = fitting_unit(curves, UNIT)
    return {"curves": squeeze(curves, unit), "unit": unit}


def typical_cycles(group: Group) -> list[CycleCurves]:
    """Return the representative cycle of each side, one with full kinetics where there is any."""
    found = []
    for side in SIDES:
        pairs = [(t, c) for t in group.trials for c in t.cycles if c.cycle.side == side]
        whole = [c for t, c in pairs if c.cycle.number in kinetic_cycles(t, side)]
        own = whole or [c for _, c in pairs]
        one = representative_cycle(own) if len(pairs) > 1 else None
        found += [] if one is None else [one]
    return found


def _names(groups: Sequence[Group]) -> list[str]:
    """Return the curves that are drawn; moments come apart, in every kind of axes."""
    there = {n for g in groups for t in g.trials for c in t.cycles for n in c.names}
    wanted = [panel.name for grid in GRIDS.values() for row in grid for panel in row]
    return [name for name in wanted if name in there and not key_of(name).is_moment]


def _grid(grid: Grid) -> list[list[dict[str, Any]]]:
    return [[_panel(panel) for panel in row] for row in grid]


def _panel(panel: Panel) -> dict[str, Any]:
    """Return a panel in every convention: its name in the packed curves, sign, words, limits.

    External moments have the opposite words and the same numbers; in laboratory axes the same
    words and the opposite sign.
    """
    key = key_of(panel.name)
    if not key.is_moment:
        return {"kind": "curve", "any": _variant(panel, panel.name, 1)}
    opposite = fitting_panel(panel, {swapped_name(panel.name) or ""})
    lab = fitting_panel(panel, {key.in_laboratory().name})
    return {
        "kind": "moment",
        "internal": _variant(panel, panel.name, 1),
        "external": _variant(opposite, panel.name, 1),
        "lab-internal": _variant(lab, lab.name, 1),
        "lab-external": _variant(lab, lab.name, -1),
    }


def _variant(panel: Panel, curve: str, sign: int) -> dict[str, Any]:
    return {
        "curve": curve,
        "column": panel.name,
        "sign": sign,
        "title": panel.title,
        "unit": panel.unit,
        "limits": panel.limits,
        "top": panel.top,
        "bottom": panel.bottom,
    }


def _cycles(
    trial: StoredTrial, names: Sequence[str], place: tuple[int, int], rows: list[Array]
) -> list[Any]:
    """Return the cycles of one trial, and add their curves to the rows, shape (k, 101) each.

    ``first`` is the number of a cycle's first row, ``moments`` that of its moments in each kind of
    axes.
    """
    kinetic = {side: kinetic_cycles(trial, side) for side in SIDES}
    found = []
    for i, (curves, told) in enumerate(zip(trial.cycles, trial.view["cycles"], strict=True)):
        first = sum(len(block) for block in rows)
        rows.append(_packed(curves, names))
        moments = {}
        for axes, pack in trial.view["moments"].items():
            if pack["curves"]:
                moments[axes] = sum(len(block) for block in rows)
                rows.append(unpack_floats(pack["curves"][i]).reshape(-1, POINTS))
        found.append(
            {
                "group": place[0],
                "trial": place[1],
                "side": curves.cycle.side,
                "number": curves.cycle.number,
                "start_s": told["start_s"],
                "stop_s": told["stop_s"],
                "foot_off": curves.cycle.foot_off_percent,
                "kinetic": curves.cycle.number in kinetic[curves.cycle.side],
                "first": first,
                "moments": moments,
            }
        )
    return found


def _packed(curves: CycleCurves, names: Sequence[str]) -> Any:
    empty = np.full(len(curves.values), np.nan)
    return np.stack([curves.curve(n) if n in curves.names else empty for n in names])


def _trial(trial: StoredTrial, group: int) -> dict[str, Any]:
    """Return name, figure and Hof's factors of one trial: from N m/kg and so on to no unit."""
    factors = {}
    for side in SIDES:
        length = (trial.document["subject"].get(side) or {}).get("leg_length_m")
        if length:
            hof = HofUnits(length)
            factors[side] = {
                "N m/kg": 1 / hof.moment,
                "N/kg": 1 / hof.force,
                "W/kg": 1 / hof.power,
            }
    return {
        "name": trial.name,
        "group": group,
        "hof": factors,
        "moment_names": {axes: pack["names"] for axes, pack in trial.view["moments"].items()},
        "figure": _figure(trial.view["figure"]),
    }


def _figure(told: dict[str, Any]) -> dict[str, Any]:
    """Return a moving figure with at most 60 frames a second: every ``step``-th of the file."""
    step = max(1, math.ceil(told["rate_hz"] / _FIGURE_HZ))
    count = len(told["points"])
    places = unpack_whole(told["places"]).reshape(-1, 3 * count)[::step]
    forces = {
        side: squeeze(unpack_whole(text).reshape(-1, 6)[::step].T, 1.0)
        for side, text in told["forces"].items()
    }
    thinned = {"places": squeeze(places.T, 1.0), "forces": forces, "step": step}
    return {**told, **thinned, "frames": len(places), "rate_hz": told["rate_hz"] / step}


def _norm(norm: MatchedNorm) -> dict[str, Any]:
    return {
        "name": norm.norm.name,
        "note": norm.note,
        "bands": {
            name: {
                "percent": np.round(band.percent, 3).tolist(),
                "mean": np.round(band.mean, _DIGITS).tolist(),
                "sd": np.round(band.sd, _DIGITS).tolist(),
            }
            for name, band in norm.bands.items()
        },
    }
