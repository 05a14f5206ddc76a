"""Data that a report shows in addition to the tables: moments in all axes, the moving figure.

Numbers are packed as in :mod:`gaitdyn.core.packing`.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gaitdyn.core.packing import pack_floats, pack_whole
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.quality.rows import gap_rows
from gaitdyn.tables.answers import cycle_curves_of
from gaitdyn.tables.moment_columns import moment_curves
from gaitdyn.types.arrays import Array
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.options import CHOICES
from gaitdyn.types.result import Processed

SCHEMA = 1
_MM = 1000.0
_PELVIS = ("LASI", "RASI", "RPSI", "LPSI", "SACR")


def view_of(result: Processed) -> dict[str, Any]:
    """Return what a report shows in addition to the tables, computed once.

    Returns
    -------
    dict
        ``cycles``: side, number, start and stop (s), foot-off (%), heading change (deg);
        ``moments``: axes -> names and, for each cycle, internal moments, N m/kg, packed floats
        (names, 101); ``figure``: see :func:`stick_figure`; ``gaps``: see
        :func:`gaitdyn.quality.rows.gap_rows`.
    """
    return result.once("view", lambda: _view(result))


def _view(result: Processed) -> dict[str, Any]:
    time_of = result.recording.time_of
    return {
        "schema": SCHEMA,
        "cycles": [
            {
                "side": c.cycle.side,
                "cycle": c.cycle.number,
                "start_s": round(time_of(c.cycle.start_row), 6),
                "stop_s": round(time_of(c.cycle.stop_row), 6),
                "foot_off_percent": c.cycle.foot_off_percent,
                "heading_change_deg": _rounded(c.cycle.heading_change_deg),
            }
            for c in cycle_curves_of(result)
        ],
        "moments": _moments(result),
        "figure": stick_figure(result),
        "gaps": gap_rows(result),
    }


def _rounded(value: float, digits: int = 4) -> float | None:
    return round(value, digits) if math.isfinite(value) else None


def _moments(result: Processed) -> dict[str, dict[str, Any]]:
    """Return the internal moments of every cycle by kind of axes, all kinds resampled together."""
    kinds = CHOICES["moments_in"]
    curves = [curve for axes in kinds for curve in moment_curves(result, axes)]
    cycles = cycle_curves(result, curves) if curves else []
    parts = [np.split(c.values.T, len(kinds)) for c in cycles]
    names = np.split(np.array(cycles[0].names if cycles else []), len(kinds))
    return {
        axes: {"names": names[i].tolist(), "curves": [pack_floats(part[i]) for part in parts]}
        for i, axes in enumerate(kinds)
    }


def stick_figure(result: Processed) -> dict[str, Any]:
    """Return points, lines, plates and forces of every frame, G, mm and N.

    Returns
    -------
    dict
        ``points``: names of the ends of lines; ``places``: packed whole mm (frames, points, 3);
        ``lines``: group -> rows of point numbers; ``plates``: corners, mm; ``forces``: side ->
        packed whole numbers (frames, 6), point of application in mm and force in N; ``travel``, on
        belts: side -> packed floats (frames, 3), mm, displacement of the ground below the foot;
        ``time_s``: of the first frame; ``rate_hz``.
    """
    trial = result.trial
    points = {label: trial.marker(label) for label in trial.labels if label in _PELVIS}
    lines: dict[str, list[list[str]]] = {"pelvis": [[x for x in _PELVIS if x in points]]}
    for side in result.sides:
        centres = result.pose.leg(side).r_prox_G
        for i, joint in enumerate(JOINTS):
            points[f"{side} {joint}"] = centres[:, i]
        points[f"{side} heel"], points[f"{side} toe"] = result.feet[side]
        chain = ("hip", "knee", "ankle", "heel", "toe", "ankle")
        lines[side] = [[f"{side} {name}" for name in chain]]
    lines["pelvis"][0] += lines["pelvis"][0][:1]
    lines["pelvis"].append([f"{side} hip" for side in result.sides])
    if result.upper is not None:
        from gaitdyn.store.view_upper import upper_figure

        hips = [result.pose.leg(side).r_prox_G[:, 2] for side in result.sides]
        upper_points, upper_lines = upper_figure(result.upper.pose, np.mean(hips, axis=0))
        points |= upper_points
        for group, rows in upper_lines.items():
            lines[group] = lines.get(group, []) + rows
    number = {name: i for i, name in enumerate(points)}
    places = np.stack(list(points.values()), axis=1) if points else np.empty(0)
    return {
        "points": list(points),
        "places": pack_whole(_MM * places),
        "lines": {
            group: [[number[name] for name in row] for row in rows] for group, rows in lines.items()
        },
        "plates": [
            {"plate": p.number, "corners": np.round(_MM * p.corners_G).astype(int).tolist()}
            | ({"virtual": True} if p.virtual else {})
            for p in trial.plates
        ],
        "forces": {side: pack_whole(_force(result, side)) for side in result.sides},
        **_travel(result),
        "time_s": float(result.time_s[0]),
        "rate_hz": result.recording.rate_hz,
        "first_frame": result.recording.first_frame,
        "walking_G": [_rounded(float(x), 6) for x in result.pose.walking_G],
    }


def _travel(result: Processed) -> dict[str, Any]:
    """Return the displacement of the belt below each foot; nothing for overground walking."""
    packed = {side: pack_floats(_MM * moved) for side, moved in result.travel.items()}
    return {"travel": packed} if packed else {}


def _force(result: Processed, side: str) -> Array:
    """Return centre of pressure, mm, and ground reaction force, N, shape (n, 6)."""
    wrench = result.sides[side].wrench
    if wrench is None:
        return np.full((result.recording.n_frames, 6), np.nan)
    return np.concatenate((_MM * wrench.cop_G, wrench.force_G), axis=1)
