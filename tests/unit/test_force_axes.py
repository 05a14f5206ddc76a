"""Forces in other axes than the markers: one turn puts them under the feet, pointing up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.errors import FileRefused
from gaitdyn.io.forces.axes import in_marker_axes
from gaitdyn.io.forces.columns import GivenForce, plates_of
from gaitdyn.types.recording import Recording, SecondFile
from gaitdyn.types.subject import Subject

FRAMES, RATE = 60, 60.0
TO_Z_UP = np.array(
    [[1.0, 0, 0], [0, 0, -1], [0, 1, 0]]
)  # y up, z to the right: (x, y, z) -> (x, -z, y)


def walk(aside: float = 0.1) -> Recording:
    """A foot 0.1 m to the right that steps along x, y up, a pelvis above, forces under the foot."""
    at = np.linspace(-0.6, 0.9, FRAMES)
    foot = np.stack((np.round(at, 1), np.full(FRAMES, 0.05), np.full(FRAMES, aside)), axis=1)
    body = [np.stack((at, np.full(FRAMES, h), np.full(FRAMES, z)), axis=1)
            for h, z in ((0.5, 0.1), (1.0, 0.12), (1.0, -0.12), (1.4, 0.0))]  # fmt: skip
    markers = np.stack([foot, *body], axis=1)
    force = np.tile([30.0, 700.0, 10.0], (FRAMES, 1))
    given = GivenForce("r", force, foot * [1, 0, 1], np.zeros((FRAMES, 3)), "")
    return Recording(
        "w.trc", "", RATE, 1, 1, tuple("abcde"), markers, {}, (), plates_of([given]), Subject(),
        forces=SecondFile("w.mot", ""),
    )  # fmt: skip


def turned(recording: Recording, R: np.ndarray) -> Recording:
    plates = (replace(p, corners_L=p.corners_L @ R.T) for p in recording.plates)
    return replace(recording, plates=tuple(plates))


def test_forces_in_the_axes_of_the_markers_are_left() -> None:
    own = walk()
    assert in_marker_axes(own) is own


@pytest.mark.parametrize(
    "R", [TO_Z_UP, TO_Z_UP.T, np.diag([-1.0, 1, -1]), np.roll(np.eye(3), 1, axis=0)]
)
def test_forces_in_other_axes_are_turned_back_and_it_is_said(R: np.ndarray) -> None:
    own = walk()
    found = in_marker_axes(turned(own, R))
    np.testing.assert_allclose(found.plates[0].corners_L, own.plates[0].corners_L, atol=1e-12)
    assert found.forces is not None
    assert "w.mot are in other axes than the markers: turned" in found.forces.turned


@pytest.mark.parametrize("size", [1.0, 0.5])
def test_a_small_body_or_one_with_many_markers_on_its_feet_is_above_the_floor_too(
    size: float,
) -> None:
    """Its median marker is below 0.3 m, as with a foot model or in a child."""
    own = walk()
    low = own.markers_L[:, [0, 0, 0, 0, 0, 0, 1, 2, 3, 4]] * [1.0, size, 1.0]
    many = replace(own, markers_L=low, labels=tuple("abcdefghij"))
    assert in_marker_axes(many) is many
    found = in_marker_axes(turned(many, TO_Z_UP))
    np.testing.assert_allclose(found.plates[0].corners_L, own.plates[0].corners_L, atol=1e-12)


def test_forces_on_a_floor_above_the_feet_are_not_at_the_body() -> None:
    own = walk()
    hung = replace(own, markers_L=own.markers_L * [1.0, -1.0, 1.0])
    (plate,) = in_marker_axes(replace(hung, plates=own.plates)).plates
    assert "does not point up at the body" in plate.problem


def test_the_words_name_the_axes() -> None:
    found = in_marker_axes(turned(walk(), TO_Z_UP))
    assert found.forces is not None
    assert "their X is +X, Y is -Z, Z is +Y" in found.forces.turned


def test_two_ways_that_fit_are_refused() -> None:
    """On the middle line of the axes a half turn about the walk leaves nothing to tell sides by."""
    own = walk(aside=0.0)
    still = replace(own, markers_L=np.tile(own.markers_L[:1] * [0, 1, 0], (FRAMES, 1, 1)))
    plates = plates_of(
        [GivenForce("r", np.tile([0.0, 700.0, 0], (FRAMES, 1)), np.zeros((FRAMES, 3)),
                    np.zeros((FRAMES, 3)), "")]
    )  # fmt: skip
    with pytest.raises(FileRefused, match=r"w\.mot: found points .* in several axes"):
        in_marker_axes(turned(replace(still, plates=plates), TO_Z_UP))


def test_forces_while_nobody_is_seen_are_left_without_a_word_or_a_warning() -> None:
    own = turned(walk(), TO_Z_UP)
    unseen = replace(own, markers_L=np.full_like(own.markers_L, np.nan))
    assert in_marker_axes(unseen) is unseen


def test_forces_that_fit_no_foot_are_left_out_or_as_they_are() -> None:
    own = walk()
    away = replace(own, markers_L=own.markers_L + np.array([3.0, 0.0, 0.0]))
    assert in_marker_axes(away) is away
    (plate,) = in_marker_axes(turned(away, TO_Z_UP)).plates
    assert "does not point up at the body" in plate.problem


def test_the_force_on_the_plate_shows_the_axes_too() -> None:
    own = walk()
    (plate,) = turned(own, TO_Z_UP).plates
    found = in_marker_axes(replace(own, plates=(replace(plate, channels=-plate.channels),)))
    np.testing.assert_allclose(found.plates[0].corners_L, own.plates[0].corners_L, atol=1e-12)


def test_a_plate_that_cannot_be_used_keeps_its_reason() -> None:
    own = turned(walk(), TO_Z_UP)
    (plate,) = own.plates
    bad = replace(plate, channels=plate.channels[:0], problem="it is never loaded")
    found = in_marker_axes(replace(own, plates=(bad, plate)))
    assert found.plates[0] is bad
    np.testing.assert_allclose(found.plates[1].corners_L, walk().plates[0].corners_L, atol=1e-12)
    away = replace(own, markers_L=own.markers_L + np.array([3.0, 0.0, 0.0]), plates=(bad, plate))
    problems = [p.problem for p in in_marker_axes(away).plates]
    assert problems[0] == "it is never loaded"
    assert "does not point up at the body" in problems[1]
