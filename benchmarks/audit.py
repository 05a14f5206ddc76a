"""What runs say about their own loads: terms, second opinion, closure, energy, and what that costs.

usage: python benchmarks/audit.py

Prints the numbers for the synthetic walker and for four recordings of ../shared/corpus, and the
cost of terms, closure and energy together as a part of ``gaitdyn process``. Writes
reports/validation/audit.md where all recordings are there.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
from usage import help_shown

from gaitdyn.audit.legs import audit_document
from gaitdyn.dynamics.sources import source_terms
from gaitdyn.pipeline import process_trial
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.trial import Result
from gaitdyn.types.motion import JOINTS
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "gait"
PAGE = ROOT / "reports" / "validation" / "audit.md"
RUNS = 7

TRIALS = {
    "BTK-A": "BTK-A/PiG_Motion-FlatFoot-Full.c3d",
    "BTK-B": "BTK-B/PiG_Motion3_FF.c3d",
    "Sydney": "Sydney/S4-AMGait03.c3d",
    "McGill": "McGill/HC002D06.c3d",
}
WALKER = "walker, no noise"

HEADS = {
    "sums": ("trial", "terms less moment, of the largest moment", "stacked less substitution",
             "acceleration back, m/s2", "angular, rad/s2"),
    "closure": ("trial", "segment", "windows", "median, deg", "95 %, deg", "largest, deg",
                "largest, mm"),
    "energy": ("trial", "segment", "frames", "residual RMS, W", "largest, W",
               "without slip of joint centres RMS, W", "power of the proximal joint RMS, W"),
    "terms": ("trial", "joint", "inertial", "velocity", "gravity", "ground"),
}  # fmt: skip
Rows = dict[str, list[tuple[str, ...]]]


def sums(result: Result) -> float:
    """Return how far the terms are from the moments, of the largest moment."""
    worst = 0.0
    for found in result.sides.values():
        if found.kinetics is not None:
            loads = found.kinetics.loads
            total = source_terms(loads.chain).moment_S.sum(axis=(2, 3))
            scale = np.nanmax(np.abs(loads.moment_S))
            worst = max(worst, float(np.nanmax(np.abs(total - loads.moment_S)) / scale))
    return worst


def term_rows(name: str, result: Result) -> list[tuple[str, ...]]:
    """Return the largest sagittal part of each joint by cause, N m/kg."""
    mass, rows = result.subject.mass_kg or np.nan, []
    for i, joint in enumerate(JOINTS):
        peaks = np.zeros(4)
        for found in result.sides.values():
            if found.kinetics is not None:
                shown = found.kinetics.published[:, i]
                causes = source_terms(found.kinetics.loads.chain).by_cause().values()
                own = [np.nanmax(np.abs(part[shown, i, 2])) for part in causes]
                peaks = np.fmax(peaks, own)
        rows.append((name, joint, *(f"{peak / mass:.3f}" for peak in peaks)))
    return rows


def measure(name: str, result: Result, rows: Rows) -> None:
    """Add the rows of one trial."""
    audit: dict[str, Any] | None = audit_document(result)
    if audit is None:
        return
    closure, energy = audit["closure"], audit["energy"]
    accelerations = closure["acceleration_m_s2"], closure["angular_acceleration_rad_s2"]
    numbers = (sums(result), audit["second_opinion"], *accelerations)
    rows["sums"].append((name, *(f"{value:.0e}" for value in numbers)))
    for side in energy:
        for segment, drift in closure[side].items():
            angles = [drift[key] for key in ("median_deg", "p95_deg", "largest_deg", "largest_mm")]
            words = (f"{value:.4f}" for value in angles)
            rows["closure"].append((name, f"{side} {segment}", str(drift["windows"]), *words))
        for segment, balance in energy[side].items():
            watts = [balance[key] for key in ("rms_w", "largest_w", "rest_w", "throughput_w")]
            words = (f"{value:.2g}" for value in watts)
            rows["energy"].append((name, f"{side} {segment}", str(balance["frames"]), *words))
    rows["terms"] += term_rows(name, result)


def in_memory(result: Result) -> float:
    """Return the least processor time of terms, closure and energy of both legs, s."""
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        audit_document(result)
        for found in result.sides.values():
            if found.kinetics is not None:
                source_terms(found.kinetics.loads.chain)
        times.append(time.process_time() - start)
    return min(times)


def command(trial: Path, words: tuple[str, ...]) -> float:
    """Return the processor time of one ``gaitdyn process``, s, into a new folder."""
    with tempfile.TemporaryDirectory() as out:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        run = [sys.executable, "-m", "gaitdyn_cli.app", "process", str(trial), "--quiet"]
        subprocess.run([*run, "-o", out, *words], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost_lines(trial: Path, result: Result) -> list[str]:
    """Return the cost of the audit and the terms as parts of the command's time."""
    lines = []
    computed = in_memory(result)
    for what, words in (("without figures", ("--no-figures",)), ("with figures", ())):
        kinds = ((*words, "--no-audit"), words, (*words, "--terms"))
        times = [[command(trial, kind) for kind in kinds] for _ in range(RUNS)]
        plain, audited, both = (min(found) for found in zip(*times, strict=True))
        lines.append(
            f"- {what}: computing terms, closure, energy and second opinion takes"
            f" {100 * computed / plain:.1f} % of the run without them; the whole run with the audit"
            f" {100 * (audited / plain - 1):+.0f} %, with audit, `terms.csv`"
            f"{' and `terms.png`' if not words else ''} {100 * (both / plain - 1):+.0f} %"
        )
    return lines


