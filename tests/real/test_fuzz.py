"""Damaged recordings: refused in one line, or read, or processed; never more.

Every variant is read, and every seventh goes through the whole pipeline;
``benchmarks/damaged.py`` does that with a thousand others. Two worker processes make the variants
of each file from a fixed seed and tell each one's outcome on a line of its own. A crash ends the
worker, and so does a variant that takes over 20 s; the lines tell after which one. A variant that
is read as an earlier one was, as where bytes changed that nothing uses, ends as that one did.
"""

from __future__ import annotations

import faulthandler
import hashlib
import json
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

import numpy as np
import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = [pytest.mark.real, pytest.mark.slow]

FILES = {
    "BTK-A/PiG_Motion-FlatFoot-Full.c3d": "BTK-A/PiG_Calibration-FlatFoot-Full.c3d",
    "IST/Gait with EMG.c3d": "IST/Static Pose.c3d",
    "UNIPD/Walking1.c3d": "UNIPD/Static1.c3d",
    "BMC/Gait.c3d": "",
    "c3d.org-Qualisys/Capture0003.c3d": "c3d.org-Qualisys/Capture0008_Standing.c3d",
    "MAC/short.c3d": "",
}
"""Trial -> static, of six makers. Plates of types 1 to 4; floats and DEC integers; millimetres and
metres; Z and Y up."""

MASS_KG = 60.0
CORRUPTED, CUT = 150, 24
"""Variants of each file: 6 (150 + 24) = 1044."""

PROCESSED = 7
"""One of so many variants is processed; the places of the damage alternate by five, and the
workers by two."""

KINDS = ("corrupted", "cut")
BLOCK = 512
LIMIT_S, BATCH_S = 20.0, 900.0
WORKERS = 2
OPENED = ("read", "done")
Outcome = dict[str, Any]


def sections(data: bytes) -> tuple[int, int]:
    """Return where the parameters and the data of a C3D file start."""
    return (data[0] - 1) * BLOCK, (int.from_bytes(data[16:18], "little") - 1) * BLOCK


