"""Trunk, head and arms: the walker's truth, the vendor's numbers, what is left at the waist.

usage: python benchmarks/whole_body.py

Prints the page; writes reports/validation/whole-body.md where all recordings are there.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from usage import help_shown
from walkers.arm_markers import WIDTHS_MM
from walkers.upper import with_upper

import gaitdyn.stages.upper as stage
from gaitdyn.audit.mechanism import mechanism_document
from gaitdyn.pipeline import process_trial
from gaitdyn.stages.mechanism import find_mechanism
from gaitdyn.synthetic import Course, Recording, Walker, stand, walk, write_trial
from gaitdyn.tables.columns import run_curves
from gaitdyn.trial import Result
from gaitdyn.types.options import Options

ROOT = Path(__file__).resolve().parents[1]
CORPUS = ROOT.parent / "shared" / "corpus" / "gait"
PAGE = ROOT / "reports" / "validation" / "whole-body.md"
WEIGHT = 9.80665
TRIALS = {
    "BTK-A FlatFoot-Full": (
        "BTK-A/PiG_Motion-FlatFoot-Full.c3d", "BTK-A/PiG_Calibration-FlatFoot-Full.c3d", 16,
    ),
    "McGill HC002D06, a child": ("McGill/HC002D06.c3d", "McGill/HC002D02.c3d", 10),
    "McGill HC030A05": ("McGill/HC030A05.c3d", "McGill/HC030A01.c3d", 10),
    "McGill HC038A11": ("McGill/HC038A11.c3d", "McGill/HC038A01.c3d", 10),
    "McGill HC032A03, turning": ("McGill/HC032A03.c3d", "McGill/HC032A01.c3d", 10),
    "McGill HC032A18, turning": ("McGill/HC032A18.c3d", "McGill/HC032A01.c3d", 10),
}  # fmt: skip
INSIDE = slice(20, -20)
RUNS = 7


def main() -> None:
    """Print the page; write it where all recordings are there."""
    there = {n: t for n, t in TRIALS.items() if (CORPUS / t[0]).is_file()}
    found = {name: processed(*trial) for name, trial in there.items()}
    text = "\n".join([*head(), *truth(), *closure(found), *cost(there), ""])
    print(text)
    if len(there) == len(TRIALS):
        PAGE.write_text(text, encoding="utf-8", newline="\n")


def processed(trial: str, static: str, diameter: int, **settings: str) -> Result:
    """Return one real trial."""
    options = Options(static=str(CORPUS / static), marker_diameter_mm=diameter)
    return process_trial(CORPUS / trial, replace(options, generalised=not settings, **settings))


def head() -> list[str]:
    """Return the title and what is told."""
    return [
        "# Trunk, head and arms",
        "",
        (
            "Made by `python benchmarks/whole_body.py`; what the words mean is in"
            " [docs/whole-body.md](../../docs/whole-body.md). The vendor's numbers from head to"
            " toe: `accept/pig_upper.py` of the shared folder, 0 missed on five pairs."
        ),
    ]


def truth() -> list[str]:
    """Return the largest errors on the walker, through a C3D file, without noise or filter."""
    asked = Recording(rate_hz=100.0, analog_ratio=5)
    walker = Walker(course=Course(start_m=(-2.2, 0.0, 0.0)))
    trial, upper = with_upper(walk(walker, asked))
    still, _ = with_upper(stand(walker, replace(asked, events=False)))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_trial(folder / "static.c3d", still)
        write_trial(folder / "walk.c3d", trial)
        widths = "\n".join(f"{key} = {value}" for key, value in WIDTHS_MM.items())
        sides = "".join(f"[subject.{side}]\n{widths}\n" for side in ("left", "right"))
        (folder / "subject.toml").write_text(f"[subject]\n{sides}", encoding="utf-8")
        options = Options(
            static=str(folder / "static.c3d"),
            subject=str(folder / "subject.toml"),
            cutoff_hz=None,
            force_cutoff_hz=None,
        )
        result = process_trial(folder / "walk.c3d", options)
    curves = {curve.name: curve.values for curve in run_curves(result)}
    angle = max(
        float(np.nanmax(np.abs(curves[name] - true)[INSIDE])) for name, true in upper.angles.items()
    )
    assert result.upper is not None  # noqa: S101
    lines = [
        "",
        "## The walker's truth",
        "",
        (
            "Through C3D files of 32-bit floats at 100 Hz, without noise or filter, 0.2 s from the"
            f" ends; largest error of an angle {angle:.1g} degrees."
        ),
        "",
        "| joint | force, N | moment, N m |",
        "|---|---|---|",
    ]
    for joint in ("left_wrist", "left_elbow", "left_shoulder", "waist", "neck"):
        force, moment = upper.load(joint)
        one = result.upper.joints[joint]
        worst = (
            float(np.nanmax(np.abs(a - b)[INSIDE]))
            for a, b in ((one.force_G, force), (one.moment_G, moment))
        )
        lines.append(
            f"| {joint.replace('_', ' ')} | " + " | ".join(f"{w:.1g}" for w in worst) + " |"
        )
    return lines


def closure(found: dict[str, Result]) -> list[str]:
    """Return what feet and plates say at the waist less what hands and head say."""
    lines = [
        "",
        "## What is left at the waist",
        "",
        (
            "Closure in real trials, default filters, root mean square over the frames with both"
            " legs known: forces of body weight, moments in N m/kg. Last: residual force and moment"
            " at the pelvis (`--generalised`) with a trunk taken as upright."
        ),
        "",
        (
            "| trial | frames | force | fore-aft | vertical | sideways | moment | upright: force |"
            " upright: moment |"
        ),
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, result in found.items():
        upper, mass = result.upper, result.subject.mass_kg or np.nan
        if upper is None or upper.closure_force_G is None or upper.closure_moment_G is None:
            continue
        rows = np.isfinite(upper.closure_force_G).all(axis=1)
        force = upper.closure_force_G[rows] / (mass * WEIGHT)
        moment = rms(np.linalg.norm(upper.closure_moment_G[rows], axis=1)) / mass
        bare = replace(result, upper=None)
        document = mechanism_document(bare, find_mechanism(bare)) or {}
        old = document.get("residual") or {}
        parts = [rms(np.linalg.norm(force, axis=1)), *(rms(force[:, i]) for i in range(3))]
        lines.append(
            f"| {name} | {int(rows.sum())} | "
            + " | ".join(f"{part:.3f}" for part in parts)
            + f" | {moment:.2f} | {old['force_rms_bw']:.3f} | {old['moment_rms_nm_kg']:.2f} |"
        )
    return lines


def cost(there: dict[str, tuple[str, str, int]]) -> list[str]:
    """Return the share of the upper body in a run, from file to results folder."""
    if not there:
        return []
    name, trial = next((n, t) for n, t in there.items() if "HC002D06" in n)
    lines = [
        "",
        "## Cost",
        "",
        (
            f"{name}: share of trunk, head and arms in a run from file to results folder, imports"
            f" aside. Medians of {RUNS} runs."
        ),
        "",
        "| profile | share |",
        "|---|---|",
    ]
    real = stage.has_upper
    for profile in ("default", "plug-in-gait"):
        times: dict[bool, list[float]] = {True: [], False: []}
        for _ in range(RUNS):
            for used in (True, False):
                stage.has_upper = real if used else (lambda *_: False)
                times[used].append(seconds(trial, profile))
        stage.has_upper = real
        whole, legs = (statistics.median(times[used]) for used in (True, False))
        lines.append(f"| {profile} | {100 * (1 - legs / whole):.0f} % |")
    return lines


def seconds(trial: tuple[str, str, int], profile: str) -> float:
    """Return the processor time of one run."""
    start = time.process_time()
    result = processed(*trial, profile=profile)
    with tempfile.TemporaryDirectory() as place:
        result.save(Path(place) / "out")
    return time.process_time() - start


def rms(values: np.ndarray) -> float:
    """Return the root mean square."""
    return float(np.sqrt(np.mean(values**2))) if values.size else float("nan")


if __name__ == "__main__":
    help_shown(__doc__)
    main()
