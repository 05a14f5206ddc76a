"""A ground force is judged in stance alone, away from the strike that filters spread."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from gaitdyn.judge.abnormal import find_abnormal
from gaitdyn.judge.changes.changed import find_changes
from gaitdyn.judge.curves import curve_rules
from gaitdyn.judge.groups.two import compare_people
from gaitdyn.judge.stance import against_reference, in_stance
from gaitdyn.types.norms import Band
from tests.unit import judge_cases as cases
from tests.unit.judge_cases import PERCENT, of

UP, KNEE = "grf_y", "knee_moment_extension"
STRIKE, STANCE, SWING = (
    np.where((low <= PERCENT) & (high >= PERCENT), 3.0, 0.0)
    for low, high in ((0, 5), (20, 30), (64, 100))
)
RULES = {rule.name: rule for rule in curve_rules()}


def norm(own, last=100):
    """A set whose people carry weight up to some percentage of the cycle."""
    found = cases.norm(own=own)
    weight = Band(PERCENT, np.where(last >= PERCENT, 5.0, 0.0), np.full(101, 0.15), "N/kg", count=9)
    return replace(found, bands=found.bands | {UP: weight})


@pytest.mark.parametrize(
    ("curve", "own", "added", "word"),
    [
        (UP, False, STRIKE, "not shown"),
        (UP, True, STRIKE, "clear"),  # its people are filtered as the walker is
        (UP, False, SWING, "not shown"),
        (UP, True, SWING, "not shown"),
        (UP, False, STANCE, "possible"),  # what laboratories differ by is not known
        (UP, True, STANCE, "clear"),
        (KNEE, False, STRIKE, "not shown"),
        (KNEE, False, SWING, "clear"),
        ("ankle_power", False, STRIKE, "not shown"),
        ("ankle_power", False, SWING, "possible"),
        ("ankle_moment_plantarflexion", False, STRIKE, "clear"),
        ("hip_angle_flexion", False, 10 * STRIKE, "clear"),
    ],
)
def test_a_ground_force_is_outside_a_norm_in_stance_alone(curve, own, added, word):
    found = find_abnormal([cases.trial(1, offsets={f"left {curve}": added})], cases.norm(own=own))
    one = of(found, "left", curve)
    assert one.word == word
    if word != "not shown":
        assert added[round(one.places[0].peak_at)]


def test_a_ground_force_is_judged_against_people_whose_forces_are_not_filtered():
    """Their force is zero at the strike and in swing, where it does not vary."""
    loaded = (PERCENT > 0) & (PERCENT < 61)
    mean, sd = (np.where(loaded, values, 0.0) for values in (cases.shape(UP), 0.15))
    own = cases.norm()
    own = replace(own, bands=own.bands | {UP: Band(PERCENT, mean, sd, "N/kg", count=40)})
    for added, word in ((0.0 * STANCE, "not shown"), (STANCE, "clear")):
        found = find_abnormal([cases.trial(1, offsets={f"left {UP}": added})], own)
        assert of(found, "left", UP).word == word
    assert not against_reference(RULES[UP], own, 60.0)[0]


@pytest.mark.parametrize("added", [STRIKE, SWING])
def test_a_curve_without_a_verdict_is_farthest_where_it_would_be_judged(added):
    few = cases.trial(1, strides=1, offsets={f"left {UP}": added + STANCE / 3})
    one = of(find_abnormal([few], cases.norm(own=False)), "left", UP)
    assert one.word == "not judged"
    assert one.unjudged is not None
    assert 20 <= one.unjudged.peak_at <= 30


def test_stance_ends_at_the_first_foot_off_of_walker_and_norm():
    up, moment = RULES[UP], RULES[KNEE]
    for last, foot_off, end in ((61, 65.0, 61), (61, 58.4, 58), (61, None, 61), (100, 60.0, 59)):
        for own, start in ((True, 0), (False, 6)):
            judged = against_reference(up, norm(own, last), foot_off)
            assert np.flatnonzero(judged)[[0, -1]].tolist() == [start, end]
    without = replace(norm(own=True), bands={})
    assert against_reference(up, without, 60.0).sum() == 60
    assert against_reference(up, without, None).all()
    assert against_reference(moment, norm(own=True, last=61), 58.0).all()
    assert in_stance(moment, [60.0]) is None
    both = in_stance(up, [64.0, None, 59.0])
    assert both is not None
    assert both.sum() == 59


def walks(word, seed, added, foot_off=60.0):
    return [
        cases.trial(seed + i, name=f"{word}{i}", condition=word, foot_off=foot_off,
                    offsets={f"left {UP}": added})
        for i in range(4)
    ]  # fmt: skip


def test_conditions_are_compared_in_the_stance_of_both():
    barefoot = walks("barefoot", 20, 0.0)
    for added, foot_off, word in ((STANCE, 60.0, "clear"), (SWING, 70.0, "not shown")):
        other = walks("shoe", 30, added, foot_off)
        for pair in ((barefoot, other), (other, barefoot)):
            assert of(find_changes(*pair), "left", UP).word == word


def test_a_plan_of_a_ground_force_in_swing_is_not_tested():
    plans = [f"left {UP} swing", f"left {UP} mid_stance"]
    found = find_changes(walks("barefoot", 20, 0.0), walks("shoe", 30, STANCE), planned=plans)
    swing, stance = (of(found, "left", UP, plan) for plan in plans)
    assert swing.word == "not judged"
    assert swing.reason == "a ground force is tested in stance alone"
    assert stance.word == "clear"


@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize(("added", "word"), [(STANCE, "clear"), (SWING, "not shown")])
def test_people_are_compared_in_stance(paired, added, word):
    first = cases.people(300, 12, "A")
    both = {f"{side} {UP}": added for side in ("left", "right")}
    second = cases.people(640, 12, "A" if paired else "B", added=both)
    (one,) = (f for f in compare_people(first, second, paired=paired).findings if f.curve == UP)
    assert one.word == word
    assert np.isnan(one.limit).sum() == 41


def test_forces_that_do_not_vary_at_the_strike_and_in_swing_are_judged_in_stance():
    groups = cases.people(300, 6, "A"), cases.people(400, 6, "B")
    for trial in (*groups[0], *groups[1]):
        for one in trial.cycles:
            one.values[[0, *range(61, 101)], cases.NAMES.index(UP)] = 0.0
    (one,) = (f for f in compare_people(*groups).findings if f.curve == UP)
    assert one.word != "not judged"
