"""Units that a file does not state, by the extent of the body in it."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.io.c3d.parameters import Parameters, Record
from gaitdyn.io.units import unit_of_a_body, unit_of_points
from gaitdyn.synthetic import Recording, Walker
from tests.walks import walk

NONE = Parameters({})


@pytest.mark.parametrize(("scale", "unit"), [(1.0, "m"), (100.0, "cm"), (1000.0, "mm")])
@pytest.mark.parametrize("away_m", [0.0, 4.0, 30.0])
def test_a_body_says_its_units_wherever_the_laboratory_has_its_origin(scale, unit, away_m):
    walked = walk(Walker(), Recording(rate_hz=60.0)).markers_G
    points = (walked + np.array([away_m, 0.0, 0.0])) * scale
    points[:40, :5] = np.nan
    metres, decided, notes = unit_of_points(NONE, points)
    assert (metres, decided) == (pytest.approx(1.0 / scale), unit)
    assert "as their size shows" in notes[0]


@pytest.mark.parametrize(("scale", "unit"), [(1.0, "m"), (100.0, "cm"), (1000.0, "mm")])
def test_a_second_person_in_view_does_not_make_the_body_larger(scale, unit):
    one = walk(Walker(), Recording(rate_hz=60.0)).markers_G
    both = np.concatenate([one, one + np.array([0.0, 3.0, 0.0])], axis=1)
    mine = tuple(f"M{i}" for i in range(one.shape[1]))
    theirs = tuple(f"*{i}" for i in range(one.shape[1]))
    assert unit_of_points(NONE, both * scale, (*mine, *theirs))[1] == unit


def test_what_is_no_body_is_told_by_the_size_of_its_coordinates():
    points = np.full((50, 2, 3), 800.0)
    assert unit_of_points(NONE, points)[1] == "mm"


@pytest.mark.parametrize("said", ["mm", "cm"])
def test_a_unit_in_which_the_body_is_smaller_than_a_hand_is_not_believed(said):
    points = walk(Walker(), Recording(rate_hz=60.0)).markers_G
    record = Record(-1, (2,), said.encode(), "intel")
    metres, _, notes = unit_of_points(Parameters({"POINT": {"UNITS": record}}), points)
    assert metres == 1.0
    assert f"the file says {said!r}" in notes[0]


@pytest.mark.parametrize(("scale", "said"), [(1000.0, "cm"), (1000.0, "in"), (100.0, "m")])
def test_a_unit_in_which_the_body_is_as_large_as_a_house_is_not_believed(scale, said):
    points = walk(Walker(), Recording(rate_hz=60.0)).markers_G * scale
    record = Record(-1, (len(said),), said.encode(), "intel")
    metres, _, notes = unit_of_points(Parameters({"POINT": {"UNITS": record}}), points)
    assert metres == pytest.approx(1.0 / scale)
    assert f"the file says {said!r}" in notes[0]


@pytest.mark.parametrize("scale", [1.0, 1000.0])
def test_a_long_walkway_leaves_its_unit_alone(scale):
    """Markers may be 30 m from the origin, and those of the room 20 m apart."""
    body = walk(Walker(), Recording(rate_hz=60.0)).markers_G + np.array([20.0, 0.0, 0.0])
    room = np.zeros((len(body), 12, 3)) + np.linspace(0, 1, 12)[:, None] * np.array([20.0, 5.0, 0])
    unit = {1.0: "m", 1000.0: "mm"}[scale]
    record = Record(-1, (len(unit),), unit.encode(), "intel")
    points = np.concatenate((body, room), axis=1) * scale
    found = unit_of_points(Parameters({"POINT": {"UNITS": record}}), points)
    assert found == (pytest.approx(1.0 / scale), unit, ())


@pytest.mark.parametrize(("said", "per_m"), [("Inches", 1 / 0.0254), ("feet", 1 / 0.3048)])
def test_a_unit_in_words_is_taken_at_its_word(said, per_m):
    """Inches are as large as a child in cm."""
    points = walk(Walker(), Recording(rate_hz=60.0)).markers_G * per_m
    assert unit_of_a_body(points, said)[1] == pytest.approx(1.0 / per_m)


def test_points_of_nobody_do_not_make_the_unit_of_the_body():
    """Sixty points within a metre of each other would be a body in metres."""
    body = walk(Walker(), Recording(rate_hz=60.0)).markers_G * 100.0
    nobody = np.zeros((len(body), 60, 3)) + np.linspace(0.0, 1.0, 60)[:, None]
    labels = tuple(f"M{i}" for i in range(body.shape[1])) + tuple(f"*{i}" for i in range(60))
    assert unit_of_points(NONE, np.concatenate((body, nobody), axis=1), labels)[1] == "cm"


def test_a_body_far_from_the_origin_in_its_stated_unit_is_not_worth_a_note():
    points = walk(Walker(), Recording(rate_hz=60.0)).markers_G + np.array([20.0, 0.0, 0.0])
    record = Record(-1, (2,), b"mm", "intel")
    found = unit_of_points(Parameters({"POINT": {"UNITS": record}}), points * 1000.0)
    assert found == (0.001, "mm", ())


def test_a_few_points_80_m_away_are_not_in_the_stated_metres():
    record = Record(-1, (1,), b"m", "intel")
    found = unit_of_points(Parameters({"POINT": {"UNITS": record}}), np.full((50, 2, 3), 80.0))
    assert found == (0.001, "mm", ("the points are in mm, as their size shows; the file says 'm'",))


def test_three_markers_are_in_the_unit_that_a_file_states():
    points = np.full((50, 3, 3), 800.0)
    assert unit_of_a_body(points, "mm") == ("mm", 0.001)
    assert unit_of_a_body(points, "px")[0] == ""
