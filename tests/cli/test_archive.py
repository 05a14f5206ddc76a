"""``gaitdyn archive`` and ``gaitdyn norms build``."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest

from gaitdyn.archive.add import add_record
from gaitdyn.archive.connection import writing
from gaitdyn.metrics.norms.files import read_norm
from tests.read_back import rows_of
from tests.unit import archive_records as records


@pytest.fixture(scope="module")
def visits(synthetic, tmp_path_factory):
    """Two people with a session each; the second's curves are smoother."""
    from gaitdyn.pipeline import process_trial
    from gaitdyn.store import ResultsFolder, write_results
    from gaitdyn.types.options import Options

    place = tmp_path_factory.mktemp("visits")
    for name in ("C01", "C02"):
        toml = place / f"{name}.toml"
        toml.write_text(f'[subject]\nid = "{name}"\nage_years = 30\n', encoding="utf-8")
        cutoff = {"C01": 10.0, "C02": 9.0}[name]
        options = Options(subject=str(toml), condition="barefoot, own pace", cutoff_hz=cutoff)
        result = process_trial(synthetic / "walk01.c3d", options)
        write_results(ResultsFolder(place / name / "walk01"), result)
    return place


def test_what_a_query_pools_is_told_and_in_its_document(gaitdyn, tmp_path):
    made = [
        records.trial(name, condition=condition, moments_in=axes)
        for name, condition, axes in (("a", "shod", "distal"), ("b", "barefoot", "jcs"))
    ]
    with writing(tmp_path / "lab.gaitdyn") as connection:
        for record in made:
            add_record(connection, record)
    done = gaitdyn("archive", "query", "lab.gaitdyn", "hip_moment_extension", "--json")
    assert json.loads(done.stdout)["conditions"] == ["barefoot", "shod"]
    assert done.stderr.splitlines() == [
        "the conditions barefoot, shod are pooled; for one of them add it to --where",
        (
            "found moments in distal and jcs axes; wanted one kind, they are not comparable; add"
            " moments_in=distal to --where"
        ),
    ]


def test_a_query_tells_of_how_many_cycles_and_people_each_value_is(gaitdyn, tmp_path):
    part = np.ones((2, 101), dtype=np.float32)
    part[:, 5:15] = np.nan
    with writing(tmp_path / "lab.gaitdyn") as connection:
        add_record(connection, records.trial("a"))
        other = (records.cycle("left", 1, part),)
        add_record(connection, records.trial("b", subject="S02", cycles=other))
    asked = ("archive", "query", "lab.gaitdyn", "knee_angle_flexion", "--where", "side=left")
    lines = gaitdyn(*asked).stdout.splitlines()
    assert lines[1].split() == ["%", "cycles", "people", "mean", "SD", "SD", "people"]
    assert [line.split()[:3] for line in lines[2:5]] == [["0", "2", "2"], ["10", "1", "1"],
                                                         ["20", "2", "2"]]  # fmt: skip
    document = json.loads(gaitdyn(*asked, "--json").stdout)
    assert document["cycles_known"] == document["subjects_known"] == [2] * 5 + [1] * 10 + [2] * 86
    whole = gaitdyn(*asked[:-1], "side=left,subject=S01").stdout.splitlines()
    assert whole[1].split() == ["%", "mean", "SD"]


