"""What the rule for the hip joint centre is worth in angles and moments.

usage: python benchmarks/hip_rules.py    writes reports/validation/hip-rules.md

Needs ../shared/corpus: its walks are processed with Harrington's regression, then under every other
rule, all else the same.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np
from page import SHARED, need_shared, stamp, table, write
from usage import help_shown
from verdicts import walks

from gaitdyn.errors import GaitdynError
from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import CHOICES, Options
from gaitdyn.uncertainty.sweeps import Sweep, find_sweep, parse_sweeps

if TYPE_CHECKING:
    from collections.abc import Sequence

BASE = "harrington"
OTHERS = tuple(rule for rule in CHOICES["hip_centre"] if rule not in (BASE, "model"))
PEAKS = {
    "hip_angle_flexion_max": ("hip flexion", "deg"),
    "hip_moment_extension_max": ("hip extensors", "N m/kg"),
    "hip_moment_extension_min": ("hip flexors", "N m/kg"),
    "hip_moment_abduction_first_peak": ("hip abductors", "N m/kg"),
    "knee_moment_abduction_first_peak": ("knee abductors", "N m/kg"),
}


OPENING = f"""Every walk of the corpus whose hip moments are known, under the rule `{BASE}` and
under every other rule of `--hip-centre`, all else the same (`--sweep hip=...`). A cell has the
median change of a peak over the legs, the least and the largest, and the number of legs; the first
row has the median peak itself. Moments are internal; that of the flexors is negative. A rule that
needs a leg length has fewer legs."""


def sweeps() -> tuple[list[Sweep], list[str]]:
    """Return the peaks of every walk under all rules, and the walks without hip moments."""
    settings = parse_sweeps([f"hip={','.join(OTHERS)}"])
    found, without = [], []
    for walk in walks():
        path = SHARED / "corpus" / walk
        try:
            base = process_trial(path, Options(hip_centre=BASE))
        except GaitdynError:
            without.append(path.name)
            continue
        if any(side.kinetics for side in base.sides.values()):
            found.append(find_sweep(base, settings))
        else:
            without.append(path.name)
    return found, without


def changes(found: Sequence[Sweep], rule: str, peak: str) -> np.ndarray:
    """Return the change of a peak by a rule in every leg that has it under both."""
    legs = [
        values[key] - sweep.base[key]
        for sweep in found
        for setting, values in zip(sweep.settings, sweep.values, strict=True)
        if setting.word == rule
        for key in values.keys() & sweep.base.keys()
        if key[1] == peak
    ]
    known = np.array(legs, float)
    return known[np.isfinite(known)]


def cell(change: np.ndarray) -> str:
    """Return the median, the range and the number of changes."""
    if not change.size:
        return ""
    least, middle, most = np.percentile(change, (0, 50, 100))
    return f"{middle:+.2f} ({least:+.2f} to {most:+.2f}), {change.size}"


def peak_itself(found: Sequence[Sweep], peak: str) -> str:
    """Return the median of a peak under the rule that the others are compared with."""
    legs = [value for sweep in found for key, value in sweep.base.items() if key[1] == peak]
    return f"{np.nanmedian(legs):.2f}"


def main() -> int:
    """Write the page."""
    if not need_shared("corpus", "catalogue.csv"):
        return 1
    found, without = sweeps()
    head = ("rule", *(f"{name}, {unit}" for name, unit in PEAKS.values()))
    rows = [(f"`{BASE}`", *(peak_itself(found, peak) for peak in PEAKS))]
    rows += [(f"`{r}`", *(cell(changes(found, r, peak)) for peak in PEAKS)) for r in OTHERS]
    lines = [
        "# What the rule for the hip joint centre is worth",
        "",
        *OPENING.split("\n"),
        "",
        *stamp("python benchmarks/hip_rules.py"),
        *table(head, rows),
        "",
        f"{len(found)} walks. No hip moment is known in {', '.join(without)}.",
    ]
    write("hip-rules", lines)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
