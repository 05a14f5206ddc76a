"""Where reports are written: never over another's file, whole or not at all."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gaitdyn.errors import OutputRefused, UsageError
from gaitdyn.judge.together import Judgement
from gaitdyn.report import Report, files, make_report, report_files, write_report
from gaitdyn.report.files import report_figures
from gaitdyn.store.pages import is_our_page

OURS = {
    ".html": b'<!doctype html>\n<meta name="generator" content="gaitdyn 0.0.1">\nold',
    ".pdf": b"%PDF-1.4\n1 0 obj << /Creator (gaitdyn) >> old",
}
ENDINGS = (".html", ".pdf")


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make what is written small: what it holds is tested elsewhere."""

    def content(report: Report, ending: str, *more: Any) -> bytes:
        return OURS[ending.replace(files.ANNEX, ".pdf")].replace(b"old", b"new")

    monkeypatch.setattr(files, "_content", content)


def refused(report: Any, path: Path, *, force: bool = False) -> str:
    with pytest.raises(OutputRefused) as error:
        write_report(report, [path], force=force)
    text = str(error.value)
    assert "\n" not in text
    assert str(path) in text
    return text


# ---------------------------------------------------------------- names


def test_a_report_of_one_folder_lies_in_it(tmp_path: Path) -> None:
    assert report_files([tmp_path], None, pdf=False) == [tmp_path / "report.html"]
    assert report_files([tmp_path], None, pdf=True) == [
        tmp_path / "report.html",
        tmp_path / "report.pdf",
    ]


def test_a_report_of_several_folders_lies_where_one_is() -> None:
    assert report_files([Path("a"), Path("b")], None, pdf=False) == [Path("gaitdyn-report.html")]


def test_the_ending_of_the_name_says_what_is_written() -> None:
    one = [Path("a")]
    assert report_files(one, Path("x.html"), pdf=False) == [Path("x.html")]
    assert report_files(one, Path("x.html"), pdf=True) == [Path("x.html"), Path("x.pdf")]
    assert report_files(one, Path("x.pdf"), pdf=False) == [Path("x.pdf")]
    assert report_files(one, Path("x.pdf"), pdf=True) == [Path("x.pdf")]
    assert report_files(one, Path("x.PDF"), pdf=True) == [Path("x.PDF")]


@pytest.mark.parametrize("name", ["report", "report.txt", "report.htm", ".html", "."])
def test_another_ending_is_wrong_usage(name: str) -> None:
    with pytest.raises(UsageError, match=r"wanted a name that ends in \.html or \.pdf"):
        report_files([Path("a")], Path(name), pdf=False)


