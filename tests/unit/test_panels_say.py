"""What panels, bars and keys say: the words of their ends, colours of sides, bands, positions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.cycles.strips import CurveStrip
from gaitdyn.plots.clinic.bars import (
    BAR,
    MARKER_WIDTH,
    marker_drawing,
    profile_drawing,
    timing_drawing,
)
from gaitdyn.plots.clinic.compared import (
    AFTER,
    BEFORE,
    SessionDifference,
    compared_drawing,
    compared_sample,
)
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.grids import (
    cells_of,
    kinematic_grid,
    kinetic_grid,
    transverse_grid,
    trunk_grid,
)
from gaitdyn.plots.clinic.palette import FAR, NEAR, PALE, SIDE
from gaitdyn.plots.clinic.panel import panel_drawing
from gaitdyn.plots.clinic.shown import PanelCurve, VerdictStrip, shown_curves
from gaitdyn.plots.frames import tick_label
from gaitdyn.plots.marks import Area, Line, TextLine
from gaitdyn.plots.panels import Panel
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.norms import Band

FLEXION = "knee_angle_flexion"
AT = np.arange(0.0, 101.0, 2.0)

ENDS = {
    "pelvis_angle_tilt": ("fwd", "back"),
    "pelvis_angle_obliquity": ("up", "down"),
    "pelvis_angle_rotation": ("fwd", "back"),
    "hip_angle_flexion": ("flex", "ext"),
    "hip_angle_adduction": ("add", "abd"),
    "hip_angle_internal_rotation": ("int", "ext"),
    "knee_angle_flexion": ("flex", "ext"),
    "knee_angle_adduction": ("add", "abd"),
    "knee_angle_internal_rotation": ("int", "ext"),
    "ankle_angle_dorsiflexion": ("dors", "plant"),
    "ankle_angle_inversion": ("inversion", "eversion"),
    "foot_angle_progression": ("in", "out"),
    "trunk_angle_tilt": ("fwd", "back"),
    "trunk_angle_obliquity": ("up", "down"),
    "trunk_angle_rotation": ("fwd", "back"),
    "spine_angle_flexion": ("flex", "ext"),
    "spine_angle_lateral": ("this side", "other side"),
    "spine_angle_rotation": ("fwd", "back"),
    "hip_moment_extension": ("ext", "flex"),
    "hip_moment_abduction": ("abd", "add"),
    "hip_moment_external_rotation": ("ext", "int"),
    "hip_power": ("gen", "abs"),
    "knee_moment_extension": ("ext", "flex"),
    "knee_moment_abduction": ("abd", "add"),
    "knee_moment_external_rotation": ("ext", "int"),
    "knee_power": ("gen", "abs"),
    "ankle_moment_plantarflexion": ("plant", "dors"),
    "ankle_moment_external_rotation": ("ext", "int"),
    "ankle_power": ("gen", "abs"),
    "grf_x": ("fwd", "back"),
    "grf_y": ("up", ""),
    "grf_z": ("medial", "lateral"),
    "shoulder_moment_extension": ("ext", "flex"),
    "shoulder_moment_adduction": ("add", "abd"),
    "elbow_moment_extension": ("ext", "flex"),
    "waist_moment_extension": ("ext", "flex"),
}
"""Curve -> the words for its positive and its negative end, as docs/names.md defines its sign."""


def panels() -> dict[str, Panel]:
    grids = (
        kinematic_grid(ENDS, inverts=True), kinetic_grid(ENDS), transverse_grid(ENDS), trunk_grid(),
    )  # fmt: skip
    return {c.panel.name: c.panel for grid in grids for c in cells_of(grid) if c.panel is not None}


def test_the_upper_end_of_each_panel_is_the_positive_direction_of_its_curve() -> None:
    assert {name: (panel.top, panel.bottom) for name, panel in panels().items()} == ENDS


def curve(side: str, *levels: float, name: str = FLEXION, **changes: Any) -> PanelCurve:
    whole = tuple(np.full(101, level) for level in levels)
    mean = np.mean(whole, axis=0) if whole else None
    return replace(PanelCurve(side, name, whole, (), mean, (60.0,)), **changes)


def drawing(*curves: PanelCurve, band: Band | None = None, **words: Any) -> tuple[Any, ...]:
    shown = {(c.side, c.name): c for c in curves}
    return panel_drawing(panels()[FLEXION], shown, band, **words).marks


def test_numbers_of_the_axis_stand_at_their_height_and_the_words_at_their_ends() -> None:
    marks = drawing(curve("left", 30.0))
    (mean,) = (m for m in marks if isinstance(m, Line) and m.name == "left mean")
    (zero,) = (m for m in marks if isinstance(m, Line) and m.name == "zero")
    unit = (mean.points[0, 1] - zero.points[0, 1]) / 30.0
    numbers = [m for m in marks if isinstance(m, TextLine) and m.align == "right"]
    assert len(numbers) > 2
    for one in numbers:
        value = float(one.text.replace("\u2212", "-"))
        assert one.text == tick_label(value)
        assert one.y + 3.2 == pytest.approx(zero.points[0, 1] + unit * value)
    top, bottom = (m for m in marks if isinstance(m, TextLine) and m.name == "end")
    assert (top.text, bottom.text) == ("flex \u2191", "ext \u2193")
    assert top.y > mean.points[0, 1] > bottom.y


def test_the_lower_end_of_a_norm_extends_the_axis_too() -> None:
    low = panels()[FLEXION].limits[0]
    band = Band(AT, np.full(51, low + 5.0), np.full(51, 20.0), "deg")
    limits = panel_drawing(panels()[FLEXION], {}, band).limits
    assert limits[0] == low - 15.0


def test_strips_have_the_letters_and_colours_of_their_sides() -> None:
    cells = np.zeros(101, int)
    cells[20:40] = 2
    band = Band(AT, np.zeros(51), np.ones(51), "deg")
    strips = [curve(side, 30.0, strip=VerdictStrip(cells)) for side in SIDE]
    marks = drawing(*strips, band=band)
    bars = [m for m in marks if isinstance(m, Area) and m.name == "strip"]
    letters = {m.text: m for m in marks if isinstance(m, TextLine) and m.text in ("L", "R")}
    assert [bar.colour for bar in bars] == [SIDE["left"], SIDE["right"]]
    assert bars[0].points[:, 1].min() > bars[1].points[:, 1].max()
    assert letters["L"].y > letters["R"].y
    assert (letters["L"].colour, letters["R"].colour) == (SIDE["left"], SIDE["right"])


def test_words_that_only_one_side_has_stand_in_its_own_row() -> None:
    words = VerdictStrip(np.zeros(101, int), "not judged")
    band = Band(AT, np.zeros(51), np.ones(51), "deg")
    marks = drawing(curve("left", 30.0, strip=words), curve("right", 20.0), band=band)
    texts = {m.text: m for m in marks if isinstance(m, TextLine)}
    assert texts["not judged"].y == texts["L"].y > texts["R"].y
    both = drawing(*(curve(side, 30.0, strip=words) for side in SIDE), band=band)
    (shared,) = (m for m in both if isinstance(m, TextLine) and m.text == "not judged")
    assert texts["L"].y > shared.y > texts["R"].y


def test_two_strides_are_thin_lines_and_many_an_area_between_their_percentiles() -> None:
    marks = drawing(curve("right", 10.0, 20.0))
    thin = [m for m in marks if isinstance(m, Line) and m.name == "right stride"]
    (mean,) = (m for m in marks if isinstance(m, Line) and m.name == "right mean")
    heights = [m.points[0, 1] for m in (thin[0], mean, thin[1])]
    assert heights[1] == pytest.approx((heights[0] + heights[2]) / 2)
    unit = (heights[2] - heights[0]) / 10.0
    many = drawing(curve("right", *np.linspace(0.0, 20.0, 21)))
    (area,) = (m for m in many if isinstance(m, Area) and m.name == "right strides")
    assert area.colour == SIDE["right"]
    assert np.ptp(area.points[:, 1]) == pytest.approx(18.0 * unit)  # 1 to 19 deg


def test_an_angle_that_does_not_count_is_drawn_and_not_averaged() -> None:
    strides = [
        CycleCurves(Cycle("left", n, 0.0, 100.0, 60.0), (FLEXION,), ("deg",), np.full((101, 1), x))
        for n, x in ((1, 10.0), (2, 40.0))
    ]
    found = shown_curves(strides, [FLEXION], lambda _: True, lambda c: c.cycle.number == 1)
    one = found["left", FLEXION]
    assert (len(one.whole), len(one.partial)) == (1, 1)
    assert one.mean is not None
    assert set(one.mean) == {10.0}


@pytest.mark.parametrize(("gap", "counts"), [(59, False), (60, False), (61, True)])
def test_a_load_counts_if_it_is_known_up_to_foot_off(gap: int, counts: bool) -> None:
    values = np.ones((101, 1))
    values[gap] = np.nan
    stride = CycleCurves(Cycle("left", 1, 0.0, 100.0, 60.4), ("knee_power",), ("W/kg",), values)
    found = shown_curves([stride], ["knee_power"], lambda _: True)["left", "knee_power"]
    assert bool(found.whole) is counts


# ---------------------------------------------------------------- what a key may name


def test_words_in_place_of_a_verdict_are_no_verdict() -> None:
    cells = np.zeros(101, int)
    for strip, judged in ((VerdictStrip(cells, "not judged"), False), (VerdictStrip(cells), True)):
        shown = DrawnCurves({("left", FLEXION): curve("left", 30.0, strip=strip)}, {})
        assert shown.judged is judged


def test_a_course_has_no_norm_beside_it() -> None:
    band = Band(AT, np.zeros(51), np.ones(51), "deg")
    course = CurveStrip("left", np.arange(3.0), (FLEXION,), np.zeros((3, 1)), ())
    assert DrawnCurves({}, {FLEXION: band}).banded
    assert not DrawnCurves({}, {FLEXION: band}, (course,)).banded


def test_incomplete_strides_are_in_the_key_only_where_they_are_drawn() -> None:
    gap = (np.full(101, 5.0),)
    for levels, pale in (((10.0, 20.0), True), (np.linspace(0.0, 20.0, 21), False)):
        shown = DrawnCurves({("left", FLEXION): curve("left", *levels, partial=gap)}, {})
        assert shown.partial is pale


def test_a_grid_of_incomplete_strides_has_curves_and_no_mean() -> None:
    shown = DrawnCurves({("left", FLEXION): curve("left", partial=(np.ones(101),))}, {})
    grid = kinematic_grid({FLEXION})
    assert shown.shows(grid)
    assert not shown.shows(grid, means=True)
    assert not shown.shows(kinetic_grid({FLEXION}))


# ---------------------------------------------------------------- two sessions


def test_the_earlier_session_is_pale_and_dashed_with_one_sd_of_its_strides() -> None:
    before, after = curve("left", 10.0, 20.0), curve("left", 40.0, 40.0)
    change = SessionDifference(np.full(101, 25.0), None)
    panel = panels()[FLEXION]
    marks = compared_drawing(panel, before, after, None, change, "left", last=True).marks
    first, second = (m for m in marks if isinstance(m, Line) and m.name == "session mean")
    assert (first.stroke.colour, second.stroke.colour) == (PALE["left"], SIDE["left"])
    assert first.stroke.dash
    assert not second.stroke.dash
    unit = (second.points[0, 1] - first.points[0, 1]) / 25.0
    assert unit > 0
    ribbon = next(m for m in marks if isinstance(m, Area) and m.name == "ribbon")
    assert ribbon.colour == PALE["left"]
    assert np.ptp(ribbon.points[:, 1]) == pytest.approx(2 * np.sqrt(50.0) * unit)


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_samples_of_two_sessions_are_as_their_lines(side: str) -> None:
    for kind, colour, (width, dash) in (
        ("before", PALE[side], BEFORE), ("after", SIDE[side], AFTER),
    ):  # fmt: skip
        (line,) = compared_sample(kind, 0.0, 0.0, 8.0, side)
        assert isinstance(line, Line)
        assert line.stroke.colour == colour
        assert line.stroke.dash == tuple(part / width for part in dash)


# ---------------------------------------------------------------- bars


def test_bars_of_the_profile_end_at_their_value_on_the_scale_below() -> None:
    rows = [("Knee", {"left": 5.0, "right": 10.0}, (2.5, 7.5)), ("GPS", {"left": None}, ())]
    marks, _ = profile_drawing(rows)
    at = {m.text: m.x for m in marks if isinstance(m, TextLine) and m.align == "center"}
    bars = {m.name: m for m in marks if isinstance(m, Area) and m.name.endswith("bar")}
    for side, value in (("left", "5"), ("right", "10")):
        assert bars[f"{side} bar"].points[:, 0].min() == pytest.approx(at["0"])
        assert bars[f"{side} bar"].points[:, 0].max() == pytest.approx(at[value])
        assert bars[f"{side} bar"].colour == SIDE[side]
    assert bars["left bar"].points[:, 1].min() > bars["right bar"].points[:, 1].max() > BAR
    near, far = (m for m in marks if isinstance(m, Area) and m.name == "norm")
    assert (near.colour, far.colour) == (NEAR, FAR)
    unit = (at["10"] - at["0"]) / 10.0
    for box, low, high in ((near, 0.0, 2.5), (far, 2.5, 7.5)):
        assert box.points[:, 0].min() == pytest.approx(at["0"] + low * unit)
        assert box.points[:, 0].max() == pytest.approx(at["0"] + high * unit)


def test_the_norm_of_a_number_is_grey_to_one_and_two_sd() -> None:
    far, near = (m for m in marker_drawing({}) if isinstance(m, Area) and m.name == "norm")
    for box, colour, sds in ((far, FAR, 2.0), (near, NEAR, 1.0)):
        assert box.colour == colour
        ends = box.points[:, 0].min(), box.points[:, 0].max()
        half = sds * MARKER_WIDTH / 7
        assert ends == pytest.approx((MARKER_WIDTH / 2 - half, MARKER_WIDTH / 2 + half))


def test_single_support_lies_between_the_other_feet() -> None:
    marks = timing_drawing({"right": (10.0, 50.0, 60.0)})
    labels = {m.text: m.x for m in marks if isinstance(m, TextLine) and m.align == "center"}
    per_cent = (labels["100"] - labels["0"]) / 100.0
    parts = [m for m in marks if isinstance(m, Area) and m.name == "right stance"]
    ends = [(m.points[:, 0].min(), m.points[:, 0].max()) for m in parts]
    found = [((a - labels["0"]) / per_cent, (b - labels["0"]) / per_cent) for a, b in ends]
    assert np.array(found) == pytest.approx(np.array([(0, 10), (10, 50), (50, 60)]))
    assert {m.colour for m in parts} == {SIDE["right"]}
    assert parts[1].alpha < parts[0].alpha == parts[2].alpha


def test_a_stance_that_the_other_strike_does_not_end_is_one_part() -> None:
    marks = timing_drawing({"left": (10.0, 50.0, 40.0)})
    assert len([m for m in marks if isinstance(m, Area) and m.name == "left stance"]) == 1


def test_external_transverse_moments_have_the_opposite_words() -> None:
    cell = cells_of(transverse_grid({"hip_moment_internal_rotation"}))[0]
    assert cell.panel is not None
    assert (cell.title, cell.panel.top, cell.panel.bottom) == ("Hip int rot moment", "int", "ext")


def test_the_area_of_healthy_curves_lies_about_a_mean_of_other_steps() -> None:
    """A norm may have 11 points where the limit of its curves has 101."""
    band = Band(np.linspace(0.0, 100.0, 11), np.linspace(0.0, 40.0, 11), np.ones(11), "deg")
    marks = drawing(curve("left", 30.0), band=replace(band, limit=np.full(101, 5.0)))
    (area,) = (m for m in marks if isinstance(m, Area) and m.name == "within")
    (mean,) = (m for m in marks if isinstance(m, Line) and m.name == "left mean")
    (zero,) = (m for m in marks if isinstance(m, Line) and m.name == "zero")
    unit = (mean.points[0, 1] - zero.points[0, 1]) / 30.0
    assert area.points[:, 1].max() == pytest.approx(zero.points[0, 1] + 45.0 * unit)
    assert area.points[:, 1].min() == pytest.approx(zero.points[0, 1] - 5.0 * unit)
