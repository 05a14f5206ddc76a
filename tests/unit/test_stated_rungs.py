"""A laboratory is judged by the rungs that its result states."""

from __future__ import annotations

import pytest
from walkers.laboratory_rungs import TOLERANCES, Allowed

from gaitdyn.calibrate.ladder.rungs import RUNGS
from tests.benchmark_scripts import script

HIP = Allowed(
    "left", "hip", ("hip", "knee"), ("hip regression", "condyle alone", "no static"), True
)


def test_a_better_rung_than_expected_is_held_to_its_own_tolerance() -> None:
    judged = script("stated_rungs").as_stated(HIP, {"hip": "regression", "knee": "two-condyles"})
    assert judged.rungs == ("hip regression", "two condyles", "no static")
    assert not judged.coarse
    assert HIP.coarse
    assert judged.limit("moment", "frontal") < HIP.limit("moment", "frontal")


def test_a_place_that_the_result_does_not_find_keeps_what_its_landmarks_allow() -> None:
    assert script("stated_rungs").as_stated(HIP, {"knee": ""}) == HIP


@pytest.mark.parametrize("rung", [r for r in RUNGS if r.place in ("knee", "ankle", "foot")])
def test_every_rung_of_the_ladder_has_a_tolerance_and_coarse_ones_are_coarse(rung) -> None:
    if rung.name in ("alignment-device", "one-plane", "one-plane-centres", "toe-stored-offsets"):
        return  # no laboratory of the generator has them
    places = ("ankle", "foot") if rung.place == "foot" else (rung.place,)
    joint = Allowed(
        "left", "ankle", places, ("two condyles", "heel and forefoot")[: len(places)], True
    )
    judged = script("stated_rungs").as_stated(joint, {rung.place: rung.name})
    assert set(judged.rungs) <= set(TOLERANCES)
    assert judged.coarse == rung.coarse


def test_a_lower_rung_than_allowed_is_told() -> None:
    stated = script("stated_rungs")
    best = Allowed("left", "hip", ("hip", "knee"), ("hip regression", "two condyles"), True)
    lower = stated.as_stated(best, {"knee": "condyle-width"})
    assert stated.lower_rungs(best, lower) == ["two condyles allowed, width taken"]
    assert stated.lower_rungs(lower, best) == []
