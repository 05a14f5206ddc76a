"""Virtual second sessions of real walkers: the markers placed anew, nothing else changed."""

from __future__ import annotations

import numpy as np
import pytest

from gaitdyn.pipeline import process_trial
from gaitdyn.types.options import Options
from gaitdyn.uncertainty.leg_curves import stages_of
from gaitdyn.uncertainty.placing import place_again
from tests.benchmark_scripts import script

pytestmark = [pytest.mark.real, pytest.mark.slow]


def test_a_second_placing_of_the_markers_is_rarely_a_change(shared):
    placed = script("known_error_placed")
    rng, found = np.random.default_rng(2), []
    for trial, static in placed.WALKERS.values():
        gait = shared / "corpus" / "gait"
        result = process_trial(gait / trial, Options(static=str(gait / static), audit=False))
        twice = 3.5 * np.sqrt(2)  # both sessions were placed
        moved = place_again(stages_of(result), result, twice, draws=20)
        found.append(placed.flagged(moved, rng)[:2])
    clear, possible = np.mean(found, axis=0)
    assert clear <= 4
    assert possible <= 18
