"""The cards of findings: their words are true of each side and each stretch that they count."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.finding import CurveFinding, CycleStretch
from gaitdyn.judge.first_page import first_sentences
from gaitdyn.judge.largest import Largest, largest_findings
from gaitdyn.plots.marks import TextLine
from gaitdyn.report import Report
from gaitdyn.report.first_screen.around import limit_lines
from gaitdyn.report.first_screen.around_findings import question_words
from gaitdyn.report.first_screen.shown_findings import ShownFinding, shown_findings
from gaitdyn.report.first_screen.spoken_of import largest_words
from gaitdyn.report.page.group import page_view
from gaitdyn.report.paper.summary import _finding
from gaitdyn.statistics.families import Word
from gaitdyn.types.norms import Band
from tests.unit import judge_cases as cases

KNEE = "knee_angle_flexion"


def stretch(difference: float, start: float = 20.0, limit: float = 5.0) -> CycleStretch:
    end = start + 10.0
    where = f"in mid stance {start:.0f}-{end:.0f} %"
    peak = start + 5.0
    return CycleStretch("mid stance", start, end, peak, difference, difference / 5.0, limit, where)


def two_sided(
    left: tuple[CycleStretch, ...], right: tuple[CycleStretch, ...], word: Word = "clear"
) -> Largest:
    """Return a finding on both knees with these stretches, the farthest first."""
    found: list[CurveFinding] = [
        replace(f, word=word, places=left if f.side == "left" else right)
        for f in find_abnormal([cases.trial(3)], cases.norm()).findings
        if f.curve == KNEE
    ]
    return Largest(tuple(found), (left[0], right[0]))


def card(report: Report, finding: Largest, most: int = 6) -> ShownFinding:
    (shown,) = shown_findings(replace(report.views[0], largest=(finding,)), most)
    return shown


def test_words_of_two_sides_are_true_of_both() -> None:
    """ "Knees less flexed (hyperextended)", of which the left one was never below +0.8 degrees."""
    bands = {KNEE: Band(np.arange(0.0, 101.0), np.full(101, 8.0), np.full(101, 5.0), "deg")}
    for left, right, words in (
        (-7.2, -18.0, "Knees less flexed"), (-18.0, -7.2, "Knees less flexed"),
        (-18.0, -19.0, "Knees less flexed (hyperextended)"), (9.0, 7.0, "Knees more flexed"),
    ):  # fmt: skip
        found = two_sided((stretch(left),), (stretch(right),))
        assert largest_words(found, KNEE, bands) == words


def test_more_stretches_are_those_of_the_same_direction_and_side(report: Report) -> None:
    """ "Hips generate more power ..., and 3 more", of which all three absorbed more."""
    more, again, less = stretch(9.0), stretch(7.0, 40.0), stretch(-6.0, 70.0)
    other = "; less flexed in mid stance 70\u201380 %"
    for left, right, words in (
        ((more, less), (more, less), f"{other} (L)"),
        ((more, again), (more, again), ", and 1 more on each side"),
        ((more, again, less), (more,), f", and L 1 more{other} (L)"),
        ((more,), (more, again, again), ", and R 2 more"),
    ):  # fmt: skip
        shown = card(report, two_sided(left, right))
        phase = f"{shown.phase}{shown.other}"
        assert phase.replace("extended", "flexed") == f"in mid stance 20\u201330 %{words}"
    long = replace(less, where=f"from {'x' * 80}")
    assert card(report, two_sided((more, long), (more,))).other == ""
    alone = two_sided((more, again), (more,))
    alone = Largest(alone.findings[:1], alone.places[:1])
    assert card(report, alone).phase == "in mid stance 20\u201330 %, and 1 more"


def test_a_size_that_is_not_shown_does_not_look_like_the_one_that_is(report: Report) -> None:
    """ "R 18 deg, shown from 18.0 deg"."""
    for size, other, limit, told, least in (
        (17.8, 12.0, 18.04, ("17.8", "12.0"), "18.0"),
        (12.0, 17.8, 18.04, ("12.0", "17.8"), "18.0"),
        (17.96, 12.0, 18.04, ("17.96", "12.00"), "18.04"), (14.0, 12.0, 18.0, ("14", "12"), "18"),
    ):  # fmt: skip
        places = [(stretch(value, limit=limit),) for value in (size, other)]
        found = two_sided(*places, word="not shown")
        shown = card(report, found)
        assert tuple(text for _, text, _ in shown.sizes) == told
        assert shown.limit == f"shown\u00a0from\u00a0{least}\u00b0"
        brief = card(report, found, most=3)
        assert (brief.limit, [len(text) for _, text, _ in brief.sizes]) == ("", [2, 2])


def test_sides_with_different_limits_are_told_both(report: Report) -> None:
    """ "L 25.4, R 27.0, shown from 26.5": the limit of the left foot, below the right's size."""
    for left, right, told in (
        ((25.4, 26.52), (27.0, 28.53), "L 27\u00b0, R 29\u00b0"),
        ((12.0, 25.1), (14.0, 24.9), "25\u00b0"),
    ):
        places = [(stretch(size, limit=limit),) for size, limit in (left, right)]
        shown = card(report, two_sided(*places, word="not shown"))
        assert tuple(text for _, text, _ in shown.sizes) == (f"{left[0]:.0f}", f"{right[0]:.0f}")
        assert shown.limit.replace("\u00a0", " ") == f"shown from {told}"


