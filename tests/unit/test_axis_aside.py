"""What a doubtful knee axis may cause is listed last, and the page says so."""

from __future__ import annotations

from dataclasses import replace

from gaitdyn.judge.largest import largest_findings
from gaitdyn.metrics.knee_axis import HIP, KneeAxisRemark
from gaitdyn.report import Report
from gaitdyn.report.shown_findings import shown_findings, words_below
from gaitdyn.report.view_headline import view_headline
from gaitdyn.report.views import GroupView
from gaitdyn.types.subject import SIDES

DOUBTED = {(side, HIP) for side in SIDES}
WORDS = "What a knee axis in doubt may cause is last under its verdict."


def doubted(view: GroupView, curves: set[str]) -> GroupView:
    """Return a view of these curves alone, too few strides for a verdict, both axes in doubt."""
    findings = [replace(f, word="not judged") for f in view.findings if f.curve in curves]
    remarks = tuple(KneeAxisRemark(side, 15.0, by_rotations=False) for side in SIDES)
    largest = largest_findings(findings, doubted=DOUBTED)
    return replace(view, findings=tuple(findings), largest=largest, remarks=remarks)


def headline(view: GroupView) -> str:
    return view_headline(view, view.findings, DOUBTED)[0]


def test_what_is_listed_last_for_its_axis_is_not_passed_over_in_silence(report: Report) -> None:
    """A hip rotation 2.7 SD out was last below 1.7 SD, which was called the farthest."""
    view = doubted(report.views[0], {HIP, "hip_angle_adduction"})
    shown = shown_findings(view)
    assert [bool(one.tag) for one in shown] == sorted(bool(one.tag) for one in shown)
    assert {one.tag for one in shown} == {"", "knee axis"}
    assert words_below(view) == WORDS
    assert "farthest from the norm, the knee axis aside: " in headline(view)
    assert "rotated" not in headline(view)


def test_nothing_is_set_aside_where_all_or_none_is_in_doubt(report: Report) -> None:
    for curve in (HIP, "hip_angle_adduction"):
        view = doubted(report.views[0], {curve})
        assert shown_findings(view)
        assert words_below(view) == ""
        assert "farthest from the norm: " in headline(view)
