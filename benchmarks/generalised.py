"""Generalised coordinates on the walker and on real trials: third route, residual, superposition.

usage: python benchmarks/generalised.py

Prints the page; writes reports/validation/generalised.md and its picture where all recordings are
there.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
from usage import help_shown

from gaitdyn.audit.mechanism import mechanism_document, third_opinion
from gaitdyn.dynamics.segment_tree import generalised_loads, measured_tree
from gaitdyn.dynamics.whole_body import pelvis_motion
from gaitdyn.pipeline import process_trial
from gaitdyn.stages.mechanism import find_mechanism, shown_rows
from gaitdyn.tables.generalised import induced_curves
from gaitdyn.trial import Result
from gaitdyn.types.generalised import INDUCED_WORDS
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "gait"
PAGE = ROOT / "reports" / "validation" / "generalised.md"
WALK = ROOT / "data" / "walk01.c3d"
TRIALS = {
    "synthetic walker": WALK,
    "BTK-A": CORPUS / "BTK-A/PiG_Motion-FlatFoot-Full.c3d",
    "BTK-B": CORPUS / "BTK-B/PiG_Motion3_FF.c3d",
    "Sydney": CORPUS / "Sydney/S4-AMGait03.c3d",
    "McGill": CORPUS / "McGill/HC002D06.c3d",
}
RUNS = 7


def main() -> None:
    """Print the page; write it where all recordings are there."""
    found = {
        name: process_trial(path, Options(generalised=True))
        for name, path in TRIALS.items()
        if path.is_file()
    }
    text = "\n".join([*head(), *sums(found), *sources(found), *cost(found), ""])
    print(text)
    if not all(path.is_file() for path in TRIALS.values()):
        return
    PAGE.write_text(text, encoding="utf-8", newline="\n")
    picture(next(path for path in reversed(TRIALS.values()) if path.is_file()))


def head() -> list[str]:
    """Return the title and what is told."""
    return [
        "# Generalised coordinates",
        "",
        (
            "Made by `python benchmarks/generalised.py`; what the words mean is in"
            " [docs/generalised.md](../../docs/generalised.md)."
        ),
        "",
        "![What accelerates the body, by source](induced.png)",
    ]


def sums(found: dict[str, Result]) -> list[str]:
    """Return the table of third route, superposition and residual."""
    lines = [
        "",
        "## Third route, superposition, residual",
        "",
        (
            "| trial | moments less stacked system, of the largest | sum of sources less"
            " acceleration, m/s2 | frames | residual force, RMS, of body weight | largest |"
            " residual moment, RMS, N m/kg | inertia about long axes changes moments by, N m |"
        ),
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, result in found.items():
        document = mechanism_document(result, find_mechanism(result))
        if document is None or not document.get("residual"):
            continue
        residual = document["residual"]
        lines.append(
            f"| {name} | {third_opinion(result):.1e} | {document['superposition_m_s2']:.1e} |"
            f" {residual['frames']} | {residual['force_rms_bw']:.3f} |"
            f" {residual['force_largest_bw']:.3f} | {residual['moment_rms_nm_kg']:.2f} |"
            f" {document['long_axis_inertia_changes_moments_by_nm']:.2f} |"
        )
    return [
        *lines,
        "",
        (
            "The ground forces of the synthetic walker are given, not caused by its motion, so its"
            " residual means nothing."
        ),
    ]


def sources(found: dict[str, Result]) -> list[str]:
    """Return the mean upward acceleration by source while one foot alone stands."""
    lines = [
        "",
        "## What holds the body up",
        "",
        (
            "Mean upward acceleration of the centre of mass by source over the single support of"
            " each side, m/s2."
        ),
        "",
        "| trial | side | frames | "
        + " | ".join(w.replace("_", " ") for w in INDUCED_WORDS)
        + " |",
        "|---" * (len(INDUCED_WORDS) + 3) + "|",
    ]
    for name, result in found.items():
        mechanism = find_mechanism(result)
        if mechanism is None or mechanism.induced is None:
            continue
        curves = {c.name: c.values for c in induced_curves(result, mechanism.induced)}
        for side, other in (("left", "right"), ("right", "left")):
            held, away = (result.sides[s].wrench for s in (side, other))
            if held is None or away is None:
                continue
            parts = [curves[f"{side}_com_acceleration_y_{word}"] for word in INDUCED_WORDS]
            rows = held.in_contact & ~away.in_contact & np.isfinite(parts[0])
            if rows.any():
                means = " | ".join(f"{part[rows].mean():.2f}" for part in parts)
                lines.append(f"| {name} | {side} | {int(rows.sum())} | {means} |")
    return lines


def cost(found: dict[str, Result]) -> list[str]:
    """Return what it costs beside the whole recipe."""
    name, result = next(iter(found.items()))
    frames = int(shown_rows(result).sum())
    chains = {s: k.kinetics.loads.chain for s, k in result.sides.items() if k.kinetics}
    pelvis = pelvis_motion(result.pose, result.recording.rate_hz)
    whole = seconds(lambda: process_trial(TRIALS[name], Options(audit=False)))
    mine = seconds(lambda: find_mechanism(result))
    route = seconds(lambda: third_opinion(result))
    tree = seconds(lambda: generalised_loads(measured_tree(pelvis, chains), chains))
    return [
        "",
        "## Cost",
        "",
        (
            f"{name}, {result.recording.n_frames} frames ({frames} with all loads): of the time"
            f" from file to curves the third route takes {100 * (route / whole):.0f} %, everything"
            f" that `--generalised` computes {100 * (mine / whole):.0f} %; one tree of 24"
            f" coordinates {1e6 * tree / result.recording.n_frames:.0f} us a frame. Medians of"
            f" {RUNS} runs."
        ),
    ]


def seconds(work: object) -> float:
    """Return the median time of a call."""
    assert callable(work)  # noqa: S101
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def picture(trial: Path) -> None:
    """Draw the sources of one trial beside the page."""
    from gaitdyn.store import ResultsFolder, write_results

    with tempfile.TemporaryDirectory() as place:
        folder = ResultsFolder.prepare(Path(place), trial, [])
        write_results(folder, process_trial(trial, Options(generalised=True)), figures=True)
        shutil.copy(folder.path / "figures" / "induced.png", PAGE.with_name("induced.png"))


if __name__ == "__main__":
    help_shown(__doc__)
    main()
