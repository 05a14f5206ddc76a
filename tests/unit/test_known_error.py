"""How often a verdict is wrong, at few draws: benchmarks/known_error.py writes the page of many."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmark_scripts import script


@pytest.fixture(scope="module")
def drawn():
    return script("known_error")


@pytest.mark.parametrize("which", [0, 1, 4])
def test_healthy_people_leave_the_band_in_about_five_of_a_hundred(drawn, which):
    rng = np.random.default_rng(30 + which)
    truth = drawn.TRUTHS[which]
    two_sd, default, own, _ = drawn.null_against_norm(rng, truth, 20, 1500)
    assert two_sd > 10
    assert default <= 6.0
    assert 2.5 <= own <= 6.5


@pytest.mark.parametrize("people", [10, 40])
def test_healthy_people_are_far_out_over_the_cycle_in_at_most_five_of_a_hundred(drawn, people):
    rng = np.random.default_rng(21 + people)
    for which in (0, 1, 3):
        assert drawn.null_throughout(rng, drawn.TRUTHS[which], people, 2000) <= 6.0


@pytest.mark.parametrize("which", [0, 1, 3, 4])
def test_unchanged_people_are_called_changed_in_few_and_by_strides_in_most(drawn, which):
    rng = np.random.default_rng(40 + which)
    kind = drawn.KINDS[which]
    assert drawn.null_between_sessions(rng, kind, 5, 300, share=0.8) <= 7.5
    if kind.angle:  # strides as the sample know nothing of the second placing of the markers
        assert drawn.null_on_strides(rng, kind, 5, 100, 0.8) >= 40
    assert drawn.null_between_sessions(rng, kind, 5, 300, share=0.4) <= 13


def test_own_repeats_hold_the_level(drawn):
    rng = np.random.default_rng(50)
    assert drawn.null_own_repeats(rng, drawn.KINDS[3], 15, 200) <= 8


def test_strides_of_a_trial_are_not_the_sample(drawn):
    rng = np.random.default_rng(60)
    strides, trials = drawn.null_trials(rng, drawn.KINDS[1], 0.5, 400)
    assert trials <= 6 < strides


def test_a_bump_in_swing_makes_no_place_elsewhere(drawn):
    rng = np.random.default_rng(70)
    for height in (12, 30):
        elsewhere, there = drawn.place_of_a_bump(rng, drawn.KINDS[1], height, 200)
        assert elsewhere <= 5
        assert there >= 50


def test_groups_of_people_that_do_not_differ_are_told_apart_in_five_of_a_hundred(drawn):
    rng = np.random.default_rng(80)
    for first, second in ((8, 8), (10, 25)):
        assert 1.5 <= drawn.null_groups(rng, drawn.TRUTHS[1], first, second, 500) <= 8


@pytest.mark.parametrize(
    ("strides", "repeats", "people"), [(2, 0, 1200), (5, 0, 1200), (5, 15, 400)]
)
def test_a_planned_peak_is_called_changed_in_about_five_unchanged_people(
    drawn, strides, repeats, people
):
    rng = np.random.default_rng(80 + strides + repeats)
    planned, _ = drawn.planned_peaks(rng, 0.0, people, strides, repeats)
    assert 3 <= planned <= 7


def test_a_planned_peak_is_seen_where_its_curve_is_not(drawn):
    planned, curve = drawn.planned_peaks(np.random.default_rng(90), 0.2, 200)
    assert planned >= 50
    assert curve <= 20
