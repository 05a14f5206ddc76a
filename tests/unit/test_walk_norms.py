"""Whose speed and step length a person's are compared with."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt

import numpy as np
import pytest

from gaitdyn.metrics.norms.files import read_norm
from gaitdyn.metrics.norms.speed import match_norm
from gaitdyn.report.first_screen.walk_norms import WalkNorms
from gaitdyn.types.norms import Band, Norm, NormGroup, NormNumber

LEG = 0.9
UNIT = sqrt(9.80665 * LEG)
PERCENT = np.linspace(0, 100, 51)
CHILDREN = "children, Schwartz 2008"


def group(name="free", speed=0.42, count=30, pace_sd=0.03):
    band = Band(PERCENT, 20 + PERCENT, np.ones(51), "deg", count=count)
    numbers = {
        "speed_nondimensional": NormNumber(speed, pace_sd, "1", count),
        "step_length_nondimensional": NormNumber(0.5 + speed, 0.05, "1", count),
    }
    return NormGroup(name, speed, {"knee_angle_flexion": band}, numbers)


ADULTS = Norm("own.csv", "own laboratory", "", (group(),), in_house=True, ages=(20.0, 60.0))


def norms(norm, age: float | None = 40.0, speed=0.40, length: float | None = LEG):
    matched = None if norm is None else match_norm(norm, speed)
    return WalkNorms(matched, age, length, speed * UNIT)


@pytest.mark.parametrize("age", [40.0, None])
def test_an_adult_is_compared_with_own_controls_at_this_leg_length(age):
    own = norms(ADULTS, age)
    pace, step = own.of_speed, own.of_step_length
    assert (pace.source, step.source) == ("own controls", "own controls")
    assert pace.norm is not None
    assert (pace.norm.mean, pace.norm.sd) == pytest.approx((0.42 * UNIT, 0.03 * UNIT))
    assert pace.words == "1.25 (1.07\u20131.43)"
    assert step.norm is not None
    assert (step.norm.mean, step.norm.sd) == pytest.approx((0.92 * LEG, 0.05 * LEG))
    assert step.words == "0.83 \u00b1 0.05"


@pytest.mark.parametrize("norm", [ADULTS, None])
def test_the_speed_of_a_belt_has_no_norm_and_the_step_at_that_speed_keeps_its_own(norm):
    free = norms(norm, 40.0 if norm else 9.0)
    belt = replace(free, imposed=True)
    assert free.of_speed.norm is not None
    assert (belt.of_speed.norm, belt.of_speed.words) == (None, "speed of the belt")
    assert belt.of_step_length == free.of_step_length
    assert replace(norms(None, None, length=None), imposed=True).of_speed.words == ""


def test_a_norm_with_little_spread_has_the_digits_that_show_it():
    free = group(pace_sd=0.0007)
    few = {"step_length_nondimensional": NormNumber(0.77, 0.002, "1", 30)}
    own = norms(replace(ADULTS, groups=(replace(free, numbers=free.numbers | few),)))
    assert own.of_speed.words == "1.248 (1.244\u20131.252)"
    assert own.of_step_length.words == "0.693 \u00b1 0.002"


def test_free_speed_is_that_of_the_free_group_and_steps_are_those_at_this_speed():
    three = (group("slow", 0.3), group("free", 0.4), group("fast", 0.6))
    own = norms(replace(ADULTS, groups=three), speed=0.5)
    pace, step = own.of_speed, own.of_step_length
    assert pace.norm is not None
    assert step.norm is not None
    assert pace.norm.mean == pytest.approx(0.4 * UNIT)
    assert step.norm.mean == pytest.approx(1.0 * LEG)
    renamed = (group("slow", 0.3), group("fast", 0.6))
    assert norms(replace(ADULTS, groups=renamed)).of_speed.norm is None


@pytest.mark.parametrize(
    ("norm", "age", "speed", "pace", "step"),
    [
        (ADULTS, 70.0, 0.4, "norm of other ages", "norm of other ages"),
        (replace(ADULTS, groups=(group(count=9),)), 40.0, 0.4, *["norm of 9 people only"] * 2),
        (replace(ADULTS, groups=(group(pace_sd=0.0),)), 40.0, 0.4, "norm without spread", ""),
        (ADULTS, 40.0, 0.3, "", "no group is as slow"),
        (ADULTS, None, 0.5, "", "no group is as fast"),
        (replace(ADULTS, groups=(replace(group(), speed=None),)), 40.0, 0.4, "",
         "speed not in the norm"),
        (replace(ADULTS, groups=(replace(group(), numbers={}),)), 40.0, 0.4,
         *["no norm of adults"] * 2),
    ],
)  # fmt: skip
def test_a_number_that_is_not_compared_says_why(norm, age, speed, pace, step):
    own = norms(norm, age, speed)
    for found, why in ((own.of_speed, pace), (own.of_step_length, step)):
        assert (found.norm is None, found.source == "") == (bool(why), bool(why))
        assert found.words == why or not why


def test_a_child_whom_the_set_does_not_serve_is_compared_with_published_children():
    told = norms(ADULTS, 9.0)
    assert {told.of_speed.source, told.of_step_length.source} == {CHILDREN}
    children = replace(ADULTS, ages=(5.0, 12.0))
    own = norms(children, 9.0)
    assert {own.of_speed.source, own.of_step_length.source} == {"own controls"}
    fast = norms(children, 9.0, speed=0.6)
    assert (fast.of_speed.source, fast.of_step_length.source) == ("own controls", CHILDREN)
    assert norms(read_norm("schwartz2008"), 9.0).of_speed.source == CHILDREN
    assert norms(None, None).of_speed.source == CHILDREN
    assert norms(None, 40.0).of_speed.words == "no norm of adults"


@pytest.mark.parametrize("norm", [read_norm("schwartz2008"), None, ADULTS])
def test_a_child_who_walks_slower_than_any_group_has_no_step_length_at_this_speed(norm):
    """At 0.12 the step length of the very slow children, of 0.17, was given "at this speed"."""
    for speed, why in ((0.12, "no group is as slow"), (0.8, "no group is as fast")):
        step = norms(norm, 9.0, speed).of_step_length
        assert (step.norm, step.words, step.source) == (None, why, "")
    assert norms(norm, 9.0, 0.18).of_step_length.norm is not None


def test_without_a_leg_length_nothing_is_compared():
    for norm in (ADULTS, read_norm("schwartz2008")):
        told = norms(norm, None, length=None)
        assert (told.of_speed.words, told.of_step_length.words) == ("leg length not given",) * 2
