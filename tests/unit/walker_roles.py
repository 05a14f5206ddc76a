"""The synthetic walker in landmarks of every role, for the tests of the ladder.

Condyles and malleoli stand half a width on either side of the true joint centres along the true
axes, wands and clusters around the bones, ASIS and PSIS where Harrington's regression gives the
true hip centres.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from gaitdyn.synthetic import Course, Recording, Walk, Walker, write_trial
from gaitdyn.synthetic.body import foot_points, hip_in_pelvis, sign
from tests.walks import curve_values, stand, true_columns, walk

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

FAST = Recording(rate_hz=200.0, analog_ratio=5, parameters=False, strides=2.0)
WALKER = Walker(course=Course(start_m=(-2.2, 0.0, 0.0)))
DEPTH_M = 0.15
CORNERS = ((0.09, 0.30, 0.06), (-0.07, 0.28, 0.08), (0.08, 0.10, -0.07), (-0.08, 0.12, 0.05))
"""Where tracking markers sit around a bone, m, segment axes from the distal joint centre."""
SIDES = ("left", "right")


def hips_by_harrington(trial: Walk) -> tuple[list[Any], float, float, float]:
    """Return the true hip centres, and x, y and pelvis width that give them by Harrington's rule.

    x = -0.24 PD - 9.9 - MD / 2, y = -0.30 PW - 10.9, z = 0.33 PW + 7.3 (mm).
    """
    body = trial.walker.body
    place = trial.markers_G[:, [trial.labels.index(x) for x in ("LASI", "RASI")]].mean(axis=1)
    hips = [place + trial.R_GP @ hip_in_pelvis(body, side) for side in ("left", "right")]
    width = (0.5 * np.linalg.norm(hips[1] - hips[0], axis=1)[0] - 0.0073) / 0.33
    x = -0.24 * DEPTH_M - 0.0099 - body.marker_diameter_mm / 2000
    return hips, x, -0.30 * width - 0.0109, width


def pelvis_points(
    trial: Walk,
    middle: tuple[float, float, float] | None = None,
    also: Mapping[str, tuple[float, float, float]] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return markers of the pelvis, and others at given places.

    x, y of the middle of the hips and the width are those of Harrington's rule unless given.
    """
    hips, *by_rule = hips_by_harrington(trial)
    x, y, width = middle or by_rule
    at = {
        **also,
        "LASI": (0, 0, -width / 2), "RASI": (0, 0, width / 2), "LPSI": (-DEPTH_M, 0, -0.05),
        "RPSI": (-DEPTH_M, 0, 0.05), "SACR": (-DEPTH_M, 0, 0), "PEL1": (-0.19, 0.02, 0.03),
        "PEL2": (-0.19, 0.05, -0.04), "PEL3": (-0.18, -0.04, 0.0),
    }  # fmt: skip
    origin = 0.5 * (hips[0] + hips[1]) - trial.R_GP @ np.array([x, y, 0.0])
    points = {role: origin + trial.R_GP @ np.array(p) for role, p in at.items()}
    return points | {"LHJC": hips[0], "RHJC": hips[1]}


