"""``gaitdyn reproduce`` as its users see it."""

from __future__ import annotations

import json
import shutil

from tests.read_back import one_line
from tests.sealed import close_again


def test_the_same_comes_out(gaitdyn, results):
    done = gaitdyn("reproduce", results)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("the same\n")
    document = json.loads(gaitdyn("reproduce", results, "--json").stdout)
    assert document["same"]
    assert all(entry["largest"] == 0 for entry in document["files"])


def test_a_changed_table_is_shown(gaitdyn, results, synthetic, tmp_path):
    folder = tmp_path / "walk01"
    shutil.copytree(results, folder)
    path = folder / "peaks.csv"
    lines = path.read_text(encoding="utf-8").split("\n")
    cells = lines[1].split(",")
    cells[3] = str(float(cells[3]) * 1.5)
    path.write_text("\n".join([lines[0], ",".join(cells), *lines[2:]]), encoding="utf-8")
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    document["gaitdyn"] = "0.0.1"
    (folder / "result.json").write_text(json.dumps(document), encoding="utf-8")
    assert "seal" in one_line(gaitdyn("reproduce", folder, "--near", synthetic), 1)
    close_again(folder, document)
    done = gaitdyn("reproduce", folder, "--near", synthetic)
    assert done.returncode == 1
    assert done.stderr == ""
    assert "gaitdyn was 0.0.1" in done.stdout
    assert "CHANGELOG.md" in done.stdout
    assert f"value {cells[0]} {cells[1]}" in done.stdout
    assert gaitdyn("reproduce", folder, "--near", synthetic, "--tolerance", 10).returncode == 0


def test_inputs_that_are_gone_are_asked_for(gaitdyn, results, synthetic, tmp_path):
    folder = tmp_path / "deep" / "er" / "still" / "walk01"
    shutil.copytree(results, folder)
    assert "--trial" in one_line(gaitdyn("reproduce", folder), 1)
    assert gaitdyn("reproduce", folder, "--trial", synthetic / "walk01.c3d").returncode == 0


def test_tables_that_a_second_run_does_not_make_are_named(gaitdyn, synthetic, tmp_path):
    trial, place = str(synthetic / "walk01.c3d"), str(tmp_path)
    gaitdyn("process", trial, "--no-figures", "--quiet", "--sweep", "cutoff=6", "-o", place)
    done = gaitdyn("reproduce", str(tmp_path / "walk01"))
    assert "not compared, made in addition to the run: sweep.csv" in done.stdout
    assert done.returncode == 0
