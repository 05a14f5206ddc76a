"""Commands that follow find the recording again: by its place, from anywhere, and by --near."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gaitdyn.store.private import without_private


@pytest.fixture
def laboratory(gaitdyn, synthetic, tmp_path):
    """Recordings and results in places that no search of names would join."""
    data = tmp_path / "lab" / "raw" / "2024" / "May" / "S1"
    data.mkdir(parents=True)
    for name in ("static.c3d", "walk01.c3d"):
        shutil.copy(synthetic / name, data)
    out = tmp_path / "lab" / "done" / "by" / "day"
    done = gaitdyn("process", data / "walk01.c3d", "--no-figures", "-o", out)
    assert done.returncode == 0, done.stderr
    return tmp_path / "lab"


RESULTS = Path("done") / "by" / "day" / "walk01"
FOLLOWING = (("export", "--to", "c3d"), ("reproduce",))


def test_where_an_input_is_stands_in_the_results_and_nowhere_else(laboratory):
    document = json.loads((laboratory / RESULTS / "result.json").read_text(encoding="utf-8"))
    told = {entry["role"]: entry for entry in document["inputs"]}
    for role, name in (("trial", "walk01.c3d"), ("static", "static.c3d")):
        assert told[role]["name"] == name
        assert told[role]["relative"] == f"../../../../raw/2024/May/S1/{name}"
        assert (laboratory / RESULTS / told[role]["relative"]).is_file()
    leaving = without_private(document)
    assert "relative" not in str(leaving)
    assert "private" not in leaving


@pytest.mark.slow
@pytest.mark.parametrize("words", FOLLOWING, ids=lambda words: words[0])
def test_it_is_found_from_anywhere(gaitdyn, laboratory, words):
    done = gaitdyn(words[0], laboratory / RESULTS, *words[1:])
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", FOLLOWING, ids=lambda words: words[0])
def test_it_is_found_when_all_moved_together(gaitdyn, laboratory, words):
    moved = laboratory.rename(laboratory.with_name("archive of 2024"))
    done = gaitdyn(words[0], moved / RESULTS, *words[1:])
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("words", FOLLOWING, ids=lambda words: words[0])
def test_it_is_found_near_a_folder_that_is_named(gaitdyn, laboratory, tmp_path, words):
    alone = tmp_path / "x" / "y" / "z" / "w"
    shutil.copytree(laboratory / RESULTS, alone)
    moved = (laboratory / "raw").rename(tmp_path / "elsewhere")
    refused = gaitdyn(words[0], alone, *words[1:])
    assert refused.returncode == 1
    assert "--near FOLDER" in refused.stderr
    done = gaitdyn(words[0], alone, *words[1:], "--near", moved / "2024")
    assert done.returncode == 0, done.stderr


def test_another_file_in_its_place_is_not_taken(gaitdyn, laboratory):
    trial = laboratory / "raw" / "2024" / "May" / "S1" / "walk01.c3d"
    trial.write_bytes(trial.read_bytes() + b"\0" * 512)
    done = gaitdyn("export", laboratory / RESULTS, "--to", "c3d")
    assert done.returncode == 1
    assert "SHA-256" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("to", ["mat", "parquet", "c3d"])
def test_no_export_tells_where_the_recording_was(gaitdyn, laboratory, tmp_path, to):
    if to == "parquet":
        pytest.importorskip("pyarrow")
    done = gaitdyn("export", laboratory / RESULTS, "--to", to, "-o", "out")
    assert done.returncode == 0, done.stderr
    for path in (tmp_path / "out").iterdir():
        content = path.read_bytes()
        assert b"raw/2024" not in content
        assert b'"private"' not in content