def leg_points(trial: Walk, side: Any) -> dict[str, Any]:
    motion, body = trial.leg(side).motion, trial.walker.body
    foot, shank, thigh = np.moveaxis(motion.R_GS, 1, 0)
    ankle, knee, hip = np.moveaxis(motion.r_prox_G, 1, 0)
    out = np.array([0.0, 0.0, -sign(side)])
    widths = [body.joint_to_marker_m(side, joint) for joint in ("knee", "ankle")]
    ends = foot_points(body, side)
    apart = np.array([0.0, 0.0, -0.04 * sign(side)])
    points = {
        "KNE": knee + thigh @ (widths[0] * out), "KNM": knee - thigh @ (widths[0] * out),
        "ANK": ankle + shank @ (widths[1] * out), "MED": ankle - shank @ (widths[1] * out),
        "KJC": knee, "AJC": ankle, "GTR": hip + thigh @ (0.09 * out),
        "THI": knee + thigh @ (0.13 * out + np.array([0.0, 0.20, 0.0])),
        "TIB": ankle + shank @ (0.12 * out + np.array([0.0, 0.15, 0.0])),
        "HEE": ankle + foot @ ends["heel"], "TOE": ankle + foot @ ends["toe"],
        "MT1": ankle + foot @ (ends["toe"] - apart), "MT5": ankle + foot @ (ends["toe"] + apart),
        "HFI": ankle + shank @ (np.array([-0.01, 0.36, 0.0]) + 0.05 * out),
        "TTU": ankle + shank @ np.array([0.05, 0.35, 0.0]),
    }  # fmt: skip
    mirror = np.array([1.0, 1.0, -sign(side)])
    for i, place in enumerate(np.array(CORNERS), 1):
        points[f"TH{i}"] = knee + thigh @ (place * mirror)
        points[f"SK{i}"] = ankle + shank @ (place * mirror)
        points[f"FT{i}"] = ankle + foot @ (0.3 * place * mirror)
    return {side[0].upper() + role: values for role, values in points.items()}


def in_roles(trial: Walk, wanted: Callable[[str], bool]) -> Walk:
    """Return the trial with the roles wanted of all that there are."""
    points = pelvis_points(trial)
    for side in SIDES:
        points |= leg_points(trial, side)
    chosen = {role: place for role, place in points.items() if wanted(role)}
    return replace(trial, labels=tuple(chosen), markers_G=np.stack(list(chosen.values()), axis=1))


@cache
def walked() -> Walk:
    """Return the walk of all cases, in the markers of Plug-in Gait."""
    return walk(WALKER, FAST)


@cache
def stood() -> Walk:
    """Return the static of all cases."""
    return stand(WALKER, replace(FAST, gaps=(), events=False))


def written(folder: Path, in_walk: Any, in_static: Any | None, *, widths: bool) -> dict[str, Any]:
    """Write walk, static and subject; return the options that name them."""
    write_trial(folder / "walk.c3d", in_roles(walked(), in_walk))
    options: dict[str, Any] = {"mass_kg": 70.0, "cutoff_hz": None, "force_cutoff_hz": None}
    options |= {"model": "ladder", "marker_diameter_mm": WALKER.body.marker_diameter_mm}
    if in_static is not None:
        write_trial(folder / "static.c3d", in_roles(stood(), in_static))
        options["static"] = str(folder / "static.c3d")
    else:
        options["static"] = "none"
    if widths:
        rows = ["[subject]"]
        for side in SIDES:
            leg = WALKER.body.side(side)  # type: ignore[arg-type]
            rows += [f"[subject.{side}]", f"knee_width_mm = {leg.knee_width_mm}"]
            rows += [f"ankle_width_mm = {leg.ankle_width_mm}"]
        (folder / "subject.toml").write_text("\n".join(rows), encoding="utf-8")
        options["subject"] = str(folder / "subject.toml")
    return options


def worst(result: Any, *words: str, of: str = "") -> float:
    """Return the largest error of the columns that hold all words; NaN where all are empty."""
    trial = walked()
    truth = true_columns(trial)
    found = curve_values(result)
    errors = [np.nan]
    for name in truth.names:
        if name in found and name.startswith(of) and all(word in name for word in words):
            known = trial.leg(name.split("_")[0]).known if "moment" in name else True  # type: ignore[arg-type]
            off = np.where(known, found[name] - truth[name], np.nan)[16:-16]
            off = off if "angle" not in name else (off + 180.0) % 360.0 - 180.0
            if np.isfinite(off).any():
                errors.append(float(np.nanmax(np.abs(off))))
    return float(np.nanmax(errors)) if np.isfinite(errors).any() else float("nan")
