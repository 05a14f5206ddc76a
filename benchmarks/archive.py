"""Half a million curves through the archive, beside plain files written in the same run.

usage: python benchmarks/archive.py [CURVES]
       python benchmarks/archive.py --growth CURVES...

Prints curves a second through the path that ``gaitdyn archive add`` takes (one transaction a
trial), the size, and the time until one signal of all cycles is a numpy array: of the file as just
written, and of one whose pages the system has dropped where it lets us. Peers: one numpy file with
the curves of a signal side by side, and Parquet (one row a curve, sorted by signal) with pyarrow.
With ``--growth`` it prints, for archives of so many curves, the time until one signal of one
condition is there, and that of a reference set from 10 000 cycles. An archive is opened with a
check of all its pages.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from usage import help_shown

from gaitdyn.archive import build_norm, parse_where, read_curves, reading, writing
from gaitdyn.archive.add import add_record
from gaitdyn.archive.record import CycleRecord, TrialRecord
from gaitdyn.metrics.norms.curve_names import UNITS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SIGNALS = tuple(UNITS.items())[:30]
CYCLES = 8
SIGNAL = SIGNALS[6][0]
REPEATS = 5


def records(trials: int) -> Iterator[TrialRecord]:
    """Yield trials of random curves, eight cycles of thirty signals each."""
    rng = np.random.default_rng(1)
    for i in range(trials):
        trial = {
            "name": f"walk{i}",
            "condition": ("barefoot", "shoes")[i % 2],
            "model": "plug-in-gait",
            "profile": "default",
            "moments_in": "distal",
            "convention": "internal",
            "verdict": "pass",
            "file_sha256": f"{i:064x}",
            "result_sha256": f"{i:064x}",
        }
        cycles = tuple(
            cycle(rng, side, number) for side in ("left", "right") for number in (1, 2, 3, 4)
        )
        yield TrialRecord(f"S{i // 4:05d}", "first", None, trial, cycles)


def cycle(rng: np.random.Generator, side: str, number: int) -> CycleRecord:
    """Return a cycle of random curves."""
    samples = rng.standard_normal((len(SIGNALS), 101), dtype=np.float32)
    return CycleRecord(side, number, 0.0, 1.0, 60.0, 1.2, 0.4, "ok", SIGNALS, samples)


def least(measure: Callable[[], object]) -> float:
    """Return the least of some times, s."""
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        measure()
        found.append(time.perf_counter() - start)
    return min(found)


def drop_pages(path: Path) -> None:
    """Ask the system to forget what it holds of a file."""
    if hasattr(os, "posix_fadvise"):
        with path.open("rb") as file:
            os.fsync(file.fileno())
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def write_archive(path: Path, trials: int) -> float:
    """Write the archive and return the time inside it, s; making random numbers is not counted."""
    spent = 0.0
    with writing(path) as connection:
        for record in records(trials):
            start = time.perf_counter()
            add_record(connection, record)
            spent += time.perf_counter() - start
        start = time.perf_counter()
    return spent + time.perf_counter() - start


def one_signal(path: Path) -> np.ndarray[Any, Any]:
    """Open the archive and return one signal of all cycles."""
    with reading(path) as connection:
        return read_curves(connection, SIGNAL).values


def all_curves(trials: int) -> np.ndarray[Any, Any]:
    """Return the same curves, shape (signals, cycles, 101)."""
    samples = [c.samples for record in records(trials) for c in record.cycles]
    return np.stack(samples, axis=1)


def plain(folder: Path, curves: np.ndarray[Any, Any]) -> tuple[float, int, float]:
    """Return time to write, size and time to read one signal of a numpy file."""
    path = folder / "curves.npy"
    start = time.perf_counter()
    np.save(path, curves)
    spent = time.perf_counter() - start
    return spent, path.stat().st_size, least(lambda: np.array(np.load(path, mmap_mode="r")[6]))


def parquet(folder: Path, curves: np.ndarray[Any, Any]) -> tuple[float, int, float] | None:
    """Return the same of Parquet; None without pyarrow."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return None
    path = folder / "curves.parquet"
    start = time.perf_counter()
    schema = pa.schema([("signal", pa.string()), ("samples", pa.list_(pa.float32(), 101))])
    with pq.ParquetWriter(path, schema, compression="zstd") as writer:
        for (name, _), own in zip(SIGNALS, curves, strict=True):
            samples = pa.FixedSizeListArray.from_arrays(pa.array(own.ravel()), 101)
            writer.write_table(pa.table([pa.array([name] * len(own)), samples], schema=schema))
    spent = time.perf_counter() - start

    def read() -> object:
        table = pq.read_table(path, filters=[("signal", "=", SIGNAL)])
        return np.concatenate([c.flatten().to_numpy() for c in table["samples"].chunks])

    return spent, path.stat().st_size, least(read)


