"""Damage recordings at random: each is processed or refused in words, and none ends in a crash.

usage: python benchmarks/damaged.py [FIRST_SEED [COUNT]]

Every seed takes one recording of data/ and, where it is there, of ../shared/corpus, changes it in
one of five ways and processes it. Without arguments it writes reports/validation/damaged.md. The
exit code is 1 if any run ends in another error than those of gaitdyn, or takes too long.
"""

from __future__ import annotations

import random
import signal
import struct
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from page import ROOT, SHARED, stamp, table, write
from usage import help_shown

from gaitdyn import process_trial
from gaitdyn.errors import GaitdynError

SEEDS, LARGEST_BYTES, SECONDS = 1000, 1_500_000, 20
BLOCK, FLOAT = 512, 4
BAD = (0.0, -1.0, 1.0, 255.0, 32767.0, 1e9, -1e9, 1e30, 1e-30, float("nan"), float("inf"))
CODES = {1: "b", 2: "<h", FLOAT: "<f"}
"""How a parameter's number of so many bytes is packed."""

Damage = Callable[[bytearray, random.Random], None]


def parameters_of(raw: bytes | bytearray) -> Iterator[tuple[int, int, int]]:
    """Return place, size and bytes per value (-1 for text) of each parameter of a file."""
    at = (raw[0] - 1) * BLOCK + 4
    while at + 4 < len(raw) and raw[at]:
        name, group = (
            abs(struct.unpack_from("b", raw, at)[0]),
            struct.unpack_from("b", raw, at + 1)[0],
        )
        at += 2 + name
        step = struct.unpack_from("<H", raw, at)[0]
        if group > 0:
            kind, count = struct.unpack_from("bB", raw, at + 2)
            size = abs(kind)
            for length in raw[at + 4 : at + 4 + count]:
                size *= length
            yield at + 4 + count, size, kind
        if not step:
            return
        at += step


def data_start(raw: bytes | bytearray) -> int:
    """Return the first byte of the points."""
    return (struct.unpack_from("<H", raw, 16)[0] - 1) * BLOCK


def change_bytes(raw: bytearray, rng: random.Random) -> None:
    """Change some bytes of the header or the parameters."""
    end = data_start(raw)
    for _ in range(rng.choice((1, 4, 16))):
        raw[rng.randrange(end)] = rng.randrange(256)


def move_bytes(raw: bytearray, rng: random.Random) -> None:
    """Lose or repeat some bytes anywhere."""
    at, count = rng.randrange(len(raw)), rng.choice((1, 2, 4, 100, BLOCK))
    if rng.random() < 0.5:
        del raw[at : at + count]
    else:
        raw[at:at] = raw[at : at + count]


def change_numbers(raw: bytearray, rng: random.Random) -> None:
    """Set numbers of some parameters to impossible values."""
    numbers = [x for x in parameters_of(raw) if x[2] in CODES and x[1] >= x[2]]
    for start, size, kind in rng.sample(numbers, min(len(numbers), rng.choice((1, 2, 4)))):
        places = range(start, start + size - kind + 1, kind)
        for at in places if rng.random() < 0.5 else [rng.choice(places)]:
            value = rng.choice(BAD)
            whole = int(value) if abs(value) < 128 ** (1 + kind // 2) else -1
            struct.pack_into(CODES[kind], raw, at, value if kind == FLOAT else whole)


def change_texts(raw: bytearray, rng: random.Random) -> None:
    """Exchange, blank or garble texts of some parameters, such as labels and units."""
    texts = [x for x in parameters_of(raw) if x[2] < 0 < x[1]]
    for start, size, _ in rng.sample(texts, min(len(texts), rng.choice((1, 2, 4)))):
        text = raw[start : start + size]
        ways = (text[::-1], b" " * size, bytes(rng.sample(list(text), size)), rng.randbytes(size))
        raw[start : start + size] = rng.choice(ways)


def change_samples(raw: bytearray, rng: random.Random) -> None:
    """Overwrite a stretch of the data with one value, or with another stretch."""
    first = data_start(raw)
    size = FLOAT * rng.choice((1, 100, 10_000))
    if len(raw) - first < 2 * size:
        return
    at, other = (rng.randrange(first, len(raw) - size, FLOAT) for _ in range(2))
    same = struct.pack("<f", rng.choice(BAD)) * (size // FLOAT)
    raw[at : at + size] = rng.choice((same, bytes(raw[other : other + size])))


DAMAGES: dict[str, Damage] = {
    "bytes of header and parameters": change_bytes,
    "bytes lost or repeated": move_bytes,
    "numbers of parameters": change_numbers,
    "texts of parameters": change_texts,
    "points and samples": change_samples,
}


def stop(*_: object) -> None:
    """End a run that takes too long."""
    raise TimeoutError


def outcome_of(raw: bytes, folder: Path) -> str:
    """Return the verdict on a damaged recording, ``refused``, or where it ended."""
    path = folder / "alone" / "damaged.c3d"  # a static is looked for in the folder above, too
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(raw)
    signal.alarm(SECONDS)
    try:
        result = process_trial(path)
        return str(result.verdict)
    except GaitdynError:
        return "refused"
    except Exception as error:  # noqa: BLE001  this is what is looked for
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} in {Path(last.filename).name}, line {last.lineno}"
    finally:
        signal.alarm(0)


def recordings() -> list[bytes]:
    """Return the recordings that are damaged: those with Intel numbers that are not too large."""
    files = sorted((ROOT / "data").glob("*.c3d"))
    files += sorted((SHARED / "corpus").glob("[!h]*/**/*.c3d"))
    read = [file.read_bytes() for file in files if file.stat().st_size < LARGEST_BYTES]
    return [raw for raw in read if raw[(raw[0] - 1) * BLOCK + 3] == 84]


def main(first: int = 0, count: int = SEEDS) -> int:
    """Damage, process and count."""
    warnings.simplefilter("ignore")  # of numbers that overflow
    signal.signal(signal.SIGALRM, stop)
    known, found, bad = recordings(), dict[str, Counter[str]](), list[str]()
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(first, first + count):
            rng = random.Random(seed)  # noqa: S311  not for secrets
            raw, name = bytearray(rng.choice(known)), list(DAMAGES)[seed % len(DAMAGES)]
            DAMAGES[name](raw, rng)
            outcome = outcome_of(bytes(raw), Path(folder))
            if outcome not in ("pass", "check", "fail", "refused"):
                bad.append(f"{seed}: {outcome}")
                outcome = "crashed"
            found.setdefault(name, Counter())[outcome] += 1
    words = ("pass", "check", "fail", "refused", "crashed")
    rows = [(name, *(str(counts[word]) for word in words)) for name, counts in found.items()]
    lines = [
        "# Recordings damaged at random",
        "",
        f"{count} runs on {len(known)} recordings, each changed in one way and processed alone:",
        f"{len(bad)} ended in a crash or took more than {SECONDS} s.",
        "",
        *stamp("python benchmarks/damaged.py"),
        *table(("what is changed", *words), rows),
        "",
        *(f"- seed {line}" for line in bad),
    ]
    if (first, count) == (0, SEEDS):
        write("damaged", lines)
    else:
        sys.stdout.write("\n".join(lines) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    help_shown(__doc__)
    sys.exit(main(*map(int, sys.argv[1:])))
