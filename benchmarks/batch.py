"""What a batch costs: trials a second with one and two processes and on a cluster, memory, growth.

usage: python benchmarks/batch.py [--trials N] [--against FOLDER]

Makes a synthetic session, copies its walk as often as asked (each with another subject number in
its bytes, so that no two are one file), and runs ``gaitdyn batch`` on it in processes of its own.
Where ../shared is there, the whole-body files of its McGill folder are copied alike, for the
processor time of a warm trial: what a batch of several such sets takes more than one of one. With
``--against`` another tree of gaitdyn takes turns with this one.
With its 1000 trials it writes reports/validation/batch.md; with fewer it prints only.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

from page import FOLDER, ROOT, SHARED, need_shared, stamp, table

PAGE = FOLDER / "batch.md"
WHOLE_BODY = "corpus", "gait", "McGill"
FEW, MANY, TURNS = 1, 2, 2
"""Sets of whole-body files whose times are compared, and how often; the least counts."""
WALKS = 6
"""Of a person whose files are a session."""
PERSON = slice(0, 6)
"""Where the name of a file says whose it is."""
KINDS = {"tables alone": ("--report", "none"), "with a page": ("--report", "html")}
TRIALS = 1000
PER_SESSION = 20
WARM = 20
"""Trials after which the workers of a cluster have imported what they need."""
LABORATORY = 100_000
PR_SET_CHILD_SUBREAPER = 36
"""Of Linux."""
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
    static = (base / "static.c3d").read_bytes()
    for number in range(trials):
        place = folder / "sessions" / f"S{number // PER_SESSION:04d}"
        place.mkdir(parents=True, exist_ok=True)
        if number % PER_SESSION == 0:
            (place / "static.c3d").write_bytes(static)
        write_copy(base / "walk01.c3d", place / f"walk{number % PER_SESSION:02d}.c3d", number)


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


def environment(tree: Path) -> dict[str, str]:
    """Return the environment of a command of a tree of gaitdyn."""
    path = [str(tree), str(tree / "cli"), os.environ.get("PYTHONPATH", "")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(path)}


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
    return Run(name, trials, seconds, peaks["parent"], peaks["worker"])


def run_apart(folder: Path, trials: int) -> Run:
    """Run two batches at once that share nothing: what the machine gives two processes at most."""
    with ThreadPoolExecutor(2) as pool:
        words = ("two batches at once", folder, trials, "--jobs", "1")
        one, other = pool.map(lambda _: run(*words), range(2))
    seconds = max(one.seconds, other.seconds)
    parent, worker = max(one.parent_mib, other.parent_mib), max(one.worker_mib, other.worker_mib)
    return Run("2 batches at once, 1 process each", 2 * trials, seconds, parent, worker)


def adopt_orphans() -> None:
    """Let this process inherit, and so wait for, processes whose parents end before them."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def wait_for_all() -> None:
    """Wait for every child, so that its processor time counts."""
    with suppress(ChildProcessError):
        while True:
            os.wait()


def processor_s(tree: Path, sessions: Path, *words: str) -> tuple[float, int]:
    """Return the processor time of a batch by a tree of gaitdyn, s, and its trials."""
    command = [sys.executable, "-P", "-m", "gaitdyn_cli.app", "batch", str(sessions), "--jobs", "1"]
    with tempfile.TemporaryDirectory() as out:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        whole = [*command, "-o", out, "--quiet", *words]
        subprocess.run(whole, env=environment(tree), check=True)
        wait_for_all()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = len(list(Path(out).glob("*/*/result.json")))
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def one_folder(place: Path, number: int) -> None:
    """Write the whole-body files as they are: one session of four people, most files statics."""
    for file in sorted(SHARED.joinpath(*WHOLE_BODY).glob("*.c3d")):
        write_copy(file, place / f"S{number:04d}" / file.name, number)


def a_session_each(place: Path, number: int) -> None:
    """Write a session of each of these people: the static, and the last walk several times."""
    files = sorted(SHARED.joinpath(*WHOLE_BODY).glob("*.c3d"))
    for person, own in groupby(files, key=lambda file: file.name[PERSON]):
        static, *_, walk = own
        session = place / f"{person}-{number:04d}"
        write_copy(static, session / static.name, number)
        for i in range(WALKS):
            write_copy(walk, session / f"{walk.stem}-{i}.c3d", number * WALKS + i)


