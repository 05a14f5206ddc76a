"""A batch over sessions: what it writes, what it does again, and what it survives."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.cli.copied_session import session
from tests.read_back import rows_of

TABLES = ("timeseries.csv", "cycles.csv", "gait_parameters.csv", "peaks.csv", "quality.csv")
POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
CAPITALS = not Path(__file__.swapcase()).exists()
"""Whether this disk tells walk01.c3d and walk01.C3D apart; those of Windows and macOS do not."""

GOOD = 3 + CAPITALS
"""Trials of a day that can be processed."""

pytestmark = pytest.mark.slow


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def left_aside(folder: Path) -> list[Path]:
    return [p for p in folder.rglob(".*") if p.name not in (".", "..")]


@pytest.fixture(scope="module")
def day(synthetic, tmp_path_factory):
    """Two sessions of one name in two folders, with files that no reader takes."""
    root = tmp_path_factory.mktemp("day")
    session(root / "morning" / "S01", synthetic, 2)
    other = session(root / "evening" / "S01", synthetic, 1)
    (other / "broken.c3d").write_bytes(b"\x02\x50" + b"\x00" * 2000)
    (other / "walk01.C3D").write_bytes((other / "walk01.c3d").read_bytes())
    (other / "empty.c3d").write_bytes(b"")
    return root


@pytest.fixture(scope="module")
def done(day, tmp_path_factory):
    place = tmp_path_factory.mktemp("batch")
    command = [sys.executable, "-m", "gaitdyn_cli.app", "batch", str(day), "--jobs", "2"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=place, check=False)
    return place / "gaitdyn-results", ran


def test_every_good_trial_is_done_and_every_bad_one_told(done):
    out, ran = done
    assert ran.returncode == 3, ran.stderr
    assert "Traceback" not in ran.stderr
    table = ran.stderr[ran.stderr.index("2 trials failed") :]
    assert "S01/broken.c3d" in table
    assert "empty.c3d" in table
    assert "  found an empty file" in table
    rows = [row for path in out.glob("*/summary.csv") for row in rows_of(path)]
    states = {row["file"]: row["state"] for row in rows}
    assert states["broken.c3d"] == states["empty.c3d"] == "failed"
    assert sum(row["state"] == "done" for row in rows) == GOOD
    assert all(row["reason"] for row in rows if row["state"] == "failed")


def test_of_equal_names_the_second_adds_its_parents(done):
    out, _ = done
    assert sorted(p.name for p in out.iterdir() if p.is_dir()) == ["S01", "S01 (morning)"]
    assert (out / "S01" / "walk01-2").is_dir() == CAPITALS
    assert (out / "S01" / "walk01" / "result.json").is_file()


def test_documents_and_pages_are_there(done):
    out, _ = done
    assert left_aside(out) == []
    assert not list(out.rglob("*.js"))
    for folder in (out / "S01", out / "S01 (morning)"):
        document = json.loads((folder / "session.json").read_text(encoding="utf-8"))
        assert document["counts"]["trials"] == len(document["trials"])
        assert {"file": "static.c3d"}.items() <= document["others"][0].items()
        page = (folder / "report.html").read_text(encoding="utf-8")
        assert "src=" not in page.split("<body>")[1]
        for trial in document["trials"]:
            if trial["state"] == "done":
                place = folder / trial["name"]
                assert {p.name for p in place.iterdir()} >= {*TABLES, "result.json"}
                page = (place / "report.html").read_text(encoding="utf-8")
                assert "src=" not in page.split("<body>")[1]
                assert len(page) < 1_000_000
    index = (out / "index.html").read_text(encoding="utf-8")
    twin = ["S01/walk01-2/report.html"] * CAPITALS
    for link in ("S01/report.html", "S01 (morning)/walk01/report.html", *twin):
        assert f'href="{quote(link)}"' in index
        assert (out / link).is_file()


def test_a_second_run_does_only_what_failed_and_changes_nothing(done, day, gaitdyn):
    out, _ = done
    before = bytes_of(out)
    ran = gaitdyn("batch", day, "--jobs", "1", "-o", out)
    assert ran.returncode == 3
    assert f"{GOOD} already done" in ran.stdout
    assert "0 done" in ran.stdout
    assert bytes_of(out) == before


def test_other_options_are_done_again(done, day, gaitdyn, tmp_path):
    out = tmp_path / "copy"
    shutil.copytree(done[0], out)
    (out / "S01 (morning)/report.pdf").write_bytes(b"%PDF of another")
    options = ("--jobs", "1", "--profile", "plug-in-gait", "--report", "none")
    ran = gaitdyn("batch", day / "morning", "-o", out, *options)
    assert ran.returncode == 0, ran.stderr
    assert not (out / "S01 (morning)/report.html").exists()  # of results that are no more
    assert (out / "S01 (morning)/report.pdf").is_file()
    assert ran.stdout.startswith("2 done, 0 failed")
    assert "[2/2] " in ran.stderr
    assert ran.stderr.count("done again, profile was default, is plug-in-gait; ") == 1
    told = json.loads((out / "S01 (morning)/walk01/result.json").read_text(encoding="utf-8"))
    assert told["options"]["profile"] == "plug-in-gait"


def test_tables_are_those_of_process(done, day, gaitdyn, tmp_path):
    trial = day / "morning" / "S01" / "walk01.c3d"
    assert gaitdyn("process", trial, "--no-figures", "-o", tmp_path / "one").returncode == 0
    batch = next(p for p in (done[0] / "S01", done[0] / "S01 (morning)") if (p / "walk02").is_dir())
    for name in TABLES:
        one = (tmp_path / "one" / "walk01" / name).read_bytes()
        assert (batch / "walk01" / name).read_bytes() == one


def test_inputs_stay_as_they_were(day, done, synthetic):
    for path in day.rglob("walk0*.c3d"):
        assert path.read_bytes() == (synthetic / "walk01.c3d").read_bytes()
    assert all(p.suffix.lower() == ".c3d" for p in day.rglob("*") if p.is_file())


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("nowhere",), 1, "found no folder"),
        ((__file__,), 1, "found a file; wanted a folder of recordings, or one of sessions; `gait"),
        ((".",), 1, "found no C3D or TRC file"),
        ((".", "--jobs", "0"), 2, "jobs"),
        ((".", "--report", "word"), 2, "--report"),
        ((".", "--profile", "mine"), 2, "--profile"),
        ((".", "--model", "mine"), 2, "no marker model 'mine'; wanted auto"),
        ((".", "--anthropometry", "mine"), 2, "no body-segment table 'mine'"),
        ((".", "--functional", "hip_left=no.c3d"), 1, "no.c3d: found no such file"),
    ],
)
def test_wrong_use_is_told_in_one_line(gaitdyn, words, code, told):
    ran = gaitdyn("batch", *words)
    assert ran.returncode == code
    assert told in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1


def test_a_session_of_statics_alone_is_told(gaitdyn, synthetic, tmp_path):
    folder = session(tmp_path / "S01", synthetic, 0)
    ran = gaitdyn("batch", folder, "-o", tmp_path / "out")
    assert ran.returncode == 0
    assert "S01: no trial to process: every file is a static, functional or left" in ran.stderr
    assert ran.stdout.startswith("0 done, 0 failed")
    index = (tmp_path / "out" / "index.html").read_text("utf-8")
    assert "No trial to process: every file is a static" in index


def test_results_do_not_go_among_the_recordings(gaitdyn, synthetic, tmp_path):
    folder = session(tmp_path / "S01", synthetic, 1)
    other = tmp_path / "other" / "walk.c3d"
    other.parent.mkdir()
    shutil.copy(folder / "walk01.c3d", other)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    static = ("--static", folder / "static.c3d")
    for words in (
        ("batch", folder),
        ("process", folder / "walk01.c3d"),
        ("process", other, *static),
    ):
        ran = gaitdyn(*words, "-o", folder, "--force")
        assert ran.returncode == 1
        assert ran.stderr.endswith(
            f"-o {folder} holds recordings, which are never written to; choose another place\n"
        )
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_session_file_with_an_error_stops_its_session_only(gaitdyn, synthetic, tmp_path):
    session(tmp_path / "in" / "good", synthetic, 1)
    bad = session(tmp_path / "in" / "bad", synthetic, 1)
    (bad / "session.toml").write_text("[subject]\nmass_kg = 'heavy'\n", encoding="utf-8")
    ran = gaitdyn("batch", tmp_path / "in", "-o", tmp_path / "out", "--jobs", "1")
    assert ran.returncode == 3
    assert "session.toml" in ran.stderr
    assert ran.stdout.startswith("1 done, 0 failed, 1 session failed")
    assert "1 session failed:" in ran.stderr
    assert "[1/1] good/walk01" in ran.stderr  # not the statics and the walk that is refused
    assert (tmp_path / "out/good/walk01/result.json").is_file()
    assert not (tmp_path / "out/bad/walk01").exists()
    assert "earlier run" not in (tmp_path / "out/index.html").read_text(encoding="utf-8")
    (bad / "session.toml").rename(tmp_path / "in" / "good" / "session.toml")
    ran = gaitdyn("batch", tmp_path / "in", "-o", tmp_path / "out", "--jobs", "1")
    assert ran.returncode == 3
    page = (tmp_path / "out/index.html").read_text(encoding="utf-8")
    rows = dict(re.findall(r'<tr><th scope="row"><a href="(\w+)/report.html">(.*?)</th>', page))
    assert rows["good"].endswith('</a> <span class="failed">(earlier run)</span>')
    assert rows["bad"] == "bad</a>"
    assert page.count("what is shown is of an earlier run") == 1


# ---------------------------------------------------------------- what it survives

BARE = ("--jobs", "2", "--report", "none")
"""Without pages, which are most of the work; a batch that loses a process writes them."""


def start(folder: Path, out: Path, *words: str, env: dict[str, str] | None = None):
    command = [sys.executable, "-m", "gaitdyn_cli.app", "batch", str(folder), "-o", str(out)]
    return subprocess.Popen(
        [*command, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=env,
        start_new_session=True,
        preexec_fn=_heeds_ctrl_c,  # noqa: PLW1509  a shell's background job ignores it
    )


def _heeds_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def finished(out: Path) -> int:
    return len(whole(out))


def whole(out: Path) -> list[Path]:
    """Return the folders of results that are in place."""
    return [p.parent for p in out.glob("*/*/result.json") if not p.parent.name.startswith(".")]


def wait_for(out: Path, count: int, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 90
    while finished(out) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end
        time.sleep(0.05)


def started() -> dict[int, list[tuple[int, bytes]]]:
    """Return the processes of this machine, with their command lines, by their parent."""
    children: dict[int, list[tuple[int, bytes]]] = defaultdict(list)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
            line = (stat.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if fields[0] != "Z":
            children[int(fields[1])].append((int(stat.parent.name), line))
    return children


def workers(parent: int) -> list[int]:
    """Return the processes that do the tasks of a batch: spawned, or forks of its server."""
    processes = started()
    children = processes[parent]
    forked = [own for pid, line in children if b"forkserver" in line for own in processes[pid]]
    return [
        pid for pid, line in (*children, *forked) if b"spawn_main" in line or (pid, line) in forked
    ]


LINUX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")


@LINUX
def test_a_worker_that_is_killed_loses_no_trial(synthetic, tmp_path):
    folder = session(tmp_path / "S01", synthetic, 6)
    process = start(folder, tmp_path / "out", "--jobs", "2")
    wait_for(tmp_path / "out", 2, process)
    os.kill(workers(process.pid)[0], signal.SIGKILL)
    _, told = process.communicate(timeout=120)
    assert process.returncode == 0, told
    assert finished(tmp_path / "out") == 6
    assert left_aside(tmp_path / "out") == []


@LINUX
def test_a_parent_that_is_killed_leaves_whole_results_and_no_worker(synthetic, tmp_path):
    folder, out = session(tmp_path / "S01", synthetic, 10), tmp_path / "out"
    process = start(folder, out, *BARE)
    wait_for(out, 2, process)
    orphans = workers(process.pid)
    process.kill()
    process.communicate(timeout=30)
    end = time.monotonic() + 30
    while any(Path(f"/proc/{pid}").exists() for pid in orphans):
        assert time.monotonic() < end, "workers outlive their parent"
        time.sleep(0.1)
    there = finished(out)
    assert 2 <= there < 10
    for place in whole(out):
        assert {*TABLES, "batch.json"} <= {p.name for p in place.iterdir()}
    process = start(folder, out, *BARE, "--resume")
    told, _ = process.communicate(timeout=120)
    assert process.returncode == 0
    assert f"{there} already done" in told
    assert finished(out) == 10
    assert left_aside(out) == []


@POSIX
def test_ctrl_c_stops_at_once_and_resume_finishes(synthetic, tmp_path):
    folder, out = session(tmp_path / "S01", synthetic, 10), tmp_path / "out"
    process = start(folder, out, *BARE)
    wait_for(out, 1, process)
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "Traceback" not in told
    assert told.strip().endswith("done; the same command does the others\ngaitdyn: stopped")
    assert left_aside(out) == []
    assert finished(out) < 10
    process = start(folder, out, *BARE, "--resume")
    process.communicate(timeout=120)
    assert process.returncode == 0
    assert finished(out) == 10
    assert left_aside(out) == []


@LINUX
def test_ctrl_c_while_the_processes_still_import_prints_no_traceback(synthetic, tmp_path):
    folder, out = session(tmp_path / "S01", synthetic, 4), tmp_path / "out"
    process = start(folder, out, "--jobs", "2")
    end = time.monotonic() + 30
    while not any(b"forkserver" in line for _, line in started()[process.pid]):
        assert time.monotonic() < end
        time.sleep(0.01)
    time.sleep(0.3)  # in the middle of the imports, which take a second
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate(timeout=30)
    assert "Traceback" not in told
    assert told.strip().endswith("gaitdyn: stopped")
    assert left_aside(out) == []


SABOTAGE = """
import os, time
import gaitdyn.io.c3d.reader as reader
plain = reader.read_c3d
def read(path, *args, **kwargs):
    name = os.path.basename(str(path))
    if os.environ.get("BATCH_WORKER") == "1" and name == "walk02.c3d":
        os.abort()
    if os.environ.get("BATCH_WORKER") == "1" and name == "walk03.c3d":
        time.sleep(600)
    return plain(path, *args, **kwargs)
