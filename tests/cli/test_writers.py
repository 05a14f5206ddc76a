"""Several runs into one folder; pipes and devices in the place of files: from outside."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from gaitdyn.store.whole import read_sealed
from tests.benchmark_scripts import script
from tests.cli.copied_session import session

PIPES = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes of POSIX")


def one_line(done: subprocess.CompletedProcess[str], code: int = 1) -> str:
    assert done.returncode == code, done.stderr
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def test_process_keeps_notes_and_seals_what_it_writes(gaitdyn, synthetic, tmp_path):
    trial, out = synthetic / "walk01.c3d", tmp_path / "out"
    words = ("process", trial, "-o", out, "--no-figures", "--quiet")
    assert gaitdyn(*words).returncode == 0
    folder = out / "walk01"
    (folder / "notes.txt").write_text("limps", encoding="utf-8")
    (out / ".backup-20251103").mkdir()
    (out / ".backup-20251103" / "a.txt").write_text("mine", encoding="utf-8")
    assert gaitdyn(*words).returncode == 0
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "limps"
    assert sorted(p.name for p in out.iterdir()) == [".backup-20251103", "walk01"]
    assert read_sealed(folder / "result.json")["files"]


@pytest.mark.parametrize("command", ["report", "compare", "archive"])
def test_damaged_results_are_named_in_one_line(gaitdyn, results, tmp_path, command):
    folder = Path(shutil.copytree(results, tmp_path / "walk01"))
    path = folder / "peaks.csv"
    whole = path.read_bytes()
    words = {
        "report": ("report", folder, "-o", "a.html"),
        "compare": ("compare", folder, folder),
        "archive": ("archive", "add", "a.sqlite", folder),
    }[command]
    path.write_bytes(whole[:-5])
    assert "peaks.csv has" in gaitdyn(*words).stderr.splitlines()[0]
    path.write_bytes(whole.replace(b"1", b"2", 1))
    done = gaitdyn(*words, "--verify")
    assert done.returncode == 1
    assert "peaks.csv was changed" in done.stderr.splitlines()[0]
    assert "Traceback" not in done.stderr


# ---------------------------------------------------------------- pipes and devices

READS = (
    "info {}.c3d",
    "process {}.c3d",
    "process {}.trc",
    "process walk01.c3d --static {}.c3d",
    "process walk01.c3d --subject {}.toml",
    "process walk01.c3d --model {}.toml",
    "process walk01.c3d --quality {}.toml",
    "process walk01.c3d --uncertainty {}.toml",
    "process walk01.c3d --anthropometry {}.csv",
    "process walk01.c3d --report html --norm {}.csv",
    "process walk01.c3d -o {}.csv",
    "batch . --norm {}.csv",
    "batch {}.c3d",
    "report {}.c3d",
    "report results --norm {}.csv -o a.html",
    "report results -o {}.html",
    "norms show {}.csv",
    "norms build -o n.csv --archive {}.sqlite",
    "archive ls {}.sqlite",
    "archive add {}.sqlite results",
    "archive add a.sqlite {}.c3d",
    "compare {}.c3d",
    "compare results --trial {}.c3d",
    "compare results -o {}.csv",
    "reproduce results --trial {}.c3d",
    "explain results --frame 200 --segment left_foot --picture {}.png",
    "export results --to mat -o {}.mat",
    "export results --to c3d --trial {}.c3d",
    "model new {}.c3d -o m.toml",
)
QUICK = (4, 9, 17)
"""Of :data:`READS`: those that hung before, or would if a reader changed; the rest are slow."""


@PIPES
@pytest.mark.parametrize(
    "number",
    [i if i in QUICK else pytest.param(i, marks=pytest.mark.slow) for i in range(len(READS))],
)
@pytest.mark.parametrize("kind", ["pipe", "device"])
def test_a_pipe_or_a_device_is_refused_at_once(gaitdyn, results, synthetic, tmp_path, number, kind):
    shutil.copy(synthetic / "walk01.c3d", tmp_path)
    shutil.copytree(results, tmp_path / "results")
    for ending in ("c3d", "trc", "csv", "toml", "html", "png", "mat", "sqlite"):
        path = tmp_path / f"x.{ending}"
        os.mkfifo(path) if kind == "pipe" else path.symlink_to("/dev/zero")
    done = gaitdyn(*READS[number].format("x").split())  # which ends it after its time
    assert done.returncode in {1, 2}, done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr


# ---------------------------------------------------------------- several batches


@pytest.mark.slow
def test_two_batches_into_one_folder_share_the_work(synthetic, tmp_path, gaitdyn):
    folder = session(tmp_path / "S01", synthetic, 4)
    words = [sys.executable, "-m", "gaitdyn_cli.app", "batch", str(folder)]
    both = [
        subprocess.Popen(
            [*words, "-o", str(tmp_path / "out"), "--jobs", "2"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    told = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], told
    done = [out.split(" done")[0] for out, _ in told]
    assert sum(map(int, done)) == 4  # none twice, none lost
    assert gaitdyn("batch", folder, "-o", tmp_path / "one").returncode == 0
    folders = tmp_path / "one", tmp_path / "out"
    one, two = ({p.relative_to(f): p.read_bytes() for p in f.rglob("*") if p.is_file()}
                for f in folders)  # fmt: skip
    assert one == two
    assert not list((tmp_path / "out").rglob(".*"))


@pytest.mark.slow
def test_of_two_batches_with_other_settings_one_has_the_session(synthetic, tmp_path):
    folder, out = session(tmp_path / "S01", synthetic, 6), tmp_path / "out"
    words = [sys.executable, "-m", "gaitdyn_cli.app", "batch", str(folder), "-o", str(out)]
    both = [
        subprocess.Popen(
            [*words, "--jobs", "1", "--report", "none", "--cutoff", cutoff],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for cutoff in ("6", "8")
    ]
    told = [process.communicate(timeout=120) for process in both]
    codes = [process.returncode for process in both]
    assert sorted(codes) == [0, 3], told
    assert "another batch is processing it with other settings" in told[codes.index(3)][1]
    documents = [json.loads(p.read_text("utf-8")) for p in out.glob("S01/*/result.json")]
    cutoff = ("6", "8")[codes.index(0)]
    assert [f"{d['options']['cutoff_hz']:g}" for d in documents] == [cutoff] * 6
    document = json.loads((out / "S01" / "session.json").read_text("utf-8"))
    assert document["settings"]["--cutoff"] == [cutoff]
    assert not list(out.rglob(".*"))


@pytest.mark.slow
def test_a_batch_takes_over_from_a_dead_one_with_a_word(synthetic, tmp_path, gaitdyn):
    folder = session(tmp_path / "S01", synthetic, 1)
    lock = tmp_path / "out" / "S01" / ".walk01.gaitdyn-lock"
    lock.parent.mkdir(parents=True)
    dead = {"gaitdyn": "0.1.0", "host": "lab7", "process": 4, "start": "2025-11-03T08:00:00Z"}
    lock.write_text(json.dumps(dead), encoding="utf-8")
    # swept when the batch begins: there is nothing left to take over
    assert gaitdyn("batch", folder, "-o", tmp_path / "out").returncode == 0
    assert not lock.exists()


@pytest.mark.slow
def test_disturbed_batches_lose_nothing():
    writers = script("writers")
    with tempfile.TemporaryDirectory() as name, writers.small_disk(Path(name)) as room:
        place = writers.prepare(Path(name), room)
        told = {seed: writers.round_of(seed, place, room) for seed in range(6)}
    assert not any(told.values()), told
