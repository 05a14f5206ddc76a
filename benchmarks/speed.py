"""How fast the parts are, each beside a peer measured in the same run.

usage: python benchmarks/speed.py

Dynamics, a whole trial, OpenSim's tools on the same walk, start-up and report; medians of repeated
runs. Writes reports/validation/speed.md. What needs ../shared or a package that is not there is
left out and the page says so.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from usage import help_shown

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import dynamics
import numpy as np
import opensim_walk
import page
import report
import trial

from gaitdyn.synthetic import Recording, Walker, write_session
from tests.peer import test_oracle_markers as markers

RUNS, STARTS = 5, 3
PAIRS = (
    ("BTK-A/PiG_Motion-FlatFoot-Full.c3d", "BTK-A/PiG_Calibration-FlatFoot-Full.c3d"),
    ("BTK-B/PiG_Motion3_FF.c3d", "BTK-B/PiG_Calibration3_FF.c3d"),
    ("McGill/HC002D06.c3d", "McGill/HC002D02.c3d"),
)
Row = tuple[str, ...]


def of_dynamics() -> list[Row]:
    """Return us a frame and leg, and the ratio to the substitution, of each way and length."""
    found = {frames: dynamics.timed(frames) for frames in dynamics.FRAMES}
    names = found[dynamics.FRAMES[0]]
    rows = []
    for name in names:
        cells = []
        for frames, median in found.items():
            each, ratio = 1e6 * median[name] / frames, median[name] / median["substitution"]
            cells.append(f"{each:.2f} ({ratio:.1f} x)")
        rows.append((name, *cells))
    return rows


def of_trials(session: Path) -> list[Row]:
    """Return the times of ezc3d's read and of both profiles, from file to curves."""
    gait = page.SHARED / "corpus" / "gait"
    pairs = [
        (gait / a, gait / b) for a, b in PAIRS if (gait / a).is_file() and (gait / b).is_file()
    ]
    pairs.append((session / "walk01.c3d", session / "static.c3d"))
    rows = []
    for motion, static in pairs:
        least = trial.timed(str(motion), str(static), RUNS)
        base = least.pop("ezc3d read")
        cells = [f"{1000 * s:.0f} ms ({s / base:.2f} x)" for s in least.values()]
        name = "synthetic walk, 331 frames" if motion.parent == session else motion.name
        rows.append((name, f"{1000 * base:.0f} ms", *cells))
    return rows


def of_opensim(folder: Path) -> list[str]:
    """Return the paragraph and the table of the same walk in OpenSim and here."""
    if not markers.OPENSIM.is_dir():
        return ["Left out: it needs ../shared/oracles/opensim."]
    try:
        osim = opensim_walk.opensim(folder)
    except ImportError:
        return ["Left out: the package `opensim` is not installed."]
    with np.load(markers.OPENSIM / "oracle_walk_gait2354.npz") as z:
        truth = {name: z[name] for name in z.files}
    opensim_walk.write_model(osim, truth, folder / "legs.osim")
    opensim_walk.write_markers(truth, folder / "walk.trc")
    opensim_walk.write_loads(osim, truth, folder)
    span = float(truth["time"][0]), float(truth["time"][-1])
    tools, ours = [], []
    for run in range(RUNS + 1):
        found = opensim_walk.run_tools(osim, folder, span)
        begin = time.process_time()
        markers.processed(folder)
        if run:
            tools.append(found)
            ours.append(time.process_time() - begin)
    ik, inverse = (statistics.median(part) for part in zip(*tools, strict=True))
    own = statistics.median(ours)
    off = opensim_walk.hip_force_error(folder, truth)
    rows = [
        ("OpenSim, inverse kinematics", f"{1000 * ik:.0f} ms", f"{ik / own:.1f} x"),
        ("OpenSim, inverse dynamics", f"{1000 * inverse:.0f} ms", f"{inverse / own:.1f} x"),
        ("OpenSim, both", f"{1000 * (ik + inverse):.0f} ms", f"{(ik + inverse) / own:.1f} x"),
        ("gaitdyn, file to loads", f"{1000 * own:.0f} ms", "1 x"),
    ]
    return [
        "The walk of the oracle, 233 frames at 200 Hz, 24 markers, two plates. OpenSim gets a",
        "model of six segments and 24 coordinates that the benchmark builds (Gait2354 is not ours",
        "to ship), TRC and MOT files, and reads the model, the markers and the loads; gaitdyn gets",
        "the C3D and does everything of `process_trial`, audit and quality included.",
        "",
        *page.table(("what", "median", "of gaitdyn's"), rows),
        "",
        f"OpenSim's hip forces differ by {off:.0f} N (RMS) from Gait2354's: its knee slides, that",
        "of the small model does not. The kinematics tool fits one model to all markers at once,",
        "gaitdyn fits every segment by itself: they do not do the same work.",
    ]