reader.read_c3d = read
"""

DRIVER = """
import os, sys
from pathlib import Path
from gaitdyn.batch import BatchSettings, run_batch
from tests.read_back import rows_of
class Listener:
    def begin(self, recordings): pass
    def planned(self, plan, trials): pass
    def refused(self, recordings): pass
    def ended(self, outcome): pass
if __name__ == "__main__":
    os.environ["BATCH_WORKER"] = "1"
    settings = BatchSettings(Path(sys.argv[2]), jobs=2, reports=(), limit_s=float(sys.argv[3]))
    for failed in run_batch([Path(sys.argv[1])], settings, Listener()):
        print(failed.file, failed.reason, sep="\\t")
"""


@POSIX
def test_a_reader_that_crashes_or_hangs_costs_its_own_trial(synthetic, tmp_path):
    folder = session(tmp_path / "S01", synthetic, 6)
    (tmp_path / "hook").mkdir()
    (tmp_path / "hook" / "sitecustomize.py").write_text(SABOTAGE, encoding="utf-8")
    (tmp_path / "driver.py").write_text(DRIVER, encoding="utf-8")
    path = os.pathsep.join([str(tmp_path / "hook"), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(tmp_path / "driver.py"), str(folder), str(tmp_path / "out"), "5"]
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert ran.returncode == 0, ran.stderr
    failed = dict(line.split("\t") for line in ran.stdout.splitlines())
    assert set(failed) == {"walk02.c3d", "walk03.c3d"}
    assert "died" in failed["walk02.c3d"]
    assert "took more than 5 s" in failed["walk03.c3d"]
    assert finished(tmp_path / "out") == 4


def mounted(*command: str) -> bool:
    program = shutil.which(command[0])
    words = [program or "", *command[1:]]
    return bool(program) and not subprocess.run(words, check=False, capture_output=True).returncode


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for two trials, where this machine allows one."""
    place = tmp_path / "disk"
    place.mkdir()
    if not mounted("mount", "-t", "tmpfs", "-o", "size=12m", "none", str(place)):
        pytest.skip("no file system can be mounted here")
    yield place
    mounted("umount", "-l", str(place))


