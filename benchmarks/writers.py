"""Several batches into one folder, disturbed: is anything lost, half written or left aside.

usage: python benchmarks/writers.py [--rounds 200] [--seed 0]

Every round starts from results of other options among which strangers' files lie, lets two or
three batches loose on it, and disturbs them at random times: signals (KILL, TERM, HUP) to a batch,
to its whole group or to a worker, a disk without room, a folder that cannot be written to. Then one
``batch --resume`` has to succeed, to leave every file as an undisturbed run writes it, byte by
byte, every stranger's file as it was, and nothing aside. Prints a line a round that failed.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

TRIALS = 3
ROOM_MB = 64
STRANGERS = {
    "notes.txt": "kept by a person",
    "S01/.backup-20251103/copy.csv": "a,b",
    "S01/anything/.backup-20251103/copy.csv": "c,d",
    "S01/.walk01-abcdefgh/mine.txt": "looks like ours of old",
    "S01/.walk02.gaitdyn-abcdefgh/mine.txt": "looks like ours",
    "S01/walk01/notes.txt": "limps on the left",
    "S01/walk02/figures/drawing.txt": "a drawing",
    "S01/walk03/.hidden": "hidden",
}
"""Files of others, where they lie in the output, and what is in them."""

_SIGNALS = [s for s in ("SIGKILL", "SIGTERM", "SIGHUP") if hasattr(signal, s)]
_LONGEST_S = 300
_WHEN_S = 0.3, 1.8
"""When batches are disturbed: three of them at once take about two seconds."""


def command(recordings: Path, out: Path, *words: str) -> list[str]:
    """Return the words of a batch."""
    start = [sys.executable, "-P", "-m", "gaitdyn_cli.app", "batch", str(recordings)]
    return [*start, "-o", str(out), "--jobs", "1", "--report", "none", *words]


def prepare(place: Path, room: Path) -> Path:
    """Write a short session, results of other options with strangers, and the undisturbed run.

    All runs write to one folder, as results tell where their recordings lie from them.
    """
    from gaitdyn.synthetic import Recording, Walker, write_session

    write_session(
        place / "in" / "S01", Walker(), Recording(strides=2.0, analog_ratio=2), trials=TRIALS
    )
    out = room / "out"
    run(command(place / "in", out, "--profile", "plug-in-gait"))
    for name, text in STRANGERS.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    shutil.copytree(out, place / "before")
    run(command(place / "in", out))
    shutil.copytree(out, place / "wanted")
    shutil.rmtree(out)
    return place


def run(words: list[str]) -> None:
    """Run a batch that has to succeed."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=_LONGEST_S, check=False)
    if done.returncode:
        raise RuntimeError(f"exit {done.returncode}: {done.stderr[-600:]}")


def contents(out: Path) -> dict[str, bytes]:
    """Return every file below a folder."""
    return {str(p.relative_to(out)): p.read_bytes() for p in out.rglob("*") if p.is_file()}


def round_of(seed: int, place: Path, room: Path) -> str:
    """Disturb several batches and resume; return what is wrong, empty when nothing is.

    Parameters
    ----------
    seed : int
    place : Path
        Of :func:`prepare`.
    room : Path
        Where the output goes: a small disk, where one can be had.
    """
    chance = random.Random(seed)  # noqa: S311  no secrets
    out = room / "out"
    batches: list[subprocess.Popen[bytes]] = []
    shutil.copytree(place / "before", out)
    try:
        end = time.monotonic() + _LONGEST_S
        batches = [start(place / "in", out) for _ in range(chance.choice((2, 3)))]
        plan = sorted((chance.uniform(*_WHEN_S), chance.random()) for _ in range(len(batches) + 1))
        began = time.monotonic()
        for at, what in plan:
            time.sleep(max(began + at - time.monotonic(), 0))
            disturb(what, chance, batches, out)
        for batch in batches:
            batch.wait(timeout=max(end - time.monotonic(), 1))
        run(command(place / "in", out, "--resume"))
        return wrong(contents(out), contents(place / "wanted"))
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        return str(error)
    finally:
        for batch in batches:
            with suppress(ProcessLookupError):
                os.killpg(batch.pid, signal.SIGKILL)
            batch.wait()
        shutil.rmtree(out)


