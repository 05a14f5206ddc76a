"""Hidden markers told by all the others: what the rest of the trial shows, and no more."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.calibrate.clusters.neighbours import filled_by_neighbours
from gaitdyn.types.arrays import Array

RATE, STRIDE, N = 100.0, 100, 400
HIDDEN = slice(245, 260)


def walking(seed: int = 0) -> Array:
    """Return eleven markers; the first moves by the sum of what moves each of the others.

    Each of the others has a part of the stride in which it alone moves.
    """
    rng = np.random.default_rng(seed)
    phase = np.arange(N)[:, None] % STRIDE
    apart = (phase - np.arange(0, STRIDE, 10) + STRIDE / 2) % STRIDE - STRIDE / 2
    own = np.exp(-((apart / 6.0) ** 2)) * (1.0 + 0.1 * np.sin(np.arange(N) / 37.0)[:, None])
    others = own[:, :, None] * rng.normal(0.0, 0.03, (10, 3))
    places = rng.normal(0.0, 0.2, (11, 3))
    moves = np.concatenate((others.sum(axis=1, keepdims=True) * 2.0, others), axis=1)
    return places + moves + rng.normal(0.0, 5e-5, moves.shape)


_WIDE = np.array([[0.0, 0.0, 0.0], [0.2, 0.0, 0.0], [0.0, 0.2, 0.0], [0.0, 0.0, 0.2]])
CLUSTERS = (([0, 1, 2, 3], _WIDE), ([4, 5, 6], _WIDE[:3]), ([7, 8, 9, 10], _WIDE))


def test_a_marker_hidden_once_is_told_by_the_others():
    markers = walking()
    lacking = markers.copy()
    lacking[HIDDEN, 0] = np.nan
    filled = filled_by_neighbours(lacking, CLUSTERS, RATE)
    assert np.linalg.norm(filled[HIDDEN, 0] - markers[HIDDEN, 0], axis=1).max() < 0.003
    assert np.isnan(lacking[HIDDEN, 0]).all()
    shown = np.isfinite(lacking)
    assert (filled[shown] == lacking[shown]).all()


def test_a_phase_that_a_marker_never_shows_is_not_learned():
    """Other places of the trial are told by the strides that show them; this one is by none."""
    lacking = walking()
    phase = np.arange(N) % STRIDE
    lacking[(phase >= 45) & (phase < 60), 0] = np.nan
    assert filled_by_neighbours(lacking, CLUSTERS, RATE) is lacking


@pytest.mark.parametrize("what", ["own way", "too long", "at the end", "alone"])
def test_what_the_others_do_not_tell_stays_empty(what: str):
    markers, hidden, clusters = walking(), HIDDEN, CLUSTERS
    if what == "own way":
        markers[:, 0] += 0.02 * np.sin(np.arange(N) ** 2 / 2000.0)[:, None]
    if what == "too long":
        hidden = slice(245, 285)
    if what == "at the end":
        hidden = slice(390, 400)
    if what == "alone":
        clusters = (([0], _WIDE[:1]), *CLUSTERS[1:])
    markers[hidden, 0] = np.nan
    assert filled_by_neighbours(markers, clusters, RATE) is markers


def test_markers_that_drown_all_others_tell_nothing():
    """Two copies of one path so far away that their sums of squares lose every millimetre."""
    markers = walking()
    markers[:, 4] = markers[:, 5] = 1e9 * (1.0 + np.sin(np.arange(N) / 9.0))[:, None]
    markers[HIDDEN, 0] = np.nan
    assert filled_by_neighbours(markers, CLUSTERS, RATE) is markers
