"""The clinician's panel: limits, ticks, strips, foot-off, what is drawn of each stride."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gaitdyn.judge.curves import curve_rules
from gaitdyn.plots.clinic.axes import ABOVE, LEFT_EDGE, PLOT, TALL, axis_ticks
from gaitdyn.plots.clinic.bars import MARKER_WIDTH, marker_drawing
from gaitdyn.plots.clinic.compared import SessionDifference, compared_drawing
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.figure import figure_sheet
from gaitdyn.plots.clinic.grids import cells_of, kinematic_grid, kinetic_grid, transverse_grid
from gaitdyn.plots.clinic.palette import SIDE
from gaitdyn.plots.clinic.panel import panel_drawing
from gaitdyn.plots.clinic.placing import placed
from gaitdyn.plots.clinic.shown import VerdictStrip, shown_curves
from gaitdyn.plots.clinic.writing import drawing_svg
from gaitdyn.plots.marks import Area, Line, TextLine
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.norms import Band

AT = np.arange(0.0, 101.0, 2.0)
FLEXION, MOMENT = "knee_angle_flexion", "knee_moment_extension"
NAMES = (FLEXION, MOMENT, "grf_z", "grf_y")


def stride(side: str, number: int, level: float, *, gap: tuple[int, int] = (0, 0), off=60.0):
    values = np.full((101, len(NAMES)), level)
    values[gap[0] : gap[1]] = np.nan
    cycle = Cycle(side, number, 0.0, 100.0, off)
    return CycleCurves(cycle, NAMES, ("deg", "N m/kg", "N/kg", "N/kg"), values)


def drawn(*strides: CycleCurves, counts=lambda _: True):
    return shown_curves(strides, NAMES, counts)


def panel_of(name: str):
    grids = (kinematic_grid(NAMES), kinetic_grid(NAMES), transverse_grid(NAMES))
    return next(c.panel for g in grids for c in cells_of(g) if c.panel and c.panel.name == name)


def band(mean: float, sd: float) -> Band:
    return Band(AT, np.full(51, mean), np.full(51, sd), "deg")


# ---------------------------------------------------------------- what is drawn


def test_the_mean_is_of_whole_strides_and_a_gap_is_in_none() -> None:
    found = drawn(
        stride("left", 1, 10.0), stride("left", 2, 20.0), stride("left", 3, 90.0, gap=(40, 50))
    )
    one = found["left", FLEXION]
    assert (len(one.whole), len(one.partial)) == (2, 1)
    np.testing.assert_array_equal(one.mean, np.full(101, 15.0))
    assert one.sd is not None
    np.testing.assert_allclose(one.sd, np.full(101, np.sqrt(50.0)))


def mean_of(curves: Any) -> Any:
    """Return the mean of curves that have one."""
    assert curves.mean is not None
    return curves.mean


def test_loads_count_where_their_step_is_whole_and_angles_always() -> None:
    found = drawn(
        stride("left", 1, 1.0), stride("left", 2, 3.0), counts=lambda c: c.cycle.number == 1
    )
    assert mean_of(found["left", MOMENT])[0] == 1.0
    assert len(found["left", MOMENT].partial) == 1
    assert mean_of(found["left", FLEXION])[0] == 2.0


def key_of(curves: Any, grid: Any) -> list[str]:
    """Return the words at the foot of a figure."""
    sheet = figure_sheet(grid, DrawnCurves(curves, {}))
    return [m.text for m in sheet.marks if isinstance(m, TextLine) and m.name == "key"]


def test_the_key_of_a_figure_names_what_this_figure_shows() -> None:
    found = drawn(
        stride("left", 1, 1.0), stride("left", 2, 3.0), counts=lambda c: c.cycle.number == 1
    )
    pale = "incomplete, not averaged"
    assert pale in key_of(found, kinetic_grid(NAMES))
    assert pale not in key_of(found, kinematic_grid(NAMES))  # all angles are whole


def test_the_key_has_both_the_area_of_many_strides_and_the_incomplete_ones_of_others() -> None:
    found = drawn(
        *(stride("left", n, 1.0) for n in range(12)),
        stride("right", 1, 1.0, gap=(20, 30)),
    )
    words = key_of(found, kinematic_grid(NAMES))
    assert {"5 to 95 % of strides", "incomplete, not averaged"} <= set(words)


def test_words_in_the_place_of_curves_are_not_crossed_by_the_zero_line() -> None:
    for cell in (*cells_of(kinematic_grid(NAMES)), *cells_of(transverse_grid(NAMES))):
        assert cell.panel is not None
        marks = panel_drawing(cell.panel, {}, None, strips=False).marks
        (word,) = [m for m in marks if isinstance(m, TextLine) and m.text == "not measured"]
        for zero in (m for m in marks if isinstance(m, Line) and m.name == "zero"):
            assert not -3.0 < zero.points[0, 1] - word.y < 10.0


def test_a_step_that_counts_may_lack_the_end_of_its_swing_and_no_part_of_its_stance() -> None:
    late = drawn(stride("left", 1, 1.0, gap=(90, 101)))["left", MOMENT]
    assert len(late.whole) == 1
    assert np.isnan(mean_of(late)[95])
    early = drawn(stride("left", 1, 1.0, gap=(20, 30)))["left", MOMENT]
    assert (early.whole, early.mean) == ((), None)
    assert drawn(stride("left", 1, 1.0, gap=(90, 101)))["left", FLEXION].mean is None


def test_the_force_of_the_ground_ends_at_foot_off_and_medial_is_positive() -> None:
    found = drawn(stride("left", 1, 0.5), stride("right", 1, 0.5))
    left, right = mean_of(found["left", "grf_z"]), mean_of(found["right", "grf_z"])
    assert left[30] == 0.5  # to the right is medial of the left foot
    assert right[30] == -0.5
    assert np.isfinite(left[:61]).all()
    assert np.isnan(left[61:]).all()


# ---------------------------------------------------------------- axes


def test_limits_are_fixed_until_a_curve_leaves_them_by_three_per_cent() -> None:
    panel = panel_of(FLEXION)
    assert panel.limits == (-15, 75)
    for level, limits, extended in (
        (77.0, (-15, 75), False),
        (78.0, (-15, 80.0), True),
        (-31.0, (-35.0, 75), True),
    ):
        found = panel_drawing(panel, drawn(stride("left", 1, level)), None)
        assert found.limits == limits
        words = [m for m in found.marks if isinstance(m, TextLine) and m.text == "axis extended"]
        assert bool(words) is extended
        curves = [m.points for m in found.marks if isinstance(m, Line)]
        highest = max(float(points[:, 1].max()) for points in curves)
        assert all(word.y >= highest for word in words)  # it was written over the swing of a knee


def test_a_panel_without_a_norm_says_so_though_its_axis_is_extended() -> None:
    found = panel_drawing(panel_of(FLEXION), drawn(stride("left", 1, 78.0)), None, banded=True)
    texts = [m.text for m in found.marks if isinstance(m, TextLine)]
    assert "axis extended, no norm" in texts


def test_loads_are_extended_in_halves_and_bands_count() -> None:
    panel = panel_of(MOMENT)
    assert panel_drawing(panel, drawn(stride("left", 1, 1.9)), None).limits == (-1, 2.0)
    wide = panel_drawing(panel, drawn(stride("left", 1, 0.0)), band(2.0, 0.3))
    assert wide.limits == (-1, 2.5)


@pytest.mark.parametrize(
    "limits", [(-10, 40), (-20, 20), (-15, 75), (-50, 30), (-2, 2), (0, 14), (-3, 5)]
)
def test_there_are_at_most_five_ticks_and_zero_is_one(limits: tuple[float, float]) -> None:
    found = axis_ticks(*limits)
    assert 2 <= len(found) <= 5
    assert 0.0 in found
    assert limits[0] <= found[0] <= found[-1] <= limits[1]


@pytest.mark.parametrize(
    "limits", [(0.62, 0.64), (1.198, 1.222), (0.0, 0.04), (-1000.0, 9000.0), (0.0, 187000.0)]
)
def test_an_axis_of_any_range_has_numbers(limits: tuple[float, float]) -> None:
    """Step lengths of 0.62 to 0.64 m over three sessions stood on an axis without a number."""
    found = axis_ticks(*limits)
    assert 2 <= len(found) <= 6
    assert limits[0] <= found[0] <= found[-1] <= limits[1]


def test_foot_off_stands_at_the_axis_on_the_left_and_at_the_top_on_the_right() -> None:
    found = panel_drawing(
        panel_of(FLEXION), drawn(stride("left", 1, 1.0), stride("right", 1, 1.0, off=50.0)), None
    )
    ticks = {
        m.name: m.points for m in found.marks if isinstance(m, Line) and m.name.endswith("foot-off")
    }
    top, bottom = found.height - ABOVE, found.height - ABOVE - TALL
    assert ticks["left foot-off"][:, 0] == pytest.approx(LEFT_EDGE + 0.6 * PLOT)
    assert sorted(ticks["left foot-off"][:, 1]) == pytest.approx([bottom, bottom + 10.0])
    assert sorted(ticks["right foot-off"][:, 1]) == pytest.approx([top - 10.0, top])


def test_one_stride_is_the_mean_and_not_drawn_twice() -> None:
    names = [
        m.name for m in panel_drawing(panel_of(FLEXION), drawn(stride("left", 1, 1.0)), None).marks
    ]
    assert names.count("left mean") == 1
    assert "left stride" not in names


# ---------------------------------------------------------------- strips and markers


def judged(level: int, words: str = ""):
    """A left stride whose verdict from 40 to 60 % is ``level``."""
    cells = np.where((np.arange(101) >= 40) & (np.arange(101) <= 60), level, 0)
    found = drawn(stride("left", 1, 3.0))
    return found | {
        ("left", FLEXION): replace(found["left", FLEXION], strip=VerdictStrip(cells, words))
    }


@pytest.mark.parametrize(
    ("level", "bars"), [(0, []), (1, [2.4]), (-1, [-2.4]), (2, [4.4]), (-2, [-4.4])]
)
def test_strips_are_those_of_the_verdict_up_above_and_tall_where_clear(level, bars) -> None:
    found = panel_drawing(panel_of(FLEXION), judged(level), band(0.0, 1.0))
    hair = next(m for m in found.marks if isinstance(m, Line) and m.name == "strip")
    y = hair.points[0, 1]
    areas = [m for m in found.marks if isinstance(m, Area) and m.name == "strip"]
    ends = [one.points[:, 1] - y for one in areas]
    assert [float(e[np.argmax(np.abs(e))]) for e in ends] == pytest.approx(bars)
    for one in areas:
        across = (one.points[:, 0] - LEFT_EDGE) / PLOT * 100
        assert (across.min(), across.max()) == pytest.approx((39.5, 60.5))


def test_a_curve_without_a_verdict_says_so_in_place_of_its_strip() -> None:
    found = panel_drawing(panel_of(FLEXION), judged(0, "not judged"), band(0.0, 1.0))
    assert "not judged" in [m.text for m in found.marks if isinstance(m, TextLine)]
    assert not any(isinstance(m, Line) and m.name == "strip" for m in found.marks)


def test_the_band_of_healthy_walkers_is_drawn_where_it_is_known() -> None:
    limit = np.full(101, 5.0)
    limit[:6] = np.nan
    for told, count in ((None, 0), (limit, 1)):
        one = replace(band(10.0, 1.0), limit=told)
        found = panel_drawing(panel_of(FLEXION), drawn(stride("left", 1, 3.0)), one).marks
        areas = [m for m in found if isinstance(m, Area) and m.name == "within"]
        edges = [m for m in found if isinstance(m, Line) and m.name == "limit"]
        assert (len(areas), len(edges)) == (count, 2 * count)
        for area in areas:
            assert area.points[:, 0].min() == pytest.approx(LEFT_EDGE + 0.06 * PLOT)
            # 90 deg over the height of the plot: 10 deg high
            assert np.ptp(area.points[:, 1]) == pytest.approx(10 / 90 * TALL)


def test_markers_lie_where_the_number_lies_and_become_arrows_beyond_three_sd() -> None:
    marks = marker_drawing({"left": 1.0, "right": -4.0})
    left, right = (m for m in marks if isinstance(m, Area) and m.colour in SIDE.values())
    unit = MARKER_WIDTH / 7
    assert left.name == "left marker"
    assert left.points[0, 0] == pytest.approx(MARKER_WIDTH / 2 + unit)
    assert left.points[:, 1].mean() > right.points[:, 1].mean()
    assert right.name == "right beyond"
    assert right.points[0, 0] < right.points[1:, 0].min()  # it points to the left


# ---------------------------------------------------------------- grids and writers


def test_a_foot_that_cannot_invert_has_no_such_panel() -> None:
    names = {"ankle_angle_inversion", FLEXION}
    for inverts in (False, True):
        found = [c.panel.name for c in cells_of(kinematic_grid(names, inverts=inverts)) if c.panel]
        assert ("ankle_angle_inversion" in found) is inverts
        assert len(found) == 11 + inverts


def test_external_moments_have_the_opposite_words() -> None:
    cell = cells_of(kinetic_grid({"knee_moment_flexion"}))[1]
    assert cell.panel is not None
    assert (cell.title, cell.panel.top, cell.panel.bottom) == ("Knee flex moment", "flex", "ext")


def test_a_drawing_is_the_same_on_paper_and_on_the_page() -> None:
    found = panel_drawing(panel_of(FLEXION), drawn(stride("left", 1, 30.0)), band(20.0, 4.0))
    scale = 0.25
    lines = [
        m
        for m in placed(found.marks, 10.0, 20.0, scale)
        if isinstance(m, Line) and m.name == "left mean"
    ]
    original = next(m for m in found.marks if isinstance(m, Line) and m.name == "left mean")
    np.testing.assert_allclose((lines[0].points - [10.0, 20.0]) / scale, original.points)
    assert lines[0].stroke == replace(original.stroke, width_pt=scale * original.stroke.width_pt)
    svg = drawing_svg(found.marks, 240.0, found.height, "<knee>")
    assert svg.startswith('<svg viewBox="0 0 2400 ')
    assert "&lt;knee&gt;" in svg
    assert svg.count('class="L mean"') == 1
    assert svg.count('class="n1f"') == svg.count('class="n2f"') == 1


# ---------------------------------------------------------------- two sessions


def a_change(**words: Any) -> SessionDifference:
    told: dict[str, Any] = {"values": np.full(101, 4.0), "limit": np.full(101, 6.0)} | words
    return SessionDifference(**told)


def compared(change: SessionDifference) -> tuple[Any, ...]:
    shown = drawn(stride("left", 1, 10.0))["left", FLEXION]
    return compared_drawing(panel_of(FLEXION), shown, shown, None, change, "left", last=True).marks


def ends_of(marks: tuple[Any, ...], name: str) -> tuple[float, float]:
    (one,) = (m for m in marks if not isinstance(m, TextLine) and m.name == name)
    return float(one.points[:, 1].min()), float(one.points[:, 1].max())


@pytest.mark.parametrize("value", [4.0, -4.0, np.nan])
def test_words_in_place_of_a_band_stand_where_the_difference_is_not(value: float) -> None:
    """ "Not judged" was crossed out by the curve that it is about."""
    marks = compared(a_change(values=np.full(101, value), limit=None, words="not judged"))
    zero = min(m.points[0, 1] for m in marks if isinstance(m, Line) and m.name == "zero")
    (words,) = (m for m in marks if isinstance(m, TextLine) and m.text == "not judged")
    assert (words.y < zero - 8.0) == (value > 0)


def test_the_difference_stands_about_zero_with_its_band_and_level() -> None:
    marks = compared(a_change(level=4.0, level_limit=7.0))
    words = [m.text for m in marks if isinstance(m, TextLine)]
    assert "\u00b110" in words  # the band ends at 4 + 6
    line = next(m for m in marks if isinstance(m, Line) and m.name == "change mean")
    zero = next(
        m for m in marks if isinstance(m, Line) and m.name == "zero" and m.points[0, 1] < 80
    )
    unit = (line.points[0, 1] - zero.points[0, 1]) / 4.0
    assert unit > 0  # more than before is up
    middle = zero.points[0, 1]
    low, high = ends_of(marks, "change band")
    assert (low, high) == pytest.approx((middle - 2 * unit, middle + 10 * unit))
    assert ends_of(marks, "level") == pytest.approx((middle, middle + 4 * unit))
    assert ends_of(marks, "level limit") == pytest.approx((middle - 7 * unit, middle + 7 * unit))


def test_a_difference_beyond_the_usual_scales_is_drawn_whole() -> None:
    marks = compared(a_change(values=np.linspace(0.0, 200.0, 101)))
    assert "\u00b1360" in [m.text for m in marks if isinstance(m, TextLine)]


def test_a_curve_judged_as_a_whole_has_its_band_about_zero_and_no_level() -> None:
    marks = compared(a_change())
    names = [m.name for m in marks]
    assert "level" not in names
    low, high = ends_of(marks, "change band")
    zero = next(
        m for m in marks if isinstance(m, Line) and m.name == "zero" and m.points[0, 1] < 80
    )
    assert (low + high) / 2 == pytest.approx(zero.points[0, 1])


def test_what_was_not_judged_has_no_band_and_says_so() -> None:
    marks = compared(a_change(limit=None, words="not judged"))
    assert "change band" not in [m.name for m in marks]
    assert "not judged" in [m.text for m in marks if isinstance(m, TextLine)]


def test_the_frontal_plane_has_one_word_on_panels_and_in_sentences() -> None:
    """The panel was "Knee varus", tables and sentences told "knee adduction"."""
    titles = {rule.name: rule.title for rule in curve_rules()}
    cells = {c.panel.name: c for c in cells_of(kinematic_grid(set(titles))) if c.panel is not None}
    for name, cell in cells.items():
        if name.endswith("adduction"):
            assert cell.panel is not None
            assert cell.title.lower().startswith(titles[name])
            assert (cell.panel.top, cell.panel.bottom) == ("add", "abd")
