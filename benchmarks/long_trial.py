"""A five-minute recording through ``gaitdyn process``: time, memory, beside ezc3d's own read.

usage: python benchmarks/long_trial.py [FRAMES] [FOLDER]

The synthetic walker at 200 Hz with four plates, forward and backward in time until 60,000 frames
are full; 92 channels more, as laboratories record them, make a file of about 340 MB. Prints wall
time and peak memory of the whole command and of ezc3d's read, each a process of its own.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from usage import help_shown

from gaitdyn.io.c3d.out import read_head
from gaitdyn.io.c3d.reader import read_c3d
from gaitdyn.synthetic import Recording, Walker, write_session
from gaitdyn.synthetic.c3d_file import C3dContent, write_c3d

FRAMES, SPARE_CHANNELS, SPARE_POINTS = 60_000, 92, 22
READ = "import sys, ezc3d; d = ezc3d.c3d(sys.argv[1])['data']; d['points']; d['analogs']"


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


def measured(command: list[str]) -> tuple[float, float]:
    """Return the wall time, s, and the peak memory, MiB, of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"{command} ended with {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def main() -> int:
    """Print the table."""
    frames = int(sys.argv[1]) if len(sys.argv) > 1 else FRAMES
    with tempfile.TemporaryDirectory() as place:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else place)
        path = folder / "long.c3d"
        lengthened(template(folder), path, frames)
        print(f"{frames} frames, {path.stat().st_size / 1e6:.0f} MB")
        app = [sys.executable, "-m", "gaitdyn_cli.app", "process", str(path), "--no-figures"]
        app += ["--static", str(folder / "S" / "static.c3d"), "--quiet", "--force"]
        commands = {
            "gaitdyn process --no-figures": [*app, "-o", str(folder / "out")],
            "ezc3d's own read": [sys.executable, "-W", "ignore", "-c", READ, str(path)],
        }
        for name, command in commands.items():
            wall, memory = measured(command)
            print(f"{name:30s} {wall:6.1f} s {memory:8.0f} MiB")
    return 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main())
