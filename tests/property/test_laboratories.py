"""Some laboratories that nobody has seen: none is wrong and silent.

All 500 run in benchmarks/laboratories.py, which writes reports/validation/laboratories.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from walkers.laboratory import laboratory, spoken_as

from tests.benchmark_scripts import script

SEEDS = (
    0, 1, 3, 4, 5, 7, 10, 11, 12, 16, 19, 22, 24, 25, 27, 28, 30, 32, 36, 37, 38, 48, 49, 52,
    5057, 5062,
)  # fmt: skip
"""Of the first sixty those with every choice of theirs (a dialect, a rung, what is seen of the
static ...) at least twice, or once if only one of them has it, and two that were wrong and silent
once: labels that several markers of a leg share."""
WANTED_SHARE = 0.96
"""Of the laboratories whose static is not that of another person (which is refused as it should
be): a result. The rest cut their labels so that no side is left."""
WANTED_WITHIN = 0.9
"""Of these: all that the landmarks allow, within the tolerance of the rungs stated."""


@pytest.fixture(scope="module")
def outcomes() -> list[Any]:
    laboratories = script("laboratories")
    return [laboratories.run(seed) for seed in SEEDS]


@pytest.mark.slow
def test_none_is_wrong_and_silent(outcomes: list[Any]) -> None:
    silent = [
        (o.lab.seed, row.column, round(row.error, 2), row.limit, o.lab.said())
        for o in outcomes
        for row in o.rows
        if row.silent
    ]
    assert not silent


@pytest.mark.slow
def test_none_ends_in_anything_but_a_result_or_a_refusal(outcomes: list[Any]) -> None:
    assert not [(o.lab.seed, o.reason) for o in outcomes if o.kind == "crash"]


@pytest.mark.slow
def test_every_refusal_says_why(outcomes: list[Any]) -> None:
    assert all(len(o.reason) > 40 for o in outcomes if o.kind == "refused")


@pytest.mark.slow
def test_as_many_are_processed_as_are_wanted(outcomes: list[Any]) -> None:
    own = [o for o in outcomes if o.lab.static != "of another person"]
    done = [o for o in own if o.kind in ("processed", "in part", "said")]
    assert len(done) >= WANTED_SHARE * len(own)
    assert sum(o.kind == "processed" for o in own) >= WANTED_WITHIN * len(own)


@pytest.mark.slow
def test_only_cut_labels_and_other_persons_are_refused(outcomes: list[Any]) -> None:
    refused = [o.lab for o in outcomes if o.kind == "refused"]
    assert not [
        lab.seed
        for lab in refused
        if lab.static != "of another person" and lab.style != "cut to four letters"
    ]


GHOSTS = {
    "wands": (30, {"rung": "condyles", "foot": "heel and toe"}, "plug-in-gait"),
    "clusters": (888, {"rung": "condyles", "foot": "all"}, "western australia"),
}


@pytest.mark.parametrize("tracking", GHOSTS)
def test_a_landmark_seen_in_few_frames_of_the_static_is_no_landmark(tracking: str) -> None:
    seed, choices, dialect = GHOSTS[tracking]
    lab = replace(laboratory(seed), tracking=tracking, seen="ghost in static", **choices)
    outcome = script("laboratories").run_laboratory(spoken_as(lab, dialect))
    assert outcome.kind != "refused"
    assert outcome.kind != "silent"


def test_a_foot_that_is_not_seen_when_its_plate_is_loaded_has_no_moment() -> None:
    lab = spoken_as(replace(laboratory(565), rung="condyles", tracking="wands"), "plug-in-gait")
    assert lab.seen == "pelvis first, feet later"
    outcome = script("laboratories").run_laboratory(lab)
    assert outcome.kind != "refused"
    assert outcome.kind != "silent"


def test_a_foot_of_heel_and_toe_is_held_by_the_ankle_too() -> None:
    """Two markers show a line; turned with the shank the foot would invert with it, 2 degrees."""
    outcome = script("laboratories").run(447)
    assert outcome.kind == "processed"
    worst = {row.name: row.error for row in outcome.rows}
    assert worst["left ankle angle"] < 0.1


def test_a_marker_that_comes_and_goes_makes_no_force() -> None:
    """It once made 720 N m at the knee for one frame."""
    outcome = script("laboratories").run(316)
    assert outcome.kind == "processed"


def test_a_calibration_with_walking_is_found_under_labels_of_no_model() -> None:
    """Its feet come into view in mid swing: no rate of change of theirs is known there."""
    lab = laboratory(118)
    assert (lab.static, lab.finding) == ("with walking", "beside")
    outcome = script("laboratories").run_laboratory(lab)
    assert outcome.kind == "processed"
