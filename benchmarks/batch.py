"""What a batch costs: trials a second with one and two processes and on a cluster, memory, growth.

usage: python benchmarks/batch.py [--trials 1000] [--page]

Makes a synthetic session, copies its walk as often as asked (each with another subject number in
its bytes, so that no two are one file), and runs ``gaitdyn batch`` on it in processes of its own.
``--page`` writes reports/validation/batch.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "reports" / "validation" / "batch.md"
PER_SESSION = 20
LABORATORY = 100_000


@dataclass(frozen=True)
class Run:
    """One run: trials, wall time in s, largest memory of the parent and of a worker in MiB."""

    name: str
    trials: int
    seconds: float
    parent_mib: float
    worker_mib: float

    @property
    def rate(self) -> float:
        """Trials a second."""
        return self.trials / self.seconds


def make_sessions(folder: Path, trials: int) -> None:
    """Write sessions of twenty walks and a static each."""
    from gaitdyn.synthetic import Recording, Walker, write_session

    base = folder / "base"
    write_session(base, Walker(), Recording(marker_noise_mm=0.5, force_noise_n=1.0), trials=1)
    static, walk = (base / "static.c3d").read_bytes(), (base / "walk01.c3d").read_bytes()
    for number in range(trials):
        place = folder / "sessions" / f"S{number // PER_SESSION:04d}"
        place.mkdir(parents=True, exist_ok=True)
        if number % PER_SESSION == 0:
            (place / "static.c3d").write_bytes(static)
        tail = number.to_bytes(4, "little") + bytes(508)  # one block behind the data, not read
        (place / f"walk{number % PER_SESSION:02d}.c3d").write_bytes(walk + tail)


def peak_mib(pid: int) -> float:
    """Return the largest memory of a process so far, MiB; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((float(x.split()[1]) / 1024 for x in lines if x.startswith("VmHWM")), 0.0)


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == pid:
            found.append(int(stat.parent.name))
    return found


def run(name: str, folder: Path, trials: int, *words: str) -> Run:
    """Run a batch and watch its memory."""
    with tempfile.TemporaryDirectory() as out:
        command = [sys.executable, "-m", "gaitdyn_cli.app", "batch", str(folder / "sessions")]
        start = time.perf_counter()
        process = subprocess.Popen([*command, "-o", out, "--quiet", *words])
        peaks = {"parent": 0.0, "worker": 0.0}

        def watch() -> None:
            while process.poll() is None:
                peaks["parent"] = max(peaks["parent"], peak_mib(process.pid))
                own = [peak_mib(child) for child in children(process.pid)]
                peaks["worker"] = max([peaks["worker"], *own])
                time.sleep(0.2)

        thread = threading.Thread(target=watch)
        thread.start()
        code = process.wait()
        seconds = time.perf_counter() - start
        thread.join()
        assert code == 0, f"{name}: exit code {code}"  # noqa: S101
        done = len([p for p in Path(out).glob("*/walk*/result.json") if p.is_file()])
        assert done == trials, f"{name}: {done} of {trials} done"  # noqa: S101
    return Run(name, trials, seconds, peaks["parent"], peaks["worker"])


def on_cluster(folder: Path, trials: int) -> Run | None:
    """Run a batch on a cluster of two workers, None without the extra."""
    try:
        from distributed import LocalCluster
    except ImportError:
        return None
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        run("warm", folder, trials, "--dask", address)
        return run("Dask, 2 workers", folder, trials, "--dask", address)


def measured(trials: int) -> list[Run]:
    """Return all runs."""
    runs = []
    with tempfile.TemporaryDirectory() as name:
        few = Path(name) / "few"
        make_sessions(few, max(trials // 10, 10))
        count = max(trials // 10, 10)
        for jobs in (1, 2):
            runs.append(run(f"{jobs} process{'es' * (jobs > 1)}", few, count, "--jobs", str(jobs)))
        bare = ("--jobs", "1", "--report", "none")
        runs.append(run("1 process, tables alone", few, count, *bare))
        found = on_cluster(few, count)
        runs += [] if found is None else [found]
    for size in (10, trials):
        with tempfile.TemporaryDirectory() as name:
            make_sessions(Path(name), size)
            runs.append(run("2 processes", Path(name), size, "--jobs", "2"))
    return runs


def text_of(runs: list[Run]) -> str:
    """Return the page."""
    rows = [
        f"| {r.name} | {r.trials} | {r.seconds:.1f} | {r.rate:.1f} | {r.parent_mib:.0f} |"
        f" {r.worker_mib:.0f} |"
        for r in runs
    ]
    one, two = runs[0], runs[1]
    last = runs[-1]
    hours = LABORATORY / last.rate / 3600
    return "\n".join(
        [
            "# A batch: throughput, memory, growth",
            "",
            f"Synthetic walks of 3.3 s at 100 Hz / 1 kHz, {PER_SESSION} a session, tables and pages",
            f"unless told otherwise; {os.cpu_count()} cores, Python {platform.python_version()},",
            f"{platform.system()}. `python benchmarks/batch.py --trials {last.trials} --page`",
            "",
            "| run | trials | s | trials/s | parent, MiB | largest worker, MiB |",
            "|---|---|---|---|---|---|",
            *rows,
            "",
            f"Two processes do {two.rate / one.rate:.2f} times the trials of one. From 10 to"
            f" {last.trials} trials the",
            f"parent's memory grows from {runs[-2].parent_mib:.0f} to {last.parent_mib:.0f} MiB; the"
            f" rate goes from {runs[-2].rate:.1f} to {last.rate:.1f} trials/s",
            "(the start of the processes is a part of the small run).",
            "",
            f"A laboratory with {LABORATORY:,} trials needs {hours:.1f} hours of this machine, or"
            f" {hours * 2 / 16:.1f} hours of 16 such",
            "cores, and about 1.1 MB of disk a trial with its page (0.9 MB without).",
            "",
        ]
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=1000)
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    text = text_of(measured(options.trials))
    print(text)
    if options.page:
        PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
