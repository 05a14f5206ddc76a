"""A cohort through a cluster: simulated trials on two workers, one killed on the way, one table.

usage: python benchmarks/cohort.py [--trials N] [--at FOLDER]

Makes sessions of synthetic walks, runs ``gaitdyn batch --dask --format parquet`` on a Dask cluster
of two workers, kills one of them in the middle, and reads the partitions as one table by pyarrow,
by Dask and, where it is installed, by DuckDB.
"""

from __future__ import annotations

import argparse
import os
import signal
import tempfile
import time
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batch import make_sessions

if TYPE_CHECKING:
    from gaitdyn.batch.outcome import Outcome
    from gaitdyn.session import SessionPlan

SIGNAL = "knee_moment_extension"


class Watch:
    """Counts what ends, and kills a worker when half is done."""

    def __init__(self, trials: int, worker: int) -> None:
        self._half, self._worker = trials // 2, worker
        self.done, self.killed_at = 0, 0

    def begin(self, recordings: int) -> None:
        """Take no notice."""

    def planned(self, plan: SessionPlan, trials: int) -> None:
        """Take no notice."""

    def refused(self, recordings: int) -> None:
        """Take no notice."""

    def ended(self, outcome: Outcome) -> None:
        """Count a trial."""
        self.done += bool(outcome.name)
        if self.done >= self._half and not self.killed_at:
            self.killed_at = self.done
            os.kill(self._worker, signal.SIGKILL)


def run(folder: Path, trials: int) -> None:
    """Process the cohort and print what came of it."""
    distributed: Any = import_module("dask.distributed")
    from gaitdyn.batch import BatchSettings, run_batch

    make_sessions(folder, trials)
    sessions = sorted((folder / "sessions").iterdir())
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        pids = list(client.run(os.getpid).values())
        watch = Watch(trials, pids[0])
        start = time.perf_counter()
        settings = BatchSettings(
            out=folder / "out", dask=cluster.scheduler_address, tables="parquet", reports=()
        )
        failures = run_batch(sessions, settings, watch)
        seconds = time.perf_counter() - start
    print(
        f"{trials} trials, {watch.done} outcomes, {len(failures)} failed, a worker killed after"
        f" {watch.killed_at}, {seconds:.0f} s, {trials / seconds:.1f} trials/s"
    )
    _read(folder / "out")


def _read(out: Path) -> None:
    """Print rows, size and time of one signal by every reader at hand."""
    import pyarrow.dataset as ds

    parts = sorted(map(str, out.glob("*/*/curves.parquet")))
    size = sum(Path(part).stat().st_size for part in parts) / 1e6
    start = time.perf_counter()
    table = ds.dataset(parts).to_table(filter=ds.field("curve") == SIGNAL)
    took = time.perf_counter() - start
    print(f"{len(parts)} partitions, {size:.0f} MB; pyarrow: {table.num_rows} curves, {took:.2f} s")
    import dask.dataframe as dd

    start = time.perf_counter()
    frame = dd.read_parquet(parts, columns=["curve", "side"])
    count = int((frame["curve"] == SIGNAL).sum().compute())
    print(f"Dask: {count} curves, {time.perf_counter() - start:.2f} s")
    try:
        import duckdb  # pyright: ignore[reportMissingImports]
    except ImportError:
        print("DuckDB is not installed")
        return
    start = time.perf_counter()
    found = duckdb.read_parquet(f"{out}/*/*/curves.parquet").filter(f"curve = '{SIGNAL}'")
    print(f"DuckDB: {found.shape[0]} curves, {time.perf_counter() - start:.2f} s")


def main() -> None:
    """Read the arguments and run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=10_000)
    parser.add_argument("--at", type=Path)
    given = parser.parse_args()
    if given.at:
        run(given.at, given.trials)
        return
    with tempfile.TemporaryDirectory() as place:
        run(Path(place), given.trials)


if __name__ == "__main__":
    main()