def corrupted(data: bytes, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield variants with 1 to 64 bytes changed: header, parameters, data, or anywhere."""
    rng = np.random.default_rng(seed)
    start, body = sections(data)
    places = {
        "header": (0, BLOCK),
        "parameters": (start, body),
        "data": (body, len(data)),
        "anywhere": (0, len(data)),
    }
    names = ("parameters", "header", "parameters", "data", "anywhere")
    for i in range(10**6):
        name = names[i % len(names)]
        low, high = places[name]
        changed = np.frombuffer(data, np.uint8).copy()
        count = int(2 ** rng.integers(0, 7))
        if rng.random() < 0.2:  # a torn block: neighbours, all the same
            at = low + int(rng.integers(max(1, high - low - count))) + np.arange(count)
            changed[at] = rng.choice([0, 255, 128])
        else:
            at = rng.integers(low, high, count)
            changed[at] = rng.integers(0, 256, count)
        yield f"{i} {name} {count} bytes", changed.tobytes()


def cut_off(data: bytes, needed: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield the start of a file, cut before the last byte of its last frame."""
    rng = np.random.default_rng(seed)
    start, body = sections(data)
    edges = [0, 1, BLOCK - 1, BLOCK, start + 4, body - 1, body, body + 1, needed - 1, needed - 2]
    for i, size in enumerate([*edges, *rng.integers(1, needed, CUT - len(edges)).tolist()]):
        yield f"{i} cut to {size} of {len(data)} bytes", data[:size]


def needed_bytes(path: Path) -> int:
    """Return the bytes of a file up to the end of its last frame."""
    from gaitdyn.io.c3d.parameters import layout_of, read_parameters

    header, params = read_parameters(path)
    layout = layout_of(header, params, path.stat().st_size)
    return (header.data_block - 1) * BLOCK + layout.frames * layout.frame_bytes


class ReadBefore(Exception):
    """The recording is one that was processed before."""


class Endings:
    """How the variants of a file end, each recording processed once."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.of: dict[str, Outcome] = {}
        self.key = ""

    def of_file(self, *, whole: bool) -> Outcome:
        """Process or read the file, unless it is read as one before; return how that ended."""
        if not whole:
            return outcome(self.path, read)
        from gaitdyn.stages import session

        self.key = ""
        with patch.object(session, "read_recording", self._reader(session.read_recording)):
            try:
                found = outcome(self.path, processed)
            except ReadBefore:
                return self.of[self.key]
        self.of[self.key] = found
        return found

    def _reader(self, read: Callable[..., Any]) -> Callable[..., Any]:
        def read_new(source: Any, *args: Any, **words: Any) -> Any:
            recording = read(source, *args, **words)
            if Path(source) == self.path:
                held = pickle.dumps(replace(recording, sha256=""))
                self.key = hashlib.sha256(held).hexdigest()
                if self.key in self.of:
                    raise ReadBefore
            return recording

        return read_new


def processed(path: Path) -> Outcome:
    """Process one file."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.types.options import Options

    result = process_trial(path, Options(mass_kg=MASS_KG))
    return {"end": "done", "kind": result.model, "said": result.no_kinetics}


def read(path: Path) -> Outcome:
    """Read one file."""
    from gaitdyn.io.recording import read_recording

    recording = read_recording(path)
    return {"end": "read", "kind": f"{len(recording.plates)} plates", "said": ""}


def outcome(path: Path, attempt: Callable[[Path], Outcome]) -> Outcome:
    """Process or read one file; return the outcome and the message."""
    from gaitdyn.errors import GaitdynError

    try:
        return attempt(path)
    except GaitdynError as refusal:
        return {"end": "refused", "kind": type(refusal).__name__, "said": str(refusal)}
    except ReadBefore:
        raise
    except Exception as error:  # noqa: BLE001  any other is a failure, and is told as one
        import traceback

        trace = traceback.extract_tb(error.__traceback__)
        own = [f for f in trace if "gaitdyn" in f.filename] or list(trace)
        place = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
        return {"end": "error", "kind": type(error).__name__, "said": f"{place} {error}"}


def work(folder: Path, trial: str, kind: str, part: int) -> None:
    """Process this worker's variants of a trial in a folder, a line of JSON each."""
    path = folder / trial
    data = path.read_bytes()
    seed = sum(trial.encode())
    variants = (
        islice(corrupted(data, seed), CORRUPTED)
        if kind == "corrupted"
        else cut_off(data, needed_bytes(path), seed)
    )
    damaged = folder / "damaged.c3d"
    warnings.simplefilter("error")
    endings = Endings(damaged)
    for number, (name, variant) in islice(enumerate(variants), part, None, WORKERS):
        damaged.write_bytes(variant)
        told = f"{trial}: {name}"
        print(json.dumps({"start": told}), flush=True)  # noqa: T201
        faulthandler.dump_traceback_later(LIMIT_S, exit=True)
        begin = time.monotonic()
        found = endings.of_file(whole=number % PROCESSED == 0)
        faulthandler.cancel_dump_traceback_later()
        took = {"name": told, "damage": kind, "took_s": time.monotonic() - begin}
        print(json.dumps(found | took), flush=True)  # noqa: T201


def run_worker(place: Path, part: int) -> tuple[list[Outcome], str]:
    """Return the outcomes of one worker and how it failed, empty when it did not."""
    command = [sys.executable, __file__, str(place), str(part)]
    with (place / "said.txt").open("w+", encoding="utf-8") as out:
        try:
            done = subprocess.run(
                command, stdout=out, stderr=subprocess.PIPE, timeout=BATCH_S, check=False,
                cwd=Path(__file__).parents[2], env=os.environ | {"PYTHONIOENCODING": "utf-8"},
            )  # fmt: skip
            code, error = done.returncode, done.stderr.decode("utf-8", "replace")[-600:]
        except subprocess.TimeoutExpired:
            code, error = -1, "the worker did not end"
        out.seek(0)
        lines = [json.loads(line) for line in out.read().splitlines()]
    last = next((line["start"] for line in reversed(lines) if "start" in line), "nothing")
    failed = f"worker ended with {code} in {last}: {error}" if code else ""
    return [line for line in lines if "end" in line], failed


@pytest.fixture(scope="module")
def found(shared, tmp_path_factory) -> dict[str, tuple[list[Outcome], list[str]]]:
    """Kind of damage -> outcomes, and failures of the workers."""
    gait, places = shared / "corpus" / "gait", []
    for _ in range(WORKERS):
        places.append(tmp_path_factory.mktemp("damaged"))
        for trial, static in FILES.items():
            folder = places[-1] / Path(trial).parent
            folder.mkdir()
            for name in filter(None, (trial, static)):
                shutil.copy(gait / name, folder)
    with ThreadPoolExecutor(WORKERS) as pool:
        ended = list(pool.map(run_worker, places, range(WORKERS)))
    failures = [failed for _, failed in ended if failed]
    return {
        kind: ([line for lines, _ in ended for line in lines if line["damage"] == kind], failures)
        for kind in KINDS
    }


def test_no_damaged_file_crashes_or_hangs(found):
    for _, failures in found.values():
        assert not failures, failures
    assert max(line["took_s"] for lines, _ in found.values() for line in lines) < LIMIT_S


def test_over_a_thousand_variants_were_tried(found):
    counts = {kind: len(lines) for kind, (lines, _) in found.items()}
    assert counts == {"corrupted": CORRUPTED * len(FILES), "cut": CUT * len(FILES)}
    assert sum(counts.values()) >= 1000
    assert counts["cut"] >= 60
    whole = [line for lines, _ in found.values() for line in lines if line["end"] == "done"]
    assert len(whole) >= 60


def test_a_damaged_file_raises_nothing_but_the_errors_of_the_package(found):
    wrong = {line["name"]: f"{line['kind']} {line['said']}" for line in errors(found)}
    assert not wrong, wrong


def errors(found: dict[str, tuple[list[Outcome], list[str]]]) -> list[Outcome]:
    return [line for lines, _ in found.values() for line in lines if line["end"] == "error"]


def test_a_refusal_is_one_line_without_a_path(found):
    said = [line["said"] for lines, _ in found.values() for line in lines]
    refused = [line["said"] for lines, _ in found.values() for line in lines
               if line["end"] == "refused"]  # fmt: skip
    assert all(len(text.splitlines()) <= 1 for text in said)
    assert refused
    assert all(text.strip() for text in refused)
    places = str(Path.cwd()), "/tmp", tempfile.gettempdir()  # noqa: S108
    assert not [text for text in refused if any(place in text for place in places)]


def test_data_that_are_cut_off_never_succeed(found):
    assert [line["name"] for line in found["cut"][0] if line["end"] in OPENED] == []


def test_damage_is_neither_always_refused_nor_never(found):
    """Otherwise the damage is so light or so heavy that the test says nothing."""
    ends = [line["end"] for line in found["corrupted"][0]]
    print({end: ends.count(end) for end in set(ends)})  # noqa: T201
    assert 0.1 < ends.count("refused") / len(ends) < 0.9


if __name__ == "__main__":
    for recording in map(Path, FILES):
        for damage in KINDS:
            work(Path(sys.argv[1]) / recording.parent, recording.name, damage, int(sys.argv[2]))
