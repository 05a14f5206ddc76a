"""Inverse dynamics and the whole pipeline against OpenSim's numbers of a real walk.

usage: python benchmarks/opensim_oracle.py

Reads ../shared/oracles/opensim: the loads that Simbody finds in Gait2354, and the same walk as a
C3D of virtual markers and two plates. Writes reports/validation/opensim.md and opensim.png.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import page
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from usage import help_shown

import gaitdyn
from tests.peer import test_oracle_markers as markers
from tests.peer.test_oracles import opensim_leg

JOINTS = ("ankle", "knee", "hip")
SIDES = ("right", "left")
GATE = (0.005, 0.05, 0.15)
Array = np.ndarray[Any, np.dtype[Any]]


def solved() -> list[tuple[str, ...]]:
    """Return the largest errors of ``inverse_dynamics`` on the oracle's own motion."""
    rows = []
    for side in SIDES:
        arguments, force, moment = opensim_leg(side)
        for method in ("substitution", "stacked"):
            loads = gaitdyn.inverse_dynamics(**arguments, method=method)
            off_force = np.abs(loads.force_G - force).max()
            off_moment = np.abs(loads.moment_S - moment).max()
            largest = np.abs(moment).max()
            rows.append(
                (side, method, f"{off_force:.1e}", f"{off_moment:.1e}", f"{largest:.0f}", "1e-9")
            )
    return rows


def from_file(truth: dict[str, Array]) -> dict[str, tuple[Array, Array, Array]]:
    """Return per side the moment errors (n, 3) with the plates as read, interior frames, corners.

    The C3D goes through ``process_trial``; masses, inertia and the places of centres in the
    segments are the oracle's.
    """
    with tempfile.TemporaryDirectory() as folder:
        result = markers.processed(Path(folder))
    found = {}
    for number, side in enumerate(SIDES):
        plate = result.trial.plates[number]
        about_origin = plate.moment_G + np.cross(plate.centre_G, plate.force_G)
        off = markers.moment_errors(side, result, truth, (plate.force_G, about_origin))
        corner = markers.beside_corners(truth["grf_force"][:, number])
        found[side] = off, markers.interior(~corner), markers.interior(corner)
    return found


def draw(truth: dict[str, Array], found: dict[str, Any], path: Path) -> None:
    """Draw the flexion moments of both legs and the error of the pipeline below."""
    figure = Figure(figsize=(9, 4.6), dpi=90)
    FigureCanvasAgg(figure)
    grid = figure.subplots(2, 3, sharex=True, height_ratios=(2, 1))
    for i, joint in enumerate(JOINTS):
        for side, colour in zip(SIDES, ("#0057B8", "#C1272D"), strict=True):
            moment = truth["M_prox_local"][:, markers.rows(side)[i]]
            grid[0, i].plot(truth["time"], moment[:, 2], colour, label=side)
            off, inside, corner = found[side]
            shown = np.where(inside | corner, off[:, i], np.nan)
            grid[1, i].plot(truth["time"], shown, colour)
        grid[1, i].axhline(GATE[i], color="0.3", ls="--", lw=1)
        grid[1, i].set_yscale("log")
        grid[1, i].set_ylim(1e-5, 1)
        grid[0, i].set_title(joint, fontsize=10)
        grid[1, i].set_xlabel("time (s)")
    grid[0, 0].set_ylabel("Simbody's moment\nabout z (N m)")
    grid[1, 0].set_ylabel("|error| (N m)")
    grid[0, 0].legend(frameon=False, fontsize=8, loc=(0.3, 0.02))
    for axes in grid.flat:
        axes.grid(color="0.9")
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path)


def main() -> int:
    """Write the page and the picture; fail when a limit is missed."""
    if not page.need_shared("oracles", "opensim"):
        return 1
    with np.load(markers.OPENSIM / "oracle_walk_gait2354.npz") as z:
        truth = {name: z[name] for name in z.files}
    found = from_file(truth)
    draw(truth, found, page.FOLDER / "opensim.png")
    rows, missed = [], 0
    for side in SIDES:
        off, inside, corner = found[side]
        for i, joint in enumerate(JOINTS):
            worst, beside = off[inside, i].max(), off[corner, i].max()
            missed += worst > GATE[i]
            cells = (f"{worst:.4f}", f"{GATE[i]:g}", f"{beside:.3f}")
            rows.append((side, joint, *cells))
    exact = solved()
    missed += sum(float(cell) > 1e-9 for row in exact for cell in row[2:4])
    lines = [
        "# OpenSim's moments of a real walk",
        "",
        "OpenSim 4.6 (Simbody) computed the joint reactions of foot, shank and thigh of both legs",
        "of its model Gait2354 in a real walk, 233 frames at 200 Hz. Two roads lead to them.",
        f"Limits missed: {missed}.",
        "",
        *page.stamp("python benchmarks/opensim_oracle.py"),
        "## The oracle's own motion through `inverse_dynamics`",
        "",
        "Largest error of any frame, joint and component.",
        "",
        *page.table(
            ("leg", "method", "force, N", "moment, N m", "largest moment, N m", "limit"), exact
        ),
        "",
        "## Markers and plates of a C3D through the pipeline",
        "",
        "The walk as a C3D of exact virtual markers, joint centres and two plates goes through",
        "`process_trial` with a model file for these markers; gaitdyn tracks the segments and",
        "differentiates, masses and places of centres in the segments are the oracle's. Largest",
        "error over all frames but ten at each end; the oracle's force has a corner where a foot",
        "strikes and leaves, whose two frames on either side stand in the last column.",
        "",
        *page.table(("leg", "joint", "largest error, N m", "limit", "beside a corner"), rows),
        "",
        "![Simbody's flexion moments, and the pipeline's error below](opensim.png)",
        "",
        "The limits are those of the design; dashed in the picture. The corners stand out there.",
    ]
    page.write("opensim", lines)
    return int(missed > 0)


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