def test_print_leaves_the_other_direction_out_where_its_words_do_not_fit(report: Report) -> None:
    """ "Absorbs more power ...; generates more power from initial", and no more."""
    shown = card(report, two_sided((stretch(9.0), stretch(-6.0, 70.0)), (stretch(8.0),)))
    for other, told in ((shown.other, True), ("; " + "less flexed in mid stance, " * 6, False)):
        marks = _finding(replace(shown, other=other), 200.0, 100.0, 40.0)
        words = " ".join(m.text for m in marks if isinstance(m, TextLine) and not m.bold)
        assert shown.phase in words
        assert ("less flexed" in words or "less extended" in words) == told
        assert (other in words) == told


@pytest.mark.parametrize("word", ["clear", "possible", "not judged"])
def test_sds_are_told_unless_the_verdict_is_not_shown(report: Report, word: Word) -> None:
    """ "6.9 SD" stood beside "not shown: no larger than chance alone gives"."""
    places = (stretch(9.0),), (stretch(8.0),)
    assert card(report, two_sided(*places, word=word)).peak.endswith(" SD")
    assert card(report, two_sided(*places, word="not shown")).peak == ""


def test_sizes_are_said_to_be_where_the_curve_is_farthest_outside(report: Report) -> None:
    """They are no largest differences: the spread of the norm decides where they are taken."""
    told: tuple[tuple[Word, str], ...] = (
        ("clear", "difference from the norm, where it is farthest outside"),
        ("not shown", "difference, where it is farthest outside"),
    )
    for word, words in told:
        found = two_sided((stretch(9.0),), (stretch(8.0),), word=word)
        assert question_words(replace(report.views[0], largest=(found,))) == words


def test_two_sides_share_a_card_only_if_its_phase_is_that_of_both() -> None:
    """ "L 1.6, R 0.8 from loading response to pre-swing 6-51 %": the right one at 39-47 %."""
    both = [("left", "right")]
    for left, right, sides in (
        ((6, 51), (39, 47), [("left",), ("right",)]), ((39, 47), (6, 51), [("left",), ("right",)]),
        ((6, 51), (20, 47), both), ((6, 51), (2, 40), both),
    ):  # fmt: skip
        stretches = [
            replace(stretch(9.0), start=float(start), end=float(end))
            for start, end in (left, right)
        ]
        found = two_sided((stretches[0],), (stretches[1],)).findings
        assert [one.sides for one in largest_findings(found)] == sides


def test_compared_sessions_say_why_curves_are_not_judged_before_what_chance_does(
    report: Report,
) -> None:
    """A comparison has room for one line, which told of curves called possible, of none."""
    judged, other = two_sided((stretch(9.0),), (stretch(8.0),)).findings
    told = (
        replace(judged, word="not shown"),
        replace(
            other, word="not judged", reason="only 1 whole stride with this curve, 2 are needed"
        ),
    )
    view = replace(report.views[0], findings=told)
    why = "1 curve not judged: only 1 whole stride with it, 2 are needed."
    assert page_view(view, 3)["limits"] == [why]
    assert limit_lines(view)[0] == why


def test_compared_sessions_count_all_curves_that_are_not_judged(report: Report) -> None:
    """ "29 curves not judged", of 39 that were not: the other line had no room."""
    few = "only 1 whole stride with this curve, 2 are needed"
    first, _ = two_sided((stretch(9.0),), (stretch(8.0),), word="not judged").findings
    view = replace(report.views[0], findings=tuple(
        replace(first, reason=reason) for reason in (few, few, few.replace("only 1", "no"))
    ))  # fmt: skip
    said = "not judged, 2 of them: only 1 whole stride with them, 2 are needed."
    assert page_view(view, 3)["limits"] == [f"3 curves {said}"]
    assert len(limit_lines(view)) == 2
    alike = replace(view, findings=view.findings[:2])
    assert page_view(alike, 3)["limits"] == limit_lines(alike)[:1]


def test_what_chance_does_is_said_in_plain_english(report: Report) -> None:
    """ "1 in 20 is called possible by chance" read as if chance called it."""
    findings = two_sided((stretch(9.0),), (stretch(8.0),), word="possible").findings
    one_in_20 = "about 1 healthy curve in 20 is called possible."
    for told, words in (
        (findings, f"2 of 2 curves judged; by chance, {one_in_20}"),
        ([replace(findings[0], word="not shown"), replace(findings[1], word="not judged")],
         f"By chance, {one_in_20}"),
    ):  # fmt: skip
        assert words in limit_lines(replace(report.views[0], findings=tuple(told)))
    (*_, last) = first_sentences(findings)
    assert last.endswith("; by chance, about 1 curve in 20 is called so")
