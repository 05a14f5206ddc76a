"""What each difference between the vendor's mechanics and ours is worth, and where in the cycle.

usage: python benchmarks/vendor_mechanics.py

Every pair of ../shared/accept is solved with the vendor's mechanics, then again with one thing at a
time taken from the default profile. Writes reports/validation/vendor-mechanics.md and .png.
"""

from __future__ import annotations

import sys
import tomllib
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import page
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from usage import help_shown
from vendor_causes import CAUSES, Leg, joint_loads, legs

from gaitdyn.cycles.normalise import find_cycles, resample

if TYPE_CHECKING:
    from pathlib import Path

JOINTS = ("ankle", "knee", "hip")
SAGITTAL = (-1.0, 1.0, -1.0)
LISTS = ("pig.toml", "pig-variants.toml")
DRAWN = {
    "radii of gyration": ("#C1272D", "-"),
    "foot": ("#008176", "-"),
    "ground": ("#D9A400", "-"),
    "angular velocity": ("#7F3FBF", "-"),
    "all of these": ("0.45", "-"),
    "and 10 Hz filters": ("black", "-"),
}
PLAIN: Any = {"frameon": False, "fontsize": 8}
NOISY = "BTK-C"
"""Its plates were not tared and its markers jump: in the table, not in the picture."""
Array = np.ndarray[Any, np.dtype[Any]]


class Cost(NamedTuple):
    """What one cause is worth in one pair, by joint: N m/kg, % of the cycle of the largest."""

    rmse: Array
    largest: Array
    percent: Array


class Curves(NamedTuple):
    """Sagittal moments of one cycle by joint, shape (101, 3), N m/kg."""

    theirs: Array
    off: dict[str, Array]


def cost(pair: list[Leg], moments: list[tuple[Array, dict[str, Array]]], cause: str) -> Cost:
    """Return the worst component and side of each joint."""
    rmse, largest, percent = np.zeros((3, 3))
    for one, (theirs, changed) in zip(pair, moments, strict=True):
        off = (changed[cause] - theirs) / one.mass
        off[~one.frames] = np.nan
        squares = np.sqrt(np.nanmean(off**2, axis=0)).max(axis=-1)
        rmse = np.maximum(rmse, squares)
        at = percent_of_cycle(one)
        for j in range(3):
            peak = np.nanmax(np.abs(off[:, j]), axis=1)
            row = int(np.nanargmax(peak))
            if peak[row] > largest[j]:
                largest[j], percent[j] = peak[row], at[row]
    return Cost(rmse, largest, percent)


def percent_of_cycle(one: Leg) -> Array:
    """Return where in its cycle each frame is, shape (n,), %; NaN outside of every cycle."""
    rows = np.arange(len(one.frames))
    at = np.full(len(rows), np.nan)
    for cycle in find_cycles(one.theirs, one.side):
        inside = (rows >= cycle.start_row) & (rows <= cycle.stop_row)
        part = (rows - cycle.start_row) / (cycle.stop_row - cycle.start_row)
        at[inside] = 100 * part[inside]
    return at


def cycle_curves(one: Leg, theirs: Array, changed: dict[str, Array]) -> list[Curves]:
    """Return the sagittal curves of the cycles of one leg."""

    def cut(moment: Array, start: float, stop: float) -> Array:
        shown = np.where(one.frames[:, None], moment[..., 2] * SAGITTAL / one.mass, np.nan)
        return resample(shown, start, stop)

    return [
        Curves(
            cut(theirs, c.start_row, c.stop_row),
            {name: cut(m - theirs, c.start_row, c.stop_row) for name, m in changed.items()},
        )
        for c in find_cycles(one.theirs, one.side)
    ]


def draw(curves: list[Curves], path: Path) -> None:
    """Draw mean moments, the vendor's and with our radii, and below the RMS of each cause."""
    figure = Figure(figsize=(10, 5.6), dpi=90)
    FigureCanvasAgg(figure)
    grid = figure.subplots(2, 3, sharex=True)
    percent = np.arange(101)
    radii = "radii of gyration"
    for i, joint in enumerate(JOINTS):
        above, below = grid[:, i]
        theirs = np.stack([c.theirs[:, i] for c in curves])
        above.plot(percent, np.nanmean(theirs, axis=0), "black", label="vendor's mechanics")
        ours = np.stack([c.theirs[:, i] + c.off[radii][:, i] for c in curves])
        mean = np.nanmean(ours, axis=0)
        above.plot(percent, mean, "#C1272D", ls="--", label="with radii about the centre of mass")
        for name, (colour, style) in DRAWN.items():
            off = np.stack([c.off[name][:, i] for c in curves])
            rms = np.sqrt(np.nanmean(off**2, axis=0))
            below.plot(percent, rms, color=colour, ls=style, lw=1.4, label=name)
        above.set_title(joint, fontsize=10)
        below.set_xlabel("gait cycle (%)")
        below.set_ylim(0, None)
    grid[0, 0].set_ylabel("mean moment (N m/kg)\nplantarflexion +, extension +")
    grid[1, 0].set_ylabel("RMS difference (N m/kg)")
    for axes in grid.flat:
        axes.grid(color="0.9")
        axes.set_xlim(0, 100)
        axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout(rect=(0, 0.06, 1, 0.95))
    figure.legend(*grid[0, 0].get_legend_handles_labels(), loc="upper center", ncols=2, **PLAIN)
    figure.legend(*grid[1, 0].get_legend_handles_labels(), loc="lower center", ncols=6, **PLAIN)
    figure.savefig(path)


