"""Functional hip centres and knee axes: simulated with known truth, and on real trials.

usage: python benchmarks/functional.py

Two clusters of five markers 60 mm apart move about a known centre for 700 frames with 2 mm of white
noise on every coordinate, 20 draws a row, smoothed at 10 Hz as in a run. Then the functional trials
of ../shared/corpus. Writes reports/validation/functional.md.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page import stamp
from usage import help_shown
from walkers.functional import hip_turns, moved

from gaitdyn.clean.smoothing import Filter, smooth
from gaitdyn.core.functional import cluster_poses, shared_axis, shared_point
from gaitdyn.errors import FunctionalRefused
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic.jets import fixed_turn
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus"
DRAWS, FRAMES, NOISE_M = 20, 700, 0.002
MOVES = {
    "40, 35, 10": (40.0, 35.0, 10.0),
    "30, 25, 8": (30.0, 25.0, 8.0),
    "30, 18, 8": (30.0, 18.0, 8.0),
    "20, 10, 5": (20.0, 10.0, 5.0),
}
"""Flexion, abduction, rotation to either side, deg."""


def clusters(turns: Any, seed: int, cutoff_hz: float | None) -> tuple[Any, Any, Any]:
    """Return the poses of both clusters and what they are."""
    made = moved(turns, NOISE_M, seed)
    markers = np.concatenate((made.proximal, made.distal), axis=1)
    markers = smooth(markers, Filter(100.0, cutoff_hz))[0]
    return made, cluster_poses(markers[:, :5]), cluster_poses(markers[:, 5:])


def hip_row(name: str, cutoff_hz: float | None) -> str:
    """Return a row of the table of centres."""
    off, conditions, residuals = [], [], []
    for seed in range(DRAWS):
        made, one, two = clusters(hip_turns(FRAMES, MOVES[name]), seed, cutoff_hz)
        fit = shared_point(one, two)
        middle = 0.5 * (one.R @ fit.first + one.t + two.R @ fit.second + two.t)
        off.append(1000 * np.linalg.norm(np.nanmean(middle - made.centre, axis=0)))
        conditions.append(fit.condition)
        residuals.append(1000 * fit.residual_m)
    how = "as recorded" if cutoff_hz is None else f"{cutoff_hz:g} Hz"
    return (
        f"| {name} | {how} | {np.median(conditions):.1f} | {np.median(residuals):.1f} |"
        f" {np.median(off):.2f} | {max(off):.2f} |"
    )


def knee_row(half_deg: float) -> str:
    """Return a row of the table of axes."""
    off, hinge, apart = [], [], []
    swing = np.radians(half_deg) * np.sin(np.linspace(0.0, 40.0, FRAMES))
    for seed in range(DRAWS):
        made, one, two = clusters(fixed_turn("z", swing), seed, 10.0)
        fit = shared_axis(one, two)
        cosine = np.abs(np.sum((one.R @ fit.first_axis) * made.axis, axis=1))
        off.append(np.degrees(np.arccos(np.clip(np.nanmean(cosine), 0.0, 1.0))))
        hinge.append(fit.singular[4] / fit.singular[5])
        apart.append(np.degrees(fit.apart_rad))
    return (
        f"| {2 * half_deg:g} | {np.median(hinge):.1f} | {np.median(apart):.1f} |"
        f" {np.median(off):.2f} | {max(off):.2f} |"
    )


REAL = (
    ("BTK left hip", "gait/BTK-C/FunctionalWalk.c3d", "hip_left=BTK_FunctionalLHip.c3d"),
    ("biobuddy left hip", "functional/biobuddy_Test_func_lknee.c3d",
     "hip_left=biobuddy_Test_func_lhip.c3d"),
    ("biobuddy left knee", "functional/biobuddy_Test_func_lhip.c3d",
     "knee_left=biobuddy_Test_func_lknee.c3d"),
    ("biobuddy ankle as knee", "functional/biobuddy_Test_func_lhip.c3d",
     "knee_left=biobuddy_Test_func_lankle.c3d"),
    ("biobuddy ankle as hip", "functional/biobuddy_Test_func_lhip.c3d",
     "hip_left=biobuddy_Test_func_lankle.c3d"),
    ("biobuddy standing as hip", "functional/biobuddy_Test_func_lhip.c3d",
     "hip_left=biobuddy_Test_func_anat.c3d"),
    ("biobuddy left hip as right", "functional/biobuddy_Test_func_lknee.c3d",
     "hip_right=biobuddy_Test_func_lhip.c3d"),
)  # fmt: skip


def real_row(name: str, trial: str, given: str) -> str:
    """Return a row of the table of real trials: what is said of it."""
    key, _, file = given.partition("=")
    static = "none" if "anat" in file else None
    options = Options(functional=((key, str(CORPUS / "functional" / file)),), static=static)
    try:
        result = process_trial(CORPUS / trial, options)
    except FunctionalRefused as error:
        return f"| {name} | refused | {str(error).partition(file)[2].lstrip(': ')} |"
    start = f"{key.partition('_')[2]} {key.partition('_')[0]}: "
    said = next(
        line for line in result.log if line.startswith(start + ("centre", "axis")["knee" in key])
    )
    return f"| {name} | used | {said.removeprefix(start)} |"


_MADE = (
    f"Two clusters of five markers 60 mm apart about a known centre, {FRAMES} frames at 100 Hz,"
    f" {1000 * NOISE_M:g} mm of white noise on every coordinate, {DRAWS} draws a row."
)
_NOISE = (
    "Noise turns small clusters, and the turns pull the centre towards them; the mean of that is"
    " taken back by the noise that the clusters themselves show, so that smoothing adds little. A"
    " run smooths functional trials as it does the walk."
)


def main() -> int:
    """Write the page."""
    lines = [
        "# Functional hip centres and knee axes",
        "",
        *stamp("python benchmarks/functional.py"),
        "",
        _MADE,
        "",
        "| movement, deg | markers | condition | residual mm | error, median mm | largest mm |",
        "|---|---|---|---|---|---|",
    ]
    lines += [hip_row(name, cutoff) for name in MOVES for cutoff in (10.0, None)]
    lines += [
        "",
        _NOISE,
        "",
        "Knee axes of a hinge, smoothed at 10 Hz:",
        "",
        "| range, deg | s5/s6 | axes apart, deg | error, median deg | largest deg |",
        "|---|---|---|---|---|",
    ]
    lines += [knee_row(half) for half in (60.0, 30.0, 22.5)]
    if CORPUS.is_dir():
        lines += ["", "Real trials, as the command says it:", "", "| trial | | |", "|---|---|---|"]
        lines += [real_row(*row) for row in REAL]
    path = ROOT / "reports" / "validation" / "functional.md"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write(f"{path}\n")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    raise SystemExit(main())
