"""Points that draw a segment's axes are told by their shape, not by their labels alone."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.landmarks import resolve
from gaitdyn.landmarks.labels.virtual import AXES, TIPS, drawn_axes
from tests.unit.marked_walker import cluster, plug_in_gait, recording

CORNERS = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
PLATE = np.array([[0.0, 0, 0], [0.06, 0, 0], [0.06, 0.09, 0], [0, 0.09, 0]])
TURNED = np.array([[0.36, 0.48, -0.8], [-0.8, 0.6, 0.0], [0.48, 0.64, 0.6]])


def moving(corners):
    """Points fixed to a turned body that moves along, shape (20, m, 3)."""
    along = np.linspace(0.0, 2.0, 20)[:, None, None] * np.array([1.0, 0.1, 0.0])
    return along + corners @ TURNED.T + 1.0


def named(stem, endings):
    return tuple(stem + end for end in endings)


@pytest.mark.parametrize("endings", ["OALP", "OXYZ", "0123"])
def test_three_equal_arms_at_right_angles_are_drawn_axes(endings):
    found = drawn_axes(("LASI", *named("PEL", endings)), moving(np.vstack((PLATE[:1], CORNERS))))
    assert found == dict.fromkeys((1, 2, 3, 4), AXES)


@pytest.mark.parametrize("endings", ["OALP", "OXYZ", "0123"])
@pytest.mark.parametrize(
    "shape",
    [
        pytest.param(PLATE, id="in a plane"),
        pytest.param(
            CORNERS * np.array([1.0, 1.0, 0.8])
            + np.array([[0.0, 0, 0], [0, 0.01, 0], [0, 0, 0], [0, 0, 0]]),
            id="arms not equal",
        ),
        pytest.param(CORNERS + np.array([[0.0, 0, 0], [0, 0.1, 0], [0, 0, 0], [0, 0, 0]]), id="84"),
    ],
)
def test_markers_of_a_cluster_are_not(endings, shape):
    assert drawn_axes(named("RTH", endings), moving(shape)) == {}


@pytest.mark.parametrize(("endings", "count"), [("OALP", 4), ("OXYZ", 4), ("0123", 0)])
def test_unlike_arms_at_exact_right_angles_are_drawn_axes_if_they_are_lettered(endings, count):
    shape = CORNERS * np.array([0.008, 0.008, 0.079])
    assert len(drawn_axes(named("SAC", endings), moving(shape))) == count


def test_three_labels_draw_no_axes():
    assert drawn_axes(named("PEL", "OAL"), moving(CORNERS[:3])) == {}


def test_three_tips_without_an_origin_are_equally_far_from_each_other():
    tips = named("PELVIS_", "XYZ")
    assert drawn_axes(("LASI", *tips), moving(0.1 * CORNERS)) == dict.fromkeys((1, 2, 3), TIPS)
    assert drawn_axes(tips, moving(PLATE[:3])) == {}
    assert drawn_axes(tips, moving(0.0 * CORNERS[1:])) == {}
    assert drawn_axes(tips, np.full((20, 3, 3), np.nan)) == {}
    assert drawn_axes(named("PELVIS_", "ABC"), moving(CORNERS[1:])) == {}


def test_numbers_after_a_marker_are_arms_where_the_file_numbers_its_axes():
    axes, leg = named("RFOF", "0123"), ("RTIB", "RTIB1", "RTIB2", "RTIB3", "RANK2")
    points = moving(np.vstack((CORNERS, CORNERS, PLATE[:1])))
    assert set(drawn_axes((*axes, *leg), points)) == {0, 1, 2, 3, 5, 6, 7}
    assert drawn_axes(leg, points[:, 4:]) == {}
    points = moving(np.vstack((PLATE, CORNERS, PLATE[:1])))
    assert drawn_axes((*axes, *leg), points) == {}


def test_some_frames_are_enough_and_without_any_the_names_tell():
    points = moving(PLATE)
    points[3:, 0] = np.nan
    assert drawn_axes(named("RTH", "0123"), points) == {}
    points[:, 0] = np.nan
    assert set(drawn_axes(named("RTH", "0123"), points)) == {0, 1, 2, 3}
    assert set(drawn_axes(named("RTH", "0123"), np.zeros((20, 4, 3)))) == {0, 1, 2, 3}


def test_a_cluster_numbered_from_0_tracks_its_thigh():
    thighs = {
        f"{side[0].upper()}TH{i}": at
        for side in ("left", "right")
        for i, at in enumerate(cluster("THX", "stand", side))
    }
    labels = {k: v for k, v in plug_in_gait().items() if k[1:] != "THI"} | thighs
    resolution, _ = resolve(recording(labels))
    roles = {m.label: m.role for m in resolution.landmarks}
    assert [roles[f"LTH{i}"] for i in range(4)] == ["LTH1", "LTH2", "LTH3", "LTH4"]