def of_start(session: Path) -> list[Row]:
    """Return the wall times of commands, each a process of its own."""
    walk, out = session / "walk01.c3d", session / "out"
    app = [sys.executable, "-m", "gaitdyn_cli.app"]
    process = [*app, "process", str(walk), "--quiet", "--force", "-o", str(out)]
    commands = {
        "python -c pass": [sys.executable, "-c", "pass"],
        "python -c 'import numpy, ezc3d'": [sys.executable, "-c", "import numpy, ezc3d"],
        "gaitdyn --help": [*app, "--help"],
        "gaitdyn info WALK": [*app, "info", str(walk)],
        "gaitdyn process WALK --no-figures": [*process, "--no-figures"],
        "gaitdyn process WALK": process,
        "gaitdyn process WALK --report html": [*process, "--no-figures", "--report", "html"],
    }
    limits = {"gaitdyn --help": "0.3 s", "gaitdyn process WALK --no-figures": "1.2 s"}
    limits["gaitdyn process WALK"] = "2.5 s"
    path = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    env = {**os.environ, "PYTHONPATH": path}
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
    for run in range(STARTS + 1):
        for name, command in commands.items():
            begin, before = time.perf_counter(), children_s()
            subprocess.run(command, env=env, cwd=session, capture_output=True, check=True)
            if run:
                times[name].append((children_s() - before, time.perf_counter() - begin))
    median = {
        name: [statistics.median(part) for part in zip(*values, strict=True)]
        for name, values in times.items()
    }
    base = median["python -c pass"][0]
    return [
        (f"`{name}`", f"{own:.2f} s", f"{own / base:.0f} x", f"{wall:.2f} s", limits.get(name, ""))
        for name, (own, wall) in median.items()
    ]


def children_s() -> float:
    """Return the processor time of all ended children, s."""
    times = os.times()
    return times.children_user + times.children_system


def of_report(place: Path) -> list[Row]:
    """Return sizes and times of page and PDF, medians of three."""
    results = report.make_results(place, 10)
    rich = report.make_rich(place)
    runs = [report.measure(results, rich) for _ in range(3)]
    return [
        (f"{rows[0][0]}, {rows[0][1]}", f"{rows[0][2]:.2f} MB",
         f"{statistics.median(row[3] for row in rows):.2f} s")
        for rows in zip(*runs, strict=True)
    ]  # fmt: skip


def dynamics_section(legs: list[Row]) -> list[str]:
    """Return the section on the dynamics of one leg."""
    heads = [f"{frames:,} frames" for frames in dynamics.FRAMES]
    return [
        "## Inverse dynamics of one leg",
        "",
        "us a frame and leg (three segments), and the ratio to the default method. The stacked",
        "solve builds and solves the 18 x 18 system of every frame with numpy in one batch; the",
        "loop is the textbook's recursion in Python; pinocchio's `rnea` and MuJoCo's `mj_inverse`",
        "are called frame by frame, MuJoCo without a wrench on the foot. Limit: 1 us at 10,000",
        "frames. From 10,000 frames on the Python loop runs once, through the first 10,000.",
        "",
        *page.table(("way", *heads), legs),
        "",
    ]


def trials_section(trials: list[Row]) -> list[str]:
    """Return the section on whole trials."""
    return [
        "## A trial, from file to curves",
        "",
        "Both files read, checked, filtered, solved; nothing written; beside the time that ezc3d",
        "alone needs to read the trial. Legs: their curves, before and after the rules of quality;",
        "profiles: all curves and findings, trunk, arms and electromyography with them. Limits on",
        "FlatFoot-Full: legs without rules 1 x, default 3 x. The least of the runs.",
        "",
        *page.table(
            ("trial", "ezc3d's read", "legs, no rules", "legs", "default", "plug-in-gait"), trials
        ),
        "",
    ]


def commands_section(start: list[Row]) -> list[str]:
    """Return the section on commands."""
    return [
        "## Commands, each a process of its own",
        "",
        "The synthetic walk of 331 frames; limits are those of the design.",
        "",
        *page.table(
            ("command", "processor", "of an empty Python", "wall", "limit of the wall"), start
        ),
        "",
    ]


def main() -> int:
    """Write the page."""
    begin = page.load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_session(folder / "session", Walker(), Recording(), trials=1)
        legs, trials = of_dynamics(), of_trials(folder / "session")
        with contextlib.redirect_stdout(sys.stderr):
            walk, reports = of_opensim(folder), of_report(folder)
        start = of_start(folder / "session")
    lines = [
        "# How fast it is",
        "",
        "Every time is the median of repeated runs that alternate with the peer's; processor time",
        "with one thread for numpy, which does not hold the waiting for others on the machine",
        "(but what they do to its caches). Ratios are what to look at. The load of the machine was",
        f"{begin:.1f} at the start.",
        "",
        *page.stamp("python benchmarks/speed.py", "ezc3d", "pin", "mujoco", "opensim"),
        *dynamics_section(legs),
        *trials_section(trials),
        "## The same walk in OpenSim",
        "",
        *walk,
        "",
        *commands_section(start),
        "## Report",
        "",
        *page.table(("what", "size", "median"), reports),
        "",
        "Throughput, memory and growth of a batch: [batch.md](batch.md). Cost of audit, terms and",
        "bands: [audit.md](audit.md), [uncertainty.md](uncertainty.md).",
    ]
    page.write("speed", lines)
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
