"""``gaitdyn report`` and ``gaitdyn process --report``: files, exit codes, one line for mistakes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from gaitdyn.report.paper import annex
from gaitdyn.store.pages import TABLES
from tests.sealed import close_again

PAGE, PDF = b'<meta name="generator" content="gaitdyn', b"%PDF-"


@pytest.fixture(scope="module")
def results(synthetic, gaitdyn_in, tmp_path_factory):
    """The results folder of a trial, with a page and a PDF in it."""
    out = tmp_path_factory.mktemp("reported")
    words = ("process", synthetic / "walk01.c3d", "--no-figures", "--report", "both")
    done = gaitdyn_in(out, *words, "-o", out)
    assert done.returncode == 0, done.stderr
    return out / "walk01"


@pytest.fixture
def norm_file(tmp_path):
    lines = ["# source: a test", "group,speed,count,curve,percent,mean,sd,unit"]
    lines += [f"free,0.42,25,knee_angle_flexion,{p},{p / 2},5,deg" for p in range(0, 101, 10)]
    path = tmp_path / "own.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def refused(done, code: int = 1) -> str:
    """Check that a command ended in one line, and return it."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert done.stderr.startswith("gaitdyn: ")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    return done.stderr


@pytest.mark.slow
def test_process_puts_page_and_pdf_into_the_results(results):
    assert PAGE in (results / "report.html").read_bytes()
    assert (results / "report.pdf").read_bytes().startswith(PDF)
    names = {path.name for path in results.iterdir()}
    assert {"result.json", "cycles.csv", "values.npz"} <= names
    assert not any(name.startswith(".") for name in names)
    assert [path.name for path in results.parent.iterdir()] == ["walk01"]


def test_process_again_replaces_results_and_reports(results, synthetic, gaitdyn, tmp_path):
    shutil.copytree(results, tmp_path / "out" / "walk01")
    for name, begins in TABLES.items():  # of a report with a reference set, made later
        (tmp_path / "out" / "walk01" / name).write_bytes(begins + b"\n")
    words = ("--no-figures", "-o", "out", "--report", "html", "--quiet")
    done = gaitdyn("process", synthetic / "walk01.c3d", *words)
    assert done.returncode == 0, done.stderr
    names = {path.name for path in (tmp_path / "out" / "walk01").iterdir()}
    assert "report.html" in names
    assert not names & {"report.pdf", *TABLES}
    assert not any("kept" in name for name in names)


def test_a_bad_reference_set_stops_process_and_leaves_nothing(synthetic, gaitdyn, tmp_path):
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n", encoding="utf-8")
    words = ("--no-figures", "--quiet", "--report", "html", "-o", "out")
    said = refused(gaitdyn("process", synthetic / "walk01.c3d", *words, "--norm", bad))
    assert "bad.csv" in said
    assert not (tmp_path / "out" / "walk01").exists()
    assert not list((tmp_path / "out").glob(".*")) if (tmp_path / "out").exists() else True


@pytest.mark.slow
def test_the_page_is_said_and_lies_in_the_results(results, gaitdyn, tmp_path):
    shutil.copytree(results, tmp_path / "walk01")
    (tmp_path / "walk01" / "report.html").unlink()
    (tmp_path / "walk01" / "report.pdf").unlink()
    done = gaitdyn("report", "walk01")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"report: {Path('walk01') / 'report.html'}\n"
    assert PAGE in (tmp_path / "walk01" / "report.html").read_bytes()
    assert not (tmp_path / "walk01" / "report.pdf").exists()
    again = gaitdyn("report", "walk01", "--quiet")
    assert (again.returncode, again.stdout, again.stderr) == (0, "", "")


def test_pdf_writes_both(results, gaitdyn, tmp_path, norm_file):
    done = gaitdyn("report", results, "--pdf", "-o", "new/a.html", "--norm", norm_file)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        f"report: {Path('new') / 'a.html'}",
        f"report: {Path('new') / 'a.pdf'}",
        f"report: {Path('new') / 'a-annex.pdf'}",
        f"table: {Path('new') / 'a-abnormal.csv'}",
        f"table: {Path('new') / 'a-statistics.json'}",
    ]
    page = (tmp_path / "new" / "a.html").read_text(encoding="utf-8")
    assert "Norm: own.csv" in page
    assert (tmp_path / "new" / "a.pdf").read_bytes().startswith(PDF)
    assert (tmp_path / "new" / "a-annex.pdf").read_bytes().startswith(PDF)


@pytest.mark.slow
def test_two_folders_are_pooled_or_compared(results, gaitdyn, tmp_path):
    other = tmp_path / "later" / "walk01"
    shutil.copytree(results, other)
    assert gaitdyn("report", results, other).returncode == 0
    pooled = (tmp_path / "gaitdyn-report.html").read_text(encoding="utf-8")
    assert "Right less left" in pooled
    assert ">Change</th>" not in pooled
    assert gaitdyn("report", results, other, "--compare", "-o", "b.html").returncode == 0
    compared = (tmp_path / "b.html").read_text(encoding="utf-8")
    assert ">Change</th>" in compared
    assert ">Left, later (n " in compared  # the part of the path that differs


