"""The plug-in-gait profile against the values that the vendor stored in the same files.

usage: python benchmarks/vendor.py

Runs ../shared/accept/pig.py over both lists of pairs: gaitdyn's command line gets copies in which
every point but the markers of the model is blanked, and its columns are compared with the vendor's.
Writes reports/validation/vendor.md and vendor.png.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING, NamedTuple

import page
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from usage import help_shown

if TYPE_CHECKING:
    from pathlib import Path

LISTS = ("pig.toml", "pig-variants.toml")
ROW = re.compile(
    r"  (?P<what>.+?)\s+rmse (?P<rmse>\S+)\s+max (?P<largest>\S+)\s+limit (?P<gate>\S+)"
)
NONE = re.compile(r"  (?P<what>.+?)\s+the vendor has none here")


class Found(NamedTuple):
    """Agreement of one quantity of one pair, worst side and component."""

    pair: str
    what: str
    rmse: float
    largest: float
    gate: float


def compared(file: str) -> tuple[list[Found], str]:
    """Run the comparison over one list; return its rows and its last line."""
    script = page.SHARED / "accept" / "pig.py"
    command = [sys.executable, str(script), "--pairs", str(script.parent / file)]
    command += ["--gaitdyn", f"{sys.executable} -m gaitdyn_cli.app"]
    path = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    env = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(command, capture_output=True, text=True, env=env, check=False)
    found, pair = [], ""
    for line in done.stdout.splitlines():
        if line.startswith("## "):
            pair = line[3:].split(" (")[0]
        elif match := ROW.match(line):
            numbers = (float(match[key]) for key in ("rmse", "largest", "gate"))
            found.append(Found(pair, match["what"].strip(), *numbers))
        elif not NONE.match(line) and "missed" not in line:
            sys.stderr.write(f"{pair}: {line}\n")
    return found, done.stdout.strip().splitlines()[-1]


def draw(found: list[Found], path: Path) -> None:
    """Draw every RMSE as a part of its gate."""
    names = list(dict.fromkeys(row.what for row in found))
    figure = Figure(figsize=(8, 3.6), dpi=90)
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    for i, name in enumerate(names):
        parts = [row.rmse / row.gate for row in found if row.what == name]
        axes.plot(parts, [i] * len(parts), "o", ms=5, alpha=0.6, color="#0057B8")
    axes.axvline(1.0, color="#C1272D", lw=1.5)
    axes.text(0.9, -0.75, "gate", color="#C1272D", ha="right", va="center", fontsize=8)
    axes.set_xscale("log")
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.5, -1.2)
    axes.set_xlabel("RMSE as a part of the gate, a dot for each pair")
    axes.grid(axis="x", color="0.9")
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path)


def main() -> int:
    """Write the page and the picture; fail when a gate is missed."""
    if not page.need_shared("accept", "pig.py"):
        return 1
    found: list[Found] = []
    missed = []
    for file in LISTS:
        rows, last = compared(file)
        found += rows
        missed.append(f"`{file}`: {last}")
    pairs = list(dict.fromkeys(row.pair for row in found))
    whats = list(dict.fromkeys(row.what for row in found))
    by = {(row.pair, row.what): row for row in found}
    gates = {row.what: row.gate for row in found}
    worst = {w: max((r for r in found if r.what == w), key=lambda r: r.rmse) for w in whats}
    draw(found, page.FOLDER / "vendor.png")
    cells = [
        (pair, *(f"{by[pair, w].rmse:.2g}" if (pair, w) in by else "-" for w in whats))
        for pair in pairs
    ]
    lines = [
        "# The vendor's stored values found again",
        "",
        "The profile `plug-in-gait` against the joint centres, angles, forces, moments and powers",
        "that Vicon's Plug-in Gait stored in the same files. gaitdyn was given copies in which",
        "every point but the markers of the model is blanked. Root mean square difference of the",
        "worst side and component, over all frames that the vendor computed inside the windows of",
        f"the lists. {len(pairs)} pairs; gates missed: {'; '.join(missed)}.",
        "",
        *page.stamp("python benchmarks/vendor.py", "ezc3d"),
        *page.table(
            ("quantity", "gate", "worst RMSE", "its largest difference", "in"),
            [
                (w, f"{gates[w]:g}", f"{r.rmse:.2g}", f"{r.largest:.2g}", r.pair)
                for w, r in worst.items()
            ],
        ),
        "",
        "![RMSE of every pair and quantity as a part of its gate](vendor.png)",
        "",
        "## RMSE of every pair",
        "",
        *page.table(("pair", *whats), cells),
        "",
        "The default profile has other mechanics: [vendor-mechanics.md](vendor-mechanics.md).",
    ]
    page.write("vendor", lines)
    return int(any(not line.endswith(": 0 missed") for line in missed))


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
