"""What a batch costs: trials a second with one and two processes and on a cluster, memory, growth.

usage: python benchmarks/batch.py [--trials N]

Makes a synthetic session, copies its walk as often as asked (each with another subject number in
its bytes, so that no two are one file), and runs ``gaitdyn batch`` on it in processes of its own.
With its 1000 trials it writes reports/validation/batch.md; with fewer it prints only.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from page import stamp

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "reports" / "validation" / "batch.md"
TRIALS = 1000
PER_SESSION = 20
LABORATORY = 100_000
PAGE_BYTES = 290_000
"""Of a page that shares its drawing library."""


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
        runs.append(run("1 process", few, count, "--jobs", "1"))
        runs.append(run("2 processes", few, count, "--jobs", "2"))
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
    one, two, few, last = runs[0], runs[1], runs[-2], runs[-1]
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
{two.rate / one.rate:.2f} times the trials of one. From {few.trials} to {last.trials} trials the
parent's memory goes from {few.parent_mib:.0f} to {last.parent_mib:.0f} MiB and the time of a trial
from {1000 / few.rate:.0f} to {1000 / last.rate:.0f} ms.

A laboratory with {LABORATORY:,} trials needs {hours:.1f} hours of this machine, or
{hours * 2 / 16:.1f} hours of 16 such cores, and {LABORATORY * _size_gb():.0f} GB of disk.
"""
    return head + rows + tail


def _size_gb() -> float:
    """Return the size of one trial's results with its page, GB."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results

    trial = ROOT / "data" / "walk01.c3d"
    with tempfile.TemporaryDirectory() as out:
        folder = ResultsFolder.prepare(Path(out), trial)
        write_results(folder, process_trial(trial))
        size = sum(p.stat().st_size for p in folder.path.iterdir())
    return (size + PAGE_BYTES) / 1e9


def main() -> None:
    """Measure and print; write the page of a whole run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=TRIALS)
    options = parser.parse_args()
    text = text_of(measured(options.trials))
    print(text)
    if options.trials == TRIALS:
        PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