def three(values: Array, digits: int = 4) -> str:
    """Return ankle, knee and hip in one cell."""
    return " / ".join(f"{value:.{digits}f}" for value in values)


def every() -> tuple[dict[str, dict[str, Cost]], list[Curves]]:
    """Return the cost of each cause in each pair, and the curves of all cycles."""
    found: dict[str, dict[str, Cost]] = {}
    curves: list[Curves] = []
    for file in LISTS:
        text = (page.SHARED / "accept" / file).read_text(encoding="utf-8")
        for pair in tomllib.loads(text)["pair"]:
            name, both = pair["name"].split(" (")[0], legs(pair)
            moments = []
            for one in both:
                theirs = joint_loads(one.chain(one.theirs)).moment_S
                moments.append((theirs, {name: how(one) for name, (_, how) in CAUSES.items()}))
                if not name.startswith(NOISY):
                    curves += cycle_curves(one, *moments[-1])
            found[name] = {cause: cost(both, moments, cause) for cause in CAUSES}
    return found, curves


def cause_rows(found: dict[str, dict[str, Cost]]) -> list[tuple[str, ...]]:
    """Return a row for each cause: median of the pairs, worst pair, largest and where."""
    rows = []
    for cause, (why, _) in CAUSES.items():
        costs = [pair[cause] for pair in found.values()]
        rmse = np.stack([c.rmse for c in costs])
        largest = np.stack([c.largest for c in costs])
        at = np.stack([c.percent for c in costs])[largest.argmax(axis=0), range(3)]
        where = " / ".join("-" if np.isnan(p) else f"{p:.0f}" for p in at)
        cells = three(np.median(rmse, axis=0)), three(rmse.max(axis=0))
        rows.append((cause, why, *cells, three(largest.max(axis=0), 3), where))
    return rows


def main() -> int:
    """Write the page and the picture."""
    if not page.need_shared("accept", "pig.toml"):
        return 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # means of percents that nobody knows
        found, curves = every()
        draw(curves, page.FOLDER / "vendor-mechanics.png")
        rows = cause_rows(found)
    last = list(CAUSES)[-2:]
    pairs = [(name, *(three(costs[cause].rmse) for cause in last)) for name, costs in found.items()]
    radii = np.median([costs["radii of gyration"].rmse for costs in found.values()], axis=0)
    lines = [
        "# What the vendor's mechanics cost",
        "",
        "Plug-in Gait takes radii of gyration about the proximal end of a segment and uses them",
        "about its centre of mass: its inertia is two to three times too large. Here every pair",
        "of trial and static is solved with the vendor's mechanics, and again with one thing at a",
        "time taken from the default profile. Root mean square change of the moments of ankle /",
        "knee / hip, worst component and side, N m/kg, over the frames that the vendor computed.",
        f"The radii alone cost {three(radii, 3)} N m/kg in the median pair, in swing and push-off.",
        "",
        *page.stamp("python benchmarks/vendor_mechanics.py"),
        *page.table(
            ("taken from the default profile", "which is", f"median of {len(found)} pairs",
             "worst pair", "largest change of all frames", "at % of the cycle"), rows
        ),
        "",
        "![Where in the cycle each difference lies](vendor-mechanics.png)",
        "",
        f"Mean of {len(curves)} cycles above, root mean square over the cycles below; sagittal;",
        f"without {NOISY}, whose plates were not tared and whose markers jump.",
        "",
        "## Default profile against the vendor's mechanics, by pair",
        "",
        *page.table(("pair", *last), pairs),
        "",
        "Why BTK-C lies apart: [default-against-vendor.md](../../docs/default-against-vendor.md).",
    ]  # fmt: skip
    page.write("vendor-mechanics", lines)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
