"""The key holds what is drawn, words on paper are readable, names keep clear of feet."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.core.packing import pack_whole
from gaitdyn.plots.clinic.bars import timing_drawing
from gaitdyn.plots.clinic.drawn import DrawnCurves
from gaitdyn.plots.clinic.floor import butterfly_drawing, floor_drawing
from gaitdyn.plots.clinic.key import KEY, key_sample
from gaitdyn.plots.clinic.placing import LEAST_PT, placed
from gaitdyn.plots.clinic.shown import shown_curves
from gaitdyn.plots.clinic.steps import Butterfly, FloorPlan, FootOutline, floor_plan
from gaitdyn.plots.marks import MM_PER_PT, Area, Line, TextLine, wrapped
from gaitdyn.plots.typeface import bold_width, regular_width
from gaitdyn.types.arrays import Array
from gaitdyn.types.cycles import Cycle, CycleCurves
from gaitdyn.types.norms import Band

NAME = "knee_angle_flexion"


def drawn(
    *sides: str, off: float | None = 60.0, gap: bool = False, banded: bool = False
) -> DrawnCurves:
    strides = []
    for side in sides:
        values = np.full((101, 1), 10.0)
        values[40 : 50 if gap else 40] = np.nan
        strides.append(CycleCurves(Cycle(side, 1, 0.0, 100.0, off), (NAME,), ("deg",), values))
    at = np.arange(0.0, 101.0, 2.0)
    bands = {NAME: Band(at, np.zeros(51), np.ones(51), "deg")} if banded else {}
    return DrawnCurves(shown_curves(strides, [NAME], lambda _: True), bands)


@pytest.mark.parametrize(
    ("shown", "kinds"),
    [
        (drawn("left", "right"), ["left", "right", "off"]),
        (drawn("right"), ["right", "off"]),
        (drawn("left", off=None), ["left"]),
        (drawn("left", gap=True), ["left", "off", "pale"]),
        (drawn("right", banded=True), ["right", "near", "far", "off"]),
    ],
)
def test_the_key_holds_what_is_drawn(shown: DrawnCurves, kinds: list[str]) -> None:
    assert [one.kind for one in shown.key] == kinds


def test_a_sample_has_the_sides_that_are_drawn() -> None:
    for kind in KEY:
        for sides in (("left",), ("right",), ("left", "right")):
            marks = key_sample(kind, 0.0, 0.0, 8.0, sides)
            assert marks, kind
    ticks = [len(key_sample("off", 0.0, 0.0, 8.0, s)) for s in (("right",), ("left", "right"))]
    assert ticks == [1, 2]


def test_words_on_paper_have_a_least_size_and_the_letters_of_sides_keep_theirs() -> None:
    marks = [
        TextLine(0.0, 0.0, "40", 10.0, "#000000"),
        TextLine(0.0, 0.0, "L", 10.0, "#000000", bold=True),
    ]
    sizes = [
        m.size_pt
        for m in placed(marks, 0.0, 0.0, 0.2, least_pt=LEAST_PT)
        if isinstance(m, TextLine)
    ]
    assert sizes == [LEAST_PT, 2.0]


def test_lines_are_broken_by_the_widths_of_our_own_type() -> None:
    text = "Both legs far above the norm; possible: left hip less flexed in stance"
    for width_of in (regular_width, bold_width):
        for line in wrapped(text, 40.0, 10.0, width_of):
            assert (
                25.0 < width_of(line, 10.0) <= 40.0
                or line == wrapped(text, 40.0, 10.0, width_of)[-1]
            )
    assert regular_width("n", 10.0) < bold_width("n", 10.0) < 10.0 * MM_PER_PT
    assert regular_width("\u6b65", 10.0) > 0.0  # not in our type


@pytest.mark.parametrize("forward", [0.15, 0.75])
def test_the_name_of_a_plate_stands_away_from_the_foot(forward: float) -> None:
    plate = np.array([[0.0, 0.0], [0.9, 0.0], [0.9, 0.5], [0.0, 0.5]])
    foot = FootOutline("left", np.array([[forward - 0.1, 0.4], [forward + 0.1, 0.4]]))
    marks, _ = floor_drawing(FloorPlan((1,), (plate,), (foot,), ()))
    (name,) = [m for m in marks if isinstance(m, TextLine) and m.text == "plate 1"]
    (outline,) = [m for m in marks if isinstance(m, Line) and m.name == "left foot"]
    assert name.y + 8.0 < outline.points[:, 1].min()
    assert (name.align == "right") == (forward < 0.5)


def test_no_foot_is_under_the_name_of_a_plate_that_feet_cover() -> None:
    """Of small plates the corner farthest from any foot was still within its outline."""
    plates: list[Array] = []
    feet: list[FootOutline] = []
    for x in (0.0, 0.5, 1.0, 1.5):
        plates.append(np.array([[x, 0.0], [x + 0.46, 0.0], [x + 0.46, 0.5], [x, 0.5]]))
        lines = [np.array([[x + 0.1, y], [x + 0.4, y]]) for y in (0.06, 0.25, 0.44)]
        feet += [FootOutline("left", line) for line in lines]
    feet.append(FootOutline("right", np.array([[4.0, 0.2], [4.2, 0.2]])))
    marks, height = floor_drawing(FloorPlan((1, 2, 3, 4), tuple(plates), tuple(feet), ()))
    names = [m for m in marks if isinstance(m, TextLine) and m.text.startswith("plate")]
    outlines = np.concatenate([m.points for m in marks if isinstance(m, Line) and "foot" in m.name])
    assert len(names) == 4
    for name in names:
        half = regular_width(name.text, name.size_pt) / 2
        middle = name.x + {"left": half, "right": -half, "center": 0.0}[name.align]
        apart = np.abs(outlines - (middle, name.y + 4.0))
        assert not (apart < (half, 4.0)).all(axis=1).any()
        assert 18.0 < name.y < height - 8.0


@pytest.mark.parametrize(("frames", "paths"), [(15, 0), (60, 1)])
def test_a_touch_shorter_than_a_fifth_of_a_second_has_no_path(frames: int, paths: int) -> None:
    rows = np.full((100, 6), np.nan)
    rows[20 : 20 + frames] = [100.0, 0.0, 200.0, 0.0, 700.0, 0.0]
    corners = 600.0 * np.array([[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]])
    figure = {
        "walking_G": [1.0, 0.0, 0.0],
        "rate_hz": 100.0,
        "time_s": 0.0,
        "points": ["left ankle"],
        "places": pack_whole(np.zeros((100, 3))),
        "forces": {"left": pack_whole(rows)},
        "plates": [{"plate": 1, "corners": corners.tolist()}],
    }
    plan = floor_plan(figure, [])
    assert plan is not None
    assert len(plan.paths) == paths


@pytest.mark.parametrize("samples", [20, 240, 2400])
def test_the_force_of_a_step_has_about_two_dozen_arrows(samples: int) -> None:
    """However often it was sampled; its outline has every sample."""
    along, force = np.linspace(0.0, 0.3, samples), np.tile([0.1, 1.0], (samples, 1))
    lines = butterfly_drawing([Butterfly("left", along, force, ())])
    arrows = [m for m in lines if isinstance(m, Line) and m.name == "left force"]
    (outline,) = [m for m in lines if isinstance(m, Line) and m.name == "left outline"]
    assert len(arrows) == min(samples, 24)
    assert len(outline.points) == samples


def test_a_stance_without_the_other_foot_is_not_called_single_support() -> None:
    times = {"left": (None, 52.0, 64.0), "right": (10.0, 50.0, 60.0)}
    marks = timing_drawing(times)
    words = [m.text for m in marks if isinstance(m, TextLine) and "%" in m.text]
    assert words == ["stance 64 %", "swing 36 %", "single support 40 %", "swing 40 %"]
    assert len([m for m in marks if isinstance(m, Area) and m.name == "left stance"]) == 1


def test_a_stance_of_a_run_has_no_double_support() -> None:
    """The other foot strikes after this one has left the ground, and leaves it later still."""
    marks = timing_drawing({"left": (85.0, 50.0, 35.0)})
    (stance,) = [m for m in marks if isinstance(m, Area) and m.name == "left stance"]
    assert float(np.ptp(np.asarray(stance.points)[:, 0])) == pytest.approx(0.35 * 310.0, rel=0.1)
    words = [m.text for m in marks if isinstance(m, TextLine) and "%" in m.text]
    assert words == ["stance 35 %", "swing 65 %"]
