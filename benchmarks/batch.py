"""What a batch costs: trials a second with one and two processes and on a cluster, memory, growth.

usage: python benchmarks/batch.py [--trials N] [--against FOLDER]

Copies the synthetic walk of ``data`` as often as asked (each with another number behind its data,
so that no two are one file), and runs ``gaitdyn batch`` on the copies in processes of its own.
The processor time of a warm trial (benchmarks/warm_trials.py) follows, with ``--against`` in turn
with another tree of gaitdyn.
With its 1000 trials it writes reports/validation/batch.md; with fewer it prints only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from page import FOLDER, ROOT, stamp
from warm_trials import PER_SESSION, environment, section, usual_walks

PAGE = FOLDER / "batch.md"
TRIALS = 1000
WARM = 20
"""Trials after which the workers of a cluster have imported what they need."""
LABORATORY = 100_000
FEW = 10


@dataclass(frozen=True)
class Run:
    """One run: trials, wall time in s, largest memory of the parent and of a worker in MiB, disk.

    The disk is that of a trial with its part of the session, in MB.
    """

    name: str
    trials: int
    seconds: float
    parent_mib: float
    worker_mib: float
    trial_mb: float

    @property
    def rate(self) -> float:
        """Trials a second."""
        return self.trials / self.seconds


def make_sessions(folder: Path, trials: int) -> None:
    """Write sessions of twenty walks and a static each."""
    for number, first in enumerate(range(0, trials, PER_SESSION)):
        usual_walks(folder / "sessions", number, min(PER_SESSION, trials - first))


def peak_mib(pid: int) -> float:
    """Return the largest memory of a process so far, MiB; 0 where the system does not tell."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((float(x.split()[1]) / 1024 for x in lines if x.startswith("VmHWM")), 0.0)


def descendants(pid: int) -> list[int]:
    """Return the processes that a process has started, and those that these have."""
    started: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue
        started.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = started.get(pid, [])
    return found + [below for child in found for below in started.get(child, [])]


def run(name: str, folder: Path, trials: int, *words: str) -> Run:
    """Run a batch and watch its memory."""
    with tempfile.TemporaryDirectory() as out:
        sessions = str(folder / "sessions")
        command = [sys.executable, "-P", "-m", "gaitdyn_cli.app", "batch", sessions]
        start = time.perf_counter()
        whole = [*command, "-o", out, "--quiet", *words]
        process = subprocess.Popen(whole, env=environment(ROOT))
        peaks = {"parent": 0.0, "worker": 0.0}

        def watch() -> None:
            while process.poll() is None:
                peaks["parent"] = max(peaks["parent"], peak_mib(process.pid))
                own = [peak_mib(child) for child in descendants(process.pid)]
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
        size = sum(p.stat().st_size for p in Path(out).rglob("*") if p.is_file())
    return Run(name, trials, seconds, peaks["parent"], peaks["worker"], size / trials / 1e6)


def run_apart(folder: Path, trials: int) -> Run:
    """Run two batches at once that share nothing: what the machine gives two processes at most."""
    with ThreadPoolExecutor(2) as pool:
        words = ("two batches at once", folder, trials, "--jobs", "1")
        one, other = pool.map(lambda _: run(*words), range(2))
    seconds = max(one.seconds, other.seconds)
    parent, worker = max(one.parent_mib, other.parent_mib), max(one.worker_mib, other.worker_mib)
    name = "2 batches at once, 1 process each"
    return Run(name, 2 * trials, seconds, parent, worker, one.trial_mb)


def on_cluster(folder: Path, trials: int) -> Run | None:
    """Run a batch on a cluster of two warm workers, None without the extra."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        return None
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        address = cluster.scheduler_address
        with tempfile.TemporaryDirectory() as name:
            make_sessions(Path(name), WARM)
            run("warm", Path(name), WARM, "--dask", address)
        return run("Dask, 2 workers", folder, trials, "--dask", address)


def measured(trials: int) -> list[Run]:
    """Return all runs."""
    runs = []
    with tempfile.TemporaryDirectory() as name:
        few, count = Path(name) / "few", max(trials // 16, 10)
        make_sessions(few, count)
        runs.append(run("1 process", few, count, "--jobs", "1"))
        runs.append(run("2 processes", few, count, "--jobs", "2"))
        runs.append(run_apart(few, count))
        bare = ("--jobs", "1", "--report", "none")
        runs.append(run("1 process, tables alone", few, count, *bare))
        found = on_cluster(few, count)
        runs += [] if found is None else [found]
    for size, jobs in ((FEW, (1, 2)), (trials, (2,))):
        with tempfile.TemporaryDirectory() as name:
            make_sessions(Path(name), size)
            for n in jobs:
                words = f"{n} process{'es' * (n > 1)}"
                runs.append(run(words, Path(name), size, "--jobs", str(n)))
    return runs


def further_ms(few: Run, many: Run) -> float:
    """Return the wall time of each further trial, ms, without the start of the processes."""
    return 1000 * (many.seconds - few.seconds) / (many.trials - few.trials)


def text_of(runs: list[Run]) -> str:
    """Return the page."""
    one, two, apart, one_few, few, last = *runs[:3], *runs[-3:]
    further_one, further_two = further_ms(one_few, one), further_ms(few, last)
    hours = LABORATORY / last.rate / 3600
    made = "\n".join(stamp("python benchmarks/batch.py"))
    head = f"""# A batch: throughput, memory, growth

Synthetic walks of 3.3 s at 100 Hz / 1 kHz, {PER_SESSION} a session, tables and pages unless told
otherwise.

{made}
| run | trials | s | trials/s | parent, MiB | largest worker, MiB |
|---|---|---|---|---|---|
"""
    rows = "".join(
        f"| {r.name} | {r.trials} | {r.seconds:.1f} | {r.rate:.1f} | {r.parent_mib:.0f} |"
        f" {r.worker_mib:.0f} |\n"
        for r in runs
    )
    tail = f"""
The start of the processes, about a second, is a part of every run. Two processes do
{two.rate / one.rate:.2f} times the trials of one; two batches that share nothing but the machine
do {apart.rate / one.rate:.2f} times. Each further trial takes {further_one:.0f} ms of one process
(from {one_few.trials} to {one.trials}) and {further_two:.0f} ms of two (to {last.trials}), which
is {further_one / further_two:.2f} times faster. From {few.trials} to {last.trials} trials the
parent's memory goes from {few.parent_mib:.0f} to {last.parent_mib:.0f} MiB and the time of a trial
from {1000 / few.rate:.0f} to {1000 / last.rate:.0f} ms.

A laboratory with {LABORATORY:,} trials needs {hours:.1f} hours of this machine, or
{hours * 2 / 16:.1f} hours of 16 such cores, and {LABORATORY * last.trial_mb / 1000:.0f} GB of disk.
"""
    return head + rows + tail


def main() -> None:
    """Measure and print; write the page of a whole run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    parser.add_argument("--against", type=Path, help="another tree of gaitdyn, for a ratio")
    options = parser.parse_args()
    warm = section(options.against and options.against.resolve())
    text = "\n".join([text_of(measured(options.trials)).rstrip(), *warm, ""])
    print(text)
    if options.trials == TRIALS:
        PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