@pytest.mark.slow
def test_results_are_added_listed_asked_for_and_exported(gaitdyn, visits, tmp_path):
    done = gaitdyn("archive", "add", "lab.gaitdyn", visits)
    assert (done.returncode, done.stdout) == (0, "lab.gaitdyn: 2 added\n")
    assert done.stderr.splitlines() == [
        "archive 1/2 C01/walk01: added",
        (
            "walk01: this recording now counts as 2 people, C01 and C02; if it is one person, make"
            " the archive again with --subject and one of these for all its results"
        ),
        "archive 2/2 C02/walk01: added",
    ]
    before = (tmp_path / "lab.gaitdyn").read_bytes()
    moved = gaitdyn("archive", "add", "lab.gaitdyn", visits / "C02", "--subject", "C01")
    assert moved.stderr.startswith("walk01: stays with subject C02\n")
    again = gaitdyn("archive", "add", "lab.gaitdyn", visits, "--quiet")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")
    assert (tmp_path / "lab.gaitdyn").read_bytes() == before

    said = gaitdyn("archive", "ls", "lab.gaitdyn").stdout
    assert "C01 C01: 1 trial, 4 cycles, barefoot, own pace\n" in said
    listed = json.loads(gaitdyn("archive", "ls", "lab.gaitdyn", "--json").stdout)
    assert (listed["rows"]["trial"], listed["curves"]["knee_angle_flexion"]) == (2, "deg")

    where = 'condition="barefoot, own pace",side=left,age>=18,speed>1'
    words = ("archive", "query", "lab.gaitdyn", "knee_angle_flexion", "--where", where)
    said = gaitdyn(*words, "--csv", "knee.csv").stdout
    assert said.startswith("knee_angle_flexion (deg): 4 cycles of 2 subjects\n")
    assert said.count("\n") == 14
    one = gaitdyn(*words[:-1], f"{where},subject=C01").stdout
    assert one.startswith("knee_angle_flexion (deg): 2 cycles of 1 subject\n")
    empty = gaitdyn(*words[:-1], "age>99")
    assert empty.stdout == "knee_angle_flexion (deg): 0 cycles of 0 subjects\n"
    assert empty.stderr.startswith("no cycle has this curve and meets --where; only the newest")
    found = json.loads(gaitdyn(*words, "--json").stdout)
    assert (found["cycles"], found["subjects"], len(found["mean"])) == (4, 2, 101)
    curves = [[float(row[f"p{i}"]) for i in range(101)] for row in rows_of(tmp_path / "knee.csv")]
    assert np.allclose(np.mean(curves, axis=0), found["mean"], atol=1e-4)

    done = gaitdyn("archive", "export", "lab.gaitdyn", "-o", "tables", "--where", "subject=C02")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("tables: 1 trial, 4 cycles, ")
    assert (tmp_path / "tables" / "curves.csv").is_file()


@pytest.mark.slow
def test_mistakes_end_in_one_line(gaitdyn, visits, tmp_path):
    gaitdyn("archive", "add", "lab.gaitdyn", visits)
    (tmp_path / "notes.txt").write_text("precious")
    for code, words in [
        (2, ("archive",)),
        (2, ("archive", "query", "lab.gaitdyn", "knee_flexion")),
        (2, ("archive", "query", "lab.gaitdyn", "hip_power", "--where", "name=x")),
        (2, ("archive", "export", "lab.gaitdyn", "-o", "out", "--format", "xml")),
        (1, ("archive", "ls", "none.gaitdyn")),
        (1, ("archive", "add", "notes.txt", visits)),
        (1, ("archive", "add", "nowhere/lab.gaitdyn", visits)),
        (1, ("archive", "add", "lab.gaitdyn", tmp_path / "none")),
        (1, ("archive", "export", "lab.gaitdyn", "-o", tmp_path)),
        (2, ("norms", "build", "-o", "n.csv")),
        (2, ("norms", "build", "-o", "n.csv", visits, "--archive", "lab.gaitdyn")),
        (1, ("norms", "build", "-o", "n.csv", "--archive", "lab.gaitdyn", "--where", "age<3")),
    ]:
        done = gaitdyn(*words)
        assert (done.returncode, done.stdout) == (code, ""), words
        assert done.stderr.startswith("gaitdyn: "), words
        assert done.stderr.count("\n") == 1, words
    asked = gaitdyn("archive", "query", "lab.gaitdyn").stderr
    assert "found neither a curve nor --changed, wanted one of them; `gaitdyn archive ls`" in asked
    assert "found no folder nowhere" in gaitdyn("archive", "add", "nowhere/a.sqlite", visits).stderr
    assert (tmp_path / "notes.txt").read_text() == "precious"
    assert not (tmp_path / "n.csv").exists()


def test_one_bad_folder_is_told_and_the_exit_code_says_so(gaitdyn, visits, tmp_path):
    shutil.copytree(visits / "C01", tmp_path / "C01")
    (tmp_path / "C01" / "walk01" / "values.npz").unlink()
    done = gaitdyn("archive", "add", "lab.gaitdyn", tmp_path / "C01", visits / "C02")
    assert (done.returncode, done.stdout) == (1, "lab.gaitdyn: 1 refused, 1 added\n")
    assert "process the trial again" in done.stderr