def write_copy(file: Path, to: Path, number: int) -> None:
    """Copy a recording so that no two copies are one file: one block behind the data, not read."""
    to.parent.mkdir(parents=True, exist_ok=True)
    to.write_bytes(file.read_bytes() + number.to_bytes(4, "little") + bytes(508))


SETS = {"one folder of four people": one_folder, "a session each": a_session_each}


def warm(trees: list[Path], place: Path, words: tuple[str, ...]) -> list[float]:
    """Return the processor time of a warm trial by each tree, ms: many sets less few of them."""
    found = []
    for tree in trees:
        few, many = (processor_s(tree, place / str(n), *words) for n in (FEW, MANY))
        found.append(1000 * (many[0] - few[0]) / (many[1] - few[1]))
    return found


def warm_ms(trees: list[Path]) -> dict[tuple[str, str], list[float]]:
    """Return files and output -> processor time of a warm whole-body trial by each tree, ms."""
    with tempfile.TemporaryDirectory() as name:
        for files, made in SETS.items():
            for count in (FEW, MANY):
                for number in range(count):
                    made(Path(name) / files / str(count), number)
        cases = [(files, kind) for files in SETS for kind in KINDS]
        with ProcessPoolExecutor(2, initializer=adopt_orphans) as pool:
            turns = {
                (files, kind): [
                    pool.submit(warm, trees, Path(name) / files, KINDS[kind]) for _ in range(TURNS)
                ]
                for files, kind in cases
            }
            times = {case: [turn.result() for turn in of] for case, of in turns.items()}
    return {case: [min(each) for each in zip(*of, strict=True)] for case, of in times.items()}


def whole_body_lines(against: Path | None) -> list[str]:
    """Return the section on whole-body files; nothing without them."""
    if not need_shared(*WHOLE_BODY):
        return []
    found = warm_ms([ROOT, *([] if against is None else [against])])
    head = ("files", "output", "ms a trial", "trials/s and core", "of the other tree's time")
    rows = [
        (*what, f"{ms[0]:.0f}", f"{1000 / ms[0]:.1f}", f"{ms[0] / ms[1]:.2f}" if ms[1:] else "")
        for what, ms in found.items()
    ]
    other = "" if against is None else f" The other tree is {revision(against)}."
    return [
        "",
        "## Whole-body files",
        "",
        "Processor time of a warm trial, planning and all processes included, on copies of the",
        "McGill files (trunk, arms, electromyography): in one folder, where five walks have four",
        f"statics and share a page, and a session of {WALKS} walks each person.",
        f"The least of {TURNS} turns, two batches at a time.{other}",
        "",
        *table(head, rows),
    ]


def revision(tree: Path) -> str:
    """Return which commit a tree is."""
    words = ["git", "-C", str(tree), "log", "-1", "--format=%h of %cs"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


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
    for size in (10, trials):
        with tempfile.TemporaryDirectory() as name:
            make_sessions(Path(name), size)
            runs.append(run("2 processes", Path(name), size, "--jobs", "2"))
    return runs


def text_of(runs: list[Run]) -> str:
    """Return the page."""
    one, two, apart, few, last = *runs[:3], *runs[-2:]
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
do {apart.rate / one.rate:.2f} times, which is what it gives at most. From {few.trials} to
{last.trials} trials the parent's memory goes from {few.parent_mib:.0f} to {last.parent_mib:.0f} MiB
and the time of a trial from {1000 / few.rate:.0f} to {1000 / last.rate:.0f} ms.

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
    parser.add_argument("--against", type=Path, help="another tree of gaitdyn, for a ratio")
    options = parser.parse_args()
    adopt_orphans()
    whole_body = whole_body_lines(options.against and options.against.resolve())
    text = "\n".join([text_of(measured(options.trials)).rstrip(), *whole_body, ""])
    print(text)
    if options.trials == TRIALS:
        PAGE.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