def of_condition(path: Path) -> tuple[float, float]:
    """Return the times to open the archive and to read one signal of one condition, s."""
    where = parse_where("condition=barefoot")
    start = time.perf_counter()
    with reading(path) as connection:
        opened = time.perf_counter() - start
        return opened, least(lambda: read_curves(connection, SIGNAL, where))


def growth(sizes: list[int]) -> None:
    """Print a row an archive."""
    head = f"{'curves':>9s}{'MB':>7s}{'curves/s':>10s}"
    print(f"{head}{'opened and checked, s':>23s}{'one signal of a condition, s':>30s}")
    with tempfile.TemporaryDirectory() as name:
        for wanted in sizes:
            trials = -(-wanted // (len(SIGNALS) * CYCLES))
            count = trials * len(SIGNALS) * CYCLES
            path = Path(name) / f"{wanted}.sqlite"
            spent = write_archive(path, trials)
            size, (opened, took) = path.stat().st_size / 1e6, of_condition(path)
            print(f"{count:9d}{size:7.0f}{count / spent:10.0f}{opened:23.3f}{took:30.3f}")
            path.unlink()
        path = Path(name) / "norm.sqlite"
        write_archive(path, 10_000 // CYCLES)
        with reading(path) as connection:
            start = time.perf_counter()
            built = build_norm(connection)
            took = time.perf_counter() - start
        people = [group.count for group in built.groups]
        print(f"reference set from 10000 cycles of {people} people: {took:.2f} s")


def main() -> None:
    """Print the table."""
    if sys.argv[1:2] == ["--growth"]:
        growth([int(word) for word in sys.argv[2:]])
        return
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 500_000
    trials = -(-wanted // (len(SIGNALS) * CYCLES))
    count = trials * len(SIGNALS) * CYCLES
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "archive.sqlite"
        spent = write_archive(path, trials)
        drop_pages(path)
        start = time.perf_counter()
        read = one_signal(path)
        first = time.perf_counter() - start
        rows = [("archive", spent, path.stat().st_size, least(lambda: one_signal(path)))]
        curves = all_curves(trials)
        if not np.array_equal(read, curves[6]):
            sys.exit("the archive gave other curves than were put in")
        rows.append(("numpy file", *plain(folder, curves)))
        other = parquet(folder, curves)
        rows += [("parquet", *other)] if other else []
    print(f"{count} curves, {trials} trials, {trials * CYCLES} cycles of {len(SIGNALS)} signals")
    print(f"{'store':12s}{'curves/s':>10s}{'MB':>8s}{'one signal, s':>15s}{'ratio':>8s}")
    for label, wrote, size, took in rows:
        ratio = rows[0][3] / took
        print(f"{label:12s}{count / wrote:10.0f}{size / 1e6:8.0f}{took:15.3f}{ratio:8.2f}")
    print(f"archive, pages of the file dropped first: {first:.3f} s")


if __name__ == "__main__":
    help_shown(__doc__)
    main()
