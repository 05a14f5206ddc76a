"""Inverse dynamics against pinocchio and MuJoCo, which share no code with it.

usage: python benchmarks/engines.py

Random chains of 3 and 5 segments in space, full inertia tensors, a wrench on every segment. Writes
reports/validation/engines.md and engines.png.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import page
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from usage import help_shown

import gaitdyn
from tests.peer.linked_chain import linked_chain
from tests.peer.mujoco_loads import mujoco_free, mujoco_linked
from tests.peer.pinocchio_loads import pinocchio_free, pinocchio_linked
from tests.property.random_chain import random_chain

if TYPE_CHECKING:
    from pathlib import Path

CHAINS, FRAMES, LIMIT = 20, 5, 1e-10
ROUTES = {
    ("pinocchio", "segments fly freely"): pinocchio_free,
    ("pinocchio", "ball joints"): pinocchio_linked,
    ("mujoco", "segments fly freely"): mujoco_free,
    ("mujoco", "ball joints"): mujoco_linked,
}
COLOURS = {"substitution": "#0057B8", "stacked": "#C1272D"}


def errors(engine: Any, route: Any, how: str, segments: int) -> dict[str, list[float]]:
    """Return for both methods the largest error of each chain, as a part of the largest load."""
    found: dict[str, list[float]] = {method: [] for method in COLOURS}
    for seed in range(CHAINS):
        rng = np.random.default_rng(1000 * segments + seed)
        if how == "ball joints":
            chain, place = linked_chain(rng, FRAMES, segments)
            force, moment = route(engine, chain, place)
        else:
            chain = random_chain(rng, FRAMES, segments)
            force, moment = route(engine, chain)
        for method, into in found.items():
            loads = gaitdyn.inverse_dynamics(**chain, method=method)  # pyright: ignore[reportArgumentType]
            ours = loads.force_G[:, -force.shape[1] :]
            off_force = np.abs(ours - force).max() / np.abs(force).max()
            off_moment = np.abs(loads.moment_S - moment).max() / np.abs(moment).max()
            into.append(float(max(off_force, off_moment)))
    return found


def draw(results: list[tuple[str, dict[str, list[float]]]], path: Path) -> None:
    """Draw the error of every chain."""
    figure = Figure(figsize=(8, 3.2), dpi=90)
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for i, (_, found) in enumerate(results):
        for shift, (method, values) in zip((-0.12, 0.12), found.items(), strict=True):
            at = [i + shift] * len(values)
            axes.plot(
                values, at, "o", ms=4, alpha=0.5, color=COLOURS[method], label="" if i else method
            )
    axes.axvline(LIMIT, color="0.3", ls="--", lw=1)
    axes.text(LIMIT * 0.85, -0.75, "limit", ha="right", va="center", fontsize=8)
    axes.set_xscale("log")
    axes.set_xlim(1e-16, 4e-10)
    axes.set_ylim(len(results) - 0.5, -1.1)
    axes.set_yticks(range(len(results)), [name for name, _ in results], fontsize=8)
    axes.set_xlabel("largest error of a chain, as a part of its largest load")
    axes.legend(frameon=False, fontsize=8, loc="center right")
    axes.grid(axis="x", color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path)


def main() -> int:
    """Write the page and the picture; fail when the limit is missed."""
    results, rows, missed = [], [], 0
    for (name, how), route in ROUTES.items():
        try:
            engine = importlib.import_module(name)
        except ImportError:
            rows.append((name, how, "-", "not installed here", ""))
            continue
        for segments in (3, 5):
            found = errors(engine, route, how, segments)
            results.append((f"{name}, {how}, {segments} segments", found))
            worst = [max(values) for values in found.values()]
            missed += sum(value > LIMIT for value in worst)
            rows.append((name, how, str(segments), *(f"{value:.1e}" for value in worst)))
    draw(results, page.FOLDER / "engines.png")
    lines = [
        "# Two engines find the same loads",
        "",
        "pinocchio (`rnea`) and MuJoCo (`mj_inverse`) work with spatial vectors about other points",
        "and share no code with gaitdyn. Either every segment flies freely and the net wrenches",
        "are added up along the chain, or the segments hang on ball joints, whose torques are the",
        f"moments. Largest error of forces and moments over {CHAINS} random chains of {FRAMES}",
        "frames, as a part of the largest load of the chain. The limit is",
        f"{LIMIT:g}; missed: {missed}.",
        "",
        *page.stamp("python benchmarks/engines.py", "pin", "mujoco"),
        *page.table(("engine", "route", "segments", *COLOURS), rows),
        "",
        "![Error of every chain](engines.png)",
        "",
        "OpenSim's Simbody is the third engine: [opensim.md](opensim.md).",
    ]
    page.write("engines", lines)
    return int(missed > 0)


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