def test_a_full_disk_fails_the_trials_that_find_no_room(synthetic, tmp_path, small_disk, gaitdyn):
    folder = session(tmp_path / "S01", synthetic, 6)
    ran = gaitdyn("batch", folder, "-o", small_disk / "out", "--jobs", "1")
    assert ran.returncode == 3, ran.stderr
    assert "no space left" in ran.stderr.lower()
    assert "Traceback" not in ran.stderr
    there = finished(small_disk / "out")
    assert 0 < there < 6
    for place in whole(small_disk / "out"):
        assert {*TABLES, "batch.json"} <= {p.name for p in place.iterdir()}
    assert mounted("mount", "-o", "remount,size=60m", str(small_disk))
    ran = gaitdyn("batch", folder, "-o", small_disk / "out", "--jobs", "1", "--resume")
    assert ran.returncode == 0, ran.stderr
    assert finished(small_disk / "out") == 6


def test_a_cluster_gives_the_same_bytes(done, day, tmp_path, gaitdyn):
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0"
    ) as cluster:
        address = cluster.scheduler_address
        limits = tmp_path / "limits.toml"
        limits.touch()
        words = ("-o", "out", "--quality", limits.name)  # not as the workers see them
        ran = gaitdyn("batch", day / "morning", *words, "--dask", address)
    assert ran.returncode == 0, ran.stderr
    for name in TABLES:
        for trial in ("walk01", "walk02"):
            ours = (tmp_path / "out/S01" / trial / name).read_bytes()
            batch = next(p for p in done[0].glob("S01*") if (p / "walk02").is_dir())
            assert ours == (batch / trial / name).read_bytes()


