"""Muscles on the page: what is drawn of a healthy channel, and what stands for another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.emg.muscle_table import joint_of, muscle_table
from gaitdyn.emg.norms import UNKNOWN
from gaitdyn.emg.panels import EmgPanel, emg_panels
from gaitdyn.plots.clinic.muscle_grid import COLUMNS, muscle_grid, muscle_sheet, silent_words
from gaitdyn.plots.clinic.muscles import muscle_drawing
from gaitdyn.plots.marks import Area, Line, Mark, Sheet, TextLine
from gaitdyn.quality.rules.muscles import emg_of
from gaitdyn.report import make_report, pooled
from gaitdyn.report.first_screen.around import banners
from gaitdyn.report.first_screen.around_findings import no_finding_words
from gaitdyn.report.first_screen.both_sides import screen_lines
from gaitdyn.report.groups import Group
from gaitdyn.report.page.document import page_text
from gaitdyn.report.page.muscles import view_muscles
from gaitdyn.report.paper.clinic import clinic_sheets
from gaitdyn.report.paper.grids import kinetics_marks
from gaitdyn.report.paper.layout import BOTTOM
from gaitdyn.report.views import view_of_group
from gaitdyn.store.stored import trial_of_result
from tests.unit.emg_trials import leg, trial
from tests.walks import processed


@pytest.fixture(scope="module")
def walked() -> Any:
    return trial(leg("L") | leg("R"))


def named(marks: tuple[Mark, ...], name: str) -> list[Mark]:
    return [mark for mark in marks if not isinstance(mark, TextLine) and mark.name.endswith(name)]


def panel_of(walked: Any, muscle: str) -> EmgPanel:
    panels = emg_panels([emg_of(walked)])
    return next(p for p in panels if (p.side, p.muscle) == ("left", muscle))


def test_a_recording_of_muscles_alone_has_no_angles_to_warn_of() -> None:
    """Without markers of a model there is nothing that must not be used."""
    muscles = trial_of_result(trial(leg("L")))
    view = view_of_group(Group("", (muscles,)), None, None)
    (box,) = banners(view)
    assert (box.heading, box.kind) == ("Electromyography only", "plain")
    assert box.text == "There are no angles, moments and powers: no marker model fits."
    assert no_finding_words(view) == "Electromyography only: no findings are listed."
    lines = [(line.side, line.word, line.text) for line in screen_lines(view.side_lines)]
    assert lines == [("left", "pass", "EMG 4 of 4 muscles usable."),
                     ("right", "check", "EMG not recorded.")]  # fmt: skip


def test_signal_envelope_norm_and_on_time_lie_in_the_frame(walked):
    drawn = muscle_drawing({"left": panel_of(walked, "tibialis_anterior")}, {"left": 60.0})
    marks = drawn.marks
    (mean,) = named(marks, "mean")
    assert isinstance(mean, Line)
    assert len(mean.points) == 101
    assert len(named(marks, "signal")) == 1
    assert len(named(marks, "band")) == 2
    assert named(marks, "on")
    assert len(named(marks, "foot-off")) == 1
    for mark in marks:
        if isinstance(mark, Line | Area):
            assert mark.points.min() >= 0
            assert mark.points[:, 1].max() <= drawn.height


def test_the_bar_is_where_most_strides_are_on(walked):
    panel = replace(panel_of(walked, "tibialis_anterior"), on_share=np.repeat([0.0, 1.0], [51, 50]))
    (bar,) = named(muscle_drawing({"left": panel}, {}).marks, "on")
    assert isinstance(bar, Area)
    left, right = bar.points[:, 0].min(), bar.points[:, 0].max()
    assert left == pytest.approx(24.0 + 212.0 * 0.51)
    assert right == pytest.approx(24.0 + 212.0)


def test_a_channel_without_curves_says_why(walked):
    none = np.empty(0)
    panel = replace(
        panel_of(walked, "tibialis_anterior"),
        status="rejected", reason="clipped: 12 % of the samples", strides=0, mean=none, sd=none,
        on_share=none, rectified=none, norm=None, norm_sd=None, norm_r=None,
    )  # fmt: skip
    marks = muscle_drawing({"left": panel}, {}).marks
    assert any(isinstance(m, TextLine) and "clipped" in m.text for m in marks)
    assert not named(marks, "mean")


def test_a_long_reason_that_has_no_room_ends_with_dots(walked):
    reason = "unlike its norm (r 0.06): check cable, position and side; " * 5
    doubtful = replace(panel_of(walked, "gastrocnemius"), status="check", reason=reason)
    words = [m.text for m in muscle_sheet("walk", [doubtful], {}).marks if isinstance(m, TextLine)]
    (note,) = [text for text in words if text.startswith("L n ")]
    assert note.endswith("...")
    none = np.empty(0)
    silent = replace(doubtful, mean=none, sd=none, on_share=none, rectified=none)
    lines = [m.text for m in muscle_drawing({"left": silent}, {}).marks
             if isinstance(m, TextLine) and " " in m.text]  # fmt: skip
    assert len(lines) == 3
    assert lines[-1].endswith("...")


def test_left_stands_above_right_in_one_drawing(walked):
    panels = {(p.side, p.muscle): p for p in emg_panels([emg_of(walked)])}
    both = {side: panels[side, "gastrocnemius"] for side in ("left", "right")}
    marks = muscle_drawing(both, {"left": 60.0, "right": 60.0}).marks
    heights = {
        mark.name.split()[0]: mark.points[:, 1]
        for mark in named(marks, "mean")
        if isinstance(mark, Line)
    }
    assert heights["left"].min() > heights["right"].max()


def test_a_side_without_a_channel_of_a_muscle_says_so(walked):
    panel = panel_of(walked, "gastrocnemius")
    marks = muscle_drawing({"left": panel, "right": None}, {}).marks
    assert any(isinstance(m, TextLine) and m.text == "not recorded" for m in marks)


def test_muscles_stand_in_the_columns_of_the_joints(walked):
    (row,) = muscle_grid(emg_panels([emg_of(walked)]))
    titles = [None if cell is None else cell.title for cell in row]
    assert titles == ["Rectus femoris", "Hamstrings", "Gastrocnemius", "Tibialis anterior"]


def test_every_named_muscle_has_a_joint_of_the_page_or_none():
    joints = {row.joint for row in muscle_table()}
    assert joints == {"", *(joint for joint, _ in COLUMNS)}
    assert all(len({r.joint for r in muscle_table() if r.muscle == m}) == 1
               for m in {row.muscle for row in muscle_table()})  # fmt: skip
    assert joint_of("a_muscle_of_the_laboratory") == ""


def test_a_muscle_of_the_laboratory_stands_last(walked):
    own = replace(panel_of(walked, "gastrocnemius"), muscle="biceps_brachii")
    (row,) = muscle_grid([own])
    assert [cell is not None for cell in row] == [False, False, False, True]


def test_muscles_without_curves_are_told_in_words(walked):
    none = np.empty(0)
    dead = replace(
        panel_of(walked, "tibialis_anterior"), muscle="soleus", status="rejected",
        reason="noise only: activity stands 3 dB above rest", strides=0, mean=none,
    )  # fmt: skip
    gone = replace(dead, side="right", status="not_recorded")
    panels = [panel_of(walked, "gastrocnemius"), dead, gone]
    assert silent_words(panels) == "Right leg not recorded. Without curves: soleus (noise only)."
    more = replace(dead, muscle="peroneus_longus"), replace(dead, muscle="vastus", reason="spikes")
    assert silent_words([*panels, *more]).endswith(
        "Without curves: soleus, peroneus longus (noise only); vastus (spikes)."
    )
    assert [cell.muscle for row in muscle_grid(panels) for cell in row if cell] == ["gastrocnemius"]
    assert silent_words([]) == ""


def test_page_sheet_and_figure_draw_the_muscles_once_in_the_same_order(walked, synthetic):
    plain = trial_of_result(processed(synthetic / "walk01.c3d"))
    report = make_report(pooled([plain]))
    assert view_muscles(report.views[0]) == ()
    assert 'data-grid="muscles"' not in page_text(report)
    emg = emg_of(walked)
    report = make_report(pooled([replace(plain, emg=emg)]))
    names = [c.title for row in view_muscles(report.views[0]) for c in row if c is not None]
    assert names == ["Rectus femoris", "Hamstrings", "Gastrocnemius", "Tibialis anterior"]
    text = page_text(report)
    sheets = clinic_sheets(report)
    assert len(sheets) == 4
    figure = muscle_sheet("walk", emg_panels([emg]), {})
    for title in names:
        assert text.count(f"<h3>{title}</h3>") == 1
        assert text.count(f'id="p-0-emg_{title.lower().replace(" ", "_")}"') == 1
        assert [_said(sheet, title) for sheet in sheets] == [0, 0, 1, 0]
        assert _said(figure, title) == 1


@pytest.mark.parametrize("silent", [1, 6], ids=["a line", "two lines"])
def test_many_muscles_without_loads_end_above_the_foot_of_their_sheet(walked, synthetic, silent):
    plain = trial_of_result(processed(synthetic / "walk01.c3d"))
    (view,) = make_report(pooled([replace(plain, emg=emg_of(walked))])).views
    one = replace(panel_of(walked, "rectus_femoris"), norm_group=UNKNOWN)
    hips = [r.muscle for r in muscle_table() if r.joint == "hip" and r.muscle != one.muscle]
    dead = replace(one, muscle="soleus", status="rejected", reason="noise only", mean=np.empty(0))
    view = replace(
        view,
        muscles=(
            one,
            *(replace(one, muscle=m) for m in dict.fromkeys(hips[:4])),
            *(
                replace(dead, muscle=f"soleus_{k}", reason=f"a reason of some length {k}")
                for k in range(silent)
            ),
        ),
        curves={k: found for k, found in view.curves.items() if "angle" in k[1]},
    )
    words = [m for m in kinetics_marks(view) if isinstance(m, TextLine)]
    assert sum("soleus" in m.text for m in words) == (2 if silent > 1 else 1)
    assert min(m.y for m in words) >= BOTTOM + 2.0


def _said(sheet: Sheet, text: str) -> int:
    return sum(isinstance(mark, TextLine) and mark.text == text for mark in sheet.marks)


def test_many_muscles_take_a_sheet_of_their_own(walked, synthetic):
    plain = trial_of_result(processed(synthetic / "walk01.c3d"))
    emg = emg_of(walked)
    assert emg is not None
    second = [replace(c, muscle="soleus") for c in emg.channels if c.muscle == "gastrocnemius"]
    curves = [replace(c, muscle="soleus") for c in emg.curves if c.muscle == "gastrocnemius"]
    more = replace(
        emg, channels=(*emg.channels, *second), curves=(*emg.curves, *curves),
    )  # fmt: skip
    report = make_report(pooled([replace(plain, emg=more)]))
    sheets = clinic_sheets(report)
    assert [_said(sheet, "Soleus") for sheet in sheets] == [0, 0, 0, 1, 0]
    assert page_text(report).count(" of 5</span>") == 5  # every sheet, the patient's too


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({}, "EMG 4 of 4 muscles usable."),
        ({"status": "not_recorded"}, "EMG not recorded."),
        ({"status": "rejected", "reason": "clipped: 9 %"}, "EMG 0 of 4 muscles usable."),
        (
            {"status": "check", "reason": "crossed legs: it fits the cycles of the other leg"},
            "EMG 0 of 4 muscles usable. The sides look exchanged.",
        ),
        (
            {"status": "check", "reason": "crossed cables with L Gast"},
            "EMG 0 of 4 muscles usable. Two cables look crossed.",
        ),
    ],
)
def test_the_trust_line_tells_the_muscles_and_keeps_its_word(walked, synthetic, change, said):
    plain = trial_of_result(processed(synthetic / "walk01.c3d"))
    emg = emg_of(walked)
    assert emg is not None
    channels = [replace(c, **change) if c.side == "left" else c for c in emg.channels]
    shown = replace(plain, emg=replace(emg, channels=tuple(channels)))
    before, after = (make_report(pooled([one])).views[0].side_lines for one in (plain, shown))
    assert [line.word for line in before] == [line.word for line in after]
    assert after[0].text == f"{before[0].text} {said}"
    assert after[1].text.endswith("EMG 4 of 4 muscles usable.")


def test_the_first_muscle_of_a_figure_is_at_its_left_edge(walked):
    """With muscles of the ankle alone, the left half of the figure was empty."""
    panel = panel_of(walked, "gastrocnemius")
    marks = muscle_sheet("walk", [panel], {}).marks
    heads = [m for m in marks if isinstance(m, TextLine) and m.name == "column"]
    assert [head.text for head in heads] == ["Ankle"]
    assert heads[0].x < 12.0  # mm
