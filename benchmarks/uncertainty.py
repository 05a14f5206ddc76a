"""Bands, their shares and the time they take, on the synthetic walker and real trials.

usage: python benchmarks/uncertainty.py [CORPUS]

Writes reports/validation/uncertainty.md. CORPUS is the folder of real trials; those that are not
there are left out. The coverage is the one that `benchmarks/coverage.py --write` kept.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from coverage import CASES, PLACE
from usage import help_shown

from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.advice import median_cutoff
from gaitdyn.uncertainty.bands import find_uncertainty
from gaitdyn.uncertainty.cutoffs import find_sensitivity
from gaitdyn.uncertainty.inputs import SOURCES, InputErrors

ROOT = Path(__file__).parents[1]
TRIALS = {
    "BTK-A": "gait/BTK-A/PiG_Motion-FlatFoot-Full.c3d",
    "BTK-B": "gait/BTK-B/PiG_Motion3_FF.c3d",
    "Sydney": "gait/Sydney/S4-AMGait03.c3d",
    "McGill": "gait/McGill/HC030A05.c3d",
}
SHOWN = (
    "ankle_moment_plantarflexion",
    "knee_moment_extension",
    "hip_moment_extension",
    "hip_power",
)


def trial_lines(name: str, path: Path) -> list[str]:
    """Return the rows of one trial: time, half-widths and shares; the left side, else the right."""
    options = Options()
    result = process_trial(path, options)
    started, used = time.perf_counter(), time.process_time()
    found = find_uncertainty(result)
    wall, cpu = time.perf_counter() - started, time.process_time() - used
    frames = len(result.trial.markers_G)
    lines = [f"| {name} | {frames} | {wall:.1f} | {cpu:.1f} | | |{' |' * len(SOURCES)}"]
    for side in sorted(found.variances):
        shares, half = found.shares(side), found.half_width(side)
        for curve in SHOWN:
            column = half[:, found.names.index(curve)]
            if not np.isfinite(column).any():
                continue
            cells = " | ".join(f"{100 * shares[curve][source]:.0f}" for source in SOURCES)
            lines.append(
                f"| | | | | {side} {curve.replace('_', ' ')} | {np.nanmean(column):.1f} | {cells} |"
            )
    return lines


def advice_line(name: str, path: Path) -> str:
    """Return what both methods advise for one trial, and the steepest peaks."""
    options = Options()
    found = find_sensitivity(process_trial(path, options), cutoffs_hz=())
    steep = []
    for quantity in (
        "hip_moment_extension_max",
        "knee_moment_extension_max",
        "ankle_power_a2_peak",
    ):
        values = [v for (_, q), v in found.slopes["matched"].items() if q == quantity]
        known = [v for v in values if np.isfinite(v)]
        steep.append(f"{np.mean(known):+.3f}" if known else "")
    advice = (found.advice.residual, found.advice.cross_validation)
    medians = [median_cutoff(cutoffs) for cutoffs in advice]
    told = " | ".join(f"{cutoff:.1f}" if np.isfinite(cutoff) else "none" for cutoff in medians)
    return f"| {name} | {told} | {' | '.join(steep)} |"


def coverage_lines() -> list[str]:
    """Return the rows of the coverage as it was kept."""
    lines = [x for x in PLACE.read_text(encoding="utf-8").splitlines() if not x.startswith("#")]
    rows = [line.split(",") for line in lines[1:]]
    return [f"| {' | '.join([name.replace('_', ' '), *cells])} |" for name, *cells in rows]


def bands(paths: dict[str, Path]) -> list[str]:
    """Return the section on the bands of single trials."""
    rows = [line for name, path in paths.items() for line in trial_lines(name, path)]
    names = " | ".join(source.replace("_", " ") + ", %" for source in SOURCES)
    return [
        "## Bands of single trials",
        "",
        (
            f"Default input errors, {InputErrors().draws} draws, the reading of the file not counted."  # noqa: E501
            " Half-width: mean over the frames, N m or W. Shares of the variance by source."
            " The wall time holds what else ran on the machine, the processor time does not."
        ),
        "",
        f"| trial | frames | wall s | processor s | curve | half-width | {names} |",
        "|" + "---|" * (6 + len(SOURCES)),
        *rows,
        "",
    ]


def coverage() -> list[str]:
    """Return the section on how often the truth lies in the band."""
    return [
        "## How often the truth lies in the band",
        "",
        (
            "200 walks of the synthetic walker, each with its own drawn errors and its own band of"
            " 100 draws; frames in which the truth is known and the curve is published (`python"
            " benchmarks/coverage.py`). The skin of the walker sways by skewed waves of any"
            " frequency to 25 rad/s, the bands draw sines of four harmonics of the stride. Beside"
            " the percentage the mean half-width, N m/kg and W/kg."
        ),
        "",
        f"| curve | {' | | '.join(CASES)} | |",
        "|---|---|---|---|---|---|---|",
        *coverage_lines(),
        "",
    ]


def cut_offs(paths: dict[str, Path]) -> list[str]:
    """Return the section on the advice for cut-offs."""
    return [
        "## Cut-offs",
        "",
        (
            "Advice: median of the markers, Hz. Slopes of three peaks with both cut-offs at 10 Hz,"
            " mean of the sides, a hertz."
        ),
        "",
        (
            "| trial | residual analysis | cross-validation | hip extension max, N m/kg |"
            " knee extension max, N m/kg | ankle A2, W/kg |"
        ),
        "|---|---|---|---|---|---|",
        *(advice_line(name, path) for name, path in paths.items()),
        "",
    ]


def main() -> int:
    """Write the page."""
    corpus = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT.parent / "shared" / "corpus"
    with tempfile.TemporaryDirectory() as folder:
        write_session(Path(folder), Walker(), Recording(marker_noise_mm=0.5), trials=1)
        paths = {"synthetic walker": Path(folder) / "walk01.c3d"}
        paths |= {n: corpus / p for n, p in TRIALS.items() if (corpus / p).is_file()}
        page = [
            "# Bands from input errors, and cut-offs",
            "",
            (
                "Made by `python benchmarks/uncertainty.py`; what the words mean is in"
                " [docs/uncertainty.md](../../docs/uncertainty.md)."
            ),
            "",
            *bands(paths),
            *coverage(),
            *cut_offs(paths),
        ]
    place = ROOT / "reports" / "validation" / "uncertainty.md"
    place.write_text("\n".join(page), encoding="utf-8", newline="\n")
    print(place.name)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