# ---------------------------------------------------------------- writing


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_file_of_another_is_kept_without_force(
    report: Report, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"letter{ending}"
    path.write_bytes(b"<html>precious</html>")
    assert "--force" in refused(report, path)
    assert path.read_bytes() == b"<html>precious</html>"
    write_report(report, [path], force=True)
    assert b"new" in path.read_bytes()


def test_an_annex_of_another_is_kept_and_the_pdf_is_not_written(
    report: Report, tmp_path: Path
) -> None:
    annex = tmp_path / "report-annex.pdf"
    annex.write_bytes(b"%PDF precious")
    with pytest.raises(OutputRefused, match=r"report-annex\.pdf is not a report of gaitdyn"):
        write_report(report, [tmp_path / "report.pdf"])
    assert [p.name for p in tmp_path.iterdir()] == [annex.name]


@pytest.mark.parametrize("ending", ENDINGS)
def test_a_report_of_ours_is_replaced(report: Report, tmp_path: Path, ending: str) -> None:
    path = tmp_path / f"report{ending}"
    path.write_bytes(OURS[ending])
    written = [path] if ending == ".html" else [path, tmp_path / "report-annex.pdf"]
    written += [tmp_path / "abnormal.csv", tmp_path / "statistics.json"]
    assert write_report(report, [path]) == written
    assert b"new" in path.read_bytes()
    assert sorted(tmp_path.iterdir()) == sorted(written)


def test_a_pdf_that_an_earlier_report_left_is_made_again(report: Report, tmp_path: Path) -> None:
    for name in ("report.pdf", "report-annex.pdf"):
        (tmp_path / name).write_bytes(OURS[".pdf"])
    (tmp_path / "a.pdf").write_bytes(b"%PDF of another")
    (tmp_path / "other.pdf").write_bytes(OURS[".pdf"])
    write_report(report, [tmp_path / "report.html"])
    write_report(report, [tmp_path / "a.html"])
    for name in ("report.html", "report.pdf", "report-annex.pdf"):
        assert b"new" in (tmp_path / name).read_bytes()
    assert (tmp_path / "a.pdf").read_bytes() == b"%PDF of another"
    assert b"old" in (tmp_path / "other.pdf").read_bytes()


def test_tables_of_an_earlier_report_go_with_it(report: Report, tmp_path: Path) -> None:
    plain = replace(report, judgement=Judgement((), (), ()))
    for page, before in (("report.html", ""), ("a.html", "a-")):
        write_report(report, [tmp_path / page])
        (tmp_path / f"{before}change.csv").write_bytes(b"side,curve,phase\nof another\n")
        write_report(plain, [tmp_path / page])
        assert (tmp_path / f"{before}change.csv").is_file()
        assert not (tmp_path / f"{before}abnormal.csv").exists()
        assert not (tmp_path / f"{before}statistics.json").exists()


def test_a_pdf_of_ours_under_the_name_of_a_page_is_not_ours(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(OURS[".pdf"])
    refused(report, path)


def test_when_one_of_two_files_is_refused_none_is_written(report: Report, tmp_path: Path) -> None:
    page, pdf = tmp_path / "a.html", tmp_path / "a.pdf"
    pdf.write_bytes(b"%PDF precious")
    with pytest.raises(OutputRefused):
        write_report(report, [page, pdf])
    assert not page.exists()
    assert pdf.read_bytes() == b"%PDF precious"


@pytest.mark.parametrize("ending", [".html", ".svg"])
def test_beside_a_table_of_another_nothing_is_written(
    report: Report, tmp_path: Path, ending: str
) -> None:
    """The page was written, and then the command ended with a refusal."""
    table = tmp_path / "a-abnormal.csv"
    table.write_text("precious", encoding="utf-8")
    with pytest.raises(OutputRefused, match=r"a-abnormal\.csv was not written by gaitdyn"):
        write_report(report, [tmp_path / f"a{ending}"])
    assert [path.name for path in tmp_path.iterdir()] == [table.name]


def test_folders_above_are_made(report: Report, tmp_path: Path) -> None:
    path = tmp_path / "one" / "two" / "a.html"
    write_report(report, [path])
    assert path.is_file()


@pytest.mark.parametrize("force", [False, True])
def test_a_folder_is_refused_even_with_force(report: Report, tmp_path: Path, force: bool) -> None:
    path = tmp_path / "folder.html"
    path.mkdir()
    assert "is a folder, wanted a file" in refused(report, path, force=force)
    assert path.is_dir()


def test_a_file_in_place_of_a_folder_is_told(report: Report, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    assert "cannot write" in refused(report, tmp_path / "file" / "a.html")


def test_a_name_that_is_too_long_is_told(report: Report, tmp_path: Path) -> None:
    refused(report, tmp_path / f"{'n' * 300}.html")


def test_a_disc_that_is_full_leaves_the_old_report(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(OURS[".html"])

    def full(*arguments: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    assert "no space left on device" in refused(report, path)
    assert path.read_bytes() == OURS[".html"]
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


@pytest.mark.skipif(
    os.name == "nt" or not hasattr(os, "geteuid") or os.geteuid() == 0,
    reason="needs permissions that bind the user",
)
def test_a_folder_that_may_not_be_written_is_told(report: Report, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        assert "permission denied" in refused(report, tmp_path / "a.html")
    finally:
        tmp_path.chmod(0o700)


def test_a_file_that_may_not_be_read_is_told(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "report.html"
    path.write_bytes(OURS[".html"])

    def closed(path: Path, _largest: int) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr("gaitdyn.report.files.plain_bytes", closed)
    refused(report, path)


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_a_report_has_the_permissions_of_other_files(report: Report, tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    write_report(report, [tmp_path / "a.html"])
    assert (tmp_path / "a.html").stat().st_mode == (tmp_path / "other").stat().st_mode


# ---------------------------------------------------------------- figures


@pytest.mark.parametrize("ending", [".svg", ".png"])
def test_figures_are_written_under_names_of_their_own(
    report: Report, tmp_path: Path, ending: str
) -> None:
    path = tmp_path / f"walk{ending}"
    assert report_files([Path("a")], path, pdf=False) == [path]
    written = write_report(report, [path])
    assert [p.name for p in written] == [
        f"walk-kinematics{ending}", f"walk-kinetics{ending}", "walk-abnormal.csv",
        "walk-statistics.json",
    ]  # fmt: skip
    assert write_report(report, [path]) == written  # ours are replaced
    start = {".svg": b"<svg ", ".png": b"\x89PNG"}[ending]
    assert all(p.read_bytes().startswith(start) for p in written[:2])


def test_a_figure_has_heavy_means_the_band_and_what_is_in_no_mean(report: Report) -> None:
    kinematics, kinetics = report_figures(report).values()
    assert kinematics.width_mm == kinetics.width_mm == 180.0
    names = [m.name for m in kinematics.marks]
    assert names.count("left mean") == names.count("right mean") == 11
    assert names.count("band") == 2 * 11
    assert "right incomplete" in [m.name for m in kinetics.marks]
    plain = [m.name for m in report_figures(make_report(report.groups))["kinematics"].marks]
    assert "band" not in plain


def test_a_picture_of_another_is_kept(report: Report, tmp_path: Path) -> None:
    other = tmp_path / "walk-kinetics.svg"
    other.write_text("<svg/>", encoding="utf-8")
    with pytest.raises(OutputRefused, match="not a report of gaitdyn"):
        write_report(report, [tmp_path / "walk.svg"])
    assert [p.name for p in tmp_path.iterdir()] == [other.name]


def test_a_file_of_another_ending_is_not_a_page_of_ours(tmp_path: Path) -> None:
    (tmp_path / "compare.csv").write_text("precious", encoding="utf-8")
    assert not is_our_page(tmp_path / "compare.csv")
