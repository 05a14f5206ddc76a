"""Long recordings through ``gaitdyn process``: processor time, memory, beside ezc3d's own read.

usage: python benchmarks/long_trial.py

The synthetic walker on two belts at 200 Hz for 30 and for 300 strides: what grows faster than the
recording is seen. Then a walk, forward and backward in time until 60,000 frames are full, in which
92 channels more, as laboratories record them, make a file of 300 MB. Every command is a process of
its own. Writes reports/validation/long-trials.md.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
import page
from usage import help_shown

from gaitdyn.io.c3d.out import read_head
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.synthetic import (
    Recording,
    Treadmill,
    Walker,
    stand,
    treadmill_walk,
    write_session,
    write_trial,
)
from gaitdyn.synthetic.c3d_file import C3dContent, write_c3d

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

STRIDES = 30, 300
FRAMES, SPARE_CHANNELS, SPARE_POINTS = 60_000, 92, 22
READ = "import sys, ezc3d; d = ezc3d.c3d(sys.argv[1])['data']; d['points']; d['analogs']"
NAME = "long-trials"


class Cost(NamedTuple):
    """Processor time, s, and peak of memory, MiB, of a command."""

    processor_s: float
    peak_mib: float


def made(write: Callable[..., T], *arguments: Path | int) -> T:
    """Return what another process writes: the memory of this one would count for every command."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as other:
        return other.submit(write, *arguments).result()


def on_belts(folder: Path, strides: int) -> tuple[Path, Path]:
    """Write a walk on two belts and its static; return both paths."""
    recording = Recording(rate_hz=200.0, strides=strides, marker_noise_mm=0.3, force_noise_n=1.0)
    paths = folder / f"belts{strides}.c3d", folder / "standing.c3d"
    write_trial(paths[0], treadmill_walk(Walker(), recording, Treadmill()).walk, stream=1)
    write_trial(paths[1], stand(Walker(), recording))
    return paths


def template(folder: Path) -> Path:
    """Write a short trial with all points and channels; return its path."""
    session = write_session(folder / "S", Walker(), Recording(rate_hz=200.0, plates=4), 1)
    walk = next(path for path in session if path.name.startswith("walk"))
    raw = read_c3d(walk)
    rng = np.random.default_rng(0)
    spare = rng.normal(scale=1e-4, size=(len(raw.analog), SPARE_CHANNELS))
    points = np.concatenate((raw.points, raw.points[:, :SPARE_POINTS] + 1.0), axis=1)
    labels = raw.parameters.strings("POINT", "LABELS")
    kept = ("FORCE_PLATFORM", "PROCESSING", "SUBJECTS")
    content = C3dContent(
        rate_hz=raw.rate_hz,
        first_frame=1,
        units="mm",
        labels=(*labels, *(f"X{i}" for i in range(points.shape[1] - len(labels)))),
        points=points,
        analog_labels=(
            *raw.parameters.strings("ANALOG", "LABELS"),
            *(f"EMG{i}" for i in range(SPARE_CHANNELS)),
        ),
        analog_units=("V",) * (raw.analog.shape[1] + SPARE_CHANNELS),
        analog=np.concatenate((raw.analog, spare), axis=1),
        parameters=tuple(
            (group, name, raw.parameters.get(group, name))
            for group in kept
            for name in raw.parameters.names(group)
        ),
    )
    path = folder / "short.c3d"
    write_c3d(path, content)
    return path


def lengthened(short: Path, path: Path, frames: int) -> None:
    """Write a trial that goes through a short one again and again, forward and backward."""
    head = read_head(short)
    once = head.frames()
    both = np.concatenate((once, once[-2:0:-1]))
    front = bytearray(head.data[: head.values])
    struct.pack_into("<2H", front, 6, 1, frames)
    at = front.index(b"FRAMES") + 6 + 2 + 2  # name, link, kind and number of dimensions
    at += front[at - 1]
    struct.pack_into("<H", front, at, frames)
    with path.open("wb") as stream:
        stream.write(front)
        for first in range(0, frames, len(both)):
            stream.write(both[: frames - first].tobytes())


def to_and_fro(folder: Path) -> Path:
    """Write a walk forward and backward in time; return its path."""
    path = folder / "wide.c3d"
    lengthened(template(folder), path, FRAMES)
    return path


def cost(command: list[str]) -> Cost:
    """Run a command in this tree; return its cost."""
    places = os.pathsep.join((str(page.ROOT), str(page.ROOT / "cli")))
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": places}
    )
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} ended with {status}")
    return Cost(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def processed(path: Path, static: Path, out: Path) -> Cost:
    """Return the cost of ``gaitdyn process`` without figures or a report."""
    command = [sys.executable, "-P", "-m", "gaitdyn_cli.app", "process", str(path)]
    without = ["--no-figures", "--report", "none", "--quiet"]
    return cost([*command, *without, "--static", str(static), "-o", str(out)])


def row(words: str, path: Path, ours: Cost) -> tuple[str, ...]:
    """Return the row of a recording."""
    theirs = cost([sys.executable, "-W", "ignore", "-c", READ, str(path)])
    head = read_head(path)
    each = (f"{x.processor_s:.1f}" for x in (ours, theirs))
    peaks = (f"{x.peak_mib:.0f}" for x in (ours, theirs))
    size = f"{path.stat().st_size / 1e6:.0f}"
    return words, str(len(head.frames())), size, *each, *peaks


def main() -> int:
    """Write the page."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rows, costs = [], []
        for strides in STRIDES:
            path, static = made(on_belts, folder, strides)
            costs.append(processed(path, static, folder / path.stem))
            rows.append(row(f"two belts, {strides} strides", path, costs[-1]))
        wide = made(to_and_fro, folder)
        ours = processed(wide, folder / "S" / "static.c3d", folder / "wide")
        rows.append(row("to and fro, 92 channels more", wide, ours))
    few, many = costs
    growth = many.processor_s / few.processor_s
    head = ("recording", "frames", "MB", "process, s", "ezc3d reads, s",
            "process, peak MiB", "ezc3d, peak MiB")  # fmt: skip
    page.write(
        NAME,
        [
            "# Long recordings",
            "",
            *page.stamp("python benchmarks/long_trial.py", "ezc3d"),
            "Processor time and peak of memory of `gaitdyn process` without figures or a report,",
            "from the start of Python to the last table, and of a Python in which ezc3d reads the",
            "same file. Walks on two belts at 200 Hz, and a walk forward and backward in time with",
            "the channels of a full laboratory.",
            "",
            *page.table(head, rows),
            "",
            f"Ten times the strides take {growth:.1f} times the processor time and",
            f"{many.peak_mib / few.peak_mib:.1f} times the memory.",
        ],
    )
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
