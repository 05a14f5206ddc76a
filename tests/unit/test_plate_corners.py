"""The lengths of a plate are those of its edges, wherever in the laboratory it lies."""

from __future__ import annotations

import numpy as np

from gaitdyn.io.plates.types import check_corners, correct_pressure, half_edges

CORNERS = np.array([[0.2, 0.3, 0], [-0.2, 0.3, 0], [-0.2, -0.3, 0], [0.2, -0.3, 0]])
AWAY = np.array([8.0, 9.0, 0.5])


def test_a_plate_far_from_the_origin_is_a_plate() -> None:
    check_corners(CORNERS + AWAY)


def test_half_the_edges_are_told_wherever_the_plate_lies() -> None:
    for corners in (CORNERS, CORNERS + AWAY):
        np.testing.assert_allclose(half_edges(corners), [0.2, 0.3], rtol=1e-14)


def test_a_correction_that_is_large_between_centre_and_corner_is_not_used() -> None:
    """x' = x - P3 x^3 - P6 x with a root at half way to the edge, and 60 mm before it."""
    cubic = 1.56e-4
    poly = np.array([[0, 0, cubic, 0, 0, -cubic * 100.0**2], [0, 0, 0, 0, 0, 0]])
    channels = np.array([[0, 0, -700.0, 0, 70.0, 0]])
    same, note = correct_pressure(channels, poly, CORNERS)
    np.testing.assert_array_equal(same, channels)
    assert note.startswith("FPCOPPOLY is not used: it moves the centre of pressure by 5")