@pytest.mark.parametrize(
    ("count", "compare", "words"),
    [
        (1, True, "--compare needs two folders"),
        (2, True, "the same folder is named twice"),
        (2, False, "the same folder is named twice"),
    ],
)
def test_two_different_folders_are_wanted(results, gaitdyn, tmp_path, count, compare, words):
    tail = ("--compare",) if compare else ()
    said = refused(gaitdyn("report", *[results] * count, *tail, "-o", "a.html"))
    assert words in said
    assert not (tmp_path / "a.html").exists()


def test_results_that_lie_deeper_are_named(results, gaitdyn, tmp_path):
    shutil.copytree(results, tmp_path / "all" / "before" / "walk01")
    shutil.copytree(results, tmp_path / "all" / "after" / "walk01")
    said = refused(gaitdyn("report", "all", "-o", "a.html"))
    assert "found results deeper in it, in after, before;" in said
    assert said.rstrip().endswith(f"; name a session, such as {Path('all/after')}")
    assert gaitdyn("report", "all/before", "-o", "a.html").returncode == 0


def test_a_reference_set_without_a_report_is_wrong_usage(synthetic, gaitdyn, tmp_path, norm_file):
    words = ("--no-figures", "-o", "out", "--norm", norm_file)
    said = refused(gaitdyn("process", synthetic / "walk01.c3d", *words), 2)
    assert "--norm is for the report; add --report" in said
    assert not (tmp_path / "out").exists()


def test_a_file_of_another_is_replaced_with_force_alone(results, gaitdyn, tmp_path):
    letter = tmp_path / "letter.html"
    letter.write_text("precious", encoding="utf-8")
    said = refused(gaitdyn("report", results, "-o", letter))
    assert "--force" in said
    assert letter.read_text(encoding="utf-8") == "precious"
    assert gaitdyn("report", results, "-o", letter, "--force").returncode == 0
    assert PAGE in letter.read_bytes()


@pytest.mark.parametrize("damage", ["gone", "empty", "truncated", "garbage", "few"])
def test_damaged_results_end_in_one_line(results, gaitdyn, tmp_path, damage):
    folder = tmp_path / "walk01"
    shutil.copytree(results, folder)
    document, values = folder / "result.json", folder / "values.npz"
    if damage == "gone":
        values.unlink()
    elif damage == "empty":
        shutil.rmtree(folder)
        folder.mkdir()
    elif damage == "truncated":
        document.write_bytes(document.read_bytes()[:700])
    elif damage == "garbage":
        values.write_bytes(b"\xff\xfe\x00garbage" * 40)
    else:
        values.write_bytes(values.read_bytes()[:-5000])
    said = refused(gaitdyn("report", folder, "-o", "a.html"))
    assert "walk01" in said
    assert not (tmp_path / "a.html").exists()


@pytest.mark.slow
def test_what_cannot_be_reported_or_written_ends_in_one_line(results, gaitdyn, tmp_path):
    (tmp_path / "file").write_text("x", encoding="utf-8")
    (tmp_path / "folder.html").mkdir()
    bad = tmp_path / "bad.csv"
    bad.write_text("a,b\n1,2\n", encoding="utf-8")
    for words in (
        ("nowhere",),
        (results / "result.json",),
        (results, "-o", "file/a.html"),
        (results, "-o", "folder.html"),
        (results, "-o", "folder.html", "--force"),
        (results, "-o", f"{'n' * 300}.html"),
        (results, "-o", "a.html", "--norm", bad),
        (results, "-o", "a.html", "--norm", "nowhere.csv"),
        (results, results, results, "--compare", "-o", "a.html"),
    ):
        refused(gaitdyn("report", *words))
    assert {p.name for p in tmp_path.iterdir()} == {"file", "folder.html", "bad.csv"}


@pytest.mark.parametrize(
    "words", [(), ("-o", "a.txt"), ("-o", "folder"), ("--nonsense",), ("-o",), ("--norm",)]
)
def test_wrong_usage_ends_in_code_two(results, gaitdyn, tmp_path, words):
    (tmp_path / "folder").mkdir()
    refused(gaitdyn("report", *((results, *words) if words else ())), 2)


@pytest.mark.slow
def test_a_letter_that_the_type_lacks_is_no_warning(results, gaitdyn_here, tmp_path, monkeypatch):
    sheets = annex.annex_sheets  # of which all but the first have other tables, and take seconds
    monkeypatch.setattr(annex, "annex_sheets", lambda report: sheets(report)[:1])
    folder = tmp_path / "walk01"
    shutil.copytree(results, folder)
    document = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    document["inputs"][0]["name"] = "步态 шаг.c3d"
    close_again(folder, document)
    done = gaitdyn_here("report", folder, "-o", "a.pdf")
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("a.pdf", "a-annex.pdf"):
        assert b"Matplotlib" in (tmp_path / name).read_bytes(), "drawn with other type"