def test_an_archive_holds_a_pseudonym_and_never_the_name_in_the_file(gaitdyn, tmp_path):
    from gaitdyn.synthetic import Recording, Walker, write_session

    (tmp_path / "in").mkdir()
    write_session(tmp_path / "in", Walker(), Recording(subject="Erika Mustermann"), trials=1)
    assert b"Mustermann" in (tmp_path / "in" / "walk01.c3d").read_bytes()
    done = gaitdyn("process", tmp_path / "in" / "walk01.c3d", "--no-figures", "-o", "out")
    assert done.returncode == 0, done.stderr
    assert gaitdyn("archive", "add", "lab.gaitdyn", "out").returncode == 0
    for path in tmp_path.glob("lab.gaitdyn*"):
        raw = path.read_bytes().lower()
        assert b"mustermann" not in raw
        assert b"erika" not in raw
    assert gaitdyn("archive", "ls", "lab.gaitdyn").stdout.startswith("unnamed-")


def test_a_pseudonym_that_is_the_name_in_the_file_merges_nobody(gaitdyn, tmp_path):
    from gaitdyn.synthetic import Recording, Walker, write_session

    for name in ("P01", "P02"):
        write_session(tmp_path / name, Walker(), Recording(subject=name), trials=1)
        (tmp_path / name / "session.toml").write_text(f'[subject]\nid = "{name}"\n', "utf-8")
        gaitdyn("process", tmp_path / name / "walk01.c3d", "--no-figures", "-o", f"out/{name}")
    gaitdyn("archive", "add", "lab.gaitdyn", "out")
    gaitdyn("archive", "add", "masked.gaitdyn", "out", "--pseudonyms")
    masked = gaitdyn("archive", "ls", "masked.gaitdyn").stdout
    assert masked.startswith("unnamed-")
    assert "2 subjects, 2 sessions" in masked
    done = gaitdyn("archive", "export", "lab.gaitdyn", "-o", "tables")
    assert "2 pseudonyms found among the names inside the recordings" in done.stderr
    assert [row["subject"] for row in rows_of(tmp_path / "tables" / "trials.csv")] == [
        "subject-1",
        "subject-2",
    ]


@pytest.mark.slow
def test_a_norm_of_an_archive_and_of_its_results_is_the_same(gaitdyn, visits, tmp_path):
    gaitdyn("archive", "add", "lab.gaitdyn", visits)
    done = gaitdyn("norms", "build", "-o", "a.csv", "--archive", "lab.gaitdyn")
    assert done.returncode == 0, done.stderr
    assert "2 subjects; fewer than 20 are a weak norm" in done.stderr
    assert "the recording walk01 counts as 2 people, C01 and C02" in done.stderr
    assert "group free: n 2, v/sqrt(gL) 0.416" in done.stdout
    done = gaitdyn("norms", "build", "-o", "b.csv", visits / "C01", visits / "C02")
    assert (done.returncode, done.stderr.count("computing the reference set")) == (0, 1)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    shown = gaitdyn("norms", "show", "a.csv", "--speed", "0.3")
    assert "matched: speed 0.300 sqrt(gL) below all groups" in shown.stdout
    norm = read_norm(tmp_path / "a.csv")
    assert norm.groups[0].count == 2
    report = gaitdyn("report", visits / "C01", "--norm", "a.csv", "-o", "report.html")
    assert report.returncode == 0, report.stderr


def test_what_changed_is_asked_in_the_place_of_a_curve(gaitdyn, results, tmp_path):
    archive = tmp_path / "lab.gaitdyn"
    gaitdyn("archive", "add", archive, results)
    assert gaitdyn("archive", "query", archive, "--changed").stdout == (
        "nobody has two sessions in the same condition\n"
    )
    done = gaitdyn("archive", "query", archive, "--changed", "--repeats", "none.csv")
    assert (done.returncode, "none.csv: no such file or directory" in done.stderr) == (1, True)
    done = gaitdyn("archive", "query", archive, "knee_power", "--norm", "schwartz2008")
    assert (done.returncode, "are for --changed; leave them out" in done.stderr) == (2, True)
    wrong = gaitdyn("archive", "query", archive)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
