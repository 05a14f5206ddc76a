"""The floor from above and the force from the side: what lies where, to which scale."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gaitdyn.core.gravity import STANDARD_GRAVITY
from gaitdyn.core.packing import pack_floats, pack_whole
from gaitdyn.plots.clinic.floor import WIDTH, butterfly_drawing, floor_drawing
from gaitdyn.plots.clinic.palette import SIDE
from gaitdyn.plots.clinic.steps import Butterfly, FloorPlan, FootOutline, butterflies, floor_plan
from gaitdyn.plots.marks import Line, TextLine
from gaitdyn.plots.typeface import bold_width, regular_width

MASS_KG = 50.0


def a_figure(**changes: Any) -> dict[str, Any]:
    """Two seconds of feet that move forward by 10 mm a frame, the left one 200 mm to the left.

    A left step of 60 frames, whose force moves along, begins in frame 10.
    """
    frame = np.arange(200.0)
    at = np.stack([np.stack((10 * frame + x, 0 * frame, 0 * frame + z), axis=1)
                   for z in (-200.0, 0.0) for x in (0.0, 250.0)], axis=1)  # fmt: skip
    force = np.full((200, 6), np.nan)
    force[10:70] = [0.0, 0.0, -200.0, -100.0, 500.0, 0.0]
    force[10:70, 0] = 4.0 * np.arange(60)
    return {
        "walking_G": [1.0, 0.0, 0.0],
        "rate_hz": 100.0,
        "time_s": 1.0,
        "points": ["left heel", "left toe", "right heel", "right toe"],
        "places": pack_whole(at),
        "forces": {"left": pack_whole(force)},
        "plates": [{"plate": 2, "corners": [[0, 0, 0], [600, 0, 0], [600, 0, 400], [0, 0, 400]]}],
        **changes,
    }


def a_cycle(side: str, start_s: float, stop_s: float, off: float | None = 60.0) -> dict[str, Any]:
    return {"side": side, "start_s": start_s, "stop_s": stop_s, "foot_off_percent": off}


def test_a_foot_is_drawn_where_it_is_in_the_middle_of_its_stance() -> None:
    plan = floor_plan(a_figure(), [a_cycle("left", 1.2, 2.2)])
    assert plan is not None
    first, last = plan.feet
    # middle of 60 % of a second after 0.2 s: frame 50; then 0.1 s after the last strike: frame 130
    np.testing.assert_allclose(first.line, [[0.5, 0.2], [0.75, 0.2]])  # forward, to the left
    np.testing.assert_allclose(last.line, [[1.3, 0.2], [1.55, 0.2]])
    assert (first.side, plan.numbers) == ("left", (2,))
    np.testing.assert_allclose(plan.plates[0], [[0, 0], [0.6, 0], [0.6, -0.4], [0, -0.4]])
    assert plan.walks


def test_without_a_foot_off_a_stance_is_taken_as_sixty_per_cent() -> None:
    known, unknown = (
        floor_plan(a_figure(), [a_cycle("left", 1.2, 2.2, off)]) for off in (60, None)
    )
    assert known is not None
    assert unknown is not None
    np.testing.assert_array_equal(known.feet[0].line, unknown.feet[0].line)


def test_a_plate_that_is_not_there_is_not_drawn() -> None:
    real = a_figure()["plates"]
    plan = floor_plan(a_figure(plates=[*real, {**real[0], "plate": 3, "virtual": True}]), [])
    assert plan is not None
    assert plan.numbers == (2,)
    assert not plan.walks


def test_the_path_of_the_force_lies_where_it_acts() -> None:
    plan = floor_plan(a_figure(), [])
    assert plan is not None
    ((side, path),) = plan.paths
    assert side == "left"
    np.testing.assert_allclose(path, np.stack((0.004 * np.arange(60), np.full(60, 0.2)), axis=1))


def test_on_a_belt_a_path_is_that_under_the_foot_in_its_middle() -> None:
    travel = np.zeros((200, 3))
    travel[:, 0] = -10.0 * np.arange(200)
    plan = floor_plan(a_figure(travel={"left": pack_floats(travel)}), [])
    assert plan is not None
    ((_, path),) = plan.paths
    wanted = 0.004 * np.arange(60) + 0.01 * (np.arange(10, 70) - 40)
    np.testing.assert_allclose(path[:, 0], wanted, atol=1e-6)


def test_a_touch_below_twenty_newtons_has_no_path() -> None:
    for newtons, paths in ((19.0, 0), (21.0, 1)):
        rows = np.full((200, 6), np.nan)
        rows[10:70] = [0.0, 0.0, 0.0, 0.0, newtons, 0.0]
        plan = floor_plan(a_figure(forces={"left": pack_whole(rows)}), [])
        assert plan is not None
        assert len(plan.paths) == paths


def test_the_force_of_a_step_is_forward_and_up_in_body_weights() -> None:
    step, *others = butterflies(
        a_figure(), [a_cycle("left", 1.1, 2.1)], MASS_KG, {"left": (1.1, 1.0)}
    )
    assert not others
    weight = MASS_KG * STANDARD_GRAVITY
    np.testing.assert_allclose(step.force, np.tile([-100 / weight, 500 / weight], (60, 1)))
    np.testing.assert_allclose(step.along, 0.004 * np.arange(60))
    assert (step.side, step.peaks) == ("left", (1.1, 1.0))


def test_of_two_contacts_in_a_cycle_the_longer_one_is_the_step() -> None:
    rows = np.full((200, 6), np.nan)
    for start, stop, newtons in ((10, 15, 400.0), (20, 60, 500.0), (65, 72, 600.0)):
        rows[start:stop] = [0.0, 0.0, 0.0, 0.0, newtons, 0.0]
    figure = a_figure(forces={"left": pack_whole(rows)})
    (step,) = butterflies(figure, [a_cycle("left", 1.1, 2.1)], MASS_KG, {})
    assert len(step.force) == 40


def test_without_a_mass_there_are_no_body_weights() -> None:
    assert butterflies(a_figure(), [a_cycle("left", 1.1, 2.1)], None, {}) == ()


# ---------------------------------------------------------------- drawings


@pytest.mark.parametrize("side", ["left", "right"])
def test_walking_goes_to_the_right_and_left_lies_above(side: str) -> None:
    feet = (
        FootOutline("left", np.array([[0.0, 0.1], [0.25, 0.1]])),
        FootOutline("right", np.array([[0.6, -0.1], [0.85, -0.1]])),
    )
    paths = tuple((f.side, f.line) for f in feet)
    marks, _ = floor_drawing(FloorPlan((), (), feet, paths))
    foot = {m.name: m for m in marks if isinstance(m, Line)}
    left, right = (foot[f"{s} foot"].points for s in ("left", "right"))
    assert left[:, 0].max() < right[:, 0].min()
    assert left[:, 1].min() > right[:, 1].max()
    assert foot[f"{side} foot"].stroke.colour == foot[f"{side} force"].stroke.colour == SIDE[side]
    scale = foot["scale"].points  # of half a metre, as the distance of the feet is 0.6 m
    apart = foot["right force"].points[0, 0] - foot["left force"].points[0, 0]
    assert np.ptp(scale[:, 0]) / apart == pytest.approx(0.5 / 0.6)


def test_the_way_is_told_only_of_a_trial_with_a_stride() -> None:
    feet = (FootOutline("left", np.array([[0.0, 0.1], [0.25, 0.1]])),)
    for walks in (True, False):
        marks, _ = floor_drawing(FloorPlan((), (), feet, (), walks=walks))
        words = [m.text for m in marks if isinstance(m, TextLine)]
        assert ("walking \u2192" in words) is walks


def test_the_force_stands_on_its_path_to_the_scale_of_the_line_of_body_weight() -> None:
    along, force = np.array([0.0, 0.1, 0.2]), np.array([[-0.2, 1.0], [0.0, 0.8], [0.2, 1.1]])
    steps = [Butterfly("left", along, force, (1.12, 1.084)), Butterfly("right", along, force, ())]
    marks = butterfly_drawing(steps)
    for side, middle in (("left", WIDTH / 4), ("right", 3 * WIDTH / 4)):
        arrows = [m for m in marks if isinstance(m, Line) and m.name == f"{side} force"]
        (outline,) = (m for m in marks if isinstance(m, Line) and m.name == f"{side} outline")
        (words,) = (m for m in marks if isinstance(m, TextLine) and m.text == side.capitalize())
        body = next(m for m in marks if isinstance(m, Line) and m.name == "body weight")
        floor = arrows[0].points[0, 1]
        unit = body.points[0, 1] - floor
        feet, tips = (np.array([m.points[k] for m in arrows]) for k in (0, 1))
        np.testing.assert_allclose(tips - feet, unit * force, atol=1e-9)
        np.testing.assert_allclose(outline.points, tips)
        assert feet[1, 0] == pytest.approx(middle)
        assert np.all(np.diff(feet[:, 0]) > 0)
        assert abs(words.x - middle) < WIDTH / 4
        assert {m.stroke.colour for m in arrows} == {words.colour} == {SIDE[side]}
    texts = [m.text for m in marks if isinstance(m, TextLine)]
    assert "mean peaks 1.12 \u00b7 1.08" in texts
    assert "peak 1.10" in texts


@pytest.mark.parametrize("side", ["left", "right"])
def test_the_peaks_below_the_force_leave_the_name_of_the_side_free(side: str) -> None:
    path, force = np.array([0.0, 0.2]), np.array([[0.0, 1.0], [0.0, 1.0]])
    marks = butterfly_drawing([Butterfly(side, path, force, (1.12, 1.08))])
    (name,) = (m for m in marks if isinstance(m, TextLine) and m.text == side.capitalize())
    (peaks,) = (m for m in marks if isinstance(m, TextLine) and "peaks" in m.text)
    assert peaks.align == "right"
    end = name.x + bold_width(name.text, name.size_pt)
    assert peaks.x - regular_width(peaks.text, peaks.size_pt) > end + 5.0
