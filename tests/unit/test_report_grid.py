"""Panels of a report: bands of a reference, mean and spread, two sessions apart."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from gaitdyn.cycles.strips import CurveStrip, cycle_strips
from gaitdyn.plots.frames import MARGIN, Frame
from gaitdyn.plots.grid import grid_sheet
from gaitdyn.plots.grid_panel import panel_parts
from gaitdyn.plots.grid_style import PERCENT, GridStyle, seconds
from gaitdyn.plots.headline import key_rows
from gaitdyn.plots.marks import (
    COLOUR,
    DASH,
    SECOND_COLOUR,
    SECOND_DASH,
    Area,
    Line,
    Stroke,
    TextLine,
)
from gaitdyn.plots.marks import marks_of as flat
from gaitdyn.plots.panel_curves import panel_strips
from gaitdyn.plots.panels import KINEMATICS, KINETICS, fitting_panel
from gaitdyn.types.norms import Band
from tests.unit.cycle_shapes import cycle_of
from tests.unit.report_cases import constant, true_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gaitdyn.plots.marks import Mark

KNEE = KINEMATICS[2][0]  # limits -15 and 75
FRAME = Frame(10.0, 20.0, 100.0, 50.0, (0.0, 100.0), (0.0, 1.0))
AT = np.linspace(0.0, 100.0, 101)
TENS = np.arange(0.0, 101.0, 10.0)


def strip(values: Any, side: str = "left", group: int = 0, off: float = 60.0) -> CurveStrip:
    return CurveStrip(side, AT, (KNEE.name,), np.asarray(values, float)[:, None], (off,), group)


def band(mean: float, sd: float) -> Band:
    return Band(TENS, np.full(11, mean), np.full(11, sd), "deg")


def marks_of(*strips: CurveStrip, panel: Any = KNEE, **style: Any) -> list[Mark]:
    panel = fitting_panel(panel, {name for one in strips for name in one.names})
    found = panel_parts(
        panel, FRAME, panel_strips(strips), PERCENT, "", GridStyle(**style), last=True
    )
    return flat(found)


def areas_of(marks: Sequence[Mark]) -> list[Area]:
    return [mark for mark in marks if isinstance(mark, Area)]


def lines_of(marks: Sequence[Mark], name: str) -> list[Line]:
    return [mark for mark in marks if isinstance(mark, Line) and mark.name == name]


def degrees(points: Any) -> Any:
    """Return the heights of points in deg, from the limits of the panel and its margin."""
    low, high = KNEE.limits
    slack = MARGIN * (high - low)
    part = (np.asarray(points)[:, 1] - FRAME.bottom) / FRAME.height
    return low - slack + part * (high - low + 2 * slack)


# ---------------------------------------------------------------- reference


def test_the_bands_are_one_and_two_standard_deviations_the_wider_below() -> None:
    far, near = areas_of(marks_of(strip(constant(30)), bands={KNEE.name: band(20, 4)}))
    assert (degrees(far.points).min(), degrees(far.points).max()) == pytest.approx((12, 28))
    assert (degrees(near.points).min(), degrees(near.points).max()) == pytest.approx((16, 24))
    assert far.colour != near.colour
    assert (far.alpha, near.alpha) == (1.0, 1.0)
    assert near.points[:, 0].min() == pytest.approx(FRAME.left)
    assert near.points[:, 0].max() == pytest.approx(FRAME.right)


def test_a_band_is_cut_at_the_edges_of_its_frame() -> None:
    for mean, sd in ((70, 30), (-10, 40), (30, 500), (400, 2)):
        marks = marks_of(strip(constant(30)), bands={KNEE.name: band(mean, sd)})
        found = areas_of(marks)
        assert len(found) == 2
        for area in found:
            assert area.points[:, 1].min() >= FRAME.bottom - 1e-9
            assert area.points[:, 1].max() <= FRAME.top + 1e-9
    wide = areas_of(marks_of(strip(constant(30)), bands={KNEE.name: band(30, 500)}))
    assert wide[0].points[:, 1].max() == pytest.approx(FRAME.top)


def test_a_band_does_not_move_the_scale() -> None:
    plain = marks_of(strip(constant(30)))
    banded = marks_of(strip(constant(30)), bands={KNEE.name: band(400, 50)})
    (one,), (two,) = lines_of(plain, "left"), lines_of(banded, "left")
    np.testing.assert_array_equal(one.points, two.points)
    assert not any(isinstance(m, TextLine) and m.name == "extended" for m in banded)


def test_a_band_stands_in_the_panel_of_its_curve_alone() -> None:
    assert not areas_of(marks_of(strip(constant(30)), bands={"hip_angle_flexion": band(20, 4)}))


def test_an_external_moment_has_the_band_of_its_own_name() -> None:
    ankle = KINETICS[2][0]
    name = "ankle_moment_dorsiflexion"
    strips = CurveStrip("left", AT, (name,), constant(1.0)[:, None], ())
    assert len(areas_of(marks_of(strips, panel=ankle, bands={name: band(1, 0.2)}))) == 2
    assert not areas_of(marks_of(strips, panel=ankle, bands={ankle.name: band(1, 0.2)}))


# ---------------------------------------------------------------- spread


def test_the_spread_is_one_standard_deviation_about_the_mean() -> None:
    marks = marks_of(strip(constant(20)), strip(constant(30)), spread=True)
    (area,) = areas_of(marks)
    sd = 50**0.5  # of 20 and 30, n - 1
    assert (degrees(area.points).min(), degrees(area.points).max()) == pytest.approx(
        (25 - sd, 25 + sd)
    )
    assert area.colour == COLOUR["left"]
    assert 0.0 < area.alpha < 0.5
    (mean,) = lines_of(marks, "left mean")
    assert degrees(mean.points) == pytest.approx(constant(25))
    assert not lines_of(marks, "left")


def test_the_spread_is_cut_at_the_edges_of_its_frame() -> None:
    wave = 60 * np.sin(AT / 10)
    (area,) = areas_of(marks_of(strip(20 + wave), strip(20 - wave), spread=True))
    assert area.points[:, 1].min() == pytest.approx(FRAME.bottom, abs=2.0)
    assert area.points[:, 1].min() >= FRAME.bottom - 1e-9
    assert area.points[:, 1].max() <= FRAME.top + 1e-9


def test_one_cycle_is_drawn_where_there_is_no_spread() -> None:
    marks = marks_of(strip(constant(20)), spread=True)
    assert not areas_of(marks)
    assert len(lines_of(marks, "left")) == 1
    assert not lines_of(marks, "left mean")


def test_a_cycle_with_a_gap_is_not_in_the_spread() -> None:
    cut = constant(70.0)
    cut[40:60] = np.nan
    marks = marks_of(strip(constant(20)), strip(constant(30)), strip(cut), spread=True)
    (area,) = areas_of(marks)
    assert degrees(area.points).max() < 40
    assert np.isfinite(area.points).all()


def test_without_spread_every_cycle_is_drawn_with_its_mean() -> None:
    marks = marks_of(strip(constant(20)), strip(constant(30)))
    assert not areas_of(marks)
    assert len(lines_of(marks, "left")) == 2
    assert len(lines_of(marks, "left mean")) == 1


# ---------------------------------------------------------------- groups


@pytest.fixture
def both() -> list[CurveStrip]:
    return [
        strip(constant(10 * i), side, group, off=50.0 + 10 * group)
        for i, (side, group) in enumerate(
            (s, g) for g in (0, 1) for s in ("left", "left", "right", "right")
        )
    ]


@pytest.mark.parametrize("spread", [False, True])
def test_the_second_session_has_colours_and_dashes_of_its_own(
    both: list[CurveStrip], spread: bool
) -> None:
    marks = marks_of(*both, spread=spread, groups=("before", "after"))
    for side in ("left", "right"):
        first, second = lines_of(marks, f"{side} mean")
        assert (first.stroke.colour, first.stroke.dash) == (COLOUR[side], DASH[side])
        assert (second.stroke.colour, second.stroke.dash) == (
            SECOND_COLOUR[side],
            SECOND_DASH[side],
        )
    seen = {(m.stroke.colour, m.stroke.dash) for s in ("left", "right")
            for m in lines_of(marks, f"{s} mean")}  # fmt: skip
    assert len(seen) == len({colour for colour, _ in seen}) == len({dash for _, dash in seen}) == 4
    assert [a.colour for a in areas_of(marks)] == (
        [COLOUR["left"], COLOUR["right"], SECOND_COLOUR["left"], SECOND_COLOUR["right"]]
        if spread
        else []
    )


def test_means_and_foot_off_of_sessions_are_not_mixed(both: list[CurveStrip]) -> None:
    marks = marks_of(*both, groups=("before", "after"))
    heights = [degrees(line.points)[0] for line in lines_of(marks, "left mean")]
    assert heights == pytest.approx([5.0, 45.0])
    heights = [degrees(line.points)[0] for line in lines_of(marks, "right mean")]
    assert heights == pytest.approx([25.0, 65.0])
    offs = [line.points[0, 0] - FRAME.left for line in lines_of(marks, "left foot-off")]
    assert offs == pytest.approx([50.0, 60.0])


def test_strips_carry_their_group_and_their_foot_off() -> None:
    cycles = [
        cycle_of({"knee_angle_flexion": constant(1.0)}, "left", 1, 61.0),
        cycle_of({"knee_angle_flexion": constant(2.0)}, "right", 1, None),
    ]
    one, two = cycle_strips(cycles, 1)
    assert (one.side, one.group, one.foot_offs) == ("left", 1, (61.0,))
    assert (two.side, two.group, two.foot_offs) == ("right", 1, ())
    assert two.curve("knee_angle_flexion").tolist() == [2.0] * 101
    assert np.isnan(two.curve("hip_angle_flexion")).all()


# ---------------------------------------------------------------- the key


def key_of(strips: Sequence[CurveStrip], **style: Any) -> list[str]:
    sheet = grid_sheet(
        KINEMATICS, strips, PERCENT, ("Kinematics", ["a line"]), "", GridStyle(**style)
    )
    names = {panel.title for row in KINEMATICS for panel in row}
    words = [m for m in sheet.marks if isinstance(m, TextLine) and not m.name and m.size_pt == 7.5]
    return [w.text for w in words if w.text not in names]


def test_the_key_names_sides_and_sessions(both: list[CurveStrip]) -> None:
    assert key_of(both, groups=("before", "after"), spread=True) == [
        "left before",
        "right before",
        "left after",
        "right after",
        "mean and one SD of complete cycles",
        "vertical line: foot-off, mean",
    ]
    assert key_of(both[:4]) == [
        "left, each cycle",
        "right, each cycle",
        "thick: mean of complete cycles",
        "vertical line: foot-off, mean",
    ]
    assert key_of(both[:1])[:2] == ["left", "vertical line: foot-off, mean"]


def test_the_lowest_panel_of_every_column_has_the_horizontal_scale(both: list[CurveStrip]) -> None:
    (first, *_), *_ = KINEMATICS
    ragged = ((first, first, first), (first,))
    sheet = grid_sheet(ragged, both, PERCENT, ("Pelvis", []), "")
    labels = [m for m in sheet.marks if isinstance(m, TextLine) and m.text == PERCENT.label]
    assert len(labels) == 3
    assert len({m.x for m in labels}) == 3


def test_the_strokes_of_the_key_are_those_of_the_curves(both: list[CurveStrip]) -> None:
    style = GridStyle(groups=("before", "after"))
    sheet = grid_sheet(KINEMATICS, both, PERCENT, ("Kinematics", []), "", style)
    strokes = [(m.stroke.colour, m.stroke.dash) for m in lines_of(sheet.marks, "key")]
    curves = [
        (m.stroke.colour, m.stroke.dash)
        for side in ("left", "right")
        for m in lines_of(sheet.marks, f"{side} mean")
    ]
    assert set(strokes) == set(curves)
    assert len(strokes) == 4


def test_a_key_too_long_for_a_row_has_several_and_keeps_every_entry() -> None:
    stroke = Stroke("red", 1.0)
    entries = [(f"entry {i} " + "w" * 40, stroke) for i in range(7)] + [("last", None)]
    rows = key_rows(entries, 200.0)
    assert [words for row in rows for words, _ in row] == [words for words, _ in entries]
    assert len(rows) > 2
    (cut,) = key_rows([("W" * 500, stroke)], 200.0)[0]
    assert cut[0].endswith("W...")
    assert true_width(cut[0], 7.5) < 200.0
    assert key_rows([], 200.0) == [[]]


def test_rows_of_the_key_make_the_sheet_higher_and_do_not_touch_the_panels(
    both: list[CurveStrip],
) -> None:
    def sheet(label: str) -> Any:
        style = GridStyle(groups=(label, "after"))
        return grid_sheet(KINEMATICS, both, PERCENT, ("Kinematics", ["a line"]), "", style)

    one, two = sheet("before"), sheet("before " + "w" * 60)
    assert two.height_mm > one.height_mm
    for found in (one, two):
        lowest = min(line.points[:, 1].min() for line in lines_of(found.marks, "key"))
        highest = max(m.y for m in found.marks if isinstance(m, TextLine) and m.name == "panel")
        assert lowest > highest + 2.0
        line = next(m for m in found.marks if isinstance(m, TextLine) and m.name == "headline")
        assert max(m.points[:, 1].max() for m in lines_of(found.marks, "key")) < line.y


def test_over_time_there_are_no_means_and_no_spread() -> None:
    strips = [strip(constant(20)), strip(constant(30))]
    style = GridStyle(spread=True)
    marks = flat(
        panel_parts(KNEE, FRAME, panel_strips(strips), seconds(0.0, 100.0), "", style, last=True)
    )
    assert not areas_of(marks)
    assert not lines_of(marks, "left mean")
    assert len(lines_of(marks, "left")) == 2


def test_a_cycle_that_lacks_a_part_is_pale_and_in_no_mean() -> None:
    lacking = np.full(101, 50.0)
    lacking[90:] = np.nan
    marks = marks_of(strip(np.full(101, 10.0)), strip(np.full(101, 20.0)), strip(lacking))
    alphas = [line.stroke.alpha for line in lines_of(marks, "left")]
    assert alphas[:2] == [1.0, 1.0]
    assert alphas[2] < 0.5
    (mean,) = lines_of(marks, "left mean")
    np.testing.assert_allclose(degrees(mean.points), 15.0)


def test_the_key_names_pale_cycles_where_one_is_drawn() -> None:
    part = np.where(AT < 90.0, 20.0, np.nan)
    told = []
    for values in (part, np.full(101, 20.0)):
        sheet = grid_sheet(((KNEE,),), [strip(values)], PERCENT, ("", []), "", GridStyle())
        told.append([m.text for m in sheet.marks if isinstance(m, TextLine) and "pale" in m.text])
    assert told == [["pale: incomplete cycles, not averaged"], []]
