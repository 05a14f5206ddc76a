"""Heel and toe that no marker shows: a foot of typical shape, and gaps bridged by the shank."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from gaitdyn.calibrate.ladder.usual_foot import bridged_ends, usual_ends
from gaitdyn.core.rotations import about
from gaitdyn.types.motion import LegPose

if TYPE_CHECKING:
    from gaitdyn.types.arrays import Array

# Shares of the ASIS height, of standing trials: forward and up from the floor below the heel.
HEEL, ANKLE, TOE = (0.0, 0.036, 0.0), (0.058, 0.076, 0.0), (0.209, 0.042, 0.0)
SHANK = 0.43  # knee above ankle, the same trials
TURNED = about("y", 0.7) @ about("z", -0.4) @ about("x", 0.2)
PLACE = np.array([1.0, 0.2, -0.3])


def standing() -> tuple[LegPose, Array, Array]:
    """Return a leg of ASIS height 1 m that is turned and moved, its heel and its toe."""
    knee = np.add(ANKLE, (0.0, SHANK, 0.0))
    points = (np.stack((HEEL, TOE, ANKLE, knee)) @ TURNED.T + PLACE)[:, None]
    heel, toe, ankle, knee = points
    axes = np.tile(TURNED, (1, 3, 1, 1))
    return LegPose("left", axes, np.stack((ankle, knee, knee), axis=1)), heel, toe


@pytest.mark.parametrize("hidden", ["heel", "toe", "both"])
def test_an_end_that_is_never_seen_is_that_of_a_typical_foot(hidden: str) -> None:
    leg, heel, toe = standing()
    nowhere = np.full_like(heel, np.nan)
    seen = (
        nowhere if hidden in ("heel", "both") else heel,
        nowhere if hidden in ("toe", "both") else toe,
    )
    for found, true in zip(usual_ends(*seen, leg), (heel, toe), strict=True):
        np.testing.assert_allclose(found, true, atol=5e-4)


def test_the_shank_carries_both_ends_through_a_gap_of_the_whole_foot() -> None:
    """Where one end is seen, nothing is filled in; nor is anything where no shank is."""
    leg, heel, toe = standing()
    turns = about("z", np.linspace(0.0, 0.5, 6)) @ about("y", 0.3)
    move = np.arange(6.0)[:, None] * (0.1, 0.01, 0.02)
    R_GS = turns[:, None] @ leg.R_GS
    moved = [(turns @ point[0]) + move for point in (heel, toe)]
    centres = np.stack([(turns @ p) + move for p in leg.r_prox_G[0]], axis=1)
    R_GS[5] = np.nan
    seen = [points.copy() for points in moved]
    seen[0][[2, 3, 5]], seen[1][[3, 5]] = np.nan, np.nan
    found = bridged_ends(seen[0], seen[1], LegPose("left", R_GS, centres))
    known = [0, 1, 3, 4]
    for end, true in zip(found, moved, strict=True):
        np.testing.assert_allclose(end[known], true[known], atol=1e-12)
    assert np.isnan(found[0][[2, 5]]).all()
    assert np.isnan(found[1][5]).all()
