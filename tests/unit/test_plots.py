"""The figures: what their panels show, in words and lines, and the files they become."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import numpy as np
import pytest

from gaitdyn.cycles.averages import mean_curve
from gaitdyn.cycles.normalise import cycle_curves
from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.pipeline import process_trial
from gaitdyn.plots import KINEMATICS, KINETICS, draw_figures, figure_sheets, fitting_panel
from gaitdyn.plots.frames import Frame, known_lines, ticks, widened_limits
from gaitdyn.plots.grid_panel import panel_parts
from gaitdyn.plots.grid_style import PERCENT
from gaitdyn.plots.headline import cycle_line, filter_line, moment_line, reason_lines
from gaitdyn.plots.marks import Area, Line, Sheet, Stroke, TextLine, marks_of, text_width
from gaitdyn.plots.panel_curves import panel_strips
from gaitdyn.plots.plan import plan_marks, view_of
from gaitdyn.plots.typeface import regular_width
from gaitdyn.plots.walkway import DrawnPlate, DrawnStep
from gaitdyn.quality import cycle_status
from gaitdyn.tables.columns import run_curves
from gaitdyn.types.options import Assignment, Options

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gaitdyn.plots.marks import Mark
    from gaitdyn.trial import Result

PANELS = [panel for grid in (KINEMATICS, KINETICS) for row in grid for panel in row]
KNEE = KINEMATICS[2][0]
FRAME = Frame(0.0, 0.0, 100.0, 50.0, (0.0, 100.0), (0.0, 1.0))


@pytest.fixture(scope="module")
def walk(synthetic: Path) -> Path:
    return synthetic / "walk01.c3d"


@pytest.fixture(scope="module")
def result(walk: Path) -> Result:
    return process_trial(walk)


def sheets_of(result: Result) -> dict[str, Sheet]:
    curves = run_curves(result)
    return figure_sheets(result, curves, cycle_curves(result, curves))


def words_of(marks: Sequence[Mark], name: str = "") -> list[str]:
    return [m.text for m in marks if isinstance(m, TextLine) and name in (m.name, "")]


def lines_of(marks: Sequence[Mark], name: str) -> list[Line]:
    return [m for m in marks if isinstance(m, Line) and m.name == name]


def knee_strip(values: np.ndarray, side: str = "left") -> CurveStrip:
    at = np.linspace(0.0, 100.0, len(values))
    return CurveStrip(side, at, (KNEE.name,), np.asarray(values, float)[:, None], (60.0,))


def knee_marks(*strips: CurveStrip) -> list[Mark]:
    why = "markers are missing"
    return marks_of(panel_parts(KNEE, FRAME, panel_strips(strips), PERCENT, why, last=True))


@pytest.mark.parametrize(
    "options",
    [
        Options(),
        Options(convention="external"),
        Options(moments_in="lab"),
        Options(moments_in="lab", convention="external"),
        Options(moments_in="proximal", convention="external"),
    ],
)
def test_every_panel_finds_its_curve_whatever_the_convention_and_the_axes(
    walk: Path, options: Options
) -> None:
    result = process_trial(walk, options)
    (names,) = {curves.names for curves in cycle_curves(result, run_curves(result))}
    shown = [fitting_panel(panel, names).name for panel in PANELS]
    assert set(shown) <= set(names)
    assert len(set(shown)) == len(shown)


def test_the_unit_of_a_panel_is_that_of_its_curve(result: Result) -> None:
    curves = cycle_curves(result, run_curves(result))[0]
    units = dict(zip(curves.names, curves.units, strict=True))
    assert {panel.name: panel.unit for panel in PANELS} == {
        panel.name: units[panel.name] for panel in PANELS
    }


def test_an_external_moment_has_the_opposite_words_at_the_ends_of_its_axis() -> None:
    internal = KINETICS[2][0]
    external = fitting_panel(internal, {"ankle_moment_dorsiflexion"})
    assert (internal.top, internal.bottom) == ("plantar", "dorsi")
    assert (external.top, external.bottom) == ("dorsi", "plantar")
    assert external.limits == internal.limits


def test_a_moment_in_laboratory_axes_is_named_by_its_axis_and_has_even_limits() -> None:
    panel = fitting_panel(KINETICS[0][1], {"hip_moment_x", "hip_moment_y", "hip_moment_z"})
    assert (panel.name, panel.top, panel.limits) == ("hip_moment_x", "+x", (-2, 2))


def test_every_panel_has_a_word_at_both_ends_of_its_axis() -> None:
    assert all(panel.top and panel.bottom and panel.top != panel.bottom for panel in PANELS)


def test_a_gap_is_not_bridged() -> None:
    values = np.full(101, 20.0)
    values[40:51] = np.nan
    first, second = lines_of(knee_marks(knee_strip(values)), "left")
    assert (first.points[0, 0], first.points[-1, 0]) == pytest.approx((0.0, 39.0))
    assert (second.points[0, 0], second.points[-1, 0]) == pytest.approx((51.0, 100.0))
    assert np.isfinite(first.points).all()


def test_a_line_lies_where_its_numbers_are() -> None:
    frame = Frame(10.0, 20.0, 50.0, 40.0, (0.0, 100.0), (-10.0, 10.0))
    (line,) = known_lines(frame, np.array([0.0, 50.0]), np.array([-10.0, 5.0]), Stroke("k", 1), "")
    assert isinstance(line, Line)
    assert line.points.tolist() == [[10.0, 20.0], [35.0, 50.0]]


def test_values_beyond_the_limits_extend_the_axis_and_say_so() -> None:
    inside, beyond = (
        knee_marks(knee_strip(np.full(101, 70.0))),
        knee_marks(knee_strip(np.full(101, 110.0))),
    )
    assert not words_of(inside, "extended")
    assert words_of(beyond, "extended") == ["axis extended"]
    (line,) = lines_of(beyond, "left")
    assert line.points[:, 1].max() <= FRAME.top
    assert len(lines_of(beyond, "fixed limit")) == 2


def test_an_axis_is_extended_only_where_the_values_are() -> None:
    assert widened_limits((-1.0, 3.0), np.array([0.0, 3.9, np.nan])) == ((-1.0, 4.0), True)
    assert widened_limits((-1.0, 3.0), np.array([0.0, 3.05])) == ((-1.0, 3.0), False)
    assert widened_limits((-1.0, 3.0), np.array([np.nan])) == ((-1.0, 3.0), False)


def test_ticks_are_round_and_within_their_limits() -> None:
    assert ticks(-0.5, 0.5).tolist() == pytest.approx([-0.4, -0.2, 0.0, 0.2, 0.4])
    assert ticks(0.0, 14.0).tolist() == [0.0, 5.0, 10.0]


def test_a_panel_without_values_says_why() -> None:
    marks = knee_marks(knee_strip(np.full(101, np.nan)))
    assert " ".join(words_of(marks, "no data")) == "no data: markers are missing"
    assert not lines_of(marks, "left")


def test_two_cycles_have_a_mean_and_one_has_none() -> None:
    low, high = knee_strip(np.full(101, 10.0)), knee_strip(np.full(101, 20.0))
    assert not lines_of(knee_marks(low), "left mean")
    (mean,) = lines_of(knee_marks(low, high), "left mean")
    (at_low, at_high) = (line.points[0, 1] for line in lines_of(knee_marks(low, high), "left"))
    assert mean.points[0, 1] == pytest.approx((at_low + at_high) / 2)


def test_a_cycle_with_a_gap_stays_out_of_the_mean() -> None:
    whole, cut = np.array([1.0, 3.0]), np.array([np.nan, 9.0])
    mean = mean_curve([whole, whole + 1.0, cut])
    assert mean is not None
    assert mean.tolist() == [1.5, 3.5]
    assert mean_curve([whole, cut]) is None


def test_left_is_solid_red_and_right_is_dashed_blue() -> None:
    values = np.full(101, 20.0)
    marks = knee_marks(knee_strip(values), knee_strip(values, "right"))
    (left,), (right,) = lines_of(marks, "left"), lines_of(marks, "right")
    assert (left.stroke.colour, left.stroke.dash) == ("#C1272D", ())
    assert right.stroke.colour == "#0057B8"
    assert right.stroke.dash


def test_foot_off_is_a_line_as_high_as_the_panel_at_its_mean() -> None:
    values = np.full(101, 20.0)
    marks = knee_marks(knee_strip(values), replace(knee_strip(values), foot_offs=(64.0,)))
    (line,) = lines_of(marks, "left foot-off")
    assert line.points.tolist() == [[62.0, FRAME.bottom], [62.0, FRAME.top]]


def test_the_headline_tells_cycles_convention_axes_and_filters(result: Result) -> None:
    curves = cycle_curves(result, run_curves(result))
    statuses = cycle_status(result, curves)
    counts = cycle_line(result, curves, statuses)
    assert counts == "Cycles: left 2, 2 with kinetics; right 2, 1 with kinetics and 1 in part"
    assert reason_lines(statuses) == [
        "Right cycle 1: the foot stands where no plate measures its force"
    ]
    external = replace(result, options=Options(convention="external", moments_in="lab"))
    assert "external" in moment_line(external)
    assert "laboratory" in moment_line(external)
    assert "markers 10 Hz, forces 10 Hz" in filter_line(result)
    headline = words_of(sheets_of(result)["kinetics"].marks, "headline")
    assert counts in headline


@pytest.mark.parametrize("hip", ["partial", "skipped"])
def test_a_cycle_with_a_known_ankle_below_an_unknown_hip_has_kinetics_in_part(
    result: Result, hip: Literal["partial", "skipped"]
) -> None:
    curves = cycle_curves(result, run_curves(result))
    statuses = [
        replace(s, status=hip) if (s.side, s.cycle, s.joint) == ("left", 2, "hip") else s
        for s in cycle_status(result, curves)
    ]
    assert "left 2, 1 with kinetics and 1 in part;" in cycle_line(result, curves, statuses)
    unknown = [replace(s, status="skipped") for s in statuses]
    assert "left 2, 0 with kinetics;" in cycle_line(result, curves, unknown)


def test_no_filter_is_called_no_filter(result: Result) -> None:
    raw = Options(cutoff_hz=None, force_cutoff_hz=None)
    assert "none" in filter_line(replace(result, options=raw))
    half = Options(cutoff_hz=6.0, force_cutoff_hz=None, filter="butterworth")
    words = filter_line(replace(result, options=half))
    assert "Butterworth, markers 6 Hz, forces as recorded" in words
    assert "profile" in filter_line(replace(result, options=Options(profile="plug-in-gait")))


def test_a_trial_without_plates_has_no_filter_of_forces(result: Result) -> None:
    bare = replace(result, trial=replace(result.trial, plates=()))
    words = "Filters: quintic spline, markers 10 Hz (cut-off: gain 0.707)"
    assert filter_line(bare) == words
    raw = Options(cutoff_hz=None, force_cutoff_hz=20.0)
    assert filter_line(replace(bare, options=raw)) == "Filters: none, markers as recorded"


def test_a_trial_without_cycles_is_drawn_over_time_and_says_so(result: Result) -> None:
    sheets = sheets_of(replace(result, events=()))
    words = words_of(sheets["kinematics"].marks)
    assert "No complete gait cycle: curves over the whole trial" in words
    assert "across: time, s" in words
    assert lines_of(sheets["kinetics"].marks, "left course")


def test_a_leg_that_is_not_computed_is_told_with_cycles_and_without(result: Result) -> None:
    curves = cycle_curves(result, run_curves(result))
    right = replace(result, sides={"right": result.sides["right"]})
    of_right = [c for c in curves if c.cycle.side == "right"]
    jump = replace(right, task="jump")
    lines = [cycle_line(right, of_right, []), cycle_line(right, [], []), cycle_line(jump, [], [])]
    assert [line.count("left leg not computed") for line in lines] == [1, 1, 1]


def test_without_a_body_mass_there_is_no_kinetics_figure(result: Result) -> None:
    sides = {name: replace(side, kinetics=None) for name, side in result.sides.items()}
    light = replace(result, subject=replace(result.subject, mass_kg=None), sides=sides)
    assert set(sheets_of(light)) == {"kinematics", "forces", "quality"}


def test_without_plates_there_are_kinematics_only(result: Result) -> None:
    sides = {name: replace(side, kinetics=None, wrench=None) for name, side in result.sides.items()}
    trial = replace(result.trial, plates=())
    bare = replace(
        result, trial=trial, sides=sides, contacts=(), no_kinetics="no force plates in the file"
    )
    sheets = sheets_of(bare)
    assert set(sheets) == {"kinematics", "quality"}
    assert "No kinetics: no force plates in the file" in words_of(sheets["kinematics"].marks)


def test_a_rejected_contact_is_grey_and_carries_the_word(walk: Path) -> None:
    result = process_trial(walk, Options(assign=(Assignment(1, "none"),)))
    marks = sheets_of(result)["forces"].marks
    assert {"left", "right", "rejected"} <= set(words_of(marks, "step"))
    assert any(isinstance(m, Area) and m.name == "rejected contact" for m in marks)
    colours = {line.stroke.colour for line in lines_of(marks, "rejected force ends")}
    assert colours == {"#7A7A7A"}


def test_the_key_of_the_forces_names_the_feet_and_arrows_that_are_drawn(result: Result) -> None:
    arrow = "arrow: heel to toe marker at mid-contact"
    assert {"left foot", "right foot", arrow} <= set(words_of(sheets_of(result)["forces"].marks))
    labels = tuple(f"other {label}" for label in result.trial.labels)
    contacts = tuple(c for c in result.contacts if c.side == "left")
    bare = replace(result, contacts=contacts, trial=replace(result.trial, labels=labels))
    words = words_of(sheets_of(bare)["forces"].marks)
    assert "left foot" in words
    assert not {"right foot", arrow} & set(words)


def test_a_doubtful_contact_keeps_its_verdict_if_its_reason_has_no_room(result: Result) -> None:
    first, *others = result.contacts
    doubtful = replace(first, verdict="partial", reason="the foot stands beside the plate " * 9)
    marks = sheets_of(replace(result, contacts=(doubtful, *others)))["forces"].marks
    assert f"{first.side}, partial" in words_of(marks, "contact")


@pytest.mark.parametrize("force", [np.nan, 0.0])  # 0: a foot given to a plate that was off
def test_steps_without_a_force_that_is_used_leave_no_scale_of_forces(
    result: Result, force: float
) -> None:
    force_G, unknown = (np.full((result.recording.n_frames, 3), x) for x in (force, np.nan))
    sides = {
        name: replace(side, wrench=replace(side.wrench, force_G=force_G, cop_G=unknown))
        for name, side in result.sides.items()
        if side.wrench is not None
    }
    marks = sheets_of(replace(result, sides=sides))["forces"].marks
    assert "no data: the force of no step is used" in words_of(marks)
    assert not lines_of(marks, "scale bar")


def test_the_name_of_a_plate_keeps_off_the_names_of_the_steps(result: Result) -> None:
    at = np.array([[0.02, -0.03], [0.06, -0.03]])
    step = DrawnStep("left", at, np.ones((2, 2)), ())
    plate = DrawnPlate(1, np.array([[0, 0], [0.6, 0], [0.6, -0.4], [0, -0.4]]), at, ())
    view = replace(view_of(result, 196.0), plates=[plate], steps=[step], m_per_mm=0.004)
    marks = plan_marks(Frame(0.0, 0.0, 196.0, 120.0, (-0.1, 0.684), (-0.43, 0.05)), view)
    (foot,) = [m for m in marks if isinstance(m, TextLine) and m.text == "left"]
    (name,) = [m for m in marks if isinstance(m, TextLine) and m.text == "plate 1"]
    half = text_width("left", 8.0) / 2
    apart = name.x > foot.x + half or name.x + text_width("plate 1", 8.0) < foot.x - half
    assert apart or abs(name.y - foot.y) >= 2.5


def test_a_force_vector_is_as_long_as_its_force_on_the_scale_bar(result: Result) -> None:
    marks = sheets_of(result)["forces"].marks
    (bar,) = lines_of(marks, "scale bar")
    mm_per_N = np.ptp(bar.points[:, 1]) / 500.0
    tallest = max(np.ptp(line.points[:, 1]) for line in lines_of(marks, "right force ends"))
    side = result.sides["right"].wrench
    assert side is not None
    assert "500 N" in words_of(marks)
    assert max(
        line.points[1, 1] - line.points[0, 1] for line in lines_of(marks, "right force")
    ) == pytest.approx(mm_per_N * np.nanmax(side.force_G[:, 1]), rel=0.03)
    assert tallest > 0


def test_plates_lie_in_the_order_of_walking_and_feet_point_forward(result: Result) -> None:
    marks = sheets_of(result)["forces"].marks
    lefts = [lines_of(marks, f"plate {n}")[0].points[:, 0].min() for n in (1, 2, 3)]
    assert lefts == sorted(lefts)
    long = [line.points for line in lines_of(marks, "foot") if len(line.points) == 2]
    arrows = [points for points in long if np.ptp(points, axis=0).max() > 5.0]
    assert len(arrows) == len([c for c in result.contacts if c.accepted])
    assert all(heel[0] < toe[0] for heel, toe in arrows)


def test_nothing_lies_outside_its_sheet(result: Result) -> None:
    for sheet in sheets_of(result).values():
        points = np.concatenate([m.points for m in sheet.marks if isinstance(m, Line | Area)])
        corner = (sheet.width_mm, sheet.height_mm)
        assert (points >= 0.0).all()
        assert (points <= corner).all()


@pytest.mark.parametrize("letter", ["W", "\u6b65", "i"])
def test_a_long_name_is_cut_where_the_sheet_ends(result: Result, letter: str) -> None:
    """Letters wider than the average ran out of the sheet."""
    recording = replace(result.recording, name=f"{letter * 150}.c3d")
    for sheet in sheets_of(replace(result, recording=recording)).values():
        title = next(m for m in sheet.marks if isinstance(m, TextLine) and m.name == "title")
        wide = regular_width(title.text, title.size_pt)
        assert title.x + wide <= sheet.width_mm - title.x + 1.0
        assert letter == "i" or wide > 0.8 * (sheet.width_mm - 2 * title.x)


def test_files_are_written(result: Result, tmp_path: Path) -> None:
    curves = run_curves(result)
    paths = draw_figures(result, curves, cycle_curves(result, curves), tmp_path / "figures")
    assert [path.name for path in paths] == [
        "kinematics.png",
        "kinetics.png",
        "forces.png",
        "quality.png",
    ]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in paths)


def test_describing_figures_imports_no_drawing_library_and_drawing_not_pyplot() -> None:
    code = (
        "import sys, gaitdyn.plots; assert 'matplotlib' not in sys.modules;"
        "import gaitdyn.plots.render; assert 'matplotlib.pyplot' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
