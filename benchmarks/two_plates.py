"""One foot on two plates at once: the ankle moment that the vendor loses.

usage: python benchmarks/two_plates.py [TRIAL STATIC]

Draws the ankle moments of both legs beside the vendor's stored ones and the load of each plate,
and writes reports/validation/two-plates.md and .png. Without arguments it takes the Sydney trial
03 of ../shared/corpus.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from page import stamp
from usage import help_shown

from gaitdyn.pipeline import process_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.trial import Result
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[1]
SYDNEY = ROOT.parent / "shared" / "corpus" / "gait" / "Sydney"
COLOURS = {"left": "#C1272D", "right": "#0057B8"}
STYLES = {"left": "-", "right": "--"}


def draw(result: Result, path: Path) -> dict[str, tuple[float, float]]:
    """Draw the picture; return each side's peak, ours and the vendor's, N m/kg."""
    mass = result.subject.mass_kg or np.nan
    curves = {curve.name: curve.values for curve in run_curves(result)}
    time = result.time_s
    figure = Figure(figsize=(9, 6), dpi=110)
    FigureCanvasAgg(figure)
    above, below = figure.subplots(2, 1, sharex=True)
    peaks = {}
    for side in ("left", "right"):
        ours = curves[f"{side}_ankle_moment_plantarflexion"] / mass
        vendor = result.recording.outputs[f"{side[0].upper()}AnkleMoment"][:, 0] / 1000
        vendor = np.where(vendor == 0, np.nan, vendor)
        above.plot(time, ours, COLOURS[side], ls=STYLES[side], label=f"{side}, gaitdyn")
        above.plot(time, vendor, COLOURS[side], ls=":", label=f"{side}, stored by the vendor")
        peaks[side] = float(np.nanmax(ours)), float(np.nanmax(vendor))
    for wrench in result.trial.plates:
        up = wrench.force_G @ wrench.normal_G
        below.plot(time, up, label=f"plate {wrench.number}")
    above.set_ylabel("ankle plantarflexion (N m/kg)")
    below.set_ylabel("vertical force, up + (N)")
    below.set_xlabel("time (s)")
    for axes in (above, below):
        axes.legend(frameon=False, loc="upper left", fontsize=8)
        axes.grid(color="0.9")
        axes.spines[["top", "right"]].set_visible(False)
    figure.subplots_adjust(left=0.1, right=0.98, top=0.97, bottom=0.09, hspace=0.1)
    figure.savefig(path)
    return peaks


def main() -> int:
    """Write the page and the picture."""
    trial, static = [Path(word) for word in sys.argv[1:3]] or [
        SYDNEY / "S4-AMGait03.c3d",
        SYDNEY / "S4 AM Cal 01.c3d",
    ]
    if not trial.is_file():
        print("needs ../shared/corpus with the Sydney trials, or a trial and a static as arguments")
        return 1
    result = process_trial(trial, Options(static=str(static)))
    folder = ROOT / "reports" / "validation"
    folder.mkdir(parents=True, exist_ok=True)
    peaks = draw(result, folder / "two-plates.png")
    rows = [f"| {side} | {ours:.2f} | {vendor:.2f} |" for side, (ours, vendor) in peaks.items()]
    steps = [
        f"- plate {c.plate}: {c.side} foot, rows {c.start}-{c.stop - 1}, {c.verdict}"
        for c in result.contacts
    ]
    page = [
        "# One foot on two plates",
        "",
        f"`{trial.name}`: the left foot stands on two plates at once. Their wrenches are summed at",
        "one point, so the left ankle moment is there and looks like the right one; the vendor's",
        "stored left moment is that of a leg in swing.",
        "",
        *stamp("python benchmarks/two_plates.py"),
        *steps,
        "",
        "| side | peak ankle plantarflexion moment, gaitdyn, N m/kg | stored by the vendor |",
        "|---|---|---|",
        *rows,
        "",
        "![Ankle moments of both legs and the load of each plate](two-plates.png)",
        "",
    ]
    (folder / "two-plates.md").write_text("\n".join(page), encoding="utf-8", newline="\n")
    print("\n".join(rows))
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
