"""What changed in words: curves, the GPS, a first screen, and that few words are enough."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from gaitdyn.judge.changes.table import change_lines
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.finding import CycleStretch
from gaitdyn.judge.first_page import change_sentences
from gaitdyn.plots.clinic.compared import COMPARED_KEY, compared_entries, compared_sample
from gaitdyn.plots.marks import TextLine
from gaitdyn.quality.rules.anatomy import RANGES
from gaitdyn.report.compared.changed_curves import (
    ChangedCurve,
    change_words,
    changed_curves,
    gps_change_words,
    gps_verdict_words,
)
from gaitdyn.report.compared.comparison import compare_views, comparisons_of
from gaitdyn.report.first_screen.since import since_lines
from gaitdyn.report.first_screen.wording import TITLES
from gaitdyn.report.page.document import page_text
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.types.subject import SIDES
from tests.benchmark_scripts import script

if TYPE_CHECKING:
    from gaitdyn.report import Report
    from gaitdyn.statistics.families import Word

WHOLE = CycleStretch("", 0.0, 100.0, 40.0, -17.8, float("nan"), 7.0, "over the whole cycle")
LONG = CycleStretch(
    "pre-swing", 6.0, 55.0, 50.0, -0.92, float("nan"), 0.24,
    "from loading response to pre-swing 6-55 %",
)  # fmt: skip


def changed(report: Report, words: dict[str, Word]) -> Report:
    """Return a report in which curves of both sides changed: word by curve, or of all others."""
    (pair,) = report.judgement.pairs
    findings = tuple(
        replace(
            one, word=words.get(one.curve, words.get("", one.word)), level=float("nan"), reason="",
            places=(WHOLE if "angle" in one.curve else LONG,),
        )
        for one in pair.findings
    )  # fmt: skip
    told = replace(report.judgement, pairs=(replace(pair, findings=findings),))
    return replace(report, judgement=told)


def test_what_is_clear_comes_first_with_size_limit_unit_and_place(compared: Report) -> None:
    words: dict[str, Word] = {
        "": "not shown", "knee_angle_flexion": "possible", "hip_moment_extension": "clear",
    }  # fmt: skip
    report = changed(compared, words)
    view = report.views[0]
    findings = [one for one in report.judgement.pairs[0].findings if one.side == "right"]
    told, unchanged, _ = changed_curves(findings, (view.kinematics, view.kinetics))
    assert [(one.title, one.word) for one in told] == [
        ("Hip ext moment", "clear"), ("Knee flexion", "possible"),
    ]  # fmt: skip
    assert unchanged == ""
    assert told[0].size == "\u22120.92 (0.24) N\u00b7m/kg"
    assert told[1].sided == (
        "Right knee flexion \u221217.8\u00b0 (limit 7.0): possible, over the whole cycle"
    )
    lines = since_lines(report)
    assert lines[0].startswith(("Left: GPS", "Right: GPS"))
    assert all(f"{side}: GPS " in lines[0].lower().replace("gps", "GPS") for side in SIDES)
    assert lines[1].startswith("Left hip ext moment")
    assert len(lines) == 1 + 3 + 1
    assert lines[-1].endswith("curves judged: 2 clear, 2 possible (by chance, 1 in 20).")
    judged, none = (changed(compared, {"": word}) for word in ("not shown", "not judged"))
    notes = [comparisons_of(one)[0].sides[0].table_note for one in (judged, none)]
    assert notes == ["Only the GPS and the curves are judged.", "Only the GPS is judged."]


SHAPE = CycleStretch("mid swing", 70.0, 80.0, 75.0, 6.0, float("nan"), 8.0, "in mid swing 70-80 %")


@pytest.mark.parametrize(
    ("word", "level", "place", "corner", "cell"),
    [
        ("not shown", 2.0, SHAPE, "shape +6.0 (8.0)\u00b0", "+6.0 (8.0) shape, not shown"),
        ("not shown", 7.5, SHAPE, "\u0394 +7.5 (9.0)\u00b0", "+7.5 (9.0) not shown"),
        ("clear", 8.5, SHAPE, "shape +6.0 (8.0)\u00b0", "+6.0 (8.0) shape, clear"),
        ("clear", -17.8, WHOLE, "\u0394 \u221217.8 (7.0)\u00b0", "-17.8 (7.0) clear"),
    ],
)
def test_page_and_table_tell_the_same_size_of_a_change(
    compared: Report, word: Word, level: float, place: CycleStretch, corner: str, cell: str
) -> None:
    """The size that the verdict rests on, or of a change that is not shown the nearest to it."""
    (pair,) = compared.judgement.pairs
    knee = next(f for f in pair.findings if (f.side, f.curve) == ("left", "knee_angle_flexion"))
    told = replace(knee, word=word, level=level, level_limit=9.0, places=(place,), planned="")
    assert change_words(told) == corner
    _, row, *_ = change_lines([told])
    assert row.removeprefix("knee flexion, deg").strip().removesuffix("-").strip() == cell


def test_what_lowers_every_change_is_told_before_the_changes(compared: Report) -> None:
    """Of two sessions in the wrong order the first screen said how many changes were possible."""
    (pair,) = compared.judgement.pairs
    lowered = replace(pair, lowered=("the age falls from 45 to 12 years",))
    report = replace(compared, judgement=replace(compared.judgement, pairs=(lowered,)))
    first, *others = since_lines(report)
    assert first == "no change is called clear: the age falls from 45 to 12 years"
    assert tuple(others) == since_lines(compared)


def test_a_planned_change_is_told_once_with_the_reasons_that_are_its_own(compared: Report) -> None:
    lowered = "the visits of 2024-01-10 and 2024-09-12 share a static"
    own = "first session: usable with care; second session: usable with care"
    report = changed(compared, {"": "not shown", "knee_angle_flexion": "possible"})
    (pair,) = report.judgement.pairs
    knee = next(f for f in pair.findings if (f.side, f.curve) == ("left", "knee_angle_flexion"))
    reason = f"{lowered}; {own}"
    plan = replace(
        knee, planned="left knee_angle_flexion swing", reason=reason,
        sentence=f"left knee flexion 6-55 %: 18 deg less than before: possible (planned); {reason}",
    )  # fmt: skip
    told = replace(pair, findings=(*pair.findings, plan), lowered=(lowered,))
    assert [lowered in line for line in change_sentences(told)].count(True) == 1
    report = replace(report, judgement=replace(report.judgement, pairs=(told,)))
    lines = since_lines(report)
    assert lines[2] == (
        "left knee flexion 6\u201355 %: 18 deg less than before: possible (planned); usable with"
        " care, both times"
    )
    assert [line.split(" \u2212")[0] for line in lines[3:-1]] == ["Right knee flexion"]
    words = [mark.text for mark in clinic_sheets(report)[0].marks if isinstance(mark, TextLine)]
    assert any(word.startswith("Left knee flexion 6\u201355 %: 18 deg") for word in words)
    elsewhere = replace(plan, places=(SHAPE,))  # not where the whole curve changes most
    told = replace(pair, findings=(*pair.findings, elsewhere))
    report = replace(report, judgement=replace(report.judgement, pairs=(told,)))
    assert any(line.startswith("Left knee flexion \u2212") for line in since_lines(report))


def test_the_pelvis_has_no_side(compared: Report) -> None:
    report = changed(compared, {"": "not shown", "pelvis_angle_tilt": "clear"})
    assert since_lines(report)[1].startswith("Pelvic tilt ")


@pytest.mark.parametrize(
    ("word", "told", "line"),
    [
        ("not shown", "Nothing is shown to have changed.", "none is shown to have changed."),
        ("not judged", "Nothing could be judged.", "No curve could be judged: one stride."),
    ],
)
def test_nothing_is_told_in_words_of_its_own(
    compared: Report, word: Word, told: str, line: str
) -> None:
    report = changed(compared, {"": word})
    (pair,) = report.judgement.pairs
    findings = tuple(replace(one, reason="one stride") for one in pair.findings)
    told_of = replace(report.judgement, pairs=(replace(pair, findings=findings),))
    report = replace(report, judgement=told_of)
    for side in comparisons_of(report)[0].sides:
        assert (side.changed, side.unchanged) == ((), told)
    assert since_lines(report)[-1].endswith(line)


def test_a_panel_without_a_mean_says_in_which_session_it_lacks(compared: Report) -> None:
    first, second = (replace(view, curves={}) for view in compared.straight)
    (pair,) = compared.judgement.pairs
    unjudged = replace(pair, findings=())
    for views, told in (
        ((first, compared.straight[1]), "not known in A"),
        ((compared.straight[0], second), "not known in B"),
        ((first, second), "not known in A and B"),
    ):
        (panel, *_) = compare_views(*views, unjudged).sides[0].panels
        assert panel.drawn is not None
        assert told in [m.text for m in panel.drawn.marks if isinstance(m, TextLine)]


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (8.0, "no more than remeasurement alone would produce (1.3\u00b0), too little to matter"),
        (7.6, "more than remeasurement alone would produce (1.3\u00b0), too little to matter"),
        (7.0, "more than remeasurement alone would produce (1.3\u00b0), and enough to matter"),
    ],
)  # fmt: skip
def test_a_change_of_the_gps_is_measured_and_weighed(after: float, words: str) -> None:
    assert f": {words}" in gps_change_words("left", 9.0, after)
    on = gps_change_words("left", 9.0, after, markers_on=True)
    assert on.endswith(
        f": {'enough to matter' if 'and' in words else 'too little to matter'} (1.6\u00b0)."
    )
    assert gps_change_words("left", None, after) == ""


@pytest.mark.parametrize(
    ("after", "words"),
    [
        (7.43, "GPS \u22121.57\u00b0: more than remeasurement"),  # "-1.6: too little" beside 1.6
        (7.4, "GPS \u22121.6\u00b0: more than remeasurement"),  # 9.0 - 7.4 is less than 1.6
        (7.66, "GPS \u22121.34\u00b0: more than remeasurement"),
        (7.7, "GPS \u22121.3\u00b0: no more than remeasurement"),
    ],
)
def test_a_change_of_the_gps_never_looks_like_the_limit_that_it_misses(
    after: float, words: str
) -> None:
    told = gps_verdict_words(9.0, after)
    assert told.startswith(words)
    assert ("enough to matter" in told) == (after == 7.4)


def test_page_and_sheets_list_every_changed_curve_once(compared: Report) -> None:
    report = changed(compared, {"": "possible"})
    (found,) = comparisons_of(report)
    page = page_text(report)
    sheets = clinic_sheets(report)
    words = [m.text for sheet in sheets for m in sheet.marks if isinstance(m, TextLine)]
    for side in found.sides:
        assert len(side.changed) == 21  # every curve that is judged
        for one in side.changed:
            assert one.size in page
    changes = page.partition("<h3>What changed")[2]
    assert changes.count('<span class="ph">over the whole cycle</span>') == 2 * 11
    assert sum("(limit " in text for text in words) == 2 * 10 + 3  # and on the first sheet
    assert words.count("and 11 more, in the annex") == 2


def test_few_words_tell_a_comparison_in_which_every_curve_changed(compared: Report) -> None:
    words_before = script("report").words_before
    for word in ("clear", "possible", "not shown", "not judged"):
        report = changed(compared, {"": word})
        assert 100 < words_before(page_text(report)) <= 400


def test_the_first_screens_of_a_comparison_are_brief_and_say_so(
    report: Report, compared: Report
) -> None:
    assert page_text(report).count('<a href="#p-') == 6
    text = page_text(compared)
    assert text.count('<a href="#p-') == 2 * 3
    assert text.count("Only the largest; all curves are below, one by one.") == 2
    for label in ("before", "after"):
        assert f"curves against the norm, {label}, one by one" in text


def test_the_key_of_the_comparison_is_one_on_page_and_paper(compared: Report) -> None:
    lines = [one.words for one in compared_entries("before", "after")]
    assert lines[:2] == ["A before", "B after"]
    # the bar is the level of change.csv: a median
    assert "its median over the cycle, and the limit it must pass" in lines
    assert "shape: beside the median" in lines  # "shape +3.4 (7.6)" over a panel
    page = page_text(compared)
    sheets = clinic_sheets(compared)
    told = " ".join(m.text for sheet in sheets for m in sheet.marks if isinstance(m, TextLine))
    for line in lines:
        assert page.count(f"</svg>{line}</span>") + page.count(f"<span>{line}</span>") == 2
        assert told.count(line) >= 4  # angles and loads of each side
    for kind in COMPARED_KEY:
        for side in ("left", "right"):
            marks = compared_sample(kind, 0.0, 0.0, 8.0, side)
            assert bool(marks) == (kind not in ("largest", "shape"))


def test_five_narrow_columns_leave_the_key_beside_them(compared: Report) -> None:
    sides = [replace(side, columns=n) for side in comparisons_of(compared)[0].sides for n in (4, 5)]
    assert [side.full for side in sides] == [False, True] * 2


@pytest.mark.parametrize(
    ("title", "words"),
    [
        ("Pelvic tilt", "Pelvic tilt"), ("Pelvic rotation", "Left pelvic rotation"),
        ("Knee flexion", "Left knee flexion"),
    ],
)  # fmt: skip
def test_a_change_whose_sign_depends_on_the_side_names_it(title: str, words: str) -> None:
    """A pelvis that turned by 10 degrees was told "+10.0", the same forward as back."""
    one = ChangedCurve("left", title, "+10.0", "5.0", "\u00b0", "over the whole cycle", "clear")
    assert one.sided.startswith(f"{words} +10.0\u00b0 (limit 5.0): clear")


def test_the_change_of_a_printed_panel_has_a_line_of_its_own(compared: Report) -> None:
    """Beside a title as long as "Knee adduction (varus)" the two overlapped in five columns."""
    report = changed(compared, {"": "possible"})
    sheets = clinic_sheets(report)
    size = re.compile(r"\u0394 [+\u2212][0-9.]+ \([0-9.]+\)\u00b0?")
    found = []
    for sheet in sheets:
        lines = [mark for mark in sheet.marks if isinstance(mark, TextLine)]
        changes = [mark for mark in lines if size.fullmatch(mark.text)]
        titles = [(mark.x, mark.y) for mark in lines if mark.bold]
        assert all(any(x == c.x and 2.0 < y - c.y < 4.0 for x, y in titles) for c in changes)
        found += [len(changes)] if changes else []
    assert len(found) == 4  # angles and loads of each side


def test_sentences_and_panels_name_the_pelvis_alike() -> None:
    """Tables had "pelvis obliquity", panels "Pelvic obliquity"."""
    told = {rule.name: rule.title for rule in curve_rules()}
    pelvis = [name for name in told if name.startswith("pelvis")]
    assert [told[name] for name in pelvis] == [TITLES[name].lower() for name in pelvis]
    assert {what for place, _, what in RANGES.values() if place == "pelvis"} == {
        "pelvic tilt", "pelvic obliquity",
    }  # fmt: skip
