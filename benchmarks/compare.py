"""Both profiles beside the values that the vendor stored in the same files.

usage: python benchmarks/compare.py

Writes reports/validation/compare.md and, of the BTK-B trial, compare.png. It takes the pairs of
../shared/accept, over every frame that both know.
"""

from __future__ import annotations

import math
import sys
import tomllib
from pathlib import Path
from typing import Any

from page import stamp
from usage import help_shown

from gaitdyn.compare import Row, SourceComparison, compare_with_vendor
from gaitdyn.compare.files import comparison_sheet
from gaitdyn.compare.words import convention_line
from gaitdyn.pipeline import process_trial
from gaitdyn.plots.png import png_bytes
from gaitdyn.types.options import Options
from gaitdyn.types.words import parse_assign

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"
FILES = ("pig.toml", "pig-variants.toml")
CHOSEN = ("BTK-B", "BTK-A", "Sydney", "McGill")
PROFILES = ("plug-in-gait", "default")
QUANTITIES = (
    ("angles, deg", ("angle",)),
    ("ankle moment", ("ankle moment",)),
    ("knee moment", ("knee moment",)),
    ("hip moment, N mm/kg", ("hip moment",)),
    ("powers, W/kg", ("power",)),
    ("joint forces, N/kg", ("ankle force", "knee force", "hip force")),
    ("ground force, N/kg", ("ground reaction",)),
)


def pairs() -> list[dict[str, Any]]:
    """Return the chosen pairs of trial and static."""
    found = [
        pair
        for file in FILES
        for pair in tomllib.loads((SHARED / "accept" / file).read_text(encoding="utf-8"))["pair"]
    ]
    return [p for name in CHOSEN for p in found if p["name"].startswith(name)]


def compared(pair: dict[str, Any], profile: Any) -> SourceComparison:
    """Process a pair and compare it with what its trial stores."""
    words = dict(zip(pair["args"][::2], pair["args"][1::2], strict=True))
    options = Options(
        static=str(SHARED / "corpus" / "gait" / pair["static"]),
        marker_diameter_mm=float(words["--marker-diameter"]),
        assign=parse_assign(words["--assign"]),
        offsets=words.get("--offsets", "static"),  # pyright: ignore[reportArgumentType]
        profile=profile,
    )
    trial = SHARED / "corpus" / "gait" / pair["motion"]
    result = process_trial(trial, options)
    return compare_with_vendor(
        result, result.recording, options, lambda other: process_trial(trial, other)
    )


def worst(found: SourceComparison, words: tuple[str, ...]) -> Row:
    """Return the column of the largest RMSE among those whose name holds one of the words."""
    return max((r for r in found.rows if any(w in r.name for w in words)), key=lambda r: r.rmse)


def cell(row: Row) -> str:
    """Return RMSE, r, and the largest difference with its place."""
    where = "" if math.isnan(row.percent) else f", {row.percent:.0f} %"
    largest = f"{abs(row.largest):.3g} (frame {row.frame}{where})"
    return f"{row.rmse:.3g}, {row.r:.4f}, {largest}"


def table(found: dict[str, SourceComparison]) -> list[str]:
    """Return a table with a row a quantity and a column a pair."""
    lines = [f"| worst column | {' | '.join(found)} |", "|---" * (len(found) + 1) + "|"]
    for title, words in QUANTITIES:
        cells = [cell(worst(comparison, words)) for comparison in found.values()]
        lines.append(f"| {title} | {' | '.join(cells)} |")
    return lines


def main() -> int:
    """Write the page and the picture."""
    if not SHARED.is_dir():
        print("needs ../shared with the corpus of real trials")
        return 1
    folder = ROOT / "reports" / "validation"
    lines = [
        "# Beside the vendor's stored values",
        "",
        "Each cell is the worst of both sides and all components: root mean square difference, r,",
        "largest difference with its frame and % of the gait cycle; of all frames that both know.",
        "The statics of McGill have medial malleoli, which the vendor's model does not know and",
        "the default profile uses.",
        "",
        *stamp("python benchmarks/compare.py"),
    ]
    for profile in PROFILES:
        found = {pair["name"].split(" (")[0]: compared(pair, profile) for pair in pairs()}
        lines += [f"## Profile `{profile}`", "", *table(found), ""]
        lines += [f"## What was recognised, profile `{profile}`", ""]
        groups: dict[str, list[str]] = {}
        for name, comparison in found.items():
            for convention in comparison.conventions:
                groups.setdefault(convention_line(convention), []).append(name)
        for line, names in groups.items():
            told = "all" if len(names) == len(found) else ", ".join(names)
            lines.append(f"- {line} ({told})")
        lines.append("")
        if profile == "default":
            picture = png_bytes(comparison_sheet(next(iter(found.values()))), 72)
            (folder / "compare.png").write_bytes(picture)
    lines += [
        "![Curves of the BTK-B trial, default profile, the difference below](compare.png)",
        "",
    ]
    (folder / "compare.md").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
