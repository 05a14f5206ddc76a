"""The command on machines that are not like the one it was written on."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from gaitdyn.batch.owners import folded
from gaitdyn.batch.pages import write_index
from gaitdyn.types.words import system_reason
from gaitdyn_cli.console import run

if TYPE_CHECKING:
    from collections.abc import Callable

    Command = Callable[..., subprocess.CompletedProcess[str]]

LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="names that are not UTF-8, folders that go while they are used"
)
BUFFERED = os.environ | {"PYTHONUNBUFFERED": ""}
FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
NOT_UTF8 = os.fsdecode(b"gru\xdf") if sys.platform == "linux" else ""


def a_session(folder: Path, synthetic: Path, name: str = "walk01") -> Path:
    folder.mkdir(parents=True)
    shutil.copy(synthetic / "static.c3d", folder)
    shutil.copy(synthetic / "walk01.c3d", folder / f"{name}.c3d")
    return folder


def test_the_package_runs_as_a_module(tmp_path: Path):
    command = [sys.executable, "-m", "gaitdyn", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout[:8], done.stderr) == (0, "gaitdyn ", "")


@LINUX
def test_a_name_that_is_not_utf8_costs_a_session_nothing(
    gaitdyn: Command, synthetic: Path, tmp_path: Path
):
    a_session(tmp_path / NOT_UTF8, synthetic, NOT_UTF8)
    out = tmp_path / "out"
    done = gaitdyn("batch", tmp_path / NOT_UTF8, "-o", out, "--jobs", "1")
    assert done.returncode == 0, done.stderr
    page = out / NOT_UTF8 / "report.html"
    assert "gru\ufffd" in page.read_text(encoding="utf-8")
    index = (out / "index.html").read_text(encoding="utf-8")
    assert 'href="gru%DF/report.html"' in index
    assert 'href="gru%DF/gru%DF/report.html"' in index
    assert ",gru\ufffd.c3d,done," in (out / NOT_UTF8 / "summary.csv").read_text(encoding="utf-8")
    again = gaitdyn("batch", tmp_path / NOT_UTF8, "-o", out, "--jobs", "1")
    assert "already done" in again.stderr
    rerun = gaitdyn("reproduce", out / NOT_UTF8 / NOT_UTF8)
    assert rerun.returncode == 0, rerun.stderr
    kept = gaitdyn("archive", "add", tmp_path / "a.db", out / NOT_UTF8)
    assert kept.returncode == 0, kept.stderr


@LINUX
def test_nor_does_it_cost_the_tables_of_a_masked_one(
    gaitdyn: Command, synthetic: Path, tmp_path: Path
):
    pytest.importorskip("pyarrow")
    a_session(tmp_path / NOT_UTF8, synthetic, NOT_UTF8)
    words = "--jobs", "1", "--pseudonyms", "--format", "parquet", "--report", "none"
    masked = gaitdyn("batch", tmp_path / NOT_UTF8, "-o", tmp_path / "masked", *words)
    assert masked.returncode == 0, masked.stderr


@LINUX
@pytest.mark.parametrize("option", ["--rename", "--condition", "--model", "--functional"])
def test_a_text_that_is_not_utf8_is_refused_in_a_line(
    gaitdyn: Command, synthetic: Path, option: str
):
    done = gaitdyn("process", synthetic / "walk01.c3d", option, f"hip_left={NOT_UTF8}")
    assert done.returncode == 2
    assert done.stderr.startswith(f"gaitdyn: {option}: found bytes that are not UTF-8")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("walk01", "WALK01"), ("walk01", "walk01 "), ("walk01", "walk01."), ("Straße", "STRASSE"),
     ("gr\u00fcn", "Gru\u0308n")],
)  # fmt: skip
def test_names_that_some_disk_takes_for_one_are_one(one: str, other: str):
    assert folded(one) == folded(other)


def test_trials_that_a_disk_takes_for_one_have_two_folders(
    gaitdyn: Command, synthetic: Path, tmp_path: Path
):
    folder = a_session(tmp_path / "S01", synthetic, "gr\u00fcn")
    other = folder / "Gru\u0308n.c3d"
    if other.exists():
        pytest.skip("this disk takes them for one")
    shutil.copy(synthetic / "walk01.c3d", other)
    done = gaitdyn("batch", folder, "-o", tmp_path / "out", "--jobs", "1", "--report", "none")
    assert done.returncode == 0, done.stderr
    names = [path.parent.name for path in (tmp_path / "out" / "S01").glob("*/result.json")]
    assert len({folded(name) for name in names}) == 2


def test_a_folder_is_named_as_every_disk_keeps_it(
    gaitdyn: Command, synthetic: Path, tmp_path: Path
):
    """Windows drops a dot or a space at the end of a folder's name, and then does not find it."""
    recording = tmp_path / "aux. " / "walk01 .c3d"
    try:
        recording.parent.mkdir()
        for name in ("walk01.c3d", "static.c3d"):
            shutil.copy(synthetic / name, recording if name == "walk01.c3d" else recording.parent)
    except OSError:
        pytest.skip("this disk has no such names")
    assert gaitdyn("process", recording, "--no-figures", "-o", "one").returncode == 0
    done = gaitdyn("batch", recording.parent, "-o", "all", "--jobs", "1", "--report", "none")
    assert done.returncode == 0, done.stderr
    found = [p.parent.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("result.json")]
    assert sorted(found) == ["all/_aux/walk01", "one/walk01"]


