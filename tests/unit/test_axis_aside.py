"""What a doubtful knee axis may cause is listed last, and the page says so."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gaitdyn.judge.largest import largest_findings, set_aside
from gaitdyn.metrics.knee_axis import HIP, KneeAxisRemark
from gaitdyn.plots.marks import Line, TextLine
from gaitdyn.report import Report, make_report, read_groups
from gaitdyn.report.first_screen.around_findings import words_below
from gaitdyn.report.first_screen.headline import view_headline
from gaitdyn.report.first_screen.notices import Notice
from gaitdyn.report.first_screen.shown_findings import shown_findings
from gaitdyn.report.paper.summary import summary_marks
from gaitdyn.report.views import GroupView
from gaitdyn.types.subject import SIDES

if TYPE_CHECKING:
    import pytest

    from gaitdyn.statistics.families import Word

DOUBTED = {(side, HIP) for side in SIDES}
WORDS = "What is marked knee axis is in doubt: it stands below the others of its verdict."


def doubted(view: GroupView, curves: set[str]) -> GroupView:
    """Return a view of these curves alone, too few strides for a verdict, both axes in doubt."""
    findings = [replace(f, word="not judged") for f in view.findings if f.curve in curves]
    remarks = tuple(KneeAxisRemark(side, 15.0, by_rotations=False) for side in SIDES)
    largest = largest_findings(findings, doubted=DOUBTED)
    return replace(view, findings=tuple(findings), largest=largest, remarks=remarks)


def headline(view: GroupView) -> str:
    return view_headline(view, ())[0]


def test_what_is_listed_last_for_its_axis_is_not_passed_over_in_silence(report: Report) -> None:
    """A hip rotation 2.7 SD out was last below 1.7 SD, which was called the farthest."""
    view = doubted(report.views[0], {HIP, "hip_angle_adduction"})
    shown = shown_findings(view)
    assert [bool(one.tag) for one in shown] == sorted(bool(one.tag) for one in shown)
    assert {one.tag for one in shown} == {"", "knee axis"}
    assert words_below(view) == WORDS
    assert "farthest from the norm, the knee axis aside: " in headline(view)
    assert "rotated" not in headline(view)


def test_what_is_in_its_place_by_size_is_not_called_set_aside(report: Report) -> None:
    view = doubted(report.views[0], {HIP, "hip_angle_adduction"})
    by_size = replace(view, largest=tuple(sorted(view.largest, key=lambda one: -one.size_sd)))
    assert set_aside(view.largest, DOUBTED)
    assert not set_aside(by_size.largest, DOUBTED)
    assert words_below(by_size) == ""
    assert "farthest from the norm: " in headline(by_size)


def test_nothing_is_set_aside_where_all_or_none_is_in_doubt(report: Report) -> None:
    for curve in (HIP, "hip_angle_adduction"):
        view = doubted(report.views[0], {curve})
        assert shown_findings(view)
        assert words_below(view) == ""
        assert "farthest from the norm: " in headline(view)


def test_what_is_possible_and_not_pictured_is_told_in_a_sentence(report: Report) -> None:
    """It said "Not listed: 3 possible" below five findings that are not shown."""
    view = replace(report.views[0], largest=(), remarks=())
    words: tuple[Word, ...] = ("clear", "possible", "possible", "not shown")
    for found, told in (
        (words, "Clear in 1 and possible in 2 more curves, not pictured here; "),
        (words[1:2], "Possible in 1 more curve, not pictured here; "),
        (words[3:], ""),
    ):
        findings = tuple(
            replace(f, word=word) for f, word in zip(view.findings, found, strict=False)
        )
        one = replace(view, findings=findings)
        assert len(one.listable) == len(found)
        assert words_below(one) == told + "all curves are below, one by one." * bool(told)


def test_warnings_that_change_no_verdict_are_not_called_none(session: Path) -> None:
    folders = [session / "walk01"]
    (group,) = read_groups(folders)
    (trial,) = group.trials
    row = {**trial.tables["quality"][0], "level": "warning", "message": "left off is late"}
    tables = {**trial.tables, "quality": [*trial.tables["quality"], row]}
    told = make_report([replace(group, trials=(replace(trial, tables=tables),))]).headline
    assert (told.verdict, told.reasons[0]) == ("pass", "left off is late")
    assert told.words == "usable: the warnings below change no verdict"


def test_no_warning_stands_beside_an_axis_to_check_without_naming_it(
    session: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folders = [session / "walk01"]
    plain = make_report(read_groups(folders)).headline
    assert (plain.verdict, plain.words) == ("pass", "no warnings")
    monkeypatch.setattr(
        "gaitdyn.report.views.knee_axis_remark", lambda s, *_: KneeAxisRemark(s, 15.0)
    )
    told = make_report(read_groups(folders)).headline
    assert (told.verdict, told.words) == ("pass", "no warnings; check the knee axis")
    assert told.reasons[-1].startswith("Knee axes to check: adduction (varus) moves 15")


def test_the_sheet_says_that_the_other_curves_are_in_the_annex(report: Report) -> None:
    """It said that they are below, where a sheet has nothing."""
    view = report.views[0]
    seven = replace(view, largest=(view.largest * 7)[:7])
    assert words_below(seven).endswith("all curves are below, one by one.")
    told = " ".join(m.text for m in summary_marks(seven) if isinstance(m, TextLine))
    assert "all curves are in the annex, one by one." in told
    assert "below, one" not in told


def test_a_finding_of_many_lines_stays_above_the_next_one(
    report: Report, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last of two lines below a title of two lines was struck through by the rule."""
    notice = Notice("A notice", "of so many words that little height is left. " * 9)
    view = report.views[0]
    one = replace(
        shown_findings(view)[0], words="Left pelvis rotated more forward", word="not shown",
        phase="mid stance to pre-swing", limit="shown from\u00a013\u00b0",
    )  # fmt: skip
    monkeypatch.setattr("gaitdyn.report.paper.summary.shown_findings", lambda _: (one,) * 6)
    marks = summary_marks(view, (), (notice, notice))
    rules = [m.points[0] for m in marks if isinstance(m, Line) and m.name == "rule"]
    right = [(x, y) for x, y in rules if x > 190.0]
    assert len(right) == 5
    for mark in marks:
        if isinstance(mark, TextLine) and mark.x > 190.0 and mark.text:
            below, above = 0.08 * mark.size_pt, 0.25 * mark.size_pt
            assert not [y for _, y in right if mark.y - below < y < mark.y + above], mark.text