def test_parquet_partitions_are_one_table_and_that_of_an_archive(synthetic, tmp_path, gaitdyn):
    parquet = pytest.importorskip("pyarrow.parquet", reason="needs pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset", reason="needs pyarrow")
    for name in ("S01", "S02"):  # the same walk: the archive counts the newer one
        session(tmp_path / "day" / name, synthetic, 1)
    words = ("--report", "none", "--jobs", "1", "-o", tmp_path / "out")
    ran = gaitdyn("batch", tmp_path / "day", *words, "--format", "parquet")
    assert ran.returncode == 0, ran.stderr
    assert "unnamed-" not in ran.stderr
    parts = sorted((tmp_path / "out").glob("*/*/curves.parquet"))
    assert len(parts) == 2
    own = dataset.field("session") == "S02"
    together = dataset.dataset([str(p) for p in parts]).to_table(filter=own).to_pylist()
    archive, export = tmp_path / "lab.gaitdyn", tmp_path / "export"
    assert gaitdyn("archive", "add", archive, tmp_path / "out" / "S02").returncode == 0
    ran = gaitdyn("archive", "export", archive, "-o", export, "--format", "parquet")
    assert ran.returncode == 0, ran.stderr
    wanted = parquet.read_table(export / "curves.parquet").to_pylist()
    assert sorted(map(str, together)) == sorted(map(str, wanted))