def table(kind: str, rows: Rows) -> list[str]:
    """Return one table as lines."""
    head = HEADS[kind]
    lines = [f"| {' | '.join(row)} |" for row in (head, ("---",) * len(head), *rows[kind])]
    return [*lines, ""]


def page(rows: Rows, cost: list[str]) -> str:
    """Return the page."""
    texts = {
        "sums": "Terms, second opinion and the accelerations of every frame. Limits: 1e-10, 1e-10,"
        " 1e-9, 1e-9.",
        "closure": "Forward dynamics restarted every 50 ms: angle and distance between the motion"
        " integrated and the motion measured, at the end of a window. Limit on the walker: 0.01"
        " deg. On real data it is a score of how well the loads between two frames are known.",
        "energy": "Energy audit: change of kinetic and potential energy less the power of both"
        " joints and the ground. What is left in shank and thigh is the power of joint forces on"
        " joint centres that slip against the segment: knee and hip centres of marker models do."
        " Without it nothing is left.",
        "terms": "Largest part of the sagittal moment by cause, N m/kg.",
    }
    lines = ["# What the runs say about their own loads", ""]
    lines += [
        "Default options throughout. The equations are in [audit.md](../../docs/audit.md).",
        "",
    ]
    for kind, text in texts.items():
        lines += [text, "", *table(kind, rows)]
    if cost:
        lines += [f"Cost on BTK-B, the least processor time of {RUNS} runs in turn:"]
        lines += ["", *cost, ""]
    return "\n".join([*lines, "The command: `python benchmarks/audit.py`.", ""])


def main() -> int:
    """Print the tables; write the page where all recordings are there."""
    rows: Rows = {kind: [] for kind in HEADS}
    with tempfile.TemporaryDirectory() as folder:
        write_session(Path(folder), Walker(), Recording(), trials=1)
        measure(WALKER, process_trial(Path(folder) / "walk01.c3d"), rows)
    cost: list[str] = []
    for name, file in TRIALS.items():
        trial = CORPUS / file
        if not trial.is_file():
            print(f"{name}: needs ../shared/corpus, left out")
            continue
        result = process_trial(trial, Options())
        measure(name, result, rows)
        if name == "BTK-B":
            cost = cost_lines(trial, result)
    text = page(rows, cost)
    print(text)
    if all((CORPUS / file).is_file() for file in TRIALS.values()):
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