def start(recordings: Path, out: Path) -> subprocess.Popen[bytes]:
    """Start a batch in a group of its own."""
    quiet = subprocess.DEVNULL
    words = command(recordings, out)
    return subprocess.Popen(words, stdout=quiet, stderr=quiet, start_new_session=True)


def disturb(
    what: float, chance: random.Random, batches: list[subprocess.Popen[bytes]], out: Path
) -> None:
    """Do one thing to the batches: most often a signal."""
    if what < 0.7:
        batch = chance.choice(batches)
        number = getattr(signal, chance.choice(_SIGNALS))
        with suppress(ProcessLookupError):
            if chance.random() < 0.5:
                os.killpg(batch.pid, number)
            else:
                os.kill(chance.choice([batch.pid, *workers(batch.pid)]), number)
    elif what < 0.85:
        with full(out.parent):
            time.sleep(chance.uniform(0.1, 1.5))
    else:
        with unwritable(chance.choice([out, out / "S01", out / "S01" / "walk01"])):
            time.sleep(chance.uniform(0.1, 1.5))


def workers(parent: int) -> list[int]:
    """Return the processes that a process has started, where the system tells."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
            found += [int(stat.parent.name)] if int(fields[1]) == parent else []
    return found


@contextmanager
def full(room: Path) -> Iterator[None]:
    """Take all room of a small disk for a while; nothing on a large one."""
    filler = room / "filler"
    if shutil.disk_usage(room).total <= 2 * ROOM_MB << 20:
        with suppress(OSError), filler.open("wb", buffering=0) as stream:
            while True:
                stream.write(bytes(1 << 16))
    try:
        yield
    finally:
        filler.unlink(missing_ok=True)


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """Make a folder unwritable for a while, also for the superuser, who needs chattr for it."""
    if not folder.is_dir():
        yield
        return
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    mode = folder.stat().st_mode
    try:
        tool("chattr", "+i", str(folder)) if root else folder.chmod(0o555)
        yield
    finally:
        tool("chattr", "-i", str(folder)) if root else folder.chmod(mode)


def tool(*words: str) -> bool:
    """Run a tool of the system; return whether it is there and did it."""
    program = shutil.which(words[0])
    return (
        bool(program)
        and not subprocess.run(
            [program or "", *words[1:]], capture_output=True, check=False
        ).returncode
    )


@contextmanager
def small_disk(place: Path) -> Iterator[Path]:
    """Give a folder on a small disk of its own, where this machine allows one."""
    room = place / "room"
    room.mkdir()
    mounted = tool("mount", "-t", "tmpfs", "-o", f"size={ROOM_MB}m", "none", str(room))
    try:
        yield room
    finally:
        if mounted:
            tool("umount", "-l", str(room))


def wrong(found: dict[str, bytes], wanted: dict[str, bytes]) -> str:
    """Return the first difference between the files of two folders."""
    for name in sorted(found.keys() | wanted.keys()):
        if name not in found:
            return f"{name} is gone"
        if name not in wanted:
            return f"{name} was left"
        if found[name] != wanted[name]:
            return f"{name} is another"
    return ""


def main() -> int:
    """Run the rounds and say what failed."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as name, small_disk(Path(name)) as room:
        place = prepare(Path(name), room)
        for seed in range(given.seed, given.seed + given.rounds):
            told = round_of(seed, place, room)
            failed += bool(told)
            if told:
                print(f"round {seed}: {told}", flush=True)
    print(f"{given.rounds} rounds from seed {given.seed}: {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