def test_a_cohort_tells_once_that_ids_are_left_out_and_sessions_count_apart(
    synthetic, tmp_path, gaitdyn
):
    dataset = pytest.importorskip("pyarrow.dataset", reason="needs pyarrow")
    for name in ("S01", "S02"):
        folder = session(tmp_path / "day" / name, synthetic, 1)
        (folder / "session.toml").write_text('[subject]\nid = "SYN01"\n', encoding="utf-8")
    words = ("--report", "none", "--jobs", "1", "--format", "parquet", "--force")
    for more, told in (((), 1), (("--with-names",), 0)):
        ran = gaitdyn("batch", tmp_path / "day", *words, *more, "-o", tmp_path / "out")
        assert (ran.returncode, ran.stderr.count("two sessions are two people")) == (0, told)
        parts = [str(path) for path in (tmp_path / "out").glob("*/*/curves.parquet")]
        (subject,) = set(dataset.dataset(parts).to_table()["subject"].to_pylist())
        assert subject.startswith("unnamed-" if told else "SYN01")


def test_a_cluster_that_is_not_there_is_told(synthetic, tmp_path, monkeypatch, gaitdyn_here):
    pytest.importorskip("distributed")
    folder = session(tmp_path / "S01", synthetic, 1)
    monkeypatch.setattr("gaitdyn.batch.cluster._ANSWER_S", 0.5)
    ran = gaitdyn_here("batch", folder, "--dask", "tcp://127.0.0.1:9")
    assert ran.returncode == 2
    assert "nobody answers" in ran.stderr
    assert len(ran.stderr.strip().splitlines()) == 1