def test_a_session_that_is_named_otherwise_or_moved_is_not_done_again(
    gaitdyn: Command, synthetic: Path, tmp_path: Path
):
    a_session(tmp_path / "day" / "S01", synthetic)
    words = "--jobs", "1", "--report", "none"
    gaitdyn("batch", "day/S01", "-o", "day/out", *words)
    absolute = gaitdyn("batch", tmp_path / "day" / "S01", "-o", "day/out", *words)
    assert "already done" in absolute.stderr
    (tmp_path / "day").rename(tmp_path / "moved")
    moved = gaitdyn("batch", "moved/S01", "-o", "moved/out", *words)
    assert "already done" in moved.stderr
    shutil.copy(synthetic / "walk01.c3d", tmp_path / "moved" / "S01" / "static.c3d")
    other = gaitdyn("batch", "moved/S01", "-o", "moved/out", *words)
    assert "already done" not in other.stderr


@FULL
def test_an_output_that_is_full_is_named(synthetic: Path, tmp_path: Path):
    command = [sys.executable, "-m", "gaitdyn_cli.app", "info", str(synthetic / "walk01.c3d")]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            cwd=tmp_path,
            check=False,
            env=BUFFERED,
        )
    assert (done.returncode, done.stderr) == (1, "gaitdyn: the output: no space left on device\n")


@FULL
def test_a_log_that_is_full_stops_no_work(synthetic: Path, tmp_path: Path):
    words = "process", str(synthetic / "walk01.c3d"), "-o", "out"
    command = [sys.executable, "-m", "gaitdyn_cli.app", *words]
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=full,
            text=True,
            cwd=tmp_path,
            check=False,
            env=BUFFERED,
        )
    assert done.returncode == 0, done.stdout
    assert (tmp_path / "out" / "walk01" / "result.json").is_file()


@LINUX
def test_a_current_folder_that_is_gone_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert run(Path.cwd) == 1
    assert capsys.readouterr().err == "gaitdyn: the current folder: no such file or directory\n"


def test_an_index_of_nothing_is_written(tmp_path: Path):
    assert write_index(tmp_path).read_text(encoding="utf-8").startswith("<!")


def test_an_error_of_windows_is_told_in_the_words_of_the_c_library():
    class OfWindows(OSError):
        winerror = 3

    error = OfWindows(errno.ENOENT, "Das System kann den angegebenen Pfad nicht finden")
    assert system_reason(error) == "no such file or directory"
    assert system_reason(OSError(errno.ENOENT, "Gone")) == "gone"
